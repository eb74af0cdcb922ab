// `visviva simulate MODEL`: a run with its certificate, written to trajectory.csv and .h5.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/field_refinement.h"
#include "visviva/app/cli/interruption.h"
#include "visviva/app/cli/output_file.h"
#include "visviva/app/cli/plot_files.h"
#include "visviva/app/cli/run_recorder.h"
#include "visviva/app/cli/run_setup.h"
#include "visviva/app/cli/simulate_answer.h"
#include "visviva/base/render.h"
#include "visviva/base/sequence.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/report/derivation/outline_text.h"
#include "visviva/report/plot/overlay.h"
#include "visviva/report/plot/plot_choice.h"
#include "visviva/report/plot/plot_outputs.h"
#include "visviva/report/trajectory/reason_text.h"
#include "visviva/report/trajectory/trajectory_json.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

// Outputs of the model come first in a run, extra ones last; some of these may not be there.
std::size_t count_extra(const CompiledSystem& system, const std::vector<ExtraOutput>& extra) {
  const std::vector<std::string>& names = system.output_names();
  const auto first = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return std::any_of(extra.begin(), extra.end(),
                       [&](const ExtraOutput& e) { return e.name == name; });
  });
  return static_cast<std::size_t>(names.end() - first);
}

class Simulation {
 public:
  Simulation(const CommandOptions& options, const SimulateOptions& given, std::ostream& out,
             std::ostream& err, std::vector<Plot>* plots = nullptr)
      : options_(options), given_(given), out_(out), err_(err), plots_(plots) {}

  int operator()(CheckedModel& checked) {
    const Kinematics& motion = *checked.motion;
    RunOptions run_options = make_run_options(given_.run, motion.model().study);
    const std::string folder = given_.out.value_or(default_stem(motion.model()) + "_run");
    require_files(folder, !motion.model().events.empty());
    const Equations equations = derive(motion);
    const std::optional<Energies> energies = analyze_energy_or_remark(equations, err_);
    SystemOptions system_options = choose_system_options(equations, run_options.method);
    if (given_.plot) system_options.extra_outputs = list_plot_outputs(equations);
    append(&system_options.extra_outputs, list_claim_outputs(equations));
    const CompiledSystem system = compile_for_run(equations, energies, system_options);
    require_run_values(checked, equations, system);
    print_system_remarks(system, motion.model(), err_);

    RunRecorder recorder(folder, motion,
                         {motion.model().name, join_parts(checked.source).text,
                          given_.made_by.version, given_.made_by.command},
                         isatty(STDERR_FILENO) != 0 ? &err_ : nullptr);
    run_options.watcher = &recorder;
    if (!motion.model().fields.empty()) run_options.keep_samples = true;
    if (!system_options.extra_outputs.empty()) {
      recorder.hide_last(count_extra(system, system_options.extra_outputs));
      run_options.keep_samples = true;
    }
    const Interruption interruption;
    Trajectory result = simulate(system, run_options);
    if (!recorder.could_begin()) throw WrongCommand{recorder.problem()};
    if (result.refusal == Refusal::bad_request)
      throw WrongCommand{write_reason_text(result.reason)};
    discretization_ =
        estimate_discretization(checked, options_.read, options_.check, run_options, result);
    finish(recorder, &result);
    if (given_.plot) plot(equations, result, &recorder);
    claims_ = test_claims_along(system, run_options, result, checked);
    answer(result, checked, recorder);
    if (!diagnose_claim_tests(claims_).empty()) return exit_wrong_model;
    const bool is_good = result.status == RunStatus::done && plot_problem_.empty();
    return is_good ? exit_good : exit_not_certified;
  }

