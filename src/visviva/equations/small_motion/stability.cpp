#include "visviva/equations/small_motion/stability.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/small_motion/rest_inertia.h"
#include "visviva/equations/small_motion/static_balance.h"
#include "visviva/equations/state/solve.h"
#include "visviva/numeric/dense.h"
#include "visviva/numeric/product.h"
#include "visviva/numeric/solve_any_rank.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = SmallMotionReason::Kind;

constexpr double error_rounding = 1e-14;  // of a balance, against the size of its terms
constexpr double minimum_tolerance =
    1e-9;  // of the smallest eigenvalue of a matrix with ones on its diagonal

// Whether a symmetric matrix is positive definite beyond doubt, whatever units its rows carry.
bool is_positive(const MatrixXd& m) {
  VectorXd d = m.diagonal();
  if (d.size() == 0) return true;
  if (!(d.minCoeff() > 0)) return false;
  d = d.cwiseSqrt().cwiseInverse();
  const MatrixXd unit = d.asDiagonal() * (0.5 * (m + m.transpose())) * d.asDiagonal();
  return compute_symmetric_eigen(unit).values(0) > minimum_tolerance;
}

// Whether the loads have a potential or only take energy: then K2 - K0 + U never grows.
class EnergyArgument {
 public:
  EnergyArgument(const Equations& equations, const StartState& state)
      : motion_(equations.motion), model_(motion_.model()), equations_(equations), state_(state) {}

  bool holds() {
    for (const ConstraintRow& row : equations_.rows) {
      if (!row.position) return false;
    }
    for (const Expr& unknown : equations_.unknowns) {
      if (varies_with(equations_.forcing, unknown)) return false;
    }
    for (const Expr& symbol : free_symbols(make_residual(equations_).rows)) {
      const SymbolRole* role = model_.role(symbol);
      if (role != nullptr && role->role == Role::hidden) return false;
    }
    for (const Load& load : collect_loads(motion_)) {
      if (!is_harmless(load)) return false;
    }
    return true;
  }

 private:
  bool is_harmless(const Load& load) {
    const std::vector<Expr> F = compute_generalized_forces(motion_, load);
    if (std::all_of(F.begin(), F.end(), [](const Expr& e) { return e.is_zero(); })) return true;
    switch (load.kind) {
      case Load::Kind::spring:
      case Load::Kind::potential:
        return true;
      case Load::Kind::gravity:
        return is_fixed(*model_.gravity) || has_potential(F);
      case Load::Kind::damper:
      case Load::Kind::dissipation:
        return takes_energy(F);
      default:
        return has_potential(F);
    }
  }

  // Along N and made of constants.
  bool is_fixed(const Vector& v) const {
    for (const Vector::Part& part : v.parts()) {
      if (part.frame != 0) return false;
      for (const Expr& symbol : free_symbols({part.column[0], part.column[1], part.column[2]})) {
        const SymbolRole* role = model_.role(symbol);
        if (role == nullptr || (role->role != Role::parameter && role->role != Role::input))
          return false;
      }
    }
    return true;
  }

  // dF_r/dq_s = dF_s/dq_r, exactly; asked only where every speed is the rate of a coordinate.
  bool has_potential(const std::vector<Expr>& F) const {
    std::vector<Expr> q;
    for (const Speed& s : motion_.speeds()) {
      if (s.coordinate < 0) return false;
      q.push_back(model_.coordinates[s.coordinate].q);
      if (!has_no_slope(F, s.u)) return false;
    }
    const std::vector<std::vector<Expr>> slopes = jacobian(F, q);
    for (std::size_t r = 0; r < q.size(); ++r) {
      for (std::size_t s = 0; s < r; ++s) {
        if (!(slopes[r][s] == slopes[s][r])) return false;
      }
    }
    return true;
  }

