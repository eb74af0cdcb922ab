#include "visviva/report/plot/plot_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "visviva/report/plot/thin.h"

namespace visviva {
namespace {

constexpr double range_units = 1e5;    // of a series' range
constexpr double largest_units = 1e7;  // of its largest value
// A series that is flat beside the others: browsers draw nothing where a unit is too small a part of a pixel.
constexpr double plot_units = 1e7;
constexpr double log_units = 1e4;  // of a decade

// One path as it grows.
class PathWriter {
 public:
  void add(long i, long j) {
    if (is_first_) {
      fmt::format_to(std::back_inserter(data_), "M{} {}", i, j);
    } else {
      set_command(is_gap_ ? 'm' : 'l');
      write(i - i_, true);
      write(j - j_, false);
    }
    i_ = i;
    j_ = j;
    is_first_ = is_gap_ = false;
  }
  // Behind a lone sample a line of no length makes it seen.
  void leave_gap() {
    if (!is_first_ && command_ != 'l') {
      set_command('l');
      write(0, true);
      write(0, false);
    }
    is_gap_ = true;
  }
  std::string take() {
    leave_gap();
    return std::move(data_);
  }

 private:
  void set_command(char command) {
    is_fresh_ = command != command_ || command == 'm';
    if (is_fresh_) data_ += command;
    command_ = command;
  }
  // A minus parts numbers by itself.
  void write(long number, bool is_after_command) {
    if (number >= 0 && !(is_after_command && is_fresh_)) data_ += ' ';
    fmt::format_to(std::back_inserter(data_), "{}", number);
  }

  std::string data_;
  char command_ = 'M';
  long i_ = 0, j_ = 0;
  bool is_first_ = true, is_gap_ = false, is_fresh_ = true;
};

std::string write_heights(const std::vector<double>& times, const std::vector<double>& heights,
                          const PlotGrid& grid, std::size_t most) {
  PathWriter writer;
  for (const std::size_t i : thin(heights, most)) {
    if (std::isfinite(heights[i]))
      writer.add(std::lround((times[i] - grid.from) / grid.time_unit),
                 std::lround((heights[i] - grid.low) / grid.value_unit));
    else
      writer.leave_gap();
  }
  return writer.take();
}

double choose_time_unit(const PlotSeries& series, double span) {
  constexpr double coarse = 20000, fine = 100000;
  if (series.times.size() < 2) return span / coarse;
  const double steps = span / (series.times[1] - series.times[0]);
  // The last step of a run that an event ended is shorter.
  const bool is_even = steps >= 1.0 && std::abs(steps - std::round(steps)) < 1e-6;
  if (!is_even || steps > fine) return span / fine;
  return span / (std::round(steps) * std::max(1.0, std::floor(coarse / steps)));
}

// The range of all values, or what the axis shows at least.
double find_range(const Plot& plot) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const PlotSeries& series : plot.series) {
    for (const double x : series.values) {
      if (!std::isfinite(x)) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }
  return std::max(plot.least_range, low <= high ? high - low : 0.0);
}

}  // namespace

PlotGrid choose_grid(const PlotSeries& series, const Plot& plot, double floor) {
  PlotGrid grid{plot.from, choose_time_unit(series, plot.until - plot.from), 0.0, 1.0};
  if (plot.is_log) {
    grid.low = std::log10(floor);
    grid.value_unit = 1.0 / log_units;
    return grid;
  }
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const double x : series.values) {
    if (!std::isfinite(x)) continue;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  if (!(low <= high)) return grid;
  const double unit =
      std::max({(high - low) / range_units, std::max(std::abs(low), std::abs(high)) / largest_units,
                find_range(plot) / plot_units});
  grid.low = low;
  if (unit > 0.0) grid.value_unit = unit;
  return grid;
}

PlotGrid choose_curve_grid(const PlotSeries& series, const Plot& plot) {
  Plot places{.title = "", .unit = "", .series = {series}};
  places.series[0].values = series.places;
  places.from = plot.from;
  places.until = plot.until;
  const PlotGrid across = choose_grid(places.series[0], places, 0.0);
  const PlotGrid up = choose_grid(series, plot, 0.0);
  return {across.low, across.value_unit, up.low, up.value_unit};
}

TimeGrid choose_time_grid(const Plot& plot) {
  constexpr double parts = 1e6;
  return {plot.from, (plot.until - plot.from) / parts};
}

CurvePath write_curve_path(const PlotSeries& series, const PlotGrid& grid, const TimeGrid& times,
                           std::size_t most) {
  PathWriter writer;
  CurvePath path;
  long i_before = 0, j_before = 0, k_before = 0;
  bool is_fresh = true;
  for (const std::size_t at : thin_curve(series.places, series.values, most)) {
    if (!std::isfinite(series.places[at]) || !std::isfinite(series.values[at])) {
      writer.leave_gap();
      is_fresh = true;
      continue;
    }
    const long i = std::lround((series.places[at] - grid.from) / grid.time_unit);
    const long j = std::lround((series.values[at] - grid.low) / grid.value_unit);
    if (!is_fresh && i == i_before && j == j_before) continue;
    writer.add(i, j);
    const long k = std::lround((series.times[at] - times.begin) / times.unit);
    fmt::format_to(std::back_inserter(path.times), "{}{}", path.times.empty() ? "" : " ",
                   k - k_before);
    i_before = i;
    j_before = j;
    k_before = k;
    is_fresh = false;
  }
  path.d = writer.take();
  return path;
}

std::string write_plot_path(const PlotSeries& series, const PlotGrid& grid, std::size_t most) {
  return write_heights(series.times, series.values, grid, most);
}

std::string write_log_path(const PlotSeries& series, const PlotGrid& grid, double floor,
                           std::size_t most) {
  std::vector<double> heights = series.values;
  for (double& x : heights)
    if (std::isfinite(x)) x = std::log10(std::max(x, floor));
  return write_heights(series.times, heights, grid, most);
}

}  // namespace visviva
