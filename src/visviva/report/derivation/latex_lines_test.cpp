#include "visviva/report/derivation/latex_lines.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

using Lines = std::vector<std::string>;

TEST(latex_lines, a_short_formula_stays_on_its_line) {
  EXPECT_EQ(break_latex("a + b - c", 100), (Lines{"a + b - c"}));
}

TEST(latex_lines, lines_end_before_signs) {
  EXPECT_EQ(break_latex("a + b - c", 38), (Lines{"a + b", "- c"}));
}

TEST(latex_lines, a_wide_bracket_is_opened_with_a_fixed_size) {
  EXPECT_EQ(break_latex("m \\left(a + b\\right)", 25), (Lines{"m \\bigl(a", "+ b\\bigr)"}));
}

TEST(latex_lines, a_wide_root_is_a_power_of_a_bracket) {
  EXPECT_EQ(break_latex("k \\sqrt{a + b + c}", 30),
            (Lines{"k \\bigl(a", "+ b", "+ c\\bigr)^{1/2}"}));
}

TEST(latex_lines, wide_sides_of_fractions_come_down_to_the_line) {
  EXPECT_EQ(break_latex("\\frac{a + b + c}{d}", 30),
            (Lines{"\\frac{1}{d} \\bigl(a", "+ b", "+ c\\bigr)"}));
  EXPECT_EQ(break_latex("\\frac{a}{b + c + d}", 30),
            (Lines{"a \\bigl(b", "+ c", "+ d\\bigr)^{-1}"}));
}

TEST(latex_lines, roots_that_fit_and_exponents_stay_whole) {
  EXPECT_EQ(break_latex("\\sqrt{a + b} + c^{d - e}", 60), (Lines{"\\sqrt{a + b}", "+ c^{d - e}"}));
  EXPECT_EQ(break_latex("a + c^{d - e}", 20), (Lines{"a", "+ c^{d - e}"}));
}

}  // namespace
}  // namespace visviva
