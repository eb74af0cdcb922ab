#include "visviva/equations/small_motion/equilibrium.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "visviva/equations/small_motion/corners.h"
#include "visviva/equations/small_motion/static_balance.h"
#include "visviva/equations/state/solve.h"
#include "visviva/numeric/dense.h"
#include "visviva/numeric/product.h"
#include "visviva/numeric/solve_any_rank.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = SmallMotionReason::Kind;

constexpr int step_limit = 150;
constexpr double settled = 1e-4;  // residual from which Newton's steps are left to finish
constexpr double farthest = 1e8;  // of a place, against the start: no equilibrium of this system
constexpr double largest_turn = 0.5;  // of an angle in one step
constexpr double balance_rank_tolerance =
    1e-9;                                // singular values below this part of the largest are zero
constexpr double down_tolerance = 1e-9;  // of the least h in (4), against the largest

struct Attempt {
  VectorXd q, l;
  double residual = std::numeric_limits<double>::infinity();
  Index worst = 0;  // row with that residual
};

class Search {
 public:
  // Columns of multipliers and unknown forces are measured at the start and beside it: where one
  // vanishes at the equilibrium, its force must not be made up for by its size.
  Search(const StaticBalance& balance, const VectorXd& start)
      : balance_(balance), columns_(VectorXd::Zero(balance.linear_count())) {
    for (const double angle : {0.0, 0.11, -0.17}) {
      VectorXd q = start;
      for (Index i = 0; i < q.size(); ++i) q(i) += angle * (1 + 0.1 * static_cast<double>(i % 7));
      const BalanceNumbers x = balance(q, balance.begin_l());
      if (!x.is_finite || x.J_l.size() == 0) continue;
      columns_ = columns_.cwiseMax(
          (x.weight.asDiagonal() * x.J_l).cwiseAbs().colwise().maxCoeff().transpose());
    }
    columns_ = columns_.unaryExpr([](double c) { return c > 0 ? 1 / c : 1.0; });
  }

  Attempt run(const VectorXd& start) const {
    Attempt now{start, balance_.begin_l()};
    BalanceNumbers x = balance_(now.q, now.l);
    if (!x.is_finite) return now;
    now.l += solve(x, 0, true).tail(now.l.size());
    x = balance_(now.q, now.l);
    measure(x, &now);

    double damping = 1e-3;
    int polish = 0;
    for (int step = 0; step < step_limit && polish < 4; ++step) {
      Attempt next = now;
      const VectorXd change = solve(x, damping, false);
      move(x, change, &next);
      const BalanceNumbers y = balance_(next.q, next.l);
      const bool is_better =
          y.is_finite && x.weight.cwiseProduct(y.r).norm() < x.weight.cwiseProduct(x.r).norm();
      if (is_better) {
        measure(y, &next);
        now = next;
        x = y;
        damping = damping < 1e-12 ? 0.0 : 0.1 * damping;
      } else {
        if (now.residual <= equilibrium_tolerance && damping == 0) break;
        damping = std::max(10 * damping, 1e-8);
        if (damping > 1e10) break;
      }
      if (now.residual <= equilibrium_tolerance) ++polish;
    }
    // Far out, forces are small against slopes times coordinates, and nothing balances.
    if ((now.q - start).cwiseAbs().sum() > farthest * (1 + start.cwiseAbs().sum()))
      now.residual = std::max(now.residual, 1.0);
    return now;
  }

  // Where it comes to rest when it is let go slowly: steps along the forces, as long as (4) says.
  VectorXd settle(VectorXd q) const {
    Reach reach;
    for (int step = 0; step < step_limit; ++step) {
      Attempt now{q, balance_.begin_l()};
      BalanceNumbers x = balance_(now.q, now.l);
      if (!x.is_finite) break;
      now.l += solve(x, 0, true).tail(now.l.size());
      x = balance_(now.q, now.l);
      measure(x, &now);
      if (now.residual <= settled) break;
      const Valley valley(x);
      VectorXd change = VectorXd::Zero(x.Y.cols() + now.l.size());
      change.head(x.Y.cols()) = valley.step(x);
      if (balance_.position_count() > 0) {
        const MatrixXd P = x.J_s().bottomRows(balance_.position_count());
        change.head(x.Y.cols()) -=
            solve_least_squares(P, x.r.tail(balance_.position_count())).col(0);
      }
      reach.shorten(x, q, &change);
      move(x, change, &now);
      if (!now.q.allFinite()) break;
      q = now.q;
    }
    return q;
  }

