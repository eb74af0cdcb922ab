// EventSearch: the events between two states of a run, for all methods alike.
//
// Where a formula of an event has a corner or jumps is known from its formula: at roots of other functions, its corners. Between
// them events are searched as smooth functions; a corner at which an event is zero, on one side of it, touches zero.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "visviva/simulation/run/root_finder.h"
#include "visviva/simulation/run/system_rates.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// Roots of event functions within a step, in their order in time.
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

class EventSearch {
 public:
  /// The state at a time within a step. False where it cannot be had.
  using StateAt = std::function<bool(double t, double* y)>;

  /// A search for events of `rates`, which outlive it, in a run whose steps have this tolerance.
  EventSearch(const SystemRates& rates, double tolerance);

  /// Whether the system has no events.
  bool empty() const { return event_count_ == 0; }
  /// The next step begins at (t, y).
  void begin_at(double t, const double* y);
  /// Events in the step from where the last one ended until a time.
  StepEvents find(const StateAt& state_at, double until);
  /// Events in a step that has no inside, from where the last one ended to (t, y).
  StepEvents find_over(double t, const double* y);
  /// What is to be said of events besides.
  std::vector<EventDoubt> list_doubts() const { return doubts_.list(); }

 private:
  struct Corner {
    double low, place, high;  // next to each other
  };
  struct Side {
    double place, value;  // of an event beside a corner
  };
  struct Zone {
    std::size_t function;
    double from, to;  // behind a corner at which it is zero
  };
  bool look(const StateAt& state_at, double t, std::vector<double>* values);
  std::vector<double> find_corners(const StateAt& state_at, double until);
  RootsFound find_roots(const StateAt& state_at, double until);
  bool find_at_corner(const StateAt& state_at, Corner corner, double until, RootsFound* found);
  void add_zero_corner(const StateAt& state_at, std::size_t i, Corner corner, double until,
                       double zero, RootsFound* found);
  Side leave_zero(const StateAt& state_at, std::size_t i, double place, double from,
                  double farthest, double zero);
  void note_sides(const StateAt& state_at, double until, const RootsFound& found);
  bool is_in_zone(std::size_t i, double place) const;
  void leave_out_zones(RootsFound* found) const;
  bool changes_corner(const std::vector<double>& now) const;
  StepEvents take(RootsFound found, double until);

  const SystemRates& rates_;
  std::size_t event_count_, corner_count_;
  RootFinder roots_, corners_;
  EventDoubts doubts_;
  double begin_ = 0.0, width_ = 0.0;  // of the step; times are found to the width
  std::vector<double> values_;        // of events, then of their corners, where the step begins
  std::vector<double>
      sides_;  // of each event where it is zero as the step begins: a value before; 0 if counted
  std::vector<Zone> zones_;
  std::vector<double> state_, low_, middle_, high_;  // scratch
};

}  // namespace visviva
