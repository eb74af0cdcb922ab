// The numbers of Radau IIA(5): its tableau, the basis that splits its stages, its polynomial.
#pragma once

#include <Eigen/Core>
#include <complex>

namespace visviva {

/// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., table IV.5.6 and
/// section IV.8. The stages are z_i = y(t + c_i h) - y(t).
struct Radau5Tableau {
  Eigen::Matrix3d a;          ///< weights of the rates; its last row gives the step
  Eigen::Vector3d c;          ///< where the stages are; the last one is 1
  double real = 0.0;          ///< gamma, the real eigenvalue of a^-1
  std::complex<double> pair;  ///< alpha - i beta, of its two others
  Eigen::Matrix3d basis;  ///< T: a^-1 T = T Lambda, Lambda = gamma and (alpha beta; -beta alpha)
  Eigen::Matrix3d inverse_basis;
  Eigen::Vector3d error;  ///< weights of the stages, divided by h, in the estimate of the error
};

const Radau5Tableau& radau5_tableau();

/// Weights of the stages in the polynomial through them that is 0 at theta = 0.
Eigen::Vector3d compute_radau5_weights(double theta);

}  // namespace visviva
