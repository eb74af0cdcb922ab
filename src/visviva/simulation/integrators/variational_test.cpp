// Variational steps of one mass under a force, against closed forms: what the midpoint rule does to an
// oscillator is known exactly.
#include "visviva/simulation/integrators/variational.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "visviva/base/refusal_test.h"
#include "visviva/simulation/integrators/function_momenta_test.h"
#include "visviva/simulation/integrators/method_trouble_test.h"

namespace visviva {
namespace {

ForcedMass make_oscillator(double mass, double stiffness) {
  return {mass, [stiffness](double, double q, double) {
            return ForcedMass::Force{-stiffness * q, -stiffness, 0.0};
          }};
}

// g = a sin q: a pendulum of length and mass 1, gravity a.
ForcedMass make_pendulum(double a) {
  return {1.0, [a](double, double q, double) {
            return ForcedMass::Force{-a * std::sin(q), -a * std::cos(q), 0.0};
          }};
}

// Beyond `edge` nothing can be computed.
ForcedMass make_forced_edge(double edge) {
  return {1.0, [edge](double t, double, double) {
            return ForcedMass::Force{0.0, 0.0, 0.0, t <= edge};
          }};
}

// ---- What the steps are

// With tan(a/2) = h w/2, (2) and (3) turn (w q, p/m) by the angle a.
TEST(Variational, steps_of_an_oscillator_are_rotations_by_the_midpoint_rules_angle) {
  const double mass = 2.0, w = 3.0, h = 0.1, c = 1.0 / (4.0 - std::cbrt(4.0));
  ForcedMass function = make_oscillator(mass, mass * w * w);
  for (const int order : {2, 4}) {
    double angle = 2.0 * std::atan(h * w / 2.0);
    if (order == 4)
      angle = 8.0 * std::atan(c * h * w / 2.0) + 2.0 * std::atan((1.0 - 4.0 * c) * h * w / 2.0);
    VariationalRunner runner(function, {.until = 100.0, .step = h, .order = order});
    const double start[] = {1.0, 0.0};
    ASSERT_TRUE(runner.restart(0.0, start));
    for (int k = 1; k <= 1000; ++k) {
      ASSERT_TRUE(runner.step()) << runner.reason();
      // 1000 angles, each with two roundings
      EXPECT_NEAR(runner.state()[0], std::cos(k * angle), 1e-12);
      EXPECT_NEAR(runner.state()[1], -w * std::sin(k * angle), 1e-12);
      EXPECT_NEAR(runner.momenta()[0], mass * runner.state()[1], 1e-14);
    }
    EXPECT_EQ(runner.time(), 100.0);
    EXPECT_FALSE(runner.step());
    EXPECT_EQ(runner.reason().kind, MethodTrouble::Kind::end_reached) << runner.reason();
  }
}

// q'' + 2 d q' + w^2 q = A cos(W t) from rest at 0: the steady part
//   C cos(W t) + S sin(W t),  C = A (w^2-W^2)/N, S = 2 d W A/N, N = (w^2-W^2)^2 + (2 d W)^2
// and what decays as exp(-d t).
struct DrivenOscillator {
  double d = 0.2, w = 2.0, W = 1.3, A = 1.5;

