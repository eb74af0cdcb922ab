#include "visviva/report/page/html.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

TEST(Html, text_shows_as_itself) {
  EXPECT_EQ(Html("<script>alert('a' & \"b\")</script>").markup(),
            "&lt;script&gt;alert(&#39;a&#39; &amp; &quot;b&quot;)&lt;/script&gt;");
  EXPECT_EQ(element("p", std::string("1 < 2")).markup(), "<p>1 &lt; 2</p>");
  EXPECT_EQ((element("b", "a") + " & " + "b").markup(), "<b>a</b> &amp; b");
}

TEST(Html, a_value_never_leaves_its_attribute) {
  EXPECT_EQ(element("a", {{"href", "\"><script>"}, {"title", "it's"}}, "x").markup(),
            "<a href=\"&quot;&gt;&lt;script&gt;\" title=\"it&#39;s\">x</a>");
}

TEST(Html, an_attribute_may_have_no_value) {
  EXPECT_EQ(element("pre", {{"hidden"}, {"class", ""}}, "x").markup(),
            "<pre hidden class=\"\">x</pre>");
}

TEST(Html, void_elements_have_no_end) {
  EXPECT_EQ(void_element("br").markup(), "<br>");
  EXPECT_EQ(void_element("meta", {{"name", "generator"}, {"content", "a\"b"}}).markup(),
            "<meta name=\"generator\" content=\"a&quot;b\">");
}

TEST(Html, elements_keep_what_is_markup_inside_of_them) {
  EXPECT_EQ(element("ul", element("li", "a") + element("li", "b")).markup(),
            "<ul><li>a</li><li>b</li></ul>");
  EXPECT_EQ(paragraph(element("code", "a<b")).markup(), "<p><code>a&lt;b</code></p>\n");
  EXPECT_EQ(heading("a & b").markup(), "<h3>a &amp; b</h3>\n");
}

TEST(Html, only_what_is_called_raw_is_taken_as_it_is) {
  EXPECT_EQ(raw_html("<math><mi>q</mi></math>").markup(), "<math><mi>q</mi></math>");
  EXPECT_EQ(element("td", raw_html("&#177;")).markup(), "<td>&#177;</td>");
}

TEST(Html, pieces_are_joined_by_text_or_markup) {
  const std::vector<Html> pieces = {"a", element("b", "b"), "<"};
  EXPECT_EQ(join_html(pieces).markup(), "a, <b>b</b>, &lt;");
  EXPECT_EQ(join_html(pieces, void_element("br")).markup(), "a<br><b>b</b><br>&lt;");
  EXPECT_EQ(join_html({}).markup(), "");
}

}  // namespace
}  // namespace visviva
