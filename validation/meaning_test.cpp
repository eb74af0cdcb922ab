// The validation's own equality: what the pool takes for equal by mistake must not pass.
#include "expect.h"

namespace visviva::validation {
namespace {

TEST(Meaning, what_is_equal_is_equal_in_numbers) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y");
  EXPECT_TRUE(same((x + y) * (x - y), x * x - y * y));
  EXPECT_TRUE(same(sin(x) * sin(x) + cos(x) * cos(x), pool.one()));
}

// The pool is made to say that x + y and x + 1.000001 y are one.
TEST(Meaning, a_false_merge_of_two_expressions_fails) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y");
  EXPECT_FALSE(same(x + y, x + y * 1.000001));
  EXPECT_FALSE(same_as_the_pool_says(true, x + y, x + y * 1.000001));
  EXPECT_FALSE(same_as_the_pool_says(true, sin(x), x));
}

// The same when the expected expression was given the node of another one: both sides are one then,
// and only its text still says what it was.
TEST(Meaning, a_false_merge_of_an_expected_expression_with_a_node_that_was_there_fails) {
  const TextMeaning text(
      "output found = x + y\noutput right = y + x\noutput other = x + 1.001*y\n");
  ExprPool pool;
  const Expr merged = pool.symbol("x") + pool.symbol("y");
  EXPECT_TRUE(means_its_text(merged, "found", text));
  EXPECT_TRUE(means_its_text(merged, "right", text));
  EXPECT_FALSE(means_its_text(merged, "other", text));
}

TEST(Meaning, a_false_merge_of_a_sum_with_its_right_side_fails) {
  ExprPool pool;
  const Expr m = pool.symbol("m"), g = pool.symbol("g"), a = pool.symbol("a");
  EXPECT_TRUE(balances({m, a}, {g, a}, m * g + a * a));
  EXPECT_FALSE(balances({m, a}, {g, a}, m * g));
}

TEST(Meaning, texts_are_read_with_units_lets_rates_and_functions) {
  const TextMeaning text(R"(
let    half = 1/2
output all = half*m*x'^2 + sin(30 deg)*sqrt(x)/2 - 3 cm*x
)");
  ExprPool pool;
  const Expr m = pool.symbol("m"), x = pool.symbol("x"), dx = pool.symbol("x'");
  const Expr all = m * dx * dx / 2.0 + sqrt(x) / 4.0 - pool.rational(3, 100) * x;
  EXPECT_TRUE(means_its_text(all, "all", text));
  EXPECT_FALSE(means_its_text(all + x * 1e-6, "all", text));
}

// e0^2 + e1^2 + e2^2 + e3^2 = 1 for the pool, and so it is in numbers.
TEST(Meaning, unit_quaternions_are_of_length_one) {
  ExprPool pool;
  const auto e = pool.unit_quaternion({"e0", "e1", "e2", "e3"});
  EXPECT_TRUE(same(e[0] * e[0] + e[1] * e[1], pool.one() - e[2] * e[2] - e[3] * e[3]));
}

}  // namespace
}  // namespace visviva::validation
