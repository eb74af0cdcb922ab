#include "visviva/symbolic/calculus/inspect.h"

#include <gtest/gtest.h>

#include "visviva/base/error.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

TEST(FreeSymbols, come_in_order_of_creation_and_once) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
  EXPECT_EQ(free_symbols(z * x + sin(x)), (std::vector<Expr>{x, z}));
  EXPECT_EQ(free_symbols({y * y, -x}), (std::vector<Expr>{x, y}));
  EXPECT_TRUE(free_symbols(pool.pi() / 2).empty());
  EXPECT_TRUE(free_symbols(std::vector<Expr>{}).empty());
}

TEST(FreeSymbols, do_not_include_what_cancels) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y");
  EXPECT_FALSE(depends_on((x + y) - y, y));
  EXPECT_TRUE(depends_on(x * y, y));
  EXPECT_FALSE(depends_on(x * (sin(y) * sin(y) + cos(y) * cos(y)), y));
}

TEST(OperationCount, counts_shared_nodes_once_and_negation_not_at_all) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y");
  const Expr s = sin(x * y);
  const OperationCount count = count_operations({s * s + x, -s, x / y});
  EXPECT_EQ(count.additions, 1u);
  EXPECT_EQ(count.multiplications, 2u);
  EXPECT_EQ(count.divisions, 1u);
  EXPECT_EQ(count.functions, 1u);
  EXPECT_EQ(count.total(), 5u);
}

TEST(OperationCount, leaves_out_work_on_numbers_alone) {
  ExprPool pool;
  const Expr x = pool.symbol("x");
  EXPECT_EQ(count_operations({x * (sqrt(pool.number(2)) + pool.pi())}).total(), 1u);
  EXPECT_EQ(count_operations({}).total(), 0u);
}

TEST(OperationCount, like_terms_are_collected) {
  ExprPool pool;
  const Expr x = pool.symbol("x");
  EXPECT_EQ(count_operations({x + x + x + x}).total(), 1u);
}

}  // namespace
}  // namespace visviva
