#include "visviva/base/error.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

TEST(ModelError, says_everything_that_was_found_in_one_message) {
  const ModelError error(
      {{Severity::error, "E-mass-negative", "the mass of B is -2", "give a mass of 0 or more", {}},
       {Severity::warning, "W-unused", "the frame C is not used", "", {}}});
  EXPECT_STREQ(error.what(),
               "E-mass-negative: the mass of B is -2 (give a mass of 0 or more)\nW-unused: the "
               "frame C is not used");
}

TEST(ModelError, keeps_code_severity_and_place_of_each_diagnostic) {
  const ModelError error({{Severity::warning, "W-unused", "unused", "", {"rod.vv", 3, 7, 2}}});
  ASSERT_EQ(error.diagnostics().size(), 1u);
  EXPECT_EQ(error.diagnostics()[0].severity, Severity::warning);
  EXPECT_EQ(error.diagnostics()[0].span.file, "rod.vv");
  EXPECT_EQ(error.diagnostics()[0].span.line, 3);
}

TEST(SourceSpan, is_not_from_a_text_unless_told_so) { EXPECT_EQ(SourceSpan{}.line, 0); }

TEST(UsageError, names_the_function_and_the_problem) {
  const UsageError error("log", "the argument is -1");
  EXPECT_EQ(error.function(), "log");
  EXPECT_STREQ(error.what(), "log: the argument is -1");
}

TEST(InternalError, asks_for_a_report) {
  EXPECT_STREQ(InternalError("x is null").what(), "internal error, please report: x is null");
}

}  // namespace
}  // namespace visviva
