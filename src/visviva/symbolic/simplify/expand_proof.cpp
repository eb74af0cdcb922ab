// is_proved_zero: the expression by its value with roots, root_algebra.h (1); else multiplied out in powers of its
// roots, expand_powers.h (1), where what is left of each term is for the fields to cancel. Max and min are written by abs;
// where that does not do, abs and sign are left out case by case.
#include <algorithm>

#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/parts_under.h"
#include "visviva/symbolic/calculus/write_by_abs.h"
#include "visviva/symbolic/simplify/expand.h"
#include "visviva/symbolic/simplify/root_algebra.h"

namespace visviva {
namespace {

constexpr int most_cases = 3;  // arguments of abs whose signs are taken one by one

bool has_powers(const Expr& expr) {
  const ExprPool& pool = expr.pool();
  if (!has_root_under(expr) && !has_piece_under(expr)) return false;
  const std::vector<std::uint32_t> cone = collect_cone(pool, {expr.ref()});
  return std::any_of(cone.begin(), cone.end(), [&](std::uint32_t i) {
    const Op op = pool.node(i << 1).op;
    const bool is_power = op == Op::sqrt || op == Op::power || op == Op::abs || op == Op::sign;
    return is_power && !pool.is_constant(i << 1);
  });
}

// The power of a sum with roots by which all terms must be multiplied to lose it below.
std::optional<PowerFactor> find_denominator(const std::vector<ProductTerm>& terms,
                                            Expander& expander) {
  std::optional<PowerFactor> lowest;
  for (const ProductTerm& t : terms) {
    for (const PowerFactor& f : t.factors) {
      const auto n = integer_of(f.exponent);
      if (f.kind != PowerKind::plain || !n || *n >= 0 || op_of(f.base) != Op::add) continue;
      if (lowest ? !(lowest->base == f.base) : !expander.is_active(f.base)) continue;
      if (!lowest || *integer_of(lowest->exponent) < -*n)
        lowest = {f.base, -f.exponent, PowerKind::plain};
    }
  }
  return lowest;
}

bool vanishes_as_product_of_powers(const Expr& expr) {
  constexpr std::size_t limit = 400;
  constexpr int max_denominators = 8;
  Expander expander(expr.pool(), Expander::Scope::roots, limit);
  auto terms = expander.expand(expr);
  // A denominator with roots in it, such as 1 + sqrt(S), is multiplied away.
  for (int i = 0; terms && i < max_denominators; ++i) {
    const auto power = find_denominator(*terms, expander);
    if (!power) break;
    std::vector<ProductTerm> raised;
    for (const ProductTerm& t : *terms)
      raised.push_back(expander.multiply(t, {expr.pool().one(), {*power}}));
    terms = expander.distribute(std::move(raised));
  }
  if (!terms) return false;
  std::vector<ProductTerm> all;
  for (const ProductTerm& t : *terms) all.push_back(reduced(t));
  return expander.merge(all).empty();
}

bool vanishes_as_it_is(const Expr& expr) {
  if (expr.is_zero()) return true;
  if (!has_powers(expr)) return false;  // the fields have decided
  if (vanishes_with_roots(expr)) return true;
  const auto vanishes = attempt([&] { return vanishes_as_product_of_powers(expr); });
  return vanishes && *vanishes;  // not where a number is beyond the range of numbers
}

}  // namespace

bool is_proved_zero(const Expr& given) {
  if (given.is_zero()) return true;
  const Expr expr = write_by_abs(given);
  if (vanishes_as_it_is(expr)) return true;
  const std::vector<Expr> cases = write_by_cases(expr, most_cases);
  return !cases.empty() && std::all_of(cases.begin(), cases.end(), vanishes_as_it_is);
}

}  // namespace visviva
