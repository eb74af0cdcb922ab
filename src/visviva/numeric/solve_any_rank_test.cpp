#include "visviva/numeric/solve_any_rank.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-12;  // relative, of a handful of operations

TEST(solve_any_rank, a_regular_system_with_rows_in_other_units_is_determined) {
  MatrixXd K(2, 2);
  K << 1e9, 2e9, 3e-6, -1e-6;
  const VectorXd x = Eigen::Vector2d(1, -2);
  const AnyRankSolution found = solve_any_rank(K, K * x);
  EXPECT_TRUE(found.x.isApprox(x, rounding));
  EXPECT_TRUE(found.is_determined[0] && found.is_determined[1] && found.is_consistent);
  EXPECT_EQ(found.open.cols(), 0);
}

TEST(solve_any_rank, what_two_unknowns_share_is_left_open_and_the_third_is_told) {
  MatrixXd K(2, 3);
  K << 1, 1, 0, 0, 0, 2;
  const AnyRankSolution found = solve_any_rank(K, VectorXd(Eigen::Vector2d(2, 6)));
  EXPECT_TRUE(found.x.isApprox(VectorXd(Eigen::Vector3d(1, 1, 3)), rounding));
  EXPECT_EQ(found.is_determined, (std::vector<bool>{false, false, true}));
  ASSERT_EQ(found.open.cols(), 1);
  EXPECT_NEAR(found.open(0, 0) + found.open(1, 0), 0, rounding);
  EXPECT_NEAR(found.open.cwiseAbs().maxCoeff(), 1, rounding);
  EXPECT_TRUE(found.is_consistent);
}

TEST(solve_any_rank, a_contradiction_is_told) {
  MatrixXd K(2, 1);
  K << 1, 1;
  EXPECT_FALSE(solve_any_rank(K, VectorXd(Eigen::Vector2d(1, 2))).is_consistent);
}

TEST(solve_any_rank, a_mass_matrix_of_very_different_masses_is_regular) {
  MatrixXd M(2, 2);
  M << 1e12, 1e-1, 1e-1, 1e-12;
  const VectorXd x = Eigen::Vector2d(1, 1);
  const AnyRankSolution found = solve_any_rank(M, M * x);
  EXPECT_TRUE(found.is_determined[0] && found.is_determined[1]);
}

}  // namespace
}  // namespace visviva
