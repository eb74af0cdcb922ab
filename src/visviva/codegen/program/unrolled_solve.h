// M x = f for a symmetric positive definite M, solved on shared nodes: elimination written out, for
// the non-zero entries alone.
//
// M = L D L' without exchanges, rows taken first to last or last to first:
//   d_k = M_kk,   l_ik = M_ik / d_k,   M_ij -= l_ik M_kj,   f_i -= l_ik f_k                     (1)
//   x_k = f_k / d_k - sum_i l_ik x_i                                                            (2)
// Last to first, a mechanism whose speeds are numbered from the base outward fills nothing in.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// Multiplications of the cheaper of both orders, by the non-zeros and what they fill in.
std::size_t count_solve_operations(const std::vector<std::vector<Expr>>& M);

struct UnrolledSolution {
  std::vector<Expr> x;
  std::vector<Expr> pivots;  ///< d_k; as long as they are positive, and not by rounding, x is right
};

/// The solution of M x = f; nothing when a pivot is identically zero.
std::optional<UnrolledSolution> solve_unrolled(std::vector<std::vector<Expr>> M,
                                               std::vector<Expr> f);

}  // namespace visviva
