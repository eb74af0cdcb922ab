#include "visviva/equations/equilibrium.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>

#include "visviva/equations/loads.h"
#include "visviva/equations/solve.h"
#include "visviva/kinematics/dense.h"
#include "visviva/symbolic/differentiate.h"
#include "visviva/symbolic/evaluate.h"
#include "visviva/symbolic/inspect.h"
#include "visviva/symbolic/substitute.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int step_limit = 150;
constexpr double settled = 1e-4;         // residual from which Newton's steps are left to finish
constexpr double largest_turn = 0.5;     // of an angle in one step
constexpr double rank_tolerance = 1e-9;  // singular values below this part of the largest are zero
constexpr double least_part =
    1e-6;  // of the largest row of forces: what counts as the size of a smaller one
constexpr double minimum_tolerance =
    1e-9;  // of the smallest eigenvalue of a matrix with ones on its diagonal

std::size_t at(Index i) { return static_cast<std::size_t>(i); }
std::size_t at(int i) { return static_cast<std::size_t>(i); }
Index index(std::size_t i) { return static_cast<Index>(i); }

MatrixXd null_space(const MatrixXd& rows, Index columns) {
  if (rows.rows() == 0 || columns == 0) return MatrixXd::Identity(columns, columns);
  MatrixXd scaled = rows;
  const double all = rows.cwiseAbs().maxCoeff();
  for (Index i = 0; i < rows.rows(); ++i) {
    const double largest = rows.row(i).cwiseAbs().maxCoeff();
    if (largest > rank_tolerance * all) scaled.row(i) /= largest;
  }
  return compute_null_space(scaled, rank_tolerance);
}

// d/dt at constant coordinates.
std::vector<std::pair<Expr, Expr>> time_rates(const ModelData& model) {
  std::vector<std::pair<Expr, Expr>> rates = {{model.time, model.pool->one()}};
  for (const SpecifiedData& s : model.specified) {
    for (std::size_t k = 0; k + 1 < s.derivatives.size(); ++k)
      rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
  }
  return rates;
}

// u_e: definitions without their rates.
std::vector<Expr> make_rest_speeds(const Kinematics& motion) {
  const ModelData& model = motion.model();
  Replacements zero;
  std::set<Ref> known;
  const auto add = [&](const Expr& symbol) {
    if (known.insert(symbol.ref()).second) zero.emplace_back(symbol, model.pool->zero());
  };
  for (const CoordinateData& c : model.coordinates) add(c.rate);
  for (const Speed& s : motion.speeds()) add(s.u);
  Substitution without_rates(*model.pool, zero);
  std::vector<Expr> speeds(motion.speeds().size(), model.pool->zero());
  for (const SpeedData& s : model.speeds) {
    if (s.definition)
      speeds[at(motion.speed_index(s.name))] = without_rates(motion.speed_definition(s.name));
  }
  return speeds;
}

// The rows of (2) and their slopes as numbers.
class Balance {
 public:
  struct Numbers {
    VectorXd r;
    VectorXd size;    // of the terms of each row
    VectorXd weight;  // of each row in a step
    MatrixXd J_q;     // slopes in the coordinates, with the speeds at rest
    MatrixXd J_l;     // in unknown forces and multipliers
    MatrixXd Y;       // dq/ds
    MatrixXd A;       // constraint rows
    MatrixXd M;
    bool is_finite = true;

    MatrixXd J_s() const { return J_q * Y; }
  };

  Balance(const Equations& equations, const ConsistentStart& start)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        state_(make_state(motion_, start)),
        n_(motion_.speeds().size()),
        residual_(make_residual(equations)) {
    rest_ = make_rest_speeds(motion_);
    Tangent rate(*model_.pool, time_rates(model_));
    for (const Expr& u : rest_) rest_rates_.push_back(rate(u));
    for (const CoordinateData& c : model_.coordinates) q_.push_back(c.q);
    for (const Speed& s : motion_.speeds()) u_.push_back(s.u);
    for (std::size_t i = 0; i < residual_.solved.size(); ++i)
      (i < n_ ? a_ : l_).push_back(residual_.solved[i]);

    rows_ = residual_.rows;
    for (const Expr& v : residual_.velocities) rows_.push_back(v);
    for (const ConstraintRow& row : equations.rows) {
      if (row.position) rows_.push_back(*row.position), ++position_count_;
    }
    build_evaluators();
  }

