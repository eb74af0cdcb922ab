#include "visviva/equations/small_motion/motion_residual.h"

#include <algorithm>
#include <cmath>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

constexpr double vanishing = 1e-9;  // of a row's size beside the state

// What makes functions jump, which have no slope beside the jump.
std::vector<Expr> list_jump_arguments(const Expr& e) {
  std::vector<Expr> arguments;
  ExprPool& pool = common_pool({e}, "list_jump_arguments");
  for (const std::uint32_t i : collect_cone(pool, refs_in(pool, {e}, "list_jump_arguments"))) {
    const Node node = pool.node(i << 1);
    if (node.op == Op::sign || node.op == Op::step) arguments.emplace_back(pool, node.a);
  }
  return arguments;
}

enum class Change { none, jumps_once, goes_on };

// How an expression changes: it has a slope, or what makes it jump has one, and then jumps once where that slope stays the same.
template <typename Slope>
Change find_change(const Expr& e, Slope&& slope) {
  if (!slope(e).is_zero()) return Change::goes_on;
  Change most = Change::none;
  for (const Expr& argument : list_jump_arguments(e)) {
    const Expr rate = slope(argument);
    if (!rate.is_zero())
      most = std::max(most, slope(rate).is_zero() ? Change::jumps_once : Change::goes_on);
  }
  return most;
}

// How so many of a function's derivatives change with time.
Change find_change(const ModelData& model, const SpecifiedData& s, std::size_t derivative) {
  if (s.table != nullptr || !s.definition) return Change::goes_on;
  Tangent rate(*model.pool, make_time_rates(model));
  Expr d = *s.definition;
  for (std::size_t k = 0; k < derivative; ++k) d = rate(d);
  return find_change(d, rate);
}

Change find_change(const std::vector<Expr>& exprs, const Expr& symbol) {
  Change most = Change::none;
  for (const Expr& e : exprs) {
    if (!depends_on(e, symbol)) continue;
    const auto slope = [&](const Expr& part) { return differentiate(part, symbol); };
    most = std::max(most, find_change(e, slope));
  }
  return most;
}

// Time or specified functions that change these expressions like that; by name.
std::vector<std::string> list_in_time(const ModelData& model, const std::vector<Expr>& exprs,
                                      Change wanted) {
  std::vector<std::string> names;
  for (const Expr& symbol : free_symbols(exprs)) {
    const SymbolRole* role = model.role(symbol);
    const bool is_known =
        role != nullptr && (role->role == Role::time || role->role == Role::specified ||
                            role->role == Role::specified_rate);
    if (!is_known) continue;
    Change change = find_change(exprs, symbol);
    if (role->role != Role::time && change != Change::none) {
      const SpecifiedData& s = model.specified[role->index];
      const auto found = std::find(s.derivatives.begin(), s.derivatives.end(), symbol);
      change = find_change(model, s, static_cast<std::size_t>(found - s.derivatives.begin()));
    }
    if (change == wanted) names.push_back(symbol.home().symbol_name(symbol.ref()));
  }
  return names;
}

}  // namespace

namespace {

// The slopes by u', t and multipliers, of which all but those by the unknown forces stand in (1).
std::vector<std::vector<Expr>> list_slopes(const Equations& equations,
                                           const MotionResidual& residual) {
  const std::size_t n = equations.motion.speeds().size(), nt = equations.unknowns.size();
  const Expr zero = equations.motion.model().pool->zero();
  std::vector<std::vector<Expr>> K(residual.rows.size(),
                                   std::vector<Expr>(residual.solved.size(), zero));
  for (std::size_t r = 0; r < n; ++r)
    std::copy(equations.mass_matrix[r].begin(), equations.mass_matrix[r].end(), K[r].begin());
  for (std::size_t i = 0; i < equations.rows.size(); ++i) {
    for (const auto& [r, a] : equations.rows[i].velocity.coefficients) {
      K[r][n + nt + i] -= a;
      K[n + i][r] += a;
    }
  }
  std::size_t row = n + equations.rows.size();
  for (const AuxiliaryEquation& a : equations.auxiliary) {
    if (!a.is_complete || a.is_evidence) continue;
    std::copy(a.mass.begin(), a.mass.end(), K[row].begin());
    for (std::size_t i = 0; i < a.rows.size(); ++i) K[row][n + nt + i] = -a.rows[i];
    ++row;
  }
  if (nt == 0) return K;
  for (std::size_t i = 0; i < K.size(); ++i) {
    const std::vector<Expr> slopes = gradient(residual.rows[i], equations.unknowns);
    std::copy(slopes.begin(), slopes.end(), K[i].begin() + static_cast<std::ptrdiff_t>(n));
  }
  return K;
}

}  // namespace

MotionResidual make_residual(const Equations& equations) {
  const Workspace work = Workspace::continued(*equations.pool());
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
      result.rows[r] -= a * multipliers[i];
      sum += a * speeds[r].rate;
      velocity += a * speeds[r].u;
    }
    result.rows.push_back(sum);
    result.velocities.push_back(velocity);
  }
  for (const AuxiliaryEquation& a : equations.auxiliary) {
    if (!a.is_complete || a.is_evidence) continue;
    Expr sum = -a.forcing;
    for (std::size_t r = 0; r < speeds.size(); ++r) sum += a.mass[r] * speeds[r].rate;
    for (std::size_t i = 0; i < multipliers.size(); ++i) sum -= a.rows[i] * multipliers[i];
    result.rows.push_back(sum);
  }
  result.slopes = list_slopes(equations, result);
  return result;
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
    if (here[i] > vanishing * beside[i]) continue;
    const auto place = static_cast<std::ptrdiff_t>(i);
    kept.rows.erase(kept.rows.begin() + place);
    kept.row_forcing.erase(kept.row_forcing.begin() + place);
    for (AuxiliaryEquation& a : kept.auxiliary) a.rows.erase(a.rows.begin() + place);
  }
  return kept;
}

std::vector<std::pair<Expr, Expr>> make_time_rates(const ModelData& model) {
  std::vector<std::pair<Expr, Expr>> rates = {{model.time, model.pool->one()}};
  for (const SpecifiedData& s : model.specified) {
    for (std::size_t k = 0; k + 1 < s.derivatives.size(); ++k)
      rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
  }
  return rates;
}

bool varies_with(const std::vector<Expr>& exprs, const Expr& symbol) {
  return find_change(exprs, symbol) != Change::none;
}

std::vector<std::string> find_time_dependence(const ModelData& model,
                                              const std::vector<Expr>& exprs) {
  return list_in_time(model, exprs, Change::goes_on);
}

std::vector<std::string> find_single_jumps(const ModelData& model, const std::vector<Expr>& exprs) {
  return list_in_time(model, exprs, Change::jumps_once);
}

std::vector<std::string> find_time_dependence(const Equations& equations) {
  MotionResidual all = make_residual(equations);
  all.rows.insert(all.rows.end(), all.velocities.begin(), all.velocities.end());
  return find_time_dependence(equations.motion.model(), all.rows);
}

}  // namespace visviva