  // Of what jumps with a speed, such as dry friction, corners tell (corners.h).
  static bool has_no_slope(const std::vector<Expr>& F, const Expr& u) {
    return std::all_of(F.begin(), F.end(), [&](const Expr& e) {
      return !depends_on(e, u) || differentiate(e, u).is_zero();
    });
  }

  // F = -C u with constant, positive semidefinite C.
  bool takes_energy(const std::vector<Expr>& F) const {
    std::vector<Expr> u;
    Replacements zero;
    for (const Speed& s : motion_.speeds()) {
      u.push_back(s.u);
      zero.emplace_back(s.u, model_.pool->zero());
    }
    MatrixXd C(u.size(), u.size());
    const std::vector<std::vector<Expr>> slopes = jacobian(F, u);
    for (std::size_t r = 0; r < u.size(); ++r) {
      Expr rest = F[r];
      for (std::size_t s = 0; s < u.size(); ++s) {
        for (const Expr& symbol : free_symbols(slopes[r][s])) {
          const SymbolRole* role = model_.role(symbol);
          if (role == nullptr || role->role != Role::parameter) return false;
        }
        rest -= slopes[r][s] * u[s];
        C(r, s) = -state_.value(slopes[r][s]);
      }
      if (!rest.is_zero()) return false;
    }
    if (C.size() == 0) return true;
    const SymmetricEigen eigen = compute_symmetric_eigen(0.5 * (C + C.transpose()));
    return eigen.values(0) >= -minimum_tolerance * C.norm();
  }

  const Kinematics& motion_;
  const ModelData& model_;
  const Equations& equations_;
  const StartState& state_;
};

// The second variation along compatible displacements, at constant multipliers.
struct Stiffness {
  explicit Stiffness(const BalanceNumbers& x) : T(compute_open_directions(x.A)) {
    for (Index j = 0; j < T.cols(); ++j) {
      const double mass = congruence(x.M, T.col(j))(0, 0);
      if (mass > 0) T.col(j) /= std::sqrt(mass);
    }
    H = matrix(x);
  }
  MatrixXd matrix(const BalanceNumbers& x) const {
    return congruence(x.J_s().topRows(x.M.rows()), T);
  }
  MatrixXd T, H;
};

// (1)
bool is_minimum(const BalanceNumbers& x) {
  const Stiffness stiffness(x);
  return is_positive(stiffness.H) && is_positive(congruence(x.M, stiffness.T));
}

// (2): places within the error of the equilibrium at which the stiffness is another one, and those that a
// few of Newton's steps lead to: an equilibrium that is a multiple root lies some of them away.
class ErrorPlaces {
 public:
  explicit ErrorPlaces(const FoundBalance& found) : found_(found), stiffness_(found.numbers) {
    const MatrixXd& H = stiffness_.H;
    if (H.size() == 0) return;
    const MatrixXd directions = compute_symmetric_eigen(product(H.transpose(), H)).vectors;
    for (Index i = 0; i < directions.cols(); ++i) add(directions.col(i));
    add_steps(directions);
  }

