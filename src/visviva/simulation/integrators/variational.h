// Variational integrators: steps of equal length that make a discrete action stationary.
//
//   VariationalRunner runner(momenta, {.until = 10.0, .step = 0.01});
//   if (!runner.restart(0.0, y)) ... runner.reason()
//   while (runner.time() < 10.0)
//     if (!runner.step()) ... runner.reason()
//
// A path is a list of places q_k at times t_k, h apart. With the Lagrangian L = K - U at the middle of
// each piece, q_m = (q_k + q_k+1)/2, v = (q_k+1 - q_k)/h, t_m = t_k + h/2, the action is
//   S = sum_k h L(t_m, q_m, v)                                                                  (1)
// The true path makes it stationary (docs/theory/integrators.md (2)), and with forces that have no
// potential, sum_k h Q · δq_m + δS = 0 (docs/theory/integrators.md (3)). With p = dL/dv and
// g = dL/dq + Q at (t_m, q_m, v), that is: the momentum at which one piece ends begins the next, where
//   p_k   = p - h/2 g                                                                           (2)
//   p_k+1 = p + h/2 g                                                                           (3)
// (2) is solved for v. The speeds that are shown follow from p(t_k, q_k, u_k) = p_k. Without Q the map
// (q_k, p_k) -> (q_k+1, p_k+1) is symplectic, and momenta that belong to cyclic coordinates are kept.
// J. E. Marsden, M. West, Discrete mechanics and variational integrators, Acta Numerica 10 (2001),
// parts 1 to 3; the midpoint rule is one of their examples.
//
// Integrals over time are added up along the path through these places, by Simpson's rule:
//   Z_k+1 = Z_k + h/6 (Z'(t_k) + 4 Z'(t_m) + Z'(t_k+1))                                         (4)
// With Z'(t_m, q_m, v) alone K2 + U + Z would be kept by construction where no force has a potential, and
// could show nothing.
//
// (2) and (3) are of order 2 and symmetric in time, so that five pieces of lengths c h, c h,
// (1 - 4c) h, c h, c h make a step of order 4 where
//   c = 1/(4 - 4^(1/3))                                                                         (5)
// M. Suzuki, Fractal decomposition of exponential operators, Physics Letters A 146 (1990); E. Hairer,
// C. Lubich, G. Wanner, Geometric Numerical Integration, section II.4.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cstddef>
#include <string>
#include <vector>

#include "visviva/codegen/system/compiled_system.h"
#include "visviva/simulation/reason.h"

namespace visviva {

/// The momenta and rates that are integrated, as functions of time and y = (q, q'). A false answer
/// means that they cannot be evaluated there.
class MomentumFunction {
 public:
  virtual ~MomentumFunction() = default;
  virtual std::size_t size() const = 0;  ///< coordinates
  virtual std::size_t quadrature_count() const = 0;
  /// p and g of (2), with their derivatives by q and q' unless `jacobian` is null.
  virtual bool compute_momenta(double t, const double* y, double* p, double* g,
                               MomentumJacobian* jacobian) = 0;
  /// y', then the rates of the quadratures.
  virtual bool compute_rates(double t, const double* y, double* rates) = 0;
};

struct VariationalOptions {
  double until = 0.0;  ///< where the run ends, before or after its start
  double step = 0.0;   ///< longest step; the steps that are taken divide the run into equal parts
  int order = 2;       ///< 2, or 4 by (5)
};

/// The state is (q, u, quadratures).
class VariationalRunner {
 public:
  /// A runner at its start. UsageError for options that make no sense. The function must outlive
  /// the runner; what it throws passes through.
  VariationalRunner(MomentumFunction& function, const VariationalOptions& options);

  /// Stands at (t, y), forgetting all before. False where the momenta cannot be computed; reason().
  bool restart(double t, const double* y);
  /// Makes one step. False when it failed, or when the end is reached; reason() says which.
  bool step();

  double time() const { return t_; }
  const double* state() const { return y_.data(); }
  const double* momenta() const { return now_.p.data(); }
  /// Length of a step from here on, signed.
  double step_length() const { return h_; }
  /// y at a time within the last step, of order 4 at least: may evaluate rates. False elsewhere.
  bool interpolate(double t, double* y);
  std::size_t evaluations() const { return evaluations_; }
  /// Why the last call answered false; none when it did not.
  const MethodTrouble& reason() const { return reason_; }

 private:
  /// The values that a step changes. The carries are what rounding took from the sums.
  struct Point {
    Eigen::VectorXd q, p, z, q_carry, p_carry, z_carry;
    Eigen::VectorXd v, v_slope;  ///< rates in the last piece, and how they change with time
    double v_time = 0.0;
  };

  bool refuse(MethodTrouble reason);
  bool solve(double t, double h, const Point& from, Eigen::VectorXd* v);
  bool add_quadratures();
  bool take_piece(double t, double h, Point* point);
  bool take_pieces(Point* point);
  bool compute(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, bool with_slopes);
  bool prepare_interpolation();

  MomentumFunction& function_;
  VariationalOptions options_;
  Eigen::Index n_, quadratures_;
  bool is_ready_ = false, is_interpolable_ = false;
  double start_ = 0.0, t_ = 0.0, before_ = 0.0, h_ = 0.0;
  std::size_t steps_ = 0, last_step_ = 0, evaluations_ = 0;  // steps are counted from `start_`
  Point now_;
  Eigen::VectorXd y_, y_before_, rates_, rates_before_;

  // Results of compute()
  Eigen::VectorXd place_, p_, g_, place_rates_;
  MomentumJacobian slopes_;
  Eigen::PartialPivLU<Eigen::MatrixXd> matrix_;
  MethodTrouble reason_;
};

}  // namespace visviva
