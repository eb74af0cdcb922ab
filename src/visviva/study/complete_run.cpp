#include "visviva/study/complete_run.h"

#include <algorithm>
#include <cmath>

#include "visviva/codegen/system/compile.h"
#include "visviva/simulation/run/simulate.h"

namespace visviva {
namespace {

constexpr double same_time = 1e-6;          // of the time between two samples
constexpr double default_tolerance = 1e-9;  // of a second run, where the first tells none

bool has_column(const Trajectory& run, const std::string& name) {
  return std::find(run.columns.begin(), run.columns.end(), name) != run.columns.end();
}

// Columns of the whole system that the run lacks, by their places among the system's outputs.
std::vector<std::size_t> list_missing(const Trajectory& run, const CompiledSystem& whole) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < whole.output_names().size(); ++i)
    if (!has_column(run, whole.output_names()[i])) missing.push_back(i);
  return missing;
}

// Rows of the run give the outputs when they hold all states, and K2 means the same in all of them.
bool do_samples_suffice(const Trajectory& run, const CompiledSystem& whole) {
  return run.certificate.partition_changes == 0 &&
         std::all_of(whole.state_names().begin(), whole.state_names().end(),
                     [&](const std::string& name) { return has_column(run, name); });
}

void add_from_samples(const CompiledSystem& whole, const std::vector<std::size_t>& missing,
                      Trajectory* run) {
  const PreparedParameters p = whole.prepare(run->parameters);
  std::vector<const std::vector<double>*> columns;
  for (const std::string& name : whole.state_names()) columns.push_back(&(*run)[name]);
  const std::vector<double> times = run->t(), Z = (*run)["Z"];
  std::vector<double> state(whole.state_count()), quadratures(whole.quadrature_names().size(), 0.0),
      values(whole.output_names().size());
  std::vector<std::vector<double>> added(missing.size());
  for (std::size_t row = 0; row < times.size(); ++row) {
    for (std::size_t i = 0; i < state.size(); ++i) state[i] = (*columns[i])[row];
    quadratures[0] = Z[row];
    whole.compute_outputs({times[row], state.data(), run->inputs.data()}, p, quadratures.data(),
                          values.data());
    for (std::size_t k = 0; k < missing.size(); ++k) added[k].push_back(values[missing[k]]);
  }
  for (std::size_t k = 0; k < missing.size(); ++k) {
    run->columns.push_back(whole.output_names()[missing[k]]);
    run->samples.push_back(std::move(added[k]));
  }
}

Trajectory run_again(const Trajectory& run, const CompiledSystem& whole) {
  NamedValues start = whole.start();
  for (std::size_t i = 0; i < run.start_state.size(); ++i)
    if (start.has(run.state_names[i])) start = start.with(run.state_names[i], run.start_state[i]);
  const std::vector<double>& t = run.t();
  return simulate(
      whole, {start, run.parameters, run.inputs},
      {.from = run.t_start,
       .until = t.back(),
       .every = t[1] - t[0],
       .tolerance = run.smallest_tolerance > 0 ? run.smallest_tolerance : default_tolerance});
}

void add_from_second_run(const CompiledSystem& whole, const std::vector<std::size_t>& missing,
                         Trajectory* run) {
  const Trajectory second = run_again(*run, whole);
  const std::vector<double>& t = run->t();
  if (second.samples.empty() || second.t().size() != t.size()) return;
  for (std::size_t row = 0; row < t.size(); ++row)
    if (std::abs(second.t()[row] - t[row]) > same_time * (t[1] - t[0])) return;
  for (const std::size_t i : missing) {
    run->columns.push_back(whole.output_names()[i]);
    run->samples.push_back(second[whole.output_names()[i]]);
  }
}

}  // namespace

Trajectory complete_run(const Trajectory& run, const Equations& equations, const Energies& energies,
                        const std::vector<ExtraOutput>& outputs) {
  Trajectory whole_run = run;
  if (run.samples.empty() || run.t().size() < 2) return whole_run;
  const CompiledSystem whole = compile(
      equations, energies,
      {.jacobian = false,
       .sensitivities = false,
       .momenta = false,
       .inverse = false,
       .extra_outputs = outputs});
  const std::vector<std::size_t> missing = list_missing(run, whole);
  if (missing.empty()) return whole_run;
  if (do_samples_suffice(run, whole))
    add_from_samples(whole, missing, &whole_run);
  else
    add_from_second_run(whole, missing, &whole_run);
  return whole_run;
}

}  // namespace visviva
