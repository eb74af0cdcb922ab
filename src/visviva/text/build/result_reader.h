// ResultReader: outputs, plots, events and the study of a model's text.
#pragma once

#include "visviva/text/build/expression_reader.h"

namespace visviva {

class ResultReader {
 public:
  ResultReader(ModelDraft& draft, ExpressionReader& expressions)
      : draft_(draft), expressions_(expressions) {}

  /// Reads every statement of this kind.
  void read();

 private:
  void name_outputs();
  void read_outputs(const SyntaxStatement& s);
  void read_output(const SyntaxItem& item, bool plot);
  void read_moment(const Expression& e, const std::string& name, bool plot);
  void read_energies(const SyntaxStatement& s);
  void read_event(const SyntaxStatement& s);
  void read_study(const SyntaxStatement& s);
  void read_claims(const SyntaxStatement& s);
  void read_constant(const SyntaxItem& item);
  Vector add_momenta();

  ModelDraft& draft_;
  ExpressionReader& expressions_;
  std::map<std::string, std::string> outputs_;  // name -> what was written
};

}  // namespace visviva