  std::size_t linear_count() const { return l_.size(); }
  Index position_count() const { return position_count_; }
  std::size_t speed_count() const { return n_; }
  const ModelData& model() const { return model_; }

  /// u_e
  std::vector<double> rest_speeds(const VectorXd& q) const {
    return run(*rest_evaluator_, q).speeds;
  }

  Numbers operator()(const VectorXd& q, const VectorXd& l) const {
    const Rest rest = run(*rest_evaluator_, q);
    std::vector<double> values;
    std::map<Ref, double> known;
    set(q_, {q.data(), q.data() + q.size()}, &known);
    set(u_, rest.speeds, &known);
    set(a_, rest.rates, &known);
    set(l_, {l.data(), l.data() + l.size()}, &known);
    for (const Expr& s : symbols_) {
      const auto found = known.find(s.ref());
      values.push_back(found != known.end() ? found->second : state_.value(s));
    }
    const std::vector<double> v = (*evaluator_)(values);

    Numbers x;
    x.is_finite = std::all_of(v.begin(), v.end(), [](double d) { return std::isfinite(d); });
    std::size_t next = 0;
    const auto read = [&](std::size_t rows, std::size_t columns) {
      MatrixXd m(index(rows), index(columns));
      for (Index i = 0; i < m.rows(); ++i) {
        for (Index j = 0; j < m.cols(); ++j) m(i, j) = v[next++];
      }
      return m;
    };
    const std::size_t m = rows_.size();
    x.r = read(m, 1);
    const MatrixXd slopes = read(m, q_.size() + n_ + n_ + l_.size());
    x.Y = read(q_.size(), n_);
    x.A = read(equations_.rows.size(), n_);
    x.M = read(n_, n_);
    const MatrixXd loads = read(n_, load_count_);
    const Index nq = index(q_.size()), n = index(n_), nl = index(l_.size());
    x.J_q = slopes.leftCols(nq) + slopes.middleCols(nq, n) * rest.speed_slopes +
            slopes.middleCols(nq + n, n) * rest.rate_slopes;
    x.J_l = slopes.rightCols(nl);
    x.size = x.J_l.cwiseAbs() * l.cwiseAbs() + x.J_s().cwiseAbs().rowwise().sum() +
             x.J_q.cwiseAbs() * q.cwiseAbs();
    x.size.head(n) += loads.cwiseAbs().rowwise().sum();
    // A row of forces that all vanish is not judged by its rounding errors, nor does it hold the
    // others back.
    x.weight = x.size;
    if (n > 0) {
      const double largest = x.size.head(n).maxCoeff();
      x.size.head(n) = x.size.head(n).cwiseMax(least_part * largest);
      x.weight.head(n) = x.weight.head(n).cwiseMax(0.1 * largest);
    }
    x.weight = x.weight.unaryExpr([](double w) { return w > 0 ? 1 / w : 0.0; });
    return x;
  }

 private:
  struct Rest {
    std::vector<double> speeds, rates;
    MatrixXd speed_slopes, rate_slopes;
  };

  static void set(const std::vector<Expr>& symbols, const std::vector<double>& values,
                  std::map<Ref, double>* known) {
    for (std::size_t i = 0; i < symbols.size(); ++i) (*known)[symbols[i].ref()] = values[i];
  }

  static void append(const std::vector<std::vector<Expr>>& rows, std::vector<Expr>* all) {
    for (const std::vector<Expr>& row : rows) all->insert(all->end(), row.begin(), row.end());
  }

