// PictureReader: what a model's text says is drawn of its bodies and frames.
#pragma once

#include "visviva/text/build/geometry_reader.h"

namespace visviva {

class PictureReader {
 public:
  PictureReader(ModelDraft& draft, NameTable& names, ExpressionReader& expressions,
                GeometryReader& geometry)
      : draft_(draft), names_(names), expressions_(expressions), geometry_(geometry) {}

  void read();

 private:
  void read(const SyntaxStatement& s);
  std::shared_ptr<const Mesh> read_mesh(const SyntaxStatement& s, const Expression& file);
  std::array<double, 3> read_scale(const SyntaxStatement& s);

  ModelDraft& draft_;
  NameTable& names_;
  ExpressionReader& expressions_;
  GeometryReader& geometry_;
};

}  // namespace visviva
