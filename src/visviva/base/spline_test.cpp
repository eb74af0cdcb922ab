#include "visviva/base/spline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include "visviva/base/refusal_test.h"

namespace visviva {
namespace {

using Vector = std::vector<double>;

// Values near 1, steps from 0.1 on: the third derivative loses 1e-16/0.1^3; the rest is margin.
constexpr double rounding = 1e-10;
constexpr unsigned seed = 20240611;

Vector sample(const Vector& t, const std::function<double(double)>& f) {
  Vector y(t.size());
  std::transform(t.begin(), t.end(), y.begin(), f);
  return y;
}

Vector even_knots(double first, double last, std::size_t pieces) {
  Vector t(pieces + 1);
  for (std::size_t i = 0; i <= pieces; ++i) {
    t[i] = first + (last - first) * static_cast<double>(i) / static_cast<double>(pieces);
  }
  return t;
}

Vector uneven_knots(std::size_t count) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> step(0.1, 1.0);
  Vector t{-1.5};
  while (t.size() < count) t.push_back(t.back() + step(random));
  return t;
}

/// A cubic, and a truncated power c (t - k)^3 for each t > k: derivative of the given order.
struct TruncatedPowers {
  Vector knots, factors;

  double operator()(double t, int order = 0) const {
    const double cubic[] = {0.5 - t + 0.3 * t * t - 0.2 * t * t * t, -1.0 + 0.6 * t - 0.6 * t * t,
                            0.6 - 1.2 * t, -1.2};
    double sum = cubic[order];
    for (std::size_t i = 0; i < knots.size(); ++i) {
      const double u = std::max(t - knots[i], 0.0);
      const double power[] = {u * u * u, 3.0 * u * u, 6.0 * u, u > 0.0 ? 6.0 : 0.0};
      sum += factors[i] * power[order];
    }
    return sum;
  }
};

/// The largest error of a derivative between samples of sin on [0.5, 2.5], where no end is a
/// special point of it.
double sine_error(std::size_t pieces, int order) {
  const Vector t = even_knots(0.5, 2.5, pieces);
  const Spline spline(t, sample(t, [](double x) { return std::sin(x); }));
  double error = 0.0;
  for (const double x : even_knots(0.5, 2.5, 7 * pieces)) {
    error = std::max(
        error, std::fabs(spline.value(x, order) - std::sin(x + order * std::numbers::pi / 2.0)));
  }
  return error;
}

// ---- Which curve

TEST(SplineTest, two_samples_give_the_straight_line) {
  const Spline line({1.0, 3.0}, {5.0, 9.0});
  EXPECT_DOUBLE_EQ(line.value(1.5), 6.0);
  EXPECT_DOUBLE_EQ(line.value(1.5, 1), 2.0);
  EXPECT_EQ(line.value(1.5, 2), 0.0);
  EXPECT_EQ(line.value(1.5, 3), 0.0);
}

TEST(SplineTest, three_samples_give_the_parabola) {
  const Spline parabola({0.0, 1.0, 4.0}, {0.0, 1.0, 16.0});
  EXPECT_DOUBLE_EQ(parabola.value(3.0), 9.0);
  EXPECT_DOUBLE_EQ(parabola.value(3.0, 1), 6.0);
  EXPECT_DOUBLE_EQ(parabola.value(0.5, 2), 2.0);
  EXPECT_EQ(parabola.value(3.0, 3), 0.0);
}

TEST(SplineTest, a_cubic_is_reproduced_from_four_samples_on) {
  const TruncatedPowers cubic;
  for (const std::size_t count : {4u, 5u, 6u, 50u}) {
    const Vector t = uneven_knots(count);
    const Spline spline(t, sample(t, cubic));
    for (const double x : even_knots(t.front(), std::min(t.back(), 2.0), 100)) {
      for (const int order : {0, 1, 2, 3}) {
        // The cubic grows to 1e4 at the end of the longest table.
        EXPECT_NEAR(spline.value(x, order), cubic(x, order), 1e4 * rounding) << count;
      }
    }
  }
}

// Closed form: an even function, one cubic on each side of 0, through (0,0), (1,1), (2,2).
TEST(SplineTest, the_spline_through_five_samples_of_abs_has_its_closed_form) {
  const Spline spline({-2.0, -1.0, 0.0, 1.0, 2.0}, {2.0, 1.0, 0.0, 1.0, 2.0});
  for (const double t : even_knots(-2.0, 2.0, 40)) {
    EXPECT_NEAR(spline.value(t), 1.5 * t * t - 0.5 * std::pow(std::fabs(t), 3), 1e-14);
  }
  EXPECT_NEAR(spline.value(0.0, 2), 3.0, 1e-14);
  EXPECT_NEAR(spline.value(-0.5, 3), 3.0, 1e-14);
  EXPECT_NEAR(spline.value(0.5, 3), -3.0, 1e-14);
}

// The interpolant is unique, and these are exactly the not-a-knot splines.
TEST(SplineTest, truncated_powers_at_all_knots_but_two_at_each_end_are_reproduced) {
  const Vector t = uneven_knots(12);
  const TruncatedPowers curve{Vector(t.begin() + 2, t.end() - 2), {1, -2, 3, -2.5, 2, -4, 3, 1.5}};
  const Spline spline(t, sample(t, curve));
  double size = 1.0;
  for (const double y : spline.samples()) size = std::max(size, std::fabs(y));

  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    for (const double part : {0.1, 0.5, 0.8}) {
      const double x = t[i] + part * (t[i + 1] - t[i]);
      for (const int order : {0, 1, 2, 3}) {
        EXPECT_NEAR(spline.value(x, order), curve(x, order), size * rounding)
            << "order " << order << " at " << x;
      }
    }
  }
}