 private:
  // Said before the work: what this run would overwrite.
  void require_files(const std::string& folder, bool has_events) const {
    const std::filesystem::path csv = std::filesystem::path(folder) / "trajectory.csv",
                                h5 = std::filesystem::path(folder) / "trajectory.h5",
                                events = std::filesystem::path(folder) / "events.csv";
    if (has_events)
      require_replaceable(
          {events.string(), OutputKind::trajectory_csv, "--out", options_.model, given_.force});
    require_replaceable(
        {csv.string(), OutputKind::trajectory_csv, "--out", options_.model, given_.force});
    require_replaceable({h5.string(), OutputKind::trajectory_h5, "--out", options_.model,
                         given_.force, csv.string()});
    if (!given_.plot || plots_ != nullptr) return;
    require_figure_format(*given_.plot);
    const auto place = [](const std::filesystem::path& path) {
      std::error_code ignored;
      return std::filesystem::weakly_canonical(path, ignored);
    };
    if (place(*given_.plot) == place(csv) || place(*given_.plot) == place(h5) ||
        (has_events && place(*given_.plot) == place(events)))
      throw WrongCommand{"cannot write '" + *given_.plot +
                         "': this run writes its trajectory there; give --plot another file"};
    require_writable({*given_.plot, OutputKind::plot, "--plot", options_.model, given_.force});
  }

  // What could not be written makes a good run a failed one.
  static void finish(RunRecorder& recorder, Trajectory* run) {
    const bool is_written = recorder.finish(
        {name_of(run->status), write_reason_text(run->reason),
         make_certificate_json(*run).dump(-1, ' ', false, json::error_handler_t::replace),
         run->events});
    if (is_written || run->status == RunStatus::refused) return;
    run->status = RunStatus::stopped;
    run->reason = reason::StoppedByWatcher{recorder.problem()};
  }

  // What the model asks for, else all; a run without samples has none. One of several runs keeps them.
  void plot(const Equations& equations, const Trajectory& run, RunRecorder* recorder) {
    const ModelData& model = equations.motion.model();
    const bool asks = std::any_of(model.outputs.begin(), model.outputs.end(),
                                  [](const OutputData& o) { return o.is_plot; });
    const std::vector<Plot> plots =
        asks ? make_asked_plots(run, equations) : make_plots(run, equations);
    if (plots_ != nullptr) {
      *plots_ = plots;
      return;
    }
    const std::string heading =
        model.name + (model.case_name.empty() ? "" : ", case " + model.case_name);
    std::vector<std::string> files;
    try {
      write_figures(plots, {*given_.plot, heading, options_.model, given_.force}, &files);
    } catch (const WrongCommand& wrong) {
      plot_problem_ = wrong.message;
    }
    for (const std::string& file : files) recorder->add_file(file);
  }

  void answer(const Trajectory& run, const CheckedModel& checked, const RunRecorder& recorder) {
    const Kinematics& motion = *checked.motion;
    // On a terminal the answer below says the same.
    const bool is_said_below =
        !options_.json && isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
    const bool is_cut = run.status == RunStatus::stopped || run.status == RunStatus::refused;
    if (is_cut && !is_said_below) {
      err_ << "visviva: " << name_of(run.status);
      if (run.status == RunStatus::stopped) err_ << " at t = " << number_text(run.t_end) << " s";
      err_ << ": " << write_reason_text(run.reason)
           << (recorder.sample_count() > 0 ? "; what was computed until then is kept\n" : "\n");
    }
    if (!plot_problem_.empty())
      err_ << "visviva: " << (run.status == RunStatus::done ? "the run is complete, but " : "")
           << "the plot is not written: " << plot_problem_ << '\n';
    const std::vector<Diagnostic> refuted = diagnose_claim_tests(claims_);
    if (!options_.json) {
      print_run(run, motion, recorder, claims_, out_);
      if (discretization_)
        out_ << "\nElements\n" << wrap_words("  ", write_discretization(*discretization_)) << '\n';
      err_ << render_diagnostics(refuted, checked.source, {.colour = options_.colour});
      return;
    }
    json j = make_trajectory_json(run, motion.model());
    if (discretization_)
      j["certificate"]["discretization"] = make_discretization_json(*discretization_);
    j["columns"] = json::object();
    for (const TrajectoryColumn& c : recorder.columns()) j["columns"][c.name] = c.unit;
    j["samples"] = recorder.sample_count();
    j["files"] = recorder.files();
    if (!plot_problem_.empty()) j["plot_problem"] = plot_problem_;
    j["claims"] = make_claims_json(claims_);
    if (!refuted.empty()) j["errors"] = diagnostics_json(refuted, Severity::error);
    j["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
    print_json(j, out_);
  }

  const CommandOptions& options_;
  const SimulateOptions& given_;
  std::ostream& out_;
  std::ostream& err_;
  std::vector<Plot>* plots_;  // where several runs share their figures
  std::string plot_problem_;
  std::vector<ClaimTest> claims_;
  std::optional<DiscretizationError> discretization_;
};

// Several cases: each is run as by itself, into a folder of its own, and figures show all of them.
class CaseSimulation {
 public:
  CaseSimulation(const CommandOptions& options, const SimulateOptions& given, std::ostream& out,
                 std::ostream& err)
      : options_(options), given_(given), out_(out), err_(err) {}

