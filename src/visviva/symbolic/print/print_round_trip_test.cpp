// Whatever is printed reads back as the same expression, in the sense of ==; over random
// expressions of every operation.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/print/print.h"
#include "visviva/symbolic/print/print_test_reader.h"

namespace visviva {
namespace {

constexpr unsigned seed = 20240611;

// Random expressions of growing size over few symbols, so that like terms, cancellations and
// identities occur.
class RandomExpressions {
 public:
  explicit RandomExpressions(ExprPool& pool) : pool_(pool), random_(seed) {
    for (const char* name : {"m", "L", "theta", "q1", "q1'", "q2", "q2''", "x_max"})
      leaves_.push_back(pool.symbol(name));
  }

  Expr make(int depth) {
    for (;;) {
      try {
        const Expr expr = attempt(depth);
        if (!has_wide_constant(expr)) return expr;
      } catch (const UsageError&) {
        // A division by zero, the root of a negative number: try another.
      }
    }
  }

 private:
  // Constants beyond 63 bits print rounded to a double.
  bool has_wide_constant(const Expr& expr) const {
    for (const std::uint32_t index : collect_cone(pool_, {expr.ref()})) {
      Rational r;
      const bool number = pool_.node(index << 1).op == Op::constant;
      if (number && !pool_.rational_value(index << 1, &r)) return true;
    }
    return false;
  }

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  Expr leaf() {
    switch (below(10)) {
      case 0:
        return pool_.rational(static_cast<std::int64_t>(below(19)) - 9, 1 + below(12));
      case 1:
        return pool_.rational(below(1000), 100);
      case 2:
        return pool_.pi() * pool_.rational(1, 1 + below(6));
      default:
        return leaves_[below(static_cast<unsigned>(leaves_.size()))];
    }
  }

  Expr attempt(int depth) {
    if (depth <= 0) return leaf();
    const Expr a = make(depth - 1);
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
        return a + make(depth - 1);
      case 3:
      case 4:
        return a - make(depth - 1);
      case 5:
      case 6:
      case 7:
        return a * make(depth - 1);
      case 8:
        return a / make(depth - 2);
      case 9:
        return pow(a, static_cast<double>(below(5)) - 1);
      case 10:
        return pow(a, leaf());
      case 11:
        return below(2) == 0 ? sin(a) : cos(a);
      case 12:
        return sin(a) * cos(make(depth - 2)) - cos(a) * sin(make(depth - 2));
      default: {
        // Functions that nobody defined have tests of their own.
        const unsigned first = static_cast<unsigned>(Op::sqrt);
        const Op op = static_cast<Op>(first + below(static_cast<unsigned>(Op::function) - first));
        const Ref b = operand_count(op) > 1 ? make(depth - 2).ref() : 0;
        return {pool_, pool_.function(op, a.ref(), b)};
      }
    }
  }

  ExprPool& pool_;
  std::mt19937 random_;
  std::vector<Expr> leaves_;
};

TEST(PrintRoundTrip, every_printed_expression_reads_back_as_itself) {
  RecordProperty("seed", static_cast<int>(seed));
  ExprPool pool;
  RandomExpressions random(pool);
  ExpressionReader reader(pool);
  std::set<Op> covered;
  for (int i = 0; i < 2000; ++i) {
    const Expr expr = random.make(1 + i % 4);
    for (const std::uint32_t index : collect_cone(pool, {expr.ref()}))
      covered.insert(pool.node(index << 1).op);
    const PrintedSystem printed = print_system({expr}, {.inline_length = 100000});
    ASSERT_TRUE(printed.intermediates.empty());
    const std::string& text = printed.expressions[0];
    ASSERT_TRUE(reader.read(text) == expr)
        << "expression " << i << ", seed " << seed << ": " << text;
  }
  EXPECT_EQ(covered.size(), static_cast<std::size_t>(Op::function));
}

TEST(PrintRoundTrip, intermediates_use_only_earlier_ones_and_read_back_as_their_values) {
  RecordProperty("seed", static_cast<int>(seed));
  ExprPool pool;
  pool.symbol("z2");  // must not be taken for an intermediate
  RandomExpressions random(pool);
  std::size_t intermediates = 0;
  for (int i = 0; i < 40; ++i) {
    std::vector<Expr> exprs;
    for (int k = 0; k < 4; ++k) exprs.push_back(random.make(5));
    exprs.push_back(exprs[0] * exprs[1] - exprs[2]);
    const PrintedSystem printed =
        print_system(exprs, {.inline_length = 60, .shared_size = 4, .line_size = 12});
    ExpressionReader reader(pool);
    for (const Intermediate& z : printed.intermediates) {
      EXPECT_NE(z.name, "z2");
      const Expr value = reader.read(z.expression);
      ASSERT_TRUE(value == z.value) << z.name << " = " << z.expression << ", seed " << seed;
      reader.define(z.name, value);
    }
    for (std::size_t k = 0; k < exprs.size(); ++k) {
      ASSERT_TRUE(reader.read(printed.expressions[k]) == exprs[k])
          << printed.expressions[k] << ", seed " << seed;
    }
    intermediates += printed.intermediates.size();
  }
  EXPECT_GT(intermediates, 100u);
}

TEST(PrintRoundTrip, latex_is_balanced_and_mathml_well_formed) {
  ExprPool pool;
  RandomExpressions random(pool);
  for (int i = 0; i < 500; ++i) {
    const Expr expr = random.make(1 + i % 5);
    const std::string latex = print(expr, Notation::latex), mathml = print(expr, Notation::mathml);
    ASSERT_TRUE(is_balanced_latex(latex)) << latex;
    ASSERT_TRUE(is_well_formed_mathml(mathml)) << mathml;
  }
}

}  // namespace
}  // namespace visviva
