#include "visviva/report/plot/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visviva/report/plot/plot_axis.h"

namespace visviva {
namespace {

constexpr int word_digits = 4;

std::string with_unit(double value, const std::string& unit) {
  const std::string number = number_label(value, word_digits);
  return unit.empty() || unit == "1" ? number : number + " " + unit;
}

// "theta from 0.5 to -0.31 rad, between -0.5 and 0.5"
std::string describe_series(const PlotSeries& series, const Plot& plot) {
  std::vector<double> finite;
  for (const double x : series.values)
    if (std::isfinite(x)) finite.push_back(x);
  if (finite.empty()) return series.name + " has no values";
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  const double largest = std::max({std::abs(*low), std::abs(*high), plot.least_range});
  std::string words;
  const double nothing = plot.is_log ? 0.0 : 1e-6 * largest;  // beside what is worth showing
  if (*high - *low <= nothing) {
    words = fmt::format("{} constant at {}", series.name,
                        with_unit(std::abs(*low) <= nothing ? 0.0 : *low, plot.unit));
  } else {
    words =
        fmt::format("{} from {} to {}, between {} and {}", series.name,
                    number_label(finite.front(), word_digits), with_unit(finite.back(), plot.unit),
                    number_label(*low, word_digits), number_label(*high, word_digits));
  }
  return finite.size() < series.values.size() ? words + ", with gaps" : words;
}

}  // namespace

std::string label_words(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : name + " (" + unit + ")";
}

std::string describe_plot(const Plot& plot) {
  constexpr std::size_t most = 12;
  std::string words = plot.is_log ? "Logarithmic plot" : "Plot";
  if (!plot.is_over_time()) words += " over " + label_words(plot.over, plot.over_unit);
  if (plot.is_of_run)
    words += fmt::format(" from t = {} s to {} s", number_label(plot.from, word_digits),
                         number_label(plot.until, word_digits));
  for (std::size_t i = 0; i < std::min(most, plot.series.size()); ++i)
    words += (i == 0 ? ": " : "; ") + describe_series(plot.series[i], plot);
  if (plot.series.size() > most) words += fmt::format("; and {} more", plot.series.size() - most);
  words += ".";
  for (const PlotLimit& limit : plot.limits)
    words += fmt::format(" Level: {}, {}.", limit.label, with_unit(limit.value, plot.unit));
  return words;
}

}  // namespace visviva
