// Run: one integration by a one-step method, from start to end or to a refusal.
#pragma once

#include <optional>

#include "visviva/simulation/run/checkpoints.h"
#include "visviva/simulation/run/ending.h"
#include "visviva/simulation/run/method_choice.h"
#include "visviva/simulation/run/run_context.h"
#include "visviva/simulation/run/run_steps.h"
#include "visviva/simulation/run/surface_crossing.h"

namespace visviva {

class Run {
 public:
  /// `checkpoints` may be null. All must outlive it.
  Run(RunContext& context, MethodChoice& methods, Checkpoints* checkpoints);

  /// Goes from start to end. Nothing when no steps were found that keep E_Z within its tolerance.
  std::optional<Ending> go(const Lessons& lessons);
  /// The lessons of the run about the tolerance of the local error.
  Lessons lessons() const { return steps_.control.lessons(); }
  /// The ending of a run that found no such steps, with what keeps it from going on.
  Ending end_where_stuck();
  /// The trajectory of a run that ended so.
  Trajectory write(Ending ending);

 private:
  std::optional<Ending> begin();
  std::optional<std::string> find_corner(const std::vector<std::size_t>& met) const;
  std::vector<double> first_row() const;
  std::optional<Ending> check_rounding_floor() const;
  std::optional<Ending> check_integral();
  StepOutcome make_step();
  StepOutcome end_at_short_step(double h);
  double limit_step() const;
  void watch_partition();
  void watch_stiffness();
  std::optional<double> observe_order();

  RunContext& context_;
  MethodChoice& methods_;
  RunSteps steps_;
  SurfaceCrossing crossing_;
  bool began_on_surface_ = false;
  std::vector<double> start_;  // on the constraints
};

/// Runs by "auto" or one of list_methods(); `options.energy` is in joules. It begins anew, with what was
/// learned, when the tolerance in joules could not be held. `checkpoints` may be null.
Trajectory run_by_steps(const CompiledSystem& system, const RunStart& start,
                        const RunOptions& options, Checkpoints* checkpoints = nullptr);

}  // namespace visviva
