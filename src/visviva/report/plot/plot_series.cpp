#include "visviva/report/plot/plot_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "visviva/base/utf8.h"

namespace visviva {

bool has_values(const PlotSeries& series) {
  return std::any_of(series.values.begin(), series.values.end(),
                     [](double x) { return std::isfinite(x); });
}

bool has_small(const Plot& plot) {
  return std::any_of(plot.series.begin(), plot.series.end(), [&](const PlotSeries& s) {
    return std::any_of(s.values.begin(), s.values.end(), [&](double x) { return x <= plot.floor; });
  });
}

double range_of(const PlotSeries& series) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const double x : series.values) {
    if (!std::isfinite(x)) continue;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return std::max(high - low, 0.0);
}

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double x : values)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  return largest;
}

double largest_of(const Plot& plot) {
  double largest = 0.0;
  for (const PlotSeries& s : plot.series) largest = std::max(largest, largest_of(s.values));
  return largest;
}

std::vector<Plot> split_plot(Plot plot, std::size_t most_series) {
  if (plot.series.size() <= most_series) return {std::move(plot)};
  std::vector<std::size_t> order(plot.series.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return range_of(plot.series[a]) > range_of(plot.series[b]);
  });
  std::vector<Plot> parts;
  for (std::size_t begin = 0; begin < order.size(); begin += most_series) {
    const std::size_t end = std::min(order.size(), begin + most_series);
    std::vector<std::size_t> chosen(order.begin() + long(begin), order.begin() + long(end));
    std::sort(chosen.begin(), chosen.end());
    Plot part = plot;
    part.series.clear();
    for (const std::size_t i : chosen) part.series.push_back(plot.series[i]);
    part.is_folded = begin > 0;
    if (begin > 0) part.title += fmt::format(", part {}", begin / most_series + 1);
    parts.push_back(std::move(part));
  }
  return parts;
}

std::string cut_text(const std::string& text, std::size_t letters) {
  if (count_characters(text) <= letters) return text;
  return text.substr(0, offset_of_character(text, letters - 3)) + "...";
}

std::vector<double> sum(std::vector<double> a, const std::vector<double>& b, double factor) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) a[i] += factor * b[i];
  return a;
}

}  // namespace visviva
