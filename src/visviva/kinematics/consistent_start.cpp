#include "visviva/kinematics/consistent_start.h"

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "visviva/kinematics/start_state.h"
#include "visviva/numeric/dense.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double position_tolerance = 1e-12;  // of a residual, against the size of what is in it
constexpr double start_rank_tolerance =
    1e-9;  // singular values below this part of the largest are zero

constexpr double start_rounding_level =
    1e-14;  // rows below this part of the largest entry say nothing

Eigen::Index numerical_rank(const MatrixXd& m) {
  if (m.rows() == 0 || m.cols() == 0) return 0;
  const VectorXd s = compute_singular_values(m);
  return (s.array() > start_rank_tolerance * std::max(s(0), 1e-300)).count();
}

// Rows scaled to their largest entry: they may carry different units.
MatrixXd scaled(MatrixXd m) {
  if (m.size() == 0) return m;
  const double all = m.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    const double largest = m.row(i).cwiseAbs().maxCoeff();
    if (largest > start_rounding_level * all)
      m.row(i) /= largest;
    else
      m.row(i).setZero();
  }
  return m;
}

// By entries: without columns there is no storage for a row to point into.
void clear_row(MatrixXd* m, Eigen::Index i) {
  for (Eigen::Index j = 0; j < m->cols(); ++j) (*m)(i, j) = 0;
}

class Starter {
 public:
  explicit Starter(const Kinematics& motion)
      : motion_(motion),
        model_(motion.model()),
        rows_(make_constraint_rows(motion)),
        state_(make_start_state(model_)) {
    q0_ = read_coordinates();
    prepare();
  }

  ConsistentStart run() {
    ConsistentStart result;
    result.missing = state_.missing;
    std::vector<bool> all(rows_.size(), true);
    VectorXd q = q0_;
    if (!solve_positions(all, &q)) {
      result.contradiction = find_contradiction();
      q = q0_;
    }
    const VectorXd u0 = start_speeds(q);
    VectorXd u = u0;
    const std::vector<bool> with_conditions(rows_.size() + conditions_.size(), true);
    if (!solve_speeds(q, with_conditions, &u) && result.contradiction.empty()) {
      std::vector<bool> constraints = with_conditions;
      for (std::size_t i = rows_.size(); i < constraints.size(); ++i) constraints[i] = false;
      u = u0;
      if (solve_speeds(q, constraints, &u))
        result.is_start_impossible = true;
      else
        result.contradiction = find_speed_contradiction(q, u0);
    }
    describe_changes(q, u0, u, &result);
    describe_freedom(q, &result);
    result.coordinates.assign(q.data(), q.data() + q.size());
    result.speeds.assign(u.data(), u.data() + u.size());
    return result;
  }

 private:
  // ---- What is evaluated: g, dg/dq, A, b, M, dq/du

