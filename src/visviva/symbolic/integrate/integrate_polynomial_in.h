// Quotients as polynomials in a function u of the variable: the c0 + c1 u + ... of rule (5).
#pragma once

#include "visviva/symbolic/integrate/integrate_terms.h"

namespace visviva {

inline constexpr int max_degree_in_u = 4;

/// A fraction of expressions.
struct Fraction {
  Expr above;
  Expr below;
};

/// A fraction as c0 + c1 u + ..., proved, an expression of the symbol that stands for u;
/// nothing when it is none that is found. The coefficients do not mention x.
std::optional<Expr> write_as_polynomial_in(const Expr& u, const Expr& symbol,
                                           const Fraction& fraction, Integration& in);

}  // namespace visviva
