#include "visviva/symbolic/print/latex_characters.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

TEST(latex_characters, stay_within_what_plain_fonts_have) {
  EXPECT_EQ(escape_latex_formula("aθ漢"), "a\\theta \\text{[U+6F22]}");
  EXPECT_EQ(escape_latex_words("é – Ж"), "é -- [U+0416]");
  EXPECT_EQ(escape_latex_words("\xff"), "?");
}

TEST(latex_characters, cannot_start_a_command_or_end_a_group) {
  EXPECT_EQ(escape_latex_words("a_1 {50%} \\x^2"),
            "a\\_1 \\{50\\%\\} \\textbackslash{}x\\textasciicircum{}2");
  EXPECT_EQ(escape_latex_formula("a_1 {50%} \\x^2"),
            "a\\_1 \\{50\\%\\} \\backslash{}x\\text{\\textasciicircum}2");
}

TEST(latex_characters, that_compare_are_words_outside_formulas_only) {
  EXPECT_EQ(escape_latex_words("a<b|c"), "a\\textless{}b\\textbar{}c");
  EXPECT_EQ(escape_latex_formula("a<b|c"), "a<b|c");
}

}  // namespace
}  // namespace visviva
