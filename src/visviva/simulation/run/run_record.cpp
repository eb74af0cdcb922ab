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
      begin_state_(context.rates.size()),
      between_(context) {
  if (checkpoints_ != nullptr) checkpoints_->states.clear();
}

void RunRecord::begin_step(const Stepper& stepper) {
  begin_time_ = stepper.time();
  std::copy_n(stepper.state(), begin_state_.size(), begin_state_.begin());
  begin_deviation_ = control_.last_deviation();
}

RowsGiven RunRecord::give_step(Stepper& stepper) {
  if (!give_checkpoints(stepper)) return RowsGiven::not_good;
  while (sampler_.next() <= stepper.time()) {
    const double t = sampler_.next();
    if (!find_state(stepper, t)) return RowsGiven::not_good;
    if (!sampler_.give_next(state_.data())) return RowsGiven::unwanted;
    context_.watch.note_row(t,
                            context_.watch.compute_E_Z(t, state_.data()) - context_.watch.start());
  }
  return RowsGiven::all;
}

bool RunRecord::give_until(double t, const double* y) {
  while (sampler_.next() <= t) {
    if (!sampler_.give_next(y)) return false;
  }
  return true;
}

bool RunRecord::give_checkpoints(Stepper& stepper) {
  if (checkpoints_ == nullptr) return true;
  const double t = stepper.time();
  const double last = t + 16 * machine_epsilon * std::max(std::abs(t), context_.span);
  while (checkpoints_->next() <= last) {
    if (!find_state(stepper, checkpoints_->next())) return false;
    checkpoints_->states.push_back(state_);
  }
  return true;
}

void RunRecord::refine(Stepper& stepper, EventRecord* event) {
  if (find_state(stepper, std::min(event->time, stepper.time()))) event->state = state_;
}

void RunRecord::write(Trajectory* trajectory) {
  for (EventRecord& e : trajectory->events)
    if (e.state.size() == state_.size()) e.row = sampler_.make_row(e.time, e.state.data());
  sampler_.write(trajectory);
}

// At a time in the last step, or at its end. False where no state is good enough.
bool RunRecord::find_state(Stepper& stepper, double time) {
  const double t = stepper.time();
  if (time >= t - 2 * machine_epsilon * std::max(std::abs(t), context_.span)) {
    std::copy_n(stepper.state(), state_.size(), state_.begin());
    return true;
  }
  bad_time_ = time;
  return find_between(stepper, std::max(time, begin_time_));
}

double RunRecord::allowed_deviation() const {
  if (control_.is_moderated()) return *context_.options.energy;
  const double at_ends = std::max(std::abs(begin_deviation_), std::abs(control_.deviation()));
  return at_ends + context_.watch.explain(control_.tolerance());
}

// Whether E_Z at state_ is as good as at the ends of the last step.
bool RunRecord::is_good(double t) const {
  const EnergyWatch& watch = context_.watch;
  const double deviation = std::abs(watch.compute_E_Z(t, state_.data()) - watch.start());
  return deviation <= allowed_deviation();
}

// state_ is brought onto the constraints. False where they are farther away than a dense output's error.
bool RunRecord::project(double t) {
  constexpr double farthest_row = 1e-5;  // relative to 1 + |y|
  if (!context_.projection.is_needed()) return true;
  const std::vector<double> before = state_;
  if (!context_.projection.project(t, state_.data()).is_done) return false;
  for (std::size_t i = 0; i < state_.size(); ++i)
    if (!(std::abs(state_[i] - before[i]) <= farthest_row * (1 + std::abs(before[i]))))
      return false;
  return true;
}

// Values between steps are less accurate than those at their ends; where E_Z or the constraints show it,
// steps of their own that end there give them.
bool RunRecord::find_between(Stepper& stepper, double t) {
  const double h = stepper.last_step();
  const double theta = std::clamp((t - begin_time_) / h, 0.0, 1.0);
  if (stepper.interpolate(theta, state_.data()) && project(t) && is_good(t)) return true;
  return take_steps(stepper, t);
}

// From the begin of the step, or back from its end: a place that steps do not get over may lie on one
// side only. Explicit steps are the better ones where there need not be too many.
bool RunRecord::take_steps(const Stepper& stepper, double t) {
  constexpr double most_stiffness = 500;
  const StepsBetween::Demands demands{control_.tolerance(), allowed_deviation()};
  const bool is_stiff = stepper.facts().is_implicit;
  const auto reach = [&](const char* method, bool is_back) {
    return is_back ? between_.reach(stepper.time(), stepper.state(), t, demands, method)
                   : between_.reach(begin_time_, begin_state_.data(), t, demands, method);
  };
  const double* found = nullptr;
  if (!is_stiff || stepper.stiffness() < most_stiffness) found = reach("verner98", false);
  if (found == nullptr) found = reach(is_stiff ? "radau5" : "verner98", !is_stiff);
  if (found != nullptr) std::copy_n(found, state_.size(), state_.begin());
  // The steps between were asked for their E_Z; the run's own comes last.
  context_.watch.compute_deviation(stepper.time(), stepper.state());
  return found != nullptr;
}

}  // namespace visviva
