#include "visviva/equations/small_motion/stability.h"

#include <Eigen/Core>
#include <algorithm>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/small_motion/static_balance.h"
#include "visviva/equations/state/solve.h"
#include "visviva/numeric/dense.h"
#include "visviva/numeric/solve_any_rank.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

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
      if (varies_with(F, s.u)) return false;
    }
    const std::vector<std::vector<Expr>> slopes = jacobian(F, q);
    for (std::size_t r = 0; r < q.size(); ++r) {
      for (std::size_t s = 0; s < r; ++s) {
        if (!(slopes[r][s] == slopes[s][r])) return false;
      }
    }
    return true;
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

// (1): the second variation of the potential energy along compatible displacements, at constant
// multipliers.
bool is_minimum(const BalanceNumbers& x) {
  const Index n = x.M.rows();
  const MatrixXd T = compute_open_directions(x.A);
  const MatrixXd H = T.transpose() * x.J_s().topRows(n) * T;
  return is_positive(H) && is_positive(T.transpose() * x.M * T);
}

}  // namespace

std::string_view stability_name(Stability stability) {
  switch (stability) {
    case Stability::asymptotically_stable:
      return "asymptotically stable";
    case Stability::stable:
      return "stable";
    case Stability::unstable:
      return "unstable";
    case Stability::undecided:
      break;
  }
  return "not decided by the linear terms";
}

StabilityVerdict judge_stability(const Equations& equations, const ConsistentStart& at,
                                 const Linearization& linear, const BalanceNumbers& balance) {
  if (!linear.failure.empty()) return {Stability::undecided, linear.failure};
  const StartState state = make_state(equations.motion, at);
  const SolvedMotion solved = MotionSolver(without_vanishing_rows(equations, state))(state);
  if (std::count(solved.is_rate_determined.begin(), solved.is_rate_determined.end(), false) > 0)
    return {Stability::undecided, "the equations do not determine all accelerations"};
  if (!find_time_dependence(equations).empty())
    return {Stability::undecided, "the equations depend on time"};
  if (linear.states.empty()) return {Stability::stable, "the constraints leave no motion"};

  const double tolerance = axis_tolerance(linear.eigenvalues),
               largest = linear.eigenvalues.front().real();
  if (largest > tolerance) return {Stability::unstable, "an eigenvalue has a positive real part"};
  if (largest < -tolerance)
    return {Stability::asymptotically_stable, "all eigenvalues have negative real parts"};
  if (is_minimum(balance) && EnergyArgument(equations, state).holds())
    return {Stability::stable, "the potential energy has a strict minimum"};
  return {Stability::undecided,
          "eigenvalues lie on the imaginary axis, and no minimum of a potential energy is known"};
}

}  // namespace visviva
