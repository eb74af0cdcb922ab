// Small motions of a model with samples: x(k+1) = A x(k) + B w(k), from one sample to the next.
//
// x are the variations just before a sample, those of held states among them. The sample makes S x + R w of them, the
// plant flows for the period T after it, x' = F x + G w with F zero in the rows of what is held:
//   A = e^(F T) S,     B = e^(F T) R + (the integral of e^(F s) over 0 <= s <= T) G               (1)
// G. F. Franklin, J. D. Powell, M. Workman, Digital Control of Dynamic Systems, 3rd ed., section 4.3.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "visviva/equations/small_motion/motion_system.h"

namespace visviva {

struct SampledMotion {
  double period = 0.0;
  Eigen::MatrixXd A, B;
};

/// (1), of F and G. Nothing unless there is one sample, and all states are varied as they are: no constraints, no
/// rotation vectors.
std::optional<SampledMotion> sample_motion(const MotionSystem& system, const StartState& state,
                                           const Eigen::MatrixXd& F, const Eigen::MatrixXd& G);

/// e^M by its series, halved until it converges fast and squared again.
Eigen::MatrixXd compute_exponential(const Eigen::MatrixXd& M);

}  // namespace visviva
