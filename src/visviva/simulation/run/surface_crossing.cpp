#include "visviva/simulation/run/surface_crossing.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"
#include "visviva/simulation/run/first_step.h"

namespace visviva {

bool SurfaceCrossing::leave(Stepper& stepper) {
  if (steps_.sides.list_unknown().empty()) return true;
  const double t = stepper.time();
  const double narrow = 8 * machine_epsilon * std::max(std::abs(t), 1e-3 * context_.span);
  steps_.trial.propose_by_euler(stepper, narrow);
  // A constraint that moves may do so from now on: start values are those just after the start.
  if (!steps_.trial.project(t + narrow).is_done) return false;
  if (!stepper.restart(t + narrow, steps_.trial.end().data())) return false;
  steps_.sides.note(stepper.time(), stepper.state());
  return true;
}

StepOutcome SurfaceCrossing::cross(Stepper& stepper, double h) {
  if (!stepper.facts().is_implicit) return cross_explicitly(stepper, h);
  if (!explicit_) explicit_ = make_stepper("verner98", context_.rates);
  if (!explicit_->restart(stepper.time(), stepper.state()))
    return steps_.fail(stepper, h, StepTrouble::not_finite);
  StepOutcome outcome = cross_explicitly(*explicit_, h);
  if (explicit_->time() != stepper.time()) stepper.restart(explicit_->time(), explicit_->state());
  return outcome;
}

StepOutcome SurfaceCrossing::cross_explicitly(Stepper& stepper, double h) {
  Bracket bracket = bisect(stepper, h);
  if (bracket.failed) return *bracket.failed;
  // A surface that time alone crosses is not to be reached before it is crossed, whatever is rounded.
  if (steps_.sides.are_left(stepper.time() + bracket.behind, stepper.state()))
    bracket.before = std::max(bracket.before - 2 * bracket.width, 0.0);
  if (bracket.before > 0.0) {
    if (const auto outcome = step_before(stepper, bracket.before)) return *outcome;
  }
  return step_over(stepper, bracket, h);
}

SurfaceCrossing::Bracket SurfaceCrossing::bisect(Stepper& stepper, double h) {
  const double t = stepper.time();
  Bracket b{.behind = h,
            .width = 8 * machine_epsilon *
                     std::max({std::abs(t), std::abs(t + h), 1e-3 * context_.span})};
  while (b.behind - b.before > b.width) {
    double middle = 0.5 * (b.before + b.behind);
    if (b.before == 0.0 && b.behind > 64 * b.width) middle = std::max(0.1 * b.behind, b.width);
    if (middle <= b.before || middle >= b.behind) middle = 0.5 * (b.before + b.behind);
    if (!stepper.attempt(middle, steps_.control.tolerance())) {
      b.failed = steps_.fail(stepper, middle, StepTrouble::not_finite);
      break;
    }
    (steps_.sides.are_left(t + middle, stepper.proposed()) ? b.behind : b.before) = middle;
  }
  return b;
}

// Judged like any other step, and shorter where its error is too large. Nothing when it was taken.
std::optional<StepOutcome> SurfaceCrossing::step_before(Stepper& stepper, double h) {
  const MeasuredStep step = steps_.attempt(stepper, h);
  if (step.trouble != StepTrouble::none) return steps_.fail(stepper, h, step.trouble);
  const StepVerdict verdict = steps_.judge(stepper, step);
  if (verdict.is_taken) {
    steps_.note_drift(step.drift);
    return steps_.take(stepper, step);
  }
  steps_.reject(verdict.h);
  return GoesOn{};
}

// Velocities that jump there do so, in trial.end().
JumpFound SurfaceCrossing::jump_over(const Stepper& stepper, double t) {
  std::vector<double> end = steps_.trial.end();
  JumpFound found =
      jump_.cross(stepper.time(), stepper.state(), t, &end, steps_.sides.list_left(t, end.data()));
  if (found.impulse) steps_.trial.set_end(end);
  return found;
}

// By Euler's rule: no method is at home on both sides, and the step has next to no length.
StepOutcome SurfaceCrossing::step_over(Stepper& stepper, const Bracket& bracket, double h) {
  steps_.crossings.note_crossing(stepper.time());
  const double across = bracket.behind - bracket.before + 4 * bracket.width;
  const double t = stepper.time() + across;
  steps_.trial.propose_by_euler(stepper, across);
  JumpFound jump = jump_over(stepper, t);
  if (jump.refusal) return refuse(Refusal::jump, std::move(*jump.refusal));
  const ProjectionResult drift = steps_.trial.project(t);
  if (!drift.is_done) return steps_.fail(stepper, across, StepTrouble::constraints_lost);
  steps_.note_drift(drift);
  const double deviation = steps_.trial.compute_deviation(t);
  if (!std::isfinite(deviation) ||
      (steps_.control.is_moderated() && !(std::abs(deviation) <= *context_.options.energy))) {
    steps_.next_h = steps_.control.fail(h).h;
    return GoesOn{};
  }
  const std::vector<double>& end = steps_.trial.end();
  const StepEvents events = steps_.events.find_between(t, end);
  if (!stepper.restart(t, end.data())) return steps_.fail(stepper, across, StepTrouble::not_finite);
  ++steps_.restarts;
  steps_.breakpoints.pass(t + 64 * machine_epsilon * std::max(std::abs(t), context_.span));
  steps_.arrive(stepper, events);
  if (jump.impulse) steps_.impulses.push_back(std::move(*jump.impulse));
  if (!steps_.record.give_until(t, end.data())) return stop_for(*context_.options.watcher);
  if (events.stop) return stop_at_event(*events.stop);
  // Long enough not to be taken for a step that became too short.
  const double first = choose_first_step(context_, stepper, steps_.control.tolerance());
  steps_.next_h = std::max(std::min(0.1 * h, first), 4 * bracket.width);
  if (steps_.crossings.is_endless()) return steps_.end_on_surface(stepper);
  if (auto ending = steps_.give_progress(stepper, across)) return *ending;
  return GoesOn{};
}

}  // namespace visviva