  const std::vector<VectorXd>& places() const { return places_; }
  const std::vector<VectorXd>& steps() const { return steps_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  void add(const VectorXd& v) {
    const BalanceNumbers& x = found_.numbers;
    const VectorXd pull = product(stiffness_.H, v);
    const double h = v.dot(pull), size = pull.norm();
    const Index n = x.M.rows();
    const VectorXd across = product(stiffness_.T, size > 0 ? VectorXd(pull / size) : v);
    const double residual =
        std::abs(across.dot(x.r.head(n))) + error_rounding * across.cwiseAbs().dot(x.size.head(n));
    const VectorXd dq = product(x.Y, product(stiffness_.T, v));
    double distance = size > 0 ? 2 * residual / size : std::numeric_limits<double>::infinity();
    for (Index i = 0; i < dq.size(); ++i) {
      if (dq(i) != 0) distance = std::min(distance, largest_change(i) / std::abs(dq(i)));
    }
    if (!(distance > 0) || !std::isfinite(distance)) return;

    bool is_soft = false;
    for (const double side : {1.0, -1.0}) {
      const VectorXd q = found_.q + side * distance * dq;
      const BalanceNumbers there = found_.balance(q, found_.l);
      const double changed = there.is_finite ? congruence(stiffness_.matrix(there), v)(0, 0) : 0;
      if (std::abs(changed - h) <= 0.5 * std::abs(h)) continue;
      is_soft = true;
      places_.push_back(q);
    }
    if (is_soft) add_names(dq);
  }

  // Newton's step, but for directions in which it leads far: nothing pulls there.
  void add_steps(const MatrixXd& directions) {
    constexpr int most_steps = 4;
    const BalanceNumbers& x = found_.numbers;
    const VectorXd rest = product(stiffness_.T.transpose(), x.r.head(x.M.rows()));
    VectorXd step = VectorXd::Zero(found_.q.size());
    for (Index i = 0; i < directions.cols(); ++i) {
      const VectorXd pull = product(stiffness_.H, directions.col(i));
      const double part = -pull.dot(rest) / pull.squaredNorm();
      const VectorXd dq = part * product(x.Y, product(stiffness_.T, directions.col(i)));
      if (is_near(dq)) step += dq;
    }
    for (int k = 1; k <= most_steps; ++k) steps_.push_back(found_.q + k * step);
    if (names_.empty()) add_names(step);
  }

  bool is_near(const VectorXd& dq) const {
    for (Index i = 0; i < dq.size(); ++i) {
      if (!(std::abs(dq(i)) <= largest_change(i))) return false;
    }
    return true;
  }

  double largest_change(Index i) const {
    const CoordinateData& c = found_.balance.model().coordinates[static_cast<std::size_t>(i)];
    return c.dimension.is_dimensionless() ? 1e-2 : 1e-2 * std::max(std::abs(found_.q(i)), 1e-2);
  }

  void add_names(const VectorXd& dq) {
    for (Index i = 0; i < dq.size(); ++i) {
      const std::string& name =
          found_.balance.model().coordinates[static_cast<std::size_t>(i)].name;
      if (std::abs(dq(i)) > 0.1 * dq.cwiseAbs().maxCoeff() &&
          std::find(names_.begin(), names_.end(), name) == names_.end())
        names_.push_back(name);
    }
  }

  const FoundBalance& found_;
  Stiffness stiffness_;
  std::vector<VectorXd> places_, steps_;
  std::vector<std::string> names_;
};

Stability judge_eigenvalues(const std::vector<std::complex<double>>& eigenvalues) {
  if (eigenvalues.empty()) return Stability::undecided;
  const double tolerance = axis_tolerance(eigenvalues), largest = eigenvalues.front().real();
  if (largest > tolerance) return Stability::unstable;
  return largest < -tolerance ? Stability::asymptotically_stable : Stability::undecided;
}

StabilityVerdict judge_multipliers(const Floquet& floquet) {
  switch (floquet.verdict.kind) {
    case Kind::growing_multiplier:
      return {Stability::unstable, floquet.verdict};
    case Kind::decaying_multipliers:
      return {Stability::asymptotically_stable, floquet.verdict};
    default:
      return {Stability::undecided, floquet.verdict};
  }
}

// Of the discrete system of a sampled controller.
StabilityVerdict judge_samples(const std::vector<std::complex<double>>& eigenvalues) {
  constexpr double near_circle = 1e-9;
  double largest = 0;
  for (const std::complex<double>& z : eigenvalues) largest = std::max(largest, std::abs(z));
  if (largest > 1 + near_circle) return {Stability::unstable, {Kind::growing_samples}};
  if (largest < 1 - near_circle)
    return {Stability::asymptotically_stable, {Kind::decaying_samples}};
  return {Stability::undecided, {Kind::samples_on_circle}};
}

Kind name_minimum(const Equations& equations, const StartState& state) {
  switch (classify_rest_inertia(equations, state)) {
    case RestInertia::none:
      return Kind::minimum_of_potential;
    case RestInertia::centrifugal:
      return Kind::minimum_with_rotation;
    case RestInertia::other:
      break;
  }
  return Kind::minimum_with_inertia;
}

// As if the equilibrium were known exactly.
StabilityVerdict judge_exactly(const Equations& equations, const StartState& state,
                               const Linearization& linear, const BalanceNumbers& numbers) {
  switch (judge_eigenvalues(linear.eigenvalues)) {
    case Stability::unstable:
      return {Stability::unstable, {Kind::growing}};
    case Stability::asymptotically_stable:
      return {Stability::asymptotically_stable, {Kind::decaying}};
    default:
      break;
  }
  if (is_minimum(numbers) && EnergyArgument(equations, state).holds())
    return {Stability::stable, {name_minimum(equations, state)}};
  return {Stability::undecided, {Kind::on_axis}};
}

std::vector<std::complex<double>> compute_eigenvalues_at(const Equations& equations,
                                                         ConsistentStart at, const VectorXd& q) {
  at.coordinates.assign(q.data(), q.data() + q.size());
  return compute_instant_eigenvalues(equations, at);
}

// Whether the verdict is the same wherever the equilibrium may be.
bool is_same_at(const Equations& equations, const ConsistentStart& at, Stability verdict,
                const std::vector<VectorXd>& places) {
  if (verdict == Stability::stable) return places.empty();
  return std::all_of(places.begin(), places.end(), [&](const VectorXd& q) {
    return judge_eigenvalues(compute_eigenvalues_at(equations, at, q)) == verdict;
  });
}

// Whether nothing that grows does so only because the equilibrium is not where it was found.
bool grows_at(const Equations& equations, const ConsistentStart& at, double growth,
              const std::vector<VectorXd>& steps) {
  constexpr double least_part = 0.5;
  return std::all_of(steps.begin(), steps.end(), [&](const VectorXd& q) {
    const auto there = compute_eigenvalues_at(equations, at, q);
    return !there.empty() && there.front().real() > least_part * growth;
  });
}

}  // namespace

