// RunSteps: the steps of one run, one at a time. A step is tried, judged, and then taken, rejected, or
// given up as failed; here is what each of these means for the run.
#pragma once

#include <optional>
#include <vector>

#include "visviva/simulation/run/ending.h"
#include "visviva/simulation/run/run_record.h"
#include "visviva/simulation/run/step_control.h"
#include "visviva/simulation/run/step_events.h"
#include "visviva/simulation/run/step_limits.h"
#include "visviva/simulation/run/step_trial.h"
#include "visviva/simulation/run/switch_sides.h"

namespace visviva {

class RunSteps {
 public:
  /// `facts` are those of the method that begins; `checkpoints` may be null. All but `facts` must
  /// outlive it.
  RunSteps(RunContext& context, const MethodFacts& facts, Checkpoints* checkpoints);

  /// Tries a step of h: propose() and measure(), unless something is to be looked at between them.
  MeasuredStep attempt(Stepper& stepper, double h);
  /// The method's own step of h, not yet projected. False where it cannot be computed.
  bool propose(Stepper& stepper, double h) {
    return trial.propose(stepper, h, control.tolerance());
  }
  MeasuredStep measure(const Stepper& stepper, double h) {
    return trial.measure(stepper, h, control.tolerance());
  }
  StepVerdict judge(const Stepper& stepper, const MeasuredStep& step);

  /// Takes the step just judged, up to the first event that stops. Nothing when it was taken and the
  /// run goes on after it; else what became of the run.
  std::optional<StepOutcome> take(Stepper& stepper, const MeasuredStep& step);
  /// A step that was tried and judged too long; the next one has the length h.
  void reject(double h);
  /// A step of h could not be computed: a shorter one is tried, or the run ends.
  StepOutcome fail(Stepper& stepper, double h, StepTrouble trouble);
  /// The run ends because steps of h are too short to go on, or because too many failed.
  Ending end_at_short_step(const Stepper& stepper, double h);
  /// The stepper has come to trial.end(), by a step in which these events were found.
  void arrive(const Stepper& stepper, const StepEvents& events);
  /// A projection has corrected so much.
  void note_drift(const ProjectionResult& drift);
  /// Tells the watcher of a step of h. Nothing when it wants to see more.
  std::optional<Ending> give_progress(const Stepper& stepper, double h) const;
  /// The motion stays on a surface and crosses it without end.
  Ending end_on_surface(const Stepper& stepper);

  void write(Trajectory* trajectory);

  // Parts that the run and its crossings of surfaces use themselves.
  StepControl control;
  StepTrial trial;
  SwitchSides sides;
  EventFinder events;
  RunRecord record;
  Breakpoints breakpoints;
  SingularPassage passage;
  BranchDoubts doubts;
  CrossingCount crossings;
  Crawl crawl;
  StepFailures failures;
  double next_h = 0.0;  ///< length of the next step
  std::size_t steps = 0, rejected = 0, restarts = 0;
  double position_drift = 0.0, velocity_drift = 0.0;  ///< the largest before a projection
  std::vector<ImpulseRecord> impulses;

 private:
  StepOutcome refuse_row(const Stepper& stepper);
  bool shorten(Stepper& stepper, double h);
  bool accept(Stepper& stepper, const StepEvents& found);
  reason::StepTooSmall describe_short_step(const Stepper& stepper, double h) const;
  RateTrouble find_rate_trouble(const Stepper& stepper, double h);

  RunContext& context_;
  std::vector<EventRecord> records_;  // of events so far
};

}  // namespace visviva
