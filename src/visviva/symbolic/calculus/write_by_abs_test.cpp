// Tests of choices written by abs and sign.
#include "visviva/symbolic/calculus/write_by_abs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

TEST(WriteByAbs, has_the_same_values_and_no_choices) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y");
  const std::vector<Expr> exprs = {max(x, y),   min(x, y),
                                   step(x - y), max(0 * x, min(x, y * y)) * step(y),
                                   -max(x, -y), sin(x) * y};
  const std::vector<Expr> written = write_by_abs(exprs);
  for (const Expr& e : written) {
    const std::string text = print(e);
    for (const char* word : {"max", "min"}) EXPECT_EQ(text.find(word), std::string::npos) << text;
  }
  const Evaluator before({x, y}, exprs), after({x, y}, written);
  for (const double a : {-2.0, -0.3, 0.7, 1.5})
    for (const double b : {-1.1, -0.2, 0.4, 3.0}) {
      const std::vector<double> at = {a, b};
      for (std::size_t i = 0; i < exprs.size(); ++i)
        EXPECT_NEAR(before(at)[i], after(at)[i], 1e-15) << print(exprs[i]);
    }
  EXPECT_EQ(written.back(), exprs.back());
}

TEST(WriteByCases, has_every_choice_of_signs) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y");
  const std::vector<Expr> cases = write_by_cases(abs(x) + 2 * sign(-x) + y * abs(y - x), 3);
  ASSERT_EQ(cases.size(), 4u);
  for (const double a : {-1.0, 3.0}) {
    for (const double b : {-0.5, 4.0}) {
      const Evaluator values({x, y}, cases);
      const double expected = std::abs(a) - 2 * (a > 0 ? 1 : -1) + b * std::abs(b - a);
      const std::vector<double> all = values(std::vector<double>{a, b});
      EXPECT_EQ(std::count(all.begin(), all.end(), expected), 1) << a << " " << b;
    }
  }
  EXPECT_TRUE(write_by_cases(x * y, 3).empty());
  EXPECT_TRUE(write_by_cases(abs(x) * abs(y), 1).empty());
}

}  // namespace
}  // namespace visviva