  // Whether the forces lead away from an equilibrium.
  bool is_summit(const Attempt& attempt) const {
    return Valley(balance_(attempt.q, attempt.l)).slopes_down();
  }

 private:
  // The second variation along compatible displacements, H = V diag(h) V' in a scale of the masses,
  // and the step
  //   ds = -T V |h|^-1 V' T' r                                                                  (4)
  struct Valley {
    explicit Valley(const BalanceNumbers& x) {
      const Index n = x.M.rows();
      T = compute_open_directions(x.A);
      for (Index j = 0; j < T.cols(); ++j) {
        const double mass = congruence(x.M, T.col(j))(0, 0);
        if (mass > 0) T.col(j) /= std::sqrt(mass);
      }
      const MatrixXd H = congruence(x.J_s().topRows(n), T);
      if (H.size() == 0) return;
      const SymmetricEigen eigen = compute_symmetric_eigen(0.5 * (H + H.transpose()));
      h = eigen.values;
      V = eigen.vectors;
    }
    bool slopes_down() const {
      return h.size() > 0 && h(0) < -down_tolerance * h.cwiseAbs().maxCoeff();
    }
    VectorXd step(const BalanceNumbers& x) const {
      if (h.size() == 0) return VectorXd::Zero(x.M.rows());
      const double least = std::max(1e-6 * h.cwiseAbs().maxCoeff(), 1e-300);
      const MatrixXd T_V = product(T, V);
      const VectorXd r = product(T_V.transpose(), x.r.head(x.M.rows()));
      return -product(T_V, r.cwiseQuotient(h.cwiseAbs().cwiseMax(least)));
    }
    MatrixXd T, V;
    VectorXd h;
  };

  // A row whose terms all vanish holds.
  static void measure(const BalanceNumbers& x, Attempt* attempt) {
    const VectorXd r =
        x.r.binaryExpr(x.size, [](double a, double b) { return b > 0 ? std::abs(a) / b : 0.0; });
    attempt->residual = r.size() == 0 ? 0.0 : r.maxCoeff(&attempt->worst);
  }

  // (ds, dl); with `linear_only` ds is zero.
  VectorXd solve(const BalanceNumbers& x, double damping, bool linear_only) const {
    const Index n = x.Y.cols(), nl = x.J_l.cols(), m = x.r.size();
    MatrixXd K = MatrixXd::Zero(m + n, n + nl);
    VectorXd rhs = VectorXd::Zero(m + n);
    if (!linear_only) K.topLeftCorner(m, n) = x.weight.asDiagonal() * x.J_s();
    K.topRightCorner(m, nl) = x.weight.asDiagonal() * x.J_l;
    VectorXd columns = VectorXd::Ones(n + nl);
    columns.tail(nl) = columns_;
    K = K * columns.asDiagonal();
    K.bottomLeftCorner(n, n).diagonal().setConstant(std::sqrt(damping));
    rhs.head(m) = -x.weight.cwiseProduct(x.r);
    if (K.size() == 0) return VectorXd::Zero(n + nl);
    return columns.cwiseProduct(VectorXd(solve_least_squares(K, rhs, balance_rank_tolerance)));
  }

  // Where forces have no slope (4) has no length: no step is longer than what is there and a unit, nor, once one turned back, than
  // half the one before that.
  struct Reach {
    void shorten(const BalanceNumbers& x, const VectorXd& q, VectorXd* change) {
      VectorXd s = change->head(x.Y.cols());
      const VectorXd dq = product(x.Y, s);
      for (Index i = 0; i < dq.size(); ++i)
        s *= std::min(1.0, (1.0 + std::abs(q(i))) / std::max(std::abs(dq(i)), 1e-300));
      if (last.size() > 0 && s.dot(last) < 0) longest = std::min(longest, 0.5 * last.norm());
      if (s.norm() > longest) s *= longest / s.norm();
      change->head(x.Y.cols()) = last = s;
    }
    VectorXd last;
    double longest = std::numeric_limits<double>::infinity();
  };

