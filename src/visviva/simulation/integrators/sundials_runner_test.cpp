// SUNDIALS behind our interface: closed forms, refusals, and a second opinion on Radau IIA(5).
#include "visviva/simulation/integrators/sundials_runner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "visviva/base/refusal_test.h"
#include "visviva/simulation/integrators/method_trouble_test.h"
#include "visviva/simulation/integrators/radau5.h"
#include "visviva/simulation/integrators/stiff_problems_test.h"

namespace visviva {
namespace {

// x'' = -x: cos t, -sin t.
FunctionRates make_oscillator() {
  return {2,
          [](double, const double* y, double* rates) {
            rates[0] = y[1];
            rates[1] = -y[0];
            return true;
          },
          [](double, const double*, double* by_state, double*) {
            by_state[1] = -1.0;
            by_state[2] = 1.0;
            return true;
          }};
}

// y' = 1 until `edge`, and nothing that can be computed beyond it.
FunctionRates make_edge(double edge) {
  return {1,
          [edge](double t, const double*, double* rates) {
            rates[0] = 1.0;
            return t <= edge;
          },
          [](double, const double*, double*, double*) { return true; }};
}

class Sundials : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!has_sundials()) GTEST_SKIP() << "built without SUNDIALS (Debian: libsundials-dev)";
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, Sundials, testing::ValuesIn(list_sundials_methods()),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::erase(name, '-');
                           return name;
                         });

// Errors of many steps add up: 1000 times the tolerance of one is far above what is seen, and far
// below what a wrong Jacobian or interpolant gives.
TEST_P(Sundials, FollowsAnOscillatorAtAndBetweenItsStepsToItsEnd) {
  const double tolerance = 1e-10, allowed = 1000.0 * tolerance, until = 6.0;
  FunctionRates rates = make_oscillator();
  const auto runner = make_sundials_runner(
      GetParam(), rates,
      {.until = until, .relative_tolerance = tolerance, .absolute_tolerance = tolerance});
  const double start[] = {1.0, 0.0};
  ASSERT_TRUE(runner->restart(0.0, start)) << runner->reason();
  int steps = 0;
  while (runner->time() < until) {
    const double before = runner->time();
    ASSERT_TRUE(runner->step()) << runner->reason();
    const double middle = 0.5 * (before + runner->time());
    double y[2];
    ASSERT_TRUE(runner->interpolate(middle, y)) << runner->reason();
    EXPECT_NEAR(y[0], std::cos(middle), allowed);
    EXPECT_NEAR(runner->state()[1], -std::sin(runner->time()), allowed);
    ++steps;
  }
  EXPECT_EQ(runner->time(), until);
  EXPECT_NEAR(runner->state()[0], std::cos(until), allowed);
  EXPECT_GT(steps, 20);
  EXPECT_GE(runner->evaluations(), static_cast<std::size_t>(steps));
  EXPECT_EQ(runner->reason().kind, MethodTrouble::Kind::none);

  EXPECT_FALSE(runner->step());
  EXPECT_EQ(runner->reason().kind, MethodTrouble::Kind::end_reached) << runner->reason();
}

TEST_P(Sundials, RunsBackward) {
  FunctionRates rates = make_oscillator();
  const auto runner = make_sundials_runner(GetParam(), rates, {.until = -1.0});
  const double start[] = {1.0, 0.0};
  ASSERT_TRUE(runner->restart(0.0, start));
  while (runner->time() > -1.0) ASSERT_TRUE(runner->step()) << runner->reason();
  EXPECT_NEAR(runner->state()[1], std::sin(1.0), 1e-5);
}

TEST_P(Sundials, ToleranceCanBeTightenedInARun) {
  FunctionRates rates = make_oscillator();
  const auto runner = make_sundials_runner(
      GetParam(), rates, {.until = 3.0, .relative_tolerance = 1e-11, .absolute_tolerance = 1e-11});
  const double start[] = {1.0, 0.0};
  ASSERT_TRUE(runner->restart(0.0, start));
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(runner->step());
  const double here = runner->time();
  ASSERT_TRUE(runner->restart_with(1e-12, 1e-12)) << runner->reason();
  EXPECT_EQ(runner->time(), here);
  while (runner->time() < 3.0) ASSERT_TRUE(runner->step()) << runner->reason();
  EXPECT_NEAR(runner->state()[0], std::cos(3.0), 1e-9);
}

TEST_P(Sundials, RatesThatCannotBeComputedEndTheRunWithAReasonAndKeepTheState) {
  FunctionRates rates = make_edge(0.5);
  const auto runner = make_sundials_runner(GetParam(), rates, {.until = 1.0});
  const double start = 0.0;
  ASSERT_TRUE(runner->restart(0.0, &start)) << runner->reason();
  int steps = 0;
  while (steps < 10000 && runner->step()) ++steps;
  ASSERT_LT(steps, 10000);
  EXPECT_NE(runner->reason().kind, MethodTrouble::Kind::none);
  EXPECT_LE(runner->time(), 0.5);
  EXPECT_NEAR(runner->state()[0], runner->time(), 1e-12);
  EXPECT_FALSE(runner->step());
  EXPECT_EQ(runner->reason().kind, MethodTrouble::Kind::not_restarted) << runner->reason();
  ASSERT_TRUE(runner->restart(0.0, &start));
  EXPECT_TRUE(runner->step());
}

