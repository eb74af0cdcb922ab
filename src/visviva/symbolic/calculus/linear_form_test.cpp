#include "visviva/symbolic/calculus/linear_form.h"

#include <gtest/gtest.h>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

class LinearFormTest : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr q = pool.symbol("q"), l = pool.symbol("l"), u1 = pool.symbol("u1"), u2 = pool.symbol("u2");

  std::string complaint(const Expr& e) {
    try {
      make_linear_form(e, {u1, u2});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(LinearFormTest, splits_coefficients_and_remainder) {
  const LinearForm form = make_linear_form(sin(q) * (u1 - l * u2) + u2 / l + cos(q), {u1, u2});
  EXPECT_EQ(form.coefficients[0], sin(q));
  EXPECT_EQ(form.coefficients[1], 1 / l - l * sin(q));
  EXPECT_EQ(form.remainder, cos(q));
}

TEST_F(LinearFormTest, finds_hidden_linearity) {
  const LinearForm square = make_linear_form((u1 + 1) * (u1 + 1) - u1 * u1, {u1});
  EXPECT_EQ(square.coefficients[0], 2.0);
  EXPECT_EQ(square.remainder, 1.0);
  const LinearForm angle = make_linear_form(u1 * (sin(u2) * sin(u2) + cos(u2) * cos(u2)), {u1, u2});
  EXPECT_EQ(angle.coefficients[0], 1.0);
  EXPECT_EQ(angle.coefficients[1], 0.0);
  EXPECT_EQ(make_linear_form((u1 * u1 - u2 * u2) / (u1 + u2), {u1, u2}).coefficients[1], -1.0);
}

TEST_F(LinearFormTest, leaves_no_symbol_in_its_parts) {
  const LinearForm form =
      make_linear_form((u1 + q) * (u1 + l) - u1 * (u1 + u2) + u1 * u2, {u1, u2});
  for (const Expr& part : {form.coefficients[0], form.coefficients[1], form.remainder}) {
    EXPECT_FALSE(depends_on(part, u1));
    EXPECT_FALSE(depends_on(part, u2));
  }
  EXPECT_EQ(form.coefficients[0], q + l);
  EXPECT_EQ(form.remainder, q * l);
}

TEST_F(LinearFormTest, of_an_expression_without_the_symbols_is_the_remainder) {
  const LinearForm form = make_linear_form(q * l, {u1, u2});
  EXPECT_TRUE(form.coefficients[0].is_zero());
  EXPECT_EQ(form.remainder, q * l);
}

TEST_F(LinearFormTest, refuses_what_is_not_linear_and_names_the_symbol) {
  for (const Expr& e : {u1 * u1, sin(u1), u1 / (1 + u1), exp(u1), sqrt(u1), log(2 + u1)}) {
    EXPECT_NE(complaint(e + u2).find("'u1'"), std::string::npos) << complaint(e + u2);
  }
  EXPECT_NE(complaint(u1 * u2), "");
  EXPECT_NE(complaint(u1 / u2), "");
}

TEST_F(LinearFormTest, refuses_kinks_and_jumps) {
  for (const Expr& e :
       {abs(u1), sign(u1), step(u1), max(u1, q), u1 * sign(u1), min(u1, 2 * u1), step(1 / u1)}) {
    EXPECT_NE(complaint(q * u2 + e), "");
  }
}

TEST_F(LinearFormTest, misuse_throws) {
  EXPECT_THROW(make_linear_form(u1, {u1 * u2}), UsageError);
  EXPECT_THROW(make_linear_form(Expr(), {u1}), UsageError);
}

}  // namespace
}  // namespace visviva
