#include "visviva/simulation/run/run_steps.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/rounding.h"

namespace visviva {
namespace {

constexpr std::size_t noise_interval = 256;  // steps

}  // namespace

RunSteps::RunSteps(RunContext& context, const MethodFacts& facts, Checkpoints* checkpoints)
    : control(facts.order, facts.error_order, largest_tolerance(context.options)),
      trial(context),
      sides(context),
      events(context),
      record(context, control, checkpoints),
      passage(context.system),
      doubts(context.span),
      crossings(context.span),
      context_(context) {}

MeasuredStep RunSteps::attempt(Stepper& stepper, double h) {
  if (!propose(stepper, h)) return {.h = h, .trouble = StepTrouble::not_finite};
  return measure(stepper, h);
}

StepVerdict RunSteps::judge(const Stepper& stepper, const MeasuredStep& step) {
  const double done = (stepper.time() + step.h - context_.options.from) / context_.span;
  return control.judge(step.h, step.error, step.deviation, done);
}

// ---- A step is taken

std::optional<StepOutcome> RunSteps::take(Stepper& stepper, const MeasuredStep& step) {
  const StepEvents found = events.find(stepper, step.h, trial.end());
  const bool is_cut = found.stop && found.h < step.h;
  const std::size_t before = records_.size();
  if ((is_cut && !shorten(stepper, found.h)) || !accept(stepper, found))
    return fail(stepper, step.h, StepTrouble::not_finite);
  for (std::size_t i = before; i < records_.size(); ++i) record.refine(stepper, &records_[i]);
  switch (record.give_step(stepper)) {
    case RowsGiven::all:
      break;
    case RowsGiven::unwanted:
      return stop_for(*context_.options.watcher);
    case RowsGiven::not_good:
      return refuse_row(stepper);
  }
  if (found.stop) return stop_at_event(*found.stop);
  return {};
}

// Between two steps nothing is good enough: the tolerance is below rounding there, or the mechanism
// is next to a singular configuration.
StepOutcome RunSteps::refuse_row(const Stepper& stepper) {
  const double t = stepper.time();
  context_.watch.estimate_noise(t, stepper.state());
  const double smallest = context_.watch.smallest_tolerance();
  const std::optional<double>& tolerance = context_.options.energy;
  if (tolerance && *tolerance < smallest)
    return refuse(Refusal::below_rounding_floor,
                  reason::BelowRoundingFloor{t, *tolerance, smallest});
  return refuse(Refusal::budget_exhausted, reason::NoGoodRow{record.bad_time()});
}

// The step ends at h. False where that cannot be computed.
bool RunSteps::shorten(Stepper& stepper, double h) {
  const double t = stepper.time();
  if (!trial.propose(stepper, h, control.tolerance())) return false;
  const ProjectionResult drift = trial.project(t + h);
  if (!drift.is_done) return false;
  note_drift(drift);
  const double deviation = trial.compute_deviation(t + h);
  return std::isfinite(deviation) &&
         (!control.is_moderated() || std::abs(deviation) <= *context_.options.energy);
}

bool RunSteps::accept(Stepper& stepper, const StepEvents& found) {
  record.begin_step(stepper);
  if (!trial.accept(stepper)) return false;
  arrive(stepper, found);
  const double t = stepper.time();
  breakpoints.pass(t + 16 * machine_epsilon * std::max(std::abs(t), context_.span));
  if (steps % noise_interval == 0) {
    context_.watch.estimate_noise(t, trial.end().data());
    control.set_noise(context_.watch.noise());
  }
  return true;
}

void RunSteps::arrive(const Stepper& stepper, const StepEvents& found) {
  const double t = stepper.time();
  context_.watch.take(t);
  context_.watch.judge_change(t, stepper.state(), control.tolerance());
  ++steps;
  sides.note(t, stepper.state());
  for (EventRecord& e : events.list_until(t, found)) {
    if (e.state.empty()) e.state.assign(stepper.state(), stepper.state() + context_.rates.size());
    records_.push_back(std::move(e));
  }
  events.begin_at(t, stepper.state());
}

void RunSteps::note_drift(const ProjectionResult& drift) {
  position_drift = std::max(position_drift, drift.position_drift);
  velocity_drift = std::max(velocity_drift, drift.velocity_drift);
}

std::optional<Ending> RunSteps::give_progress(const Stepper& stepper, double h) const {
  RunWatcher* const watcher = context_.options.watcher;
  const Progress progress{stepper.time(), context_.options.until, h,
                          context_.watch.last_deviation(), steps};
  if (watcher == nullptr || watcher->take_progress(progress)) return {};
  return stop_for(*watcher);
}

// ---- A step is not taken

void RunSteps::reject(double h) {
  ++rejected;
  next_h = h;
}

StepOutcome RunSteps::fail(Stepper& stepper, double h, StepTrouble trouble) {
  reject(control.fail(h).h);
  next_h = passage.choose_step(next_h, control.failures_in_a_row());
  failures = {.count = failures.count + 1, .last = trouble};
  if (trouble == StepTrouble::branches_meet) doubts.note(stepper.time());
  if (failures.are_too_many() || doubts.are_endless()) return end_at_short_step(stepper, h);
  return GoesOn{};
}

Ending RunSteps::end_at_short_step(const Stepper& stepper, double h) {
  const double t = stepper.time();
  if (doubts.are_near(t)) return refuse(Refusal::constraints_lost, reason::BranchesMeet{t});
  if (failures.last == StepTrouble::projected_too_far)
    return refuse(Refusal::constraints_lost, trial.far_move());
  if (failures.last == StepTrouble::constraints_lost)
    return refuse(Refusal::constraints_lost, reason::NoConsistentState{t, false});
  if (crossings.is_sticking(t)) return end_on_surface(stepper);
  RateTrouble trouble = find_rate_trouble(stepper, h);
  if (trouble.kind != RateTrouble::Kind::none || failures.are_too_many())
    return refuse(Refusal::not_finite, reason::NoRates{t, false, std::move(trouble)});
  return refuse(Refusal::step_too_small, describe_short_step(stepper, h));
}

reason::StepTooSmall RunSteps::describe_short_step(const Stepper& stepper, double h) const {
  const auto haste = [&](std::size_t i) {
    return std::abs(stepper.rates()[i]) / (1 + std::abs(stepper.state()[i]));
  };
  std::size_t fastest = 0;
  for (std::size_t i = 0; i < context_.system.state_count(); ++i) {
    if (haste(i) > haste(fastest)) fastest = i;
  }
  return {stepper.time(), h, context_.rates.name(fastest), stepper.state()[fastest],
          stepper.rates()[fastest]};
}

Ending RunSteps::end_on_surface(const Stepper& stepper) {
  const double t = stepper.time();
  return refuse(Refusal::step_too_small,
                reason::SticksOnSurface{t, sides.name_nearest(t, stepper.state())});
}

// Along the motion, not only where the last step began: the trouble may lie ahead.
RateTrouble RunSteps::find_rate_trouble(const Stepper& stepper, double h) {
  for (const double s : {0.0, 1.0, 1e1, 1e2, 1e4, 1e6, 1e8}) {
    trial.propose_by_euler(stepper, s * h);
    RateTrouble found = context_.rates.examine(stepper.time() + s * h, trial.end().data());
    if (found.kind != RateTrouble::Kind::none) return found;
  }
  return {};
}

void RunSteps::write(Trajectory* trajectory) {
  trajectory->steps = steps;
  trajectory->rejected = rejected;
  trajectory->restarts = restarts;
  trajectory->events = std::move(records_);
  trajectory->event_doubts = events.list_doubts();
  trajectory->impulses = std::move(impulses);
  trajectory->certificate.position_drift = position_drift;
  trajectory->certificate.velocity_drift = velocity_drift;
  trajectory->smallest_tolerance = control.smallest_tolerance();
  trajectory->largest_tolerance = control.largest_tolerance();
  record.write(trajectory);
}

}  // namespace visviva
