// A smooth motion followed to nearly full precision: Gragg's method with extrapolation to step zero.
//
// A step H is made of n parts by the midpoint rule, for n = 2, 4, ... 16. Its errors are powers of
// (H/n)^2, which Aitken and Neville's scheme takes away (Hairer, Nørsett and Wanner, Solving
// Ordinary Differential Equations I, II.9):
//   T_{j,k+1} = T_{j,k} + (T_{j,k} - T_{j-1,k})/((n_j/n_{j-k})^2 - 1)                           (1)
#pragma once

#include <Eigen/Core>
#include <functional>

namespace visviva {

/// The function behind dy/dt = f(t, y); false where it has no value.
using RateFunction = std::function<bool(double t, const Eigen::VectorXd& y, Eigen::VectorXd* rate)>;

struct FollowOptions {
  double tolerance = 1e-12;       ///< of a step's error, against the size of each entry
  int most_evaluations = 20'000;  ///< of the rates; the motion is left where these end
};

struct FollowedMotion {
  double t = 0;
  Eigen::VectorXd y;
  bool has_arrived = false;
};

/// The motion from (t, y) to the time `end`, or as far as it can be followed.
FollowedMotion follow_motion(const RateFunction& rates, double t, Eigen::VectorXd y, double end,
                             const FollowOptions& options = {});

}  // namespace visviva
