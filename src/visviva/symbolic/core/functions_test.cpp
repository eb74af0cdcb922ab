// What the functions of expressions know about each other, and what they must not claim.
#include <gtest/gtest.h>

#include <cmath>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

class FunctionsTest : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr a = pool.symbol("a"), b = pool.symbol("b"), x = pool.symbol("x"), y = pool.symbol("y");
  Expr t = pool.symbol("t"), t0 = pool.symbol("t0"), omega = pool.symbol("omega"),
       r = pool.symbol("r");
  Expr pi = pool.pi();

  Expr degrees(int n) { return n * pi / 180; }
};
using Trigonometry = FunctionsTest;
using Exponentials = FunctionsTest;
using Roots = FunctionsTest;
using Inverses = FunctionsTest;
using Piecewise = FunctionsTest;
using Domains = FunctionsTest;

// ---- sin, cos, tan

TEST_F(Trigonometry, sine_squared_plus_cosine_squared_is_one) {
  EXPECT_EQ(sin(a) * sin(a) + cos(a) * cos(a), 1.0);
  const Expr argument = a * b / (x + y) + sqrt(x);
  EXPECT_EQ(pow(sin(argument), 2) + pow(cos(argument), 2), 1.0);
}

TEST_F(Trigonometry, functions_of_sums_are_sums_of_products) {
  EXPECT_EQ(cos(a + b), cos(a) * cos(b) - sin(a) * sin(b));
  EXPECT_EQ(sin(a - b), sin(a) * cos(b) - cos(a) * sin(b));
  EXPECT_EQ(tan(a + b), (tan(a) + tan(b)) / (1 - tan(a) * tan(b)));
}

TEST_F(Trigonometry, functions_of_multiples_are_polynomials) {
  EXPECT_EQ(cos(3 * a), 4 * pow(cos(a), 3) - 3 * cos(a));
  EXPECT_EQ(sin(2 * a), 2 * sin(a) * cos(a));
  EXPECT_EQ(cos(4 * a) - 1, -8 * pow(sin(a) * cos(a), 2));
}

TEST_F(Trigonometry, half_and_third_angles_are_known) {
  EXPECT_EQ(cos(a), 1 - 2 * pow(sin(a / 2), 2));
  EXPECT_EQ(tan(a / 2), sin(a) / (1 + cos(a)));
  EXPECT_EQ(sin(a), 3 * sin(a / 3) - 4 * pow(sin(a / 3), 3));
  EXPECT_EQ(cos(a / 5 + a / 5 * 4), cos(a));
}

TEST_F(Trigonometry, fractions_beyond_the_resolution_are_angles_of_their_own) {
  EXPECT_EQ(cos(a / 7), 2 * pow(cos(a / 14), 2) - 1);
  EXPECT_EQ(cos(3 * a / 7), cos(a / 7) * cos(2 * a / 7) - sin(a / 7) * sin(2 * a / 7));
  EXPECT_FALSE(cos(a / 14) == cos(a / 7));
  EXPECT_FALSE(exp(a / 14) == exp(a / 7));
  EXPECT_FALSE(cos(pi / 7) == cos(pi / 14));
}

TEST_F(Trigonometry, arguments_are_multiplied_out) {
  EXPECT_EQ(cos(omega * (t + t0)),
            cos(omega * t) * cos(omega * t0) - sin(omega * t) * sin(omega * t0));
  EXPECT_EQ(cos((a + b) * (a - b)), cos(a * a - b * b));
  EXPECT_EQ(sin((a + 2 * b) / (2 * r)),
            sin(a / (2 * r)) * cos(b / r) + cos(a / (2 * r)) * sin(b / r));
  EXPECT_EQ(cos(-x / r), cos(x / r));
  EXPECT_EQ(sin(-x / r), -sin(x / r));
}

TEST_F(Trigonometry, tangent_is_sine_over_cosine) {
  EXPECT_EQ(tan(a), sin(a) / cos(a));
  EXPECT_EQ(1 + tan(a) * tan(a), 1 / (cos(a) * cos(a)));
}

TEST_F(Trigonometry, quarter_turns_exchange_the_functions) {
  EXPECT_EQ(sin(a + pi / 2), cos(a));
  EXPECT_EQ(cos(a + pi / 2), -sin(a));
  EXPECT_EQ(cos(pi - a), -cos(a));
  EXPECT_EQ(sin(a + 2 * pi), sin(a));
  EXPECT_EQ(tan(a + pi), tan(a));
  EXPECT_EQ(sin(a - 7 * pi / 2), cos(a));
}

