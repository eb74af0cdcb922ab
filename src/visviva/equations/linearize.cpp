#include "visviva/equations/linearize.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "visviva/equations/solve.h"
#include "visviva/kinematics/dense.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/differentiate.h"
#include "visviva/symbolic/evaluate.h"
#include "visviva/symbolic/inspect.h"

namespace visviva {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rank_tolerance = 1e-10;  // pivots below this part of the largest are zero
constexpr double good_pivot = 1e-3;  // of rows scaled to 1: smaller only when there is no other way
constexpr double least_pivot = 1e-9;  // smaller is zero
constexpr double steady_tolerance =
    1e-9;  // of a rate, against what a change of the state by its own size would give
constexpr double solved_tolerance = 1e-8;  // of the residual of (2)
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

std::size_t at(Index i) { return static_cast<std::size_t>(i); }
std::size_t at(int i) { return static_cast<std::size_t>(i); }
Index index(std::size_t i) { return static_cast<Index>(i); }

// ---- Linear algebra

// The solution of K x = rhs of least size, whatever units rows and columns carry.
class OpenSolver {
 public:
  explicit OpenSolver(const MatrixXd& K)
      : scaled_(K), rows_(VectorXd::Ones(K.rows())), columns_(VectorXd::Ones(K.cols())) {
    for (int pass = 0; pass < 3; ++pass) {
      for (Index i = 0; i < K.rows() && K.cols() > 0; ++i) scale(scaled_.row(i), &rows_(i));
      for (Index j = 0; j < K.cols() && K.rows() > 0; ++j) scale(scaled_.col(j), &columns_(j));
    }
  }

  MatrixXd solve(const MatrixXd& rhs) const {
    return columns_.asDiagonal() *
           solve_least_squares(scaled_, rows_.asDiagonal() * rhs, rank_tolerance);
  }
  bool solves(const MatrixXd& x, const MatrixXd& rhs) const {
    if (rhs.size() == 0 || scaled_.size() == 0) return true;
    const MatrixXd right = rows_.asDiagonal() * rhs;
    const MatrixXd left = scaled_ * columns_.cwiseInverse().asDiagonal() * x;
    return (left - right).norm() <= solved_tolerance * (left.norm() + right.norm()) + 1e-300;
  }

 private:
  template <class Line>
  static void scale(Line line, double* factor) {
    const double largest = line.cwiseAbs().maxCoeff();
    if (!(largest > 0)) return;
    line /= largest;
    *factor /= largest;
  }

  MatrixXd scaled_;
  VectorXd rows_, columns_;
};

// Which of the candidates, the first ones preferred, the rows determine.
std::vector<int> choose_dependent(MatrixXd rows, const std::vector<int>& candidates) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const double largest = rows.cols() == 0 ? 0.0 : rows.row(i).cwiseAbs().maxCoeff();
    if (largest > 0) rows.row(i) /= largest;
  }
  std::vector<int> chosen;
  std::vector<bool> is_used(at(rows.rows()), false);
  for (const double tolerance : {good_pivot, least_pivot}) {
    for (const int c : candidates) {
      if (std::find(chosen.begin(), chosen.end(), c) != chosen.end()) continue;
      Index pivot = -1;
      for (Index i = 0; i < rows.rows(); ++i) {
        if (!is_used[at(i)] && (pivot < 0 || std::abs(rows(i, c)) > std::abs(rows(pivot, c))))
          pivot = i;
      }
      if (pivot < 0 || !(std::abs(rows(pivot, c)) > tolerance)) continue;
      is_used[at(pivot)] = true;
      for (Index i = 0; i < rows.rows(); ++i) {
        if (!is_used[at(i)]) rows.row(i) -= rows(i, c) / rows(pivot, c) * rows.row(pivot);
      }
      chosen.push_back(c);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<int> complement(const std::vector<int>& chosen, std::size_t n) {
  std::vector<int> rest;
  for (int i = 0; i < static_cast<int>(n); ++i) {
    if (!std::binary_search(chosen.begin(), chosen.end(), i)) rest.push_back(i);
  }
  return rest;
}

MatrixXd columns_of(const MatrixXd& m, const std::vector<int>& which) {
  MatrixXd result(m.rows(), index(which.size()));
  for (std::size_t j = 0; j < which.size(); ++j) result.col(index(j)) = m.col(which[j]);
  return result;
}

// ---- Eigenvalues and modes

// Powers of two that make rows and columns alike in size (Parlett and Reinsch 1969): d_i^-1 a_ij
// d_j.
VectorXd balance(MatrixXd* a) {
  VectorXd d = VectorXd::Ones(a->rows());
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < a->rows(); ++i) {
      const double own = std::abs((*a)(i, i));
      const double column = a->col(i).cwiseAbs().sum() - own,
                   row = a->row(i).cwiseAbs().sum() - own;
      if (!(column > 0) || !(row > 0)) continue;
      const double f = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (!(column * f + row / f < 0.95 * (column + row))) continue;
      a->col(i) *= f;
      a->row(i) /= f;
      d(i) *= f;
      changed = true;
    }
  }
  return d;
}

