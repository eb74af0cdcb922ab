// Radau IIA(5) on stiff equations with answers from outside.
#include <gtest/gtest.h>

#include <cmath>

#include "visviva/simulation/integrators/radau5.h"
#include "visviva/simulation/integrators/stiff_problems_test.h"

namespace visviva {
namespace {

// Reference: Test Set for IVP Solvers (F. Mazzia, C. Magherini, 2008), problem VDPOL.
TEST(Radau5Stiff, VanDerPolEndsWhereTheTestSetSays) {
  FunctionRates rates = make_van_der_pol(1e-6);
  Radau5 stepper(rates);
  const double start[] = {2.0, 0.0};
  ASSERT_TRUE(stepper.restart(0.0, start));
  const PlainRun run = run_plainly(stepper, 2.0, 1e-9, 1e-6);
  ASSERT_TRUE(run.is_done);
  EXPECT_NEAR(run.state[0], 0.1706167732170483e1, 1e-8);
  EXPECT_NEAR(run.state[1], -0.8928097010247975e0, 1e-8);
  // An explicit method would need more than a million steps.
  EXPECT_LT(run.steps, 5000);
}

// Reference: Test Set for IVP Solvers, problem ROBER.
TEST(Radau5Stiff, RobertsonEndsWhereTheTestSetSays) {
  FunctionRates rates = make_robertson();
  Radau5 stepper(rates);
  const double start[] = {1.0, 0.0, 0.0};
  ASSERT_TRUE(stepper.restart(0.0, start));
  const PlainRun run = run_plainly(stepper, 1e11, 1e-13, 1e-6);
  ASSERT_TRUE(run.is_done);
  EXPECT_NEAR(run.state[0], 0.2083340149701255e-7, 1e-11);
  EXPECT_NEAR(run.state[1], 0.8333360770334713e-13, 1e-16);
  EXPECT_NEAR(run.state[2], 0.9999999791665050e0, 1e-11);
}

// y2 = exp(-t) and y1' = -1e6 (y1 - y2): the fast part is gone after microseconds, then
// y1 = 1e6/(1e6 - 1) exp(-t).
constexpr double fast = 1e6;

FunctionRates make_fast_and_slow() {
  return {2,
          [](double, const double* y, double* rates) {
            rates[0] = -fast * (y[0] - y[1]);
            rates[1] = -y[1];
            return true;
          },
          [](double, const double*, double* by_state, double*) {
            by_state[0] = -fast;
            by_state[2] = fast;
            by_state[3] = -1.0;
            return true;
          }};
}

TEST(Radau5Stiff, AFastAndASlowEigenvalueGiveTheClosedForm) {
  const double tolerance = 1e-10;
  FunctionRates rates = make_fast_and_slow();
  Radau5 stepper(rates);
  const double start[] = {3.0, 1.0};
  ASSERT_TRUE(stepper.restart(0.0, start));
  const PlainRun run = run_plainly(stepper, 2.0, tolerance, 1e-7);
  ASSERT_TRUE(run.is_done);
  EXPECT_NEAR(run.state[1], std::exp(-2.0), tolerance);
  EXPECT_NEAR(run.state[0], fast / (fast - 1.0) * std::exp(-2.0), tolerance);
}

// f(t, y) = -2e6 would make it 2; a step of 1e5 time constants is right to 1e-4 all the same.
TEST(Radau5Stiff, TheFirstEstimateForgetsATransientThatTheStepDampsOut) {
  FunctionRates rates = make_fast_and_slow();
  Radau5 stepper(rates);
  const double start[] = {3.0, 1.0};
  ASSERT_TRUE(stepper.restart(0.0, start));
  ASSERT_TRUE(stepper.attempt(0.1, 1e-3));
  EXPECT_NEAR(stepper.proposed()[0], std::exp(-0.1), 1e-3);
  EXPECT_LT(std::abs(stepper.error()[0]), 1e-3);
}

// Also between the steps, where errors of y must not come back as h^2 rate^2 times themselves: a
// cubic through cos at 0, c_1, c_2, 1 misses it by h^4 |theta (theta - c_1) (theta - c_2)
// (theta - 1)|/4!, which is at most h^4/1300.
TEST(Radau5Stiff, ProtheroRobinsonStaysOnTheCosineAtAndBetweenSteps) {
  const double tolerance = 1e-8;
  for (const double rate : {-1e2, -1e4, -1e6, -1e9}) {
    FunctionRates rates = make_prothero_robinson(rate);
    Radau5 stepper(rates);
    const double start[] = {1.0, 0.0};
    ASSERT_TRUE(stepper.restart(0.0, start));
    double excess = 0.0;
    const PlainRun run = run_plainly(stepper, 10.0, tolerance, 1e-3, [&](double h) {
      for (const double theta : {0.1, 0.3, 0.5, 0.7, 0.9}) {
        double y[2];
        ASSERT_TRUE(stepper.interpolate(theta, y));
        const double error = std::abs(y[0] - std::cos(stepper.time() + theta * h));
        excess = std::max(excess, error - std::pow(h, 4) / 1300.0);
      }
    });
    ASSERT_TRUE(run.is_done);
    EXPECT_LT(excess, tolerance) << rate;
    EXPECT_NEAR(run.state[0], std::cos(10.0), tolerance) << rate;
    EXPECT_NEAR(run.state[1], std::sin(10.0), 10.0 * tolerance) << rate;
    EXPECT_LT(run.steps, 400) << rate;
  }
}

// A pendulum seen from afar, x'' = -k sin(x - 1e6): rounding moves x by 1e-10, so Newton's
// corrections of x' end far above the rounding of x' itself.
TEST(Radau5Stiff, ToleranceBelowRoundingEndsAtRoundingAndDoesNotFail) {
  const double k = 1e3, far = 1e6;
  FunctionRates rates(
      2,
      [=](double, const double* y, double* r) {
        r[0] = y[1];
        r[1] = -k * std::sin(y[0] - far);
        return true;
      },
      [=](double, const double* y, double* by_state, double*) {
        by_state[1] = -k * std::cos(y[0] - far);
        by_state[2] = 1.0;
        return true;
      });
  const auto energy = [=](const double* y) { return 0.5 * y[1] * y[1] - k * std::cos(y[0] - far); };
  for (const double h : {1e-3, 3e-3, 1e-2}) {
    Radau5 stepper(rates);
    const double start[] = {far + 1.1, 0.7};
    ASSERT_TRUE(stepper.restart(0.0, start));
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(stepper.attempt(h, 1e-18) && stepper.accept()) << h;
    // The method's own error, at most (w h)^6 a step with w^2 = k, and the rounding of x.
    const double allowed = 50.0 * k * (std::pow(std::sqrt(k) * h, 6) + 1e-10);
    EXPECT_NEAR(energy(stepper.state()), energy(start), allowed) << h;
  }
}

}  // namespace
}  // namespace visviva
