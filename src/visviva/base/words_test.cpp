#include "visviva/base/words.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

TEST(words, lists_end_with_and) {
  EXPECT_EQ(list_words({}), "");
  EXPECT_EQ(list_words({"a"}), "a");
  EXPECT_EQ(list_words({"a", "b"}), "a and b");
  EXPECT_EQ(list_words({"a", "b", "c"}), "a, b and c");
}

TEST(words, only_one_is_singular) {
  EXPECT_EQ(counted(0, "spring"), "0 springs");
  EXPECT_EQ(counted(1, "body", "bodies"), "1 body");
  EXPECT_EQ(counted(2, "body", "bodies"), "2 bodies");
}

TEST(words, an_empty_first_word_keeps_its_place) { EXPECT_EQ(join_words({"", "b"}), ", b"); }

}  // namespace
}  // namespace visviva
