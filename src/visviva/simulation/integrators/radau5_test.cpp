// Radau IIA(5) as a stepper: orders, Newton's iteration, refusals.
#include "visviva/simulation/integrators/radau5.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "visviva/simulation/integrators/function_rates_test.h"
#include "visviva/simulation/integrators/methods.h"

namespace visviva {
namespace {

// y' = -2 t y^2: y = 1/(1 + t^2) from 1 at 0; the Jacobian, its change and df/dt all matter.
FunctionRates make_bell() {
  return {1,
          [](double t, const double* y, double* rates) {
            rates[0] = -2.0 * t * y[0] * y[0];
            return true;
          },
          [](double t, const double* y, double* by_state, double* by_time) {
            by_state[0] = -4.0 * t * y[0];
            by_time[0] = -2.0 * y[0] * y[0];
            return true;
          }};
}

double bell(double t) { return 1.0 / (1.0 + t * t); }

// Kepler's orbit of period 2 pi: x, y, x', y'.
FunctionRates make_kepler() {
  return {4,
          [](double, const double* y, double* rates) {
            const double r = std::hypot(y[0], y[1]), w = 1.0 / (r * r * r);
            rates[0] = y[2];
            rates[1] = y[3];
            rates[2] = -w * y[0];
            rates[3] = -w * y[1];
            return true;
          },
          [](double, const double* y, double* by_state, double*) {
            const double r = std::hypot(y[0], y[1]), w = 1.0 / (r * r * r), v = 3.0 * w / (r * r);
            by_state[8] = by_state[13] = 1.0;
            by_state[2] = v * y[0] * y[0] - w;
            by_state[3] = by_state[6] = v * y[0] * y[1];
            by_state[7] = v * y[1] * y[1] - w;
            return true;
          }};
}

// y' = l y for the complex number l, as two real ones.
FunctionRates make_linear(std::complex<double> l) {
  return {2,
          [l](double, const double* y, double* rates) {
            rates[0] = l.real() * y[0] - l.imag() * y[1];
            rates[1] = l.imag() * y[0] + l.real() * y[1];
            return true;
          },
          [l](double, const double*, double* by_state, double*) {
            by_state[0] = by_state[3] = l.real();
            by_state[1] = l.imag();
            by_state[2] = -l.imag();
            return true;
          }};
}

// Table IV.3.1 of Hairer & Wanner II.
std::complex<double> stability_function(std::complex<double> z) {
  return (1.0 + 0.4 * z + z * z / 20.0) / (1.0 - 0.6 * z + 0.15 * z * z - z * z * z / 60.0);
}

double measure_kepler_error(int steps) {
  FunctionRates kepler = make_kepler();
  Radau5 stepper(kepler);
  const double e = 0.3;
  const double start[] = {1.0 - e, 0.0, 0.0, std::sqrt((1.0 + e) / (1.0 - e))};
  EXPECT_TRUE(stepper.restart(0.0, start));
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(stepper.attempt(2.0 * M_PI / steps, 1e-13));
    EXPECT_TRUE(stepper.accept());
  }
  double error = 0.0;
  for (std::size_t i = 0; i < 4; ++i)
    error = std::max(error, std::abs(stepper.state()[i] - start[i]));
  return error;
}

TEST(Radau5, HasOrderFiveOnAnOrbitThatCloses) {
  const double coarse = measure_kepler_error(100), fine = measure_kepler_error(200);
  EXPECT_LT(fine, 1e-5);
  EXPECT_NEAR(std::log2(coarse / fine), 5.0, 0.15);
}

struct OneStep {
  double end, error, inside;  // errors of the end and inside, and the estimate
};

OneStep measure_bell(double h) {
  FunctionRates rates = make_bell();
  Radau5 stepper(rates);
  const double t = 0.4, y = bell(t);
  EXPECT_TRUE(stepper.restart(t, &y));
  EXPECT_TRUE(stepper.attempt(h, 1e-16));
  OneStep result{std::abs(stepper.proposed()[0] - bell(t + h)), std::abs(stepper.error()[0]), 0.0};
  for (const double theta : {0.2, 0.35, 0.5, 0.65, 0.8}) {
    double value = 0.0;
    EXPECT_TRUE(stepper.interpolate(theta, &value));
    result.inside = std::max(result.inside, std::abs(value - bell(t + theta * h)));
  }
  return result;
}

TEST(Radau5, OneStepHasTheOrdersThatItsFactsState) {
  const OneStep coarse = measure_bell(0.2), fine = measure_bell(0.1);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), radau5_facts().order + 1, 0.6);
  EXPECT_NEAR(std::log2(coarse.error / fine.error), radau5_facts().error_order + 1, 0.6);
  EXPECT_NEAR(std::log2(coarse.inside / fine.inside), radau5_facts().dense_order + 1, 0.6);
  EXPECT_LT(fine.end, fine.error);
}