// States that act on each other, in groups: a matrix in block triangular form has the eigenvalues
// of its blocks, and what nothing depends on adds exact zeros instead of roots of rounding errors.
std::vector<std::vector<Index>> find_blocks(const MatrixXd& a) {
  const Index n = a.rows();
  const double zero =
      std::numeric_limits<double>::epsilon() * (n == 0 ? 0.0 : a.cwiseAbs().maxCoeff());
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> reaches = (a.array().abs() > zero).matrix();
  for (Index k = 0; k < n; ++k) {
    for (Index i = 0; i < n; ++i) {
      if (reaches(i, k)) reaches.row(i) = reaches.row(i).cwiseMax(reaches.row(k));
    }
  }
  std::vector<std::vector<Index>> blocks;
  std::vector<bool> is_taken(at(n), false);
  for (Index i = 0; i < n; ++i) {
    if (is_taken[at(i)]) continue;
    std::vector<Index> block;
    for (Index j = i; j < n; ++j) {
      if (is_taken[at(j)] || (j != i && !(reaches(i, j) && reaches(j, i)))) continue;
      block.push_back(j);
      is_taken[at(j)] = true;
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

void sort_eigenvalues(std::vector<Complex>* values) {
  const double grain =
      1e-9 * std::max(1e-300, std::abs(*std::max_element(
                                  values->begin(), values->end(),
                                  [](Complex a, Complex b) { return std::abs(a) < std::abs(b); })));
  const auto key = [grain](Complex v) {
    return std::tuple(-std::round(v.real() / grain), std::round(std::abs(v.imag()) / grain),
                      -v.imag());
  };
  std::sort(values->begin(), values->end(), [&](Complex a, Complex b) { return key(a) < key(b); });
}

std::vector<Complex> compute_eigenvalues(const MatrixXd& balanced) {
  std::vector<Complex> values;
  for (const std::vector<Index>& block : find_blocks(balanced)) {
    MatrixXd part(index(block.size()), index(block.size()));
    for (std::size_t i = 0; i < block.size(); ++i) {
      for (std::size_t j = 0; j < block.size(); ++j)
        part(index(i), index(j)) = balanced(block[i], block[j]);
    }
    if (block.size() == 1) {
      values.emplace_back(part(0, 0), 0.0);
      continue;
    }
    const Eigen::VectorXcd own = visviva::compute_eigenvalues(part);
    values.insert(values.end(), own.begin(), own.end());
  }
  if (!values.empty()) sort_eigenvalues(&values);
  return values;
}

Mode make_mode(Complex eigenvalue, Eigen::VectorXcd shape, double tolerance) {
  Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  shape /= shape(largest);
  Mode mode{.eigenvalue = eigenvalue, .shape = {shape.data(), shape.data() + shape.size()}};
  if (!(eigenvalue.imag() > tolerance)) return mode;
  mode.is_oscillatory = true;
  mode.frequency = eigenvalue.imag();
  mode.frequency_hz = mode.frequency / (2 * M_PI);
  mode.natural_frequency = std::abs(eigenvalue);
  mode.damping_ratio = -eigenvalue.real() / mode.natural_frequency;
  return mode;
}

// Equal eigenvalues share the null space of A - λ.
std::vector<Mode> compute_modes(const MatrixXd& balanced, const VectorXd& d,
                                const std::vector<Complex>& values) {
  std::vector<Mode> modes;
  const double tolerance = axis_tolerance(values);
  std::vector<bool> is_done(values.size(), false);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_done[i] || values[i].imag() < -tolerance) continue;
    std::vector<std::size_t> group;
    Complex mean = 0;
    for (std::size_t j = i; j < values.size(); ++j) {
      if (is_done[j] || !(std::abs(values[j] - values[i]) <= tolerance)) continue;
      is_done[j] = true;
      group.push_back(j);
      mean += values[j];
    }
    mean /= static_cast<double>(group.size());
    const MatrixXcd shifted =
        balanced - mean * MatrixXcd::Identity(balanced.rows(), balanced.cols());
    const ComplexDirections directions = compute_complex_directions(shifted);
    const double zero = tolerance + rounding * directions.sizes(0);
    for (std::size_t k = 0; k < group.size(); ++k) {
      const Index column = balanced.cols() - 1 - index(k);
      if (k > 0 && directions.sizes(column) > zero) break;
      modes.push_back(
          make_mode(values[group[k]], d.asDiagonal() * directions.columns.col(column), tolerance));
    }
  }
  return modes;
}

void add_modes(Linearization* result) {
  const Index n = index(result->states.size());
  MatrixXd a(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) a(i, j) = result->A[at(i)][at(j)];
  }
  const VectorXd d = balance(&a);
  result->eigenvalues = compute_eigenvalues(a);
  result->modes = compute_modes(a, d, result->eigenvalues);
}

