#include "visviva/simulation/run/switch_sides.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"
#include "visviva/simulation/run/root_finder.h"

namespace visviva {
namespace {

constexpr int switch_looks = 8;                    // parts of a step in which sides are looked at
constexpr std::size_t most_time_pieces = 100'000;  // of a run, for switches of time alone

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

std::vector<std::size_t> SwitchSides::list_unknown() const {
  std::vector<std::size_t> unknown;
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (sides_[i] == 0) unknown.push_back(i);
  return unknown;
}

bool SwitchSides::are_left(double t, const double* y) { return !list_left(t, y).empty(); }

std::vector<std::size_t> SwitchSides::list_left(double t, const double* y) {
  std::vector<std::size_t> left;
  compute(t, y, &values_);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (sides_[i] * side_of(values_[i]) < 0) left.push_back(i);
  }
  return left;
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

std::vector<double> SwitchSides::find_times(const std::vector<double>& y) {
  std::vector<double> times;
  const std::vector<SwitchKind>& kinds = context_.system.switch_kinds();
  std::vector<std::size_t> of_time;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == SwitchKind::of_time || kinds[i] == SwitchKind::pole_of_time)
      of_time.push_back(i);
  if (of_time.empty()) return times;
  const auto evaluate = [&](double t, double* values) {
    compute(t, y.data(), &values_);
    for (const std::size_t i : of_time) *values++ = values_[i];
    return true;
  };
  const double from = context_.options.from, until = context_.options.until;
  const double rounding = machine_epsilon * std::max(std::abs(until), context_.span);
  std::vector<double> first(of_time.size());
  evaluate(from, first.data());
  RootFinder finder(of_time.size(), most_time_pieces);
  const RootsFound found = finder.find(evaluate, from, until, first, 4 * rounding);
  // A little before: no stage of a step that ends there sees the other side.
  for (const auto* list : {&found.roots, &found.jumps})
    for (const FoundRoot& root : *list) times.push_back(root.place - 72 * rounding);
  return times;
}

}  // namespace visviva
