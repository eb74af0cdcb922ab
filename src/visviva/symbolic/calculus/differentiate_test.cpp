#include "visviva/symbolic/calculus/differentiate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/compare.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/random_expression.h"

namespace visviva {
namespace {

class Derivative : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
};

// Central differences of fourth order; `h` small enough for truncation, large enough for rounding,
// in long double.
long double difference_quotient(const Evaluator& f, std::vector<long double> at, std::size_t k,
                                long double h) {
  const auto shifted = [&](long double by) {
    std::vector<long double> point = at;
    point[k] += by;
    return f(point).front();
  };
  return (8 * (shifted(h) - shifted(-h)) - (shifted(2 * h) - shifted(-2 * h))) / (12 * h);
}

constexpr long double step_size = 1e-4L;
constexpr double tolerance =
    1e-9;  // of the larger of 1 and the derivative: truncation h^4 f^(5)/30 of wild functions

void expect_derivative(const Expr& e, const Expr& symbol, long double at) {
  const Evaluator f({symbol}, {e}), df({symbol}, {differentiate(e, symbol)});
  const long double exact = df(std::vector<long double>{at}).front();
  const long double numeric = difference_quotient(f, {at}, 0, step_size);
  EXPECT_NEAR(static_cast<double>(exact), static_cast<double>(numeric),
              tolerance * std::max(1.0, std::fabs(static_cast<double>(exact))))
      << "at " << static_cast<double>(at);
}

TEST_F(Derivative, of_every_operation_agrees_with_finite_differences) {
  const Expr c = pool.number(1.5);
  const std::vector<Expr> everywhere = {
      x + c,       c - x,     x * x * c, -x,         exp(x),          sin(x),          cos(x),
      atan(x),     sinh(x),   cosh(x),   tanh(x),    c / (2 + x * x), x / (2 + x * x), abs(x),
      sign(x),     step(x),   min(x, c), max(x, c),  min(c, x),       max(-x, x * x),  atan2(x, c),
      atan2(c, x), pow(x, 3), pow(c, x), x * step(x)};
  for (const Expr& e : everywhere) {
    for (const long double at : {-2.1L, -0.6L, 0.4L, 0.9L, 2.2L}) expect_derivative(e, x, at);
  }
  const std::vector<Expr> positive = {sqrt(x),   log(x),     pow(x, pool.rational(1, 3)),
                                      pow(x, x), pow(x, -2), pow(x, 2.5),
                                      tan(x),    1 / x,      c / sqrt(x)};
  for (const Expr& e : positive) {
    for (const long double at : {0.3L, 0.8L, 1.3L}) expect_derivative(e, x, at);
  }
  for (const Expr& e : {asin(x), acos(x)}) {
    for (const long double at : {-0.8L, -0.1L, 0.6L}) expect_derivative(e, x, at);
  }
}

TEST_F(Derivative, of_simple_things_has_the_closed_form) {
  EXPECT_EQ(differentiate(x * x * y, x), 2 * x * y);
  EXPECT_EQ(differentiate(sin(x * y), x), y * cos(x * y));
  EXPECT_EQ(differentiate(y, x), 0.0);
  EXPECT_EQ(differentiate(-x, x), -1.0);
  EXPECT_EQ(differentiate(sqrt(x), x), 1 / (2 * sqrt(x)));
  EXPECT_EQ(differentiate(log(x * x), x), 2 / x);
  EXPECT_EQ(differentiate(pow(x, y), x), y * pow(x, y - 1));
  EXPECT_EQ(differentiate(atan2(sin(x), cos(x)), x), 1.0);
  EXPECT_EQ(differentiate(tan(x), x), 1 / (cos(x) * cos(x)));
}

TEST_F(Derivative, of_piecewise_functions_is_right_on_both_sides) {
  const auto slope = [&](const Expr& e, double at) {
    return evaluate(differentiate(e, x), {x}, {at});
  };
  EXPECT_EQ(slope(abs(x), 2), 1.0);
  EXPECT_EQ(slope(abs(x), -2), -1.0);
  EXPECT_EQ(slope(abs(3 - x), 5), 1.0);
  EXPECT_EQ(slope(sign(x), 2), 0.0);
  EXPECT_EQ(slope(step(x), -2), 0.0);
  EXPECT_EQ(slope(min(x, 2 * x), 1), 1.0);
  EXPECT_EQ(slope(min(x, 2 * x), -1), 2.0);
  EXPECT_EQ(slope(max(x, 2 * x), 1), 2.0);
  EXPECT_EQ(slope(max(x, 2 * x), -1), 1.0);
  EXPECT_EQ(slope(max(x * x, pool.one()), 0.5), 0.0);
  EXPECT_EQ(slope(x * step(x - 1), 3), 1.0);
  EXPECT_EQ(slope(x * step(x - 1), 0), 0.0);
}

TEST_F(Derivative, of_min_and_max_at_a_tie_is_one_of_the_two) {
  const double tie = evaluate(differentiate(min(x, 2 * x), x), {x}, {0.0});
  EXPECT_TRUE(tie == 1.0 || tie == 2.0);
}

// Random expressions of all operations: forward, reverse, and finite differences.
TEST_F(Derivative, of_random_expressions_agrees_with_finite_differences_in_both_modes) {
  constexpr std::uint64_t seed = 31;
  SCOPED_TRACE(seed);
  trees::RandomTrees random(seed, true);
  int checked = 0, skipped = 0;
  for (int i = 0; i < 400; ++i) {
    ExprPool fresh;
    const std::vector<Expr> symbols = trees::make_symbols(fresh);
    const trees::TreePtr tree = random.make(1 + i % 4);
    const Expr e = trees::build(tree, fresh);
    const std::vector<Expr> reverse = gradient(e, symbols);
    const Evaluator f(symbols, {e}), g(symbols, reverse);
    std::vector<long double> at;
    for (std::size_t k = 0; k < symbols.size(); ++k) at.push_back(random.uniform(-1.5, 1.5));
    const std::vector<long double> exact = g(at);
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      const Expr forward = differentiate(e, symbols[k]);
      ASSERT_NE(compare(forward, reverse[k]).verdict, Verdict::different) << trees::to_string(tree);
      const long double numeric = difference_quotient(f, at, k, step_size);
      const long double finer = difference_quotient(f, at, k, step_size / 2);
      const double scale = std::max(1.0, std::fabs(static_cast<double>(numeric)));
      // A break of a piecewise function inside the stencil: the two step sizes disagree.
      if (!(std::fabs(static_cast<double>(numeric - finer)) < tolerance * scale)) {
        ++skipped;
        continue;
      }
      ++checked;
      ASSERT_NEAR(static_cast<double>(exact[k]), static_cast<double>(numeric),
                  10 * tolerance * scale)
          << trees::to_string(tree);
    }
  }
  EXPECT_GT(checked, 20 * skipped);
}

