// Tests of sentences with formulas in them.
#include "visviva/report/derivation/sentence.h"

#include <gtest/gtest.h>

#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

TEST(Sentence, text_is_as_it_was_put_together) {
  ExprPool pool;
  const Expr b = pool.symbol("b"), v = pool.symbol("v");
  const Sentence s = Sentence::formula("sigma") + Sentence::formula(" = ") +
                     Sentence::value(b * v) + " is not zero & stays";
  EXPECT_EQ(s.text(), "sigma = b*v is not zero & stays");
  EXPECT_EQ(s.latex(), "$\\sigma$$=$$b v$ is not zero \\& stays");
  EXPECT_TRUE(Sentence().empty());
  EXPECT_TRUE(Sentence("").empty());
}

TEST(Sentence, formulas_are_names_and_signs) {
  EXPECT_EQ(write_formula("K2 - K0 + U", Notation::language), "K2 - K0 + U");
  EXPECT_EQ(write_formula("K2 - K0 + U", Notation::latex), "K_{2} - K_{0} + U");
  EXPECT_EQ(write_formula("-dU/dt", Notation::latex), "-\\frac{dU}{dt}");
  EXPECT_EQ(write_formula("dK0/dt", Notation::mathml).find("<mfrac>"), 0U);
  EXPECT_EQ(write_formula("a<b", Notation::mathml).find("a<b"), std::string::npos)
      << "names are escaped";
}

}  // namespace
}  // namespace visviva
