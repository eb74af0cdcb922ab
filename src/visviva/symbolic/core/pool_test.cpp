#include "visviva/symbolic/core/pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <random>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/compare.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/random_expression.h"

namespace visviva {
namespace {

class Equality : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr a = pool.symbol("a"), b = pool.symbol("b"), x = pool.symbol("x"), y = pool.symbol("y"),
       z = pool.symbol("z");
};
using Constants = Equality;
using Misuse = Equality;

// ---- Rational functions

TEST_F(Equality, of_sums_and_products_in_any_order) {
  EXPECT_EQ((a + b) + x, x + (b + a));
  EXPECT_EQ((a * b) * x, x * (b * a));
  EXPECT_EQ(a * (b + x), a * b + a * x);
  EXPECT_EQ(pow(a + b, 3), a * a * a + 3 * a * a * b + 3 * a * b * b + b * b * b);
}

TEST_F(Equality, of_a_difference_of_squares_over_the_difference_and_the_sum) {
  EXPECT_EQ((a * a - b * b) / (a - b), a + b);
}

TEST_F(Equality, of_fractions_over_a_common_denominator) {
  EXPECT_EQ(1 / a + 1 / b, (a + b) / (a * b));
  EXPECT_EQ(1 / (1 / a + 1 / b), a * b / (a + b));
  EXPECT_EQ(x / y / z, x / (y * z));
  EXPECT_EQ(x / (y / z), x * z / y);
}

TEST_F(Equality, of_an_expression_and_itself_plus_something_minus_it) {
  EXPECT_EQ((x + y) - y, x);
  EXPECT_TRUE(((x + y) - y).is_symbol());
  EXPECT_TRUE((x - x).is_zero());
  EXPECT_TRUE((x / x).is_one());
}

TEST_F(Equality, of_negatives_costs_no_node) {
  const Expr sum = a - b;
  const std::size_t before = pool.node_count();
  EXPECT_EQ(b - a, -sum);
  EXPECT_EQ(-(-sum), sum);
  EXPECT_EQ(pool.node_count(), before);
}

TEST_F(Equality, of_nearly_equal_expressions_is_not_claimed) {
  EXPECT_FALSE(a == a + 1e-12);
  EXPECT_FALSE(a == a * (1 + pool.number(1e-12)));
  EXPECT_FALSE(a == -a);
  EXPECT_FALSE(a == b);
}

TEST_F(Equality, does_not_depend_on_what_the_pool_has_seen) {
  ExprPool other;
  const Expr p = other.symbol("b"), q = other.symbol("a");
  EXPECT_EQ((a * a - b * b).fingerprint(), ((q - p) * (p + q)).fingerprint());
}

TEST_F(Equality, of_an_elimination_and_cramers_rule) {
  // a x + b y = 1, x and y swapped in the second row.
  const Expr det = a * y - b * x;
  const Expr pivot = y - b * x / a;
  EXPECT_EQ((1 - x / a) / pivot, (a - x) / det);
}

TEST_F(Equality, of_a_rotation_by_a_unit_quaternion_and_its_transpose_inverse) {
  const auto e = pool.unit_quaternion({"e0", "e1", "e2", "e3"});
  const Expr R[3][3] = {{1 - 2 * (e[2] * e[2] + e[3] * e[3]), 2 * (e[1] * e[2] - e[0] * e[3]),
                         2 * (e[1] * e[3] + e[0] * e[2])},
                        {2 * (e[1] * e[2] + e[0] * e[3]), 1 - 2 * (e[1] * e[1] + e[3] * e[3]),
                         2 * (e[2] * e[3] - e[0] * e[1])},
                        {2 * (e[1] * e[3] - e[0] * e[2]), 2 * (e[2] * e[3] + e[0] * e[1]),
                         1 - 2 * (e[1] * e[1] + e[2] * e[2])}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Expr entry = R[i][0] * R[j][0] + R[i][1] * R[j][1] + R[i][2] * R[j][2];
      EXPECT_EQ(entry, i == j ? 1.0 : 0.0) << i << j;
    }
  }
  EXPECT_EQ(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3], 1.0);
  EXPECT_FALSE(e[0] * e[0] == 1 - e[1] * e[1] - e[2] * e[2]);
}

