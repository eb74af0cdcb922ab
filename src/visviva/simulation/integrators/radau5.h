// Radau IIA of order 5 with three stages: the implicit method for stiff equations.
//
// Symbols: y at t; z_i = y(t + c_i h) - y; T, Lambda, gamma, alpha, beta of radau5_tableau.h;
// J = df/dy; W = (T^-1 x I) Z. Source: E. Hairer, G. Wanner, Solving Ordinary Differential
// Equations II, 2nd ed., section IV.8.
//
//   z_i = h sum_j a_ij f(t + c_j h, y + z_j)                                                    (1)
//   (Lambda/h x I - I x J) dW = (T^-1 x I) F - (Lambda/h x I) W          simplified Newton      (2)
// splits into one real system with gamma/h - J and one complex with (alpha - i beta)/h - J.
//   y(t + h) - y = z_3                                                                          (3)
//   (gamma/h - J) e = f(t, y) + (e_1 z_1 + e_2 z_2 + e_3 z_3)/h          estimate of the error  (4)
//   (gamma/h - J) e = f(t, y + e) + (e_1 z_1 + e_2 z_2 + e_3 z_3)/h      filtered once more     (5)
//   y(t + theta h) - y = P(theta), the cubic through 0, z_1, z_2, z_3                           (6)
//   y'' = J y' + df/dt                                                                          (7)
//   |J|_rho = |J^16|^(1/16) >= spectral radius, nearly equal to it                              (8)
#pragma once

#include <Eigen/Dense>

#include "visviva/simulation/integrators/stepper.h"

namespace visviva {

/// df/dy and df/dt where they were computed.
class JacobianAt {
 public:
  void resize(std::size_t n);
  bool compute(RateFunction& function, double t, const double* y);
  bool is_at(double t, const double* y) const;
  const Eigen::MatrixXd& by_state() const { return by_state_; }
  /// The curvature (7) from y'.
  void compute_curvature(const std::vector<double>& rates, Eigen::VectorXd& curvature) const;

 private:
  bool is_known_ = false;
  double t_ = 0.0;
  std::vector<double> y_;
  Eigen::MatrixXd by_state_;
  Eigen::VectorXd by_time_;
};

class Radau5 : public Stepper {
 public:
  explicit Radau5(RateFunction& function) : Stepper(function) {}

  const MethodFacts& facts() const override;
  /// Quintic from y, y', y'' at both ends; in a stiff step, where these magnify every error of y by
  /// (h |J|)^2, the cubic (6), which adds at most h^4 |y(4)|/1300.
  bool interpolate(double theta, double* y) override;
  double stiffness() const override;

 private:
  using Stages = Eigen::Matrix<double, Eigen::Dynamic, 3>;

  void begin() override;
  bool compute_step(double h, double tolerance) override;
  bool compute_next_rates() override;

  void predict_stages(double h);
  bool refresh_jacobian();
  void factorize(double h);
  bool solve_stages(double h, double tolerance);
  bool evaluate_stages(double h);
  double correct_stages(double h);
  double compute_noise();
  void estimate_error(double h, double tolerance, bool is_careful);
  bool prepare_quintic();

  // The step tried last, for starting values of the next one and for interpolation.
  double start_t_ = 0.0, step_ = 0.0;
  std::vector<double> start_y_, start_rates_, end_rates_;
  bool has_tried_ = false, has_stages_ = false, has_end_rates_ = false, has_quintic_ = false;
  Stages stages_, transformed_, stage_rates_, residual_;
  Eigen::VectorXd start_curvature_, end_curvature_;

  // Newton's matrices; `contraction_` is the ratio of its last corrections.
  JacobianAt jacobian_, end_jacobian_;
  double factorized_h_ = 0.0, contraction_ = 0.0;
  bool wants_jacobian_ = true;
  Eigen::MatrixXd real_matrix_;
  Eigen::MatrixXcd complex_matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> real_lu_;
  Eigen::PartialPivLU<Eigen::MatrixXcd> complex_lu_;
  Eigen::VectorXd scale_, point_, right_side_, solution_, stage_sum_;
  Eigen::VectorXcd complex_right_side_, complex_solution_;

  // (8), computed when asked for.
  mutable double radius_ = -1.0;
  mutable Eigen::MatrixXd power_, square_;
};

}  // namespace visviva
