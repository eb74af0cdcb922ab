// M x = f for a symmetric positive definite M, with rows A x = b or without, solved on shared nodes:
// elimination written out, for the non-zero entries alone.
//
//   | M  A' | | x  |   | f |
//   | A  0  | | -λ | = | b |        K z = g                                                     (1)
// K = L D L' without exchanges, speeds before rows:
//   d_k = K_kk,   l_ik = K_ik / d_k,   K_ij -= l_ik K_kj,   g_i -= l_ik g_k                     (2)
//   z_k = g_k / d_k - sum_i l_ik z_i                                                            (3)
// When all speeds are through, minus S = A M^-1 A' is left in the place of the zeros, and its pivots
// follow. Speeds are taken last to first (a mechanism whose speeds are numbered from the base outward
// fills nothing in then), first to last, or fewest neighbours first, whatever is cheapest; rows fewest
// neighbours first.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// Multiplications of the cheapest order, by the non-zeros and what they fill in. Counting ends where
/// they are more than `enough`.
std::size_t count_solve_operations(const std::vector<std::vector<Expr>>& M,
                                   const std::vector<std::vector<Expr>>& A = {},
                                   std::size_t enough = std::numeric_limits<std::size_t>::max());

struct UnrolledSolution {
  std::vector<Expr> x, multipliers;  ///< multipliers: λ
  /// d_k of the speeds; as long as they are positive, and not by rounding, M is regular.
  std::vector<Expr> pivots;
  /// Pivots of S, and its diagonal: their quotient is the square of the sine between a row and those
  /// before it, M^-1 the measure.
  std::vector<Expr> row_pivots, row_sizes;
  /// What each speed adds to S_ii, where it is not zero.
  std::vector<std::vector<Expr>> row_shares;
};

/// The solution of (1); nothing when a pivot is identically zero.
std::optional<UnrolledSolution> solve_unrolled(std::vector<std::vector<Expr>> M,
                                               std::vector<Expr> f,
                                               const std::vector<std::vector<Expr>>& A = {},
                                               const std::vector<Expr>& b = {});

}  // namespace visviva