TEST_F(Equality, prefers_a_regular_form_from_the_moment_it_is_built) {
  const Expr quotient = (a * a - b * b) / (a - b);
  EXPECT_TRUE(std::isnan(evaluate(quotient, {a, b}, {2, 2})));
  const Expr sum = a + b;
  EXPECT_EQ(sum, quotient);
  EXPECT_EQ(evaluate(sum, {a, b}, {2, 2}), 4.0);
  EXPECT_EQ(evaluate((a * a - b * b) / (a - b), {a, b}, {2, 2}), 4.0);
}

TEST_F(Equality, holds_between_random_expressions_and_their_rewritings_in_another_pool) {
  constexpr std::uint64_t seed = 7;
  SCOPED_TRACE(seed);
  trees::RandomTrees random(seed);
  for (int i = 0; i < 1500; ++i) {
    const trees::TreePtr tree = random.make(1 + i % 5), same = random.rewrite(random.rewrite(tree));
    ExprPool one, other;
    const Expr e = trees::build(tree, one), r = trees::build(same, other);
    ASSERT_EQ(e.fingerprint(), r.fingerprint()) << trees::to_string(tree) << "\n"
                                                << trees::to_string(same);
    ASSERT_EQ(e, trees::build(same, one)) << trees::to_string(tree) << "\n"
                                          << trees::to_string(same);
  }
}

int count_numbers(const trees::TreePtr& t) {
  if (t == nullptr) return 0;
  return (t->op == Op::constant ? 1 : 0) + count_numbers(t->a) + count_numbers(t->b);
}

// One number of the tree, counted from `*place`, made larger by 1.
trees::TreePtr change_number(const trees::TreePtr& t, int* place) {
  if (t == nullptr) return t;
  if (t->op == Op::constant) {
    return (*place)-- == 0 ? trees::number(t->value.num + t->value.den, t->value.den) : t;
  }
  const trees::TreePtr a = change_number(t->a, place), b = change_number(t->b, place);
  return std::make_shared<trees::Tree>(trees::Tree{t->op, t->value, t->symbol, a, b});
}

// In numbers, each in a pool of its own: a number may be multiplied by zero, or lose to another.
bool differ_in_numbers(const trees::TreePtr& one, const trees::TreePtr& other,
                       trees::RandomTrees* random) {
  ExprPool first, second;
  const Evaluator f(trees::make_symbols(first), {trees::build(one, first)});
  const Evaluator g(trees::make_symbols(second), {trees::build(other, second)});
  for (int state = 0; state < 5; ++state) {
    std::vector<long double> x;
    for (int i = 0; i < trees::symbol_count; ++i) x.push_back(random->uniform(-1.5, 1.5));
    const long double a = f(x)[0], b = g(x)[0];
    if (std::fabs(a - b) > 1e-9L * (1 + std::fabs(a))) return true;
  }
  return false;
}

TEST_F(Equality, does_not_hold_between_random_expressions_that_differ_in_one_number) {
  constexpr std::uint64_t seed = 8;
  constexpr int tried = 300, least = 100;
  SCOPED_TRACE(seed);
  trees::RandomTrees random(seed);
  int compared = 0;
  for (int i = 0; i < tried; ++i) {
    const trees::TreePtr tree = random.make(4);
    const int numbers = count_numbers(tree);
    if (numbers == 0) continue;
    int place = random.below(numbers);
    const trees::TreePtr changed = change_number(tree, &place);
    if (!differ_in_numbers(tree, changed, &random)) continue;
    ++compared;
    ExprPool both, one, other;
    EXPECT_FALSE(trees::build(tree, both) == trees::build(changed, both))
        << trees::to_string(tree) << "\n"
        << trees::to_string(changed);
    EXPECT_NE(trees::build(tree, one).fingerprint(), trees::build(changed, other).fingerprint())
        << trees::to_string(tree) << "\n"
        << trees::to_string(changed);
  }
  EXPECT_GT(compared, least);
}

