// Tests of slopes in numbers: against formulas for them, and against differences of values.
#include "visviva/symbolic/calculus/slope_evaluator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva {
namespace {

// More columns than lanes, outputs that are negated, symbols themselves, and constants.
TEST(SlopeEvaluator, agrees_with_formulas_and_with_differences) {
  ExprPool pool;
  std::vector<Expr> x;
  for (int i = 0; i < 11; ++i) x.push_back(pool.symbol("x" + std::to_string(i)));
  const Expr c = pool.symbol("c");
  std::vector<Expr> outputs = {x[3],
                               -x[4],
                               pool.rational(2, 3),
                               c * c,
                               -sin(x[0] * x[1]) / (1 + x[2] * x[2]),
                               sqrt(1 + x[5] * x[5]) * exp(x[6]) - c * atan2(x[7], x[8] + 2),
                               max(x[9], x[10]) * abs(x[9] - 2) + pow(2 + x[1], x[2])};
  Expr nested = x[0];
  for (int i = 1; i < 11; ++i) nested = cos(nested + x[static_cast<std::size_t>(i)]) * nested;
  outputs.push_back(nested);
  std::vector<Expr> inputs = x;
  inputs.push_back(c);
  std::vector<double> at;
  for (std::size_t i = 0; i < inputs.size(); ++i) at.push_back(0.3 + 0.11 * static_cast<double>(i));

  const SlopeEvaluator::Values found = SlopeEvaluator(inputs, outputs, x)(at);
  ASSERT_EQ(found.outputs.size(), outputs.size());
  ASSERT_EQ(found.slopes.size(), outputs.size() * x.size());
  const auto formulas = jacobian(outputs, x);
  const Evaluator values(inputs, outputs);
  EXPECT_EQ(values(at), found.outputs);
  for (std::size_t j = 0; j < x.size(); ++j) {
    constexpr double step = 1e-5, by_differences = 1e-8, by_formulas = 1e-14;
    std::vector<double> before = at, after = at;
    before[j] -= step;
    after[j] += step;
    const std::vector<double> low = values(before), high = values(after);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const double slope = found.slopes[i * x.size() + j];
      const double formula = Evaluator(inputs, {formulas[i][j]})(at).front();
      EXPECT_NEAR(slope, formula, by_formulas * (1 + std::abs(formula))) << i << " " << j;
      EXPECT_NEAR(slope, (high[i] - low[i]) / (2 * step), by_differences * (1 + std::abs(slope)))
          << i << " " << j;
    }
  }
}

TEST(SlopeEvaluator, has_nothing_to_say_of_nothing) {
  ExprPool pool;
  const Expr x = pool.symbol("x");
  EXPECT_TRUE(SlopeEvaluator({x}, {}, {x})({1.0}).slopes.empty());
  EXPECT_TRUE(SlopeEvaluator({x}, {x * x}, {})({1.0}).slopes.empty());
}

}  // namespace
}  // namespace visviva