TEST(Radau5, ALinearStepIsTheStabilityFunction) {
  for (const std::complex<double> z :
       {std::complex<double>(-1e6, 0.0), {-3.0, 2.0}, {0.0, 1.0}, {0.5, 0.0}, {-10.0, 1e4}}) {
    FunctionRates rates = make_linear(z / 0.25);
    Radau5 stepper(rates);
    const double start[] = {1.0, -0.5};
    ASSERT_TRUE(stepper.restart(0.0, start));
    ASSERT_TRUE(stepper.attempt(0.25, 0.0)) << z;
    const std::complex<double> expected = stability_function(z) * std::complex(1.0, -0.5);
    EXPECT_NEAR(stepper.proposed()[0], expected.real(), 2e-14) << z;
    EXPECT_NEAR(stepper.proposed()[1], expected.imag(), 2e-14) << z;
  }
}

TEST(Radau5, StepsBackwardAsWellAsForward) {
  FunctionRates rates = make_bell();
  Radau5 stepper(rates);
  double y = bell(1.0);
  ASSERT_TRUE(stepper.restart(1.0, &y));
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(stepper.attempt(-0.01, 1e-13));
    ASSERT_TRUE(stepper.accept());
  }
  EXPECT_NEAR(stepper.state()[0], 1.0, 1e-11);
}

TEST(Radau5, JacobianAndFactorsOfALinearSystemAreComputedOnce) {
  FunctionRates rates = make_linear({-100.0, 3.0});
  Radau5 stepper(rates);
  const double start[] = {1.0, 0.0};
  ASSERT_TRUE(stepper.restart(0.0, start));
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(stepper.attempt(0.01 + 1e-4 * k, 1e-8));
    ASSERT_TRUE(stepper.accept());
  }
  EXPECT_EQ(rates.jacobians, 1);
}

TEST(Radau5, ARejectedAttemptChangesNothingBeyondNewtonsTolerance) {
  FunctionRates rates = make_kepler();
  Radau5 straight(rates), retried(rates);
  const double start[] = {0.5, 0.0, 0.0, 1.7};
  for (Radau5* stepper : {&straight, &retried}) {
    ASSERT_TRUE(stepper->restart(0.0, start));
    ASSERT_TRUE(stepper->attempt(0.05, 1e-12) && stepper->accept());
  }
  ASSERT_TRUE(retried.attempt(0.2, 1e-12));
  ASSERT_TRUE(retried.attempt(0.05, 1e-12));
  ASSERT_TRUE(straight.attempt(0.05, 1e-12));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(retried.proposed()[i], straight.proposed()[i], 1e-12) << i;
}

// y' = exp(y) from 0 is -log(1 - t), which ends at t = 1; no stage exists for h = 10.
TEST(Radau5, RefusesAStepWhoseEquationsHaveNoSolutionAndGoesOnWithASmallerOne) {
  FunctionRates rates(
      1, [](double, const double* y, double* r) { return (r[0] = std::exp(y[0])) > 0.0; },
      [](double, const double* y, double* by_state, double*) {
        by_state[0] = std::exp(y[0]);
        return true;
      });
  Radau5 stepper(rates);
  const double start = 0.0;
  ASSERT_TRUE(stepper.restart(0.0, &start));
  EXPECT_FALSE(stepper.attempt(10.0, 1e-10));
  double inside = 0.0;
  EXPECT_FALSE(stepper.interpolate(0.5, &inside));
  EXPECT_EQ(stepper.time(), 0.0);
  EXPECT_EQ(stepper.state()[0], 0.0);
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(stepper.attempt(0.01, 1e-10) && stepper.accept());
  EXPECT_NEAR(stepper.state()[0], std::log(2.0), 1e-10);
}

