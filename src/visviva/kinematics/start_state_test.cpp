#include "visviva/kinematics/start_state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "visviva/model/model.h"

namespace visviva {
namespace {

using namespace units;

std::map<std::string, double> values_of(const StartState& state) {
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < state.symbols.size(); ++i) {
    values[state.symbols[i].home().symbol_name(state.symbols[i].ref())] = state.values[i];
  }
  return values;
}

TEST(StartState, has_values_of_everything_that_configuration_depends_on) {
  Model model("start");
  const Frame N = model.newtonian();
  const Quantity L = model.parameter("L", 2 * m);
  model.parameter("I", 3 * kg * L * L);
  model.input("F", 4 * units::N);
  model.coordinate("q", {.start = 30 * deg});
  model.coordinate("x", {.start = L / 4});
  model.coordinate("y");
  model.quaternion({"e0", "e1", "e2", "e3"}, {0, 3, 0, 4});
  const Quantity w = model.speed("w", (1 / s).dimension());
  model.frame("A", spin(N, w * N.x()));
  model.frame("B", spin(N, w * N.x() + 1 / s * N.y()));
  const StartState state = make_start_state(model.data());
  const auto v = values_of(state);
  EXPECT_TRUE(state.missing.empty());
  EXPECT_EQ(v.at("t"), 0);
  EXPECT_EQ(v.at("L"), 2);
  EXPECT_EQ(v.at("I"), 12);
  EXPECT_EQ(v.at("F"), 4);
  EXPECT_DOUBLE_EQ(v.at("q"), std::acos(-1.0) / 6);
  EXPECT_EQ(v.at("x"), 0.5);
  EXPECT_EQ(v.at("y"), 0);
  EXPECT_DOUBLE_EQ(v.at("e1"), 0.6);
  EXPECT_DOUBLE_EQ(v.at("e3"), 0.8);
  EXPECT_EQ(v.at("A.angle"), 0);
  EXPECT_EQ(v.at("B.e0"), 1);
  EXPECT_EQ(v.at("B.e1"), 0);
}

TEST(StartState, has_three_rates_of_every_known_function) {
  Model model("start");
  const Quantity t = model.time();
  const Quantity f = model.specified("f", sin(t * (2 / s)) + t * t * t / (s * s * s));
  model.specified("g", f * f + model.rate(f) * t);  // rates of functions declared before
  const auto v = values_of(make_start_state(model.data()));
  EXPECT_EQ(v.at("f"), 0);
  EXPECT_EQ(v.at("f'"), 2);
  EXPECT_EQ(v.at("f''"), 0);
  EXPECT_EQ(v.at("f'''"), -8 + 6);
  EXPECT_EQ(v.at("g"), 0);
  EXPECT_EQ(v.at("g'"), 2);         // 2 f f' + f'' t + f'
  EXPECT_EQ(v.at("g''"), 8);        // 2 f'^2 + 2 f f'' + f''' t + 2 f''
  EXPECT_EQ(v.at("g'''"), 3 * -2);  // 6 f' f'' + 2 f f''' + f'''' t + 3 f'''
}

TEST(StartState, lists_what_has_no_value_and_stands_in_for_it) {
  Model model("start");
  model.parameter("L", m.dimension());
  model.specified("f", Dimension());
  const StartState state = make_start_state(model.data());
  EXPECT_EQ(state.missing, (std::vector<std::string>{"L", "f"}));
  const auto v = values_of(state);
  for (const char* name : {"L", "f", "f'", "f''", "f'''"}) EXPECT_NE(v.at(name), 0) << name;
}

TEST(StartState, parameters_may_depend_on_parameters_declared_later) {
  Model model("start");
  const Quantity a = model.parameter("a"), b = model.parameter("b"), c = model.parameter("c");
  model.define(a, 2 * b);
  model.define(b, c + 1 * m);
  model.define(c, 3 * m);
  const StartState state = make_start_state(model.data());
  const auto v = values_of(state);
  EXPECT_TRUE(state.missing.empty());
  EXPECT_EQ(v.at("a"), 8);
  EXPECT_EQ(v.at("b"), 4);
}

TEST(StartState, has_values_and_slopes_of_tables) {
  Model model("start");
  const Quantity f = model.specified("f");
  // Samples of 1 + 2 t: a spline with free or fitted ends is this line.
  model.define(f,
               std::make_shared<const Spline>(std::vector<double>{0, 1, 2, 4, 5},
                                              std::vector<double>{1, 3, 5, 9, 11}),
               m.dimension());
  const auto v = values_of(make_start_state(model.data()));
  EXPECT_EQ(v.at("f"), 1);
  EXPECT_NEAR(v.at("f'"), 2, 1e-12);
  EXPECT_NEAR(v.at("f''"), 0, 1e-12);
}

}  // namespace
}  // namespace visviva
