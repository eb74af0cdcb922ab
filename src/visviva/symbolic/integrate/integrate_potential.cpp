// Potentials: variable after variable, each integral taken from the slopes by the others.
#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/base/sequence.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/integrate/integrate.h"
#include "visviva/symbolic/integrate/integrate_rules.h"

namespace visviva {
namespace {

bool is_proved_free_of_curl(const std::vector<Expr>& slopes, const std::vector<Expr>& variables) {
  const auto slope_slopes = jacobian(slopes, variables);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!is_proved_zero(slope_slopes[i][j] - slope_slopes[j][i])) return false;
    }
  }
  return true;
}

// One sweep over the variables, in the order given by `first`.
std::optional<Expr> sweep(std::vector<Expr> slopes, const std::vector<Expr>& variables,
                          std::size_t first) {
  Expr U = slopes.front().pool().zero();
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const std::size_t j = (first + k) % variables.size();
    if (is_proved_zero(slopes[j])) continue;
    const auto part = find_antiderivative(slopes[j], variables[j], variables);
    if (!part) return std::nullopt;
    U += *part;
    const std::vector<Expr> change = gradient(*part, variables);
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] -= change[i];
  }
  const bool exact = std::all_of(slopes.begin(), slopes.end(), is_proved_zero);
  if (!exact) return std::nullopt;
  return U;
}

Expr without_free_terms(const Expr& U, const std::vector<Expr>& variables) {
  const auto terms = expand_sum(U);
  if (!terms) return U;
  Expr result = U;
  for (const Expr& t : *terms) {
    const std::vector<Expr> symbols = free_symbols(t);
    const bool depends = std::any_of(variables.begin(), variables.end(), [&](const Expr& v) {
      return std::find(symbols.begin(), symbols.end(), v) != symbols.end();
    });
    if (!depends) result -= t;
  }
  return result;
}

}  // namespace

std::optional<Expr> find_potential(const std::vector<Expr>& slopes,
                                   const std::vector<Expr>& variables) {
  if (slopes.empty() || slopes.size() != variables.size())
    throw UsageError("find_potential", "expected a slope for each variable");
  for (const Expr& v : variables) require_variable(v, "find_potential");
  std::vector<Expr> all = slopes;
  append(&all, variables);
  refs_in(common_pool(all, "find_potential"), all, "find_potential");
  if (!is_proved_free_of_curl(slopes, variables)) return std::nullopt;
  for (std::size_t first = 0; first < variables.size(); ++first) {
    if (const auto U = sweep(slopes, variables, first)) return without_free_terms(*U, variables);
  }
  return std::nullopt;
}

}  // namespace visviva
