// Tests of plots as pictures: escaped, with words for those who cannot see, curves where they belong.
#include "visviva/report/plot/plot_svg.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <regex>

#include "visviva/report/page/plot_figure.h"
#include "visviva/report/plot/figure.h"

namespace visviva {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

Plot plot_fall() {
  Plot plot{.title = "Fall", .unit = "m", .series = {{"h", {0, 1, 2}, {20, 15, 0}, {4, 7}}}};
  plot.until = 2.0;
  return plot;
}

void expect_holds(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

void expect_lacks(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++found;
  return found;
}

// x and y of the last point of the first path, in the picture: the transform applied to the sum of moves.
std::pair<double, double> last_point(const std::string& svg) {
  std::smatch found;
  const std::regex path(
      "matrix\\(([^ ]+) 0 0 ([^ ]+) 0 ([^)]+)\\)\"[^>]* d=\"M(-?\\d+) (-?\\d+)l([^\"]*)\"");
  if (!std::regex_search(svg, found, path)) return {no_value, no_value};
  double i = std::stod(found[4]), j = std::stod(found[5]);
  std::istringstream moves(found[6]);
  for (double di = 0, dj = 0; moves >> di >> dj;) {
    i += di;
    j += dj;
  }
  return {std::stod(found[1]) * i, std::stod(found[2]) * j + std::stod(found[3])};
}

TEST(PlotSvg, a_curve_ends_where_its_last_value_belongs) {
  // h = 0 at t = 2 is the lower right corner of an area that shows 0 ... 20 m.
  const PanelLayout layout;
  const auto [x, y] = last_point(write_panel(plot_fall(), layout));
  EXPECT_NEAR(x, layout.width - layout.left - layout.right, 0.05);
  EXPECT_NEAR(y, layout.height - layout.top - layout.bottom, 0.05);
}

TEST(PlotSvg, a_figure_has_title_words_legend_and_causes) {
  const std::string html = write_plot_figure(plot_fall(), "plot-3").markup();
  expect_holds(html, "<title id=\"plot-3-title\">Fall</title>");
  expect_holds(html, "h from 20 to 0 m, between 0 and 20.");
  expect_holds(html, "aria-pressed=\"true\" data-cause=\"4 7\"");
  expect_holds(html, "aria-labelledby=\"plot-3-title plot-3-words\"");
}

TEST(PlotSvg, a_plot_of_less_interest_is_folded) {
  Plot plot = plot_fall();
  expect_lacks(write_plot_figure(plot, "p").markup(), "<details");
  plot.is_folded = true;
  expect_holds(write_plot_figure(plot, "p").markup(), "<details><summary>Fall</summary>");
}

TEST(PlotSvg, markup_in_names_stays_text) {
  Plot plot = plot_fall();
  const std::string hostile = "\"><script>alert('x')</script>&<b onload=x";
  plot.title = plot.series[0].name = plot.unit = plot.remark = hostile;
  plot.limits = {{hostile, 10.0}};
  plot.events = {{hostile, 1.0}};
  for (const std::string& text :
       {write_plot_figure(plot, "p").markup(), write_figure_svg(make_figure(plot, hostile))}) {
    expect_lacks(text, "<script");
    expect_lacks(text, "<b ");
    expect_lacks(text, "alert('x')");
  }
}

TEST(PlotSvg, the_tolerance_is_a_labelled_line_inside_the_axis) {
  Plot plot = plot_fall();
  plot.is_log = true;
  plot.series[0].values = {0.0, 1e-12, 3e-11};
  plot.limits = {{"tolerance 1e-6 J", 1e-6}};
  const PlotAxis axis = make_value_axis(plot);
  EXPECT_DOUBLE_EQ(axis.until, 1e-6);
  EXPECT_DOUBLE_EQ(axis.from, 1e-13);
  expect_holds(write_panel(plot, {}), ">tolerance 1e-6 J</text>");
}

TEST(PlotSvg, below_the_floor_of_a_log_plot_nothing_stretches_the_axis) {
  Plot plot = plot_fall();
  plot.is_log = true;
  plot.series[0].values = {1e-40, 2e-12, 3e-11};
  plot.floor = 1e-13;
  EXPECT_DOUBLE_EQ(make_value_axis(plot).from, 1e-13);
}

TEST(PlotSvg, a_plot_of_nothing_but_zeros_or_gaps_can_still_be_drawn) {
  Plot plot = plot_fall();
  plot.series[0].values = {no_value, no_value, no_value};
  expect_holds(write_panel(plot, {}), "d=\"\"");
  plot.series[0].values = {0, 0, 0};
  expect_lacks(write_panel(plot, {}), "nan");
  plot.is_log = true;
  expect_lacks(write_panel(plot, {}), "nan");
  expect_lacks(write_panel(plot, {}), "inf");
}

TEST(PlotSvg, the_eleventh_series_has_the_first_colour_and_dashes) {
  EXPECT_NE(series_stroke(0), series_stroke(10));
  expect_holds(series_stroke(10), "class=\"c0\"");
  expect_holds(series_stroke(10), "stroke-dasharray");
  expect_lacks(series_stroke(9), "stroke-dasharray");
}

// A circle of radius 2 m about (3 m, 1 m), once around in a second.
Plot plot_circle() {
  Plot plot{.title = "y over x", .unit = "m", .series = {{"y", {}, {}}}};
  for (int k = 0; k <= 400; ++k) {
    const double angle = 2 * M_PI * k / 400;
    plot.series[0].times.push_back(k / 400.0);
    plot.series[0].places.push_back(3 + 2 * std::cos(angle));
    plot.series[0].values.push_back(1 + 2 * std::sin(angle));
  }
  plot.over = "x";
  plot.over_unit = "m";
  return plot;
}

// Points of a page's curve by its data, as the script reads them.
std::vector<std::array<double, 3>> read_curve(const std::string& svg) {
  const auto number = [&](const std::string& name) {
    std::smatch found;
    EXPECT_TRUE(std::regex_search(svg, found, std::regex("data-" + name + "=\"([^\"]*)\"")))
        << name;
    return found[1].str();
  };
  std::smatch found;
  EXPECT_TRUE(std::regex_search(svg, found, std::regex(" d=\"M(-?\\d+) (-?\\d+)l([^\"]*)\"")));
  std::string steps = std::regex_replace(found[3].str(), std::regex("-"), " -");
  std::istringstream moves(found[1].str() + " " + found[2].str() + " " + steps),
      ticks(number("times"));
  double i = 0, j = 0, k = 0;
  std::vector<std::array<double, 3>> points;
  for (double di = 0, dj = 0, dk = 0; moves >> di >> dj && ticks >> dk;) {
    i += di;
    j += dj;
    k += dk;
    points.push_back({std::stod(number("left")) + i * std::stod(number("step")),
                      std::stod(number("low")) + j * std::stod(number("unit")),
                      k * std::stod(number("tick"))});
  }
  return points;
}

TEST(PlotSvg, a_curve_over_another_quantity_is_read_back_with_its_times) {
  const std::vector<std::array<double, 3>> points = read_curve(write_panel(plot_circle(), {}));
  ASSERT_GT(points.size(), 50U);
  for (const auto& [x, y, t] : points) {
    EXPECT_NEAR(std::hypot(x - 3, y - 1), 2, 1e-4);
    EXPECT_NEAR(x, 3 + 2 * std::cos(2 * M_PI * t), 1e-4);
    EXPECT_NEAR(y, 1 + 2 * std::sin(2 * M_PI * t), 1e-4);
  }
  EXPECT_DOUBLE_EQ(points.front()[2], 0);
  EXPECT_NEAR(points.back()[2], 1, 1e-6);
}

TEST(PlotSvg, a_path_has_one_unit_on_both_axes) {
  const PlotAxes axes = make_axes(plot_circle(), 600, 300);
  EXPECT_NEAR((axes.across.until - axes.across.from) / 600, (axes.up.until - axes.up.from) / 300,
              1e-12);
  EXPECT_LE(axes.across.from, 1);
  EXPECT_GE(axes.across.until, 5);
  Plot other = plot_circle();
  other.over_unit = "rad";
  const PlotAxes own = make_axes(other, 600, 300);
  EXPECT_NE((own.across.until - own.across.from) / 600, (own.up.until - own.up.from) / 300);
}

TEST(PlotSvg, what_it_is_over_is_named_with_its_unit) {
  const Plot plot = plot_circle();
  expect_holds(write_panel(plot, {}), ">x (m)</text>");
  expect_lacks(write_panel(plot, {}), "t (s)");
  expect_holds(write_plot_figure(plot, "p").markup(), "data-kind=\"curves\"");
  expect_holds(describe_plot(plot), "Plot over x (m) from t = 0 s to 1 s: y");
}

TEST(PlotSvg, a_figure_has_one_area_and_neither_scripts_nor_variables) {
  const std::string svg = write_figure_svg(make_figure(plot_fall(), "two"));
  EXPECT_EQ(count(svg, "class=\"plot-area\""), 1U);
  expect_lacks(svg, "script");
  expect_lacks(svg, "var(");
  expect_holds(svg, ">h (m)</text>");
  expect_holds(svg, ">t (s)</text>");
}

TEST(PlotSvg, words_tell_constants_gaps_and_levels) {
  Plot plot = plot_fall();
  plot.series.push_back({"c", {0, 1, 2}, {3, 3, 3}, {}});
  plot.series.push_back({"g", {0, 1, 2}, {1, no_value, 2}, {}});
  plot.series.push_back({"n", {0, 1, 2}, {no_value, no_value, no_value}, {}});
  plot.limits = {{"ceiling", 25.0}};
  const std::string words = describe_plot(plot);
  expect_holds(words, "c constant at 3 m");
  expect_holds(words, "g from 1 to 2 m, between 1 and 2, with gaps");
  expect_holds(words, "n has no values");
  expect_holds(words, "Level: ceiling, 25 m.");
}

}  // namespace
}  // namespace visviva
