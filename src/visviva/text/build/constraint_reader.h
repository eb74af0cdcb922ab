// ConstraintReader: constraints, rolls, locks and dependent speeds of a model's text.
#pragma once

#include "visviva/text/build/expression_reader.h"

namespace visviva {

class ConstraintReader {
 public:
  ConstraintReader(ModelDraft& draft, NameTable& names, ExpressionReader& expressions)
      : draft_(draft), names_(names), expressions_(expressions) {}

  /// Reads every statement of this kind, and then the locks that a case adds.
  void read(const std::vector<SyntaxName>& more_locks);

 private:
  void read_constraint(const SyntaxItem& item);
  void displace_constraint(const SyntaxItem& item, NamedPlaces& places);
  void read_lock(const SyntaxName& name);
  void read_roll(const SyntaxStatement& s);
  void read_dependent(const SyntaxStatement& s);

  ModelDraft& draft_;
  NameTable& names_;
  ExpressionReader& expressions_;
};

}  // namespace visviva