TEST_F(Trigonometry, values_at_common_angles_are_numbers) {
  EXPECT_EQ(sin(30 * pi / 180), 0.5);
  EXPECT_EQ(cos(pi / 3), 0.5);
  EXPECT_EQ(sin(pi), 0.0);
  EXPECT_EQ(cos(pi), -1.0);
  EXPECT_EQ(tan(pi / 4), 1.0);
  EXPECT_EQ(cos(pool.zero()), 1.0);
}

TEST_F(Trigonometry, every_integer_degree_is_an_exact_angle) {
  for (int n = 0; n <= 360; ++n) {
    const Expr c = cos(degrees(n)), s = sin(degrees(n));
    ASSERT_EQ(c, cos(degrees(n - 1)) * cos(degrees(1)) - sin(degrees(n - 1)) * sin(degrees(1)))
        << n;
    ASSERT_EQ(s, cos(degrees(90 - n))) << n;
    ASSERT_NEAR(evaluate(c, {}, {}), std::cos(n * M_PI / 180), 1e-15)
        << n;  // rounding of the angle
  }
}

TEST_F(Trigonometry, different_angles_are_different) {
  EXPECT_FALSE(cos(a) == cos(b));
  EXPECT_FALSE(sin(a) == cos(a));
  EXPECT_FALSE(sin(a) == a);
  EXPECT_FALSE(sin(degrees(30)) == sin(degrees(31)));
  EXPECT_FALSE(cos(a * b) == cos(a) * cos(b));
  EXPECT_FALSE(cos(a + 1e-12) == cos(a));
}

TEST_F(Trigonometry, arguments_too_large_to_multiply_out_are_still_angles) {
  Expr squared = a, grown = a;
  for (int i = 0; i < 100; ++i) {
    squared = squared * squared;
    grown = grown + grown * b;
  }
  for (const Expr& big : {squared, grown}) {
    EXPECT_EQ(pow(sin(big), 2) + pow(cos(big), 2), 1.0);
    EXPECT_EQ(cos(-big), cos(big));
    EXPECT_EQ(sin(big + pi), -sin(big));
  }
}

TEST_F(Trigonometry, huge_numbers_of_turns_do_not_overflow) {
  const Expr odd = pool.rational(INT64_MAX) * pi;
  EXPECT_EQ(cos(a + odd), -cos(a));
  EXPECT_EQ(sin(odd / 2), -1.0);  // 2^63 - 1 is 3 modulo 4
}

// ---- exp, sinh, cosh, tanh

TEST_F(Exponentials, sums_become_products) {
  EXPECT_EQ(exp(a + b), exp(a) * exp(b));
  EXPECT_EQ(exp(a) * exp(-a), 1.0);
  EXPECT_EQ(exp(3 * a), pow(exp(a), 3));
  EXPECT_EQ(exp(a / 2) * exp(a / 2), exp(a));
  EXPECT_EQ(exp(-t * (a + b)), exp(-t * a) / exp(t * b));
  EXPECT_EQ(exp(pool.zero()), 1.0);
}

TEST_F(Exponentials, hyperbolic_functions_are_sums_of_them) {
  EXPECT_EQ(pow(cosh(a), 2) - pow(sinh(a), 2), 1.0);
  EXPECT_EQ(cosh(a) + sinh(a), exp(a));
  EXPECT_EQ(tanh(a), sinh(a) / cosh(a));
  EXPECT_EQ(sinh(a + b), sinh(a) * cosh(b) + cosh(a) * sinh(b));
  EXPECT_EQ(cosh(-a), cosh(a));
  EXPECT_EQ(tanh(-a), -tanh(a));
}

TEST_F(Exponentials, are_not_circular_functions) {
  EXPECT_FALSE(cosh(a) == cos(a));
  EXPECT_FALSE(exp(a) == exp(b));
  EXPECT_FALSE(exp(a * b) == exp(a) * exp(b));
}

// ---- Roots

TEST_F(Roots, of_squares_are_absolute_values) {
  EXPECT_EQ(sqrt(a * a), abs(a));
  EXPECT_FALSE(sqrt(a * a) == a);
  EXPECT_FALSE(sqrt(a * a) == -a);
  EXPECT_FALSE(abs(a) == a);
  EXPECT_FALSE(abs(a) == -a);
}

TEST_F(Roots, squared_are_their_arguments) {
  EXPECT_EQ(sqrt(a) * sqrt(a), a);
  EXPECT_EQ(a / sqrt(a), sqrt(a));
  EXPECT_EQ(pow(sqrt(a + b), 4), (a + b) * (a + b));
  EXPECT_EQ((x / sqrt(a)) * (y / sqrt(a)), x * y / a);
}

