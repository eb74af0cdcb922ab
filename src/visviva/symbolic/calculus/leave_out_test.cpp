// Tests of terms that are left out.
#include "visviva/symbolic/calculus/leave_out.h"

#include <gtest/gtest.h>

#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

TEST(LeaveOut, leaves_the_terms_that_expanding_would_leave) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y"), f = pool.symbol("f"), t = pool.symbol("t");
  const auto is_out = [&](const Expr& s) { return s == f || s == t; };
  const auto left = [&](const Expr& e) { return leave_terms_out(e, is_out); };
  EXPECT_EQ(left((x - 3 - f) * y), (x - 3) * y);
  EXPECT_EQ(left(-2 * (3 + 5 * sin(t)) * x), -6 * x);
  EXPECT_EQ(left((x + f) * (y - f)), x * y);
  EXPECT_EQ(left((x + f) / sqrt(x * x + y * y)), x / sqrt(x * x + y * y));
  EXPECT_EQ(left(x + y / (1 + f)), x);
  EXPECT_EQ(left(x * sqrt(1 + f * f) + max(y, f)), pool.zero());
  EXPECT_EQ(left(x * sin(y)), x * sin(y));
  EXPECT_EQ(left(f), pool.zero());
}

}  // namespace
}  // namespace visviva