StabilityVerdict judge_stability(const Equations& equations, const ConsistentStart& at,
                                 const Linearization& linear, const FoundBalance& found) {
  const StartState state = make_state(equations.motion, at);
  if (linear.failure.kind == Kind::forces_lead_away) return {Stability::unstable, linear.failure};
  // With one coordinate and forces that have a potential, that has a minimum.
  if (linear.failure.kind == Kind::forces_push_back && at.degrees_of_freedom == 1 &&
      find_time_dependence(equations).empty() && EnergyArgument(equations, state).holds())
    return {Stability::stable, linear.failure};
  // Dry friction takes nothing from what a potential says.
  if (linear.failure.kind == Kind::forces_stop && find_time_dependence(equations).empty() &&
      is_minimum(found.numbers) && EnergyArgument(equations, state).holds())
    return {Stability::stable, {name_minimum(equations, state)}};
  if (linear.failure) return {Stability::undecided, linear.failure};
  if (linear.floquet) return judge_multipliers(*linear.floquet);
  if (!find_time_dependence(equations).empty())
    return {Stability::undecided, {Kind::depends_on_time}};
  if (linear.states.empty()) return {Stability::stable, {Kind::no_motion_left}};
  if (linear.sample_period) return judge_samples(linear.eigenvalues);

  StabilityVerdict verdict = judge_exactly(equations, state, linear, found.numbers);
  if (verdict.stability == Stability::undecided) return verdict;
  const ErrorPlaces error(found);
  if (is_same_at(equations, at, verdict.stability, error.places()) &&
      (verdict.stability != Stability::unstable ||
       grows_at(equations, at, linear.eigenvalues.front().real(), error.steps())))
    return verdict;
  return {Stability::undecided, {Kind::stiffness_within_error, error.names()}};
}

}  // namespace visviva
