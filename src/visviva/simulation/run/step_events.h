// EventFinder: the events in steps of a Stepper.
#pragma once

#include <vector>

#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/run/event_search.h"
#include "visviva/simulation/run/run_context.h"

namespace visviva {

class EventFinder {
 public:
  /// A finder for a run whose context outlives it.
  explicit EventFinder(const RunContext& context);

  /// The next step begins at (t, y).
  void begin_at(double t, const double* y) { search_.begin_at(t, y); }
  /// Events in the step of h just tried, which ends at `end`.
  StepEvents find(Stepper& stepper, double h, const std::vector<double>& end);
  /// Events in a step that has no inside, from where the last one ended to (t, end).
  StepEvents find_between(double t, const std::vector<double>& end) {
    return search_.find_over(t, end.data());
  }

  /// The records of `events` that come until t, in their order in time.
  std::vector<EventRecord> list_until(double t, const StepEvents& events) const;
  /// What is to be said of events besides.
  std::vector<EventDoubt> list_doubts() const { return search_.list_doubts(); }

 private:
  const RunContext& context_;
  EventSearch search_;
};

}  // namespace visviva
