#include "visviva/report/plot/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visviva/base/error.h"

namespace visviva {
namespace {

constexpr int most_decades = 18;

// factor * 10^exponent, with factor 1, 2 or 5.
struct Step {
  double factor;
  int exponent;

  double size() const { return factor * std::pow(10.0, exponent); }
  // Each multiple is computed by itself, so that three times 0.1 is 0.3.
  double times(double count) const {
    const double power = std::pow(10.0, std::abs(exponent));
    return exponent < 0 ? count * factor / power : count * factor * power;
  }
};

// The smallest that is not less than `size`.
Step round_up_step(double size) {
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  const double power = std::pow(10.0, exponent);
  for (const double factor : {1.0, 2.0, 5.0})
    if (size <= factor * power * (1 + 1e-9)) return {factor, exponent};
  return {1.0, exponent + 1};
}

// Digits that tell neighbours apart.
int tick_digits(double largest, const Step& step) {
  if (!(largest > 0.0)) return 1;
  return std::clamp(static_cast<int>(std::floor(std::log10(largest))) - step.exponent + 1, 1, 15);
}

}  // namespace

std::string number_label(double value, int digits) {
  if (value == 0.0) return "0";
  std::string text = fmt::format("{:.{}g}", value, digits);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  const int exponent = std::stoi(text.substr(e + 1));
  // Three zeros are still read at a glance.
  if (exponent >= 0 && exponent < 5) return fmt::format("{:.0f}", value);
  return text.substr(0, e) + fmt::format("e{}", exponent);
}

double PlotAxis::place(double value) const {
  if (!is_log) return (value - from) / (until - from);
  if (!(value > from)) return 0.0;
  return std::log10(value / from) / std::log10(until / from);
}

std::vector<PlotTick> make_ticks(double from, double until, int about) {
  if (!(from < until) || !std::isfinite(until - from) || about < 1)
    throw UsageError("make_ticks", fmt::format("no range from {} to {}", from, until));
  const Step step = round_up_step((until - from) / about);
  const double slack = 1e-6;
  const double first = std::ceil(from / step.size() - slack);
  const double last = std::floor(until / step.size() + slack);
  const int digits = tick_digits(std::max(std::abs(first), std::abs(last)) * step.size(), step);
  std::vector<PlotTick> ticks;
  for (double i = first; i <= last; ++i)
    ticks.push_back({step.times(i), number_label(step.times(i), digits)});
  return ticks;
}

PlotAxis make_linear_axis(double from, double until, double least) {
  // Zero throughout has no size of its own.
  if (from == 0.0 && until == 0.0 && !(least > 0.0)) {
    from = -1.0;
    until = 1.0;
  }
  // What rounding alone can do is not worth a whole axis.
  const double shown = std::max({least, 1e-6 * std::max(std::abs(from), std::abs(until)), 1e-300});
  if (until - from < shown) {
    const double middle = 0.5 * (from + until);
    from = middle - 0.5 * shown;
    until = middle + 0.5 * shown;
  }
  constexpr int about = 5;
  PlotAxis axis;
  // Half a step of room is enough; a whole one would squeeze the curves.
  const double grain = 0.5 * round_up_step((until - from) / about).size();
  // 0.0 + makes 0 of -0.
  axis.from = 0.0 + std::floor(from / grain + 1e-9) * grain;
  axis.until = 0.0 + std::ceil(until / grain - 1e-9) * grain;
  axis.ticks = make_ticks(axis.from, axis.until, about);
  return axis;
}

PlotAxis make_log_axis(double smallest, double largest, bool has_zero) {
  double low = std::floor(std::log10(smallest) + 1e-9) - (has_zero ? 1 : 0);
  const double high = std::max(std::ceil(std::log10(largest) - 1e-9), low + 1);
  low = std::max(low, high - most_decades);
  PlotAxis axis{std::pow(10.0, low), std::pow(10.0, high), true, {}};
  const int stride = std::max(1, static_cast<int>(std::ceil((high - low) / 6)));
  for (double e = low; e <= high; ++e) {
    const bool is_labelled = std::fmod(high - e, stride) == 0.0;
    axis.ticks.push_back({std::pow(10.0, e), is_labelled ? fmt::format("1e{:.0f}", e) : ""});
  }
  return axis;
}

}  // namespace visviva
