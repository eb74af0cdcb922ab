// GeometryReader: frames, points, particles and bodies of a model's text.
#pragma once

#include "visviva/text/build/expression_reader.h"

namespace visviva {

class GeometryReader {
 public:
  GeometryReader(ModelDraft& draft, NameTable& names, ExpressionReader& expressions)
      : draft_(draft), names_(names), expressions_(expressions) {}

  void read_frame(const Declaration& declaration);
  /// Reads a point, a particle, or a body, which is declared with its mass center.
  void read_point(const Declaration& declaration);
  Solid read_solid(const SyntaxClause& clause);

 private:
  Orientation read_orientation(const Expression& call);
  Orientation read_rotation(const Expression& call, const Frame& parent);
  void read_body(const SyntaxStatement& s);
  Inertia read_inertia(const SyntaxClause& clause);

  ModelDraft& draft_;
  NameTable& names_;
  ExpressionReader& expressions_;
};

}  // namespace visviva