TEST_F(Roots, of_numbers_are_exact_where_they_can_be) {
  EXPECT_EQ(sqrt(pool.number(4)), 2.0);
  EXPECT_EQ(sqrt(pool.number(0.25)), 0.5);
  EXPECT_EQ(sqrt(pool.rational(9, 16)), 0.75);
  EXPECT_EQ(sqrt(4 * a), 2 * sqrt(a));
  EXPECT_EQ(sqrt(pool.number(2)) * sqrt(pool.number(2)), 2.0);
  EXPECT_FALSE(sqrt(pool.number(2)) == 1.4142135623730951);
}

TEST_F(Roots, of_products_are_not_split) { EXPECT_FALSE(sqrt(x) * sqrt(y) == sqrt(x * y)); }

TEST_F(Roots, absolute_values_know_positive_things) {
  EXPECT_EQ(abs(-a), abs(a));
  EXPECT_EQ(abs(abs(a)), abs(a));
  EXPECT_EQ(abs(a) * abs(a), a * a);
  EXPECT_EQ(abs(-3 * a), 3 * abs(a));
  EXPECT_EQ(abs(exp(a)), exp(a));
  EXPECT_EQ(abs(cosh(a)), cosh(a));
  EXPECT_EQ(abs(sqrt(a)), sqrt(a));
  EXPECT_EQ(abs(pool.number(-2.5)), 2.5);
}

// ---- Inverses

TEST_F(Inverses, are_undone_where_that_is_always_true) {
  EXPECT_EQ(sin(asin(x)), x);
  EXPECT_EQ(cos(acos(x)), x);
  EXPECT_EQ(tan(atan(x)), x);
  EXPECT_EQ(exp(log(x)), x);
  EXPECT_EQ(log(exp(x)), x);
}

TEST_F(Inverses, become_roots_in_the_other_functions) {
  EXPECT_EQ(cos(asin(x)), sqrt(1 - x * x));
  EXPECT_EQ(sin(acos(x)), sqrt(1 - x * x));
  EXPECT_EQ(tan(asin(x)), x / sqrt(1 - x * x));
  EXPECT_EQ(tan(acos(x)), sqrt(1 - x * x) / x);
  EXPECT_EQ(cos(atan(x)), 1 / sqrt(1 + x * x));
  EXPECT_EQ(sin(-atan(x)), -x / sqrt(1 + x * x));
  EXPECT_EQ(sin(y + asin(x)), sin(y) * sqrt(1 - x * x) + cos(y) * x);
  EXPECT_EQ(cos(y - asin(x)), cos(y) * sqrt(1 - x * x) + sin(y) * x);
  EXPECT_EQ(cos(2 * asin(x)), sqrt(1 - x * x) * sqrt(1 - x * x) - x * x);
  EXPECT_EQ(cos(asin(pool.rational(3, 5))), pool.rational(4, 5));
}

TEST_F(Inverses, are_not_undone_where_that_is_sometimes_false) {
  EXPECT_FALSE(asin(sin(x)) == x);
  EXPECT_FALSE(acos(cos(x)) == x);
  EXPECT_FALSE(atan(tan(x)) == x);
  EXPECT_FALSE(atan2(sin(x), cos(x)) == x);
  EXPECT_FALSE(log(x * x) == 2 * log(x));
}

TEST_F(Inverses, of_odd_functions_are_odd) {
  EXPECT_EQ(asin(-x), -asin(x));
  EXPECT_EQ(atan(y - x), -atan(x - y));
  EXPECT_FALSE(acos(-x) == acos(x));
  EXPECT_EQ(log(pool.one()), 0.0);
  EXPECT_EQ(acos(pool.one()), 0.0);
  EXPECT_EQ(atan2(pool.zero(), pool.number(2)), 0.0);
}

// ---- Piecewise functions

TEST_F(Piecewise, smallest_and_largest_do_not_depend_on_order) {
  EXPECT_EQ(min(a, b), min(b, a));
  EXPECT_EQ(max(a, b), max(b, a));
  EXPECT_FALSE(min(a, b) == max(a, b));
  EXPECT_EQ(min(a + b, b + a), a + b);
}

TEST_F(Piecewise, order_is_one_of_values_and_not_of_forms) {
  const Expr irregular = (a * a - b * b) / (a - b);
  const Expr smaller = min(irregular, x);
  EXPECT_EQ(min(x, a + b), smaller);
}