  void build_evaluators() {
    std::vector<Expr> rest = rest_;
    rest.insert(rest.end(), rest_rates_.begin(), rest_rates_.end());
    std::vector<Expr> outputs = rest;
    append(jacobian(rest, q_), &outputs);
    rest_symbols_ = free_symbols(outputs);
    rest_evaluator_ = std::make_unique<Evaluator>(rest_symbols_, outputs);

    std::vector<Expr> inside = q_;
    for (const auto* list : {&u_, &a_, &l_})
      inside.insert(inside.end(), list->begin(), list->end());
    outputs = rows_;
    append(jacobian(rows_, inside), &outputs);
    ExprPool& pool = *model_.pool;
    const auto add_coefficients = [&](const ScalarMotion& row) {
      std::vector<Expr> line(n_, pool.zero());
      for (const auto& [r, a] : row.coefficients) line[at(r)] = a;
      outputs.insert(outputs.end(), line.begin(), line.end());
    };
    for (const Expr& q : q_) add_coefficients(motion_.rate_of(q));
    for (const ConstraintRow& row : equations_.rows) add_coefficients(row.velocity);
    append(equations_.mass_matrix, &outputs);

    // Each load's part of each row, and what is left: the inertia forces.
    std::vector<std::vector<Expr>> terms(n_);
    std::vector<Expr> inertia = equations_.forcing;
    for (const Load& load : collect_loads(motion_)) {
      const std::vector<Expr> F = compute_generalized_forces(motion_, load);
      for (std::size_t r = 0; r < n_; ++r) terms[r].push_back(F[r]), inertia[r] -= F[r];
    }
    for (std::size_t r = 0; r < n_; ++r) terms[r].push_back(inertia[r]);
    load_count_ = n_ == 0 ? 0 : terms[0].size();
    append(terms, &outputs);
    symbols_ = free_symbols(outputs);
    evaluator_ = std::make_unique<Evaluator>(symbols_, outputs);
  }

  Rest run(const Evaluator& evaluator, const VectorXd& q) const {
    std::map<Ref, double> known;
    set(q_, {q.data(), q.data() + q.size()}, &known);
    std::vector<double> values;
    for (const Expr& s : rest_symbols_) {
      const auto found = known.find(s.ref());
      values.push_back(found != known.end() ? found->second : state_.value(s));
    }
    const std::vector<double> v = evaluator(values);
    const auto n = static_cast<std::ptrdiff_t>(n_);
    Rest rest{{v.begin(), v.begin() + n},
              {v.begin() + n, v.begin() + 2 * n},
              MatrixXd(n, q.size()),
              MatrixXd(n, q.size())};
    std::size_t next = 2 * n_;
    for (MatrixXd* m : {&rest.speed_slopes, &rest.rate_slopes}) {
      for (Index i = 0; i < m->rows(); ++i) {
        for (Index j = 0; j < m->cols(); ++j) (*m)(i, j) = v[next++];
      }
    }
    return rest;
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  StartState state_;
  std::size_t n_, load_count_ = 0;
  Index position_count_ = 0;
  MotionResidual residual_;
  std::vector<Expr> rest_, rest_rates_;
  std::vector<Expr> q_, u_, a_,
      l_;  // coordinates, speeds, their rates, unknown forces and multipliers
  std::vector<Expr> rows_, symbols_, rest_symbols_;
  std::unique_ptr<Evaluator> evaluator_, rest_evaluator_;
};

// ---- (3)

struct Attempt {
  VectorXd q, l;
  double residual = std::numeric_limits<double>::infinity();
  Index worst = 0;  // row with that residual
};

class Search {
 public:
  // Columns of multipliers and unknown forces are measured at the start and beside it: where one
  // vanishes at the equilibrium, its force must not be made up for by its size.
  Search(const Balance& balance, const VectorXd& start)
      : balance_(balance), columns_(VectorXd::Zero(index(balance.linear_count()))) {
    for (const double angle : {0.0, 0.11, -0.17}) {
      VectorXd q = start;
      for (Index i = 0; i < q.size(); ++i) q(i) += angle * (1 + 0.1 * static_cast<double>(i % 7));
      const Balance::Numbers x = balance(q, columns_ * 0);
      if (!x.is_finite || x.J_l.size() == 0) continue;
      columns_ = columns_.cwiseMax(
          (x.weight.asDiagonal() * x.J_l).cwiseAbs().colwise().maxCoeff().transpose());
    }
    columns_ = columns_.unaryExpr([](double c) { return c > 0 ? 1 / c : 1.0; });
  }

