#include "visviva/simulation/run/outside_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/base/rounding.h"
#include "visviva/simulation/integrators/sundials_runner.h"
#include "visviva/simulation/integrators/system_momenta.h"
#include "visviva/simulation/integrators/variational.h"
#include "visviva/simulation/run/ending.h"
#include "visviva/simulation/run/energy_watch.h"
#include "visviva/simulation/run/event_search.h"
#include "visviva/simulation/run/projection.h"
#include "visviva/simulation/run/quiet_watcher.h"
#include "visviva/simulation/run/sampler.h"
#include "visviva/simulation/run/system_rates.h"

namespace visviva {
namespace {

constexpr double smallest_outside_tolerance = 1e-15;
constexpr double outside_factor = 100;  // errors of multistep methods beside their estimates
constexpr double unknown_tolerance =
    1e-6;  // of methods without an estimate, where events are looked for
constexpr double default_steps = 1000;

// The method cannot be used here.
Trajectory refuse_method(RunReason reason, const RunOptions& options) {
  Trajectory t;
  t.status = RunStatus::refused;
  t.refusal = Refusal::bad_request;
  t.reason = std::move(reason);
  t.method = options.method;
  return t;
}

// Follows a runner (SundialsRunner, VariationalRunner) from start to end.
template <class Runner>
class Following {
 public:
  /// `tolerance` of the local error of each step; zero for methods that have none.
  Following(SystemRates& rates, const RunOptions& options, Checkpoints* checkpoints,
            double tolerance)
      : rates_(rates),
        options_(options),
        tolerance_(outside_factor * tolerance),
        checkpoints_(checkpoints),
        watch_(rates),
        projection_(rates.system(), rates.prepared(), rates.inputs().data()),
        sampler_(rates, watch_, options),
        row_(rates.size()),
        events_(rates, tolerance > 0 ? tolerance_ : unknown_tolerance) {}

  Trajectory run(Runner& runner, const std::vector<double>& start) {
    std::vector<double> y = start;
    y.resize(rates_.size(), 0.0);
    result_.start_state = y;
    result_.t_start = options_.from;
    if (checkpoints_ != nullptr) checkpoints_->states.clear();
    if (rates_.system().has_moving_constraints())
      rates_.set_dependent(
          rates_.system()
              .compute_energies(rates_.at(options_.from, y.data()), rates_.prepared())
              .dependent);
    if (!runner.restart(options_.from, y.data()))
      refuse(reason::MethodFailed{options_.from, true, runner.reason()});
    else if (!watch_.begin(options_.from, y.data()))
      refuse(reason::EnergyNotFinite{options_.from, true});
    else if (!sampler_.begin(options_.from, y.data()))
      interrupt();
    else
      follow(runner);
    finish(runner);
    return std::move(result_);
  }

 private:
  void follow(Runner& runner) {
    const double end = options_.until;
    const double tiny = 4 * machine_epsilon * std::max(std::abs(end), end - options_.from);
    events_.begin_at(runner.time(), runner.state());
    projection_.measure_turn(runner.time(), runner.state());  // it learns how the rows are
    while (runner.time() < end - tiny) {
      const double t = runner.time();
      if (!runner.step()) return refuse(reason::MethodFailed{t, false, runner.reason()});
      if (!std::isfinite(watch_.compute_deviation(runner.time(), runner.state())))
        return refuse(reason::EnergyNotFinite{runner.time(), false});
      ++result_.steps;
      last_.assign(runner.state(), runner.state() + row_.size());
      watch_drift(runner.time(), runner.state());
      if (projection_.measure_turn(runner.time(), runner.state()) > largest_turn)
        return end_with(
            visviva::refuse(Refusal::constraints_lost, reason::BranchesMeet{runner.time()}));
      end_ = runner.time();
      watch_events(runner, t);
      if (has_stopped_ && runner.interpolate(end_, row_.data()))
        watch_.compute_deviation(end_, row_.data());
      watch_.take(end_);
      if (tolerance_ > 0)
        watch_.judge_change(end_, has_stopped_ ? row_.data() : last_.data(), tolerance_);
      if (!give_samples(runner)) return interrupt();
      if (has_stopped_) return;
      if (options_.watcher != nullptr &&
          !options_.watcher->take_progress(
              {runner.time(), end, runner.time() - t, watch_.last_deviation(), result_.steps}))
        return interrupt();
      if (result_.steps >= options_.max_steps)
        return end_with(visviva::refuse(Refusal::too_many_steps,
                                        reason::TooManySteps{result_.steps, runner.time()}));
    }
  }

