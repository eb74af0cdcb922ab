// The regular case agrees with elimination by full pivoting, and what is doubtful is refused.
#include "visviva/numeric/schur_solve.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <optional>
#include <random>

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double two_ways_of_rounding = 1e-11;  // relative, of matrices of condition 1e3

struct Sample {
  MatrixXd M, A;
  VectorXd f, b;

  std::optional<VectorXd> solve() const {
    static SchurLines lines;
    const auto n = static_cast<std::size_t>(M.rows()), m = static_cast<std::size_t>(A.rows());
    lines.begin(n, m);
    for (std::size_t k = 0; k < n; ++k) {
      const auto row = static_cast<Index>(k);
      for (std::size_t j = k; j < n; ++j) lines(k, j) = M(row, static_cast<Index>(j));
      for (std::size_t i = 0; i < m; ++i) lines(k, n + i) = A(static_cast<Index>(i), row);
      lines(k, lines.right_column()) = f(row);
    }
    for (std::size_t i = 0; i < m; ++i)
      lines(n + i, lines.right_column()) = b(static_cast<Index>(i));
    VectorXd x;
    if (!lines.solve(&x)) return {};
    return x;
  }
  VectorXd solve_by_pivoting() const {
    const Index n = M.rows(), m = A.rows();
    MatrixXd K = MatrixXd::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = M;
    K.topRightCorner(n, m) = -A.transpose();
    K.bottomLeftCorner(m, n) = A;
    VectorXd rhs(n + m);
    rhs << f, b;
    return K.fullPivLu().solve(rhs);
  }
};

Sample make_sample(Index n, Index m) {
  std::mt19937_64 random(static_cast<std::uint64_t>(100 * n + m));
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto any = [&](Index rows, Index columns) {
    return MatrixXd(MatrixXd::NullaryExpr(rows, columns, [&] { return uniform(random); }));
  };
  const MatrixXd G = any(n, n);
  return {G * G.transpose() + MatrixXd::Identity(n, n), any(m, n), any(n, 1), any(m, 1)};
}

TEST(SchurLines, agree_with_full_pivoting) {
  for (const Index n : {1, 2, 3, 7, 8, 9, 31, 64}) {
    for (const Index m : {0, 1, 2, 5}) {
      if (2 * m > n) continue;
      const Sample s = make_sample(n, m);
      const auto x = s.solve();
      ASSERT_TRUE(x) << n << " " << m;
      const VectorXd expected = s.solve_by_pivoting();
      EXPECT_LE((*x - expected).norm(), two_ways_of_rounding * expected.norm()) << n << " " << m;
    }
  }
}

TEST(SchurLines, refuse_rows_that_are_redundant_or_nearly_so) {
  Sample s = make_sample(6, 3);
  const VectorXd other = s.A.row(2);
  s.A.row(2) = s.A.row(0) - 2 * s.A.row(1);
  EXPECT_FALSE(s.solve());
  s.A.row(2) += 1e-4 * other.transpose();
  EXPECT_FALSE(s.solve());
  s.A.row(2) += 0.5 * other.transpose();
  EXPECT_TRUE(s.solve());
}

TEST(SchurLines, refuse_rows_of_nothing_but_rounding) {
  Sample s = make_sample(6, 2);
  s.A.row(1) *= 1e-16;
  EXPECT_FALSE(s.solve());
  s.A.row(1).setZero();
  EXPECT_FALSE(s.solve());
}

TEST(SchurLines, refuse_a_mass_matrix_that_is_singular_or_not_finite) {
  Sample s = make_sample(4, 1);
  s.M.row(1) = s.M.row(0);
  s.M.col(1) = s.M.col(0);
  s.M(1, 1) = s.M(0, 0);
  EXPECT_FALSE(s.solve());
  s = make_sample(4, 1);
  s.f(2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(s.solve());
}

// Two masses that move as one. What a force on the light one leaves of its acceleration has no digits:
// 1e-11 of itself against 1e-16.
TEST(SchurLines, refuse_to_divide_by_a_mass_next_to_nothing) {
  Sample s{Eigen::Vector2d(1e-11, 1).asDiagonal(), MatrixXd(1, 2), VectorXd(2), VectorXd::Zero(1)};
  s.A << 1, -1;
  s.f << 1, 0;
  EXPECT_FALSE(s.solve());
  // By their weights both fall alike.
  s.f << 9.81e-11, 9.81;
  const auto x = s.solve();
  ASSERT_TRUE(x);
  EXPECT_NEAR((*x)(0), 9.81, 1e-13);
  EXPECT_NEAR((*x)(1), 9.81, 1e-13);
  // Masses that differ less are no question.
  s.M(0, 0) = 1e-3;
  s.f << 1, 0;
  EXPECT_NEAR((*s.solve())(0), 1 / 1.001, 1e-12);
}

}  // namespace
}  // namespace visviva