  int operator()(const CheckedModel& checked) {
    if (!options_.read.case_name.empty())
      throw WrongCommand{"--case and --cases are two ways to choose: give one of them"};
    const ModelData& model = checked.motion->model();
    const std::vector<std::string> names = list_cases(model, given_.cases);
    if (given_.plot) {
      require_figure_format(*given_.plot);
      require_writable({*given_.plot, OutputKind::plot, "--plot", options_.model, given_.force});
    }
    for (const std::string& name : names) run(name);
    if (given_.plot) write(model.name);
    answer();
    return status_;
  }

 private:
  void run(const std::string& name) {
    CommandOptions options = options_;
    options.read.case_name = name;
    SimulateOptions given = given_;
    given.cases.clear();
    if (given_.out) given.out = (std::filesystem::path(*given_.out) / name).string();
    std::ostringstream text;
    RunPlots plots{name, {}};
    if (!options_.json) out_ << "Case " << name << '\n';
    Simulation simulation(options, given, options_.json ? text : out_, err_, &plots.plots);
    const int status = with_model(options, options_.json ? text : out_, err_,
                                  [&](CheckedModel& checked) { return simulation(checked); });
    status_ = std::max(status_, status);
    if (options_.json)
      answers_[name] = json::parse(text.str());
    else
      out_ << '\n';
    runs_.push_back(std::move(plots));
  }

  void write(const std::string& heading) {
    try {
      write_figures(overlay_runs(runs_), {*given_.plot, heading, options_.model, given_.force},
                    &files_);
    } catch (const WrongCommand& wrong) {
      plot_problem_ = wrong.message;
      status_ = std::max(status_, int{exit_not_certified});
      err_ << "visviva: the plot is not written: " << plot_problem_ << '\n';
    }
  }

  void answer() {
    if (!options_.json) {
      for (const std::string& file : files_) out_ << "Wrote " << file << '\n';
      return;
    }
    json j = {{"cases", answers_}, {"files", files_}};
    if (!plot_problem_.empty()) j["plot_problem"] = plot_problem_;
    print_json(j, out_);
  }

  const CommandOptions& options_;
  const SimulateOptions& given_;
  std::ostream& out_;
  std::ostream& err_;
  std::vector<RunPlots> runs_;
  std::vector<std::string> files_;
  std::string plot_problem_;
  json answers_ = json::object();
  int status_ = exit_good;
};

}  // namespace

int run_simulate(const CommandOptions& options, const SimulateOptions& given, std::ostream& out,
                 std::ostream& err) {
  if (!given.cases.empty())
    return with_model(options, out, err, CaseSimulation(options, given, out, err));
  return with_model(options, out, err, Simulation(options, given, out, err));
}

}  // namespace visviva