  // Roots of events in the step just made; the first that stops ends the run at its time.
  void watch_events(Runner& runner, double from) {
    const double until = runner.time();
    const auto state_at = [&](double t, double* y) {
      if (t != until) return runner.interpolate(t, y);
      std::copy_n(runner.state(), row_.size(), y);
      return true;
    };
    const StepEvents found = events_.find(state_at, until);
    events_.begin_at(until, runner.state());
    for (EventRecord e : found.records) {
      e.state.resize(row_.size());
      if (!state_at(std::min(e.time, until), e.state.data()))
        e.state.assign(runner.state(), runner.state() + row_.size());
      e.row = sampler_.make_row(e.time, e.state.data());
      result_.events.push_back(std::move(e));
    }
    if (!found.stop) return;
    has_stopped_ = true;
    end_ = from + found.h;
    result_.reason = reason::StoppedByEvent{*found.stop};
  }

  bool give_samples(Runner& runner) {
    while (sampler_.next() <= end_) {
      if (!runner.interpolate(sampler_.next(), row_.data()))
        std::copy_n(runner.state(), row_.size(), row_.begin());
      const double t = sampler_.next();
      if (!sampler_.give_next(row_.data())) return false;
      watch_.note_row(t, watch_.compute_E_Z(t, row_.data()) - watch_.start());
    }
    while (checkpoints_ != nullptr && checkpoints_->next() <= end_) {
      if (!runner.interpolate(checkpoints_->next(), row_.data()))
        std::copy_n(runner.state(), row_.size(), row_.begin());
      checkpoints_->states.push_back(row_);
    }
    return true;
  }

  void watch_drift(double t, const double* y) {
    const CompiledSystem& system = rates_.system();
    if (system.row_count() == 0) return;
    std::vector<double> g(system.position_count()), v(system.row_count());
    system.compute_residuals(rates_.at(t, y), rates_.prepared(), g.data(), v.data());
    Certificate& c = result_.certificate;
    for (const double x : g) c.position_drift = std::max(c.position_drift, std::abs(x));
    for (const double x : v) c.velocity_drift = std::max(c.velocity_drift, std::abs(x));
  }

  void end_with(Ending ending) {
    result_.status = ending.status;
    result_.refusal = ending.refusal;
    result_.reason = std::move(ending.reason);
  }
  void refuse(RunReason reason) {
    end_with(visviva::refuse(Refusal::not_finite, std::move(reason)));
  }
  void interrupt() { end_with(stop_for(*options_.watcher)); }

  void finish(Runner& runner) {
    result_.t_end = result_.steps > 0 ? end_ : options_.from;
    result_.end_state = result_.start_state;
    if (result_.steps > 0) {
      if (!has_stopped_ || !runner.interpolate(end_, row_.data())) row_ = last_;
      result_.end_state = row_;
      if (result_.status != RunStatus::stopped) sampler_.finish(end_, row_.data());
    }
    result_.end_rates.resize(rates_.size());
    rates_.compute_rates(result_.t_end, result_.end_state.data(), result_.end_rates.data());
    for (std::size_t i = 0; i < rates_.size(); ++i) result_.state_names.push_back(rates_.name(i));
    sampler_.write(&result_);
    watch_.write(&result_);
    result_.event_doubts = events_.list_doubts();
    result_.evaluations = runner.evaluations();
    result_.method = options_.method;
    result_.certificate.tolerance = options_.energy;
  }

