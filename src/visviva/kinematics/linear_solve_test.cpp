#include "visviva/kinematics/linear_solve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

using Rows = std::vector<std::vector<Expr>>;
using Values = std::vector<std::vector<double>>;

class LinearSolve : public testing::Test {
 protected:
  ExprPool pool_;
  Expr x_ = pool_.symbol("x"), y_ = pool_.symbol("y"), zero_ = pool_.zero(), one_ = pool_.one();

  Values at(const Rows& rows, double x, double y) {
    Values values;
    for (const auto& row : rows) {
      values.push_back(Evaluator({x_, y_}, row)(std::vector<double>{x, y}));
    }
    return values;
  }

  void expect_inverse(const Rows& m, double x = 0.3, double y = -0.7) {
    const auto inverse = invert(m, at(m, x, y));
    ASSERT_TRUE(inverse);
    for (std::size_t i = 0; i < m.size(); ++i) {
      for (std::size_t j = 0; j < m.size(); ++j) {
        Expr left = zero_, right = zero_;
        for (std::size_t k = 0; k < m.size(); ++k) {
          left += (*inverse)[i][k] * m[k][j];
          right += m[i][k] * (*inverse)[k][j];
        }
        EXPECT_EQ(left, i == j ? 1.0 : 0.0) << i << j;
        EXPECT_EQ(right, i == j ? 1.0 : 0.0) << i << j;
      }
    }
  }

  // 1 on the diagonal, a product of functions elsewhere.
  Rows mixed(std::size_t n) {
    Rows m(n, std::vector<Expr>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const Expr a = static_cast<double>(i + 1) * x_, b = static_cast<double>(j + 1) * y_;
        m[i][j] = i == j ? one_ + x_ * x_ : sin(a) * cos(b) / 2.0 + (i > j ? y_ : zero_);
      }
    }
    return m;
  }
};

TEST_F(LinearSolve, inverses_of_every_size_are_exact) {
  for (std::size_t n = 1; n <= 6; ++n) expect_inverse(mixed(n));
}

TEST_F(LinearSolve, a_zero_on_the_diagonal_is_no_obstacle) {
  expect_inverse({{zero_, one_}, {x_, y_}});
  expect_inverse({{zero_, zero_, one_, zero_, zero_},
                  {x_, zero_, zero_, zero_, zero_},
                  {zero_, zero_, zero_, zero_, sin(y_)},
                  {zero_, one_, x_, zero_, zero_},
                  {y_, zero_, zero_, x_, zero_}});
}

TEST_F(LinearSolve, pivots_are_not_zero_at_the_start_where_that_can_be_had) {
  // With x = 0 at the start the first row gives no pivot; the result must be finite there.
  const Rows m = {{x_, one_, zero_, zero_},
                  {one_ + y_, x_, zero_, zero_},
                  {zero_, zero_, x_, one_ + y_ * y_},
                  {zero_, zero_, one_ + y_, x_}};
  expect_inverse(m, 0, 1);
  const auto inverse = invert(m, at(m, 0, 1));
  for (const auto& row : *inverse) {
    for (const double v : Evaluator({x_, y_}, row)(std::vector<double>{0, 1})) {
      EXPECT_TRUE(std::isfinite(v));
    }
  }
}

TEST_F(LinearSolve, what_is_singular_everywhere_has_no_inverse) {
  const Rows two = {{cos(x_), sin(x_)}, {2.0 * cos(x_), 2.0 * sin(x_)}};
  EXPECT_FALSE(invert(two, at(two, 0.3, 0.2)));
  Rows five = mixed(5);
  for (std::size_t j = 0; j < 5; ++j) five[4][j] = x_ * five[0][j] - five[2][j];
  EXPECT_FALSE(invert(five, at(five, 0.3, 0.2)));
  EXPECT_FALSE(invert({{zero_}}, {{0.0}}));
}

TEST_F(LinearSolve, numbers_are_singular_whatever_the_units_of_their_rows) {
  EXPECT_TRUE(is_singular({{1, 2}, {2, 4}}));
  EXPECT_TRUE(is_singular({{0, 0}, {0, 1}}));
  EXPECT_TRUE(is_singular({{1, 0}, {0, std::numeric_limits<double>::quiet_NaN()}}));
  EXPECT_FALSE(is_singular({{1e-9, 0}, {0, 1e9}}));
  EXPECT_FALSE(is_singular({{1e-15, 2e-15}, {1, 3}}));
}

}  // namespace
}  // namespace visviva
