#include "visviva/simulation/run/step_events.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"

namespace visviva {
EventFinder::EventFinder(const RunContext& context)
    : context_(context), search_(context.rates, largest_tolerance(context.options)) {}

StepEvents EventFinder::find(Stepper& stepper, double h, const std::vector<double>& end) {
  const double t = stepper.time(), t_end = t + h;
  const auto state_at = [&](double time, double* y) {
    if (time != t_end) return stepper.interpolate((time - t) / h, y);
    std::copy(end.begin(), end.end(), y);
    return true;
  };
  StepEvents found = search_.find(state_at, t_end);
  for (EventRecord& e : found.records) {
    std::vector<double> y(end.size());
    if (state_at(std::clamp(e.time, std::min(t, t_end), std::max(t, t_end)), y.data()))
      e.state = std::move(y);
  }
  return found;
}

std::vector<EventRecord> EventFinder::list_until(double t, const StepEvents& events) const {
  std::vector<EventRecord> listed;
  const double last = t + 4 * machine_epsilon * std::max(std::abs(t), context_.span);
  std::copy_if(events.records.begin(), events.records.end(), std::back_inserter(listed),
               [&](const EventRecord& e) { return e.time <= last; });
  return listed;
}

}  // namespace visviva