TEST(Radau5, RefusesRatesThatCannotBeComputedOrAreNotNumbers) {
  for (const bool is_told : {true, false}) {
    FunctionRates rates(
        1,
        [is_told](double t, const double*, double* r) {
          r[0] = t > 0.3 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
          return !(is_told && t > 0.3);
        },
        [](double, const double*, double*, double*) { return true; });
    Radau5 stepper(rates);
    const double start = 0.0;
    ASSERT_TRUE(stepper.restart(0.0, &start));
    EXPECT_FALSE(stepper.attempt(1.0, 1e-8));
    ASSERT_TRUE(stepper.attempt(0.25, 1e-8) && stepper.accept());
    EXPECT_NEAR(stepper.state()[0], 0.25, 1e-15);
  }
}

TEST(Radau5, RefusesJacobiansThatCannotBeComputedOrAreNotNumbers) {
  for (const bool is_told : {true, false}) {
    FunctionRates rates(
        1, [](double, const double* y, double* r) { return (r[0] = -y[0]) < 1.0; },
        [is_told](double, const double*, double* by_state, double*) {
          by_state[0] = std::numeric_limits<double>::quiet_NaN();
          return !is_told;
        });
    Radau5 stepper(rates);
    const double start = 1.0;
    ASSERT_TRUE(stepper.restart(0.0, &start));
    EXPECT_FALSE(stepper.attempt(0.1, 1e-8));
  }
}

TEST(Radau5, RefusesAStepOfNoLength) {
  FunctionRates rates = make_bell();
  Radau5 stepper(rates);
  const double y = 1.0;
  ASSERT_TRUE(stepper.restart(0.0, &y));
  EXPECT_FALSE(stepper.attempt(0.0, 1e-8));
  EXPECT_FALSE(stepper.attempt(std::numeric_limits<double>::quiet_NaN(), 1e-8));
}

TEST(Radau5, InterpolationMeetsBothEndsAndSurvivesAcceptance) {
  FunctionRates rates = make_bell();
  Radau5 stepper(rates);
  const double y = 1.0;
  ASSERT_TRUE(stepper.restart(0.0, &y));
  ASSERT_TRUE(stepper.attempt(0.3, 1e-12));
  const double end = stepper.proposed()[0];
  double before = 0.0, after = 0.0, first = 0.0, last = 0.0;
  ASSERT_TRUE(stepper.interpolate(0.5, &before));
  const double moved = end + 1e-3;
  ASSERT_TRUE(stepper.accept_at(&moved));
  ASSERT_TRUE(stepper.interpolate(0.5, &after));
  ASSERT_TRUE(stepper.interpolate(0.0, &first));
  ASSERT_TRUE(stepper.interpolate(1.0, &last));
  EXPECT_EQ(before, after);
  EXPECT_EQ(first, 1.0);
  EXPECT_EQ(last, end);
  EXPECT_EQ(stepper.state()[0], moved);
}

// The oscillator x'' = -w^2 x with x in millimetres, and its work as a quadrature.
TEST(Radau5, StiffnessIsTheLargestEigenvalueWhateverTheUnits) {
  for (const double unit : {1e-3, 1.0, 1e3}) {
    const double w = 200.0;
    FunctionRates rates(
        3,
        [=](double, const double* y, double* r) {
          r[0] = y[1] * unit;
          r[1] = -w * w * y[0] / unit;
          r[2] = y[1] * y[1];
          return true;
        },
        [=](double, const double* y, double* by_state, double*) {
          by_state[3] = unit;
          by_state[1] = -w * w / unit;
          by_state[5] = 2.0 * y[1];
          return true;
        });
    Radau5 stepper(rates);
    const double start[] = {0.0, 1.0, 0.0};
    ASSERT_TRUE(stepper.restart(0.0, start));
    EXPECT_EQ(stepper.stiffness(), 0.0);
    ASSERT_TRUE(stepper.attempt(-0.02, 1e-8));
    EXPECT_GT(stepper.stiffness(), 0.999 * 4.0);
    EXPECT_LT(stepper.stiffness(), 2.5 * 4.0) << unit;
  }
}

TEST(Radau5, AFreeParticleIsNotStiff) {
  FunctionRates rates(
      2, [](double, const double* y, double* r) { return (r[1] = 0.0, r[0] = 1e9 * y[1], true); },
      [](double, const double*, double* by_state, double*) { return (by_state[2] = 1e9, true); });
  Radau5 stepper(rates);
  const double start[] = {0.0, 1.0};
  ASSERT_TRUE(stepper.restart(0.0, start));
  ASSERT_TRUE(stepper.attempt(1e-3, 1e-8));
  EXPECT_EQ(stepper.stiffness(), 0.0);
}

}  // namespace
}  // namespace visviva
