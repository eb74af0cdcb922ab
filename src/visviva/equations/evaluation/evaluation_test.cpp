#include "visviva/equations/evaluation/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/equations/methods/derive.h"

namespace visviva {
namespace {

constexpr double rounding = 1e-12;  // relative, of a handful of operations
constexpr double m = 2, L = 0.8, g = 9.81, c = 0.3, theta = 0.4, omega = 1.5;

// A pendulum with a damped hinge.
Evaluation evaluate_pendulum() {
  Model model("pendulum");
  const Quantity q = model.coordinate(
      "q", {.start = theta * units::rad, .start_rate = omega * units::rad / units::s});
  const Frame N = model.newtonian();
  const Frame B = model.frame("B", rotate(N, Axis::z, q));
  const Point P =
      model.particle("P", {.at = N.origin() - L * units::m * B.y(), .mass = m * units::kg});
  model.gravity(-g * units::m / (units::s * units::s) * N.y());
  model.damper("hinge", {.on = q, .rate = c * units::N * units::m * units::s});
  model.output("W", model.result("work(hinge)"));
  model.output("P", model.result("power(hinge)"));
  model.output("E", model.result("E_Z"));
  model.output("a", acceleration(P));
  const Kinematics motion = analyze_motion(model);
  return evaluate_state(derive(motion), make_consistent_start(motion));
}

double number_of(const std::vector<EvaluatedValue>& list, const std::string& name) {
  for (const EvaluatedValue& v : list)
    if (v.name == name) return v.numbers[0];
  ADD_FAILURE() << "no " << name;
  return 0;
}

TEST(evaluation, a_damped_pendulum_has_the_acceleration_and_energies_of_the_closed_form) {
  const Evaluation e = evaluate_pendulum();
  const double alpha = -g / L * std::sin(theta) - c * omega / (m * L * L);
  ASSERT_EQ(e.accelerations.size(), 1u);
  EXPECT_TRUE(e.accelerations[0].has_own_speed);
  EXPECT_NEAR(e.accelerations[0].value.numbers[0], alpha, rounding * std::abs(alpha));
  EXPECT_EQ(e.accelerations[0].value.unit, "1/s^2");
  const double K = m * L * L * omega * omega / 2;
  EXPECT_NEAR(number_of(e.energies, "K"), K, rounding * K);
  EXPECT_NEAR(number_of(e.energies, "C"), number_of(e.energies, "K") + number_of(e.energies, "U"),
              rounding * K);
  EXPECT_NEAR(number_of(e.energies, "P_nonconservative"), -c * omega * omega, rounding);
  EXPECT_TRUE(e.remarks.empty());
}

TEST(evaluation, outputs_may_use_results_and_what_time_adds_up_is_zero) {
  const Evaluation e = evaluate_pendulum();
  EXPECT_EQ(number_of(e.outputs, "W"), 0);
  EXPECT_NEAR(number_of(e.outputs, "P"), -c * omega * omega, rounding);
  EXPECT_EQ(number_of(e.outputs, "E"), number_of(e.energies, "E_Z"));
  EXPECT_EQ(e.outputs.back().numbers.size(), 3u);
  EXPECT_TRUE(e.outputs.back().is_list);
}

}  // namespace
}  // namespace visviva
