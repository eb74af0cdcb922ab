// Laurent polynomials in the variable of an integration, with expressions as coefficients.
#pragma once

#include <functional>
#include <map>

#include "visviva/symbolic/simplify/expand_powers.h"

namespace visviva {

/// The largest degree, of either sign, that is handled.
inline constexpr std::int64_t max_laurent = 40;

/// A Laurent polynomial: coefficients, none of them zero, by degree, the highest first.
using Laurent = std::map<std::int64_t, Expr, std::greater<>>;

Expr coefficient(const Laurent& p, std::int64_t degree, ExprPool& pool);
void add_to(Laurent* p, std::int64_t degree, const Expr& c);
Laurent multiply(const Laurent& p, const Laurent& q);
Expr evaluate_at(const Laurent& p, const Expr& x);

/// The exponent n when a term is c x^n.
std::optional<std::int64_t> power_of(const Expr& x, const ProductTerm& term);

}  // namespace visviva
