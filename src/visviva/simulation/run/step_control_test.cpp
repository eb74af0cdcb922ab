// StepControl on made-up defects: errors and deviations follow given laws, no system is integrated.
#include "visviva/simulation/run/step_control.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace visviva {
namespace {

constexpr int order = 9, error_order = 8;
constexpr double energy = 1e-6, noise = 1e-15, slope = 1.0;

struct Course {
  std::size_t taken = 0, attempts = 0;
  double largest = 0.0, smallest_rt = 1.0, largest_rt = 0.0, end = 0.0;
  bool is_stuck = false, left_envelope = false;
};

// Steps over a run of length 1. The error of a step h is (h/0.1)^(error_order + 1); `defect` is its
// change of D.
Course follow(StepControl& control, const std::function<double(double h, double e)>& defect) {
  Course c;
  double t = 0.0, D = 0.0, h = 1e-3;
  while (t < 1.0 && c.attempts < 1'000'000) {
    h = std::min(h, 1.0 - t);
    const double e = std::pow(h / 0.1, error_order + 1), next = D + defect(h, e);
    const StepVerdict verdict = control.judge(h, e, next, t + h);
    ++c.attempts;
    if (verdict.is_taken) {
      t += h;
      D = next;
      ++c.taken;
      c.largest = std::max(c.largest, std::abs(D));
      c.smallest_rt = std::min(c.smallest_rt, control.tolerance());
      c.largest_rt = std::max(c.largest_rt, control.tolerance());
      // (2), with the margin for rounding
      if (std::abs(D) > energy * (0.25 + 0.75 * t) + 5 * noise) c.left_envelope = true;
    }
    h = verdict.h;
    if (control.is_stuck()) {
      c.is_stuck = true;
      break;
    }
  }
  c.end = t;
  return c;
}

StepControl make_moderated() {
  StepControl control(order, error_order, 1e-3);
  control.moderate(energy, noise, slope);
  return control;
}

TEST(StepControl, takes_a_step_exactly_when_its_error_is_below_the_tolerance) {
  StepControl control(order, error_order, 1e-9);
  EXPECT_TRUE(control.judge(0.1, 1e-9, 0.0, 0.1).is_taken);
  const StepVerdict verdict = control.judge(0.1, 1.001e-9, 0.0, 0.2);
  EXPECT_FALSE(verdict.is_taken);
  EXPECT_FALSE(verdict.by_gate);
  EXPECT_LT(verdict.h, 0.1);
}

TEST(StepControl, an_error_that_is_no_number_is_never_taken) {
  StepControl control = make_moderated();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(control.judge(0.1, nan, 0.0, 0.1).is_taken);
  EXPECT_FALSE(control.judge(0.1, 0.0, nan, 0.1).is_taken);
  StepControl plain(order, error_order, 1e-9);
  EXPECT_FALSE(plain.judge(0.1, nan, 0.0, 0.1).is_taken);
}

// Where e = (h/0.1)^9 and e <= rt, the longest step is 0.1 rt^(1/9) = 0.01 for 1e-9. The factor
// 0.9 err^(-0.7/9) err^(0.4/9) of two equal steps is 1 at err = 0.9^30: 0.704 of that step.
TEST(StepControl, steps_settle_where_the_error_law_puts_them) {
  StepControl control(order, error_order, 1e-9);
  const Course c = follow(control, [](double, double) { return 0.0; });
  EXPECT_GE(c.taken, 100u);  // at the whole of the tolerance
  EXPECT_LT(c.taken, 150u);  // 142, and the beginning
}

// A defect of x times the error: N steps add N kappa rt x, so that rt is about energy / (N kappa x).
TEST(StepControl, learns_the_tolerance_that_a_steady_defect_allows) {
  for (const double x : {1.0, 1e3, 1e6}) {
    StepControl control = make_moderated();
    const Course c = follow(control, [&](double, double e) { return x * e; });
    EXPECT_FALSE(c.is_stuck) << x;
    EXPECT_FALSE(c.left_envelope) << x;
    EXPECT_LE(c.largest, energy) << x;
    EXPECT_GE(c.largest, 0.2 * energy) << x << ": tolerance wasted";
    EXPECT_GE(c.smallest_rt, 1e-14);
    EXPECT_LE(c.largest_rt, 1e-3);
  }
}

TEST(StepControl, the_envelope_holds_whatever_the_defects_are) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (const double x : {0.1, 10.0, 1e4}) {
    for (const double bias : {0.0, 0.3, 1.0}) {
      StepControl control = make_moderated();
      const Course c = follow(
          control, [&](double, double e) { return x * e * (bias + (1 - bias) * normal(random)); });
      EXPECT_FALSE(c.left_envelope) << x << ' ' << bias;
      EXPECT_LE(c.largest, energy) << x << ' ' << bias;
      EXPECT_TRUE(c.is_stuck || c.end == 1.0);
    }
  }
}

// dE_Z/dt = 10 energy: nothing that steps could do helps.
TEST(StepControl, a_defect_proportional_to_time_is_found_to_be_hopeless) {
  StepControl control = make_moderated();
  const Course c = follow(control, [](double h, double) { return 10 * energy * h; });
  EXPECT_TRUE(c.is_stuck);
  EXPECT_LE(c.largest, energy);
  EXPECT_LT(c.attempts, 100'000u);
}

TEST(StepControl, a_second_attempt_uses_what_the_first_has_learned) {
  StepControl first = make_moderated();
  follow(first, [](double, double e) { return 1e3 * e; });
  Lessons lessons = first.lessons();
  EXPECT_TRUE(lessons.is_taught);
  EXPECT_NEAR(lessons.mean, 1e3, 0.05 * 1e3);  // what was assumed before has some weight left
  lessons.theta = 0.24;
  StepControl second(order, error_order, 1e-3);
  second.moderate(energy, noise, slope, lessons);
  const Course c = follow(second, [](double, double e) { return 1e3 * e; });
  EXPECT_FALSE(c.is_stuck);
  EXPECT_LE(c.largest, 0.5 * energy);  // it aims at 0.24
}

TEST(StepControl, another_method_keeps_D_and_forgets_the_errors) {
  StepControl control = make_moderated();
  follow(control, [](double, double e) { return 100 * e; });
  const double D = control.deviation();
  control.change_method(5, 3);
  EXPECT_EQ(control.deviation(), D);
  EXPECT_EQ(control.failures_in_a_row(), 0);
  EXPECT_NEAR(control.lessons().mean, 0.005 * slope, 1e-15);
  // The first step of the other method does not grow.
  const StepVerdict verdict = control.judge(0.01, 0.0, D, 1.0);
  EXPECT_TRUE(verdict.is_taken);
  EXPECT_LE(verdict.h, 0.01 * std::pow(1.5, 0.25));  // but for the tolerance, which may by half
}

TEST(StepControl, a_step_that_cannot_be_computed_is_tried_with_a_tenth) {
  StepControl control(order, error_order, 1e-9);
  EXPECT_DOUBLE_EQ(control.fail(1.0).h, 0.1);
  EXPECT_FALSE(control.fail(0.1).is_taken);
  EXPECT_EQ(control.failures_in_a_row(), 2);
}

}  // namespace
}  // namespace visviva
