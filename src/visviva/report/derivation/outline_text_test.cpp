#include "visviva/report/derivation/outline_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "visviva/base/utf8.h"

namespace visviva {
namespace {

TEST(outline_text, words_are_broken_at_blanks_and_stand_below_the_first) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += (i == 0 ? "" : " ") + std::string("wörd") + "s";
  const std::string text = wrap_words("  head: ", words);
  std::istringstream lines(text);
  std::string line, joined;
  while (std::getline(lines, line)) {
    EXPECT_LE(count_characters(line), text_width);
    EXPECT_EQ(line.substr(0, 8), joined.empty() ? "  head: " : "        ");
    joined += (joined.empty() ? "" : " ") + line.substr(8);
  }
  EXPECT_EQ(joined, words);
}

TEST(outline_text, a_word_longer_than_the_line_is_kept_whole) {
  const std::string word(150, 'x');
  EXPECT_EQ(wrap_words("  ", "a " + word + " b"), "  a\n  " + word + "\n  b");
}

TEST(outline_text, columns_of_a_table_are_aligned_and_long_cells_broken) {
  const WordTable table{{"name", "kind", "why"}, {{"a", "one two three", "x"}, {"bé", "", "y"}}, 7};
  EXPECT_EQ(write_table_text(table),
            "  name  kind     why\n"
            "  a     one two  x\n"
            "        three\n"
            "  bé             y\n");
}

}  // namespace
}  // namespace visviva
