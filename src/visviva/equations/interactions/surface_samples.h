// Configurations on a surface, found by Newton's method from random ones: whether something vanishes there.
#pragma once

#include <vector>

#include "visviva/model/model_data.h"

namespace visviva {

class SurfaceSamples {
 public:
  /// The surface g = 0 in the coordinates of a model, its quaternions of unit length; parameters and time have values of their
  /// own at each sample.
  SurfaceSamples(const ModelData& model, std::vector<Expr> g);

  /// True when a function is not zero at some configuration of the surface that was found.
  bool differs(const Expr& value) const;

 private:
  const ModelData& model_;
  std::vector<Expr> g_;
};

}  // namespace visviva
