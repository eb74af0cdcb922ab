// Equations of motion as numbers, from positions alone: what every derivation is compared with.
//
// Nothing is taken from the library but the declarations of the model, the rates q' of the
// coordinates and the laws of the forces. Positions p and rotations R are composed numerically
// along the trees; everything else is a central difference of order 8 in long double.
// B is a body with mass m, central inertia I, mass center B*, r a speed:
//   v_r, w_r    differences of p and R along dq = dq'/du_r, time held                         (1)
//   a, alpha    second differences along the motion with given u'                             (2)
//   M_rs = sum_B (m v_r · v_s + w_r · I w_s)                                                  (3)
//   f_r = sum F · v_r + sum T · w_r - sum_B (m a · v_r + (I alpha + w x I w) · w_r),  u' = 0  (4)
//   A_ir = d(row i)/du_r,   b_i = -d(row i)/dt with u' = 0                                    (5)
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "visviva/kinematics/kinematics.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva::mechanisms {

using Real = long double;
using Vector3 = Eigen::Matrix<Real, 3, 1>;
using Rotation = Eigen::Matrix<Real, 3, 3>;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

// Differences: truncation h^8 f^(9)/630 and rounding 1e-19/h^2 are both below 1e-13 for motions
// of a few rad/s. Faster motions get smaller steps.
inline constexpr Real step_size = 1.0L / 256;

template <class Function>
auto first_difference(const Function& f, Real h = step_size) -> decltype(f(Real())) {
  decltype(f(Real())) sum = (f(h) - f(-h)) * Real(4.0L / 5);
  sum -= (f(2 * h) - f(-2 * h)) * Real(1.0L / 5);
  sum += (f(3 * h) - f(-3 * h)) * Real(4.0L / 105);
  sum -= (f(4 * h) - f(-4 * h)) * Real(1.0L / 280);
  return sum * Real(1 / h);
}

template <class Function>
auto second_difference(const Function& f, Real h = step_size) -> decltype(f(Real())) {
  decltype(f(Real())) sum = (f(h) + f(-h)) * Real(8.0L / 5);
  sum -= (f(2 * h) + f(-2 * h)) * Real(1.0L / 5);
  sum += (f(3 * h) + f(-3 * h)) * Real(8.0L / 315);
  sum -= (f(4 * h) + f(-4 * h)) * Real(1.0L / 560);
  sum -= f(Real(0)) * Real(205.0L / 72);
  return sum * Real(1 / (h * h));
}

/// Where everything is: all points' positions (3 each), then all frames' rotations (9 each).
using Placement = RealVector;

class MotionOracle {
 public:
  explicit MotionOracle(const Kinematics& motion);

  /// Every symbol that equations may contain; a state is their values.
  const std::vector<Expr>& symbols() const { return symbols_; }
  std::size_t place(const Expr& symbol) const;
  std::size_t first_speed() const { return first_speed_; }
  int speed_count() const;
  int row_count() const;

  // ---- Motion

  /// The state a time h later, right to the second order for coordinates.
  std::vector<Real> move(const std::vector<Real>& state, const RealVector& udot, Real h) const;

  /// The step of differences along a motion: the time in which nothing moves far.
  Real step(const std::vector<Real>& state, const RealVector& udot) const;

  /// The largest coefficient of a speed in a rate: large near a singular orientation, where
  /// differences lose digits.
  Real largest_rate_coefficient(const std::vector<Real>& state) const;

  Placement place_everything(const std::vector<Real>& state) const;

  Vector3 p(const Placement& placement, int Q) const;
  Rotation R(const Placement& placement, int F) const;

  /// Accelerations of points and angular accelerations of frames, and velocities, all in N.
  struct Accelerations {
    Placement at, first, second;
  };
  Accelerations accelerate(const std::vector<Real>& state, const RealVector& udot) const;
  Vector3 v(const Accelerations& a, int Q) const;
  Vector3 a(const Accelerations& a, int Q) const;
  Vector3 w(const Accelerations& a, int F) const;
  // R'' R^T = [alpha]x + [w]x [w]x, and the last is symmetric.
  Vector3 alpha(const Accelerations& a, int F) const;

  // ---- Equations, (3) to (5)

  struct Numbers {
    RealMatrix M;
    RealVector f;
    RealVector f_scale;  ///< sums of absolute values, to judge differences by
    RealMatrix A;
    RealVector b;
    RealVector active;  ///< the loads' part of f
  };

  Numbers assemble(const std::vector<Real>& state) const;

  /// From velocities that are differences of positions.
  Real kinetic_energy(const std::vector<Real>& state) const;

