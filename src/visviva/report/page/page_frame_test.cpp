#include "visviva/report/page/page_frame.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace visviva {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(PageFrame, no_text_in_the_data_ends_its_element) {
  const nlohmann::ordered_json data = {{"name", "</script><script>alert(1)</script><!--"}};
  const std::string page = make_page({"title", "1", "", "", {}}, data);
  EXPECT_EQ(count(page, "</script>"), 2u);
  EXPECT_EQ(page.find("<!--"), std::string::npos);
  const std::size_t begin = page.find("id=\"visviva-data\">") + 18;
  const std::string text = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_EQ(nlohmann::ordered_json::parse(text), data);
}

TEST(PageFrame, title_and_version_show_as_text) {
  const std::string page = make_page({"<b>\"t\"</b>", "\"><i>", "", "", {}}, nullptr);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(page.find("<i>"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;b&gt;&quot;t&quot;&lt;/b&gt;</title>"), std::string::npos);
}

TEST(PageFrame, bytes_that_are_no_text_do_not_stop_it) {
  const nlohmann::ordered_json data = {{"name", "\xff"}};
  EXPECT_NE(make_page({"t", "1", "", "", {}}, data).find("\\ufffd"), std::string::npos);
}

TEST(PageFrame, sections_are_listed_in_the_contents) {
  const std::string page = make_page(
      {"t", "1", "", "", {{"one", "First", paragraph("a")}, {"two", "Second", ""}}}, nullptr);
  EXPECT_NE(page.find("<li><a href=\"#one\">First</a></li>"), std::string::npos);
  EXPECT_NE(page.find("<section id=\"two\"><h2>Second</h2>"), std::string::npos);
}

}  // namespace
}  // namespace visviva