  void move(const BalanceNumbers& x, const VectorXd& change, Attempt* attempt) const {
    VectorXd dq = product(x.Y, change.head(x.Y.cols()));
    double largest = 0;
    for (Index i = 0; i < dq.size(); ++i) {
      if (balance_.model().coordinates[i].dimension.is_dimensionless())
        largest = std::max(largest, std::abs(dq(i)));
    }
    const double part = largest > largest_turn ? largest_turn / largest : 1.0;
    attempt->q += part * dq;
    attempt->l += part * change.tail(attempt->l.size());
    for (const auto& group : balance_.model().quaternions) {
      double norm = 0;
      for (const int c : group) norm += attempt->q(c) * attempt->q(c);
      for (const int c : group) attempt->q(c) /= std::sqrt(norm);
    }
  }

  const StaticBalance& balance_;
  VectorXd columns_;
};

// The start, then places around it, farther and farther; always the same ones.
Attempt search_around(const StaticBalance& balance, const VectorXd& start) {
  const Search search(balance, start);
  Attempt best = search.run(start);
  // An equilibrium that its forces lead away from counts only when it is much nearer than the one
  // they lead to.
  const bool is_found = best.residual <= equilibrium_tolerance;
  const double distance = (best.q - start).norm();
  if (!is_found || (distance > 0 && search.is_summit(best))) {
    const Attempt rest = search.run(search.settle(start));
    if (rest.residual <= equilibrium_tolerance &&
        (!is_found || (!search.is_summit(rest) && distance > 0.5 * (rest.q - start).norm())))
      return rest;
  }
  std::mt19937 random(20);
  const auto uniform = [&] { return static_cast<double>(random()) / 2147483648.0 - 1.0; };
  for (const double radius : {0.02, 0.1, 0.3, 0.6, 1.0, 1.5}) {
    for (int i = 0; i < 2; ++i) {
      if (best.residual <= equilibrium_tolerance) return best;
      const BalanceNumbers x = balance(start, balance.begin_l());
      VectorXd s(x.Y.cols());
      for (Index j = 0; j < s.size(); ++j) s(j) = radius * uniform();
      const VectorXd q = start + product(x.Y, s);
      const Attempt next = q.allFinite() ? search.run(q) : Attempt{start, best.l};
      if (next.residual < best.residual) best = next;
    }
  }
  return best;
}

// The acceleration of the system let go at rest, in the metric of the masses: (f' M^-1 f)^1/2 with
// the forces f along displacements that the constraints allow.
double measure_acceleration(const BalanceNumbers& x) {
  if (!x.is_finite) return std::numeric_limits<double>::infinity();
  const MatrixXd T = compute_open_directions(x.A);
  const VectorXd f = product(T.transpose(), x.r.head(x.M.rows()));
  if (f.size() == 0) return 0;
  const MatrixXd M = congruence(x.M, T);
  return std::sqrt(std::max(0.0, f.dot(solve_least_squares(M, f).col(0))));
}

// Where coordinates are singular, generalized forces vanish whether or not forces do. A system that
// is in equilibrium there hardly moves when it is let go beside it, the less the nearer.
bool is_false_at_pole(const StaticBalance& balance, const Attempt& found) {
  const auto measure_beside = [&](double distance) {
    double largest = 0;
    for (int k = 0; k < 4; ++k) {
      VectorXd q = found.q;
      for (Index i = 0; i < q.size(); ++i)
        q(i) += distance * std::cos(1.0 + 2.3 * k + 1.7 * static_cast<double>(i));
      largest = std::max(largest, measure_acceleration(balance(q, found.l)));
    }
    return largest;
  };
  const double far = measure_beside(1e-3), near = measure_beside(1e-5);
  return !(near <= 0.3 * far);
}

// Coordinates along which (2) has no slope.
std::vector<std::string> find_free(const StaticBalance& balance, const BalanceNumbers& x) {
  MatrixXd K(x.r.size(), x.Y.cols() + x.J_l.cols());
  K << x.J_s(), x.J_l;
  const double largest = x.J_l.size() == 0 ? 0.0 : x.J_l.cwiseAbs().maxCoeff();
  if (largest > 0) K.rightCols(x.J_l.cols()) /= largest;
  const MatrixXd dq = product(x.Y, compute_open_directions(K).topRows(x.Y.cols()));
  std::vector<std::string> names;
  for (Index i = 0; i < dq.rows(); ++i) {
    if (dq.cols() > 0 && dq.row(i).norm() > 1e-6)
      names.push_back(balance.model().coordinates[i].name);
  }
  return names;
}

