// Antiderivatives: a sum of products of powers (expand.h), each group of terms by the first rule
// (integrate_rules.h) that fits it.
#include "visviva/symbolic/integrate/integrate.h"

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/integrate/integrate_rules.h"

namespace visviva {
namespace {

constexpr int max_attempts = 24;  // substitutions (5), at all levels together
constexpr int max_parts = 12;     // (6)

// By (6) only where the other rules find nothing: parts first, then they on what is left.
std::optional<Expr> integrate_in_parts(const Expr& expr, Integration& in) {
  Expr sum = in.zero(), left = expr;
  for (int i = 0; i < max_parts; ++i) {
    const auto part = find_part_of_integral(left, in);
    if (!part) break;
    sum += *part;
    left -= in.derivative(*part);
  }
  if (sum.is_zero()) return std::nullopt;
  *in.search.attempts = max_attempts;
  const auto rest = integrate_by_rules(left, in);
  if (!rest) return std::nullopt;
  return sum + *rest;
}

}  // namespace

std::optional<Expr> integrate_by_rules(const Expr& expr, Integration& in) {
  auto terms = make_wave_terms(expr, in);
  if (!terms) return std::nullopt;
  Expr sum = in.zero();
  std::erase_if(*terms, [&](const WaveTerm& term) {
    if (!term.wave.is_one()) return false;
    auto F = integrate_power(term.rest, in);
    if (!F) F = integrate_function(term.rest, in);
    if (F) sum += *F;
    return F.has_value();
  });
  for (const auto rule : {integrate_waves, integrate_by_substitution, integrate_algebraic}) {
    if (!terms->empty()) rule(&*terms, &sum, in);
  }
  if (!terms->empty()) return std::nullopt;
  return sum;
}

std::optional<Expr> find_antiderivative(const Expr& expr, const Expr& x,
                                        const std::vector<Expr>& moving) {
  int attempts = max_attempts;
  auto found = attempt([&]() -> std::optional<Expr> {
    Integration in(expr.pool(), x, {&attempts, moving});
    auto F = integrate_by_rules(expr, in);
    if (!F) F = integrate_in_parts(expr, in);
    if (!F || !is_proved_zero(differentiate(*F, x) - expr)) return std::nullopt;
    return F;
  });
  // A function outside its domain, or numbers beyond their range, on the way to a guess.
  if (!found) return std::nullopt;
  return *found;
}

void require_variable(const Expr& x, const char* function) {
  if (!x.valid() || !x.is_symbol()) throw UsageError(function, "expected a symbol to integrate by");
}

std::optional<Expr> integrate(const Expr& expr, const Expr& x) {
  require_variable(x, "integrate");
  refs_in(common_pool({expr, x}, "integrate"), {expr, x}, "integrate");
  return find_antiderivative(expr, x, {});
}

}  // namespace visviva
