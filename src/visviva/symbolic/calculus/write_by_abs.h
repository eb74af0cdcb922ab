// The larger and the smaller of two, written by abs: integrals and proofs know that. And what is left of abs case by case.
//
//   max(a, b) = (a + b + |a - b|)/2,   min(a, b) = (a + b - |a - b|)/2                                  (1)
#pragma once

#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// The expressions without max and min, by (1).
std::vector<Expr> write_by_abs(const std::vector<Expr>& exprs);
Expr write_by_abs(const Expr& expr);

/// The expression where all arguments of abs and sign have one sign or the other: |a| is a or -a. Nothing where there are none,
/// or more than `most` arguments.
std::vector<Expr> write_by_cases(const Expr& expr, int most);

}  // namespace visviva
