#include "visviva/symbolic/calculus/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/random_expression.h"

namespace visviva {
namespace {

class Compare : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr a = pool.symbol("a"), b = pool.symbol("b"), x = pool.symbol("x"), y = pool.symbol("y");

  static Verdict verdict(const Expr& l, const Expr& r) { return compare(l, r).verdict; }
};

TEST_F(Compare, says_equal_with_a_tiny_bound_on_the_error) {
  const Comparison trivial = compare(sqrt(a * a), abs(a));
  EXPECT_EQ(trivial.verdict, Verdict::equal);
  EXPECT_LT(trivial.error_probability, 1e-30);
  EXPECT_TRUE(trivial.witness.empty());
  const Comparison angles = compare(cos(a + b), cos(a) * cos(b) - sin(a) * sin(b));
  EXPECT_EQ(angles.verdict, Verdict::equal);
  EXPECT_GT(angles.error_probability, 0.0);
  EXPECT_LT(angles.error_probability, 1e-20);
  EXPECT_EQ(verdict(sin(asin(x)), x), Verdict::equal);
}

TEST_F(Compare, remembers_the_degree_of_forms_that_were_merged_away) {
  const Expr big = pow(a + b, 1000) * pow(a - b, 1000), other = pow(a * a - b * b, 1000);
  EXPECT_GE(compare(big, other).error_probability, std::pow(2000.0 / 2.4e18, 2));
  const double one = compare(pow(sin(a), 2) + pow(cos(a), 2), pool.one()).error_probability;
  EXPECT_GE(one, std::pow(2.0 * field::angle_resolution / 2.4e18, 2));
}

TEST_F(Compare, gives_a_useless_bound_rather_than_a_wrong_one) {
  Expr tower = a + b;
  for (int i = 0; i < 200; ++i) tower = tower * tower;
  const Expr same = (tower + x) - x;
  EXPECT_EQ(compare(same, tower).verdict, Verdict::equal);
  EXPECT_EQ(compare(same, tower).error_probability, 1.0);
}

TEST_F(Compare, says_different_with_a_state_that_shows_it) {
  const Comparison root = compare(sqrt(a * a), a);
  ASSERT_EQ(root.verdict, Verdict::different);
  ASSERT_EQ(root.witness.size(), 1u);
  EXPECT_EQ(root.witness[0].first, a);
  EXPECT_LT(root.witness[0].second, 0.0);
  EXPECT_EQ(root.left, -root.right);
  EXPECT_EQ(root.difference, root.left - root.right);
}

TEST_F(Compare, finds_what_only_some_states_show) {
  EXPECT_EQ(verdict(abs(a), a), Verdict::different);
  EXPECT_EQ(verdict(abs(a), -a), Verdict::different);
  EXPECT_EQ(verdict(asin(sin(x)), x), Verdict::different);
  EXPECT_EQ(verdict(acos(cos(x)), x), Verdict::different);
  EXPECT_EQ(verdict(atan2(sin(a), cos(a)), a), Verdict::different);
  EXPECT_EQ(verdict(max(a, pool.number(100)), pool.number(100)), Verdict::different);
  EXPECT_EQ(verdict(step(a), pool.one()), Verdict::different);
  EXPECT_EQ(verdict(sign(a) * a, a), Verdict::different);
  EXPECT_EQ(verdict(log(x * x), 2 * log(-x)), Verdict::undecided);
  EXPECT_EQ(verdict(sqrt(x - 3) * sqrt(y), sqrt(x - 3)), Verdict::different);
}

TEST_F(Compare, sees_differences_far_below_rounding) {
  EXPECT_EQ(verdict(a, a + 1e-12), Verdict::different);
  EXPECT_EQ(verdict(a, a * (1 + pool.number(1e-12))), Verdict::different);
  EXPECT_EQ(verdict(sin(a), sin(a + 1e-40)), Verdict::different);
  const Comparison tiny = compare(sqrt(a), sqrt(a) + 1e-300);
  ASSERT_EQ(tiny.verdict, Verdict::different);
  EXPECT_EQ(tiny.left, tiny.right);
  EXPECT_NEAR(tiny.difference / -1e-300, 1.0, 1e-6);  // 1024 bits leave eight digits of it
}

TEST_F(Compare, says_undecided_where_the_fields_do_not_know_and_no_state_differs) {
  const Comparison roots = compare(sqrt(x) * sqrt(y), sqrt(x * y));
  EXPECT_EQ(roots.verdict, Verdict::undecided);
  EXPECT_TRUE(roots.witness.empty());
  EXPECT_EQ(verdict(log(x * y), log(x) + log(y)), Verdict::undecided);
  EXPECT_EQ(verdict(asin(x) + acos(x), pool.pi() / 2), Verdict::undecided);
  EXPECT_EQ(verdict(max(a, b) + min(a, b), a + b), Verdict::undecided);
}

TEST_F(Compare, says_undecided_where_nothing_is_defined) {
  EXPECT_EQ(verdict(sqrt(-1 - a * a), sqrt(-2 - a * a)), Verdict::undecided);
  EXPECT_EQ(verdict(log(-exp(a)), a), Verdict::undecided);
  EXPECT_EQ(verdict(sign(sqrt(-1 - a * a)), a), Verdict::undecided);
}

TEST_F(Compare, decides_constants) {
  EXPECT_EQ(verdict(pool.pi(), pool.rational(22, 7)), Verdict::different);
  EXPECT_EQ(
      verdict(sqrt(pool.number(2)), pool.decimal("1.41421356237309504880168872420969807856967")),
      Verdict::different);
  EXPECT_EQ(verdict(exp(pool.one() * pool.pi()), pool.number(23.140692632779267)),
            Verdict::different);
  EXPECT_EQ(verdict(pool.number(5e-324), pool.zero()), Verdict::different);
}

TEST_F(Compare, does_not_trust_constants_whose_digits_were_dropped) {
  const Expr inexact = pow(pool.number(1.00001234), 5000);
  EXPECT_EQ(verdict(x * inexact, x), Verdict::undecided);
}

TEST_F(Compare, survives_numbers_beyond_any_range) {
  EXPECT_EQ(verdict(exp(exp(exp(a * 1000))), exp(exp(a * 1000))), Verdict::different);
  EXPECT_NO_THROW(compare(sin(exp(exp(exp(exp(a * a))))), cos(a)));
  EXPECT_NO_THROW(compare(pow(a * a + 2, exp(exp(a * 100))), b));
  EXPECT_NO_THROW(compare(tan(exp(a * 1000)) / exp(-exp(b * 1000)), b));
}

TEST_F(Compare, samples_unit_quaternions_on_the_sphere) {
  const auto e = pool.unit_quaternion({"e0", "e1", "e2", "e3"});
  const Expr square = e[0] * e[0], inside = 1 - e[1] * e[1] - e[2] * e[2] - e[3] * e[3];
  EXPECT_EQ(inside, square);
  EXPECT_EQ(verdict(sqrt(inside), abs(e[0])), Verdict::equal);
  const Comparison sign_of_e0 = compare(sqrt(inside), e[0]);
  ASSERT_EQ(sign_of_e0.verdict, Verdict::different);
  const Comparison all = compare(e[0] + e[1] * e[2], e[3]);
  ASSERT_EQ(all.witness.size(), 4u);
  double norm = 0.0;
  for (const auto& [symbol, value] : all.witness) norm += value * value;
  EXPECT_NEAR(norm, 1.0, 1e-15);
  // Equal on the sphere only, and unknown to the fields: no state off the sphere may be taken for a
  // witness.
  const Expr length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] + x * x);
  EXPECT_EQ(verdict(length * length * sqrt(y), (1 + x * x) * sqrt(y)), Verdict::equal);
  EXPECT_EQ(verdict(max(e[0] * e[0], inside + x), inside + max(pool.zero(), x)),
            Verdict::undecided);
}

