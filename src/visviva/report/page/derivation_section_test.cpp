#include "visviva/report/page/derivation_section.h"
#include "visviva/equations/methods/derive.h"

#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/report/page/page_sections_test.h"

namespace visviva {
namespace {

using namespace sections;

std::string make_section(const Model& model) {
  const Kinematics motion = analyze_motion(model);
  const Derivation derivation = make_derivation(derive(motion));
  return make_derivation_section(derivation, Causes(motion), "visviva derive model.viva").markup();
}

std::string number(const Model& model, Cause::Kind kind, const std::string& name) {
  return std::to_string(Causes(analyze_motion(model)).find(kind, name).value());
}

// The equations of the double pendulum as textbooks have them:
//   (m1 + m2) L^2 q1'' + m2 L^2 cos(q1 - q2) q2'' = ...   only P2 couples q1 and q2
TEST(derivation_section, terms_of_the_double_pendulum_know_their_bodies_and_loads) {
  const Model model = make_double_pendulum();
  const std::string html = make_section(model);
  const std::string P1 = number(model, Cause::Kind::body, "P1");
  const std::string P2 = number(model, Cause::Kind::body, "P2");
  const std::string weight1 = number(model, Cause::Kind::load, "gravity on P1");
  const std::string weight2 = number(model, Cause::Kind::load, "gravity on P2");
  EXPECT_EQ(causes_of(html, "m2*L^2*cos(q1 - q2)*q1&#39;&#39;"), P2);
  EXPECT_EQ(causes_of(html, "+ m2*L^2*cos(q1 - q2)*q2&#39;&#39;"), P2);
  EXPECT_EQ(causes_of(html, "L^2*(m1 + m2)*q1&#39;&#39;"), P1 + " " + P2);
  EXPECT_EQ(causes_of(html, "- L*g*(m1 + m2)*sin(q1)"), weight1 + " " + weight2);
  EXPECT_EQ(causes_of(html, "-m2*L^2*q2&#39;^2*sin(q1 - q2)"), P2);
  EXPECT_EQ(causes_of(html, "-m1*L*g*sin(q1)"), weight1);
}

// m h'' stands in the equation of a pendulum on a hoist: the body and the hoist's motion cause it.
TEST(derivation_section, a_prescribed_motion_is_a_cause_of_the_terms_that_hold_it) {
  using namespace units;
  Model model("hoist");
  const Quantity M = model.parameter("M", 1 * kg), L = model.parameter("L", 1 * m);
  const Quantity h = model.specified("h", m.dimension());
  const Quantity q = model.coordinate("q", {.start = 0.3 * rad});
  const Frame N = model.newtonian();
  model.particle("P",
                 {.at = N.origin() + h * N.y() + L * (sin(q) * N.x() - cos(q) * N.y()), .mass = M});
  const std::string html = make_section(model);
  EXPECT_EQ(causes_of(html, "-M*L*h&#39;&#39;*sin(q)"),
            number(model, Cause::Kind::body, "P") + " " + number(model, Cause::Kind::motor, "h"));
}

TEST(derivation_section, elements_of_random_mechanisms_are_closed_in_order) {
  int made = 0;
  for (std::uint64_t seed = 0; seed < 15; ++seed) {
    const mechanisms::RandomMechanism mechanism(seed);
    try {
      EXPECT_EQ(find_unbalanced(make_section(mechanism.model)), "") << seed;
      ++made;
    } catch (const UsageError&) {  // no regular set of dependent speeds at this start
    }
  }
  EXPECT_GT(made, 9);
}

// 20 bodies on universal joints, 40 degrees of freedom.
TEST(derivation_section, a_long_chain_stays_small_and_says_what_it_leaves_out) {
  using namespace units;
  Model model("chain");
  const Quantity L = model.parameter("L", 0.3 * m), g = model.parameter("g", 9.81 * m / (s * s));
  Frame parent = model.newtonian();
  Point joint = parent.origin();
  for (int i = 1; i <= 20; ++i) {
    const std::string n = std::to_string(i);
    const Quantity mass = model.parameter("m" + n, 1 * kg);
    const Quantity a = model.coordinate("a" + n, {.start = 0.2 * rad});
    const Quantity b = model.coordinate("b" + n, {.start = 0.1 * rad});
    const Frame A = model.frame("A" + n, rotate(parent, Axis::x, a));
    const Frame B = model.frame("B" + n, rotate(A, Axis::y, b));
    const Quantity J = mass * L * L / 12;
    const Point center = model.body(
        B, {.at = joint - L / 2 * B.z(), .mass = mass, .inertia = {.xx = J, .yy = J, .zz = J}});
    joint = model.point("P" + n, center - L / 2 * B.z());
    parent = B;
  }
  model.gravity(-g * model.newtonian().z());
  const std::string html = make_section(model);
  EXPECT_LT(html.size(), 2'000'000u);
  EXPECT_NE(html.find("Intermediate quantities ("), std::string::npos);
  EXPECT_NE(html.find("visviva derive model.viva --format json"), std::string::npos);
}

}  // namespace
}  // namespace visviva
