#include "visviva/simulation/run/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <thread>

#include "visviva/base/error.h"
#include "visviva/simulation/run/outside_run.h"
#include "visviva/simulation/run/quiet_watcher.h"
#include "visviva/simulation/run/run.h"

namespace visviva {
namespace {

constexpr std::size_t checkpoint_count = 1000;
constexpr double companion_factor = 0.1;
constexpr double rough_tolerance = 1e-5;  // of the run that finds the scale of energies
constexpr double smallest_tolerance = 1e-15;
constexpr double most_samples = 1e9;

Trajectory refuse_request(RunReason reason, const RunOptions& options) {
  Trajectory t;
  t.status = RunStatus::refused;
  t.refusal = Refusal::bad_request;
  t.reason = std::move(reason);
  t.t_start = t.t_end = options.from;
  t.method = options.method;
  return t;
}

bool is_known_method(const std::string& method) {
  const auto& own = list_methods();
  return method == "auto" || is_outside_method(method) ||
         std::any_of(own.begin(), own.end(), [&](const auto& m) { return m.name == method; });
}

std::vector<std::string> list_known_methods() {
  std::vector<std::string> names = {"auto"};
  for (const MethodFacts& m : list_methods()) names.push_back(m.name);
  for (const char* name : {"cvode", "cvode-bdf", "ida", "variational", "variational4"})
    names.push_back(name);
  return names;
}

bool is_positive(double x) { return std::isfinite(x) && x > 0; }

// What is wrong with the times of a run; empty when nothing is.
RunReason check_times(const RunOptions& o) {
  if (!std::isfinite(o.from) || !std::isfinite(o.until)) return reason::TimesNotFinite{};
  if (o.until <= o.from) return reason::EndNotAfterStart{o.until, o.from};
  if (o.every && !is_positive(*o.every)) return reason::SampleIntervalNotPositive{*o.every};
  if (o.every && (o.until - o.from) / *o.every > most_samples)
    return reason::TooManySamples{*o.every, most_samples};
  return {};
}

// What is wrong with what is asked of the numbers.
RunReason check_tolerances(const RunOptions& o) {
  if (o.tolerance && !(is_positive(*o.tolerance) && *o.tolerance < 1))
    return reason::ToleranceOutOfRange{*o.tolerance};
  if (o.tolerance && *o.tolerance < smallest_tolerance)
    return reason::ToleranceBelowRounding{*o.tolerance, smallest_tolerance};
  if (o.certify_state && o.tolerance && companion_factor * *o.tolerance < smallest_tolerance)
    return reason::CompanionBelowRounding{*o.tolerance, smallest_tolerance / companion_factor};
  if (o.energy && !is_positive(*o.energy)) return reason::EnergyNotPositive{*o.energy};
  if (!(o.max_step > 0)) return reason::MaxStepNotPositive{o.max_step};
  if (!is_known_method(o.method)) return reason::UnknownMethod{o.method, list_known_methods()};
  return {};
}

// The first value that is missing.
RunReason check_values(const CompiledSystem& system, const RunStart& start) {
  using Of = reason::MissingValue::Of;
  const auto find_missing = [](Of of, const std::vector<double>& values,
                               const std::vector<std::string>& names) -> RunReason {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i])) return reason::MissingValue{of, names[i]};
    return {};
  };
  RunReason missing = find_missing(Of::parameter, start.parameters, system.parameter_names());
  if (is_empty(missing)) missing = find_missing(Of::input, start.inputs, system.input_names());
  if (is_empty(missing)) missing = find_missing(Of::start, start.state, system.state_names());
  return missing;
}

RunReason check_samples(const CompiledSystem& system, const RunStart& start, const RunOptions& o) {
  if (system.sample_count() == 0) return {};
  if (is_outside_method(o.method)) return reason::SamplesNeedSteps{o.method};
  const PreparedParameters prepared = system.prepare(start.parameters);
  for (std::size_t i = 0; i < system.sample_count(); ++i) {
    const double period = system.sample_period(i, prepared);
    if (!is_positive(period)) return reason::SamplePeriod{period};
  }
  return {};
}

RunReason check_request(const CompiledSystem& system, const RunStart& start, const RunOptions& o) {
  RunReason wrong = check_times(o);
  if (is_empty(wrong)) wrong = check_tolerances(o);
  if (is_empty(wrong)) wrong = check_values(system, start);
  if (is_empty(wrong)) wrong = check_samples(system, start, o);
  return wrong;
}

// What tables say against a run from here to there; empty when nothing.
RunReason check_tables(const CompiledSystem& system, const RunOptions& o) {
  for (const TableFacts& t : system.tables()) {
    const bool is_inside = o.from >= t.first && o.from < t.last;
    if (t.range != TableRange::error || is_inside) continue;
    // At its end a table has a value, but nothing to go on with.
    return reason::OutsideTable{t.name, t.first, t.last, o.from == t.last ? o.until : o.from};
  }
  return {};
}

