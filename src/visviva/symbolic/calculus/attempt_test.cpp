#include "visviva/symbolic/calculus/attempt.h"

#include <gtest/gtest.h>

#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

class Attempt : public testing::Test {
 protected:
  ExprPool pool_;
  Expr x_ = pool_.symbol("x"), y_ = pool_.symbol("y");
};

TEST_F(Attempt, gives_what_exists) {
  const auto found = try_substitute(x_ / y_, {{y_, pool_.rational(2)}});
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, x_ / 2.0);
}

TEST_F(Attempt, says_why_something_does_not_exist) {
  const auto quotient = try_substitute(x_ / y_, {{y_, pool_.zero()}});
  ASSERT_FALSE(quotient);
  EXPECT_EQ(quotient.why().kind, Undefined::Kind::zero_divisor);
  const auto root = try_substitute(sqrt(x_), {{x_, pool_.rational(-1)}});
  ASSERT_FALSE(root);
  EXPECT_EQ(root.why().kind, Undefined::Kind::outside_domain);
  const auto large = try_substitute(x_ * 1e300, {{x_, pool_.number(1e300)}});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.why().kind, Undefined::Kind::number_range);
}

TEST_F(Attempt, remembers_nothing_of_what_failed) {
  Substitution at_zero(pool_, {{y_, pool_.zero()}});
  EXPECT_FALSE(try_substitute(x_ / y_, at_zero));
  const auto sum = try_substitute(x_ + y_, at_zero);
  ASSERT_TRUE(sum);
  EXPECT_EQ(*sum, x_);
  EXPECT_FALSE(try_substitute(x_ / y_, at_zero));
}

TEST_F(Attempt, lets_mistakes_of_the_caller_through) {
  EXPECT_THROW(attempt([&] { return x_ + Expr(); }), UsageError);
  EXPECT_THROW(try_substitute(x_, {{x_ * y_, y_}}), UsageError);
}

TEST_F(Attempt, of_a_linear_form_names_the_symbol_or_none) {
  const auto square = find_linear_form(x_ * y_ + y_ * y_, {y_});
  ASSERT_FALSE(square);
  ASSERT_TRUE(square.why().symbol);
  EXPECT_EQ(*square.why().symbol, y_);
  const auto kink = find_linear_form(abs(y_), {y_});
  EXPECT_FALSE(kink);
  const auto line = find_linear_form(x_ * y_ + 3.0, {y_});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->coefficients[0], x_);
}

}  // namespace
}  // namespace visviva