// ---- How smooth, how close

TEST(SplineTest, samples_are_met_exactly) {
  const Vector t = uneven_knots(200);
  const Vector y = sample(t, [](double x) { return std::sin(7.0 * x) / 3.0; });
  const Spline spline(t, y);
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_EQ(spline.value(t[i]), y[i]);
}

TEST(SplineTest, value_slope_and_curvature_are_continuous_at_the_samples) {
  const Vector t = uneven_knots(200);
  const Spline spline(t, sample(t, [](double x) { return std::cos(5.0 * x * x); }));
  for (std::size_t i = 1; i + 1 < t.size(); ++i) {
    const double before = std::nextafter(t[i], t[0]);
    for (const int order : {0, 1, 2}) {
      EXPECT_NEAR(spline.value(before, order), spline.value(t[i], order), rounding);
    }
  }
}

TEST(SplineTest, the_third_derivative_is_continuous_at_the_second_sample_from_each_end) {
  const Vector t = uneven_knots(9);
  const Spline spline(t, sample(t, [](double x) { return std::sin(3.0 * x); }));
  for (const double knot : {t[1], t[7]}) {
    EXPECT_NEAR(spline.value(std::nextafter(knot, t[0]), 3), spline.value(knot, 3), rounding);
  }
  EXPECT_GT(std::fabs(spline.value(std::nextafter(t[4], t[0]), 3) - spline.value(t[4], 3)), 1.0);
}

TEST(SplineTest, errors_fall_with_the_fourth_power_of_the_step_and_one_less_a_derivative) {
  for (const int order : {0, 1, 2, 3}) {
    const double rate = std::log2(sine_error(50, order) / sine_error(100, order));
    EXPECT_NEAR(rate, 4 - order, 0.2) << "derivative " << order;
  }
}

TEST(SplineTest, derivatives_agree_with_central_differences) {
  const Vector t = even_knots(0.0, 1.0, 10);
  const Spline spline(t, sample(t, [](double x) { return std::exp(-x) * std::sin(20.0 * x); }));
  const double h = 1e-5;  // halves the digits: h^2 from the formula, 1e-16/h from rounding
  for (double x = 0.05; x < 1.0; x += 0.1) {
    for (const int order : {1, 2, 3}) {
      const double rise = spline.value(x + h, order - 1) - spline.value(x - h, order - 1);
      const double slope = spline.value(x, order);
      EXPECT_NEAR(rise / (2.0 * h), slope, 1e-6 * (1.0 + std::fabs(slope)));
    }
  }
}

// ---- Edges

TEST(SplineTest, there_is_no_curve_outside_the_samples) {
  const Spline spline({0.0, 1.0, 2.0, 3.0}, {1.0, 2.0, 0.0, 4.0});
  EXPECT_EQ(spline.first(), 0.0);
  EXPECT_EQ(spline.last(), 3.0);
  EXPECT_EQ(spline.value(0.0), 1.0);
  EXPECT_EQ(spline.value(3.0), 4.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double t : {-1e-14, 3.0 + 1e-14, 1e9, nan, infinity, -infinity}) {
    for (const int order : {0, 1, 2, 3, 4}) EXPECT_TRUE(std::isnan(spline.value(t, order))) << t;
  }
}

TEST(SplineTest, an_end_that_is_only_rounded_is_still_the_end) {
  const Spline spline({0.0, 1.0, 2.0, 3.0}, {1.0, 2.0, 0.0, 4.0});
  EXPECT_EQ(spline.value(std::nextafter(3.0, 4.0)), 4.0);
  EXPECT_EQ(spline.value(-1e-16, 1), spline.value(0.0, 1));
}

TEST(SplineTest, derivatives_from_the_fourth_on_are_zero_and_negative_orders_are_refused) {
  const Spline spline({0.0, 1.0, 2.0, 3.0}, {1.0, 2.0, 0.0, 4.0});
  EXPECT_EQ(spline.value(1.5, 4), 0.0);
  EXPECT_EQ(spline.value(1.5, 1000), 0.0);
  EXPECT_TRUE(says(refusal([&] { spline.value(1.5, -2); }), "Spline::value", "-2"));
}