// ---- The slopes

class Linearizer {
 public:
  Linearizer(const Equations& equations, const StartState& state)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        pool_(*model_.pool),
        state_(state) {}

  Linearization run() {
    build_residual();
    build_rates();
    name_symbols();
    if (!solve_motion() || !evaluate()) return std::move(result_);
    choose_states();
    restrict_variations();
    fill_matrices();
    judge_steadiness();
    add_modes(&result_);
    return std::move(result_);
  }

 private:
  void build_residual() {
    MotionResidual residual = make_residual(equations_);
    residual_ = std::move(residual.rows);
    y_ = std::move(residual.solved);
    velocity_rows_ = std::move(residual.velocities);
    for (const ConstraintRow& row : equations_.rows) {
      if (row.position) position_rows_.push_back(*row.position);
    }
  }

  // q' of every coordinate, h' of every hidden state on which something depends.
  void build_rates() {
    std::vector<Expr> u;
    for (const Speed& s : motion_.speeds()) u.push_back(s.u);
    for (const CoordinateData& c : model_.coordinates) {
      configuration_.push_back(c.q);
      rates_.push_back(total(motion_.rate_of(c.q), u));
    }
    for (const auto& group : model_.quaternions) units_.push_back({group.begin(), group.end()});

    // What a hidden state's rate depends on may bring in others.
    std::vector<bool> is_in(model_.frames.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<Expr> all = everything();
      for (std::size_t F = 0; F < model_.frames.size(); ++F) {
        const std::vector<Expr>& hidden = model_.frames[F].hidden;
        if (is_in[F] || std::none_of(hidden.begin(), hidden.end(),
                                     [&](const Expr& h) { return varies_with(all, h); }))
          continue;
        is_in[F] = changed = true;
        std::vector<int> unit;
        for (std::size_t k = 0; k < hidden.size(); ++k) {
          unit.push_back(static_cast<int>(configuration_.size()));
          configuration_.push_back(hidden[k]);
          rates_.push_back(total(motion_.engine().hidden_rate(static_cast<int>(F), k), u));
        }
        if (unit.size() == 4) units_.push_back(unit);
      }
    }
  }

