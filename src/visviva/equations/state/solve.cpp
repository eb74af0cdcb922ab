#include "visviva/equations/state/solve.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "visviva/base/error.h"
#include "visviva/numeric/dense.h"
#include "visviva/numeric/kkt_assembly.h"
#include "visviva/numeric/solve_any_rank.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/core/function_call.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

StartState make_state(const Kinematics& motion, const ConsistentStart& start) {
  StartState state = make_start_state(motion.model());
  const auto set = [&](const Expr& symbol, double value) {
    state.known[symbol] = value;
    for (std::size_t i = 0; i < state.symbols.size(); ++i) {
      if (state.symbols[i] == symbol) return state.values[i] = value, void();
    }
    state.symbols.push_back(symbol);
    state.values.push_back(value);
  };
  for (std::size_t i = 0; i < start.coordinates.size(); ++i)
    set(motion.model().coordinates[i].q, start.coordinates[i]);
  for (std::size_t r = 0; r < start.speeds.size(); ++r) set(motion.speeds()[r].u, start.speeds[r]);
  for (std::size_t i = 0; i < start.states.size(); ++i)
    set(motion.model().states[i].symbol, start.states[i]);
  return state;
}

namespace {

// The terms of the equations, each with its place and, for messages, what it is a term of.
struct TermList {
  explicit TermList(const Equations& equations) : kkt(count(equations)), equations_(equations) {
    add_motion();
    add_rows();
    add_auxiliary();
  }

  KktAssembly kkt;
  std::vector<Expr> terms;
  std::vector<std::string> names;

 private:
  static bool is_used(const AuxiliaryEquation& a) { return a.is_complete && !a.is_evidence; }

  static KktSizes count(const Equations& e) {
    return {.speeds = static_cast<int>(e.forcing.size()),
            .unknowns = static_cast<int>(e.unknowns.size()),
            .rows = static_cast<int>(e.rows.size()),
            .auxiliary =
                static_cast<int>(std::count_if(e.auxiliary.begin(), e.auxiliary.end(), is_used))};
  }

  int add(const Expr& term) {
    terms.push_back(term);
    names.push_back(name_);
    return static_cast<int>(terms.size()) - 1;
  }

  void add_forcing(const Expr& forcing, int equation) {
    const LinearForm form = make_linear_form(forcing, equations_.unknowns);
    for (std::size_t j = 0; j < form.coefficients.size(); ++j)
      kkt.place(equation, kkt.unknown_column(static_cast<int>(j)), add(form.coefficients[j]));
    kkt.place_right(equation, add(form.remainder));
  }

  void add_motion() {
    for (int r = 0; r < kkt.sizes().speeds; ++r) {
      name_ = "a term of the equation for '" + equations_.motion.speeds()[r].name + "'";
      for (int s = 0; s < kkt.sizes().speeds; ++s)
        kkt.place(r, s, add(equations_.mass_matrix[r][s]));
      add_forcing(equations_.forcing[r], r);
    }
  }

  void add_rows() {
    const ModelData& model = equations_.motion.model();
    for (int i = 0; i < kkt.sizes().rows; ++i) {
      const ConstraintRow& row = equations_.rows[i];
      name_ = "a term of the constraint '" + model.constraints[row.constraint].name + "'";
      std::vector<Expr> line(kkt.sizes().speeds, model.pool->zero());
      for (const auto& [r, a] : row.velocity.coefficients) line[r] = a;
      for (int s = 0; s < kkt.sizes().speeds; ++s) kkt.place_row(i, s, add(line[s]));
      kkt.place_right(kkt.row_equation(i), add(equations_.row_forcing[i]));
    }
  }

  void add_auxiliary() {
    int equation = kkt.auxiliary_equation(0);
    for (const AuxiliaryEquation& a : equations_.auxiliary) {
      if (!is_used(a)) continue;
      name_ = "a term of the equation for '" +
              equations_.motion.model().auxiliaries[a.auxiliary].name + "'";
      for (int s = 0; s < kkt.sizes().speeds; ++s) kkt.place(equation, s, add(a.mass[s]));
      for (int i = 0; i < kkt.sizes().rows; ++i)
        kkt.place(equation, kkt.multiplier_column(i), add(a.rows[i]));
      add_forcing(a.forcing, equation++);
    }
  }

  const Equations& equations_;
  std::string name_;  // of what is being added
};

[[noreturn]] void fail_not_finite(const std::string& where) {
  throw ModelError({{Severity::error,
                     "E-state-not-finite",
                     "at this state " + where + " is not finite",
                     "start elsewhere: a length, a divisor or the argument of a logarithm or root "
                     "may be zero there",
                     {}}});
}

[[noreturn]] void fail_outside_table(const std::string& table, const std::string& argument,
                                     const Spline& axis, double value) {
  throw ModelError(
      {{Severity::error,
        "E-table-range",
        fmt::format("the table '{}' goes from {} = {:.6g} to {:.6g} (SI units) and has no value at "
                    "this state, {:.6g}",
                    table, argument, axis.first(), axis.last(), value),
        "start inside of it, give it more rows, or say what it is outside of them: `hold` or "
        "`periodic`",
        {}}});
}

}  // namespace

