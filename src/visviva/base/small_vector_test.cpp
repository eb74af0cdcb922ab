#include "visviva/base/small_vector.h"

#include <gtest/gtest.h>

#include <vector>

namespace visviva {
namespace {

using Few = SmallVector<int, 3>;

std::vector<int> listed(const Few& v) { return {v.begin(), v.end()}; }

TEST(SmallVector, holds_what_was_put_in_place_and_beyond) {
  Few v;
  std::vector<int> expected;
  for (int i = 0; i < 8; ++i) {
    v.push_back(i);
    expected.push_back(i);
    EXPECT_EQ(listed(v), expected);
  }
  v.insert(v.begin() + 2, 99);
  expected.insert(expected.begin() + 2, 99);
  EXPECT_EQ(listed(v), expected);
}

TEST(SmallVector, inserts_one_of_its_own_values) {
  Few v{1, 2};
  v.insert(v.begin(), v[1]);
  EXPECT_EQ(listed(v), (std::vector<int>{2, 1, 2}));
  v.insert(v.begin(), v[1]);
  EXPECT_EQ(listed(v), (std::vector<int>{1, 2, 1, 2}));
}

TEST(SmallVector, copies_and_moves_keep_the_values_and_leave_nothing_behind) {
  for (const int count : {0, 2, 3, 5}) {
    Few v;
    for (int i = 0; i < count; ++i) v.push_back(i);
    const std::vector<int> expected = listed(v);
    Few copy = v, other{7, 8, 9, 10};
    other = v;
    EXPECT_EQ(listed(copy), expected);
    EXPECT_EQ(listed(other), expected);
    const Few moved = std::move(copy);
    EXPECT_EQ(listed(moved), expected);
    EXPECT_TRUE(copy.empty());
    copy.push_back(4);
    EXPECT_EQ(listed(copy), std::vector<int>{4});
  }
}

TEST(SmallVector, is_ordered_as_words_are) {
  EXPECT_LT((Few{1, 2}), (Few{1, 2, 0, 0, 0}));
  EXPECT_LT((Few{1, 2, 9, 9}), (Few{1, 3}));
  EXPECT_EQ((Few{1, 2}), (Few{1, 2}));
  EXPECT_NE((Few{1, 2}), (Few{1, 2, 3, 4}));
}

}  // namespace
}  // namespace visviva