  std::vector<Expr> everything() const {
    std::vector<Expr> all = residual_;
    all.insert(all.end(), rates_.begin(), rates_.end());
    all.insert(all.end(), velocity_rows_.begin(), velocity_rows_.end());
    all.insert(all.end(), position_rows_.begin(), position_rows_.end());
    return all;
  }

  void name_symbols() {
    X_ = configuration_;
    for (const Speed& s : motion_.speeds()) X_.push_back(s.u);
    for (const InputData& input : model_.inputs) {
      result_.inputs.push_back(input.name);
      w_.push_back(input.symbol);
    }
  }

  bool fail(const std::string& why) {
    result_.failure = why;
    result_.is_steady = false;
    return false;
  }

  bool solve_motion() {
    try {
      solved_ = MotionSolver(equations_)(state_);
    } catch (const UsageError&) {
      return fail("the equations cannot be evaluated at this state: a term is not finite");
    }
    for (std::size_t r = 0; r < solved_.is_rate_determined.size(); ++r) {
      if (!solved_.is_rate_determined[r])
        result_.remarks.push_back("the equations do not determine the rate of " +
                                  motion_.speeds()[r].name + "; the smallest one is taken");
    }
    return true;
  }

  // All slopes at once, as numbers.
  bool evaluate() {
    const std::vector<Expr> all = everything();
    std::vector<Expr> symbols = X_;
    symbols.insert(symbols.end(), w_.begin(), w_.end());
    symbols.insert(symbols.end(), y_.begin(), y_.end());
    const std::vector<std::vector<Expr>> slopes = jacobian(all, symbols);
    std::vector<Expr> outputs = rates_;
    outputs.insert(outputs.end(), residual_.begin(), residual_.end());
    for (const std::vector<Expr>& row : slopes)
      outputs.insert(outputs.end(), row.begin(), row.end());

    std::map<Ref, double> y;
    std::vector<double> y_values = solved_.speed_rates;
    y_values.insert(y_values.end(), solved_.unknowns.begin(), solved_.unknowns.end());
    y_values.insert(y_values.end(), solved_.multipliers.begin(), solved_.multipliers.end());
    for (std::size_t i = 0; i < y_.size(); ++i) y[y_[i].ref()] = y_values[i];
    const std::vector<Expr> inside = free_symbols(outputs);
    std::vector<double> numbers;
    for (const Expr& s : inside) {
      const auto found = y.find(s.ref());
      numbers.push_back(found != y.end() ? found->second : state_.value(s));
    }
    const std::vector<double> v = Evaluator(inside, outputs)(numbers);
    for (const double x : v) {
      if (!std::isfinite(x)) return fail("the equations have no finite slope at this state");
    }
    for (const Expr& x : X_) X_values_.push_back(state_.value(x));

    std::size_t next = 0;
    X_rates_ = VectorXd::Zero(index(X_.size()));
    for (std::size_t i = 0; i < rates_.size(); ++i) X_rates_(index(i)) = v[next++];
    for (std::size_t r = 0; r < solved_.speed_rates.size(); ++r)
      X_rates_(index(rates_.size() + r)) = solved_.speed_rates[r];
    VectorXd residual(index(residual_.size()));
    for (double& r : residual) r = v[next++];
    const auto read = [&](std::size_t rows) {
      Slopes s{MatrixXd(index(rows), index(X_.size())), MatrixXd(index(rows), index(w_.size())),
               MatrixXd(index(rows), index(y_.size()))};
      for (Index i = 0; i < index(rows); ++i) {
        for (MatrixXd* part : {&s.X, &s.w, &s.y}) {
          for (Index j = 0; j < part->cols(); ++j) (*part)(i, j) = v[next++];
        }
      }
      return s;
    };
    R_ = read(residual_.size());
    F_ = read(rates_.size());
    V_ = read(velocity_rows_.size());
    G_ = read(position_rows_.size());
    add_unit_rows();
    return check_solution(residual,
                          Eigen::Map<const VectorXd>(y_values.data(), index(y_values.size())));
  }

