// StepTrial: one step tried from where a stepper stands. It is proposed, brought back onto the
// constraints and measured; whoever asked for it decides whether it is taken.
#pragma once

#include <vector>

#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/run/run_context.h"

namespace visviva {

/// Why a step could not be computed.
enum class StepTrouble { none, not_finite, constraints_lost, projected_too_far, branches_meet };

/// A step that was tried, and what it is worth.
struct MeasuredStep {
  double h = 0.0;
  StepTrouble trouble = StepTrouble::none;  ///< unless none, the rest has no meaning
  ProjectionResult drift{};                 ///< how far the proposal was off the constraints
  double deviation = 0.0;                   ///< E_Z - E_Z(start) at its end
  double error = 0.0;                       ///< local, relative to 1 + |y|
};

class StepTrial {
 public:
  /// `context` must outlive it.
  explicit StepTrial(RunContext& context);

  /// The method's own proposal for a step of h becomes end(). False where it cannot be computed.
  bool propose(Stepper& stepper, double h, double tolerance);
  /// Euler's rule gives end() instead.
  void propose_by_euler(const Stepper& stepper, double h);
  /// Brings end(), a state at t, back onto the constraints.
  ProjectionResult project(double t) { return context_.projection.project(t, end_.data()); }
  /// E_Z - E_Z(start) of end(), a state at t.
  double compute_deviation(double t) { return context_.watch.compute_deviation(t, end_.data()); }

  /// A state reached in another way becomes end().
  void set_end(const std::vector<double>& y) { end_ = y; }

  /// Projects and measures what propose() gave.
  MeasuredStep measure(const Stepper& stepper, double h, double tolerance);
  /// The stepper takes the step that was proposed last, as projected. False where the rates cannot be
  /// computed at its end.
  bool accept(Stepper& stepper) const;

  /// The state at the end of the step.
  const std::vector<double>& end() const { return end_; }
  /// The state that the last projection which went too far moved most, and how.
  const reason::ProjectedTooFar& far_move() const { return far_move_; }

 private:
  double measure_error(const Stepper& stepper, const double* error) const;
  double measure_projected_error(const Stepper& stepper, double t, double tolerance);
  bool is_near(const Stepper& stepper, double t, double tolerance);

  RunContext& context_;
  std::vector<double> end_, error_;
  reason::ProjectedTooFar far_move_{};
};

}  // namespace visviva
