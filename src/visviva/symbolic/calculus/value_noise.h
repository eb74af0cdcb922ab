// What rounding of symbols' values may do to the values of expressions.
#pragma once

#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// For each expression a bound of sum_s |de/ds| |s|, the change by a relative change of 1 of every symbol to first order. By
/// the triangle inequality at every node, so that one walk does for all: B(a b) = |a| B(b) + |b| B(a). What cancels counts.
/// NaN where a slope has no value.
std::vector<double> bound_value_noise(const std::vector<Expr>& exprs,
                                      const std::vector<Expr>& symbols,
                                      const std::vector<double>& values);

}  // namespace visviva