  // (1), against what a change of the state by its own size would give.
  bool check_solution(const VectorXd& residual, const VectorXd& y) {
    VectorXd X(index(X_.size()));
    for (Index i = 0; i < X.size(); ++i) X(i) = 1 + std::abs(X_values_[at(i)]);
    const VectorXd size = R_.X.cwiseAbs() * X + R_.y.cwiseAbs() * y.cwiseAbs();
    for (Index i = 0; i < residual.size(); ++i) {
      if (!(std::abs(residual(i)) <=
            std::max(solved_tolerance * size(i), rounding * size.maxCoeff())))
        return fail("no accelerations satisfy the equations at this state");
    }
    return true;
  }

  // e · de = 0
  void add_unit_rows() {
    for (const std::vector<int>& unit : units_) {
      G_.X.conservativeResize(G_.X.rows() + 1, Eigen::NoChange);
      G_.X.row(G_.X.rows() - 1).setZero();
      for (const int c : unit) G_.X(G_.X.rows() - 1, c) = X_values_[at(c)];
    }
  }

  // ---- States

  std::size_t configuration_count() const { return configuration_.size(); }
  std::size_t speed_count() const { return motion_.speeds().size(); }

  void choose_states() {
    // As embed.h chooses, but at this state.
    std::vector<int> order;
    for (const Expr& wanted : model_.dependent) {
      for (std::size_t r = 0; r < speed_count(); ++r) {
        const Speed& speed = motion_.speeds()[r];
        if (speed.u == wanted ||
            (speed.coordinate >= 0 && model_.coordinates[at(speed.coordinate)].rate == wanted))
          order.push_back(static_cast<int>(r));
      }
    }
    add_missing(&order, speed_count());
    dependent_speeds_ = choose_dependent(V_.X.rightCols(index(speed_count())), order);

    // The largest entry of a quaternion, coordinates whose rates are dependent, then the last
    // declared.
    order.clear();
    for (const std::vector<int>& unit : units_)
      order.push_back(*std::max_element(unit.begin(), unit.end(), [&](int a, int b) {
        return std::abs(X_values_[at(a)]) < std::abs(X_values_[at(b)]);
      }));
    for (const int r : dependent_speeds_) {
      const int q = motion_.speeds()[at(r)].coordinate;
      if (q >= 0 && std::find(order.begin(), order.end(), q) == order.end()) order.push_back(q);
    }
    add_missing(&order, configuration_count());
    dependent_configuration_ = choose_dependent(G_.X.leftCols(index(configuration_count())), order);

    independent_configuration_ = complement(dependent_configuration_, configuration_count());
    independent_speeds_ = complement(dependent_speeds_, speed_count());
    for (const int c : independent_configuration_)
      result_.states.push_back(at(c) < model_.coordinates.size()
                                   ? model_.coordinates[at(c)].name
                                   : pool_.symbol_name(configuration_[at(c)].ref()));
    for (const int r : independent_speeds_) result_.states.push_back(motion_.speeds()[at(r)].name);
    note_singularity();
  }

  static void add_missing(std::vector<int>* order, std::size_t n) {
    for (int c = static_cast<int>(n); c-- > 0;) {
      if (std::find(order->begin(), order->end(), c) == order->end()) order->push_back(c);
    }
  }

  // Where several branches meet, small motions are not what the slopes say.
  void note_singularity() {
    const ConsistentStart start = make_consistent_start(motion_);
    if (static_cast<int>(dependent_speeds_.size()) < start.rank)
      result_.remarks.push_back("the constraints are singular at this state: they determine " +
                                std::to_string(dependent_speeds_.size()) + " speeds here and " +
                                std::to_string(start.rank) + " nearby");
  }

