#include "visviva/numeric/dense.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(dense, the_least_solution_of_a_rank_deficient_system_is_the_one_across_its_null_space) {
  MatrixXd K(3, 3);
  K << 1, 1, 0, 2, 2, 0, 0, 0, 5;
  const VectorXd x = solve_least_squares(K, VectorXd(Eigen::Vector3d(2, 4, 10)), 1e-12);
  EXPECT_TRUE(x.isApprox(VectorXd(Eigen::Vector3d(1, 1, 2)), 1e-12));
  EXPECT_EQ(compute_rank(K, 1e-12), 2);
  const MatrixXd null = compute_null_space(K, 1e-12);
  ASSERT_EQ(null.cols(), 1);
  EXPECT_NEAR((K * null).norm(), 0, 1e-14);
  EXPECT_NEAR(null.norm(), 1, 1e-14);
}

// A shifted Hilbert-like matrix, and one with two equal weakest directions: that is left to the decomposition.
TEST(dense, the_weakest_direction_is_the_last_right_singular_vector) {
  const int n = 12;
  Eigen::MatrixXcd A(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) A(i, j) = {1.0 / (1 + i + 2 * j), i == j ? 0.7 + 0.1 * i : 0.0};
  }
  const Eigen::VectorXcd expected = compute_complex_directions(A).columns.col(n - 1);
  const Eigen::VectorXcd x = compute_weakest_direction(A);
  EXPECT_NEAR(std::abs(expected.dot(x)), 1, 1e-12);
  EXPECT_NEAR((A * x).norm(), compute_complex_directions(A).sizes(n - 1), 1e-12);

  const Eigen::MatrixXcd singular = A - A * x * x.adjoint();  // its last singular value is 0
  EXPECT_NEAR((singular * compute_weakest_direction(singular)).norm(), 0, 1e-13);
  EXPECT_NEAR(compute_weakest_direction(Eigen::MatrixXcd::Zero(n, n)).norm(), 1, 1e-13);
  EXPECT_NEAR(compute_weakest_direction(Eigen::MatrixXcd::Identity(n, n)).norm(), 1, 1e-13);
}

TEST(dense, a_proof_of_positive_eigenvalues_holds_up_to_rounding) {
  MatrixXd S(3, 3);  // eigenvalues 2 - sqrt(2), 2, 2 + sqrt(2)
  S << 2, 1, 0, 1, 2, 1, 0, 1, 2;
  const double lowest = 2 - std::sqrt(2.0);
  EXPECT_TRUE(is_surely_above(S, lowest - 1e-13));
  EXPECT_FALSE(is_surely_above(S, lowest));
  EXPECT_FALSE(is_surely_above(S, lowest + 1e-13));
  EXPECT_FALSE(is_surely_above(MatrixXd::Ones(3, 3), 1e-16));
  EXPECT_FALSE(is_surely_above(-S, -10));  // proves nothing below zero
  EXPECT_FALSE(is_surely_above(S * std::nan(""), 0));
  EXPECT_TRUE(is_surely_above(MatrixXd(0, 0), 1));
}

TEST(dense, no_rows_leave_everything_open) {
  EXPECT_TRUE(compute_null_space(MatrixXd(0, 3), 1e-9).isIdentity());
  EXPECT_EQ(compute_rank(MatrixXd(0, 3), 1e-9), 0);
  EXPECT_TRUE(solve_least_squares(MatrixXd(0, 2), VectorXd(0)).isZero());
}

TEST(dense, no_right_sides_have_no_solutions) {
  for (const int rows : {0, 1, 3}) {
    const MatrixXd x = solve_least_squares(MatrixXd::Ones(rows, 2), MatrixXd(rows, 0), 1e-12);
    EXPECT_EQ(x.rows(), 2);
    EXPECT_EQ(x.cols(), 0);
  }
}

TEST(dense, nothing_has_no_values) {
  const MatrixXd nothing(0, 0);
  EXPECT_EQ(compute_eigenvalues(nothing).size(), 0);
  EXPECT_EQ(compute_symmetric_eigen(nothing).values.size(), 0);
  for (const MatrixXd& K : {nothing, MatrixXd(3, 0), MatrixXd(0, 3)}) {
    EXPECT_EQ(compute_singular_values(K).size(), 0);
    const ComplexDirections d = compute_complex_directions(K);
    EXPECT_EQ(d.sizes.size(), 0);
    EXPECT_TRUE(d.columns.isIdentity());
    EXPECT_EQ(d.columns.cols(), K.cols());
  }
}

TEST(dense, eigenvalues_of_a_rotation_and_of_a_symmetric_matrix_are_the_known_ones) {
  MatrixXd R(2, 2), S(2, 2);
  R << 0, -2, 2, 0;
  S << 2, 1, 1, 2;
  const Eigen::VectorXcd values = compute_eigenvalues(R);
  EXPECT_NEAR(std::abs(values(0) * values(1) - 4.0), 0, 1e-14);
  EXPECT_NEAR(std::abs(values(0) + values(1)), 0, 1e-14);
  const SymmetricEigen e = compute_symmetric_eigen(S);
  EXPECT_NEAR(e.values(0), 1, 1e-14);
  EXPECT_NEAR(e.values(1), 3, 1e-14);
  EXPECT_TRUE((S * e.vectors).isApprox(e.vectors * e.values.asDiagonal(), 1e-14));
  EXPECT_TRUE(compute_singular_values(R).isApprox(Eigen::Vector2d(2, 2), 1e-14));
  const Eigen::MatrixXcd shifted = R - values(0) * MatrixXd::Identity(2, 2);
  const ComplexDirections d = compute_complex_directions(shifted);
  EXPECT_NEAR(d.sizes(1), 0, 1e-14);
  EXPECT_NEAR((shifted * d.columns.col(1)).norm(), 0, 1e-14);
}

}  // namespace
}  // namespace visviva
