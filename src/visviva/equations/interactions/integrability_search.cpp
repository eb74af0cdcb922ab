#include "visviva/equations/interactions/integrability_search.h"

#include <algorithm>
#include <cmath>

#include "visviva/equations/energy/potential_chart.h"
#include "visviva/equations/interactions/frobenius_system.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/integrate/integrate.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

bool is_position(const SpaceDirection& d) {
  return d.kind == SpaceDirection::Kind::coordinate || d.kind == SpaceDirection::Kind::angle;
}

OneForm scale(const OneForm& form, const Expr& factor) {
  OneForm result;
  for (const Expr& e : form) result.push_back(e.is_zero() ? e : e * factor);
  return result;
}

ScalarMotion scale(const ScalarMotion& row, const Expr& factor) {
  ScalarMotion result{{}, row.remainder * factor};
  for (const auto& [r, a] : row.coefficients) result.coefficients.emplace_back(r, a * factor);
  return result;
}

// c log(X) or c log|X| as c and X.
std::optional<std::pair<Expr, Expr>> split_logarithm(const Expr& term) {
  ExprPool& pool = term.pool();
  for (const std::uint32_t i : collect_cone(pool, {pool.take(term)})) {
    if (pool.node(i << 1).op != Op::log) continue;
    const Expr log_node(pool, i << 1);
    Expr base(pool, pool.node(i << 1).a);
    const Node& inner = pool.node(base.ref());
    if ((base.ref() & 1u) == 0 && inner.op == Op::abs) base = Expr(pool, inner.a);
    return std::pair{term / log_node, base};
  }
  return std::nullopt;
}

std::size_t cost(const FormIntegral& found) {
  std::vector<Expr> parts = {*found.factor};
  if (found.integral) parts.push_back(*found.integral);
  return count_operations(parts).total();
}

}  // namespace

IntegralSearch::IntegralSearch(const Kinematics& motion, ConfigurationSpace* space)
    : motion_(motion), space_(space), pool_(*space->pool()) {}

FormIntegral IntegralSearch::find(const OneForm& form, const ScalarMotion& row) {
  if (is_exact(form)) return {pool_.one(), integrate_exact(form, row)};
  FormIntegral best;
  for (const Expr& factor : list_factors(form)) {
    const OneForm scaled = scale(form, factor);
    if (!has_value(factor) || !is_exact(scaled)) continue;
    FormIntegral found{factor, integrate_exact(scaled, scale(row, factor))};
    const bool is_better =
        !best.factor || (found.integral && !best.integral) ||
        (found.integral.has_value() == best.integral.has_value() && cost(found) < cost(best));
    if (is_better) best = std::move(found);
  }
  return best;
}

bool IntegralSearch::is_exact(const OneForm& form) {
  for (const std::vector<Expr>& row : space_->exterior_derivative(form)) {
    if (!std::all_of(row.begin(), row.end(), vanishes)) return false;
  }
  return true;
}

// ---- Factors

std::vector<Expr> IntegralSearch::list_factors(const OneForm& form) {
  std::vector<Expr> factors;
  for (std::size_t p = 0; p < form.size(); ++p) {
    if (!form[p].is_zero()) add_factors(form, p, &factors);
  }
  for (std::size_t v = 0; v < form.size(); ++v) {
    if (const auto mu = factor_of_coordinate(form, v)) factors.push_back(*mu);
  }
  Expr scaled = pool_.zero();  // (4)
  for (std::size_t a = 0; a < form.size(); ++a) {
    if (is_position(space_->directions()[a])) scaled += space_->directions()[a].symbol * form[a];
  }
  if (!scaled.is_zero()) factors.push_back(pool_.one() / scaled);
  return factors;
}

void IntegralSearch::add_factors(const OneForm& form, std::size_t p, std::vector<Expr>* factors) {
  const OneForm unit = scale(form, pool_.one() / form[p]);
  const auto d = space_->exterior_derivative(unit);
  std::vector<Expr> alpha;  // (1)
  for (std::size_t a = 0; a < form.size(); ++a)
    alpha.push_back(a == p ? pool_.zero() : a < p ? d[a][p] : -d[p][a]);
  for (const auto& mu : {factor_by_exact_slope(alpha), factor_of_one_variable(unit, p, alpha),
                         factor_of_powers(unit, p, alpha)}) {
    if (!mu || mu->is_zero()) continue;
    const Expr factor = *mu / form[p];
    if (std::find(factors->begin(), factors->end(), factor) == factors->end())
      factors->push_back(factor);
  }
}