TEST_F(Equality, does_not_hold_between_random_expressions_and_the_same_with_a_small_term_added) {
  constexpr std::uint64_t seed = 8;
  SCOPED_TRACE(seed);
  trees::RandomTrees random(seed);
  for (int i = 0; i < 300; ++i) {
    ExprPool fresh;
    const Expr e = trees::build(random.make(4), fresh), x0 = fresh.symbol("x0");
    EXPECT_FALSE(e == e + x0 * 1e-15);
  }
}

// ---- Numbers

TEST_F(Constants, are_decimal_fractions_exactly) {
  EXPECT_TRUE((pool.number(0.1) + pool.number(0.2) - pool.number(0.3)).is_zero());
  EXPECT_EQ(pool.number(0.1) * 3, pool.number(0.3));
  EXPECT_EQ(pool.number(1e-30) * pool.number(1e30), 1.0);
  EXPECT_EQ(pool.decimal("6.02214076e23") / pool.decimal("6.02214076e20"), 1000.0);
  EXPECT_EQ((x * 1e-30 + y) * 1e30, x + y * 1e30);
  EXPECT_EQ(pool.rational(1, 3) + pool.rational(1, 6), 0.5);
}

TEST_F(Constants, do_not_lose_small_parts_beside_large_ones) {
  const Expr sum = (pool.number(1e30) + pool.number(0.123456789)) - pool.number(1e30);
  EXPECT_EQ(sum, pool.number(0.123456789));
  EXPECT_EQ(evaluate(sum, {}, {}), 0.123456789);
  const Expr tiny = (pool.number(1e40) + pool.number(1e-40)) - pool.number(1e40);
  EXPECT_EQ(tiny, 1e-40);
}

TEST_F(Constants, keep_every_bit_of_a_double) {
  constexpr std::uint64_t seed = 11;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 3000; ++i) {
    std::uint64_t bits = random();
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const Expr c = pool.number(value);
    ASSERT_EQ(pool.constant_value(c.ref()), value);
    ASSERT_EQ(evaluate(c, {}, {}), value);
    ASSERT_EQ(c, value);
    ASSERT_TRUE((c - value).is_zero());
  }
}

TEST_F(Constants, that_are_fractions_are_rounded_once) {
  constexpr std::uint64_t seed = 12;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20000; ++i) {
    const auto num = static_cast<std::int64_t>(random() >> 11),
               den = static_cast<std::int64_t>(random() >> 11) + 1;
    ASSERT_EQ(evaluate(pool.rational(num, den), {}, {}),
              static_cast<double>(num) / static_cast<double>(den));
  }
}

TEST_F(Constants, include_the_smallest_and_the_largest_doubles) {
  for (const double value : {5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -5e-324}) {
    const Expr c = pool.number(value);
    EXPECT_EQ(evaluate(c, {}, {}), value);
    EXPECT_FALSE(c.is_zero());
    EXPECT_EQ(c / c, 1.0);
  }
  EXPECT_TRUE(pool.number(-0.0).is_zero());
}

TEST_F(Constants, outside_the_range_of_doubles_are_refused) {
  for (const char* literal : {"1e309", "1e-400", "1e5001", "1e99999999999", "123e-99999"}) {
    EXPECT_THROW(pool.decimal(literal), UsageError) << literal;
  }
  EXPECT_THROW(pool.number(1e200) * pool.number(1e200), UsageError);
  EXPECT_THROW(pool.number(1e-200) * pool.number(1e-200), UsageError);
  EXPECT_THROW(pool.number(INFINITY), UsageError);
  EXPECT_THROW(pool.number(NAN), UsageError);
  EXPECT_TRUE(pool.decimal("0e309").is_zero());
}

