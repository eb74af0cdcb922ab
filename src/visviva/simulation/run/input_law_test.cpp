// Inputs that follow a law of time and states: forces that a program computes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/simulation/run/simulate.h"

namespace visviva {
namespace {

using namespace units;

constexpr double mass = 2.0, stiffness = 18.0, damping = 1.2;

// A particle on a line with a force from outside along it.
CompiledSystem make_particle() {
  Model model("particle");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 1.0 * m});
  const Quantity F = model.input("F", 0.0 * units::N);
  const Point P = model.particle("P", {.at = N.origin() + x * N.x(), .mass = mass * kg});
  model.force("push", {.on = P, .value = F * N.x()});
  const Equations equations = derive(analyze_motion(model));
  return compile(equations, analyze_energy(equations));
}

void spring_and_damper(double, std::span<const double> states, std::span<double> inputs) {
  inputs[0] = -stiffness * states[0] - damping * states[1];
}

// x = exp(-a t) (cos(b t) + a/b sin(b t)), a = c/(2 m), b = sqrt(k/m - a^2): an oscillator released at rest.
double released(double t) {
  const double a = damping / (2 * mass), b = std::sqrt(stiffness / mass - a * a);
  return std::exp(-a * t) * (std::cos(b * t) + a / b * std::sin(b * t));
}

class InputLawBy : public testing::TestWithParam<const char*> {};

TEST_P(InputLawBy, a_spring_and_a_damper_as_a_law_move_as_the_closed_form_and_are_certified) {
  const CompiledSystem system = make_particle();
  const Trajectory run =
      simulate(system, {.input_law = spring_and_damper},
               {.until = 3.0, .tolerance = 1e-11, .energy = 1e-7, .method = GetParam()});
  ASSERT_EQ(run.status, RunStatus::done);
  EXPECT_TRUE(run.certificate.holds());
  for (std::size_t k = 0; k < run.t().size(); ++k)
    EXPECT_NEAR(run["x"][k], released(run.t()[k]), 1e-8) << run.t()[k];
  // All that the particle has comes from the law.
  EXPECT_GT(run.energies.at("K").max_deviation, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Methods, InputLawBy, testing::Values("auto", "dop853", "radau5"));

TEST(InputLaw, of_time_is_taken_at_the_time_of_each_stage) {
  // m x'' = A cos(w t) from rest: x = 1 + A/(m w^2) (1 - cos(w t)).
  constexpr double A = 5.0, w = 7.0;
  const CompiledSystem system = make_particle();
  const InputLaw law = [](double t, std::span<const double>, std::span<double> inputs) {
    inputs[0] = A * std::cos(w * t);
  };
  const Trajectory run = simulate(system, {.input_law = law}, {.until = 2.0, .tolerance = 1e-12});
  ASSERT_EQ(run.status, RunStatus::done);
  EXPECT_NEAR(run["x"].back(), 1 + A / (mass * w * w) * (1 - std::cos(w * 2.0)), 1e-10);
}

TEST(InputLaw, that_is_no_number_refuses_the_run) {
  const CompiledSystem system = make_particle();
  const InputLaw law = [](double t, std::span<const double>, std::span<double> inputs) {
    inputs[0] = t < 1.0 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
  };
  const Trajectory run = simulate(system, {.input_law = law}, {.until = 2.0});
  EXPECT_EQ(run.status, RunStatus::refused);
  EXPECT_LE(run.t_end, 1.0);
}

TEST(InputLaw, is_refused_by_variational_methods) {
  const CompiledSystem system = make_particle();
  EXPECT_THROW(
      simulate(system, {.input_law = spring_and_damper}, {.until = 1.0, .method = "variational"}),
      UsageError);
}

}  // namespace
}  // namespace visviva
