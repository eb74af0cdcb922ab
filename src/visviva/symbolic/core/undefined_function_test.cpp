// Functions that nobody defined: their values are equal exactly where their arguments are, and their
// derivatives follow the chain rule.
#include <gtest/gtest.h>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/compare.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/function_symbol.h"
#include "visviva/symbolic/core/pool.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

const FunctionSymbol X{"X", {"q"}, {}};
const FunctionSymbol f{"f", {"x", "y"}, {}};

class UndefinedFunction : public testing::Test {
 protected:
  ExprPool pool;
  Expr q = pool.symbol("q"), s = pool.symbol("s");
};

TEST(FunctionSymbol, reads_what_it_writes) {
  for (const FunctionSymbol& symbol :
       {X, f, X.derivative(0).derivative(0), f.derivative(1).derivative(0)}) {
    const FunctionSymbol read = read_function_symbol(symbol.text());
    EXPECT_EQ(read.text(), symbol.text());
    EXPECT_EQ(read.by, symbol.by);
  }
  EXPECT_EQ(f.derivative(1).derivative(0).text(), "d(f, x, y)(x, y)");
}

TEST_F(UndefinedFunction, is_equal_where_arguments_are) {
  EXPECT_EQ(call(X, {sin(q) * sin(q) + cos(q) * cos(q) + q}), call(X, {q + 1.0}));
  EXPECT_NE(call(X, {q}), call(X, {2.0 * q}));
  EXPECT_NE(call(f, {q, s}), call(f, {s, q}));
  EXPECT_EQ(compare(call(X, {q}), call(X, {s})).verdict, Verdict::different);
  EXPECT_FALSE(call(X, {pool.one()}).is_constant());
  EXPECT_THROW(call(f, {q}), UsageError);
}

TEST_F(UndefinedFunction, has_derivatives_by_the_chain_rule) {
  const Expr slope = call(X.derivative(0), {2.0 * q});
  EXPECT_EQ(differentiate(call(X, {2.0 * q}), q), 2.0 * slope);
  EXPECT_EQ(gradient(s * call(X, {2.0 * q}), {q, s})[0], 2.0 * s * slope);
  const Expr g = call(f, {q * s, -q});
  const Expr by_q = s * call(f.derivative(0), {q * s, -q}) - call(f.derivative(1), {q * s, -q});
  EXPECT_EQ(differentiate(g, q), by_q);
  EXPECT_EQ(gradient(g, {q, s})[0], by_q);
  EXPECT_EQ(gradient(g, {q, s})[1], q * call(f.derivative(0), {q * s, -q}));
  EXPECT_EQ(differentiate(differentiate(g, q), s), differentiate(differentiate(g, s), q));
}

TEST_F(UndefinedFunction, is_no_symbol_but_known_by_name) {
  const Expr g = call(f, {q, s});
  EXPECT_EQ(free_symbols(g).size(), 2u);
  EXPECT_EQ(undefined_functions({differentiate(g, q) + call(X, {s})}).size(), 2u);
  EXPECT_EQ(substitute(g, {{s, q}}), call(f, {q, q}));
}

TEST_F(UndefinedFunction, is_printed_as_the_language_writes_it) {
  EXPECT_EQ(print(call(X, {2.0 * q})), "X(2*q)");
  EXPECT_EQ(print(differentiate(call(X, {q}), q)), "d(X, q)");
  EXPECT_EQ(print(differentiate(call(X, {2.0 * q}), q)), "2*d(X, q)(2*q)");
  EXPECT_EQ(print(differentiate(call(f, {q, s}), s)), "d(f, y)(q, s)");
  EXPECT_EQ(print(differentiate(call(X, {q}), q), Notation::latex), "\\frac{d X}{d q}");
  EXPECT_EQ(print(differentiate(differentiate(call(f, {q, s}), s), s), Notation::latex),
            "\\frac{\\partial^{2} f}{\\partial y^{2}}\\left(q, s\\right)");
}

}  // namespace
}  // namespace visviva
