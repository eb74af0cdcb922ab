#include "visviva/simulation/run/step_events.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"

namespace visviva {
namespace {

constexpr double error_factor = 10;     // of a run, against the tolerance of a step
constexpr double largest_error = 1e-6;  // more would take motions for errors
constexpr double passing = 1e-6;  // of an event's largest value: what so short a step may change

}  // namespace

EventDoubts::EventDoubts(const CompiledSystem& system) {
  for (const std::string& name : system.event_names()) all_.push_back({.name = name});
}

void EventDoubts::note_jump(std::size_t event, double t) {
  EventDoubt& doubt = all_[event];
  if (doubt.jumps++ == 0) doubt.jump_time = t;
}

void EventDoubts::note(const RootsFound& found, double from) {
  for (const FoundRoot& jump : found.jumps) note_jump(jump.function, jump.place);
  for (const std::size_t i : found.unresolved)
    if (all_[i].unresolved++ == 0) all_[i].unresolved_time = from;
  for (const NearRoot& near : found.near) {
    EventDoubt& doubt = all_[near.function];
    if (doubt.near++ > 0) continue;
    doubt.near_time = near.place;
    doubt.near_value = near.value;
  }
}

std::vector<EventDoubt> EventDoubts::list() const {
  std::vector<EventDoubt> some;
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(some),
               [](const EventDoubt& d) { return d.jumps > 0 || d.unresolved > 0 || d.near > 0; });
  return some;
}

EventFinder::EventFinder(const RunContext& context)
    : context_(context),
      roots_(context.system.event_names().size(), most_event_pieces,
             std::min(error_factor * largest_tolerance(context.options), largest_error)),
      doubts_(context.system),
      values_(context.system.event_names().size()),
      state_(context.rates.size()) {}

void EventFinder::begin_at(double t, const double* y) {
  if (!values_.empty()) context_.rates.compute_events(t, y, values_.data());
}

StepEvents EventFinder::find(Stepper& stepper, double h, const std::vector<double>& end) {
  StepEvents found{.h = h};
  if (values_.empty()) return found;
  const double t = stepper.time(), t_end = t + h;
  const auto evaluate = [&](double time, double* values) {
    if (time == t_end)
      state_ = end;
    else if (!stepper.interpolate((time - t) / h, state_.data()))
      return false;
    context_.rates.compute_events(time, state_.data(), values);
    return true;
  };
  const double width = machine_epsilon * std::max(4 * std::abs(t_end), 2 * h);
  RootsFound roots = roots_.find(evaluate, t, t_end, values_, width);
  double stop = t_end;
  for (const FoundRoot& root : roots.roots) {
    const bool is_stop = context_.system.event_stops()[root.function];
    const std::string& name = context_.system.event_names()[root.function];
    if (is_stop && (root.place < stop || !found.stop)) {
      found.stop = name;
      stop = root.place;
    }
    found.records.push_back({name, root.place, is_stop, root.is_rising, root.is_touch});
  }
  found.h = found.stop ? stop - t : h;
  std::erase_if(roots.jumps, [&](const FoundRoot& jump) { return jump.place > stop; });
  std::erase_if(roots.near, [&](const NearRoot& near) { return near.place > stop; });
  doubts_.note(roots, t);
  return found;
}

StepEvents EventFinder::find_between(double t, const std::vector<double>& end, double h) {
  StepEvents found{.h = h};
  if (values_.empty()) return found;
  std::vector<double> now(values_.size());
  context_.rates.compute_events(t, end.data(), now.data());
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (values_[i] == 0.0 || !(values_[i] * now[i] <= 0)) continue;
    // Before anything is known of its size it passes for continuous.
    if (roots_.largest(i) > 0 && std::abs(now[i] - values_[i]) > passing * roots_.largest(i)) {
      doubts_.note_jump(i, t);
      continue;
    }
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