TEST_P(Sundials, RatesThatAreNotNumbersAreNotComputed) {
  FunctionRates rates(
      1,
      [](double t, const double*, double* r) {
        r[0] = t > 0.5 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
        return true;
      },
      [](double, const double*, double*, double*) { return true; });
  const auto runner = make_sundials_runner(GetParam(), rates, {.until = 1.0});
  const double start = 0.0;
  ASSERT_TRUE(runner->restart(0.0, &start));
  for (int k = 0; k < 10000 && runner->step(); ++k) continue;
  EXPECT_NE(runner->reason().kind, MethodTrouble::Kind::none);
  EXPECT_LE(runner->time(), 0.5);
}

TEST_P(Sundials, NothingBeyondTheEndIsEvaluated) {
  FunctionRates rates = make_edge(1.0);
  const auto runner = make_sundials_runner(GetParam(), rates, {.until = 1.0});
  const double start = 0.0;
  ASSERT_TRUE(runner->restart(0.0, &start));
  while (runner->time() < 1.0) ASSERT_TRUE(runner->step()) << runner->reason();
  EXPECT_NEAR(runner->state()[0], 1.0, 1e-12);
}

TEST_P(Sundials, WhatTheRatesThrowPassesThrough) {
  FunctionRates rates(
      1, [](double, const double*, double*) -> bool { throw std::runtime_error("mine"); },
      [](double, const double*, double*, double*) { return true; });
  const auto runner = make_sundials_runner(GetParam(), rates, {.until = 1.0});
  const double start = 0.0;
  EXPECT_THROW(
      {
        runner->restart(0.0, &start);
        runner->step();
      },
      std::runtime_error);
}

TEST_P(Sundials, TooMuchAccuracyIsAReasonAndNothingIsPrinted) {
  FunctionRates rates = make_oscillator();
  const auto runner = make_sundials_runner(
      GetParam(), rates, {.until = 1.0, .relative_tolerance = 1e-18, .absolute_tolerance = 0.0});
  const double start[] = {1.0, 1.0};
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  bool is_good = runner->restart(0.0, start);
  for (int k = 0; k < 100 && is_good; ++k) is_good = runner->step();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_FALSE(is_good);
  EXPECT_TRUE(says(runner->reason().words, "ccuracy")) << runner->reason();
}

TEST_P(Sundials, InterpolatesWithinTheLastStepOnly) {
  FunctionRates rates = make_oscillator();
  const auto runner = make_sundials_runner(GetParam(), rates, {.until = 5.0});
  const double start[] = {1.0, 0.0};
  double y[2];
  EXPECT_FALSE(runner->interpolate(0.0, y));
  ASSERT_TRUE(runner->restart(0.0, start));
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(runner->step());
  EXPECT_FALSE(runner->interpolate(runner->time() + 1.0, y));
  EXPECT_NE(runner->reason().kind, MethodTrouble::Kind::none);
  EXPECT_TRUE(runner->interpolate(runner->time(), y));
  EXPECT_NEAR(y[0], runner->state()[0], 1e-14);
}

TEST_P(Sundials, StepsAreNoLongerThanAllowed) {
  FunctionRates rates = make_edge(10.0);
  const auto runner = make_sundials_runner(GetParam(), rates, {.until = 2.0, .max_step = 0.125});
  const double start = 0.0;
  ASSERT_TRUE(runner->restart(0.0, &start));
  while (runner->time() < 2.0) {
    const double before = runner->time();
    ASSERT_TRUE(runner->step());
    EXPECT_LE(runner->time() - before, 0.125 * (1.0 + 1e-12));
  }
}

TEST(SundialsStiff, BdfAndIdaAgreeWithRadauOnVanDerPol) {
  if (!has_sundials()) GTEST_SKIP() << "built without SUNDIALS (Debian: libsundials-dev)";
  FunctionRates rates = make_van_der_pol(1e-3);
  const double start[] = {2.0, 0.0}, until = 1.2;
  Radau5 stepper(rates);
  ASSERT_TRUE(stepper.restart(0.0, start));
  const PlainRun run = run_plainly(stepper, until, 1e-11, 1e-5);
  ASSERT_TRUE(run.is_done);
  for (const char* method : {"cvode-bdf", "ida"}) {
    const auto runner = make_sundials_runner(
        method, rates, {.until = until, .relative_tolerance = 1e-11, .absolute_tolerance = 1e-11});
    ASSERT_TRUE(runner->restart(0.0, start));
    while (runner->time() < until) ASSERT_TRUE(runner->step()) << runner->reason();
    EXPECT_NEAR(runner->state()[0], run.state[0], 1e-7) << method;
    EXPECT_NEAR(runner->state()[1], run.state[1], 1e-7) << method;
  }
}

TEST(SundialsRequest, NonsenseIsRefusedWithItsName) {
  FunctionRates rates = make_oscillator();
  const auto ask = [&](const std::string& method, const SundialsOptions& options) {
    return refusal([&] { make_sundials_runner(method, rates, options); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(says(ask("lsoda", {.until = 1.0}), "lsoda", "cvode-bdf"));
  EXPECT_TRUE(says(ask("ida", {.until = 1.0, .relative_tolerance = -1e-6}), "tolerances"));
  EXPECT_TRUE(says(ask("cvode", {.until = 1.0, .absolute_tolerance = nan}), "tolerances"));
  EXPECT_TRUE(
      says(ask("cvode", {.until = 1.0, .relative_tolerance = 0.0, .absolute_tolerance = 0.0}),
           "both 0"));
  EXPECT_TRUE(says(ask("cvode", {.until = nan}), "end"));
  EXPECT_TRUE(says(ask("cvode", {.until = 1.0, .max_step = -1.0}), "step"));
  EXPECT_EQ(says(ask("cvode", {.until = 1.0}), "libsundials-dev"), !has_sundials());
}

}  // namespace
}  // namespace visviva
