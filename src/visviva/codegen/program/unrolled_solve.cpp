#include "visviva/codegen/program/unrolled_solve.h"

#include <algorithm>
#include <numeric>

namespace visviva {
namespace {

using Matrix = std::vector<std::vector<Expr>>;
using Order = std::vector<std::size_t>;

// ---- Orders, by what is zero and what is not

// Which entries of K are there, and how many of them each line has beside its diagonal.
class Pattern {
 public:
  Pattern(const Matrix& M, const Matrix& A)
      : speeds_(M.size()), is_there_(M.size() + A.size(), std::vector<bool>(M.size() + A.size())) {
    for (std::size_t i = 0; i < speeds_; ++i) {
      for (std::size_t j = 0; j < speeds_; ++j) is_there_[i][j] = !M[i][j].is_zero();
    }
    for (std::size_t i = 0; i < A.size(); ++i) {
      for (std::size_t j = 0; j < speeds_; ++j)
        is_there_[speeds_ + i][j] = is_there_[j][speeds_ + i] = !A[i][j].is_zero();
    }
    is_open_.assign(size(), true);
    for (std::size_t i = 0; i < size(); ++i) {
      degrees_.push_back(0);
      for (std::size_t j = 0; j < size(); ++j) degrees_[i] += i != j && is_there_[i][j] ? 1 : 0;
    }
  }

  std::size_t speeds() const { return speeds_; }
  std::size_t size() const { return is_there_.size(); }

  /// The line from `first` on, before `last`, that has the fewest neighbours.
  std::size_t find_fewest(std::size_t first, std::size_t last) const {
    std::size_t best = last;
    for (std::size_t i = last; i-- > first;) {
      if (is_open_[i] && (best == last || degrees_[i] < degrees_[best])) best = i;
    }
    return best;
  }

  /// Takes a line out, with the entries that fill in. Returns the multiplications of (2) and (3).
  std::size_t eliminate(std::size_t k) {
    is_open_[k] = false;
    near_.clear();
    for (std::size_t i = 0; i < size(); ++i) {
      if (is_open_[i] && is_there_[i][k]) near_.push_back(i);
    }
    for (const std::size_t i : near_) {
      --degrees_[i];
      for (const std::size_t j : near_) {
        if (i == j || is_there_[i][j]) continue;
        is_there_[i][j] = true;
        ++degrees_[i];
      }
    }
    return 2 + 3 * near_.size() + near_.size() * (near_.size() + 1) / 2;
  }

 private:
  std::size_t speeds_;
  std::vector<std::vector<bool>> is_there_;
  std::vector<bool> is_open_;
  std::vector<std::size_t> degrees_, near_;
};

struct CountedOrder {
  Order order;
  std::size_t operations = 0;  // counted no further than `enough`
};

enum class SpeedOrder { reverse, forward, fewest_first };

CountedOrder make_order(Pattern pattern, SpeedOrder kind, std::size_t enough) {
  CountedOrder result;
  const std::size_t n = pattern.speeds(), all = pattern.size();
  for (std::size_t p = 0; p < all && result.operations <= enough; ++p) {
    std::size_t k = pattern.find_fewest(n, all);
    if (p < n)
      k = kind == SpeedOrder::reverse   ? n - 1 - p
          : kind == SpeedOrder::forward ? p
                                        : pattern.find_fewest(0, n);
    result.operations += pattern.eliminate(k);
    result.order.push_back(k);
  }
  return result;
}

CountedOrder choose_order(const Matrix& M, const Matrix& A, std::size_t enough) {
  const Pattern pattern(M, A);
  CountedOrder best = make_order(pattern, SpeedOrder::reverse, enough);
  for (const SpeedOrder kind : {SpeedOrder::forward, SpeedOrder::fewest_first}) {
    CountedOrder other = make_order(pattern, kind, std::min(enough, best.operations));
    if (other.operations < best.operations) best = std::move(other);
  }
  return best;
}

// ---- Elimination

// K and g of (1) as they become, and what is kept on the way.
class Elimination {
 public:
  Elimination(Matrix M, std::vector<Expr> f, const Matrix& A, const std::vector<Expr>& b)
      : n_(M.size()), K_(std::move(M)), g_(std::move(f)), L_(n_ + A.size()), inverse_(L_.size()) {
    for (std::size_t i = 0; i < A.size(); ++i) {
      for (std::size_t k = 0; k < n_; ++k) K_[k].push_back(A[i][k]);
    }
    for (std::size_t i = 0; i < A.size(); ++i) {
      K_.push_back(A[i]);
      K_.back().resize(L_.size(), b[i] - b[i]);
      g_.push_back(b[i]);
    }
    solution_.row_shares.resize(A.size());
    solution_.pivots.resize(n_);
    solution_.row_pivots.resize(A.size());
  }

