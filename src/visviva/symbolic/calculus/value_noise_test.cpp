#include "visviva/symbolic/calculus/value_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

constexpr double rounding = 1e-14;

// Without cancellation the bound is the sum itself, by derivatives.
TEST(value_noise, is_the_sum_of_relative_slopes_where_nothing_cancels) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y");
  const std::vector<Expr> symbols = {x, y};
  const std::vector<double> values = {0.7, -0.4};
  const std::vector<Expr> exprs = {x * y,       x / y,   sqrt(x), sin(x) * y,       exp(y) / x,
                                   pow(x, y),   tan(x),  asin(x), atan2(y, x),      log(x),
                                   cosh(y) * x, tanh(y), atan(x), abs(y),           min(x, y),
                                   max(x, y),   acos(y), sinh(y), pool.rational(3), cos(y)};
  const std::vector<double> bounds = bound_value_noise(exprs, symbols, values);
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    double expected = 0;
    const std::vector<Expr> slopes = gradient(exprs[i], symbols);
    for (std::size_t k = 0; k < 2; ++k)
      expected += std::abs(evaluate(slopes[k], symbols, values) * values[k]);
    EXPECT_NEAR(bounds[i], expected, rounding) << i;
  }
}

TEST(value_noise, counts_what_cancels) {
  ExprPool pool;
  const Expr x = pool.symbol("x");
  const double v = 0.1;
  EXPECT_NEAR(bound_value_noise({sin(x) - x}, {x}, {v})[0], v * std::cos(v) + v, rounding);
}

TEST(value_noise, a_root_of_zero_has_none_where_nothing_changes_it) {
  ExprPool pool;
  const Expr x = pool.symbol("x");
  EXPECT_EQ(bound_value_noise({sqrt(x)}, {x}, {0})[0], 0);
}

}  // namespace
}  // namespace visviva
