#include "visviva/report/page/model_section.h"

#include <gtest/gtest.h>

#include "visviva/kinematics/kinematics.h"
#include "visviva/model/model.h"

namespace visviva {
namespace {

using units::kg;

Causes make_causes() {
  Model model("test");
  const Frame N = model.newtonian();
  model.particle("P", {.at = N.origin() + model.coordinate("x") * N.x(), .mass = 1.0 * kg});
  return Causes(analyze_motion(model));
}

std::string section(const std::string& text, const std::vector<TextSpan>& colours) {
  return make_model_section({"test.viva", text}, colours, make_causes()).markup();
}

TEST(model_section, markup_in_a_model_shows_as_text) {
  const std::string html =
      section("model x \"</pre><script>alert(1)</script>\"", {{0, 5, TextKind::keyword}});
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
}

TEST(model_section, every_line_has_its_number_as_an_anchor_whatever_ends_it) {
  const std::string html = section("a\r\nb\rc\n\nd", {});
  for (const char* line : {"line-1\"", "line-2\"", "line-3\"", "line-4\"", "line-5\""})
    EXPECT_NE(html.find(line), std::string::npos) << line;
  EXPECT_EQ(html.find("line-6\""), std::string::npos);
}

TEST(model_section, a_model_from_no_text_has_no_section) { EXPECT_EQ(section("", {}), ""); }

}  // namespace
}  // namespace visviva
