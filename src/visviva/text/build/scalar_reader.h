// ScalarReader: parameters, specified functions, inputs, coordinates, speeds and unknowns of a
// model's text.
#pragma once

#include "visviva/text/build/expression_reader.h"
#include "visviva/text/build/model_changes.h"
#include "visviva/text/build/read_table.h"

namespace visviva {

class ScalarReader {
 public:
  ScalarReader(ModelDraft& draft, NameTable& names, ExpressionReader& expressions,
               ModelChanges& changes, TableReader& tables)
      : draft_(draft),
        names_(names),
        expressions_(expressions),
        changes_(changes),
        tables_(tables) {}

  /// Tells the model which coordinates will form quaternions.
  void reserve_quaternions();
  /// Declares every scalar, in the order of the text.
  void declare();
  /// Defines parameters, specified functions and inputs.
  void define_given();
  /// Gives states their laws, which may need everything that has a place.
  void define_states();
  /// Defines speeds, which may need all of those.
  void define_speeds();

 private:
  void reserve_quaternion(const std::string& frame, const Expression& call);
  void declare(const SyntaxItem& item, const SyntaxStatement& s);
  void declare_state(const SyntaxItem& item, const SyntaxStatement& s);
  void read_sample(const SyntaxStatement& s);
  void require_laws(const SyntaxStatement& s);
  void declare_function(const SyntaxItem& item, const SyntaxStatement& s);
  void define_all(const SyntaxStatement& s);
  void define(const SyntaxStatement& s, const SyntaxItem& item);
  void define(const Quantity& scalar, const Expression& value);

  ModelDraft& draft_;
  NameTable& names_;
  ExpressionReader& expressions_;
  ModelChanges& changes_;
  TableReader& tables_;
  std::map<std::string, std::string> quaternion_frames_;  // by coordinate
};

}  // namespace visviva
