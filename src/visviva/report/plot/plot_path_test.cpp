// Tests of plot_path: a reader that knows only SVG's rules gets the samples back.
#include "visviva/report/plot/plot_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace visviva {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

struct Point {
  double t, height;
  bool begins;  // a part of the path
};

// Path data by SVG 2, 9.3: M, m and l with pairs of numbers parted by blanks or signs.
std::vector<Point> read_path(const std::string& data, const PlotGrid& grid) {
  std::vector<Point> points;
  std::istringstream text(data);
  char command = 0;
  double i = 0, j = 0, di = 0, dj = 0;
  while (text >> std::ws && !text.eof()) {
    if (std::isalpha(text.peek())) text >> command;
    if (!(text >> di >> dj)) ADD_FAILURE() << "no numbers in " << data;
    i = command == 'M' ? di : i + di;
    j = command == 'M' ? dj : j + dj;
    points.push_back(
        {grid.from + i * grid.time_unit, grid.low + j * grid.value_unit, command != 'l'});
  }
  return points;
}

PlotSeries make_wave(std::size_t count, double span) {
  PlotSeries series{"x", {}, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const double t = span * double(i) / double(count - 1);
    series.times.push_back(t);
    series.values.push_back(3.0 * std::sin(7.0 * t) - 1.0);
  }
  return series;
}

Plot make_plot(double from, double until) {
  Plot plot;
  plot.from = from;
  plot.until = until;
  return plot;
}

TEST(PlotPath, samples_read_back_to_1e_5_of_their_range_and_their_times_exactly) {
  const PlotSeries wave = make_wave(1001, 10.0);
  const PlotGrid grid = choose_grid(wave, make_plot(0, 10), 0.0);
  const std::vector<Point> points = read_path(write_plot_path(wave, grid, 1500), grid);
  ASSERT_EQ(points.size(), 1001U);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(points[i].t, wave.times[i], 1e-12 * 10);
    EXPECT_NEAR(points[i].height, wave.values[i], 0.51e-5 * 6.0);
  }
}

TEST(PlotPath, a_sample_takes_no_more_than_nine_bytes) {
  const PlotSeries wave = make_wave(1001, 10.0);
  const PlotGrid grid = choose_grid(wave, make_plot(0, 10), 0.0);
  EXPECT_LE(write_plot_path(wave, grid, 1500).size(), 9 * wave.values.size());
}

TEST(PlotPath, a_run_that_ends_between_samples_keeps_its_last_time) {
  PlotSeries series{"h", {0.0, 0.5, 1.0, 1.5, 2.0}, {20, 18.75, 15, 8.75, 0}, {}};
  series.times.back() = 1.9837;
  const PlotGrid grid = choose_grid(series, make_plot(0, 1.9837), 0.0);
  const std::vector<Point> points = read_path(write_plot_path(series, grid, 1500), grid);
  ASSERT_EQ(points.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(points[i].t, series.times[i], 1e-5 * 2);
}

TEST(PlotPath, what_is_not_finite_leaves_a_gap) {
  const PlotSeries series{"P", {0, 1, 2, 3, 4, 5, 6}, {gap, 1.0, 2.0, gap, 4.0, INFINITY, gap}, {}};
  const PlotGrid grid = choose_grid(series, make_plot(0, 6), 0.0);
  const std::vector<Point> points = read_path(write_plot_path(series, grid, 1500), grid);
  // A sample between gaps is drawn as a line to itself.
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].t, 1.0);
  EXPECT_TRUE(points[0].begins);
  EXPECT_FALSE(points[1].begins);
  EXPECT_NEAR(points[2].t, 4.0, 1e-12);
  EXPECT_TRUE(points[2].begins);
  EXPECT_NEAR(points[3].t, 4.0, 1e-12);
  EXPECT_NEAR(points[3].height, 4.0, 1e-4);
}

TEST(PlotPath, no_finite_value_is_no_path) {
  const PlotSeries series{"P", {0, 1}, {gap, gap}, {}};
  const PlotGrid grid = choose_grid(series, make_plot(0, 1), 0.0);
  EXPECT_EQ(write_plot_path(series, grid, 1500), "");
}

TEST(PlotPath, rounding_errors_of_a_constant_are_not_kept) {
  PlotSeries series{"E_Z", {}, {}, {}};
  for (int i = 0; i < 100; ++i) {
    series.times.push_back(i);
    series.values.push_back(3.0 + 1e-14 * (i % 7));
  }
  const PlotGrid grid = choose_grid(series, make_plot(0, 99), 0.0);
  for (const Point& p : read_path(write_plot_path(series, grid, 1500), grid))
    EXPECT_EQ(p.height, grid.low);
}

TEST(PlotPath, on_a_log_plot_heights_are_logarithms_and_zeros_stand_at_the_floor) {
  const PlotSeries series{"d", {0, 1, 2}, {0.0, 1e-7, 2e-9}, {}};
  Plot plot = make_plot(0, 2);
  plot.is_log = true;
  const PlotGrid grid = choose_grid(series, plot, 1e-10);
  const std::vector<Point> points = read_path(write_log_path(series, grid, 1e-10, 1500), grid);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_NEAR(points[0].height, -10, 1e-4);
  EXPECT_NEAR(points[1].height, -7, 1e-4);
  EXPECT_NEAR(points[2].height, std::log10(2e-9), 1e-4);
}

// Browsers draw nothing under a transformation that is nearly singular, such as 1e-16 pixels a unit.
TEST(PlotPath, a_series_that_is_flat_beside_another_keeps_a_unit_that_can_be_drawn) {
  const PlotSeries flat{"E_Z", {0, 1, 2}, {0, 9e-14, 1e-14}}, steep{"C", {0, 1, 2}, {0, 1, 3}};
  Plot plot = make_plot(0, 2);
  plot.series = {flat, steep};
  EXPECT_NEAR(choose_grid(flat, plot, 0.0).value_unit, 3e-7, 1e-12);
  EXPECT_LT(choose_grid(steep, plot, 0.0).value_unit, 1e-4);
}

}  // namespace
}  // namespace visviva
