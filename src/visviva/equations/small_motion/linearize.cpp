#include "visviva/equations/small_motion/linearize.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "visviva/base/words.h"
#include "visviva/equations/constraints/speed_order.h"
#include "visviva/equations/state/solve.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/numeric/choose_columns.h"
#include "visviva/numeric/solve_any_rank.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double good_pivot = 1e-3;  // of rows scaled to 1: smaller only when there is no other way
constexpr double least_pivot = 1e-9;  // smaller is zero
constexpr double steady_tolerance =
    1e-9;  // of a rate, against what a change of the state by its own size would give
constexpr double solved_tolerance = 1e-8;  // of the residual (1)
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

// Which of the candidates, the first ones preferred, the rows determine.
std::vector<int> choose_dependent(const MatrixXd& rows, const std::vector<int>& candidates) {
  std::vector<int> chosen;
  for (const ChosenColumn& c : choose_columns(rows, candidates, {good_pivot, least_pivot}))
    chosen.push_back(c.column);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

MatrixXd columns_of(const MatrixXd& m, const std::vector<int>& which) {
  MatrixXd result(m.rows(), which.size());
  for (std::size_t j = 0; j < which.size(); ++j) result.col(j) = m.col(which[j]);
  return result;
}

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
    Modes modes = compute_modes(result_.A);
    result_.eigenvalues = std::move(modes.eigenvalues);
    result_.modes = std::move(modes.modes);
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
          rates_.push_back(total(engine_of(motion_).hidden_rate(static_cast<int>(F), k), u));
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
    } catch (const ModelError&) {
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
    X_rates_ = VectorXd::Zero(X_.size());
    for (std::size_t i = 0; i < rates_.size(); ++i) X_rates_(i) = v[next++];
    for (std::size_t r = 0; r < solved_.speed_rates.size(); ++r)
      X_rates_(rates_.size() + r) = solved_.speed_rates[r];
    VectorXd residual(residual_.size());
    for (double& r : residual) r = v[next++];
    const auto read = [&](Index rows) {
      Slopes s{MatrixXd(rows, X_.size()), MatrixXd(rows, w_.size()), MatrixXd(rows, y_.size())};
      for (Index i = 0; i < rows; ++i) {
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
    return check_solution(residual, Eigen::Map<const VectorXd>(y_values.data(), y_values.size()));
  }

  // (1), against what a change of the state by its own size would give.
  bool check_solution(const VectorXd& residual, const VectorXd& y) {
    VectorXd X(X_.size());
    for (Index i = 0; i < X.size(); ++i) X(i) = 1 + std::abs(X_values_[i]);
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
      for (const int c : unit) G_.X(G_.X.rows() - 1, c) = X_values_[c];
    }
  }

  // ---- States

  std::size_t configuration_count() const { return configuration_.size(); }
  std::size_t speed_count() const { return motion_.speeds().size(); }

  void choose_states() {
    // As embed.h chooses, but at this state.
    dependent_speeds_ =
        choose_dependent(V_.X.rightCols(speed_count()), order_dependent_speeds(motion_));

    // The largest entry of a quaternion, coordinates whose rates are dependent, then the last
    // declared.
    std::vector<int> order;
    for (const std::vector<int>& unit : units_)
      order.push_back(*std::max_element(unit.begin(), unit.end(), [&](int a, int b) {
        return std::abs(X_values_[a]) < std::abs(X_values_[b]);
      }));
    for (const int r : dependent_speeds_) {
      const int q = motion_.speeds()[r].coordinate;
      if (q >= 0 && std::find(order.begin(), order.end(), q) == order.end()) order.push_back(q);
    }
    append_missing(configuration_count(), &order);
    dependent_configuration_ = choose_dependent(G_.X.leftCols(configuration_count()), order);

    independent_configuration_ = complement(dependent_configuration_, configuration_count());
    independent_speeds_ = complement(dependent_speeds_, speed_count());
    for (const int c : independent_configuration_)
      result_.states.push_back(c < std::ssize(model_.coordinates)
                                   ? model_.coordinates[c].name
                                   : configuration_[c].home().symbol_name(configuration_[c].ref()));
    for (const int r : independent_speeds_) result_.states.push_back(motion_.speeds()[r].name);
    note_singularity();
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
    const Index nc = configuration_count(), nu = speed_count(),
                ic = independent_configuration_.size(), iu = independent_speeds_.size();
    T_ = MatrixXd::Zero(nc + nu, ic + iu);
    P_ = MatrixXd::Zero(nc + nu, w_.size());
    for (Index j = 0; j < ic; ++j) T_(independent_configuration_[j], j) = 1;
    for (Index j = 0; j < iu; ++j) T_(nc + independent_speeds_[j], ic + j) = 1;

    const MatrixXd G = G_.X.leftCols(nc);
    place(AnyRankSystem(columns_of(G, dependent_configuration_)).solve(-G * T_.topRows(nc)),
          dependent_configuration_, 0, &T_);
    const AnyRankSystem speeds(columns_of(V_.X.rightCols(nu), dependent_speeds_));
    place(speeds.solve(-V_.X * T_), dependent_speeds_, nc, &T_);
    place(speeds.solve(-V_.w), dependent_speeds_, nc, &P_);
  }

  // By entries: without columns there is no storage for a row to point into.
  static void place(const MatrixXd& values, const std::vector<int>& which, Index first,
                    MatrixXd* target) {
    for (Index j = 0; j < values.cols(); ++j) {
      for (std::size_t i = 0; i < which.size(); ++i) (*target)(first + which[i], j) = values(i, j);
    }
  }

  // ---- (2) and (4)

  void fill_matrices() {
    solver_.emplace(R_.y);
    const Index nu = speed_count();
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

    const auto take = [](const MatrixXd& m, Index row, std::vector<std::vector<double>>* rows) {
      rows->emplace_back();
      for (Index j = 0; j < m.cols(); ++j) rows->back().push_back(m(row, j) == 0 ? 0.0 : m(row, j));
    };
    for (const int c : independent_configuration_)
      take(configuration_X, c, &result_.A), take(configuration_w, c, &result_.B);
    for (const int r : independent_speeds_)
      take(slopes_X_, r, &result_.A), take(speeds_w, r, &result_.B);
  }

  // du' for given -K dy.
  MatrixXd respond(const MatrixXd& change) {
    const MatrixXd dy = solver_->solve(-change);
    if (!solver_->is_solved_by(dy, -change))
      result_.remarks.push_back(
          "A and B do not hold in directions without inertia, or where constraints are singular");
    return dy.topRows(speed_count());
  }

  void judge_steadiness() {
    const Index nu = speed_count();
    // d(u')/dt along the motion; its state changes as the constraints allow.
    const MatrixXd slopes = solver_->solve(-MatrixXd(R_.X)).topRows(nu);
    const VectorXd drift = solver_->solve(-MatrixXd(R_.X * X_rates_)).topRows(nu);
    VectorXd X(X_.size());
    for (Index i = 0; i < X.size(); ++i) X(i) = 1 + std::abs(X_values_[i]);
    const VectorXd size = slopes.cwiseAbs() * X,
                   drift_size = slopes.cwiseAbs() * (X + X_rates_.cwiseAbs());
    for (Index r = 0; r < nu; ++r) {
      if (std::abs(X_rates_(configuration_count() + r)) > steady_tolerance * size(r) + 1e-12 ||
          std::abs(drift(r)) > steady_tolerance * drift_size(r) + 1e-12)
        result_.is_steady = false;
    }
    if (!result_.is_steady)
      result_.remarks.push_back(
          "the speeds change at this state: A and B hold for this instant only");
    const std::vector<std::string> times = find_time_dependence(model_, everything());
    if (times.empty()) return;
    result_.is_steady = false;
    result_.remarks.push_back("the equations depend on time (" + join_words(times) +
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
  std::optional<AnyRankSystem> solver_;
};

}  // namespace

Linearization linearize(const Equations& equations, const StartState& state) {
  const Workspace work(equations.pool());
  const Equations kept = without_vanishing_rows(equations, state);
  return Linearizer(kept, state).run();
}

Linearization linearize(const Equations& equations, const ConsistentStart& at) {
  const Workspace work(equations.pool());
  return linearize(equations, make_state(equations.motion, at));
}

}  // namespace visviva
