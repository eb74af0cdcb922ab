#include "visviva/symbolic/integrate/integrate_laurent.h"

namespace visviva {

Expr coefficient(const Laurent& p, std::int64_t degree, ExprPool& pool) {
  const auto found = p.find(degree);
  return found == p.end() ? pool.zero() : found->second;
}

void add_to(Laurent* p, std::int64_t degree, const Expr& c) {
  const auto [place, fresh] = p->try_emplace(degree, c);
  if (!fresh) place->second += c;
  if (place->second.is_zero()) p->erase(place);
}

Laurent multiply(const Laurent& p, const Laurent& q) {
  Laurent product;
  for (const auto& [i, a] : p) {
    for (const auto& [j, b] : q) add_to(&product, i + j, a * b);
  }
  return product;
}

Expr evaluate_at(const Laurent& p, const Expr& x) {
  Expr sum = x.pool().zero();
  for (const auto& [n, c] : p) sum += c * pow(x, static_cast<double>(n));
  return sum;
}

std::optional<std::int64_t> power_of(const Expr& x, const ProductTerm& term) {
  if (term.factors.empty()) return 0;
  const PowerFactor& f = term.factors[0];
  if (term.factors.size() > 1 || !(f.base == x) || f.kind != PowerKind::plain) return std::nullopt;
  const auto n = integer_of(f.exponent);
  if (!n || *n > max_laurent || *n < -max_laurent) return std::nullopt;
  return n;
}

}  // namespace visviva
