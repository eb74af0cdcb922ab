// Exact inversion of small symbolic matrices, with pivots that are not zero anywhere that matters.
#pragma once

#include <optional>
#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// The inverse, or nothing when the matrix is singular everywhere. Up to 3x3 by cofactors, which
/// print best; larger ones by elimination, with pivots chosen by their size in `values`, the matrix
/// at the start state.
std::optional<std::vector<std::vector<Expr>>> invert(
    const std::vector<std::vector<Expr>>& matrix, const std::vector<std::vector<double>>& values);

/// The determinant, in the same way.
Expr determinant(const std::vector<std::vector<Expr>>& matrix,
                 const std::vector<std::vector<double>>& values);

/// True when the numbers have no inverse to working precision.
bool is_singular(const std::vector<std::vector<double>>& values);

}  // namespace visviva
