#include "visviva/base/catalogue.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace visviva {
namespace {

TEST(catalogue, every_code_is_unique_and_well_formed) {
  const std::regex form("[EWN](-[a-z0-9]+){1,4}");
  std::set<std::string_view> seen;
  for (const CatalogueEntry& entry : full_catalogue()) {
    EXPECT_TRUE(seen.insert(entry.code).second) << entry.code;
    EXPECT_TRUE(std::regex_match(std::string(entry.code), form)) << entry.code;
  }
  EXPECT_GT(seen.size(), 100u);
}

TEST(catalogue, every_entry_explains_itself_with_both_examples) {
  for (const CatalogueEntry& entry : full_catalogue()) {
    EXPECT_FALSE(entry.title.empty()) << entry.code;
    EXPECT_LT(entry.title.size(), 80u) << entry.code;
    EXPECT_EQ(entry.title.find('\n'), std::string_view::npos) << entry.code;
    EXPECT_FALSE(entry.explanation.empty()) << entry.code;
    EXPECT_EQ(entry.explanation.back(), '.') << entry.code;
    EXPECT_FALSE(entry.wrong.empty()) << entry.code;
    EXPECT_FALSE(entry.right.empty()) << entry.code;
    EXPECT_NE(entry.wrong, entry.right) << entry.code;
  }
}

TEST(explain_code, shows_the_entry) {
  const std::string page = explain_code("E-unit-blank");
  EXPECT_EQ(page.substr(0, 14), "E-unit-blank: ");
  EXPECT_NE(page.find("\n\nWrong:\n    parameter L = 3m\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\n\nRight:\n    parameter L = 3 m\n"), std::string::npos) << page;
}

TEST(explain_code, suggests_a_code_for_a_misspelt_one) {
  EXPECT_EQ(explain_code("E-unit-blnk"),
            "there is no code 'E-unit-blnk'; did you mean 'E-unit-blank'?\n");
  EXPECT_EQ(find_in_catalogue("E-nothing"), nullptr);
}

}  // namespace
}  // namespace visviva
