#include "visviva/simulation/run/run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "visviva/base/rounding.h"
#include "visviva/simulation/run/first_step.h"

namespace visviva {
namespace {

constexpr int most_runs = 3;

}  // namespace

Trajectory run_by_steps(const CompiledSystem& system, const RunStart& start,
                        const RunOptions& options, Checkpoints* checkpoints) {
  RunContext context(system, start, options);
  MethodChoice methods(context);
  Lessons lessons;
  for (int k = 1;; ++k) {
    Run run(context, methods, checkpoints);
    std::optional<Ending> ending = run.go(lessons);
    if (!ending && k == most_runs) ending = run.end_where_stuck();
    if (ending) return run.write(std::move(*ending));
    lessons = run.lessons();
    lessons.theta *= 0.3;
    // Newton's iteration ends at rounding, which adds up in E_Z; explicit steps, if there are not too
    // many, may do better. What implicit ones taught does not hold for them.
    if (methods.try_without_implicit()) lessons = {};
  }
}

Run::Run(RunContext& context, MethodChoice& methods, Checkpoints* checkpoints)
    : context_(context),
      methods_(methods),
      steps_(context, methods.begin().facts(), checkpoints),
      crossing_(context, steps_) {}

std::optional<Ending> Run::go(const Lessons& lessons) {
  const RunOptions& options = context_.options;
  if (auto ending = begin()) return ending;
  if (options.energy) {
    if (auto ending = check_rounding_floor()) return ending;
    if (auto ending = check_integral()) return ending;
    steps_.control.moderate(*options.energy, context_.watch.noise(), context_.watch.slope(),
                            lessons);
  }
  steps_.next_h = choose_first_step(context_, methods_.stepper(), steps_.control.tolerance());
  if (!steps_.record.begin(options.from, first_row().data())) return stop_for(*options.watcher);

  const double tiny = 16 * machine_epsilon * std::max(std::abs(options.until), context_.span);
  while (methods_.stepper().time() < options.until - tiny) {
    const StepOutcome outcome = make_step();
    if (const Ending* ending = std::get_if<Ending>(&outcome)) return *ending;
    if (std::holds_alternative<Stuck>(outcome)) return {};
    if (steps_.control.is_moderated() && steps_.control.is_stuck()) return {};
    if (steps_.steps + steps_.rejected >= options.max_steps)
      return refuse(Refusal::too_many_steps,
                    reason::TooManySteps{options.max_steps, methods_.stepper().time()});
  }
  return Ending{};
}

// ---- The start

std::optional<Ending> Run::begin() {
  const double t = context_.options.from;
  Stepper& stepper = methods_.stepper();
  const auto end_without_rates = [&] {
    RateTrouble trouble = context_.rates.examine(stepper.time(), stepper.state());
    return refuse(Refusal::not_finite, reason::NoRates{t, true, std::move(trouble)});
  };
  std::vector<double> y = context_.start;
  if (!context_.projection.project(t, y.data()).is_done) {
    stepper.restart(t, y.data());  // the run ends there
    return refuse(Refusal::constraints_lost, reason::NoConsistentState{t, true});
  }
  if (context_.system.has_moving_constraints())
    context_.rates.set_dependent(
        context_.system.compute_energies(context_.rates.at(t, y.data()), context_.rates.prepared())
            .dependent);
  if (!stepper.restart(t, y.data())) return end_without_rates();
  start_ = y;
  steps_.sides.note(t, stepper.state());
  const std::vector<std::size_t> met = steps_.sides.list_unknown();
  began_on_surface_ = !met.empty();
  if (!crossing_.leave(stepper)) return end_without_rates();
  if (const auto corner = find_corner(met)) {
    stepper.restart(t, start_.data());  // the run ends there
    return refuse(Refusal::jump, reason::CornerMet{t, *corner});
  }
  if (!context_.watch.begin(stepper.time(), stepper.state()))
    return refuse(Refusal::not_finite, reason::EnergyNotFinite{t, true});

  y.assign(stepper.state(), stepper.state() + y.size());
  steps_.events.begin_at(t, y.data());
  std::vector<double> times = context_.system.knots(context_.options.until);
  const std::vector<double> switch_times = steps_.sides.find_times(y);
  times.insert(times.end(), switch_times.begin(), switch_times.end());
  steps_.breakpoints = Breakpoints(std::move(times), t);
  return {};
}

// The corner of a constraint on which the run began, with velocities that lead along neither of its sides. Where time has a
// corner at the start, velocities are those behind it.
std::optional<std::string> Run::find_corner(const std::vector<std::size_t>& met) const {
  constexpr double least_jump =
      1e-9;  // of 1 + |u|: no smooth constraint changes so much in no time
  const CompiledSystem& system = context_.system;
  for (const std::size_t i : met)
    if (system.switch_kinds()[i] == SwitchKind::of_time) return {};
  const Stepper& stepper = methods_.stepper();
  const double across = stepper.time() - context_.options.from;
  for (std::size_t i = system.configuration_count(); !met.empty() && i < start_.size(); ++i) {
    const double smooth =
        2 * across * std::abs(stepper.rates()[i]) + least_jump * (1 + std::abs(start_[i]));
    if (std::abs(stepper.state()[i] - start_[i]) > smooth)
      return system.switch_names()[met.front()];
  }
  return {};
}

// The start, but for what jumps there: a run that begins on a surface has left it by next to nothing.
std::vector<double> Run::first_row() const {
  constexpr double rounding = 1e-13;  // of 1 + |y|, as a projection leaves it
  const Stepper& stepper = methods_.stepper();
  const double across = stepper.time() - context_.options.from;
  std::vector<double> row(stepper.state(), stepper.state() + stepper.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double start = start_[i];
    const double smooth =
        2 * across * std::abs(stepper.rates()[i]) + rounding * (1 + std::abs(start));
    if (std::abs(row[i] - start) <= smooth) row[i] = start;
  }
  return row;
}

std::optional<Ending> Run::check_rounding_floor() const {
  const double tolerance = *context_.options.energy;
  const double smallest = context_.watch.smallest_tolerance();
  if (tolerance >= smallest) return {};
  return refuse(Refusal::below_rounding_floor,
                reason::BelowRoundingFloor{std::nullopt, tolerance, smallest});
}

// E_Z was proved constant when it was derived; this finds out whether the compiled numbers agree.
std::optional<Ending> Run::check_integral() {
  constexpr int states = 9;
  constexpr double allowed = 1e-4;  // of the sizes of the terms: differences are no better
  const double energy = *context_.options.energy;
  // Differences must not reach over a surface on which the run begins.
  const double end = std::min(steps_.breakpoints.next(), context_.options.until);
  const double from =
      began_on_surface_ ? 0.5 * (context_.options.from + end) : context_.options.from;
  int violations = 0, checked = 0;
  EnergyWatch::Balance worst;
  double u = 0.5;
  std::vector<double> y(context_.rates.size());
  for (int k = 0; k < states; ++k) {
    std::copy_n(methods_.stepper().state(), y.size(), y.begin());
    if (k > 0) {
      for (std::size_t i = 0; i < context_.system.state_count(); ++i) {
        u = std::fmod(u + 0.6180339887498949, 1.0);
        y[i] += 0.1 * (u - 0.5) * (1 + std::abs(y[i]));
      }
    }
    if ((k > 0 || began_on_surface_) && !context_.projection.project(from, y.data()).is_done)
      continue;
    const EnergyWatch::Balance b = context_.watch.compute_balance(from, y.data());
    if (!std::isfinite(b.rate) || !(b.size > 0)) continue;
    ++checked;
    // Small enough, or too small to matter over the whole run.
    if (std::abs(b.rate) <= allowed * b.size || std::abs(b.rate) * context_.span <= energy)
      continue;
    ++violations;
    if (std::abs(b.rate) > std::abs(worst.rate)) worst = b;
  }
  if (2 * violations <= checked) return {};
  return refuse(Refusal::not_an_integral, reason::NotAnIntegral{worst.rate, worst.size});
}

// ---- One step

StepOutcome Run::make_step() {
  Stepper& stepper = methods_.stepper();
  const double t = stepper.time(), h = limit_step();
  if (h < 16 * machine_epsilon * std::max(std::abs(t), 1e-3 * context_.span)) {
    if (steps_.control.is_moderated() && steps_.control.is_held_by_gate()) return Stuck{};
    return end_at_short_step(h);
  }
  if (!steps_.propose(stepper, h)) return steps_.fail(stepper, h, StepTrouble::not_finite);
  if (const auto crossing = steps_.sides.find_crossing(stepper, h, steps_.trial.end()))
    return crossing_.cross(stepper, *crossing);
  const MeasuredStep step = steps_.measure(stepper, h);
  if (step.trouble != StepTrouble::none) return steps_.fail(stepper, h, step.trouble);
  steps_.failures = {};
  const StepVerdict verdict = steps_.judge(stepper, step);
  if (!verdict.is_taken) {
    steps_.reject(steps_.passage.choose_step(verdict.h, steps_.control.failures_in_a_row()));
    return GoesOn{};
  }
  steps_.passage.note_good_step(h);
  steps_.crawl.note_good_step(h, context_.options.until - t);
  steps_.note_drift(step.drift);
  if (auto outcome = steps_.take(stepper, step)) return *outcome;
  // A step cut short says little.
  steps_.next_h = h < steps_.next_h ? std::max(steps_.next_h, verdict.h) : verdict.h;
  watch_partition();
  watch_stiffness();
  if (steps_.crawl.is_endless()) return end_at_short_step(h);
  if (auto ending = steps_.give_progress(methods_.stepper(), h)) return *ending;
  return GoesOn{};
}

// Steps that are short because E_Z wants them so say nothing of the motion.
StepOutcome Run::end_at_short_step(double h) {
  if (steps_.control.is_held_by_rounding()) return Stuck{};
  return steps_.end_at_short_step(methods_.stepper(), h);
}

double Run::limit_step() const {
  const double t = methods_.stepper().time();
  const double room = std::min(context_.options.until - t, steps_.breakpoints.next() - t);
  const double h = std::min(steps_.next_h, context_.options.max_step);
  if (h >= room) return room;
  return h > 0.5 * room ? 0.5 * room : h;  // no tiny last step
}

// Other speeds become dependent where those that are have become a bad choice.
void Run::watch_partition() {
  Stepper& stepper = methods_.stepper();
  const double t = stepper.time();
  if (!context_.system.has_moving_constraints() || !context_.watch.wants_other(t, stepper.state()))
    return;
  std::vector<double> y(stepper.state(), stepper.state() + stepper.size());
  const auto best =
      context_.system.choose_dependent(context_.rates.at(t, y.data()), context_.rates.prepared());
  if (best == context_.rates.dependent()) return;
  context_.watch.rebase(t, y.data(), best);
  stepper.restart(t, y.data());
  ++steps_.restarts;
}

void Run::watch_stiffness() {
  if (!methods_.reconsider()) return;
  const MethodFacts& facts = methods_.stepper().facts();
  steps_.control.change_method(facts.order, facts.error_order);
  steps_.next_h = std::min(steps_.next_h, methods_.longest_step());
}

// ---- The end

Ending Run::end_where_stuck() {
  const double t = methods_.stepper().time(), tolerance = *context_.options.energy;
  const double smallest = context_.watch.smallest_tolerance();
  if (tolerance < smallest)
    return refuse(Refusal::below_rounding_floor,
                  reason::BelowRoundingFloor{t, tolerance, smallest});
  const std::optional<double> order = observe_order();
  return refuse(order ? Refusal::budget_exhausted : Refusal::below_rounding_floor,
                reason::EnergyNotHeld{t, steps_.control.deviation(), tolerance, order});
}

// How the defect of a step changes when it is halved: 2^(order + 1) times less where steps are merely
// too long, 2 times where dE_Z/dt is not zero or a force jumps. Nothing where it is down to rounding.
std::optional<double> Run::observe_order() {
  Stepper& stepper = methods_.stepper();
  const double t = stepper.time();
  double h = std::min(context_.options.until - t, std::max(steps_.next_h, 1e-6 * context_.span));
  double last = 0.0;
  for (int k = 0; k < 12; ++k, h *= 0.5) {
    if (!steps_.propose(stepper, h)) continue;
    steps_.trial.project(t + h);
    const double change =
        std::abs(steps_.trial.compute_deviation(t + h) - steps_.control.deviation());
    if (!std::isfinite(change)) continue;
    if (change < 20 * context_.watch.noise()) break;
    if (last > 0 && k >= 4) {
      const double order = std::log2(last / change);
      return std::isfinite(order) ? std::optional(order) : std::nullopt;
    }
    last = change;
  }
  return {};
}

Trajectory Run::write(Ending ending) {
  const Stepper& stepper = methods_.stepper();
  // Rounding of the sum of all steps is no part of the time that was asked for.
  const double t = ending.is_at_end() ? context_.options.until : stepper.time();
  if (steps_.steps > 0 && ending.refusal != Refusal::interrupted)
    steps_.record.finish(t, stepper.state());
  Trajectory r;
  r.status = ending.status;
  r.refusal = ending.refusal;
  r.reason = std::move(ending.reason);
  r.t_start = context_.options.from;
  r.t_end = t;
  r.start_state = context_.start;
  for (std::size_t i = 0; i < context_.rates.size(); ++i)
    r.state_names.push_back(context_.rates.name(i));
  r.end_state.assign(stepper.state(), stepper.state() + stepper.size());
  r.end_rates.assign(stepper.rates(), stepper.rates() + stepper.size());
  steps_.write(&r);
  context_.watch.write(&r);
  r.certificate.tolerance = context_.options.energy;
  r.certificate.is_moderated = context_.options.energy.has_value();
  r.evaluations = methods_.evaluations();
  r.method = methods_.names();
  return r;
}

}  // namespace visviva
