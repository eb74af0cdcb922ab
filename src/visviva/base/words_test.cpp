#include "visviva/base/words.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

TEST(words, are_joined_as_they_are_or_as_they_are_told) {
  EXPECT_EQ(join_words({}), "");
  EXPECT_EQ(join_words({"a", "", "c"}), "a, , c");
  EXPECT_EQ(join_each(
                std::vector<int>{1, 2}, [](int n) { return std::to_string(n); }, " + "),
            "1 + 2");
}

TEST(words, lists_end_with_and) {
  EXPECT_EQ(list_words({}), "");
  EXPECT_EQ(list_words({"a"}), "a");
  EXPECT_EQ(list_words({"a", "b"}), "a and b");
  EXPECT_EQ(list_words({"a", "b", "c"}), "a, b and c");
}

TEST(words, of_many_some_are_named_and_never_is_one_alone_left_out) {
  EXPECT_EQ(list_some_words({"a", "b"}, 2), "a and b");
  EXPECT_EQ(list_some_words({"a", "b", "c"}, 2), "a, b and c");
  EXPECT_EQ(list_some_words({"a", "b", "c", "d"}, 2), "a, b and 2 more");
  EXPECT_EQ(list_some_words({}, 2), "");
}

TEST(words, only_one_is_singular) {
  EXPECT_EQ(counted(0, "spring"), "0 springs");
  EXPECT_EQ(counted(1, "body", "bodies"), "1 body");
  EXPECT_EQ(counted(2, "body", "bodies"), "2 bodies");
}

TEST(words, an_empty_first_word_keeps_its_place) { EXPECT_EQ(join_words({"", "b"}), ", b"); }

}  // namespace
}  // namespace visviva
