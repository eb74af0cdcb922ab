// States on a surface, found by Newton's method: whether something vanishes there.
//
// A value is a sum of products t_k. It vanishes at a state where they cancel to rounding,
//   |sum t_k| <= rounding * sum |t_k|                                                           (1)
// Looked at closely, states and values have some hundred digits: from a state in doubles, chords by its slopes J,
//   x := x - J^+ g(x)                                                                           (2)
// give about ten digits each, and what does not vanish is not mistaken for rounding.
#pragma once

#include <vector>

#include "visviva/kinematics/start_state.h"

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
  /// At states from anywhere, in doubles.
  Look look_at(const Expr& value) const;
  bool differs(const Expr& value) const { return look_at(value) == Look::differs; }

  /// At states beside one on the surface, which lie on the same branch of it; in many digits. Parameters beside theirs, unless
  /// the surface has no states then.
  Look look_closely(const Expr& value, const StartState& beside) const;

 private:
  const ModelData& model_;
  std::vector<Expr> g_;
};

}  // namespace visviva