  double position(double t) const {
    const double r = w * w - W * W, N = r * r + 4 * d * d * W * W;
    const double C = A * r / N, S = 2 * d * W * A / N, v = std::sqrt(w * w - d * d);
    return C * std::cos(W * t) + S * std::sin(W * t) -
           std::exp(-d * t) * (C * std::cos(v * t) + (S * W + d * C) / v * std::sin(v * t));
  }
  ForcedMass make() const {
    const DrivenOscillator o = *this;
    return {
        1.0,
        [o](double t, double q, double u) {
          return ForcedMass::Force{-2 * o.d * u - o.w * o.w * q + o.A * std::cos(o.W * t),
                                   -o.w * o.w, -2 * o.d};
        },
        // what damper and drive take: E - E(0) = -Z
        [o](double t, double, double u) { return 2 * o.d * u * u - o.A * std::cos(o.W * t) * u; }};
  }
};

double find_error(MomentumFunction& function, double until, double step, int order,
                  const std::function<double(const VariationalRunner&)>& error) {
  VariationalRunner runner(function, {.until = until, .step = step, .order = order});
  const double start[] = {0.0, 0.0, 0.0};
  EXPECT_TRUE(runner.restart(0.0, start));
  while (runner.time() < until) {
    if (!runner.step()) {
      ADD_FAILURE() << runner.reason();
      break;
    }
  }
  return std::abs(error(runner));
}

// Errors with the step h and with h/2.
void expect_order(int order, double h, MomentumFunction& function,
                  const std::function<double(const VariationalRunner&)>& error) {
  const double coarse = find_error(function, 5.0, h, order, error),
               fine = find_error(function, 5.0, h / 2, order, error);
  EXPECT_LT(coarse, 1e-2);
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << "order " << order;
}

TEST(Variational, damped_and_driven_motion_converges_to_its_closed_form_with_the_methods_order) {
  const DrivenOscillator oscillator;
  ForcedMass function = oscillator.make();
  const auto error = [&](const VariationalRunner& r) {
    return r.state()[0] - oscillator.position(r.time());
  };
  expect_order(2, 0.05, function, error);
  expect_order(4, 0.1, function, error);
}

// Energy and the work of forces are added up by different rules, so that their balance is as good as the
// method, for linear systems too: there the midpoint's power alone would balance exactly and show nothing.
TEST(Variational, the_energy_balance_shows_an_error_of_the_methods_order) {
  const DrivenOscillator oscillator;
  ForcedMass linear = oscillator.make();
  const auto balance = [&](const VariationalRunner& r) {
    const double q = r.state()[0], u = r.state()[1];
    return u * u / 2 + oscillator.w * oscillator.w * q * q / 2 + r.state()[2];
  };
  EXPECT_GT(find_error(linear, 5.0, 0.1, 2, balance), 1e-5);
  expect_order(2, 0.05, linear, balance);

  const double a = 4.0, d = 0.3, A = 3.0;
  ForcedMass pendulum(
      1.0,
      [=](double t, double q, double u) {
        return ForcedMass::Force{-a * std::sin(q) - d * u + A * std::cos(t), -a * std::cos(q), -d};
      },
      [=](double t, double, double u) { return d * u * u - A * std::cos(t) * u; });
  const auto pendulum_balance = [&](const VariationalRunner& r) {
    return r.state()[1] * r.state()[1] / 2 - a * std::cos(r.state()[0]) + a + r.state()[2];
  };
  expect_order(2, 0.02, pendulum, pendulum_balance);
  expect_order(4, 0.05, pendulum, pendulum_balance);
}

// ---- What stays

double pendulum_energy(double a, const double* y) { return y[1] * y[1] / 2 - a * std::cos(y[0]); }

// Explicit midpoint rule: Runge's method of order 2.
void step_by_runge(double a, double h, double* y) {
  const double q = y[0] + h / 2 * y[1], u = y[1] - h / 2 * a * std::sin(y[0]);
  y[0] += h * u;
  y[1] -= h * a * std::sin(q);
}

TEST(Variational, the_energy_error_of_a_pendulum_does_not_grow_in_1e5_steps_as_runges_does) {
  const double a = 9.81, h = 0.02;
  const int steps = 100000, part = steps / 10;
  ForcedMass function = make_pendulum(a);
  for (const int order : {2, 4}) {
    VariationalRunner runner(function, {.until = steps * h, .step = h, .order = order});
    const double start[] = {2.0, 0.0};
    double runge[] = {2.0, 0.0}, first = 0.0, last = 0.0, runge_first = 0.0, runge_last = 0.0;
    ASSERT_TRUE(runner.restart(0.0, start));
    const double E = pendulum_energy(a, start);
    for (int k = 0; k < steps; ++k) {
      ASSERT_TRUE(runner.step()) << runner.reason();
      step_by_runge(a, h, runge);
      const double error = std::abs(pendulum_energy(a, runner.state()) - E),
                   other = std::abs(pendulum_energy(a, runge) - E);
      if (k < part) first = std::max(first, error), runge_first = std::max(runge_first, other);
      if (k >= steps - part) last = std::max(last, error), runge_last = std::max(runge_last, other);
    }
    // The largest error depends a little on how steps meet the swings.
    EXPECT_LT(last, 1.05 * first) << "order " << order;
    EXPECT_LT(last, order == 2 ? 1e-2 : 1e-6);
    EXPECT_GT(runge_last, 3.0 * runge_first);
    EXPECT_GT(runge_last, 30.0 * last);
  }
}

TEST(Variational, a_step_back_undoes_a_step) {
  ForcedMass function = make_pendulum(9.81);
  VariationalRunner there(function, {.until = 1.0, .step = 0.1}),
      back(function, {.until = 0.0, .step = 0.1});
  const double start[] = {2.0, 0.5};
  ASSERT_TRUE(there.restart(0.0, start));
  while (there.time() < 1.0) ASSERT_TRUE(there.step());
  ASSERT_TRUE(back.restart(1.0, there.state()));
  EXPECT_LT(back.step_length(), 0.0);
  while (back.time() > 0.0) ASSERT_TRUE(back.step());
  EXPECT_NEAR(back.state()[0], start[0], 1e-13);
  EXPECT_NEAR(back.state()[1], start[1], 1e-13);
}

// ---- Between steps

TEST(Variational, interpolates_within_the_last_step_only) {
  const double w = 1.0, h = 0.01;
  ForcedMass function = make_oscillator(1.0, w * w);
  VariationalRunner runner(function, {.until = 1.0, .step = h, .order = 4});
  double y[2];
  EXPECT_FALSE(runner.interpolate(0.0, y));
  const double start[] = {1.0, 0.0};
  ASSERT_TRUE(runner.restart(0.0, start));
  while (runner.time() < 1.0) {
    const double before = runner.time();
    ASSERT_TRUE(runner.step());
    const double t = before + 0.3 * h;
    ASSERT_TRUE(runner.interpolate(t, y));
    EXPECT_NEAR(y[0], std::cos(t), 1e-9);  // h^4 by far below 1
    EXPECT_NEAR(y[1], -std::sin(t), 1e-9);
    ASSERT_TRUE(runner.interpolate(before, y));
    EXPECT_NEAR(y[1], -std::sin(before), 1e-9);
  }
  EXPECT_FALSE(runner.interpolate(0.5, y));
  EXPECT_EQ(runner.reason().kind, MethodTrouble::Kind::outside_last_step);
  ASSERT_TRUE(runner.interpolate(1.0, y));
  EXPECT_EQ(y[0], runner.state()[0]);
}

// ---- Steps and refusals

TEST(Variational, steps_are_equal_and_no_longer_than_allowed_and_the_end_is_met) {
  ForcedMass function = make_oscillator(1.0, 1.0);
  VariationalRunner runner(function, {.until = 1.0, .step = 0.3});
  const double start[] = {1.0, 0.0};
  ASSERT_TRUE(runner.restart(0.0, start));
  EXPECT_EQ(runner.step_length(), 0.25);
  int steps = 0;
  while (runner.step()) ++steps;
  EXPECT_EQ(steps, 4);
  EXPECT_EQ(runner.time(), 1.0);
  EXPECT_GE(runner.evaluations(), 8u);
}

TEST(Variational, what_cannot_be_computed_ends_the_run_with_a_reason_and_keeps_the_state) {
  ForcedMass function = make_forced_edge(0.5);
  VariationalRunner runner(function, {.until = 1.0, .step = 0.1});
  const double start[] = {0.0, 1.0};
  EXPECT_FALSE(runner.step());
  EXPECT_EQ(runner.reason().kind, MethodTrouble::Kind::not_restarted);
  ASSERT_TRUE(runner.restart(0.0, start));
  while (runner.step()) continue;
  EXPECT_EQ(runner.reason().kind, MethodTrouble::Kind::momenta_undefined) << runner.reason();
  EXPECT_NEAR(runner.reason().time, 0.55, 1e-15);
  EXPECT_NEAR(runner.time(), 0.5, 1e-15);
  EXPECT_NEAR(runner.state()[0], 0.5, 1e-15);
  EXPECT_FALSE(runner.restart(2.0, start));
}

TEST(Variational, a_mass_that_vanishes_and_a_step_without_solution_are_told) {
  ForcedMass none(0.0, [](double, double, double) { return ForcedMass::Force{1.0, 0.0, 0.0}; });
  VariationalRunner runner(none, {.until = 1.0, .step = 0.1});
  const double start[] = {0.0, 0.0};
  ASSERT_TRUE(runner.restart(0.0, start));
  EXPECT_FALSE(runner.step());
  EXPECT_EQ(runner.reason().kind, MethodTrouble::Kind::no_momentum_slope) << runner.reason();

  // v - h/2 (1 + v^2) = 0 has no real solution for h > 1.
  ForcedMass wild(1.0, [](double, double, double u) {
    return ForcedMass::Force{1 + u * u, 0, 2 * u};
  });
  VariationalRunner far(wild, {.until = 10.0, .step = 2.0});
  ASSERT_TRUE(far.restart(0.0, start));
  EXPECT_FALSE(far.step());
  EXPECT_EQ(far.reason().kind, MethodTrouble::Kind::newton_does_not_settle) << far.reason();
  EXPECT_EQ(far.reason().step, 2.0);
  EXPECT_EQ(far.time(), 0.0);
}

TEST(Variational, nonsense_is_refused) {
  ForcedMass function = make_oscillator(1.0, 1.0);
  const auto ask = [&](const VariationalOptions& options) {
    return refusal([&] { VariationalRunner runner(function, options); });
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ask({.until = 1.0, .step = 0.1}), "");
  EXPECT_TRUE(says(ask({.until = infinity, .step = 0.1}), "end"));
  EXPECT_TRUE(says(ask({.until = 1.0, .step = infinity}), "step"));
  EXPECT_TRUE(says(ask({.until = 1.0}), "step"));
  EXPECT_TRUE(says(ask({.until = 1.0, .step = -0.1}), "step"));
  EXPECT_TRUE(says(ask({.until = 1.0, .step = 0.1, .order = 3}), "order"));
}

}  // namespace
}  // namespace visviva