  /// sum_B (m a · v + (I alpha + w x I w) · w) with accelerations of one state, velocities of
  /// another.
  Real power_on(const std::vector<Real>& state, const RealVector& udot,
                const std::vector<Real>& other) const;

  /// What the constraints say vanishes, at this state.
  RealVector row_values(const std::vector<Real>& state) const;

  /// A u + c: how far the velocities are from satisfying the constraints.
  RealVector velocity_errors(const std::vector<Real>& state) const;

  /// Position-level constraints at this state, computed from positions alone.
  RealVector position_errors(const std::vector<Real>& state) const;

  /// Accelerations that satisfy M u' = f + A'λ, A u' = b; what is not determined is least.
  RealVector solve(const Numbers& e) const;

 private:
  struct Moving {
    RealVector first, second;  // rates of the moving symbols
    RealVector udot;
    Real coefficient = 1;  // the largest in a rate: near 1/coefficient lies a singular orientation
  };

  // ---- What to evaluate

  void add_symbol(const Expr& s);
  void list_symbols();
  void list_geometry();

  // Coefficients of every rate for every speed, then the remainder.
  void list_rates();
  void add_rate(const ScalarMotion& rate);
  std::size_t add_law(const Expr& e);
  std::size_t add_law(const Vector& v);
  Expr resolved(const Expr& e) const { return motion_.resolve(Quantity(e, Dimension())).expr(); }
  void list_laws();

  // Along which axes the rows of a roll are written is the library's choice.
  int row_frame(const ConstraintData& roll) const;

  // A configuration constraint is differentiated numerically, others are what they say.
  void list_constraint_laws();

  // ---- Motion

  std::size_t moving_count() const { return first_speed_ - first_moving_; }

  // q' = C u + d.
  std::pair<RealMatrix, RealVector> rates(const std::vector<Real>& state) const;
  RealVector speeds(const std::vector<Real>& state) const;
  RealVector moving_rates(const std::vector<Real>& state) const;
  static Real step(const RealVector& direction);
  static Real step(const Moving& moving);
  Moving make_moving(const std::vector<Real>& state, const RealVector& udot) const;
  std::vector<Real> move(const std::vector<Real>& state, const Moving& moving, Real h) const;

  // Quaternions stay on the sphere, where alone expressions are what they say; to the second order
  // that changes nothing.
  void normalize(std::vector<Real>& state) const;
  std::vector<Real> shift(const std::vector<Real>& state, std::size_t first,
                          const RealVector& direction, Real h) const;
  std::vector<Placement> make_virtual_motion(const std::vector<Real>& state) const;
  Vector3 virtual_spin(const Accelerations& now, const Placement& moved, int F) const;

  // ---- Equations

  void add_bodies(const std::vector<Real>& state, const Accelerations& now,
                  const std::vector<Placement>& virtual_motion, Numbers& result) const;

  // About the mass center, in N; zero for a particle.
  Rotation inertia(const std::vector<Real>& laws, std::size_t B, const Placement& placement) const;
  static void add_force(Numbers& result, int r, Real value);
  Vector3 law_vector(const std::vector<Real>& laws, std::size_t first) const;
  void add_loads(const std::vector<Real>& state, const Accelerations& now,
                 const std::vector<Placement>& virtual_motion, Numbers& result) const;
  Real force_power(const ForceData& f, const Vector3& value, const Accelerations& now,
                   const Placement& moved) const;
  Real law_at(std::size_t law, const std::vector<Real>& state) const;
  Real spring_power(std::size_t i, const std::vector<Real>& state, const Accelerations& now,
                    const Placement& moved, const RealVector& direction) const;
  Real energy_power(std::size_t i, const std::vector<Real>& state, const RealVector& direction,
                    int r) const;
  void add_rows(const std::vector<Real>& state, Numbers& result) const;
  bool is_position(int row) const;

  // ---- Placements

  Eigen::Index rotation_place(int F) const;
  void set_R(Placement& placement, int F, const Rotation& value) const;

  Kinematics motion_;
  const ModelData& model_;
  std::vector<Expr> symbols_;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::array<std::size_t, 4>> quaternions_;
  std::size_t first_moving_ = 0, first_speed_ = 0;
  std::vector<Expr> geometry_outputs_, rate_outputs_, law_outputs_;
  std::unique_ptr<Evaluator> geometry_, rates_, laws_;
  std::vector<std::size_t> body_laws_, force_laws_, spring_laws_, energy_laws_;
  std::vector<std::size_t> row_laws_, position_laws_;
  std::vector<bool> row_is_position_;
  std::size_t gravity_law_ = 0;
};

}  // namespace visviva::mechanisms
