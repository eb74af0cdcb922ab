#include "visviva/simulation/run/switch_sides.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"

namespace visviva {
namespace {

constexpr int switch_looks = 8;     // parts of a step in which sides are looked at
constexpr int switch_parts = 1000;  // of a run in which switches of time alone are looked for

signed char side_of(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

}  // namespace

SwitchSides::SwitchSides(const RunContext& context)
    : context_(context),
      sides_(context.system.switch_count()),
      values_(context.system.switch_count()),
      state_(context.rates.size()) {}

void SwitchSides::compute(double t, const double* y, std::vector<double>* values) const {
  context_.system.compute_switches(context_.rates.at(t, y), context_.rates.prepared(),
                                   values->data());
}

void SwitchSides::note(double t, const double* y) {
  if (empty()) return;
  compute(t, y, &values_);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const signed char side = side_of(values_[i]);
    if (side != 0) sides_[i] = side;
  }
}

bool SwitchSides::has_unknown() const {
  return std::find(sides_.begin(), sides_.end(), 0) != sides_.end();
}

bool SwitchSides::are_left(double t, const double* y) {
  compute(t, y, &values_);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (sides_[i] * side_of(values_[i]) < 0) return true;
  }
  return false;
}

std::optional<double> SwitchSides::find_crossing(Stepper& stepper, double h,
                                                 const std::vector<double>& end) {
  if (empty()) return {};
  const double t = stepper.time();
  for (int part = 1; part < switch_looks; ++part) {
    const double theta = static_cast<double>(part) / switch_looks;
    if (!stepper.interpolate(theta, state_.data())) break;
    if (are_left(t + theta * h, state_.data())) return theta * h;
  }
  if (are_left(t + h, end.data())) return h;
  return {};
}

const std::string& SwitchSides::name_nearest(double t, const double* y) {
  compute(t, y, &values_);
  const auto nearest = std::min_element(
      values_.begin(), values_.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  return context_.system.switch_names()[static_cast<std::size_t>(nearest - values_.begin())];
}

// ---- Switches that time alone moves

// Those that have the same value at another state.
std::vector<bool> SwitchSides::find_functions_of_time(const std::vector<double>& y) {
  std::vector<double> here(sides_.size()), there(sides_.size());
  std::vector<bool> is_of_time(sides_.size(), true);
  double u = 0.5;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    u = std::fmod(u + 0.6180339887498949, 1.0);
    state_[i] = y[i] + 0.1 * (u - 0.4) * (1 + std::abs(y[i]));
  }
  for (const double s : {0.0, 0.37, 0.81}) {
    const double t = context_.options.from + s * context_.span;
    compute(t, y.data(), &here);
    compute(t, state_.data(), &there);
    for (std::size_t i = 0; i < sides_.size(); ++i)
      is_of_time[i] = is_of_time[i] && here[i] == there[i];
  }
  return is_of_time;
}

// Surface i is crossed between both times.
double SwitchSides::bisect_time(std::size_t i, double low, double high,
                                const std::vector<double>& y, double value_at_low) {
  const double span = context_.span;
  while (high - low >
         4 * machine_epsilon * std::max({std::abs(low), std::abs(high), 1e-3 * span})) {
    const double middle = 0.5 * (low + high);
    compute(middle, y.data(), &values_);
    (values_[i] * value_at_low > 0 ? low : high) = middle;
  }
  // A little before: no stage of a step that ends there sees the other side.
  return low - 64 * machine_epsilon * std::max(std::abs(low), span);
}

std::vector<double> SwitchSides::find_times(const std::vector<double>& y) {
  std::vector<double> times;
  if (empty()) return times;
  const std::vector<bool> is_of_time = find_functions_of_time(y);
  if (std::find(is_of_time.begin(), is_of_time.end(), true) == is_of_time.end()) return times;
  const std::size_t n = sides_.size();
  std::vector<double> last(n), next(n);
  double a = context_.options.from;
  compute(a, y.data(), &last);
  for (int k = 1; k <= switch_parts; ++k) {
    const double b = context_.options.from + context_.span * k / switch_parts;
    compute(b, y.data(), &next);
    for (std::size_t i = 0; i < n; ++i) {
      if (is_of_time[i] && last[i] * next[i] < 0) times.push_back(bisect_time(i, a, b, y, last[i]));
      if (next[i] != 0.0) last[i] = next[i];
    }
    a = b;
  }
  return times;
}

}  // namespace visviva
