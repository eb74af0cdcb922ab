// Sentences about small motions: every reason has one of its own.
#include "visviva/report/small_motion/small_motion_text.h"

#include <gtest/gtest.h>

#include <set>

namespace visviva {
namespace {

using Kind = SmallMotionReason::Kind;

TEST(SmallMotionText, every_reason_has_a_sentence_of_its_own) {
  std::set<std::string> clauses;
  int count = 0;
  for (int k = static_cast<int>(Kind::term_not_finite);
       k <= static_cast<int>(Kind::multipliers_on_circle); ++k, ++count) {
    const std::string clause =
        write_small_motion_reason({.kind = static_cast<Kind>(k), .names = {"q1"}, .number = 2});
    EXPECT_FALSE(clause.empty()) << k;
    EXPECT_FALSE(clause.ends_with('.')) << clause;
    clauses.insert(clause);
  }
  EXPECT_EQ(static_cast<int>(clauses.size()), count);
  EXPECT_EQ(write_small_motion_reason({}), "");
}

TEST(SmallMotionText, the_function_that_has_the_minimum_is_named) {
  const auto says = [](Kind kind, const std::string& words) {
    return write_small_motion_reason({.kind = kind}).find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(Kind::minimum_of_potential, "energy U has"));
  EXPECT_TRUE(says(Kind::minimum_with_rotation, "U - K0 has"));
  EXPECT_TRUE(says(Kind::minimum_with_inertia, "inertia forces"));
}

TEST(SmallMotionText, a_frame_that_is_none_of_the_models_is_told_by_its_rotation) {
  EXPECT_EQ(write_rotation_frame({"B", "N", {}}), "N");
  EXPECT_EQ(write_rotation_frame({"B", "N", {{0, 0, 5}}}), "N turning at [0, 0, 5] rad/s");
}

}  // namespace
}  // namespace visviva