TEST_F(Piecewise, odd_and_even_functions_see_one_value_behind_two_forms_of_opposite_sign) {
  for (const char* name : {"p", "q", "r1", "r2", "r3", "r4"}) {
    const Expr c = pool.symbol(name);
    const Expr negative = (c * c - a * a) / (a - c);  // -(a + c), undefined at a = c
    const Expr even = abs(negative), odd = atan(negative);
    EXPECT_EQ(abs(a + c), even) << name;
    EXPECT_EQ(atan(a + c), -odd) << name;
  }
}

TEST_F(Piecewise, numbers_are_decided) {
  EXPECT_EQ(min(pool.number(2), pool.number(-3)), -3.0);
  EXPECT_EQ(max(pool.number(1e40), pool.number(2)), 1e40);
  EXPECT_EQ(sign(pool.number(-1e-40)), -1.0);
  EXPECT_EQ(sign(pool.zero()), 0.0);
  EXPECT_EQ(step(pool.zero()), 1.0);
  EXPECT_EQ(step(pool.number(-1e-40)), 0.0);
  EXPECT_EQ(step(pool.number(1e-40)), 1.0);
}

TEST_F(Piecewise, sign_is_odd_and_ignores_positive_factors) {
  EXPECT_EQ(sign(-a), -sign(a));
  EXPECT_EQ(sign(3 * a), sign(a));
  EXPECT_FALSE(step(-a) == -step(a));
}

// ---- Domains: constants outside are refused, so that no NaN hides in an equation

TEST_F(Domains, constants_outside_a_domain_throw) {
  EXPECT_THROW(sqrt(pool.number(-1)), UsageError);
  EXPECT_THROW(sqrt(pool.number(-1e-40)), UsageError);
  EXPECT_THROW(log(pool.zero()), UsageError);
  EXPECT_THROW(log(pool.number(-1e40)), UsageError);
  EXPECT_THROW(asin(pool.number(2)), UsageError);
  EXPECT_THROW(acos(pool.number(-1.0000001)), UsageError);
  EXPECT_THROW(asin(pool.number(1e40)), UsageError);
  EXPECT_THROW(atan2(pool.zero(), pool.zero()), UsageError);
  EXPECT_THROW(tan(pi / 2), UsageError);
  EXPECT_THROW(pow(pool.number(-8), pool.rational(1, 3)), UsageError);
  EXPECT_THROW(pow(pool.zero(), pool.rational(-1, 3)), UsageError);
}

TEST_F(Domains, constants_on_the_rim_are_allowed) {
  EXPECT_NO_THROW(asin(pool.one()));
  EXPECT_NO_THROW(acos(-pool.one()));
  EXPECT_EQ(sqrt(pool.zero()), 0.0);
  EXPECT_EQ(pow(pool.zero(), pool.rational(1, 3)), 0.0);
}

TEST_F(Domains, the_message_names_the_function) {
  try {
    sqrt(pool.number(-1));
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(error.function(), "sqrt");
  }
}

TEST_F(Domains, roots_of_numbers_obey_all_their_relations) {
  const auto root = [this](int n) { return sqrt(pool.rational(n)); };
  EXPECT_EQ(root(2) * (root(2) + 1.0), 2.0 + root(2));
  EXPECT_EQ(root(6), root(2) * root(3));
  EXPECT_EQ(root(12), 2.0 * root(3));
  EXPECT_EQ(root(2) / 2.0, cos(pi / 4));
  EXPECT_EQ(root(3) / 2.0, sin(pi / 3));
  EXPECT_EQ((1.0 + root(5)) / 4.0, cos(pi / 5));
  EXPECT_EQ(sqrt(pool.rational(3, 8)), root(6) / 4.0);
  // (1 + sqrt n)(1 - sqrt n) = 1 - n wherever the fields have the root.
  int exact = 0;
  for (int n = 2; n < 200; ++n) exact += (1.0 + root(n)) * (1.0 - root(n)) == 1.0 - n ? 1 : 0;
  EXPECT_GT(exact, 60);
  EXPECT_FALSE(root(2) == root(3));
  EXPECT_FALSE(root(2) == -root(2));
}

TEST_F(Domains, a_root_is_found_again_in_a_product) {
  EXPECT_EQ((y * sqrt(x)) * sqrt(x), y * x);
  EXPECT_EQ(sqrt(x) * (sqrt(x) * y), y * x);
}

TEST(Op, names_and_operand_counts_agree_with_the_language) {
  EXPECT_EQ(function_name(Op::atan2), "atan2");
  EXPECT_EQ(function_name(Op::step), "step");
  EXPECT_EQ(function_name(Op::add), "");
  EXPECT_EQ(operand_count(Op::symbol), 0);
  EXPECT_EQ(operand_count(Op::sin), 1);
  EXPECT_EQ(operand_count(Op::max), 2);
}

}  // namespace
}  // namespace visviva
