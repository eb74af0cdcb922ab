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
  /// How an output is shown: in results alone, over time, or over another.
  struct Showing {
    bool is_plot = false;
    std::optional<Abscissa> over{};
  };
  Showing read_showing(const SyntaxStatement& s);
  std::string name_output(const SyntaxItem& item);
  void read_output(const SyntaxItem& item, const Showing& showing);
  template <class Value>
  void add_output(const std::string& name, const Value& value, const Showing& showing);
  void read_jacobian(const SyntaxItem& item, const Showing& showing);
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