  // False when a pivot is identically zero.
  bool eliminate(const Order& order) {
    for (std::size_t p = 0; p < order.size(); ++p) {
      if (p == n_) note_row_sizes();
      const std::size_t k = order[p];
      if (K_[k][k].is_zero()) return false;
      note_pivot(k);
      take_out(k, {order.begin() + static_cast<std::ptrdiff_t>(p) + 1, order.end()});
    }
    return true;
  }

  UnrolledSolution substitute(const Order& order) {
    for (std::size_t p = order.size(); p-- > 0;) {  // (3)
      const std::size_t k = order[p];
      g_[k] *= inverse_[k];
      for (const auto& [i, l] : L_[k]) g_[k] -= l * g_[i];
    }
    for (std::size_t i = n_; i < g_.size(); ++i) solution_.multipliers.push_back(-g_[i]);
    g_.resize(n_);
    solution_.x = std::move(g_);
    return std::move(solution_);
  }

 private:
  void note_row_sizes() {
    for (std::size_t i = n_; i < L_.size(); ++i) solution_.row_sizes.push_back(-K_[i][i]);
  }

  void note_pivot(std::size_t k) {
    inverse_[k] = 1.0 / K_[k][k];
    if (k < n_)
      solution_.pivots[k] = K_[k][k];
    else
      solution_.row_pivots[k - n_] = -K_[k][k];
  }

  // (2), on the lines that are left
  void take_out(std::size_t k, const Order& left) {
    for (const std::size_t i : left) {
      if (!K_[i][k].is_zero()) L_[k].emplace_back(i, K_[i][k] * inverse_[k]);
    }
    for (std::size_t a = 0; a < L_[k].size(); ++a) {
      const auto& [i, l] = L_[k][a];
      for (std::size_t b = a; b < L_[k].size(); ++b) {
        const std::size_t j = L_[k][b].first;
        const Expr change = l * K_[j][k];
        if (i == j && i >= n_ && k < n_) solution_.row_shares[i - n_].push_back(change);
        K_[i][j] -= change;
        K_[j][i] = K_[i][j];
      }
      g_[i] -= l * g_[k];
    }
  }

  std::size_t n_;
  Matrix K_;
  std::vector<Expr> g_;
  std::vector<std::vector<std::pair<std::size_t, Expr>>> L_;  // of each pivot: lines and l_ik
  std::vector<Expr> inverse_;
  UnrolledSolution solution_;
};

}  // namespace

std::size_t count_solve_operations(const Matrix& M, const Matrix& A, std::size_t enough) {
  return choose_order(M, A, enough).operations;
}

std::optional<UnrolledSolution> solve_unrolled(Matrix M, std::vector<Expr> f, const Matrix& A,
                                               const std::vector<Expr>& b) {
  const Order order = choose_order(M, A, std::numeric_limits<std::size_t>::max()).order;
  Elimination elimination(std::move(M), std::move(f), A, b);
  if (!elimination.eliminate(order)) return {};
  return elimination.substitute(order);
}

}  // namespace visviva
