#include "visviva/codegen/program/unrolled_solve.h"

#include <algorithm>
#include <numeric>

namespace visviva {
namespace {

std::vector<std::size_t> make_order(std::size_t n, bool is_reverse) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (is_reverse) std::reverse(order.begin(), order.end());
  return order;
}

// What (1) and (2) cost in this order, with the entries that fill in.
std::size_t count_operations(const std::vector<std::vector<Expr>>& M,
                             const std::vector<std::size_t>& order) {
  const std::size_t n = M.size();
  std::vector<std::vector<bool>> is_there(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) is_there[i][j] = !M[i][j].is_zero();
  }
  std::size_t count = 0;
  std::vector<std::size_t> below;
  for (std::size_t k = 0; k < n; ++k) {
    below.clear();
    for (std::size_t i = k + 1; i < n; ++i) {
      if (is_there[order[i]][order[k]]) below.push_back(order[i]);
    }
    count += 2 + 3 * below.size() + below.size() * (below.size() + 1) / 2;
    for (const std::size_t i : below) {
      for (const std::size_t j : below) is_there[i][j] = true;
    }
  }
  return count;
}

std::vector<std::size_t> choose_order(const std::vector<std::vector<Expr>>& M) {
  const std::vector<std::size_t> forward = make_order(M.size(), false),
                                 reverse = make_order(M.size(), true);
  return count_operations(M, forward) < count_operations(M, reverse) ? forward : reverse;
}

}  // namespace

std::size_t count_solve_operations(const std::vector<std::vector<Expr>>& M) {
  return count_operations(M, choose_order(M));
}

std::optional<UnrolledSolution> solve_unrolled(std::vector<std::vector<Expr>> M,
                                               std::vector<Expr> f) {
  const std::vector<std::size_t> order = choose_order(M);
  const std::size_t n = order.size();
  std::vector<std::vector<std::pair<std::size_t, Expr>>> L(n);  // of each pivot: rows and l_ik
  std::vector<Expr> pivots(n), inverse(n);

  // (1), on the rows that are left
  for (std::size_t p = 0; p < n; ++p) {
    const std::size_t k = order[p];
    if (M[k][k].is_zero()) return {};
    pivots[k] = M[k][k];
    inverse[k] = 1.0 / M[k][k];
    for (std::size_t i = p + 1; i < n; ++i) {
      if (!M[order[i]][k].is_zero()) L[k].emplace_back(order[i], M[order[i]][k] * inverse[k]);
    }
    for (std::size_t a = 0; a < L[k].size(); ++a) {
      const auto& [i, l] = L[k][a];
      for (std::size_t b = a; b < L[k].size(); ++b) {
        const std::size_t j = L[k][b].first;
        M[i][j] -= l * M[j][k];
        M[j][i] = M[i][j];
      }
      f[i] -= l * f[k];
    }
  }
  // (2)
  for (std::size_t p = n; p-- > 0;) {
    const std::size_t k = order[p];
    f[k] *= inverse[k];
    for (const auto& [i, l] : L[k]) f[k] -= l * f[i];
  }
  return UnrolledSolution{std::move(f), std::move(pivots)};
}

}  // namespace visviva
