// StartReader: start values of coordinates, rates and speeds, and conditions on the motion at the
// start.
#pragma once

#include "visviva/text/build/field_reader.h"
#include "visviva/text/build/model_changes.h"
#include "visviva/text/build/start_guess.h"

namespace visviva {

class StartReader {
 public:
  StartReader(ModelDraft& draft, NameTable& names, ExpressionReader& expressions,
              ModelChanges& changes, FieldReader& fields)
      : draft_(draft),
        names_(names),
        expressions_(expressions),
        changes_(changes),
        fields_(fields) {}

  /// Reads the values that stand beside coordinates.
  void read_coordinates();
  /// Reads the `start` statements, and start values that only a case or the command line gives.
  void read_starts();

 private:
  void read_coordinate(const SyntaxItem& item, const SyntaxStatement& s);
  void read_start(const SyntaxItem& item, const SyntaxStatement& s);
  void read_named_start(const SyntaxItem& item, const SyntaxStatement& s);
  void read_condition(const SyntaxItem& item);
  void read_change(const std::string& name, Change& change);
  void require_once(const std::string& name, const SourceSpan& span);
  void set_value(const Quantity& target, const Expression& value, bool is_change = false);
  void set_rate(const Quantity& rate, const std::string& name, const Expression& value,
                bool is_change);

  ModelDraft& draft_;
  NameTable& names_;
  ExpressionReader& expressions_;
  ModelChanges& changes_;
  FieldReader& fields_;
  std::map<std::string, SourceSpan> given_;  // by name with primes
};

}  // namespace visviva
