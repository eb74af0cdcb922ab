#include "visviva/study/prepared_system.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/base/refusal_test.h"
#include "visviva/visviva.h"

namespace visviva {
namespace {

using units::deg, units::J, units::kg, units::m, units::rad, units::s;

constexpr double g = 9.81, rounding = 1e-13;

// m L² theta'' = torque - m g L sin theta
Model make_pendulum() {
  Model model("pendulum");
  const Frame N = model.newtonian();
  const Quantity L = model.parameter("L", 0.5 * m), mass = model.parameter("m", 2.0 * kg);
  const Quantity torque = model.input("torque", 0.0 * J);
  const Quantity theta = model.coordinate("theta", {.start = 30.0 * deg});
  const Frame A = model.frame("A", rotate(N, Axis::z, theta));
  model.particle("Q", {.at = N.origin() - L * A.y(), .mass = mass});
  model.gravity(-g * m / (s * s) * N.y());
  model.torque("motor", {.on = A, .value = torque * N.z()});
  model.output("height", -L * cos(theta));
  return model;
}

class PreparedSystemTest : public testing::Test {
 protected:
  Model model_ = make_pendulum();
  Equations equations_ = derive(analyze_motion(model_));
  CompiledSystem system_ = compile(equations_, analyze_energy(equations_));
};

TEST_F(PreparedSystemTest, gives_rates_by_name_for_any_parameters_inputs_and_state) {
  const PreparedSystem pendulum(system_, system_.parameters().with("L", 0.8),
                                system_.inputs().with("torque", 3.0 * J));
  const NamedRates rates =
      pendulum.rates(0.0, system_.start().with("theta", 0.4).with("theta'", 0.7));
  EXPECT_EQ(rates.status, MotionStatus::ok);
  EXPECT_EQ(rates["theta'"], 0.7);
  EXPECT_NEAR(rates["theta''"], 3.0 / (2.0 * 0.64) - g / 0.8 * std::sin(0.4), 10 * rounding);
}

TEST_F(PreparedSystemTest, gives_slopes_by_name) {
  const PreparedSystem pendulum(system_);
  const NamedSlopes slopes = pendulum.slopes(0.0, system_.start().with("theta", 0.4));
  EXPECT_EQ(slopes("theta'", "theta'"), 1.0);
  EXPECT_NEAR(slopes("theta''", "theta"), -g / 0.5 * std::cos(0.4), 10 * rounding);
  EXPECT_NEAR(slopes("theta''", "torque"), 1 / (2.0 * 0.25), rounding);
  EXPECT_NEAR(slopes("theta''", "L"), g / 0.25 * std::sin(0.4), 10 * rounding);
  expect_refusal([&] { slopes("theta'''", "L"); }, "NamedSlopes", "did you mean 'theta''");
  expect_refusal([&] { slopes("theta''", "length"); }, "NamedSlopes",
                 "there is no state, input or parameter 'length'");
}

// M = m L², M u' - f = m L² u' + m g L sin theta - torque.
TEST_F(PreparedSystemTest, gives_matrices_as_arrays) {
  const PreparedSystem pendulum(system_, system_.parameters(),
                                system_.inputs().with("torque", 3.0 * J));
  const std::vector<double> state = {0.4, 0.7}, rate = {1.5};
  std::vector<double> M(1), force(1), by_state(4), by_inputs(2), by_time(2, 1.0);
  pendulum.compute_mass_matrix(0.0, state, M);
  EXPECT_NEAR(M[0], 0.5, rounding);
  EXPECT_EQ(pendulum.compute_inverse_dynamics(0.0, state, rate, force), MotionStatus::ok);
  EXPECT_NEAR(force[0], 0.5 * 1.5 + g * std::sin(0.4) - 3.0, 10 * rounding);
  EXPECT_EQ(pendulum.compute_rate_jacobian(0.0, state, {by_state, by_inputs, by_time}),
            MotionStatus::ok);
  const std::vector<double> slopes = {0.0, 1.0, -2 * g * std::cos(0.4), 0.0};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(by_state[i], slopes[i], 10 * rounding);
  EXPECT_NEAR(by_inputs[1], 2.0, rounding);
  EXPECT_EQ(by_time, std::vector<double>(2));
  expect_refusal([&] { pendulum.compute_mass_matrix(0.0, state, by_state); }, "PreparedSystem",
                 "the mass matrix");
}

TEST_F(PreparedSystemTest, gives_outputs_by_name) {
  const NamedValues outputs = PreparedSystem(system_).outputs(0.0, system_.start());
  EXPECT_NEAR(outputs["height"], -0.5 * std::cos(std::acos(-1.0) / 6), rounding);
  expect_refusal([&] { outputs["heigth"]; }, "NamedValues", "did you mean 'height'?");
}

TEST_F(PreparedSystemTest, a_batch_gives_what_one_after_another_gives) {
  const PreparedSystem pendulum(system_);
  constexpr std::size_t count = 13;
  std::vector<double> times(count, 0.0), states(2 * count), torques(count), rates(2 * count);
  for (std::size_t k = 0; k < count; ++k) {
    states[k] = 0.1 * static_cast<double>(k);
    states[count + k] = 1.0 - states[k];
  }
  std::vector<MotionStatus> statuses(count, MotionStatus::not_finite);
  pendulum.compute_rates({times, states, torques}, rates, statuses);
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<double> state = {states[k], states[count + k]};
    std::vector<double> one(2);
    pendulum.compute_rates(0.0, state, one);
    EXPECT_EQ(statuses[k], MotionStatus::ok);
    EXPECT_NEAR(rates[k], one[0], rounding);
    EXPECT_NEAR(rates[count + k], one[1], 10 * rounding);
  }
}

TEST_F(PreparedSystemTest, what_does_not_fit_is_refused) {
  const PreparedSystem pendulum(system_);
  std::vector<double> one(1), two(2), three(3);
  expect_refusal([&] { pendulum.compute_rates(0.0, three, two); }, "PreparedSystem", "the state");
  expect_refusal([&] { pendulum.compute_rates(0.0, two, one); }, "PreparedSystem", "the rates");
  expect_refusal(
      [&] {
        pendulum.compute_rates({one, two, {}}, two);
      },
      "PreparedSystem", "the inputs");
}

}  // namespace
}  // namespace visviva