// The table that ends first, before the run does; null when there is none.
const TableFacts* find_table_end(const CompiledSystem& system, double until) {
  const TableFacts* found = nullptr;
  for (const TableFacts& t : system.tables()) {
    if (t.range != TableRange::error || t.last >= until) continue;
    if (found == nullptr || t.last < found->last) found = &t;
  }
  return found;
}

void refuse_run(Refusal refusal, RunReason reason, Trajectory* run) {
  run->status = RunStatus::refused;
  run->refusal = refusal;
  run->reason = std::move(reason);
}

// The run goes on while tables have values, and no further.
Trajectory run_within_tables(const CompiledSystem& system, const RunOptions& options,
                             const std::function<Trajectory(const RunOptions&)>& run_with) {
  if (RunReason wrong = check_tables(system, options); !is_empty(wrong)) {
    Trajectory refused = refuse_request({}, options);
    refuse_run(Refusal::outside_table, std::move(wrong), &refused);
    return refused;
  }
  const TableFacts* end = find_table_end(system, options.until);
  if (end == nullptr) return run_with(options);
  RunOptions shorter = options;
  shorter.until = end->last;
  if (!options.every) shorter.every = (options.until - options.from) / 1000;
  Trajectory run = run_with(shorter);
  if (run.status == RunStatus::done && is_empty(run.reason))
    refuse_run(Refusal::outside_table,
               reason::OutsideTable{end->name, end->first, end->last, options.until}, &run);
  return run;
}

// An energy that overflows would say nothing, and look like one that is not determined.
void check_energies(Trajectory* run) {
  if (run->status != RunStatus::done) return;
  for (const auto& [name, e] : run->energies) {
    // K is determined at every state, so that it has no other way not to be finite.
    const bool is_lost = name == "K" && !(std::isfinite(e.start) && std::isfinite(e.end));
    if (is_lost || std::isinf(e.start) || std::isinf(e.end) || std::isinf(e.max_deviation))
      return refuse_run(Refusal::not_finite, reason::EnergyOverflows{name}, run);
  }
}

Trajectory run_once(const CompiledSystem& system, const RunStart& start, const RunOptions& options,
                    Checkpoints* checkpoints) {
  if (is_outside_method(options.method)) return run_outside(system, start, options, checkpoints);
  return run_by_steps(system, start, options, checkpoints);
}

// A relative tolerance is a part of the largest K2 + |U - U(start)|, which a rough run finds.
Trajectory find_scale(const CompiledSystem& system, const RunStart& start, RunOptions options) {
  QuietWatcher quiet(options.watcher);
  options.energy.reset();
  options.tolerance = rough_tolerance;
  options.watcher = &quiet;
  options.keep_samples = false;
  options.every = options.until - options.from;
  if (is_outside_method(options.method)) options.method = "auto";
  // Small motions need tighter tolerances: until the scale no longer changes.
  Trajectory run = run_once(system, start, options, nullptr);
  while (run.status == RunStatus::done && *options.tolerance > 1e-13) {
    const double scale = run.certificate.scale;
    *options.tolerance *= 1e-3;
    run = run_once(system, start, options, nullptr);
    if (std::abs(run.certificate.scale - scale) <= 0.02 * run.certificate.scale) break;
  }
  return run;
}

// Largest difference of both runs at the same times, over all states that are no quadratures.
void compare(const CompiledSystem& system, const Checkpoints& loose, const Checkpoints& tight,
             Certificate* certificate) {
  double largest = 0.0;
  const std::size_t count = std::min(loose.states.size(), tight.states.size());
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < system.state_count(); ++i) {
      const double d = std::abs(loose.states[k][i] - tight.states[k][i]);
      if (d <= largest) continue;
      largest = d;
      certificate->state_error_name = system.state_names()[i];
      certificate->state_error_time = tight.time_of(k);
    }
  }
  if (largest > 0)
    certificate->state_error = largest;
  else
    certificate->no_state_error = NoStateError::runs_are_equal;
}

// Stops the run in the other thread when the one that is watched has come to nothing.
class Companion : public RunWatcher {
 public:
  bool take_progress(const Progress& /*progress*/) override { return !is_over_; }
  void stop() { is_over_ = true; }

 private:
  std::atomic<bool> is_over_ = false;
};