TEST(SplineTest, bad_samples_are_refused_by_their_index) {
  const auto message = [](const Vector& t, const Vector& y) {
    return refusal([&] { Spline(t, y); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(says(message({}, {}), "at least 2", "found 0"));
  EXPECT_TRUE(says(message({1}, {1}), "at least 2", "found 1"));
  EXPECT_TRUE(says(message({1, 2}, {1, 2, 3}), "2 times", "3 values"));
  EXPECT_TRUE(says(message({0, 1, 1}, {0, 0, 0}), "times[2] = 1 after times[1] = 1"));
  EXPECT_TRUE(says(message({0, 0.5, 0.25}, {0, 0, 0}), "times[2] = 0.25 after times[1] = 0.5"));
  EXPECT_TRUE(says(message({0, nan}, {0, 0}), "times[1] = nan is not finite"));
  EXPECT_TRUE(says(message({0, 1}, {0, -INFINITY}), "values[1] = -inf is not finite"));
}

TEST(SplineTest, slopes_and_steps_beyond_double_precision_are_refused) {
  const auto message = [](const Vector& t, const Vector& y) {
    return refusal([&] { Spline(t, y); });
  };
  EXPECT_TRUE(says(message({0, 1e-300}, {0, 1e300}), "too fast", "times[1]"));
  EXPECT_TRUE(says(message({-1.7e308, 1.7e308}, {0, 1}), "double precision"));
}

TEST(SplineTest, a_held_curve_keeps_its_ends) {
  const Spline spline({0.0, 1.0, 2.0, 3.0}, {1.0, 2.0, 0.0, 4.0}, TableRange::hold);
  const Spline plain({0.0, 1.0, 2.0, 3.0}, {1.0, 2.0, 0.0, 4.0});
  EXPECT_EQ(spline.value(-7.0), 1.0);
  EXPECT_EQ(spline.value(1e9), 4.0);
  for (const int order : {1, 2, 3}) {
    EXPECT_EQ(spline.value(-7.0, order), 0.0);
    EXPECT_EQ(spline.value(3.1, order), 0.0);
    for (const double t : {0.0, 0.7, 1.0, 2.9, 3.0})
      EXPECT_EQ(spline.value(t, order), plain.value(t, order));
  }
  EXPECT_TRUE(std::isnan(spline.value(std::numeric_limits<double>::quiet_NaN())));
}

// For equal steps and f = sin the error of a periodic cubic spline is below 5/384 h^4, that of its slope below
// h^3/24, of its curvature below 3/8 h^2 (C. A. Hall and W. W. Meyer, J. Approximation Theory 16, 1976).
TEST(SplineTest, a_periodic_curve_follows_a_sine_over_many_periods) {
  const double pi = 3.14159265358979323846;
  for (const std::size_t n : {8u, 32u, 128u}) {
    const Vector t = even_knots(0.5, 0.5 + 2 * pi, n);
    const double h = t[1] - t[0], slack = 1e-12;
    const Spline spline(t, sample(t, [](double x) { return std::sin(x); }), TableRange::periodic);
    for (double x = -30.0; x < 30.0; x += 0.0371) {
      EXPECT_NEAR(spline.value(x), std::sin(x), 5.0 / 384 * std::pow(h, 4) + slack) << x;
      EXPECT_NEAR(spline.value(x, 1), std::cos(x), std::pow(h, 3) / 24 + slack) << x;
      EXPECT_NEAR(spline.value(x, 2), -std::sin(x), 3.0 / 8 * h * h + slack) << x;
    }
  }
}

TEST(SplineTest, a_periodic_curve_through_uneven_samples_is_smooth_where_it_begins_again) {
  const Vector t = {0.0, 0.3, 0.9, 1.1, 1.7, 2.0};
  const Spline spline(t, {1.0, 2.0, -1.0, 0.5, 3.0, 1.0}, TableRange::periodic);
  for (const double knot : t) {
    for (const int order : {0, 1, 2}) {
      const double below = spline.value(knot - 1e-9, order),
                   above = spline.value(knot + 1e-9, order);
      EXPECT_NEAR(below, above, 1e-6 * (1 + std::fabs(above))) << knot << " " << order;
      EXPECT_NEAR(spline.value(knot + 4.0, order), spline.value(knot, order), 1e-10);
    }
  }
  EXPECT_EQ(spline.value(6.0), 1.0);
  const Spline two({0.0, 1.0}, {3.0, 3.0}, TableRange::periodic);
  EXPECT_EQ(two.value(17.3), 3.0);
  EXPECT_TRUE(says(refusal([] {
                     Spline({0, 1, 2}, {1, 2, 1.1}, TableRange::periodic);
                   }),
                   "ends as it begins", "values[2] = 1.1"));
}

TEST(SplineTest, a_hundred_thousand_samples_take_little_time) {
  const double limit_s = 5.0;  // about 0.1 s; sanitizers and busy machines are slower
  const auto start = std::chrono::steady_clock::now();
  const Vector t = even_knots(0.0, 1000.0, 100'000);
  const Spline spline(t, sample(t, [](double x) { return std::sin(x); }));
  double error = 0.0;
  for (const double x : even_knots(0.0, 1000.0, 777'777)) {
    error = std::max(error, std::fabs(spline.value(x) - std::sin(x)));
  }
  EXPECT_LT(error, 1e-9);  // h^4/384 with h = 0.01, larger at the ends
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(elapsed.count(), limit_s);
}

}  // namespace
}  // namespace visviva