// (3)
std::optional<Expr> IntegralSearch::factor_of_coordinate(const OneForm& form, std::size_t v) {
  const SpaceDirection& direction = space_->directions()[v];
  if (!is_position(direction)) return std::nullopt;
  const auto d = space_->exterior_derivative(form);
  std::optional<Expr> slope;
  for (std::size_t a = 0; a < form.size(); ++a) {
    if (a == v || form[a].is_zero()) continue;
    const Expr own = (v < a ? -d[v][a] : d[a][v]) / form[a];
    if (slope && !vanishes(own - *slope)) return std::nullopt;
    if (!slope) slope = own;
  }
  if (!slope || slope->is_zero() || !is_of_direction(*slope, v)) return std::nullopt;
  const auto logarithm = integrate(*slope, direction.symbol);
  return logarithm ? exponential(*logarithm) : std::nullopt;
}

bool IntegralSearch::is_of_direction(const Expr& e, std::size_t v) {
  const std::vector<Expr> slopes = space_->slopes(e);
  for (std::size_t a = 0; a < slopes.size(); ++a) {
    if (a != v && !vanishes(slopes[a])) return false;
  }
  return true;
}

// (2) with f = 0.
std::optional<Expr> IntegralSearch::factor_by_exact_slope(const std::vector<Expr>& alpha) {
  const OneForm slope = scale(alpha, -pool_.one());
  if (space_->has_turns(slope) || !is_exact(slope)) return std::nullopt;
  const auto logarithm = integrate_exact(slope, {{}, pool_.zero()});
  return logarithm ? exponential(*logarithm) : std::nullopt;
}

// (2) with mu of x_p alone: f = alpha_j/omega_j for every j, and a function of x_p.
std::optional<Expr> IntegralSearch::factor_of_one_variable(const OneForm& unit, std::size_t p,
                                                           const std::vector<Expr>& alpha) {
  const SpaceDirection& direction = space_->directions()[p];
  if (!is_position(direction)) return std::nullopt;
  std::optional<Expr> f;
  for (std::size_t j = 0; j < unit.size(); ++j) {
    if (j == p) continue;
    if (unit[j].is_zero() && !alpha[j].is_zero()) return std::nullopt;
    if (!unit[j].is_zero() && !f) f = alpha[j] / unit[j];
  }
  if (!f || f->is_zero()) return std::nullopt;
  for (std::size_t j = 0; j < unit.size(); ++j) {
    if (j != p && !vanishes(alpha[j] - *f * unit[j])) return std::nullopt;
  }
  if (!is_of_direction(*f, p)) return std::nullopt;
  const auto logarithm = integrate(*f, direction.symbol);
  return logarithm ? exponential(*logarithm) : std::nullopt;
}

// (2) with log mu = sum n_i log x_i: n_i = -alpha_i x_i + n_p x_i omega_i/x_p, numbers.
std::optional<Expr> IntegralSearch::factor_of_powers(const OneForm& unit, std::size_t p,
                                                     const std::vector<Expr>& alpha) {
  const auto& directions = space_->directions();
  if (!is_position(directions[p])) return std::nullopt;
  const Expr x_p = directions[p].symbol;
  std::optional<Expr> n_p;
  for (std::size_t i = 0; i < unit.size() && !n_p; ++i) {
    if (i == p || !directions[i].symbol.valid()) continue;
    const auto left = space_->slopes(alpha[i] * directions[i].symbol);
    const auto right = space_->slopes(directions[i].symbol * unit[i] / x_p);
    for (std::size_t k = 0; k < left.size() && !n_p; ++k) {
      if (!right[k].is_zero()) n_p = left[k] / right[k];
    }
  }
  if (!n_p || !is_of_parameters(*n_p)) return std::nullopt;
  Expr mu = pow(x_p, *n_p);
  for (std::size_t i = 0; i < unit.size(); ++i) {
    if (i == p || (unit[i].is_zero() && alpha[i].is_zero())) continue;
    if (!directions[i].symbol.valid()) return std::nullopt;
    const Expr n = directions[i].symbol * (*n_p * unit[i] / x_p - alpha[i]);
    if (!is_of_parameters(n)) return std::nullopt;
    mu *= pow(directions[i].symbol, n);
  }
  return mu;
}

// True when nothing in it changes along a motion.
bool IntegralSearch::is_of_parameters(const Expr& e) const {
  const std::vector<Expr> symbols = free_symbols(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](const Expr& s) {
    const SymbolRole* role = motion_.model().role(s);
    return role != nullptr && role->role == Role::parameter;
  });
}

