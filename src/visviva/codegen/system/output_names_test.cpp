// What `gravity` and `nonconservative` stand for in the outputs of compiled systems.
#include <gtest/gtest.h>

#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"

namespace visviva {
namespace {

using namespace units;

constexpr double power_rounding = 1e-12;  // of numbers of order 10 after some ten operations

// A mass of 2 kg that can move along the vertical N.y.
class Lift : public testing::Test {
 protected:
  Lift() : model_("lift"), N_(model_.newtonian()) { model_.gravity(-9.81 * m / (s * s) * N_.y()); }

  // Powers by name.
  std::vector<double> powers_of(const std::vector<std::string>& names,
                                const std::vector<double>& state) {
    for (const std::string& name : names) model_.output(name, model_.result("power(" + name + ")"));
    const Equations equations = derive(analyze_motion(model_));
    const CompiledSystem system = compile(equations, analyze_energy(equations));
    const std::vector<double> quadratures(system.quadrature_names().size());
    std::vector<double> values(names.size());
    EXPECT_EQ(system.output_names(), names);
    system.compute_outputs({0.0, state.data(), nullptr}, system.prepare(system.parameters()),
                           quadratures.data(), values.data());
    return values;
  }

  Model model_;
  Frame N_;
};

class OutputNames : public Lift, public testing::WithParamInterface<const char*> {};

TEST_P(OutputNames, of_a_force_are_that_force) {
  const Quantity y = model_.coordinate("y", {.start = 0.0 * m});
  const Point P = model_.particle("P", {.at = N_.origin() + y * N_.y(), .mass = 2.0 * kg});
  model_.force(GetParam(), {.on = P, .value = 3.0 * N * N_.y()});
  EXPECT_NEAR(powers_of({GetParam()}, {0, 2})[0], 3 * 2, power_rounding);
}

TEST_P(OutputNames, of_a_motor_are_that_motor) {
  const Quantity y = model_.specified(GetParam(), 2.0 * m / s * model_.time());
  const Quantity x = model_.coordinate("x", {.start = 0.0 * m});
  model_.particle("P", {.at = N_.origin() + x * N_.x() + y * N_.y(), .mass = 2.0 * kg});
  EXPECT_NEAR(powers_of({GetParam()}, {0, 5})[0], 2 * 9.81 * 2, power_rounding);
}

INSTANTIATE_TEST_SUITE_P(Output, OutputNames, testing::Values("gravity", "nonconservative"));

TEST_F(Lift, gravity_is_the_weights_and_nonconservative_what_has_no_potential) {
  const Quantity y = model_.coordinate("y", {.start = 0.0 * m});
  model_.particle("P", {.at = N_.origin() + y * N_.y(), .mass = 2.0 * kg});
  model_.damper("D", {.on = y, .rate = 0.5 * kg / s});
  const std::vector<double> powers = powers_of({"gravity", "nonconservative"}, {0, 2});
  EXPECT_NEAR(powers[0], -2 * 9.81 * 2, power_rounding);
  EXPECT_NEAR(powers[1], -0.5 * 2 * 2, power_rounding);
}

}  // namespace
}  // namespace visviva
