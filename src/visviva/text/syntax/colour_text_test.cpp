#include "visviva/text/syntax/colour_text.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

// "[kind text]" for each span.
std::string colours(const std::string& text) {
  static const char* names[] = {"plain",  "keyword", "clause", "function",
                                "number", "unit",    "text",   "comment"};
  std::string all;
  for (const TextSpan& s : colour_text({"test.viva", text}))
    all += std::string("[") + names[static_cast<int>(s.kind)] + " " +
           text.substr(s.begin, s.end - s.begin) + "]";
  return all;
}

TEST(colour_text, keywords_clauses_numbers_units_and_comments_are_told_apart) {
  EXPECT_EQ(colours("particle Q at H - 0.5 m*A.y, mass 2 kg  # a comment"),
            "[keyword particle][clause at][number 0.5][unit m][clause mass][number 2][unit kg]"
            "[comment # a comment]");
}

TEST(colour_text, a_keyword_in_the_middle_of_a_statement_is_a_name) {
  EXPECT_EQ(colours("output body = sin(theta)"), "[keyword output][function sin]");
}

TEST(colour_text, a_hash_inside_a_text_starts_no_comment) {
  EXPECT_EQ(colours("model a \"b # c\"\n# d\r\n\n# e"),
            "[keyword model][text \"b # c\"][comment # d][comment # e]");
}

TEST(colour_text, spans_are_in_order_and_stay_within_their_lines) {
  const std::string text =
      "model x \"\xc3\xa9\"\nforce F on P = 2 N*N.x +\n  # between\n  3 N*N.y\nspring ( \xff\n";
  std::size_t last = 0;
  for (const TextSpan& s : colour_text({"", text})) {
    EXPECT_LE(last, s.begin);
    EXPECT_LT(s.begin, s.end);
    EXPECT_LE(s.end, text.size());
    EXPECT_EQ(text.substr(s.begin, s.end - s.begin).find('\n'), std::string::npos);
    last = s.end;
  }
}

}  // namespace
}  // namespace visviva