// exp of a sum of logarithms as a product of powers; the sign of a factor does not matter.
std::optional<Expr> IntegralSearch::exponential(const Expr& logarithm) const {
  const auto terms = expand_sum(logarithm);
  if (!terms) return std::nullopt;
  Expr product = pool_.one(), rest = pool_.zero();
  for (const Expr& term : *terms) {
    const auto split = split_logarithm(term);
    if (split && is_of_parameters(split->first)) {
      product *= pow(split->second, split->first);
    } else {
      rest += term;
    }
  }
  return rest.is_zero() ? product : product * exp(rest);
}

// True when it is a real number at some of a few states near the start: an antiderivative may be one of complex numbers.
bool IntegralSearch::has_value(const Expr& e) {
  if (!start_) start_ = make_start_state(motion_.model());
  const std::vector<Expr> symbols = free_symbols(e);
  std::vector<double> start;
  for (const Expr& s : symbols)
    start.push_back(start_->known.contains(s) ? start_->known.at(s) : 1);
  const Evaluator evaluate(symbols, {e});
  for (int k = 0; k < 6; ++k) {
    std::vector<double> values = start;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += 0.1 * k * std::sin(1.0 + static_cast<double>(k + 7 * i));
    if (std::isfinite(evaluate(values)[0])) return true;
  }
  return false;
}

// ---- Integrals

std::optional<Expr> IntegralSearch::integrate_exact(const OneForm& form, const ScalarMotion& row) {
  const bool has_turns = space_->has_turns(form);
  const auto U = has_turns ? integrate_turns(row) : integrate_positions(form);
  if (!U) return std::nullopt;
  // With time held; what is left depends on time alone.
  const std::vector<Expr> slopes = space_->slopes(*U);
  for (std::size_t a = 0; a < space_->time(); ++a) {
    if (!vanishes(form[a] - slopes[a])) return std::nullopt;
  }
  const Expr rest = form[space_->time()] - slopes[space_->time()];
  const std::optional<Expr> of_time = vanishes(rest) ? pool_.zero() : integrate_time(rest);
  if (!of_time || !has_value(*U + *of_time)) return std::nullopt;
  return *U + *of_time;
}

std::optional<Expr> IntegralSearch::integrate_positions(const OneForm& form) {
  std::vector<Expr> slopes, variables;
  for (std::size_t a = 0; a < space_->time(); ++a) {
    if (form[a].is_zero()) continue;
    slopes.push_back(form[a]);
    variables.push_back(space_->directions()[a].symbol);
  }
  if (variables.empty()) return pool_.zero();
  return find_potential(slopes, variables);
}

// Orientations by Euler parameters: the search for the potential of forces knows them.
std::optional<Expr> IntegralSearch::integrate_turns(const ScalarMotion& row) {
  std::vector<Expr> forces(motion_.speeds().size(), pool_.zero());
  for (const auto& [r, a] : row.coefficients) forces[r] = -a;
  PotentialChart chart(motion_);
  const auto slopes = chart.make_slopes(forces);
  if (!slopes || slopes->variables.empty()) return std::nullopt;
  const auto U = find_potential(slopes->slopes, slopes->variables);
  return U ? std::optional<Expr>(chart.leave(*U)) : std::nullopt;
}

// First by the functions of time as variables, x' dt = dx; then by what they are.
std::optional<Expr> IntegralSearch::integrate_time(const Expr& rate) {
  std::vector<Expr> functions, rates;
  for (const SpecifiedData& x : motion_.model().specified) {
    for (std::size_t k = 0; k + 1 < x.derivatives.size(); ++k) {
      if (!depends_on(rate, x.derivatives[k + 1])) continue;
      functions.push_back(x.derivatives[k]);
      rates.push_back(x.derivatives[k + 1]);
    }
  }
  if (const auto form = find_linear_form(rate, rates)) {
    std::vector<Expr> slopes = form->coefficients, variables = functions;
    slopes.push_back(form->remainder);
    variables.push_back(motion_.model().time);
    const auto H = find_potential(slopes, variables);
    if (H && vanishes(space_->slopes(*H)[space_->time()] - rate)) return H;
  }
  const auto known = try_substitute(rate, space_->definitions());
  if (!known) return std::nullopt;
  const auto H = integrate(*known, motion_.model().time);
  if (!H || !vanishes(space_->slopes(*H)[space_->time()] - *known)) return std::nullopt;
  return H;
}

}  // namespace visviva
