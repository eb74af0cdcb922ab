// What limits the lengths of steps besides their errors: times that they must not go over, places that
// short ones do not get over, surfaces that hold the motion, and failures one after the other.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "visviva/simulation/run/step_trial.h"

namespace visviva {

/// Times that steps must not go over: there the right-hand side is not smooth.
class Breakpoints {
 public:
  Breakpoints() = default;
  /// Keeps those of `times` that come after `from`.
  Breakpoints(std::vector<double> times, double from);
  /// The next time; infinite when there is none.
  double next() const {
    return next_ < times_.size() ? times_[next_] : std::numeric_limits<double>::infinity();
  }
  /// Times until t lie behind from now on.
  void pass(double t);

 private:
  std::vector<double> times_;  // in their order
  std::size_t next_ = 0;
};

/// The passage over singular configurations. Where the rank of the constraints drops, rounding alone
/// makes accelerations grow without bound, and the closer a step ends to that place the more. Short
/// steps never get over it, long ones do.
class SingularPassage {
 public:
  explicit SingularPassage(const CompiledSystem& system)
      : has_configuration_constraints_(system.position_count() > 0) {}
  /// A step of h was good.
  void note_good_step(double h);
  /// The step to try after so many failures in a row: h, or now and then one as long as good steps were.
  double choose_step(double h, int failures_in_a_row);

 private:
  bool has_configuration_constraints_;
  double good_step_ = 0.0;  // the last one
  std::size_t tries_ = 0;   // of long steps since then
};

/// Steps given up one after the other, with next to no motion between, because they end where branches of
/// the motion meet.
class BranchDoubts {
 public:
  explicit BranchDoubts(double span) : span_(span) {}
  void note(double t);
  /// Whether such a step was given up just before t.
  bool are_near(double t) const;
  bool are_endless() const;

 private:
  double span_;
  int count_ = 0;
  double last_ = -std::numeric_limits<double>::infinity();
};

/// Crossings of surfaces one after the other with next to no motion between, as with dry friction
/// that sticks.
class CrossingCount {
 public:
  explicit CrossingCount(double span) : span_(span) {}
  void note_crossing(double t);
  /// Whether the motion was on and off a surface just before t.
  bool is_sticking(double t) const;
  bool is_endless() const;

 private:
  double span_;
  int count_ = 0;
  double last_ = -std::numeric_limits<double>::infinity();
};

/// Steps that have become so short that the run would not end: each is good, and together they get
/// nowhere, as next to a place where coordinates become infinite.
class Crawl {
 public:
  /// A step of h was good; so much time is left.
  void note_good_step(double h, double left);
  bool is_endless() const;

 private:
  double longest_ = 0.0;  // good step
  int count_ = 0;         // of short ones in a row
};

/// Steps one after the other that could not be computed, each a tenth of the one before.
struct StepFailures {
  int count = 0;
  StepTrouble last = StepTrouble::none;
  bool are_too_many() const { return count > 20; }
};

}  // namespace visviva
