#include "visviva/codegen/system/named_values.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/base/refusal_test.h"
#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"

namespace visviva {
namespace {

using units::deg, units::kg, units::m, units::rad, units::s;

Model make_pendulum() {
  Model model("pendulum");
  const Frame N = model.newtonian();
  const Quantity L = model.parameter("length", 0.5 * m), mass = model.parameter("m", 2.0 * kg);
  const Quantity theta = model.coordinate("theta", {.start = 30.0 * deg});
  const Frame A = model.frame("A", rotate(N, Axis::z, theta));
  model.particle("Q", {.at = N.origin() - L * A.y(), .mass = mass});
  model.gravity(-9.81 * m / (s * s) * N.y());
  return model;
}

class NamedValuesTest : public testing::Test {
 protected:
  Model model_ = make_pendulum();
  Equations equations_ = derive(analyze_motion(model_));
  CompiledSystem system_ = compile(equations_, analyze_energy(equations_));
};

TEST_F(NamedValuesTest, are_asked_for_and_changed_by_name) {
  const NamedValues changed = system_.parameters().with("length", 0.6).with("m", 3.0);
  EXPECT_EQ(changed["length"], 0.6);
  EXPECT_EQ(changed["m"], 3.0);
  EXPECT_EQ(system_.parameters()["length"], 0.5);  // the system's own stay
  EXPECT_EQ(changed.names(), system_.parameter_names());
}

TEST_F(NamedValuesTest, a_number_with_a_unit_is_taken_in_SI_units) {
  EXPECT_EQ(system_.parameters().with("length", 60.0 * units::cm)["length"], 0.6);
  EXPECT_NEAR(system_.start().with("theta", 90.0 * deg)["theta"], std::acos(0.0), 1e-16);
  EXPECT_EQ(system_.start().with("theta'", 2.0 * rad / s)["theta'"], 2.0);
}

TEST_F(NamedValuesTest, another_dimension_is_refused) {
  expect_refusal([&] { system_.parameters().with("length", 1.0 * kg); }, "NamedValues::with",
                 "the parameter 'length' is a length (m), not a mass (kg)");
  expect_refusal([&] { system_.start().with("theta'", 1.0 * m); }, "NamedValues::with", "theta'");
}

TEST_F(NamedValuesTest, an_unknown_name_is_refused_with_the_nearest_one) {
  expect_refusal([&] { system_.parameters()["lenght"]; }, "NamedValues",
                 "there is no parameter 'lenght'; did you mean 'length'?");
  expect_refusal([&] { system_.start().with("Theta", 1.0); }, "NamedValues",
                 "there is no state 'Theta'; did you mean 'theta'?");
}

TEST_F(NamedValuesTest, an_expression_is_no_value) {
  expect_refusal([&] { system_.start().with("theta'", model_.time() * rad / (s * s)); },
                 "NamedValues::with", "needs a number");
}

TEST_F(NamedValuesTest, are_a_range_in_the_order_of_their_names) {
  const std::span<const double> all = system_.parameters();
  EXPECT_EQ(std::vector<double>(all.begin(), all.end()), (std::vector<double>{0.5, 2.0}));
  expect_refusal([&] { system_.parameters().with_values({1.0}); }, "NamedValues", "2 values");
}

TEST_F(NamedValuesTest, energies_of_other_equations_are_refused) {
  const Energies energies = analyze_energy(equations_);
  const Model twin = make_pendulum();
  const Equations others = derive(analyze_motion(twin)),
                  by_lagrange = derive(equations_.motion, Method::lagrange);
  expect_refusal([&] { compile(others, energies); }, "compile", "another motion");
  expect_refusal([&] { compile(by_lagrange, energies); }, "compile", "by the method kane");
  expect_refusal([&] { analyze_energy(others.motion, equations_); }, "analyze_energy",
                 "another motion");
}

}  // namespace
}  // namespace visviva
