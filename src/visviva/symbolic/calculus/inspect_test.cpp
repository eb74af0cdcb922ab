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

// More symbols than a mask of symbols has bits, so that two share one.
TEST(DependsOn, tells_symbols_apart_that_share_a_bit) {
  ExprPool pool;
  std::vector<Expr> x;
  for (int i = 0; i < 200; ++i) x.push_back(pool.symbol("x" + std::to_string(i)));
  Expr even = pool.zero();
  for (std::size_t i = 0; i < x.size(); i += 2) even += sin(x[i]) * x[i];
  const Expr some = cos(x[3]) * x[130];
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(depends_on(even, x[i]), i % 2 == 0) << i;
    EXPECT_EQ(depends_on(some, x[i]), i == 3 || i == 130) << i;
  }
  EXPECT_EQ(depend_on_any({even, some, x[5], pool.one()}, {x[3], x[5]}),
            (std::vector<bool>{false, true, true, false}));
  EXPECT_EQ(depend_on_any({even, some}, {}), (std::vector<bool>{false, false}));
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