  SystemRates& rates_;
  const RunOptions& options_;
  const double tolerance_;  // by which changes of E_Z are judged
  Checkpoints* checkpoints_;
  EnergyWatch watch_;
  Projection projection_;
  Sampler sampler_;
  std::vector<double> row_;
  EventSearch events_;
  std::vector<double> last_;  // the state after the last step that was taken
  double end_ = 0.0;
  bool has_stopped_ = false;
  Trajectory result_;
};

Trajectory run_sundials(SystemRates& rates, const RunStart& start, const RunOptions& options,
                        double tolerance, Checkpoints* checkpoints) {
  const auto runner =
      make_sundials_runner(options.method, rates,
                           {.until = options.until,
                            .relative_tolerance = tolerance,
                            .absolute_tolerance = tolerance,
                            .max_step = std::isfinite(options.max_step) ? options.max_step : 0.0});
  Trajectory run =
      Following<SundialsRunner>(rates, options, checkpoints, tolerance).run(*runner, start.state);
  run.smallest_tolerance = run.largest_tolerance = tolerance;
  return run;
}

// Runs without a watcher find the tolerance; the run that is seen comes last, and does the same.
Trajectory run_sundials_moderated(SystemRates& rates, const RunStart& start,
                                  const RunOptions& options, Checkpoints* checkpoints) {
  RunOptions unseen = options;
  QuietWatcher quiet(options.watcher);
  unseen.watcher = &quiet;
  unseen.keep_samples = false;
  double tolerance = largest_tolerance(options);
  for (; tolerance >= smallest_outside_tolerance; tolerance *= 0.1) {
    const Trajectory trial = run_sundials(rates, start, unseen, tolerance, nullptr);
    if (trial.status == RunStatus::stopped) return trial;
    if (trial.status == RunStatus::done && trial.certificate.max_deviation <= *options.energy) {
      Trajectory run = run_sundials(rates, start, options, tolerance, checkpoints);
      run.certificate.is_moderated = true;
      return run;
    }
  }
  Trajectory run = run_sundials(rates, start, options,
                                std::max(tolerance * 10, smallest_outside_tolerance), checkpoints);
  if (run.status == RunStatus::done) {
    run.status = RunStatus::refused;
    run.refusal = Refusal::budget_exhausted;
    run.reason = reason::MethodDoesNotHoldEnergy{options.method, *options.energy};
  }
  return run;
}

Trajectory run_variational(const CompiledSystem& system, SystemRates& rates, const RunStart& start,
                           const RunOptions& options, Checkpoints* checkpoints) {
  if (!system.has_momenta())
    return refuse_method(reason::MomentaMissing{*system.momenta_obstacle()}, options);
  SystemMomenta momenta(system, rates.prepared(), rates.inputs());
  const double span = options.until - options.from;
  VariationalRunner runner(
      momenta, {.until = options.until,
                .step = std::isfinite(options.max_step) ? options.max_step : span / default_steps,
                .order = options.method == "variational4" ? 4 : 2});
  Trajectory run =
      Following<VariationalRunner>(rates, options, checkpoints, 0.0).run(runner, start.state);
  return run;
}

}  // namespace

bool is_variational_method(const std::string& method) {
  return method == "variational" || method == "variational4";
}

bool is_outside_method(const std::string& method) {
  const auto& sundials = list_sundials_methods();
  return is_variational_method(method) ||
         std::find(sundials.begin(), sundials.end(), method) != sundials.end();
}

Trajectory run_outside(const CompiledSystem& system, const RunStart& start,
                       const RunOptions& options, Checkpoints* checkpoints) {
  if (system.switch_count() > 0)
    return refuse_method(reason::SwitchUnseen{options.method, system.switch_names().front()},
                         options);
  SystemRates rates(system, start.parameters, start.inputs, start.input_law);
  if (is_variational_method(options.method))
    return run_variational(system, rates, start, options, checkpoints);
  if (!has_sundials()) return refuse_method(reason::NoSundials{find_missing_sundials()}, options);
  if (options.energy) return run_sundials_moderated(rates, start, options, checkpoints);
  return run_sundials(rates, start, options, largest_tolerance(options), checkpoints);
}

}  // namespace visviva
