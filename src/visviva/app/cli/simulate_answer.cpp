#include "visviva/app/cli/simulate_answer.h"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "visviva/base/result_table.h"
#include "visviva/report/derivation/outline_text.h"
#include "visviva/report/trajectory/certificate_text.h"
#include "visviva/report/trajectory/output_gaps.h"
#include "visviva/report/trajectory/reason_text.h"
#include "visviva/simulation/run/simulate.h"

namespace visviva {
namespace {

std::string digits(double x) {
  return std::isfinite(x) ? fmt::format("{:.10g}", x) : "not determined";
}

void print_end(const Trajectory& run, const Kinematics& motion, std::ostream& out) {
  if (run.end_state.empty() || run.steps == 0) return;
  out << fmt::format("\nAt t = {} s\n", digits(run.t_end));
  std::size_t widest = 0;
  for (const std::string& name : run.state_names) widest = std::max(widest, name.size());
  const std::vector<TrajectoryColumn> states = make_trajectory_columns(run.state_names, motion);
  for (std::size_t i = 0; i < std::min(states.size(), run.end_state.size()); ++i)
    out << "  " << padded(states[i].name, widest) << "  " << digits(run.end_state[i])
        << (states[i].unit == "1" ? "" : " " + states[i].unit) << '\n';
}

void print_energies(const Trajectory& run, std::ostream& out) {
  if (run.energies.empty() || run.steps == 0) return;
  WordTable table{{"J", "start", "end", "largest deviation"}, {}, 24};
  for (const EnergyResult& r : energies_in_joules()) {
    const std::string name(r.name);
    const auto found = run.energies.find(name);
    if (found == run.energies.end()) continue;
    const auto& e = found->second;
    table.rows.push_back(
        {name, digits(e.start), digits(e.end), fmt::format("{:.3g}", e.max_deviation)});
  }
  out << "\nEnergies\n" << write_table_text(table);
}

void print_events(const Trajectory& run, std::ostream& out) {
  constexpr std::size_t most = 20;  // for people; all of them are in the JSON
  if (!run.events.empty()) out << "\nEvents\n";
  for (std::size_t i = 0; i < std::min(most, run.events.size()); ++i) {
    const EventRecord& e = run.events[i];
    out << fmt::format("  {} at t = {} s, {}{}\n", e.name, digits(e.time),
                       e.is_touch    ? "touching zero"
                       : e.is_rising ? "rising"
                                     : "falling",
                       e.is_stop ? "; it stops the run" : "");
  }
  if (run.events.size() > most) out << fmt::format("  and {} more\n", run.events.size() - most);
}

void print_head(const Trajectory& run, const ModelData& model, std::ostream& out) {
  out << model.name << (model.case_name.empty() ? "" : ", case " + model.case_name) << ": "
      << name_of(run.status) << '\n';
  if (!is_empty(run.reason)) out << wrap_words("  ", write_reason_text(run.reason)) << '\n';
  if (run.steps == 0) return;
  out << fmt::format(
      "  from t = {:.6g} s to {:.10g} s with {}: {} steps, {} rejected, {} evaluations\n",
      run.t_start, run.t_end, run.method, run.steps, run.rejected, run.evaluations);
}

}  // namespace

std::vector<ClaimTest> test_claims_along(const CompiledSystem& system, const RunOptions& options,
                                         const Trajectory& run, const CheckedModel& checked) {
  const ModelData& model = checked.motion->model();
  if (model.claims.empty()) return {};
  if (!needs_finer_run(model, checked.claims, run))
    return test_claims(model, checked.claims, run, run);
  constexpr double finest = 1e-14;
  RunOptions again = options;
  again.watcher = nullptr;
  again.keep_samples = true;
  again.certify_state = false;
  const double tolerance =
      run.smallest_tolerance > 0 ? run.smallest_tolerance : largest_tolerance(options);
  again.tolerance = std::max(tolerance / 10, finest);
  return test_claims(model, checked.claims, run, simulate(system, again));
}

void print_run(const Trajectory& run, const Kinematics& motion, const RunRecorder& recorder,
               const std::vector<ClaimTest>& claims, std::ostream& out) {
  print_head(run, motion.model(), out);
  print_end(run, motion, out);
  print_energies(run, out);
  print_events(run, out);
  const std::string certificate = write_certificate_text(run);
  if (!certificate.empty()) out << "\nCertificate\n" << certificate;
  if (!claims.empty()) out << "\nClaims\n";
  for (const ClaimTest& test : claims) out << wrap_words("  ", write_claim_test(test)) << '\n';
  for (const std::string& words : list_gap_words(run, motion.model()))
    out << wrap_words("  ", words) << '\n';
  if (recorder.files().empty()) return;
  out << fmt::format("\nFiles, {} samples of {} columns\n", recorder.sample_count(),
                     recorder.columns().size());
  for (const std::string& file : recorder.files()) out << "  " << file << '\n';
}

}  // namespace visviva