  Attempt run(const VectorXd& start) const {
    Attempt now{start, VectorXd::Zero(index(balance_.linear_count()))};
    Balance::Numbers x = balance_(now.q, now.l);
    if (!x.is_finite) return now;
    now.l = solve(x, 0, true).tail(now.l.size());
    x = balance_(now.q, now.l);
    measure(x, &now);

    double damping = 1e-3;
    int polish = 0;
    for (int step = 0; step < step_limit && polish < 4; ++step) {
      Attempt next = now;
      const VectorXd change = solve(x, damping, false);
      move(x, change, &next);
      const Balance::Numbers y = balance_(next.q, next.l);
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
    return now;
  }

  // Where it comes to rest when it is let go slowly: steps along the forces, as long as (4) says.
  VectorXd settle(VectorXd q) const {
    for (int step = 0; step < step_limit; ++step) {
      Attempt now{q, VectorXd::Zero(index(balance_.linear_count()))};
      Balance::Numbers x = balance_(now.q, now.l);
      if (!x.is_finite) break;
      now.l = solve(x, 0, true).tail(now.l.size());
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
    explicit Valley(const Balance::Numbers& x) {
      const Index n = x.M.rows();
      T = null_space(x.A, n);
      for (Index j = 0; j < T.cols(); ++j) {
        const double mass = T.col(j).dot(x.M * T.col(j));
        if (mass > 0) T.col(j) /= std::sqrt(mass);
      }
      const MatrixXd H = T.transpose() * x.J_s().topRows(n) * T;
      if (H.size() == 0) return;
      const SymmetricEigen eigen = compute_symmetric_eigen(0.5 * (H + H.transpose()));
      h = eigen.values;
      V = eigen.vectors;
    }
    bool slopes_down() const {
      return h.size() > 0 && h(0) < -minimum_tolerance * h.cwiseAbs().maxCoeff();
    }
    VectorXd step(const Balance::Numbers& x) const {
      if (h.size() == 0) return VectorXd::Zero(x.M.rows());
      const double least = std::max(1e-6 * h.cwiseAbs().maxCoeff(), 1e-300);
      const VectorXd r = V.transpose() * T.transpose() * x.r.head(x.M.rows());
      return -T * V * r.cwiseQuotient(h.cwiseAbs().cwiseMax(least));
    }
    MatrixXd T, V;
    VectorXd h;
  };

  // A row whose terms all vanish holds.
  static void measure(const Balance::Numbers& x, Attempt* attempt) {
    const VectorXd r =
        x.r.binaryExpr(x.size, [](double a, double b) { return b > 0 ? std::abs(a) / b : 0.0; });
    attempt->residual = r.size() == 0 ? 0.0 : r.maxCoeff(&attempt->worst);
  }

  // (ds, dl); with `linear_only` ds is zero.
  VectorXd solve(const Balance::Numbers& x, double damping, bool linear_only) const {
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
    return columns.cwiseProduct(VectorXd(solve_least_squares(K, rhs, rank_tolerance)));
  }

  void move(const Balance::Numbers& x, const VectorXd& change, Attempt* attempt) const {
    VectorXd dq = x.Y * change.head(x.Y.cols());
    double largest = 0;
    for (Index i = 0; i < dq.size(); ++i) {
      if (balance_.model().coordinates[at(i)].dimension.is_dimensionless())
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

  const Balance& balance_;
  VectorXd columns_;
};

// The start, then places around it, farther and farther; always the same ones.
Attempt search_around(const Balance& balance, const VectorXd& start) {
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
      const Balance::Numbers x = balance(start, VectorXd::Zero(index(balance.linear_count())));
      VectorXd s(x.Y.cols());
      for (Index j = 0; j < s.size(); ++j) s(j) = radius * uniform();
      const VectorXd q = start + x.Y * s;
      const Attempt next = q.allFinite() ? search.run(q) : Attempt{start, best.l};
      if (next.residual < best.residual) best = next;
    }
  }
  return best;
}

// ---- Stability

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
      q.push_back(model_.coordinates[at(s.coordinate)].q);
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
    MatrixXd C(index(u.size()), index(u.size()));
    const std::vector<std::vector<Expr>> slopes = jacobian(F, u);
    for (std::size_t r = 0; r < u.size(); ++r) {
      Expr rest = F[r];
      for (std::size_t s = 0; s < u.size(); ++s) {
        for (const Expr& symbol : free_symbols(slopes[r][s])) {
          const SymbolRole* role = model_.role(symbol);
          if (role == nullptr || role->role != Role::parameter) return false;
        }
        rest -= slopes[r][s] * u[s];
        C(index(r), index(s)) = -state_.value(slopes[r][s]);
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

// Second variation of the potential energy along compatible displacements, at constant multipliers.
bool is_minimum(const Balance::Numbers& x) {
  const Index n = x.M.rows();
  const MatrixXd T = null_space(x.A, n);
  const MatrixXd H = T.transpose() * x.J_s().topRows(n) * T;
  return is_positive(H) && is_positive(T.transpose() * x.M * T);
}

std::vector<std::string> equations_change(const Equations& equations) {
  MotionResidual all = make_residual(equations);
  all.rows.insert(all.rows.end(), all.velocities.begin(), all.velocities.end());
  return find_time_dependence(equations.motion.model(), all.rows);
}

void judge_stability(const Equations& equations, const Balance::Numbers& x, Equilibrium* result) {
  const Linearization& linear = result->linearization;
  const auto say = [result](Stability verdict, const std::string& why) {
    result->stability = verdict;
    result->stability_reason = why;
  };
  if (!linear.failure.empty()) return say(Stability::undecided, linear.failure);
  const StartState state = make_state(equations.motion, result->state);
  const SolvedMotion solved = MotionSolver(without_vanishing_rows(equations, state))(state);
  if (std::count(solved.is_rate_determined.begin(), solved.is_rate_determined.end(), false) > 0)
    return say(Stability::undecided, "the equations do not determine all accelerations");
  if (!equations_change(equations).empty())
    return say(Stability::undecided, "the equations depend on time");
  if (linear.states.empty()) return say(Stability::stable, "the constraints leave no motion");

  const double tolerance = axis_tolerance(linear.eigenvalues),
               largest = linear.eigenvalues.front().real();
  if (largest > tolerance)
    return say(Stability::unstable, "an eigenvalue has a positive real part");
  if (largest < -tolerance)
    return say(Stability::asymptotically_stable, "all eigenvalues have negative real parts");
  if (is_minimum(x) && EnergyArgument(equations, state).holds())
    return say(Stability::stable, "the potential energy has a strict minimum");
  say(Stability::undecided,
      "eigenvalues lie on the imaginary axis, and no minimum of a potential energy is known");
}

// Coordinates along which (2) has no slope.
std::vector<std::string> find_free(const Balance& balance, const Balance::Numbers& x) {
  MatrixXd K(x.r.size(), x.Y.cols() + x.J_l.cols());
  K << x.J_s(), x.J_l;
  const double largest = x.J_l.size() == 0 ? 0.0 : x.J_l.cwiseAbs().maxCoeff();
  if (largest > 0) K.rightCols(x.J_l.cols()) /= largest;
  const MatrixXd dq = x.Y * null_space(K, K.cols()).topRows(x.Y.cols());
  std::vector<std::string> names;
  for (Index i = 0; i < dq.rows(); ++i) {
    if (dq.cols() > 0 && dq.row(i).norm() > 1e-6)
      names.push_back(balance.model().coordinates[at(i)].name);
  }
  return names;
}

// NaN when the expression holds an unknown force.
double value_of(const Expr& e, const StartState& state) {
  for (const Expr& s : free_symbols(e)) {
    if (state.known.count(s.ref()) == 0) return std::numeric_limits<double>::quiet_NaN();
  }
  return state.value(e);
}

std::string describe_row(const Equations& equations, std::size_t row) {
  const std::vector<Speed>& speeds = equations.motion.speeds();
  if (row < speeds.size()) return "the equation of " + speeds[row].name;
  return "a constraint";
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

Equilibrium find_equilibrium(const Equations& equations, const ConsistentStart& start) {
  const Balance balance(equations, start);
  const VectorXd q0 =
      Eigen::Map<const VectorXd>(start.coordinates.data(), index(start.coordinates.size()));
  const Attempt found = search_around(balance, q0);

  Equilibrium result;
  result.state = start;
  result.state.coordinates.assign(found.q.data(), found.q.data() + found.q.size());
  result.state.speeds = balance.rest_speeds(found.q);
  const auto unknowns = static_cast<std::ptrdiff_t>(equations.unknowns.size());
  result.unknowns.assign(found.l.data(), found.l.data() + unknowns);
  result.multipliers.assign(found.l.data() + unknowns, found.l.data() + found.l.size());
  result.residual = found.residual;
  if (!std::isfinite(found.residual)) {
    result.reason = "the equations cannot be evaluated at rest: a term is not finite";
    return result;
  }
  if (!(found.residual <= equilibrium_tolerance)) {
    result.reason = "no equilibrium near the start: in " +
                    describe_row(equations, at(found.worst)) + " there remains " +
                    fmt::format("{:.2g}", found.residual) + " of its terms";
    return result;
  }
  result.is_found = true;
  const Balance::Numbers x = balance(found.q, found.l);
  result.free_coordinates = find_free(balance, x);
  result.linearization = linearize(equations, result.state);
  for (const std::string& remark : result.linearization.remarks) result.remarks.push_back(remark);
  if (!equations_change(equations).empty())
    result.remarks.push_back("the equations depend on time: the equilibrium holds at t = 0");
  judge_stability(equations, x, &result);
  return result;
}

std::vector<VirtualWork> compute_virtual_work(const Equations& equations,
                                              const ConsistentStart& at_state) {
  const Kinematics& motion = equations.motion;
  const StartState state = make_state(motion, at_state);
  std::vector<VirtualWork> works;
  std::vector<Expr> inertia = equations.forcing;
  const auto add = [&](const std::string& name, const std::vector<Expr>& F) {
    VirtualWork work{name, {}};
    for (std::size_t r = 0; r < F.size(); ++r) {
      if (!F[r].is_zero())
        work.terms.push_back({motion.speeds()[r].name, F[r], value_of(F[r], state)});
    }
    works.push_back(std::move(work));
  };
  for (const Load& load : collect_loads(motion)) {
    const std::vector<Expr> F = compute_generalized_forces(motion, load);
    for (std::size_t r = 0; r < F.size(); ++r) inertia[r] -= F[r];
    add(load.name, F);
  }
  const bool is_moved = std::any_of(inertia.begin(), inertia.end(),
                                    [&](const Expr& e) { return value_of(e, state) != 0; });
  if (is_moved) add("inertia of the prescribed motion", inertia);
  return works;
}

std::vector<VirtualDisplacement> compute_virtual_displacements(const Equations& equations) {
  const Kinematics& motion = equations.motion;
  std::set<int> points, frames;
  for (const Load& load : collect_loads(motion)) {
    for (const auto& force : load.forces) points.insert(force.first);
    for (const auto& torque : load.torques) frames.insert(torque.first);
  }
  std::vector<VirtualDisplacement> result;
  const auto add = [&](const std::string& name, bool is_rotation, const auto& partial) {
    VirtualDisplacement d{name, is_rotation, {}};
    for (const Speed& s : motion.speeds()) {
      const Vector v = partial(s.name);
      if (!v.is_zero()) d.terms.emplace_back(s.name, v);
    }
    if (!d.terms.empty()) result.push_back(std::move(d));
  };
  for (const int p : points) {
    const Point P = motion.points()[at(p)];
    add(P.name(), false,
        [&](const std::string& speed) { return motion.partial_velocity(P, speed); });
  }
  for (const int f : frames) {
    const Frame B = motion.frames()[at(f)];
    add(B.name(), true,
        [&](const std::string& speed) { return motion.partial_angular_velocity(B, speed); });
  }
  return result;
}

}  // namespace visviva
