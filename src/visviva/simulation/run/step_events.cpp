#include "visviva/simulation/run/step_events.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"

namespace visviva {
EventFinder::EventFinder(const RunContext& context)
    : context_(context), search_(context.rates, largest_tolerance(context.options)) {}

StepEvents EventFinder::find(Stepper& stepper, double h, const std::vector<double>& end) {
  const double t = stepper.time(), t_end = t + h;
  return search_.find(
      [&](double time, double* y) {
        if (time != t_end) return stepper.interpolate((time - t) / h, y);
        std::copy(end.begin(), end.end(), y);
        return true;
      },
      t_end);
}

std::vector<EventRecord> EventFinder::list_until(double t, const StepEvents& events) const {
  std::vector<EventRecord> listed;
  const double last = t + 4 * machine_epsilon * std::max(std::abs(t), context_.span);
  std::copy_if(events.records.begin(), events.records.end(), std::back_inserter(listed),
               [&](const EventRecord& e) { return e.time <= last; });
  return listed;
}

}  // namespace visviva
