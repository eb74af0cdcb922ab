// RunRecord: what is kept of the steps of a run: rows at equal distances in time, for the trajectory and
// its watcher, and checkpoints.
#pragma once

#include <memory>
#include <vector>

#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/run/checkpoints.h"
#include "visviva/simulation/run/run_context.h"
#include "visviva/simulation/run/sampler.h"
#include "visviva/simulation/run/step_control.h"
#include "visviva/simulation/run/steps_between.h"

namespace visviva {

/// What became of the rows that were due in a step.
enum class RowsGiven {
  all,
  unwanted,  ///< the watcher wants no more
  not_good   ///< at bad_time() no state was found that is as good as the steps
};

class RunRecord {
 public:
  /// `checkpoints` may be null. All must outlive it.
  RunRecord(RunContext& context, const StepControl& control, Checkpoints* checkpoints);

  /// Gives the first row. False when the watcher wants no more.
  bool begin(double t, const double* y) { return sampler_.begin(t, y); }
  /// The step that was judged last is about to be taken from where the stepper stands.
  void begin_step(const Stepper& stepper);
  /// Gives what is due in the step just taken.
  RowsGiven give_step(Stepper& stepper);
  /// The time of the row that was not good.
  double bad_time() const { return bad_time_; }
  /// Gives the rows that are due until t, in a step that has no inside: all have the state y.
  bool give_until(double t, const double* y);
  /// Gives the last row, unless it is there already.
  void finish(double t, const double* y) { sampler_.finish(t, y); }

  /// The state of an event in the step just taken, as good as that of a row where one is found.
  void refine(Stepper& stepper, EventRecord* event);
  /// The rows of events, and all that was kept.
  void write(Trajectory* trajectory);

 private:
  bool give_checkpoints(Stepper& stepper);
  bool find_state(Stepper& stepper, double t);
  bool find_between(Stepper& stepper, double t);
  bool project(double t);
  bool take_steps(const Stepper& stepper, double t);
  bool is_good(double t) const;
  double allowed_deviation() const;

  RunContext& context_;
  const StepControl& control_;
  Checkpoints* checkpoints_;
  Sampler sampler_;
  std::vector<double> state_;     // found by find_state()
  double begin_time_ = 0.0;       // where the last step began
  double begin_deviation_ = 0.0;  // and E_Z - E_Z(start) there
  std::vector<double> begin_state_;
  StepsBetween between_;
  double bad_time_ = 0.0;
};

}  // namespace visviva
