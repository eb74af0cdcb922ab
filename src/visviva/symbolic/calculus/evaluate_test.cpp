#include "visviva/symbolic/calculus/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "visviva/base/error.h"

namespace visviva {
namespace {

class EvaluatorTest : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y");
};

using F1 = std::function<double(double)>;
using G1 = std::function<Expr(const Expr&)>;

TEST_F(EvaluatorTest, every_function_of_one_operand_is_the_one_of_the_c_library) {
  const std::vector<std::pair<G1, F1>> table = {
      {[](const Expr& e) { return sqrt(e); }, [](double v) { return std::sqrt(v); }},
      {[](const Expr& e) { return exp(e); }, [](double v) { return std::exp(v); }},
      {[](const Expr& e) { return log(e); }, [](double v) { return std::log(v); }},
      {[](const Expr& e) { return sin(e); }, [](double v) { return std::sin(v); }},
      {[](const Expr& e) { return cos(e); }, [](double v) { return std::cos(v); }},
      {[](const Expr& e) { return tan(e); }, [](double v) { return std::tan(v); }},
      {[](const Expr& e) { return asin(e); }, [](double v) { return std::asin(v); }},
      {[](const Expr& e) { return acos(e); }, [](double v) { return std::acos(v); }},
      {[](const Expr& e) { return atan(e); }, [](double v) { return std::atan(v); }},
      {[](const Expr& e) { return sinh(e); }, [](double v) { return std::sinh(v); }},
      {[](const Expr& e) { return cosh(e); }, [](double v) { return std::cosh(v); }},
      {[](const Expr& e) { return tanh(e); }, [](double v) { return std::tanh(v); }},
      {[](const Expr& e) { return abs(e); }, [](double v) { return std::fabs(v); }},
      {[](const Expr& e) { return -e; }, [](double v) { return -v; }},
      {[](const Expr& e) { return 1 / e; }, [](double v) { return 1 / v; }},
      {[](const Expr& e) { return sign(e); },
       [](double v) { return v > 0   ? 1.0
                             : v < 0 ? -1.0
                                     : 0.0; }},
      {[](const Expr& e) { return step(e); }, [](double v) { return v >= 0 ? 1.0 : 0.0; }},
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (const double v : {0.3, 0.99, -0.7, 2.5, -3.0, 0.0, 1e-9, 700.0}) {
      const double ours = evaluate(table[i].first(x), {x}, {v}), theirs = table[i].second(v);
      EXPECT_TRUE(ours == theirs || (std::isnan(ours) && std::isnan(theirs)))
          << "row " << i << " at " << v;
    }
  }
}

TEST_F(EvaluatorTest, every_function_of_two_operands_is_the_one_of_the_c_library) {
  for (const auto& [u, v] :
       {std::pair{0.3, 2.0}, {2.5, -1.5}, {-1.0, -2.0}, {4.0, 0.0}, {0.0, -3.0}}) {
    const auto value = [&, u = u, v = v](const Expr& e) { return evaluate(e, {x, y}, {u, v}); };
    EXPECT_EQ(value(x + y), u + v);
    EXPECT_EQ(value(x - y), u - v);
    EXPECT_EQ(value(x * y), u * v);
    EXPECT_EQ(value(x / y), u / v);
    EXPECT_EQ(value(min(x, y)), std::fmin(u, v));
    EXPECT_EQ(value(max(x, y)), std::fmax(u, v));
    EXPECT_EQ(value(atan2(x, y)), std::atan2(u, v));
    if (u > 0) {
      EXPECT_EQ(value(pow(x, y)), std::pow(u, v));
    }
  }
}

TEST_F(EvaluatorTest, values_outside_a_domain_are_nan_and_stay_nan) {
  const double nan = std::nan("");
  EXPECT_TRUE(std::isnan(evaluate(sqrt(x), {x}, {-1})));
  EXPECT_TRUE(std::isnan(evaluate(pow(x, pool.rational(1, 3)), {x}, {-8})));
  for (const Expr& e : {sign(x), step(x), min(x, y), max(x, y), min(y, x), abs(x)}) {
    EXPECT_TRUE(std::isnan(evaluate(e, {x, y}, {nan, 1})));
  }
}

TEST_F(EvaluatorTest, long_double_carries_more_digits) {
  const Evaluator f({x}, {pool.rational(1, 3) * x, pool.pi()});
  const std::vector<long double> value = f(std::vector<long double>{1.0L});
  EXPECT_EQ(value[0], 1.0L / 3.0L);
  EXPECT_EQ(value[1], std::acos(-1.0L));
  EXPECT_EQ(f(std::vector<double>{1.0})[0], 1.0 / 3.0);
}

TEST_F(EvaluatorTest, many_outputs_share_their_nodes_and_keep_their_order) {
  const Expr s = sin(x * y);
  const Evaluator f({y, x}, {s, -s, s * s, x, pool.zero(), pool.number(2.5)});
  const double v = std::sin(0.5 * 3.0);
  EXPECT_EQ(f(std::vector<double>{3.0, 0.5}), (std::vector<double>{v, -v, v * v, 0.5, 0.0, 2.5}));
}

TEST_F(EvaluatorTest, a_missing_symbol_is_named) {
  try {
    Evaluator({x}, {x + y});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "Evaluator: no value is given for 'y'");
  }
}

TEST_F(EvaluatorTest, misuse_throws) {
  ExprPool other;
  EXPECT_THROW(Evaluator({x * 2}, {x}), UsageError);
  EXPECT_THROW(Evaluator({other.symbol("x")}, {x}), UsageError);
  EXPECT_THROW(Evaluator({x}, {x, Expr()}), UsageError);
  EXPECT_THROW(Evaluator({x}, {x, other.symbol("x")}), UsageError);
  EXPECT_THROW(Evaluator({x}, {x})(std::vector<double>{1, 2}), UsageError);
  EXPECT_TRUE(Evaluator({x}, {})(std::vector<double>{1}).empty());
}

TEST_F(EvaluatorTest, a_chain_of_a_million_nodes_does_not_overflow_the_stack) {
  Expr chain = x;
  for (int i = 0; i < 500000; ++i) chain = chain * y + x;
  ASSERT_GT(pool.node_count(), 1000000u);
  EXPECT_NEAR(evaluate(chain, {x, y}, {1.0, 0.5}), 2.0, 1e-12);  // a geometric series
}

}  // namespace
}  // namespace visviva
