#include "visviva/symbolic/simplify/expand.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "visviva/symbolic/calculus/compare.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/core/random_expression.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

class Expanded : public ::testing::Test {
 protected:
  // The terms as text, sorted: their order is no claim.
  std::vector<std::string> terms(const Expr& e) {
    std::vector<std::string> result;
    const auto found = expand_sum(e);
    if (!found) return {"nothing"};
    for (const Expr& t : *found) result.push_back(print(t));
    std::sort(result.begin(), result.end());
    return result;
  }
  using Texts = std::vector<std::string>;

  ExprPool pool;
  Expr k = pool.symbol("k"), a = pool.symbol("a"), b = pool.symbol("b"), p = pool.symbol("p"),
       x = pool.symbol("x"), y = pool.symbol("y"), q1 = pool.symbol("q1"), q2 = pool.symbol("q2");
};
using ProvedZero = Expanded;

TEST_F(Expanded, square_of_a_difference_has_three_terms) {
  EXPECT_EQ(terms(k / 2 * pow(x - a, 2)), (Texts{"-k*a*x", "1/2*k*a^2", "1/2*k*x^2"}));
}

TEST_F(Expanded, products_of_cosines_stay_products) {
  EXPECT_EQ(terms((a + b) * cos(q1) * cos(q2)), (Texts{"a*cos(q1)*cos(q2)", "b*cos(q1)*cos(q2)"}));
}

TEST_F(Expanded, roots_absolute_values_and_denominators_stay_whole) {
  const Expr S = x * x + y * y;
  EXPECT_EQ(terms((a + b) * sqrt(S)), (Texts{"a*sqrt(x^2 + y^2)", "b*sqrt(x^2 + y^2)"}));
  EXPECT_EQ(terms((x + y) / S), (Texts{"x/(x^2 + y^2)", "y/(x^2 + y^2)"}));
  EXPECT_EQ(terms((1 + b) * abs(x - a)), (Texts{"abs(a - x)", "b*abs(a - x)"}));
  EXPECT_EQ(terms(sin(a * (x + y))).size(), 1u);
}

TEST_F(Expanded, the_square_of_a_spring_length_is_multiplied_out_once_its_root_is_gone) {
  const Expr S = pow(x - a, 2) + y * y;
  EXPECT_EQ(terms(pow(sqrt(S) - b, 2)),
            (Texts{"-2*a*x", "-2*b*sqrt(y^2 + (x - a)^2)", "a^2", "b^2", "x^2", "y^2"}));
}

TEST_F(Expanded, like_terms_come_together_and_may_vanish) {
  EXPECT_EQ(terms((x + y) * (x - y) + y * y), (Texts{"x^2"}));
  EXPECT_TRUE(expand_sum((x + 1) * (x - 1) * a - a * x * x + a)->empty());
  EXPECT_TRUE(expand_sum(pool.zero())->empty());
}

TEST_F(Expanded, sums_add_up_to_the_expression) {
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    ExprPool fresh;
    trees::RandomTrees trees(seed, seed % 2 == 0);
    const Expr e = build(trees.make(4), fresh);
    const auto parts = expand_sum(e);
    if (!parts) continue;
    Expr sum = fresh.zero();
    for (const Expr& part : *parts) sum += part;
    EXPECT_TRUE(is_proved_zero(sum - e)) << print(e);
    // The witness search of compare() knows nothing of terms.
    EXPECT_NE(compare(sum, e).verdict, Verdict::different) << print(e);
    ++checked;
  }
  EXPECT_GT(checked, 250);
}

TEST_F(Expanded, nothing_comes_back_beyond_the_limit) {
  Expr product = pool.one();
  for (int i = 0; i < 40; ++i) product *= x + pool.symbol("c" + std::to_string(i));
  EXPECT_FALSE(expand_sum(product).has_value());
  EXPECT_FALSE(expand_sum(pow(x + y, 12), 12).has_value());
  EXPECT_EQ(expand_sum(pow(x + y, 12), 13)->size(), 13u);
  // Nor beyond the range of numbers: the product of 10^300 and itself.
  const Expr huge = pool.decimal("1e300");
  EXPECT_FALSE(expand_sum((huge * x + y) * (huge * x - a)).has_value());
}

TEST_F(Expanded, shared_sums_cost_each_node_once) {
  // As a tree this is 2^60 additions.
  Expr before = x, sum = y;
  for (int i = 0; i < 60; ++i) {
    const Expr next = before + sum * a;
    before = sum;
    sum = next + b;
  }
  Expr fibonacci = x, last = y;
  for (int i = 0; i < 60; ++i) {
    const Expr next = fibonacci + last;
    fibonacci = last;
    last = next;
  }
  // Fibonacci numbers F(60) = 1548008755920 and F(61) = 2504730781961 (OEIS A000045).
  EXPECT_EQ(terms(last), (Texts{"1548008755920*x", "2504730781961*y"}));
  EXPECT_FALSE(expand_sum(sum, 200).has_value());
}

// ---- What the fields cannot see

TEST_F(ProvedZero, where_powers_of_a_root_meet_in_long_products) {
  const Expr S = x * x + y * y, s = sqrt(S);
  const Expr difference = (a * s) * (b * s) - a * b * S;
  ASSERT_FALSE(difference == 0.0);  // else this claims nothing
  EXPECT_TRUE(is_proved_zero(difference));
  EXPECT_TRUE(is_proved_zero(differentiate(S * s, x) - 3 * x * s));
  EXPECT_TRUE(is_proved_zero(pow(S, p) * S - pow(S, p + 1)));
  EXPECT_TRUE(is_proved_zero(pow(S, p) * pow(S, 0.5 - p) - s));
}

TEST_F(ProvedZero, for_absolute_values_and_signs) {
  EXPECT_TRUE(is_proved_zero(x * sign(x) - abs(x)));
  EXPECT_TRUE(is_proved_zero((a * abs(x)) * (b / abs(x)) - a * b));
  EXPECT_TRUE(is_proved_zero(pow(abs(x), 3) * sign(x) - x * x * x));
}

TEST_F(ProvedZero, with_roots_in_denominators) {
  const Expr s = sqrt(x * x + a);
  EXPECT_TRUE(is_proved_zero(1 / (s - x) - (s + x) / a));
  EXPECT_TRUE(is_proved_zero(differentiate(log(x + s), x) - 1 / s));
}

TEST_F(ProvedZero, is_not_claimed_of_what_differs) {
  const Expr S = x * x + y * y, s = sqrt(S);
  EXPECT_FALSE(is_proved_zero(s - x));
  EXPECT_FALSE(is_proved_zero((a * s) * (b * s) - a * b * x));
  EXPECT_FALSE(is_proved_zero(abs(x) - x));
  EXPECT_FALSE(is_proved_zero(sqrt(x * x + a) - sqrt(y * y + a)));
  EXPECT_FALSE(is_proved_zero(pow(x, p) - pow(x, p + 1)));
  EXPECT_FALSE(is_proved_zero(1 / (s - x) - 1 / (s + x)));
  EXPECT_FALSE(is_proved_zero(sqrt(a - b) * sqrt(b - a) - (a - b)));
}

}  // namespace
}  // namespace visviva