  // (3): T_ and P_.
  void restrict_variations() {
    const Index nc = index(configuration_count()), nu = index(speed_count()),
                ic = index(independent_configuration_.size()),
                iu = index(independent_speeds_.size());
    T_ = MatrixXd::Zero(nc + nu, ic + iu);
    P_ = MatrixXd::Zero(nc + nu, index(w_.size()));
    for (Index j = 0; j < ic; ++j) T_(independent_configuration_[at(j)], j) = 1;
    for (Index j = 0; j < iu; ++j) T_(nc + independent_speeds_[at(j)], ic + j) = 1;

    const MatrixXd G = G_.X.leftCols(nc);
    place(OpenSolver(columns_of(G, dependent_configuration_)).solve(-G * T_.topRows(nc)),
          dependent_configuration_, 0, &T_);
    const OpenSolver speeds(columns_of(V_.X.rightCols(nu), dependent_speeds_));
    place(speeds.solve(-V_.X * T_), dependent_speeds_, nc, &T_);
    place(speeds.solve(-V_.w), dependent_speeds_, nc, &P_);
  }

  static void place(const MatrixXd& values, const std::vector<int>& which, Index first,
                    MatrixXd* target) {
    for (std::size_t i = 0; i < which.size(); ++i)
      target->row(first + which[i]) = values.row(index(i));
  }

  // ---- (2) and (4)

  void fill_matrices() {
    solver_.emplace(R_.y);
    const Index nc = index(configuration_count()), nu = index(speed_count());
    slopes_X_ = respond(R_.X * T_);
    const MatrixXd configuration_X = F_.X * T_, configuration_w = F_.X * P_ + F_.w;
    const MatrixXd speeds_w = respond(R_.X * P_ + R_.w);

    // What is left where terms of this size cancel is rounding.
    const MatrixXd inverse =
        solver_->solve(MatrixXd::Identity(R_.y.rows(), R_.y.rows())).topRows(nu).cwiseAbs();
    const MatrixXd size = inverse * (R_.X.cwiseAbs() * T_.cwiseAbs());
    for (Index i = 0; i < slopes_X_.rows(); ++i) {
      for (Index j = 0; j < slopes_X_.cols(); ++j) {
        if (std::abs(slopes_X_(i, j)) <= rounding * size(i, j)) slopes_X_(i, j) = 0;
      }
    }

    MatrixXd X(nc + nu, T_.cols()), w(nc + nu, index(w_.size()));
    X << configuration_X, slopes_X_;
    w << configuration_w, speeds_w;
    const auto take = [](const MatrixXd& m, Index row, std::vector<std::vector<double>>* rows) {
      rows->emplace_back();
      for (Index j = 0; j < m.cols(); ++j) rows->back().push_back(m(row, j) == 0 ? 0.0 : m(row, j));
    };
    for (const int c : independent_configuration_) take(X, c, &result_.A), take(w, c, &result_.B);
    for (const int r : independent_speeds_)
      take(X, nc + r, &result_.A), take(w, nc + r, &result_.B);
  }

  // du' for given -K dy.
  MatrixXd respond(const MatrixXd& change) {
    const MatrixXd dy = solver_->solve(-change);
    if (!solver_->solves(dy, -change))
      result_.remarks.push_back(
          "A and B do not hold in directions without inertia, or where constraints are singular");
    return dy.topRows(index(speed_count()));
  }

