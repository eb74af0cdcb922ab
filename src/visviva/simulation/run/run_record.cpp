#include "visviva/simulation/run/run_record.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"

namespace visviva {

RunRecord::RunRecord(RunContext& context, const StepControl& control, Checkpoints* checkpoints)
    : context_(context),
      control_(control),
      checkpoints_(checkpoints),
      sampler_(context.rates, context.watch, context.options),
      state_(context.rates.size()),
      begin_state_(context.rates.size()) {
  if (checkpoints_ != nullptr) checkpoints_->states.clear();
}

void RunRecord::begin_step(const Stepper& stepper) {
  begin_time_ = stepper.time();
  std::copy_n(stepper.state(), begin_state_.size(), begin_state_.begin());
  begin_deviation_ = control_.last_deviation();
}

bool RunRecord::give_step(Stepper& stepper) {
  give_checkpoints(stepper);
  while (sampler_.next() <= stepper.time()) {
    find_state(stepper, sampler_.next());
    if (!sampler_.give_next(state_.data())) return false;
  }
  return true;
}

bool RunRecord::give_until(double t, const double* y) {
  while (sampler_.next() <= t) {
    if (!sampler_.give_next(y)) return false;
  }
  return true;
}

void RunRecord::give_checkpoints(Stepper& stepper) {
  if (checkpoints_ == nullptr) return;
  const double t = stepper.time();
  const double last = t + 16 * machine_epsilon * std::max(std::abs(t), context_.span);
  while (checkpoints_->next() <= last) {
    find_state(stepper, checkpoints_->next());
    checkpoints_->states.push_back(state_);
  }
}

// At a time in the last step, or at its end.
void RunRecord::find_state(Stepper& stepper, double time) {
  const double t = stepper.time(), h = stepper.last_step();
  if (time >= t - 2 * machine_epsilon * std::max(std::abs(t), context_.span))
    std::copy_n(stepper.state(), state_.size(), state_.begin());
  else
    interpolate(stepper, std::clamp((time - (t - h)) / h, 0.0, 1.0));
}

// Whether E_Z at state_ is as good as at the ends of the last step.
bool RunRecord::is_good(double t) const {
  const EnergyWatch& watch = context_.watch;
  const double allowed = control_.is_moderated() ? *context_.options.energy
                                                 : 4 * std::max(std::abs(begin_deviation_),
                                                                std::abs(control_.deviation())) +
                                                       100 * watch.noise();
  return std::abs(watch.compute_E_Z(t, state_.data()) - watch.start()) <= allowed;
}

// Values between steps are less accurate than those at their ends; where E_Z shows it, steps of their
// own that end there give them.
void RunRecord::interpolate(Stepper& stepper, double theta) {
  const double t = begin_time_ + theta * stepper.last_step();
  if (stepper.interpolate(theta, state_.data()) && is_good(t)) return;
  // Enough steps to be stable; an implicit method's own iteration would begin without a guess.
  const double least = std::clamp(std::ceil(theta * stepper.stiffness() / 2), 1.0, 1000.0);
  for (const int count : {1, 4, 16}) {
    if (!integrate_to(stepper, theta, count * static_cast<int>(least))) continue;
    context_.projection.project(t, state_.data());
    if (is_good(t)) return;
  }
}

// From the begin of the last step. False where that cannot be computed.
bool RunRecord::integrate_to(const Stepper& stepper, double theta, int steps) {
  if (!between_) between_ = make_stepper("verner98", context_.rates);
  const double h = theta * stepper.last_step() / steps;
  bool is_done = between_->restart(begin_time_, begin_state_.data());
  for (int k = 0; k < steps && is_done; ++k)
    is_done = between_->attempt(h, control_.tolerance()) && between_->accept();
  if (is_done) std::copy_n(between_->state(), state_.size(), state_.begin());
  return is_done;
}

}  // namespace visviva