struct MotionSolver::Parts {
  std::shared_ptr<ExprPool> pool;  // holds the expressions
  KktAssembly kkt;
  std::vector<Expr> terms;
  std::vector<std::string> names;  // of the terms, for messages
  std::vector<Expr> symbols;
  Evaluator evaluator;

  std::vector<double> compute_terms(const StartState& state) const;
  void require_inside_tables(const Expr& term, const StartState& state) const;
};

MotionSolver::MotionSolver(const Equations& equations) {
  Workspace work(equations.pool());
  TermList list(equations);
  std::vector<Expr> symbols = free_symbols(list.terms);
  Evaluator evaluator(symbols, list.terms);
  parts_ = std::make_unique<Parts>(Parts{work.share(), std::move(list.kkt), std::move(list.terms),
                                         std::move(list.names), std::move(symbols),
                                         std::move(evaluator)});
}

MotionSolver::~MotionSolver() = default;

std::vector<double> MotionSolver::Parts::compute_terms(const StartState& state) const {
  std::vector<double> numbers;
  for (const Expr& symbol : symbols) numbers.push_back(state.value(symbol));
  const std::vector<double> values = evaluator(numbers);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    require_inside_tables(terms[i], state);
    fail_not_finite(names[i]);
  }
  return values;
}

// A term without a value may ask a table outside of its samples: then the table is told.
void MotionSolver::Parts::require_inside_tables(const Expr& term, const StartState& state) const {
  for (const std::uint32_t i : collect_cone(*pool, refs_in(*pool, {term}, "evaluate"))) {
    const Node node = pool->node(i << 1);
    const auto bound = node.op == Op::call ? bind_table(*pool, node) : nullptr;
    if (!bound) continue;
    const FunctionCall call = read_call(*pool, node);
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      const Spline& axis = bound->table->axis(k);
      const Expr place(*pool, call.arguments[k]);
      const std::vector<Expr> needed = free_symbols({place});
      std::vector<double> numbers;
      for (const Expr& symbol : needed) numbers.push_back(state.value(symbol));
      const double value = Evaluator(needed, {place})(numbers).front();
      if (axis.range() == TableRange::error && !axis.covers(value))
        fail_outside_table(call.function.name, print(place), axis, value);
    }
  }
}

namespace {

// What stands in x, for people who think in u', unknown forces and multipliers.
SolvedMotion take_apart(const AnyRankSolution& solution, const KktSizes& sizes) {
  SolvedMotion result;
  result.is_consistent = solution.is_consistent;
  int next = 0;
  const auto take = [&](int count, std::vector<double>* values, std::vector<bool>* known) {
    for (const int end = next + count; next < end; ++next) {
      values->push_back(solution.x(next));
      known->push_back(solution.is_determined[next]);
    }
  };
  take(sizes.speeds, &result.speed_rates, &result.is_rate_determined);
  take(sizes.unknowns, &result.unknowns, &result.is_unknown_determined);
  take(sizes.rows, &result.multipliers, &result.is_multiplier_determined);
  for (Index c = 0; c < solution.open.cols(); ++c) {
    const VectorXd part = solution.open.col(c).tail(sizes.rows);
    if (sizes.rows > 0 && part.cwiseAbs().maxCoeff() > 0)
      result.open_multipliers.emplace_back(part.data(), part.data() + part.size());
  }
  return result;
}

}  // namespace

SolvedMotion MotionSolver::operator()(const StartState& state) const {
  const KktAssembly& kkt = parts_->kkt;
  const KktSizes& sizes = kkt.sizes();
  MatrixXd K;
  VectorXd rhs;
  if (state.is_behind_corner) parts_->compute_terms(state.with_time_zero());  // ModelError
  kkt.assemble(parts_->compute_terms(state).data(), &K, &rhs);                // (1)
  kkt.drop_empty_rows(&K);
  const MatrixXd A = K.block(sizes.speeds, 0, sizes.rows, sizes.speeds);
  SolvedMotion result = take_apart(solve_any_rank(std::move(K), std::move(rhs)), sizes);
  result.constraint_rank = static_cast<int>(compute_rank(A, 1e-9));
  return result;
}

void require_unknowns_determined(const Equations& equations, const SolvedMotion& solved) {
  const ModelData& model = equations.motion.model();
  std::vector<Diagnostic> errors;
  for (std::size_t i = 0; i < equations.unknowns.size(); ++i) {
    if (solved.is_unknown_determined[i]) continue;
    const UnknownData& u =
        model.unknowns[static_cast<std::size_t>(model.role(equations.unknowns[i])->index)];
    errors.push_back(
        {Severity::error, "E-unknown-remains",
         "the unknown force '" + u.name + "' stays in the equations and nothing determines it",
         "give it a law, or bring it into evidence with an auxiliary speed", u.source.span});
  }
  if (!errors.empty()) throw ModelError(errors);
}

}  // namespace visviva