TEST_F(Derivative, forward_and_reverse_are_the_same_expression) {
  constexpr std::uint64_t seed = 32;
  SCOPED_TRACE(seed);
  trees::RandomTrees random(seed);
  for (int i = 0; i < 400; ++i) {
    ExprPool fresh;
    const std::vector<Expr> symbols = trees::make_symbols(fresh);
    const trees::TreePtr tree = random.make(1 + i % 5);
    const Expr e = trees::build(tree, fresh);
    const std::vector<Expr> reverse = gradient(e, symbols);
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      ASSERT_EQ(differentiate(e, symbols[k]), reverse[k]) << trees::to_string(tree);
    }
  }
}

TEST_F(Derivative, does_not_depend_on_the_order_of_differentiation) {
  const Expr e = sin(x * y) * exp(y * z) / (1 + x * x * z * z);
  EXPECT_EQ(differentiate(differentiate(e, x), y), differentiate(differentiate(e, y), x));
}

TEST_F(Derivative, along_given_rates_is_the_time_derivative) {
  const Expr qd = pool.symbol("qd"), qdd = pool.symbol("qdd");
  Tangent dt(pool, {{x, qd}, {qd, qdd}});
  EXPECT_EQ(dt(sin(x)), qd * cos(x));
  EXPECT_EQ(dt(dt(sin(x))), qdd * cos(x) - qd * qd * sin(x));
  EXPECT_EQ(dt(-x * y), -qd * y);
  EXPECT_EQ(dt(y), 0.0);
}

TEST_F(Derivative, jacobians_by_rows_and_by_columns_agree) {
  const std::vector<Expr> f = {x * y, sin(z) * x, y / (2 + z * z), exp(x - z)};
  const auto tall = jacobian(f, {x, y});
  const auto wide = jacobian({f[0], f[1]}, {x, y, z});
  ASSERT_EQ(tall.size(), 4u);
  ASSERT_EQ(wide.size(), 2u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(tall[i][0], differentiate(f[i], x));
    EXPECT_EQ(tall[i][1], differentiate(f[i], y));
  }
  EXPECT_EQ(wide[1][2], x * cos(z));
}

TEST_F(Derivative, a_gradient_costs_a_few_times_the_function) {
  constexpr int n = 40;
  std::vector<Expr> q;
  for (int i = 0; i < n; ++i) q.push_back(pool.symbol("q" + std::to_string(i)));
  Expr energy = pool.zero(), angle = pool.zero(), height = pool.zero();
  for (int i = 0; i < n; ++i) {
    angle += q[static_cast<std::size_t>(i)];
    height += sin(angle);
    energy += height * height * (i + 1);
  }
  const std::size_t cost = count_operations({energy}).total();
  EXPECT_LT(count_operations(gradient(energy, q)).total(), 5 * cost);
}

TEST_F(Derivative, misuse_throws) {
  ExprPool other;
  const Expr foreign = other.symbol("x"), empty;
  EXPECT_THROW(differentiate(x * y, x * y), UsageError);
  EXPECT_THROW(differentiate(x, -x), UsageError);
  EXPECT_THROW(differentiate(x, empty), UsageError);
  EXPECT_THROW(differentiate(empty, x), UsageError);
  EXPECT_THROW(differentiate(x, foreign), UsageError);
  EXPECT_THROW(gradient(x, {foreign}), UsageError);
  EXPECT_THROW(Tangent(pool, {{x, empty}}), UsageError);
  EXPECT_THROW(Tangent(pool, {{x, foreign}}), UsageError);
  EXPECT_THROW(Tangent(pool, {{x, y}})(foreign), UsageError);
}

TEST_F(Derivative, of_a_chain_of_a_million_nodes_does_not_overflow_the_stack) {
  Expr chain = x;
  for (int i = 0; i < 500000; ++i) chain = chain * y + z;
  ASSERT_GT(pool.node_count(), 1000000u);
  const double last = evaluate(gradient(chain, {z})[0], {x, y, z}, {1.0, 0.5, 1.0});
  EXPECT_NEAR(last, 2.0, 1e-12);  // a geometric series
  EXPECT_EQ(differentiate(chain, z), gradient(chain, {z})[0]);
}

}  // namespace
}  // namespace visviva
