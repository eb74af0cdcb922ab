// States on a surface, found by Newton's method from random ones: whether something vanishes there.
//
// A value is a sum of products t_k. It vanishes at a state where they cancel to rounding,
//   |sum t_k| <= rounding * sum |t_k|                                                           (1)
#pragma once

#include <vector>

#include "visviva/model/model_data.h"

namespace visviva {

class SurfaceSamples {
 public:
  /// The surface g = 0 in the coordinates and speeds of a model, its quaternions of unit length; parameters and time have values
  /// of their own at each sample.
  SurfaceSamples(const ModelData& model, std::vector<Expr> g);

  enum class Look {
    differs,   ///< it is not zero at some state of the surface that was found
    vanishes,  ///< it is, by (1), at every one
    unseen     ///< no such state was found at which it has a value
  };
  Look look_at(const Expr& value) const;
  bool differs(const Expr& value) const { return look_at(value) == Look::differs; }

 private:
  const ModelData& model_;
  std::vector<Expr> g_;
};

}  // namespace visviva
