#include "visviva/symbolic/calculus/substitute.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/random_expression.h"

namespace visviva {
namespace {

class SubstitutionTest : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
};

TEST_F(SubstitutionTest, replaces_every_occurrence) {
  EXPECT_EQ(substitute(x * x + sin(x), {{x, y + z}}), (y + z) * (y + z) + sin(y + z));
  EXPECT_EQ(substitute(-x, {{x, -y}}), y);
  EXPECT_EQ(substitute(x, {{x, pool.zero()}}), 0.0);
  EXPECT_EQ(substitute(-x * y, {{x, pool.zero()}}), 0.0);
  EXPECT_EQ(substitute(x, {}), x);
}

TEST_F(SubstitutionTest, swaps_two_symbols_at_once) {
  const Expr e = x / (1 + y * y) - atan2(x, y);
  const Expr swapped = substitute(e, {{x, y}, {y, x}});
  EXPECT_EQ(swapped, y / (1 + x * x) - atan2(y, x));
  EXPECT_EQ(substitute(swapped, {{x, y}, {y, x}}), e);
}

TEST_F(SubstitutionTest, does_not_look_into_replacements_again) {
  EXPECT_EQ(substitute(x + y, {{x, x + y}}), x + 2 * y);
}

TEST_F(SubstitutionTest, of_numbers_folds_to_numbers) {
  const Expr e = sin(x * pool.pi()) + sqrt(y) + pow(y, z);
  EXPECT_EQ(substitute(e, {{x, pool.number(0.5)}, {y, pool.number(9)}, {z, pool.number(2)}}), 85.0);
}

TEST_F(SubstitutionTest, that_makes_a_denominator_zero_throws) {
  EXPECT_THROW(substitute(1 / (x - y), {{x, y}}), UsageError);
  EXPECT_THROW(substitute(log(x), {{x, pool.zero()}}), UsageError);
}

TEST_F(SubstitutionTest, then_evaluation_equals_evaluation_with_substituted_values) {
  constexpr std::uint64_t seed = 41;
  SCOPED_TRACE(seed);
  trees::RandomTrees random(seed, true);
  constexpr double tolerance =
      1e-7;  // of the value: equal forms round differently where terms cancel
  int checked = 0;
  for (int i = 0; i < 400; ++i) {
    ExprPool fresh;
    const std::vector<Expr> symbols = trees::make_symbols(fresh);
    const Expr e = trees::build(random.make(4), fresh);
    Replacements replacements;
    std::vector<Expr> inner;
    for (const Expr& s : symbols) {
      inner.push_back(trees::build(random.make(2), fresh));
      replacements.emplace_back(s, inner.back());
    }
    Expr outer;
    try {
      outer = substitute(e, replacements);
    } catch (const UsageError&) {
      continue;  // a tangent of an odd multiple of pi/2, a denominator of zero
    }
    std::vector<long double> at;
    for (std::size_t k = 0; k < symbols.size(); ++k) at.push_back(random.uniform(-1, 1));
    const long double direct = Evaluator(symbols, {outer})(at).front();
    const long double nested = Evaluator(symbols, {e})(Evaluator(symbols, inner)(at)).front();
    if (!std::isfinite(direct) || !std::isfinite(nested)) continue;
    ++checked;
    EXPECT_NEAR(static_cast<double>(direct), static_cast<double>(nested),
                tolerance * std::max(1.0, std::fabs(static_cast<double>(nested))))
        << "case " << i;
  }
  EXPECT_GT(checked, 350);
}

TEST_F(SubstitutionTest, of_many_expressions_shares_what_it_rebuilds) {
  Substitution s(pool, {{x, y}});
  const std::vector<Expr> result = s(std::vector<Expr>{x * z, -x, z});
  EXPECT_EQ(result[0], y * z);
  EXPECT_EQ(result[1], -y);
  EXPECT_EQ(result[2], z);
  EXPECT_TRUE(s(std::vector<Expr>{}).empty());
}

TEST_F(SubstitutionTest, misuse_throws) {
  ExprPool other;
  const Expr foreign = other.symbol("x"), empty;
  EXPECT_THROW(substitute(x, {{x * y, z}}), UsageError);
  EXPECT_THROW(substitute(x, {{x, y}, {x, z}}), UsageError);
  EXPECT_THROW(substitute(x, {{x, foreign}}), UsageError);
  EXPECT_THROW(substitute(x, {{foreign, x}}), UsageError);
  EXPECT_THROW(substitute(x, {{x, empty}}), UsageError);
  EXPECT_THROW(substitute(empty, {{x, y}}), UsageError);
  EXPECT_THROW(Substitution(pool, {{x, y}})(foreign), UsageError);
}

TEST_F(SubstitutionTest, in_a_chain_of_a_million_nodes_does_not_overflow_the_stack) {
  Expr chain = x;
  for (int i = 0; i < 500000; ++i) chain = chain * y + z;
  ASSERT_GT(pool.node_count(), 1000000u);
  const Expr replaced = substitute(chain, {{y, x}});
  EXPECT_FALSE(depends_on(replaced, y));
  EXPECT_NEAR(evaluate(replaced, {x, z}, {0.5, 1.0}), 2.0, 1e-12);  // a geometric series
}

}  // namespace
}  // namespace visviva
