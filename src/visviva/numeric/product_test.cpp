#include "visviva/numeric/product.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

using Eigen::MatrixXd;

// Whatever is multiplied: blocks, transposes, vectors, maps, nothing.
TEST(product, of_any_expressions_is_the_sum_over_their_entries) {
  MatrixXd A(2, 3), B(3, 2);
  A << 1, -2, 3, 4, 5, -6;
  B << 7, 8, -9, 10, 11, 12;
  MatrixXd expected(2, 2);
  expected << 58, 24, -83, 10;
  EXPECT_EQ(product(A, B), expected);
  EXPECT_EQ(product(B.transpose(), A.transpose()), expected.transpose());
  EXPECT_EQ(product(A.rightCols(2), B.bottomRows(2)),
            (MatrixXd(2, 2) << 51, 16, -111, -22).finished());
  EXPECT_EQ(product(A, Eigen::Vector3d(1, 1, 1)), Eigen::Vector2d(2, 3));
  EXPECT_EQ(product(2 * A, Eigen::Map<const MatrixXd>(B.data(), 3, 2)), 2 * expected);
  EXPECT_EQ(product(MatrixXd(2, 0), MatrixXd(0, 3)), MatrixXd::Zero(2, 3));
  EXPECT_EQ(product(MatrixXd(0, 2), A).size(), 0);
}

TEST(product, of_sizes_forgets_all_signs) {
  MatrixXd A(1, 2), B(2, 1);
  A << 2, -3;
  B << 5, 7;
  EXPECT_EQ(product_of_sizes(A, B)(0, 0), 31);
}

TEST(product, congruence_of_a_column_is_its_quadratic_form) {
  MatrixXd M(2, 2), T(2, 2);
  M << 2, 1, 1, 3;
  T << 1, 0, -1, 2;
  EXPECT_EQ(congruence(M, T), (MatrixXd(2, 2) << 3, -4, -4, 12).finished());
  EXPECT_EQ(congruence(M, T.col(0))(0, 0), 3);
}

}  // namespace
}  // namespace visviva
