#include "visviva/report/page/energy_section.h"
#include "visviva/equations/methods/derive.h"

#include "visviva/report/page/page_sections_test.h"

namespace visviva {
namespace {

using namespace sections;

// A mass on a spring and a damper: K = 1/2 m x'^2, U = 1/2 k x^2, P = -c x'^2.
Model make_oscillator() {
  using namespace units;
  Model model("oscillator");
  const Quantity mass = model.parameter("mass", 2 * kg), k = model.parameter("k", 50 * N / m);
  const Quantity c = model.parameter("c", 0.5 * N * s / m);
  const Quantity x = model.coordinate("x", {.start = 0.1 * m});
  model.particle("Q", {.at = model.newtonian().origin() + x * model.newtonian().x(), .mass = mass});
  model.spring("coil", {.on = x, .stiffness = k});
  model.damper("pot", {.on = x, .rate = c});
  return model;
}

std::string make_energy_section(const Model& model) {
  const Kinematics motion = analyze_motion(model);
  const EnergyReport report = make_energy_report(derive(motion), make_consistent_start(motion));
  return make_energy_section(report, Causes(motion), "visviva energy model.viva").markup();
}

TEST(energy_section, energies_know_what_stores_them) {
  const Model model = make_oscillator();
  const Causes causes(analyze_motion(model));
  const std::string html = make_energy_section(model);
  const auto number = [&](Cause::Kind kind, const char* name) {
    return std::to_string(causes.find(kind, name).value());
  };
  EXPECT_EQ(causes_of(html, "1/2*mass*x&#39;^2"), number(Cause::Kind::body, "Q"));
  EXPECT_EQ(causes_of(html, "1/2*k*x^2"), number(Cause::Kind::load, "coil"));
  EXPECT_EQ(causes_of(html, "-c*x&#39;^2"), number(Cause::Kind::load, "pot"));
  EXPECT_EQ(find_unbalanced(html), "");
}

// Damping ends every energy but E_Z; without it all six are constant.
TEST(energy_section, says_in_words_which_energies_are_constant) {
  const auto count = [](const std::string& html, const std::string& word) {
    std::size_t n = 0;
    for (std::size_t i = 0; (i = html.find(word, i)) != std::string::npos; ++i) ++n;
    return n;
  };
  const std::string damped = make_energy_section(make_oscillator());
  EXPECT_EQ(count(damped, "\u2713 constant"), 1u);
  EXPECT_EQ(count(damped, "\u2717 not constant"), 5u);
  EXPECT_EQ(count(make_energy_section(make_double_pendulum()), "\u2713 constant"), 6u);
}

}  // namespace
}  // namespace visviva