// The run asked for goes on in a thread of its own; the tighter one is watched and returned.
Trajectory run_twice(const CompiledSystem& system, const RunStart& start,
                     const RunOptions& options) {
  Checkpoints loose{.from = options.from, .until = options.until, .count = checkpoint_count};
  Checkpoints tight = loose;
  RunOptions first = options, second = options;
  Companion watcher;
  first.watcher = &watcher;
  first.keep_samples = false;
  first.every = options.until - options.from;
  if (options.energy) *second.energy *= companion_factor;
  // The largest local tolerance, too: where E_Z does not limit it both runs would be the same.
  second.tolerance = companion_factor * largest_tolerance(options);
  // Methods that keep their steps get shorter ones.
  if (is_variational_method(options.method))
    second.max_step = 0.5 * std::min(options.max_step, (options.until - options.from) / 1000);
  Trajectory companion;
  std::exception_ptr trouble;
  std::thread thread([&] {
    try {
      companion = run_once(system, start, first, &loose);
    } catch (...) {
      trouble = std::current_exception();
    }
  });
  Trajectory result;
  try {
    result = run_once(system, start, second, &tight);
  } catch (...) {
    watcher.stop();
    thread.join();
    throw;
  }
  if (result.status != RunStatus::done) watcher.stop();
  thread.join();
  if (trouble) std::rethrow_exception(trouble);
  result.certificate.tolerance = options.energy;
  // How far the companion came until it was stopped depends on the threads: nothing is said of it.
  if (result.status != RunStatus::done) {
    result.certificate.no_state_error = NoStateError::run_not_done;
  } else if (companion.status == RunStatus::done) {
    compare(system, loose, tight, &result.certificate);
  } else if (companion.status == RunStatus::refused) {
    result.certificate.no_state_error = NoStateError::companion_refused;
    result.certificate.companion_reason = companion.reason;
  }
  return result;
}

// A relative tolerance is made one in J.
Trajectory run_with_tolerance(const CompiledSystem& system, const RunStart& start, RunOptions o) {
  if (o.energy && o.is_energy_relative) {
    Trajectory rough = find_scale(system, start, o);
    if (rough.status == RunStatus::stopped) return rough;
    const double scale = rough.certificate.scale;
    if (!(scale > 0) && rough.status == RunStatus::refused) return rough;
    if (!(scale > 0)) return refuse_request(reason::NoEnergyScale{}, o);
    *o.energy *= scale;
    o.is_energy_relative = false;
  }
  return o.certify_state ? run_twice(system, start, o) : run_once(system, start, o, nullptr);
}

// Refused when the request is wrong.
Trajectory run_checked(const CompiledSystem& system, const RunStart& start,
                       const RunOptions& options) {
  if (RunReason wrong = check_request(system, start, options); !is_empty(wrong))
    return refuse_request(std::move(wrong), options);
  Trajectory run = run_within_tables(system, options, [&](const RunOptions& within) {
    return run_with_tolerance(system, start, within);
  });
  check_energies(&run);
  return run;
}

}  // namespace

Trajectory simulate(const CompiledSystem& system, const RunOptions& options) {
  return simulate(system, RunStart{}, options);
}

Trajectory simulate(const CompiledSystem& system, const RunStart& given,
                    const RunOptions& options) {
  const auto take = [](const std::vector<double>& values, const NamedValues& own) {
    return values.empty() ? own.values() : values;
  };
  const RunStart start{take(given.state, system.start()),
                       take(given.parameters, system.parameters()),
                       take(given.inputs, system.inputs()), given.input_law};
  const auto check_size = [](const char* what, std::size_t found, std::size_t needed) {
    if (found != needed)
      throw UsageError("simulate", fmt::format("{} {} are needed, {} given", needed, what, found));
  };
  if (start.input_law && is_variational_method(options.method))
    throw UsageError("simulate", "a variational method takes constant inputs, and no law of them");
  check_size("states", start.state.size(), system.state_count());
  check_size("parameters", start.parameters.size(), system.parameter_names().size());
  check_size("inputs", start.inputs.size(), system.input_names().size());
  Trajectory run = run_checked(system, start, options);
  run.parameters = system.parameters().with_values(start.parameters);
  run.inputs = system.inputs().with_values(start.inputs);
  run.certificate.is_refused = run.status == RunStatus::refused;
  if (run.certificate.is_refused) run.certificate.refusal_reason = run.reason;
  if (run.status == RunStatus::done && run.certificate.verdict() == false)
    run.status = RunStatus::certificate_failed;
  if (run.status == RunStatus::certificate_failed && is_empty(run.reason))
    run.reason = run.certificate.reason();
  // Nobody asked, and still the numbers have not followed the equations.
  if (run.status == RunStatus::done && run.certificate.has_wandered()) {
    run.status = RunStatus::certificate_failed;
    run.reason =
        reason::EnergyWandered{run.certificate.unexplained, run.certificate.unexplained_time};
  }
  return run;
}

}  // namespace visviva
