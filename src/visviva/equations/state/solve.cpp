#include "visviva/equations/state/solve.h"

#include <Eigen/Dense>
#include <cmath>

#include "visviva/base/error.h"
#include "visviva/equations/state/open_solve.h"
#include "visviva/numeric/dense.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding_level = 1e-14;  // of the largest entry of all constraint rows

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
  return state;
}

namespace {

// In the order of the constructor below.
void name_entries(const Equations& equations, std::vector<std::string>* names) {
  const std::size_t n = equations.forcing.size(), k = equations.unknowns.size(),
                    m = equations.rows.size();
  const ModelData& model = equations.motion.model();
  for (const Speed& s : equations.motion.speeds())
    names->insert(names->end(), n + k + 1, "a term of the equation for '" + s.name + "'");
  for (const ConstraintRow& row : equations.rows)
    names->insert(names->end(), n + 1,
                  "a term of the constraint '" +
                      model.constraints[static_cast<std::size_t>(row.constraint)].name + "'");
  for (const AuxiliaryEquation& a : equations.auxiliary) {
    if (a.is_complete && !a.is_evidence)
      names->insert(names->end(), n + m + k + 1,
                    "a term of the equation for '" +
                        model.auxiliaries[static_cast<std::size_t>(a.auxiliary)].name + "'");
  }
}

[[noreturn]] void fail_not_finite(const std::string& where) {
  throw ModelError({{Severity::error,
                     "E-state-not-finite",
                     "at this state " + where + " is not finite",
                     "start elsewhere: a length, a divisor or the argument of a logarithm or root "
                     "may be zero there",
                     {}}});
}

}  // namespace

struct MotionSolver::Parts {
  std::shared_ptr<ExprPool> pool;  // holds the expressions
  std::vector<std::string> names;  // of the entries, for messages
  std::size_t speeds, unknowns, rows, auxiliary;
  std::vector<Expr> symbols;
  std::unique_ptr<Evaluator> evaluator;
};

MotionSolver::MotionSolver(const Equations& equations) : parts_(std::make_unique<Parts>()) {
  Workspace work(equations.pool());
  Parts& p = *parts_;
  p.pool = work.share();
  std::vector<Expr> entries;
  std::vector<const AuxiliaryEquation*> auxiliary;
  for (const AuxiliaryEquation& a : equations.auxiliary) {
    if (a.is_complete && !a.is_evidence) auxiliary.push_back(&a);
  }
  p.speeds = equations.forcing.size();
  p.unknowns = equations.unknowns.size();
  p.rows = equations.rows.size();
  p.auxiliary = auxiliary.size();
  ExprPool& pool = *equations.motion.model().pool;
  const auto add_forcing = [&](const Expr& forcing) {
    const LinearForm form = make_linear_form(forcing, equations.unknowns);
    entries.insert(entries.end(), form.coefficients.begin(), form.coefficients.end());
    entries.push_back(form.remainder);
  };
  for (std::size_t r = 0; r < p.speeds; ++r) {
    entries.insert(entries.end(), equations.mass_matrix[r].begin(), equations.mass_matrix[r].end());
    add_forcing(equations.forcing[r]);
  }
  for (std::size_t i = 0; i < p.rows; ++i) {
    std::vector<Expr> line(p.speeds, pool.zero());
    for (const auto& [r, a] : equations.rows[i].velocity.coefficients)
      line[static_cast<std::size_t>(r)] = a;
    entries.insert(entries.end(), line.begin(), line.end());
    entries.push_back(equations.row_forcing[i]);
  }
  for (const AuxiliaryEquation* a : auxiliary) {
    entries.insert(entries.end(), a->mass.begin(), a->mass.end());
    entries.insert(entries.end(), a->rows.begin(), a->rows.end());
    add_forcing(a->forcing);
  }
  name_entries(equations, &p.names);
  p.symbols = free_symbols(entries);
  p.evaluator = std::make_unique<Evaluator>(p.symbols, entries);
}

MotionSolver::~MotionSolver() = default;

SolvedMotion MotionSolver::operator()(const StartState& state) const {
  const Parts& p = *parts_;
  std::vector<double> numbers;
  for (const Expr& symbol : p.symbols) numbers.push_back(state.value(symbol));
  const std::vector<double> v = (*p.evaluator)(numbers);
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!std::isfinite(v[i])) fail_not_finite(p.names[i]);
  }

  // (1)
  const std::size_t n = p.speeds, k = p.unknowns, m = p.rows;
  MatrixXd K = MatrixXd::Zero(n + m + p.auxiliary, (n + k + m));
  VectorXd rhs(n + m + p.auxiliary);
  MatrixXd A(m, n);
  std::size_t next = 0;
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t s = 0; s < n; ++s) K(r, s) = v[next++];
    for (std::size_t j = 0; j < k; ++j) K(r, (n + j)) = -v[next++];
    rhs(r) = v[next++];
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t s = 0; s < n; ++s) {
      A(i, s) = v[next];
      K(n + i, s) = v[next];
      K(s, (n + k + i)) = -v[next++];
    }
    rhs(n + i) = v[next++];
  }
  // A row that is zero but for rounding says nothing; scaling must not bring it to life.
  for (std::size_t i = 0; i < m && n > 0; ++i) {
    if (A.row(i).cwiseAbs().maxCoeff() > rounding_level * A.cwiseAbs().maxCoeff()) continue;
    A.row(i).setZero();
    K.row(n + i).setZero();
    K.col(n + k + i).setZero();
  }
  for (std::size_t a = 0; a < p.auxiliary; ++a) {
    const Index row = (n + m + a);
    for (std::size_t s = 0; s < n; ++s) K(row, s) = v[next++];
    for (std::size_t i = 0; i < m; ++i) K(row, (n + k + i)) = -v[next++];
    for (std::size_t j = 0; j < k; ++j) K(row, (n + j)) = -v[next++];
    rhs(row) = v[next++];
  }

  const OpenSolution solution = solve_openly(std::move(K), std::move(rhs));
  SolvedMotion result;
  result.is_consistent = solution.is_consistent;
  const auto take = [&](std::size_t first, std::size_t count, std::vector<double>* values,
                        std::vector<bool>* known) {
    for (std::size_t i = first; i < first + count; ++i) {
      values->push_back(solution.x(i));
      known->push_back(solution.is_determined[i]);
    }
  };
  take(0, n, &result.speed_rates, &result.is_rate_determined);
  take(n, k, &result.unknowns, &result.is_unknown_determined);
  take(n + k, m, &result.multipliers, &result.is_multiplier_determined);
  for (Index c = 0; c < solution.open.cols(); ++c) {
    const VectorXd part = solution.open.col(c).tail(m);
    if (m > 0 && part.cwiseAbs().maxCoeff() > 0)
      result.open_multipliers.emplace_back(part.data(), part.data() + part.size());
  }
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
