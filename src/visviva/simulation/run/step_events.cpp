#include "visviva/simulation/run/step_events.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"

namespace visviva {
namespace {

constexpr int event_parts = 4;  // of a step in which a sign is looked at

}  // namespace

EventFinder::EventFinder(const RunContext& context)
    : context_(context),
      values_(context.system.event_names().size()),
      state_(context.rates.size()) {}

void EventFinder::begin_at(double t, const double* y) {
  if (!values_.empty()) context_.rates.compute_events(t, y, values_.data());
}

StepEvents EventFinder::find(Stepper& stepper, double h, const std::vector<double>& end) {
  StepEvents found{.h = h};
  if (values_.empty()) return found;
  const double t = stepper.time();
  const std::size_t n = values_.size();
  // Values of the event functions at the part theta of the step.
  const auto evaluate = [&](double theta, std::vector<double>* values) {
    if (theta == 1.0)
      state_ = end;
    else if (!stepper.interpolate(theta, state_.data()))
      return false;
    context_.rates.compute_events(t + theta * h, state_.data(), values->data());
    return true;
  };
  std::vector<double> left = values_, right(n), middle(n);
  // The first part of the step in which event i has the sign of its right end.
  const auto bisect = [&](std::size_t i, double low, double high) {
    while (high - low > 2 * machine_epsilon &&
           (high - low) * h > 4 * machine_epsilon * std::abs(t)) {
      const double mean = 0.5 * (low + high);
      if (mean <= low || mean >= high || !evaluate(mean, &middle)) break;
      (middle[i] * left[i] > 0 ? low : high) = mean;
    }
    return high;
  };
  double stop = 1.0;
  for (int part = 1; part <= event_parts && !found.stop; ++part) {
    const double a = static_cast<double>(part - 1) / event_parts;
    const double b = static_cast<double>(part) / event_parts;
    if (!evaluate(b, &right)) continue;
    for (std::size_t i = 0; i < n; ++i) {
      // A start on the surface is no event.
      if (left[i] == 0.0 || left[i] * right[i] > 0) continue;
      if (!std::isfinite(left[i]) || !std::isfinite(right[i])) continue;
      if (right[i] == 0.0 && part < event_parts) continue;
      const double place = bisect(i, a, b);
      const bool is_stop = context_.system.event_stops()[i];
      const std::string& name = context_.system.event_names()[i];
      if (is_stop && (place < stop || !found.stop)) found.stop = name;
      if (is_stop) stop = std::min(stop, place);
      found.records.push_back({name, t + place * h, is_stop, left[i] < 0});
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (right[i] != 0.0) left[i] = right[i];
    }
  }
  found.h = stop * h;
  return found;
}

StepEvents EventFinder::find_between(double t, const std::vector<double>& end, double h) {
  StepEvents found{.h = h};
  if (values_.empty()) return found;
  std::vector<double> now(values_.size());
  context_.rates.compute_events(t, end.data(), now.data());
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (values_[i] == 0.0 || !(values_[i] * now[i] <= 0)) continue;
    const bool is_stop = context_.system.event_stops()[i];
    const std::string& name = context_.system.event_names()[i];
    if (is_stop && !found.stop) found.stop = name;
    found.records.push_back({name, t, is_stop, values_[i] < 0});
  }
  return found;
}

std::vector<EventRecord> EventFinder::list_until(double t, const StepEvents& events) const {
  std::vector<EventRecord> listed;
  const double last = t + 4 * machine_epsilon * std::max(std::abs(t), context_.span);
  std::copy_if(events.records.begin(), events.records.end(), std::back_inserter(listed),
               [&](const EventRecord& e) { return e.time <= last; });
  std::sort(listed.begin(), listed.end(),
            [](const EventRecord& a, const EventRecord& b) { return a.time < b.time; });
  return listed;
}

}  // namespace visviva
