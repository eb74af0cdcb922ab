// Tests of thinned curves: what is left out lies on what stays.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "visviva/report/plot/thin.h"

namespace visviva {
namespace {

double distance(double px, double py, double ax, double ay, double bx, double by) {
  const double dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
  const double part =
      square > 0 ? std::clamp(((px - ax) * dx + (py - ay) * dy) / square, 0.0, 1.0) : 0.0;
  return std::hypot(px - ax - part * dx, py - ay - part * dy);
}

TEST(ThinCurve, no_loop_of_a_lissajous_figure_is_lost) {
  std::vector<double> x, y;
  for (int k = 0; k <= 50000; ++k) {
    const double t = 40.0 * k / 50000;
    x.push_back(std::sin(7 * t));
    y.push_back(std::cos(11 * t + 0.3));
  }
  const std::vector<std::size_t> kept = thin_curve(x, y, 6000);
  EXPECT_LE(kept.size(), 6000U);
  ASSERT_EQ(kept.front(), 0U);
  ASSERT_EQ(kept.back(), x.size() - 1);
  double worst = 0;
  for (std::size_t n = 1; n < kept.size(); ++n)
    for (std::size_t k = kept[n - 1]; k <= kept[n]; ++k)
      worst = std::max(
          worst, distance(x[k], y[k], x[kept[n - 1]], y[kept[n - 1]], x[kept[n]], y[kept[n]]));
  EXPECT_LT(worst, 2.0 / 500);  // of a picture of 500 pixels, one
}

TEST(ThinCurve, a_straight_line_is_its_ends_and_a_gap_stays_one) {
  std::vector<double> x, y;
  for (int k = 0; k < 1000; ++k) {
    x.push_back(k);
    y.push_back(2.0 * k + 1);
  }
  EXPECT_EQ(thin_curve(x, y, 100), (std::vector<std::size_t>{0, 999}));
  y[500] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(thin_curve(x, y, 100), (std::vector<std::size_t>{0, 499, 500, 501, 999}));
}

TEST(ThinCurve, a_point_that_stands_still_is_one) {
  const std::vector<double> one(50, 3.0);
  EXPECT_EQ(thin_curve(one, one, 10), (std::vector<std::size_t>{0, 49}));
}

}  // namespace
}  // namespace visviva
