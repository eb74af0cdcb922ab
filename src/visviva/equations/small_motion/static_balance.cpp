#include "visviva/equations/small_motion/static_balance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "visviva/equations/energy/velocity_split.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/equations/state/solve.h"
#include "visviva/numeric/product.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double least_part =
    1e-6;  // of the largest row of forces: what counts as the size of a smaller one

void set(const std::vector<Expr>& symbols, const std::vector<double>& values,
         std::map<Ref, double>* known) {
  for (std::size_t i = 0; i < symbols.size(); ++i) (*known)[symbols[i].ref()] = values[i];
}

void append(const std::vector<std::vector<Expr>>& rows, std::vector<Expr>* all) {
  for (const std::vector<Expr>& row : rows) all->insert(all->end(), row.begin(), row.end());
}

}  // namespace

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
      speeds[motion.speed_index(s.name)] = without_rates(motion.speed_definition(s.name));
  }
  return speeds;
}

StaticBalance::StaticBalance(const Equations& equations, const ConsistentStart& start)
    : equations_(equations),
      motion_(equations.motion),
      model_(motion_.model()),
      state_(make_state(motion_, start)),
      n_(motion_.speeds().size()) {
  const MotionResidual residual = make_residual(equations);
  rest_ = make_rest_speeds(motion_);
  Tangent rate(*model_.pool, make_time_rates(model_));
  for (const Expr& u : rest_) rest_rates_.push_back(rate(u));
  for (const CoordinateData& c : model_.coordinates) q_.push_back(c.q);
  for (const Speed& s : motion_.speeds()) u_.push_back(s.u);
  for (std::size_t i = 0; i < residual.solved.size(); ++i)
    (i < n_ ? a_ : l_).push_back(residual.solved[i]);

  rows_ = residual.rows;
  for (const Expr& v : residual.velocities) rows_.push_back(v);
  add_states();
  for (const ConstraintRow& row : equations.rows) {
    if (row.position) rows_.push_back(*row.position), ++position_count_;
  }
  build_rest_evaluator();
  build_evaluator();
}

// A state that nothing changes keeps its value.
void StaticBalance::add_states() {
  for (std::size_t i = 0; i < model_.states.size(); ++i) {
    const StateData& s = model_.states[i];
    std::optional<Expr> row;
    if (!s.is_held) row = state_rate(motion_, s);
    for (const SampleData& sample : model_.samples) {
      for (const auto& [state, value] : sample.changes)
        if (state == static_cast<int>(i))
          row = motion_.resolve(Quantity(value, Dimension())).expr(*model_.pool) - s.symbol;
    }
    if (!row) continue;
    states_.push_back(i);
    l_.push_back(s.symbol);
    rows_.push_back(*row);
  }
}

VectorXd StaticBalance::begin_l() const {
  VectorXd l = VectorXd::Zero(static_cast<Index>(l_.size()));
  for (std::size_t k = l_.size() - states_.size(); k < l_.size(); ++k)
    l(static_cast<Index>(k)) = state_.value(l_[k]);
  return l;
}

std::vector<double> StaticBalance::list_states(const VectorXd& l) const {
  std::vector<double> values;
  for (const StateData& s : model_.states) values.push_back(state_.value(s.symbol));
  const auto first = l.size() - static_cast<Index>(states_.size());
  for (std::size_t k = 0; k < states_.size(); ++k)
    values[states_[k]] = l(first + static_cast<Index>(k));
  return values;
}

std::optional<std::string> StaticBalance::find_state_of_row(Index row) const {
  const Index first =
      static_cast<Index>(rows_.size()) - position_count_ - static_cast<Index>(states_.size());
  if (row < first || row >= first + static_cast<Index>(states_.size())) return {};
  return model_.states[states_[static_cast<std::size_t>(row - first)]].name;
}

void StaticBalance::build_rest_evaluator() {
  std::vector<Expr> rest = rest_;
  rest.insert(rest.end(), rest_rates_.begin(), rest_rates_.end());
  std::vector<Expr> outputs = rest;
  append(jacobian(rest, q_), &outputs);
  rest_symbols_ = free_symbols(outputs);
  rest_evaluator_ = std::make_unique<Evaluator>(rest_symbols_, outputs);
}

void StaticBalance::build_evaluator() {
  std::vector<Expr> inside = q_;
  for (const auto* list : {&u_, &a_, &l_}) inside.insert(inside.end(), list->begin(), list->end());
  std::vector<Expr> outputs = rows_;
  append(jacobian(rows_, inside), &outputs);
  const Workspace work = Workspace::continued(*equations_.pool());
  ExprPool& pool = work.pool();
  const auto add_coefficients = [&](const ScalarMotion& row) {
    std::vector<Expr> line(n_, pool.zero());
    for (const auto& [r, a] : row.coefficients) line[r] = a;
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

StaticBalance::Rest StaticBalance::compute_rest(const VectorXd& q) const {
  std::map<Ref, double> known;
  set(q_, {q.data(), q.data() + q.size()}, &known);
  std::vector<double> values;
  for (const Expr& s : rest_symbols_) {
    const auto found = known.find(s.ref());
    values.push_back(found != known.end() ? found->second : state_.value(s));
  }
  const std::vector<double> v = (*rest_evaluator_)(values);
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

std::vector<double> StaticBalance::compute_rest_speeds(const VectorXd& q) const {
  return compute_rest(q).speeds;
}

BalanceNumbers StaticBalance::operator()(const VectorXd& q, const VectorXd& l) const {
  const Rest rest = compute_rest(q);
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

  BalanceNumbers x;
  x.is_finite = std::all_of(v.begin(), v.end(), [](double d) { return std::isfinite(d); });
  std::size_t next = 0;
  const auto read = [&](std::size_t rows, std::size_t columns) {
    MatrixXd m(rows, columns);
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
  const Index nq = q_.size(), n = n_, nl = l_.size();
  x.J_q = slopes.leftCols(nq) + product(slopes.middleCols(nq, n), rest.speed_slopes) +
          product(slopes.middleCols(nq + n, n), rest.rate_slopes);
  x.J_l = slopes.rightCols(nl);
  x.size =
      product_of_sizes(x.J_l, l) + x.J_s().cwiseAbs().rowwise().sum() + product_of_sizes(x.J_q, q);
  x.size.head(n) += loads.cwiseAbs().rowwise().sum();
  // A law may have terms that change with nothing: far out, where its slopes vanish, they remain.
  const Index states = static_cast<Index>(states_.size());
  const Index first_state = x.r.size() - position_count_ - states;
  x.size.segment(first_state, states) += x.r.segment(first_state, states).cwiseAbs();
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

}  // namespace visviva
