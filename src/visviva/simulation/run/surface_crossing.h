// SurfaceCrossing: how a run gets over a surface at which forces switch.
//
// Steps that end before the surface see a smooth motion. The longest of them is found by bisection and
// taken, then one over the surface, as short as numbers allow, and the method begins anew behind it.
#pragma once

#include <memory>
#include <optional>

#include "visviva/simulation/run/run_steps.h"
#include "visviva/simulation/run/velocity_jump.h"

namespace visviva {

class SurfaceCrossing {
 public:
  /// A crossing for a run whose context and steps outlive it.
  SurfaceCrossing(RunContext& context, RunSteps& steps)
      : context_(context), steps_(steps), jump_(context) {}

  /// A run that begins on a surface leaves it by Euler's rule, by as little as numbers allow: there the
  /// rates are those of neither side. False where rates cannot be computed.
  bool leave(Stepper& stepper);
  /// Crosses the surface that the step of h, just proposed, would go over. An explicit method does it:
  /// the iteration of an implicit one looks at both sides.
  StepOutcome cross(Stepper& stepper, double h);

 private:
  /// Lengths of steps before and behind the surface, `width` or less apart.
  struct Bracket {
    double before = 0.0, behind = 0.0, width = 0.0;
    std::optional<StepOutcome> failed{};  ///< they were not found, and this became of the run
  };
  StepOutcome cross_explicitly(Stepper& stepper, double h);
  Bracket bisect(Stepper& stepper, double h);
  std::optional<StepOutcome> step_before(Stepper& stepper, double h);
  StepOutcome step_over(Stepper& stepper, const Bracket& bracket, double h);
  JumpFound jump_over(const Stepper& stepper, double t);

  RunContext& context_;
  RunSteps& steps_;
  VelocityJump jump_;
  std::unique_ptr<Stepper> explicit_;  // where the run's own method is implicit
};

}  // namespace visviva