  void judge_steadiness() {
    const Index nu = index(speed_count());
    // d(u')/dt along the motion; its state changes as the constraints allow.
    const MatrixXd slopes = solver_->solve(-MatrixXd(R_.X)).topRows(nu);
    const VectorXd drift = solver_->solve(-MatrixXd(R_.X * X_rates_)).topRows(nu);
    VectorXd X(index(X_.size()));
    for (Index i = 0; i < X.size(); ++i) X(i) = 1 + std::abs(X_values_[at(i)]);
    const VectorXd size = slopes.cwiseAbs() * X,
                   drift_size = slopes.cwiseAbs() * (X + X_rates_.cwiseAbs());
    for (Index r = 0; r < nu; ++r) {
      if (std::abs(X_rates_(index(configuration_count()) + r)) >
              steady_tolerance * size(r) + 1e-12 ||
          std::abs(drift(r)) > steady_tolerance * drift_size(r) + 1e-12)
        result_.is_steady = false;
    }
    if (!result_.is_steady)
      result_.remarks.push_back(
          "the speeds change at this state: A and B hold for this instant only");
    const std::vector<std::string> times = find_time_dependence(model_, everything());
    if (times.empty()) return;
    std::string names;
    for (const std::string& name : times) names += (names.empty() ? "" : ", ") + name;
    result_.is_steady = false;
    result_.remarks.push_back("the equations depend on time (" + names +
                              "): A and B hold at t = 0");
  }

  struct Slopes {
    MatrixXd X, w, y;
  };

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  const StartState& state_;
  Linearization result_;

  std::vector<Expr> residual_, velocity_rows_, position_rows_;
  std::vector<Expr> configuration_, rates_;  // q and h, q' and h'
  std::vector<std::vector<int>> units_;      // unit quaternions, in configuration_
  std::vector<Expr> X_, w_, y_;
  SolvedMotion solved_;
  std::vector<double> X_values_;
  VectorXd X_rates_;
  Slopes R_, F_, V_, G_;  // of residual, rates, velocity rows, position rows
  std::vector<int> dependent_configuration_, independent_configuration_, dependent_speeds_,
      independent_speeds_;
  MatrixXd T_, P_, slopes_X_;
  std::optional<OpenSolver> solver_;
};

// True when the function and so many of its derivatives change with time.
bool is_changing(const ModelData& model, const SpecifiedData& s, std::size_t derivative) {
  if (s.table != nullptr || !s.definition) return true;
  std::vector<std::pair<Expr, Expr>> rates = {{model.time, model.pool->one()}};
  for (const SpecifiedData& other : model.specified) {
    for (std::size_t k = 0; k + 1 < other.derivatives.size(); ++k)
      rates.emplace_back(other.derivatives[k], other.derivatives[k + 1]);
  }
  Tangent rate(*model.pool, rates);
  Expr d = *s.definition;
  for (std::size_t k = 0; k <= derivative; ++k) d = rate(d);
  return !d.is_zero();
}

}  // namespace

MotionResidual make_residual(const Equations& equations) {
  const std::vector<Speed>& speeds = equations.motion.speeds();
  MotionResidual result;
  for (const Speed& s : speeds) result.solved.push_back(s.rate);
  result.solved.insert(result.solved.end(), equations.unknowns.begin(), equations.unknowns.end());
  // No declared name holds a blank.
  std::vector<Expr> multipliers;
  for (std::size_t i = 1; i <= equations.rows.size(); ++i)
    multipliers.push_back(equations.motion.model().pool->symbol("multiplier " + std::to_string(i)));
  result.solved.insert(result.solved.end(), multipliers.begin(), multipliers.end());

  for (std::size_t r = 0; r < speeds.size(); ++r) {
    Expr sum = -equations.forcing[r];
    for (std::size_t s = 0; s < speeds.size(); ++s)
      sum += equations.mass_matrix[r][s] * speeds[s].rate;
    result.rows.push_back(sum);
  }
  for (std::size_t i = 0; i < equations.rows.size(); ++i) {
    const ScalarMotion& row = equations.rows[i].velocity;
    Expr sum = -equations.row_forcing[i], velocity = row.remainder;
    for (const auto& [r, a] : row.coefficients) {
      result.rows[at(r)] -= a * multipliers[i];
      sum += a * speeds[at(r)].rate;
      velocity += a * speeds[at(r)].u;
    }
    result.rows.push_back(sum);
    result.velocities.push_back(velocity);
  }
  for (const AuxiliaryEquation& a : equations.auxiliary) {
    if (!a.is_complete) continue;
    Expr sum = -a.forcing;
    for (std::size_t r = 0; r < speeds.size(); ++r) sum += a.mass[r] * speeds[r].rate;
    for (std::size_t i = 0; i < multipliers.size(); ++i) sum -= a.rows[i] * multipliers[i];
    result.rows.push_back(sum);
  }
  return result;
}