TEST_F(Compare, gives_the_same_answer_each_time) {
  const Comparison first = compare(sin(a) * b, a), second = compare(sin(a) * b, a);
  ASSERT_EQ(first.witness.size(), 2u);
  EXPECT_EQ(first.witness[0].second, second.witness[0].second);
  EXPECT_EQ(first.difference, second.difference);
}

TEST_F(Compare, witnesses_of_random_pairs_hold_in_long_double) {
  constexpr std::uint64_t seed = 51;
  SCOPED_TRACE(seed);
  trees::RandomTrees random(seed, true);
  for (int i = 0; i < 150; ++i) {
    ExprPool fresh;
    const Expr l = trees::build(random.make(3), fresh), r = trees::build(random.make(3), fresh);
    const Comparison result = compare(l, r);
    if (l == r) {
      EXPECT_EQ(result.verdict, Verdict::equal);
      continue;
    }
    ASSERT_EQ(result.verdict, Verdict::different) << "case " << i;
    std::vector<Expr> symbols;
    std::vector<long double> values;
    for (const auto& [symbol, value] : result.witness) {
      symbols.push_back(symbol);
      values.push_back(value);
    }
    const std::vector<long double> both = Evaluator(symbols, {l, r})(values);
    EXPECT_NEAR(static_cast<double>(both[0] - both[1]), result.difference,
                1e-9 * (std::fabs(result.left) + std::fabs(result.right)))
        << "case " << i;
  }
}

TEST_F(Compare, never_finds_a_witness_between_rewritings) {
  constexpr std::uint64_t seed = 52;
  SCOPED_TRACE(seed);
  trees::RandomTrees random(seed, true);
  for (int i = 0; i < 100; ++i) {
    ExprPool fresh;
    const trees::TreePtr tree = random.make(3);
    const Expr l = trees::build(tree, fresh), r = trees::build(random.rewrite(tree), fresh);
    ASSERT_NE(compare(l, r).verdict, Verdict::different) << trees::to_string(tree);
  }
}

}  // namespace
}  // namespace visviva
