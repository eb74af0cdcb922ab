// FieldReader: fields, what holds them, their elements, lines, and laws per length of a model's text.
#pragma once

#include "visviva/text/build/expression_reader.h"
#include "visviva/text/build/model_reading.h"

namespace visviva {

class FieldReader {
 public:
  FieldReader(ModelDraft& draft, NameTable& names, ExpressionReader& expressions,
              const ReadOptions::Fields& options)
      : draft_(draft), names_(names), expressions_(expressions), options_(options) {}

  /// Takes the names of fields and variables.
  void reserve_names();
  /// Makes the fields, fixes them and cuts them into elements; they need parameters only.
  void declare();
  /// Makes every line that nothing has asked for yet.
  void read_lines();
  /// Makes one line. Fails when it needs itself.
  void make_line(LineDeclaration& line, const SourceSpan& place);
  /// Start values of a field, or of its rate, from a function of the place: at nodes, with their slopes.
  void read_start(const SyntaxItem& item);
  /// Complains about fields that nothing with a mass moves with, and about turning beams without stiffening.
  void check();

  // Laws per length

  void read_energy(const SyntaxStatement& s);
  void read_force(const SyntaxStatement& s);
  void read_torque(const SyntaxStatement& s);

 private:
  void warn_of_lost_stiffening();
  void declare_field(const SyntaxStatement& s, const SyntaxItem& item);
  void read_fix(const SyntaxItem& item);
  void read_discretize(const SyntaxStatement& s);
  void cut(const Field& field, int elements, bool is_linear);
  void read_line(const SyntaxStatement& s);
  void require_fields(const std::string& variable);
  std::string read_variable(const SyntaxStatement& s);
  FieldDeclaration& find_field(const SyntaxName& name);
  const SyntaxStatement& find_line(const SyntaxStatement& s);
  template <class Read>
  auto at_places(const Read& read);

  ModelDraft& draft_;
  NameTable& names_;
  ExpressionReader& expressions_;
  const ReadOptions::Fields& options_;
};

}  // namespace visviva