// What forces hold on a corner is not free, though they have no slope there.
void drop_held(const SmallMotionReason& corner, std::vector<std::string>* free) {
  if (!is_corner(corner)) return;
  std::erase_if(*free, [&](const std::string& name) {
    return std::find(corner.names.begin() + 1, corner.names.end(), name) != corner.names.end();
  });
}

// Where nothing balances, forces may lead to a corner and push to it from both sides.
void name_corner(const Equations& equations, const StaticBalance& balance,
                 const ConsistentStart& start, Equilibrium* result) {
  constexpr double near_enough = 1e-6;
  const VectorXd q0 =
      Eigen::Map<const VectorXd>(start.coordinates.data(), start.coordinates.size());
  const VectorXd q = Search(balance, q0).settle(q0);
  if (!q.allFinite()) return;
  ConsistentStart there = start;
  there.coordinates.assign(q.data(), q.data() + q.size());
  there.speeds = balance.compute_rest_speeds(q);
  const StartState state = make_state(equations.motion, there);
  const SmallMotionReason corner = find_corner(MotionSystem(equations, state), state, near_enough);
  if (corner.kind != Kind::forces_push_back) return;
  result->state = there;
  result->reason = {.kind = Kind::rests_on_corner, .names = corner.names};
}

SmallMotionReason name_rest(const Equations& equations, const StaticBalance& balance,
                            std::size_t row, double part) {
  const std::vector<Speed>& speeds = equations.motion.speeds();
  if (const auto state = balance.find_state_of_row(static_cast<Index>(row)))
    return {.kind = Kind::state_remains, .names = {*state}, .number = part};
  if (row >= speeds.size()) return {.kind = Kind::constraint_remains, .number = part};
  return {.kind = Kind::remains, .names = {speeds[row].name}, .number = part};
}

}  // namespace

Equilibrium find_equilibrium(const Equations& equations, const ConsistentStart& start,
                             const SmallMotionOptions& options) {
  const Workspace work(equations.pool());
  const StaticBalance balance(equations, start);
  const VectorXd q0 =
      Eigen::Map<const VectorXd>(start.coordinates.data(), start.coordinates.size());
  const Attempt found = search_around(balance, q0);

  Equilibrium result;
  result.state = start;
  result.state.coordinates.assign(found.q.data(), found.q.data() + found.q.size());
  result.state.speeds = balance.compute_rest_speeds(found.q);
  const auto unknowns = static_cast<std::ptrdiff_t>(equations.unknowns.size());
  result.unknowns.assign(found.l.data(), found.l.data() + unknowns);
  const auto states = static_cast<std::ptrdiff_t>(balance.state_count());
  result.multipliers.assign(found.l.data() + unknowns, found.l.data() + found.l.size() - states);
  result.state.states = balance.list_states(found.l);
  result.residual = found.residual;
  if (!std::isfinite(found.residual)) {
    result.reason = {Kind::rest_not_finite};
    return result;
  }
  if (!(found.residual <= equilibrium_tolerance)) {
    result.reason =
        name_rest(equations, balance, static_cast<std::size_t>(found.worst), found.residual);
    name_corner(equations, balance, start, &result);
    return result;
  }
  result.is_found = true;
  const BalanceNumbers x = balance(found.q, found.l);
  result.free_coordinates = find_free(balance, x);
  result.linearization = linearize(equations, result.state, options);
  if (result.linearization.failure.kind == Kind::coordinates_singular &&
      is_false_at_pole(balance, found)) {
    result.is_found = false;
    result.reason = result.linearization.failure;
    return result;
  }
  drop_held(result.linearization.failure, &result.free_coordinates);
  result.remarks = result.linearization.remarks;
  if (!find_time_dependence(equations).empty())
    result.remarks.push_back({Kind::equilibrium_at_start_time});
  StabilityVerdict verdict = judge_stability(equations, result.state, result.linearization,
                                             {balance, found.q, found.l, x});
  result.stability = verdict.stability;
  result.stability_reason = std::move(verdict.reason);
  return result;
}

}  // namespace visviva