  VectorXd read_coordinates() const {
    VectorXd q(model_.coordinates.size());
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      for (std::size_t k = 0; k < state_.symbols.size(); ++k) {
        if (state_.symbols[k] == model_.coordinates[i].q) q(i) = state_.values[k];
      }
    }
    return q;
  }

  void prepare() {
    std::vector<Expr> q;
    for (const CoordinateData& c : model_.coordinates) q.push_back(c.q);
    ExprPool& pool = *model_.pool;
    const std::size_t n = motion_.speeds().size();
    std::vector<Expr> outputs;
    const auto add_row = [&](const ScalarMotion& row) {
      std::vector<Expr> line(n, pool.zero());
      for (const auto& [r, c] : row.coefficients) line[static_cast<std::size_t>(r)] = c;
      outputs.insert(outputs.end(), line.begin(), line.end());
      outputs.push_back(row.remainder);
    };
    for (const ConstraintRow& row : rows_) {
      outputs.push_back(row.position ? *row.position : pool.zero());
      const std::vector<Expr> slopes =
          row.position ? gradient(*row.position, q) : std::vector<Expr>(q.size(), pool.zero());
      outputs.insert(outputs.end(), slopes.begin(), slopes.end());
      add_row(row.velocity);
    }
    add_start_conditions();
    for (const ScalarMotion& row : conditions_) add_row(row);
    for (const CoordinateData& c : model_.coordinates) add_row(motion_.rate_of(c.q));
    add_bodies(&outputs);
    evaluator_.emplace(state_.symbols, outputs);
  }

  // Partial velocities, mass and inertia of each body; numbers are multiplied, not expressions.
  void add_bodies(std::vector<Expr>* outputs) const {
    const std::vector<Point> points = motion_.points();
    const std::vector<Frame> frames = motion_.frames();
    const auto add_columns = [&](const VectorMotion& v) {
      for (const auto& entry : v.coefficients)
        outputs->insert(outputs->end(), entry.second.begin(), entry.second.end());
    };
    for (const BodyData& body : model_.bodies) {
      outputs->push_back(body.mass);
      add_columns(motion_.point_motion(points[static_cast<std::size_t>(body.point)]));
      if (body.frame < 0) continue;
      for (const Column3& row : body.inertia)
        outputs->insert(outputs->end(), row.begin(), row.end());
      add_columns(motion_.body_motion(frames[static_cast<std::size_t>(body.frame)]));
    }
  }

  // M = sum m V'V + W' I W
  MatrixXd read_mass(const std::vector<double>& v, std::size_t k) const {
    const auto n = static_cast<Eigen::Index>(motion_.speeds().size());
    MatrixXd M = MatrixXd::Zero(n, n);
    const std::vector<Point> points = motion_.points();
    const std::vector<Frame> frames = motion_.frames();
    const auto read_columns = [&](const VectorMotion& motion) {
      Eigen::Matrix<double, 3, Eigen::Dynamic> columns =
          Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, n);
      for (const auto& entry : motion.coefficients) {
        for (int i = 0; i < 3; ++i) columns(i, entry.first) = v[k++];
      }
      return columns;
    };
    for (const BodyData& body : model_.bodies) {
      const double m = v[k++];
      const auto V =
          read_columns(motion_.point_motion(points[static_cast<std::size_t>(body.point)]));
      M += m * V.transpose() * V;
      if (body.frame < 0) continue;
      Eigen::Matrix3d I;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) I(i, j) = v[k++];
      }
      const auto W =
          read_columns(motion_.body_motion(frames[static_cast<std::size_t>(body.frame)]));
      M += W.transpose() * I * W;
    }
    return M;
  }

  // Velocities that the user wants at the start are rows like constraints, for the speeds only.
  void add_start_conditions() {
    for (const StartCondition& c : model_.start_conditions) {
      if (add_start_condition(c)) continue;
      throw ModelError(
          {{Severity::error, "E-start-target",
            "the left side of this start value is not linear in the rates",
            "give the start of a rate, a speed, or a component of a velocity", c.source.span}});
    }
  }

  // False when it is not linear in the rates.
  bool add_start_condition(const StartCondition& c) {
    if (c.scalar.valid())
      return add_start_row(motion_.resolve(Quantity(c.scalar, Dimension())).expr());
    const Column3 column = motion_.resolve(c.vector).in(motion_.frames()[0]);
    return std::all_of(column.begin(), column.end(),
                       [&](const Expr& e) { return e.is_zero() || add_start_row(e); });
  }

  bool add_start_row(const Expr& resolved) {
    const std::optional<ScalarMotion> row = find_linear_motion(motion_, resolved);
    if (row) conditions_.push_back(*row);
    return row.has_value();
  }

  struct Numbers {
    VectorXd g;
    MatrixXd slope;  // dg/dq
    MatrixXd A;      // constraint rows, then start conditions
    VectorXd b;
    MatrixXd W;  // dq/du
    MatrixXd M;
  };

  Numbers evaluate_at(const VectorXd& q) const {
    std::vector<double> values = state_.values;
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      for (std::size_t k = 0; k < state_.symbols.size(); ++k) {
        if (state_.symbols[k] == model_.coordinates[i].q) values[k] = q(i);
      }
    }
    const std::vector<double> v = (*evaluator_)(values);
    const Eigen::Index n = std::ssize(motion_.speeds()), nq = q.size(), m = std::ssize(rows_),
                       mc = std::ssize(conditions_);
    Numbers x{VectorXd(m),      MatrixXd(m, nq), MatrixXd(m + mc, n),
              VectorXd(m + mc), MatrixXd(nq, n), MatrixXd(n, n)};
    std::size_t k = 0;
    const auto read_row = [&](MatrixXd* rows, Eigen::Index i, double* constant) {
      for (Eigen::Index j = 0; j < n; ++j) (*rows)(i, j) = v[k++];
      const double c = v[k++];
      if (constant != nullptr) *constant = c;
    };
    for (Eigen::Index i = 0; i < m; ++i) {
      x.g(i) = v[k++];
      for (Eigen::Index j = 0; j < nq; ++j) x.slope(i, j) = v[k++];
      read_row(&x.A, i, &x.b(i));
    }
    for (Eigen::Index i = 0; i < mc; ++i) read_row(&x.A, m + i, &x.b(m + i));
    for (Eigen::Index i = 0; i < nq; ++i) read_row(&x.W, i, nullptr);
    x.M = read_mass(v, k);
    return x;
  }

  // ---- Positions

  bool is_given(Eigen::Index i) const { return model_.coordinates[i].start.has_value(); }

  static bool is_small(const Numbers& x, const std::vector<bool>& used, const VectorXd& q) {
    const VectorXd size = x.slope.cwiseAbs() * q.cwiseAbs();
    for (Eigen::Index i = 0; i < x.g.size(); ++i) {
      if (used[i] && !(std::fabs(x.g(i)) <= position_tolerance * (1.0 + size(i)))) return false;
    }
    return true;
  }

  // Quaternions stay on the sphere.
  void normalize(VectorXd* q) const {
    for (const auto& group : model_.quaternions) {
      double norm = 0;
      for (const int c : group) norm += (*q)(c) * (*q)(c);
      if (!(norm > 0)) continue;
      for (const int c : group) (*q)(c) /= std::sqrt(norm);
    }
  }

  bool solve_positions(const std::vector<bool>& used, VectorXd* q) const {
    normalize(q);
    const VectorXd start = *q;
    if (newton(used, true, q)) return true;
    // Defaults at 0 may be where a constraint has no slope: once more from beside it.
    *q = start;
    for (Eigen::Index i = 0; i < q->size(); ++i) {
      if (!is_given(i)) (*q)(i) += 0.1 + 0.01 * static_cast<double>(i % 7);
    }
    if (newton(used, true, q)) return true;
    *q = start;
    if (newton(used, false, q)) return true;
    *q = start;
    return false;
  }

  bool newton(const std::vector<bool>& used, bool defaults_only, VectorXd* q) const {
    for (int step = 0; step < 60; ++step) {
      const Numbers x = evaluate_at(*q);
      if (!x.g.allFinite()) return false;
      if (is_small(x, used, *q)) return true;
      VectorXd residual = x.g;
      MatrixXd J = x.slope;
      for (Eigen::Index i = 0; i < residual.size(); ++i) {
        if (used[i]) continue;
        residual(i) = 0;
        clear_row(&J, i);
      }
      VectorXd change;
      if (defaults_only) {
        for (Eigen::Index j = 0; j < J.cols(); ++j) {
          if (is_given(j)) J.col(j).setZero();
        }
        if (J.isZero()) return false;
        change = solve_least_squares(J, -residual);
      } else {
        // (2): the change of the speeds that moves least mass, as a change of the coordinates.
        const MatrixXd rows = J * x.W;
        if (rows.isZero()) return false;
        change = x.W * least_change(x.M, rows, -residual);
      }
      const double largest = change.cwiseAbs().maxCoeff();
      *q += change * std::min(1.0, 1.0 / std::max(largest, 1e-300));
      normalize(q);
    }
    return false;
  }

  // (2), the change with A x = r that moves least mass, from its conditions M x = A' l, A x = r.
  // Masses may be zero and rows redundant: of several solutions the smallest is taken.
  static VectorXd least_change(const MatrixXd& M, const MatrixXd& A, const VectorXd& r) {
    const Eigen::Index n = M.rows(), m = A.rows();
    const double mass = std::max(M.cwiseAbs().maxCoeff(), 1e-300),
                 row = std::max(A.cwiseAbs().maxCoeff(), 1e-300);
    MatrixXd K = MatrixXd::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = M / mass;
    K.topRightCorner(n, m) = A.transpose() / row;
    K.bottomLeftCorner(m, n) = A / row;
    VectorXd right = VectorXd::Zero(n + m);
    right.tail(m) = r / row;
    return solve_least_squares(K, right).col(0).head(n);
  }

  std::vector<std::string> find_contradiction() const {
    const auto name = [this](std::size_t i) {
      return model_.constraints[static_cast<std::size_t>(rows_[i].constraint)].name;
    };
    std::vector<bool> used(rows_.size(), true);
    std::set<std::string> names;
    for (std::size_t i = 0; i < rows_.size(); ++i) names.insert(name(i));
    std::set<std::string> kept = names;
    for (const std::string& candidate : names) {
      std::vector<bool> fewer = used;
      for (std::size_t i = 0; i < rows_.size(); ++i) fewer[i] = used[i] && name(i) != candidate;
      VectorXd q = q0_;
      if (solve_positions(fewer, &q)) continue;
      used = fewer;
      kept.erase(candidate);
    }
    return {kept.begin(), kept.end()};
  }

  // ---- Speeds

  // From start values of speeds, or from their definitions with the rates that were given.
  VectorXd start_speeds(const VectorXd& q) {
    std::vector<Expr> symbols = state_.symbols;
    std::vector<double> values = state_.values;
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      for (std::size_t k = 0; k < state_.symbols.size(); ++k) {
        if (state_.symbols[k] == model_.coordinates[i].q) values[k] = q(i);
      }
    }
    const auto value = [&](const Expr& e) { return evaluate(e, symbols, values); };
    std::vector<double> rates;
    for (const CoordinateData& c : model_.coordinates)
      rates.push_back(c.start_rate ? value(*c.start_rate) : 0.0);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      symbols.push_back(model_.coordinates[i].rate);
      values.push_back(rates[i]);
    }
    VectorXd u = VectorXd::Zero(motion_.speeds().size());
    speed_given_.assign(motion_.speeds().size(), false);
    for (std::size_t r = 0; r < motion_.speeds().size(); ++r) {
      const Speed& s = motion_.speeds()[r];
      if (s.coordinate >= 0) {
        const auto c = static_cast<std::size_t>(s.coordinate);
        u(r) = rates[c];
        speed_given_[r] = model_.coordinates[c].start_rate.has_value();
        continue;
      }
      for (const SpeedData& d : model_.speeds) {
        if (d.name != s.name) continue;
        if (d.start) {
          u(r) = value(*d.start);
          speed_given_[r] = true;
        } else if (d.definition) {
          const auto [number, given] = defined_speed(s.name, symbols, values);
          u(r) = number;
          speed_given_[r] = given;
        }
      }
    }
    return u;
  }

  std::pair<double, bool> defined_speed(const std::string& name, std::vector<Expr> symbols,
                                        std::vector<double> values) const {
    const Expr definition = motion_.speed_definition(name);
    bool given = false;
    for (const CoordinateData& c : model_.coordinates)
      given = given || (c.start_rate && depends(definition, c.rate));
    for (const Speed& s : motion_.speeds()) {
      if (s.coordinate >= 0) continue;
      symbols.push_back(s.u);
      values.push_back(0.0);
    }
    return {evaluate(definition, symbols, values), given};
  }

  static bool depends(const Expr& e, const Expr& symbol) {
    return !differentiate(e, symbol).is_zero();
  }

  std::vector<std::string> find_speed_contradiction(const VectorXd& q, const VectorXd& u0) const {
    const auto name = [this](std::size_t i) {
      return model_.constraints[static_cast<std::size_t>(rows_[i].constraint)].name;
    };
    std::vector<bool> used(rows_.size() + conditions_.size(), false);
    std::set<std::string> names;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      used[i] = true;
      names.insert(name(i));
    }
    std::set<std::string> kept = names;
    for (const std::string& candidate : names) {
      std::vector<bool> fewer = used;
      for (std::size_t i = 0; i < rows_.size(); ++i) fewer[i] = used[i] && name(i) != candidate;
      VectorXd u = u0;
      if (solve_speeds(q, fewer, &u)) continue;
      used = fewer;
      kept.erase(candidate);
    }
    return {kept.begin(), kept.end()};
  }

  bool solve_speeds(const VectorXd& q, const std::vector<bool>& used, VectorXd* u) const {
    Numbers x = evaluate_at(q);
    for (Eigen::Index i = 0; i < x.A.rows(); ++i) {
      if (used[i]) continue;
      clear_row(&x.A, i);
      x.b(i) = 0;
    }
    if (x.A.rows() == 0) return true;
    const auto good = [&](const VectorXd& v) {
      const VectorXd r = x.A * v + x.b, size = x.A.cwiseAbs() * v.cwiseAbs() + x.b.cwiseAbs();
      for (Eigen::Index i = 0; i < r.size(); ++i) {
        if (!(std::fabs(r(i)) <= 1e-9 * (1.0 + size(i)))) return false;
      }
      return true;
    };
    if (good(*u)) return true;
    // Defaults first, then all; each by the least change in the mass metric (2).
    const VectorXd residual = x.A * *u + x.b;
    for (const bool defaults_only : {true, false}) {
      std::vector<Eigen::Index> free;
      for (Eigen::Index r = 0; r < u->size(); ++r) {
        if (!defaults_only || !speed_given_[r]) free.push_back(r);
      }
      const MatrixXd A = x.A(Eigen::all, free);
      if (A.size() == 0 || A.isZero()) continue;
      VectorXd change = least_change(x.M(free, free), A, -residual);
      // What moves by rounding only stays.
      const double largest = change.cwiseAbs().maxCoeff();
      change = (change.array().abs() > 1e-13 * largest).select(change, 0.0);
      VectorXd moved = *u;
      moved(free) += change;
      if (!good(moved)) continue;
      *u = moved;
      return true;
    }
    return false;
  }

  // ---- What is said about it

  void describe_changes(const VectorXd& q, const VectorXd& u0, const VectorXd& u,
                        ConsistentStart* result) const {
    const auto moved = [](double a, double b) {
      return std::fabs(a - b) > 1e-12 * (1.0 + std::fabs(a));
    };
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      if (moved(q0_(i), q(i)))
        result->changes.push_back({model_.coordinates[i].name, q0_(i), q(i), is_given(i)});
    }
    for (Eigen::Index r = 0; r < u.size(); ++r) {
      if (moved(u0(r), u(r)))
        result->changes.push_back({motion_.speeds()[r].name, u0(r), u(r), speed_given_[r]});
    }
  }

  void describe_freedom(const VectorXd& q, ConsistentStart* result) const {
    const auto m = rows_.size(), n = motion_.speeds().size();
    const Numbers x = evaluate_at(q);
    MatrixXd A = scaled(x.A.topRows(m));
    const Eigen::Index here = numerical_rank(A);
    Eigen::Index best = here;
    // Elsewhere on the constraints the rank may be larger: the start may be a singular
    // configuration.
    std::mt19937_64 random(20240607);
    std::normal_distribution<double> normal(0.0, 1e-2);
    for (int trial = 0; m > 0 && trial < 3; ++trial) {
      VectorXd near = q;
      for (double& value : near) value += normal(random);
      if (!newton(std::vector<bool>(rows_.size(), true), false, &near)) continue;
      const MatrixXd B = scaled(evaluate_at(near).A.topRows(m));
      const Eigen::Index rank = numerical_rank(B);
      if (rank <= best) continue;
      best = rank;
      A = B;
    }
    result->rank = static_cast<int>(best);
    result->is_singular = best > here;
    result->degrees_of_freedom = static_cast<int>(n - best);
    describe_dependent(A, result);
    describe_redundancy(A, result);
    describe_massless(x.M, A, result);
  }

  // The columns of the speeds that the user wants dependent.
  void describe_dependent(const MatrixXd& A, ConsistentStart* result) const {
    MatrixXd columns(A.rows(), model_.dependent.size());
    for (std::size_t k = 0; k < model_.dependent.size(); ++k) {
      columns.col(k).setZero();
      for (std::size_t r = 0; r < motion_.speeds().size(); ++r) {
        if (motion_.speeds()[r].u == model_.dependent[k]) columns.col(k) = A.col(r);
      }
    }
    result->is_dependent_singular = numerical_rank(columns) < columns.cols();
  }

  // A constraint none of whose rows adds to the rank. One of several rows may: a disc that rolls on
  // the plane it touches anyway.
  void describe_redundancy(const MatrixXd& A, ConsistentStart* result) const {
    if (result->rank == A.rows()) return;
    std::map<int, bool> adds;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const bool more = numerical_rank(A.topRows(i + 1)) > numerical_rank(A.topRows(i));
      adds[rows_[i].constraint] = adds[rows_[i].constraint] || more;
    }
    for (const auto& [constraint, useful] : adds) {
      if (!useful)
        result->redundant.push_back(model_.constraints[static_cast<std::size_t>(constraint)].name);
    }
  }

  void describe_massless(const MatrixXd& M, const MatrixXd& A, ConsistentStart* result) const {
    const Eigen::Index n = M.rows();
    if (n == 0 || result->degrees_of_freedom == 0 || !M.allFinite() || !A.allFinite()) return;
    const MatrixXd free = compute_null_space(A, start_rank_tolerance);
    const MatrixXd reduced = free.transpose() * M * free;
    const SymmetricEigen eigen = compute_symmetric_eigen(reduced);
    const double largest = std::max(eigen.values.cwiseAbs().maxCoeff(), 1e-300);
    for (Eigen::Index k = 0; k < reduced.rows(); ++k) {
      if (std::fabs(eigen.values(k)) > 1e-13 * largest && largest > 1e-300) continue;
      const VectorXd direction = free * eigen.vectors.col(k);
      Eigen::Index r = 0;
      direction.cwiseAbs().maxCoeff(&r);
      result->massless.push_back(motion_.speeds()[r].name);
    }
  }

  const Kinematics& motion_;
  const ModelData& model_;
  std::vector<ConstraintRow> rows_;
  std::vector<ScalarMotion> conditions_;
  StartState state_;
  VectorXd q0_;
  std::optional<Evaluator> evaluator_;
  std::vector<bool> speed_given_;
};

}  // namespace

ConsistentStart make_consistent_start(const Kinematics& motion) {
  const Workspace work(motion.pool());
  return Starter(motion).run();
}

}  // namespace visviva