double axis_tolerance(const std::vector<Complex>& eigenvalues) {
  double largest = 0;
  for (const Complex& v : eigenvalues) largest = std::max(largest, std::abs(v));
  return 1e-7 * largest;
}

bool varies_with(const std::vector<Expr>& exprs, const Expr& symbol) {
  return std::any_of(exprs.begin(), exprs.end(), [&](const Expr& e) {
    return depends_on(e, symbol) && !differentiate(e, symbol).is_zero();
  });
}

std::vector<std::string> find_time_dependence(const ModelData& model,
                                              const std::vector<Expr>& exprs) {
  std::vector<std::string> names;
  for (const Expr& symbol : free_symbols(exprs)) {
    const SymbolRole* role = model.role(symbol);
    const bool is_known =
        role != nullptr && (role->role == Role::time || role->role == Role::specified ||
                            role->role == Role::specified_rate);
    if (!is_known || !varies_with(exprs, symbol)) continue;
    if (role->role == Role::time) names.push_back(model.pool->symbol_name(symbol.ref()));
    if (role->role == Role::time) continue;
    const SpecifiedData& s = model.specified[at(role->index)];
    const auto found = std::find(s.derivatives.begin(), s.derivatives.end(), symbol);
    if (is_changing(model, s, static_cast<std::size_t>(found - s.derivatives.begin())))
      names.push_back(model.pool->symbol_name(symbol.ref()));
  }
  return names;
}

Equations without_vanishing_rows(const Equations& equations, const StartState& state) {
  std::vector<Expr> entries;
  std::vector<std::size_t> owner;
  for (std::size_t i = 0; i < equations.rows.size(); ++i) {
    for (const auto& coefficient : equations.rows[i].velocity.coefficients) {
      entries.push_back(coefficient.second);
      owner.push_back(i);
    }
  }
  const std::vector<Expr> inside = free_symbols(entries);
  const Evaluator evaluator(inside, entries);
  std::vector<double> here(equations.rows.size(), 0.0), beside = here;
  for (const double change : {0.0, 0.11, -0.17}) {
    std::vector<double> numbers;
    for (const Expr& s : inside) {
      const SymbolRole* role = equations.motion.model().role(s);
      const bool moves =
          role != nullptr && (role->role == Role::coordinate || role->role == Role::hidden);
      numbers.push_back(
          state.value(s) +
          (moves ? change * (1 + 0.1 * static_cast<double>(numbers.size() % 7)) : 0.0));
    }
    const std::vector<double> v = evaluator(numbers);
    for (std::size_t k = 0; k < v.size(); ++k) {
      if (!std::isfinite(v[k])) continue;
      double& largest = (change == 0 ? here : beside)[owner[k]];
      largest = std::max(largest, std::abs(v[k]));
    }
  }

  Equations kept = equations;
  for (std::size_t i = equations.rows.size(); i-- > 0;) {
    if (here[i] > least_pivot * beside[i]) continue;
    const auto place = static_cast<std::ptrdiff_t>(i);
    kept.rows.erase(kept.rows.begin() + place);
    kept.row_forcing.erase(kept.row_forcing.begin() + place);
    for (AuxiliaryEquation& a : kept.auxiliary) a.rows.erase(a.rows.begin() + place);
  }
  return kept;
}

Linearization linearize(const Equations& equations, const StartState& state) {
  const Equations kept = without_vanishing_rows(equations, state);
  return Linearizer(kept, state).run();
}

Linearization linearize(const Equations& equations, const ConsistentStart& at) {
  return linearize(equations, make_state(equations.motion, at));
}

}  // namespace visviva
