// The regular case of accelerations under constraints: M u' = f + A'λ, A u' = b by elimination without
// exchanges, as long as nothing about the rank is doubtful.
//
//   | M  A' | | u' |   | f |
//   | A  0  | | -λ | = | b |        K z = g,   lines k = speeds, then rows                       (1)
//   d_k = K_kk,   K_ij -= K_ik K_kj / d_k,   g_i -= K_ik g_k / d_k,   i > k                      (2)
//   z_k = (g_k - sum_{i>k} K_ki z_i) / d_k                                                       (3)
// When all speeds are through, minus S = A M^-1 A' is left in the place of the zeros. What is doubtful,
// or would lose digits, is left to solve_any_rank.h, which needs neither M nor S to be positive. With p
// the pivots d of M and -d of S, c_ki what speed k adds to S_ii, it goes on only where, for every speed k
// and row i,
//   p_k > sure_mass_pivot M_kk                                                                   (4)
//   p_i > sure_row_pivot S_ii + sure_row_size (S_11 + S_22 + ...)                                (5)
//   max_k c_ki < sure_share S_ii,   or   S_ii |λ_i| sure_cancellation < sum_s |A_is u'_s| + |b_i|      (6)
// (5): p_i/S_ii is the square of the sine between row i and those before it, and digits are lost with the
// square. (6): a speed whose inertia is next to nothing against what the row couples it with would be
// what two large terms leave, its force and the constraint's. Rows of one entry fix a speed: for them (6)
// is no question. codegen/system/written_solution.h writes the same out.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace visviva {

constexpr double sure_mass_pivot = 1e-12;
constexpr double sure_row_pivot = 1e-5;  // five digits of sixteen are lost at worst
constexpr double sure_row_size = 1e-20;  // rows of rounding alone have no size: kkt_assembly.h
constexpr double sure_share = 1.0 - 1e-6;
constexpr double sure_cancellation = 1e-6;

/// The equations (1) as lines of numbers, on and right of the diagonal. Memory is kept between uses.
class SchurLines {
 public:
  /// Zeros for n speeds and m rows.
  void begin(std::size_t n, std::size_t m);
  std::size_t right_column() const { return n_ + m_; }  ///< of g
  /// An entry of M, A' or g, column >= line.
  double& operator()(std::size_t line, std::size_t column) {
    return lines_[line * stride_ + column];
  }
  /// x = (u', λ). False where (4) to (6) do not hold, or x is not finite; x means nothing then.
  bool solve(Eigen::VectorXd* x);

 private:
  void note_start();
  bool is_sure(std::size_t k);
  void note_shares(std::size_t k);
  void substitute();
  bool keeps_digits() const;

  std::size_t n_ = 0, m_ = 0, stride_ = 0;
  std::vector<double> memory_;
  double* lines_ = nullptr;                           // in memory_, aligned
  std::vector<double> diagonal_, shares_, rows_, z_;  // M_kk and S_ii; max c; A and b; z
};

}  // namespace visviva