TEST_F(Constants, that_are_no_decimal_numbers_are_refused) {
  for (const char* literal :
       {"", ".", "1.2.3", "abc", "1e", "1e+-5", "1x", "-1", " 1", "0x10", "1e5.0"}) {
    EXPECT_THROW(pool.decimal(literal), UsageError) << literal;
  }
  EXPECT_THROW(pool.decimal(std::string(2000, '7')), UsageError);
}

TEST_F(Constants, may_be_written_in_many_ways) {
  EXPECT_EQ(pool.decimal("00.250"), pool.rational(1, 4));
  EXPECT_EQ(pool.decimal("2.5e+1"), pool.rational(25));
  EXPECT_EQ(pool.decimal(".5"), pool.decimal("5.E-1"));
  EXPECT_EQ(pool.decimal("100000000000000000000e-20"), 1.0);
}

TEST_F(Constants, that_are_multiples_of_a_field_prime_are_not_zero) {
  for (const char* literal : {"2302212421818777599", "2305795713033830399", "4604424843637555198",
                              "23022124218187775990", "5308431532722969815487518638866432001"}) {
    const Expr c = pool.decimal(literal);
    EXPECT_FALSE(c.is_zero()) << literal;
    EXPECT_FALSE((x * c).is_zero()) << literal;
    EXPECT_FALSE(x / c == x) << literal;
    EXPECT_EQ(x * c / c, x) << literal;
    EXPECT_EQ(c, pool.decimal(literal)) << literal;
    EXPECT_EQ(compare(x * c, pool.zero()).verdict, Verdict::different) << literal;
  }
  EXPECT_EQ(pool.decimal("2302212421818777599"), pool.rational(2302212421818777599));
  EXPECT_EQ(pool.rational(2302212421818777598) + 1, pool.decimal("2302212421818777599"));
}

TEST_F(Constants, that_differ_by_the_product_of_the_primes_are_different) {
  // 2302212421818777599 * 2305795713033830399 is 0 in both fields.
  const Expr product = pool.rational(2302212421818777599) * pool.rational(2305795713033830399);
  EXPECT_FALSE(product.is_zero());
  EXPECT_FALSE(product + 1 == 1.0);
  EXPECT_EQ(product + 1 - product, 1.0);
}

TEST_F(Constants, of_absurdly_many_digits_stay_equal_to_themselves) {
  const Expr c = pow(pool.number(1.00001234), 5000);
  EXPECT_NEAR(evaluate(c, {}, {}), std::pow(1.00001234, 5000), 1e-12);
  EXPECT_EQ(c, pow(pool.number(1.00001234), 2500) * pow(pool.number(1.00001234), 2500));
  EXPECT_NE(compare(x * c, x * c + 1e-9).verdict, Verdict::equal);
}

TEST_F(Constants, stay_numbers_when_their_value_was_seen_in_another_form) {
  const Expr disguised = (x + pool.rational(3, 17)) - (x + pool.rational(2, 17));
  const Expr c = pool.rational(1, 17);
  EXPECT_EQ(disguised, c);
  EXPECT_TRUE(c.is_constant());
  EXPECT_EQ(evaluate(c, {}, {}), 1.0 / 17);
}

TEST_F(Constants, with_pi_and_roots_are_constant_expressions) {
  EXPECT_TRUE((pool.pi() / 2 + sqrt(pool.number(2))).is_constant());
  EXPECT_FALSE((x * 2).is_constant());
}

// ---- Powers

TEST_F(Equality, of_powers_with_integer_and_half_exponents) {
  EXPECT_EQ(pow(x, 5), x * x * x * x * x);
  EXPECT_EQ(pow(x, -2), 1 / (x * x));
  EXPECT_EQ(pow(x, 0), 1.0);
  EXPECT_EQ(pow(x, 0.5), sqrt(x));
  EXPECT_EQ(pow(x, 1.5), x * sqrt(x));
  EXPECT_EQ(pow(x, -0.5), 1 / sqrt(x));
  EXPECT_EQ(pow(x, 2.5) / x, pow(x, 1.5));
}

// ---- Misuse

