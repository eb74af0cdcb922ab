#include "visviva/symbolic/print/combination.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

using Words = std::vector<std::string>;

TEST(split_terms, breaks_before_signs_outside_brackets_only) {
  EXPECT_EQ(split_terms("a + b*(c - d) - e^(-2)"), (Words{"a", "+ b*(c - d)", "- e^(-2)"}));
  EXPECT_EQ(split_terms("-a*sin(p + q)"), (Words{"-a*sin(p + q)"}));
}

TEST(split_terms, looks_into_brackets_when_asked) {
  EXPECT_EQ(split_terms("a*(b + c*(d - e))", 1), (Words{"a*(b", "+ c*(d - e))"}));
}

TEST(split_terms, sees_fractions_and_bars_of_latex_as_brackets) {
  EXPECT_EQ(split_terms("\\frac{a + b}{c} + \\left|a - b\\right|"),
            (Words{"\\frac{a + b}{c}", "+ \\left|a - b\\right|"}));
  EXPECT_EQ(split_terms("\\mathrm{a\\{b} - c"), (Words{"\\mathrm{a\\{b}", "- c"}));
}

TEST(write_combination, collects_signs_and_leaves_out_ones_and_zeros) {
  EXPECT_EQ(write_combination({"M + m", "0", "-1", "-k", "1"}, {"x''", "y''", "z''", "a", "b"},
                              Notation::language),
            "(M + m)*x'' - z'' - k*a + b");
  EXPECT_EQ(write_combination({"0"}, {"x"}, Notation::language), "0");
}

TEST(write_combination, ends_the_argument_of_a_function_in_latex) {
  EXPECT_EQ(write_combination({"\\cos \\theta"}, {"\\ddot{x}"}, Notation::latex),
            "\\cos \\theta \\, \\ddot{x}");
}

}  // namespace
}  // namespace visviva
