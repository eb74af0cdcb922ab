// StepEvents: the events in one step; EventFinder finds them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/run/root_finder.h"
#include "visviva/simulation/run/run_context.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// Roots of event functions within a step.
struct StepEvents {
  std::vector<EventRecord> records{};
  std::optional<std::string> stop{};  ///< the event that ends the run
  double h = 0.0;                     ///< length of the step until that event, or of the whole step
};

/// What was seen of events besides their roots, for each event.
class EventDoubts {
 public:
  /// No doubts yet about the events of a system.
  explicit EventDoubts(const CompiledSystem& system);
  /// What was found in a search from a time on; places are times.
  void note(const RootsFound& found, double from);
  /// An event changed its sign at t without passing zero.
  void note_jump(std::size_t event, double t);
  /// Doubts about events of which there is something to say.
  std::vector<EventDoubt> list() const;

 private:
  std::vector<EventDoubt> all_;
};

class EventFinder {
 public:
  /// A finder for a run whose context outlives it.
  explicit EventFinder(const RunContext& context);

  /// The next step begins at (t, y).
  void begin_at(double t, const double* y);
  /// Events in the step of h just tried, which ends at `end`.
  StepEvents find(Stepper& stepper, double h, const std::vector<double>& end);
  /// Events in a step that has no inside, from where the last one ended to (t, end).
  StepEvents find_between(double t, const std::vector<double>& end, double h);

  /// The records of `events` that come until t, in their order in time.
  std::vector<EventRecord> list_until(double t, const StepEvents& events) const;
  /// What is to be said of events besides.
  std::vector<EventDoubt> list_doubts() const { return doubts_.list(); }

 private:
  const RunContext& context_;
  RootFinder roots_;
  EventDoubts doubts_;
  std::vector<double> values_;  // of the event functions where the step begins
  std::vector<double> state_;   // scratch
};

/// Pieces of a step in which events are looked for.
inline constexpr std::size_t most_event_pieces = 4096;

}  // namespace visviva
