#include "visviva/symbolic/print/printed_texts.h"

#include <gtest/gtest.h>

#include "visviva/base/error.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

TEST(PrintedTexts, finds_each_expression_it_was_given) {
  ExprPool pool;
  const Expr a = pool.symbol("a"), b = pool.symbol("b");
  const PrintedTexts printed({a * b, a + b, a * b}, {});
  EXPECT_EQ(printed(b * a), "a*b");
  EXPECT_EQ(printed(a + b), "a + b");
  EXPECT_TRUE(printed.intermediates().empty());
  EXPECT_THROW(printed(a - b), UsageError);
}

}  // namespace
}  // namespace visviva
