// Tests of the notation tables: values with units, none where none is known, signs and angles.
#include "visviva/report/page/notation_section.h"

#include "visviva/report/page/page_sections_test.h"

namespace visviva {
namespace {

using namespace sections;
using namespace units;

std::string make_notation_section(const Model& model) {
  const Kinematics motion = analyze_motion(model);
  return make_notation_section(motion, make_consistent_start(motion)).markup();
}

// The cells of the first row whose first cell is this, one after another, without markup.
std::string row_of(const std::string& html, const std::string& first) {
  static const std::regex row("<tr>(.*?)</tr>"), tag("<[^>]*>");
  for (std::sregex_iterator i(html.begin(), html.end(), row), end; i != end; ++i) {
    const std::string cells = (*i)[1].str();
    const std::string name = cells.substr(0, cells.find("</td>"));
    if (std::regex_replace(name, tag, "") == first)
      return std::regex_replace(cells.substr(name.size()), tag, "");
  }
  return "no row " + first;
}

TEST(notation_section, has_every_symbol_with_its_value_and_unit) {
  using namespace units;
  Model model = make_double_pendulum();
  model.parameter("J", 3 * kg * m * m);
  const Kinematics motion = analyze_motion(model);
  const std::string html = make_notation_section(motion, make_consistent_start(motion)).markup();
  for (const char* cell : {">1 kg<", ">0.5 m<", ">9.81 m/s<sup>2</sup><", ">0.3 rad<", ">0 rad/s<",
                           ">3 kg\u22C5m<sup>2</sup><", ">P1<", "the Newtonian frame"})
    EXPECT_NE(html.find(cell), std::string::npos) << cell;
  EXPECT_EQ(find_unbalanced(html), "");
}

// m has no value; nor has what is made of it, however far.
TEST(notation_section, what_depends_on_a_missing_value_has_none) {
  Model model("missing");
  const Frame N = model.newtonian();
  const Quantity mass = model.parameter("m", Dimension::of(Dimension::mass));
  const Quantity L = model.parameter("L", 2 * units::m);
  const Quantity J = model.parameter("J", mass * L * L);
  model.parameter("twice", 2 * J);
  model.parameter("area", L * L);
  model.specified("p",
                  mass * (3 * units::m / s + 0 * units::m / s * sin(1 * rad / s * model.time())));
  model.specified("y", L * cos(1 * rad / s * model.time()));
  const Quantity x = model.coordinate("x", {.start = J / (1 * kg * units::m)});
  const Quantity z = model.coordinate("z", {.start = 0.25 * units::m});
  model.particle("P", {.at = N.origin() + x * N.x() + z * N.z(), .mass = 3 * mass});
  model.particle("Q", {.at = N.origin() - z * N.y(), .mass = 3 * kg});
  const std::string html = make_notation_section(model);
  for (const char* name : {"m", "J", "twice", "p", "x"})
    EXPECT_NE(row_of(html, name).find("no value"), std::string::npos) << row_of(html, name);
  EXPECT_NE(row_of(html, "L").find("2 m"), std::string::npos);
  EXPECT_NE(row_of(html, "area").find("4 m2"), std::string::npos) << row_of(html, "area");
  EXPECT_NE(row_of(html, "y").find("2 m"), std::string::npos);
  EXPECT_NE(row_of(html, "z").find("0.25 m"), std::string::npos);
  const std::string bodies = html.substr(html.find("<h3>Bodies"));
  EXPECT_NE(row_of(bodies, "P").find("no value"), std::string::npos) << row_of(bodies, "P");
  EXPECT_NE(row_of(bodies, "Q").find("3 kg"), std::string::npos) << row_of(bodies, "Q");
}

TEST(notation_section, a_point_below_its_parent_is_joined_by_a_minus_alone) {
  Model model("pendulum");
  const Frame N = model.newtonian();
  const Quantity L = model.parameter("L", 2 * units::m);
  const Quantity q = model.coordinate("q");
  const Frame A = model.frame("A", rotate(N, Axis::z, q));
  model.particle("P", {.at = N.origin() - L * A.y(), .mass = 1 * kg});
  model.particle("Q", {.at = N.origin() + L * A.y(), .mass = 1 * kg});
  const std::string html = make_notation_section(model);
  EXPECT_TRUE(row_of(html, "P").starts_with("at No \u2212 L")) << row_of(html, "P");
  EXPECT_TRUE(row_of(html, "Q").starts_with("at No + L")) << row_of(html, "Q");
  EXPECT_EQ(find_unbalanced(html), "");
}

// tan(angle/2) times an axis: no angle.
TEST(notation_section, components_of_a_gibbs_vector_have_no_rad) {
  Model model("gibbs");
  const Frame N = model.newtonian();
  const Quantity p1 = model.coordinate("p1", {.start = Quantity(0.125)});
  const Quantity p2 = model.coordinate("p2"), p3 = model.coordinate("p3");
  const Frame B = model.frame("B", rodrigues(N, {p1, p2, p3}));
  model.body(B, {.at = N.origin(), .mass = 1 * kg, .solid = sphere(1 * units::m)});
  const std::string html = make_notation_section(model);
  EXPECT_NE(html.find(">0.125<"), std::string::npos);
  EXPECT_EQ(html.find("rad"), std::string::npos);
}

}  // namespace
}  // namespace visviva