TEST_F(Misuse, division_by_an_identically_zero_expression_throws) {
  EXPECT_THROW(x / (x - x), UsageError);
  EXPECT_THROW(x / (sin(a) * sin(a) + cos(a) * cos(a) - 1), UsageError);
  EXPECT_THROW(1 / pool.zero(), UsageError);
  EXPECT_THROW(pow(pool.zero(), -1), UsageError);
  EXPECT_THROW(pool.rational(1, 0), UsageError);
}

TEST_F(Misuse, of_an_empty_expression_throws) {
  const Expr empty;
  EXPECT_FALSE(empty.valid());
  EXPECT_THROW(empty.pool(), UsageError);
  EXPECT_THROW(empty + x, UsageError);
  EXPECT_THROW(x * empty, UsageError);
  EXPECT_THROW(-empty, UsageError);
  EXPECT_THROW(sin(empty), UsageError);
  EXPECT_THROW(atan2(x, empty), UsageError);
  EXPECT_THROW(pow(empty, x), UsageError);
  EXPECT_THROW(empty.is_zero(), UsageError);
  EXPECT_THROW(compare(empty, x), UsageError);
  EXPECT_THROW(free_symbols(empty), UsageError);
  EXPECT_FALSE(empty == x);
}

TEST_F(Misuse, of_two_pools_in_one_expression_throws) {
  ExprPool other;
  const Expr foreign = other.symbol("x");
  EXPECT_THROW(x + foreign, UsageError);
  EXPECT_THROW(static_cast<void>(x == foreign), UsageError);
  EXPECT_THROW(min(x, foreign), UsageError);
  EXPECT_THROW(compare(x, foreign), UsageError);
}

TEST_F(Misuse, a_unit_quaternion_of_symbols_that_exist_or_repeat_throws) {
  EXPECT_THROW(pool.unit_quaternion({"x", "p", "q", "r"}), UsageError);
  EXPECT_THROW(pool.unit_quaternion({"o", "p", "p", "r"}), UsageError);
  EXPECT_FALSE(pool.has_symbol_named("p"));
}

// ---- Size

TEST(ExprPool, finds_every_node_again_after_growing) {
  ExprPool pool;
  const Expr x = pool.symbol("x");
  std::vector<Expr> sums;
  for (int i = 1; i <= 20000; ++i) sums.push_back(x * x + i);
  const std::size_t before = pool.node_count();
  for (int i = 1; i <= 20000; ++i) EXPECT_EQ(x * x + i, sums[static_cast<std::size_t>(i - 1)]);
  EXPECT_EQ(pool.node_count(), before);
}

TEST(ExprPool, keeps_a_node_in_less_than_160_bytes) {
  ExprPool pool;
  Expr sum = pool.symbol("x");
  const Expr y = pool.symbol("y");
  for (int i = 0; i < 50000; ++i) sum = sum * y + sum;
  EXPECT_LT(pool.bytes_per_node(), 160.0);
}

// More symbols than a mask has bits, so that only the flag can tell the forms apart.
TEST(pool, a_form_without_scratch_symbols_replaces_one_with_them) {
  ExprPool pool;
  std::vector<Expr> crowd;
  for (int i = 0; i < 200; ++i) crowd.push_back(pool.symbol("a" + std::to_string(i)));
  const Expr s = pool.scratch_symbol("s"), x = crowd[3], y = crowd[190];
  const Expr through = (x + s) * (y + s) - s * (x + y + s);  // x y
  EXPECT_TRUE(through == x * y);
  for (const Expr& e : free_symbols(x * y)) EXPECT_FALSE(e == s);
  EXPECT_FALSE(depends_on(x * y + y, s));
  EXPECT_FALSE(depends_on(sin(x * y), s));
}

TEST(pool, a_symbol_cannot_become_a_scratch_symbol) {
  ExprPool pool;
  pool.symbol("x");
  EXPECT_THROW(pool.scratch_symbol("x"), UsageError);
}

}  // namespace
}  // namespace visviva
