#include "visviva/symbolic/simplify/root_algebra.h"

#include <gtest/gtest.h>

#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

class RootAlgebra : public testing::Test {
 protected:
  ExprPool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z"), a = pool.symbol("a");
  Expr S = sqrt(a * a - x * x - y * y), T = sqrt(1 + z * z);
};

TEST_F(RootAlgebra, knows_the_squares_of_roots_in_sums_and_quotients) {
  EXPECT_TRUE(vanishes_with_roots((y * S + T) * (z * S - T) -
                                  (y * z * (a * a - x * x - y * y) + (z - y) * S * T - 1 - z * z)));
  EXPECT_TRUE(vanishes_with_roots(1 / (S - T) - (S + T) / (a * a - x * x - y * y - 1 - z * z)));
  EXPECT_TRUE(vanishes_with_roots(abs(x) / (1 + abs(x)) - (abs(x) - x * x) / (1 - x * x)));
}

TEST_F(RootAlgebra, knows_roots_under_roots) {
  const Expr R = sqrt(1 + T);
  EXPECT_TRUE(vanishes_with_roots((R * x + y) * (R * x - y) - (x * x + x * x * T - y * y)));
  EXPECT_TRUE(vanishes_with_roots(1 / (R + T) - (R - T) / (T - z * z)));
}

// (S + T)^2 under a root, built in two forms whose equality needs the squares.
TEST_F(RootAlgebra, takes_roots_with_the_same_square_for_the_same) {
  const Expr other = sqrt(a * a - x * x - y * y + (1 + z * z) + 2 * S * T + x);
  EXPECT_TRUE(vanishes_with_roots(sqrt((S + T) * (S + T) + x) * y - other * y));
}

// d/dx of a root by the chain rule twice, against the closed form.
TEST_F(RootAlgebra, proves_second_derivatives_of_a_sphere) {
  const Expr second = differentiate(differentiate(S, x), x);
  EXPECT_TRUE(vanishes_with_roots(second * S * S * S + a * a - y * y));
}

TEST_F(RootAlgebra, proves_nothing_that_is_false_for_some_sign_or_state) {
  EXPECT_FALSE(vanishes_with_roots(S - T));
  EXPECT_FALSE(vanishes_with_roots(S + T));
  EXPECT_FALSE(vanishes_with_roots(sqrt(x * x + a) - x));
  EXPECT_FALSE(vanishes_with_roots(abs(x) - x));
  EXPECT_FALSE(vanishes_with_roots(S * T - S * T * 1.0000001));
}

TEST_F(RootAlgebra, gives_up_beyond_its_limits) {
  Expr sum = pool.zero(), squares = pool.zero();
  for (int i = 0; i < 12; ++i) {
    const Expr q = pool.symbol("q" + std::to_string(i));
    sum += sqrt(q) * y;
    squares += sqrt(q);
  }
  EXPECT_FALSE(vanishes_with_roots(sum * sum - squares * squares * y * y + x - x * 2));
}

}  // namespace
}  // namespace visviva
