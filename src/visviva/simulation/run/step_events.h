// StepEvents: the events in one step; EventFinder finds them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/run/run_context.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// Sign changes of event functions within a step.
struct StepEvents {
  std::vector<EventRecord> records{};
  std::optional<std::string> stop{};  ///< the event that ends the run
  double h = 0.0;                     ///< length of the step until that event, or of the whole step
};

class EventFinder {
 public:
  /// `context` must outlive it.
  explicit EventFinder(const RunContext& context);

  /// The next step begins at (t, y).
  void begin_at(double t, const double* y);
  /// Events in the step of h just tried, which ends at `end`.
  StepEvents find(Stepper& stepper, double h, const std::vector<double>& end);
  /// Events in a step that has no inside, from where the last one ended to (t, end).
  StepEvents find_between(double t, const std::vector<double>& end, double h);

  /// The records of `events` that come until t, in their order in time.
  std::vector<EventRecord> list_until(double t, const StepEvents& events) const;

 private:
  const RunContext& context_;
  std::vector<double> values_;  // of the event functions where the step begins
  std::vector<double> state_;   // scratch
};

}  // namespace visviva
