// The page of a model's kinematics.
#include "visviva/report/kinematics_page.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "visviva/base/escape.h"
#include "visviva/report/html.h"

namespace visviva {
namespace {

using namespace units;

TEST(Page, shows_text_from_a_model_as_text) {
  EXPECT_EQ(escape_html("<script>alert('a & \"b\"')</script>"),
            "&lt;script&gt;alert(&#39;a &amp; &quot;b&quot;&#39;)&lt;/script&gt;");
  const std::string page = make_page("<b>title</b>", "<p>body</p>");
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("<h1>&lt;b&gt;title&lt;/b&gt;</h1>"), std::string::npos);
}

TEST(Page, needs_nothing_from_outside) {
  const std::string page = make_page("a", "b");
  for (const char* outside : {"http:", "https:", "src=", "@import"})
    EXPECT_EQ(page.find(outside), std::string::npos);
}

TEST(KinematicsPage, has_a_row_for_every_point_and_frame) {
  Model model("pendulum");
  const Frame N = model.newtonian();
  const Quantity q = model.coordinate("q", {.start = 0.3 * rad});
  const Frame A = model.frame("A", rotate(N, Axis::z, q));
  model.particle("Q", {.at = N.origin() - 0.5 * m * A.y(), .mass = 1.0 * kg});
  const std::string page = make_kinematics_page(analyze_motion(model));
  EXPECT_NE(page.find("<td>Q</td>"), std::string::npos);
  EXPECT_NE(page.find("<td>A</td>"), std::string::npos);
  const auto count = [&page](const std::string& tag) {
    std::size_t n = 0;
    for (std::size_t at = page.find(tag); at != std::string::npos; at = page.find(tag, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("<math>"), count("</math>"));
  EXPECT_EQ(count("<tr>"), 6u);  // three tables: a head and one row each
}

TEST(KinematicsPage, a_folder_that_does_not_exist_is_refused) {
  const Model model("empty");
  EXPECT_THROW(write_kinematics_page("/nonexistent/folder/page.html", analyze_motion(model)),
               UsageError);
}

}  // namespace
}  // namespace visviva
