// `visviva report MODEL`: one page with the mechanism, its equations, its integrals and its motion.
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/interruption.h"
#include "visviva/app/cli/progress_line.h"
#include "visviva/app/cli/run_setup.h"
#include "visviva/base/render.h"
#include "visviva/report/page/report.h"
#include "visviva/report/trajectory_json.h"
#include "visviva/text/colour_text.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

constexpr double default_until = 10.0;  // s, where neither the study nor an option says how long

// Shows progress and listens for Ctrl-C.
class ReportWatcher : public RunWatcher {
 public:
  explicit ReportWatcher(std::ostream* err) : progress_(err) {}
  bool take_progress(const Progress& progress) override {
    progress_.show(progress);
    return !Interruption::is_requested();
  }

 private:
  ProgressLine progress_;
};

class Reporting {
 public:
  Reporting(const CommandOptions& options, const SimulateOptions& given, std::ostream& out,
            std::ostream& err)
      : options_(options), given_(given), out_(out), err_(err) {}

  int run(CheckedModel& checked) {
    const Kinematics& motion = *checked.motion;
    const RunOptions run_options = make_run_options(given_, motion.model().study, default_until);
    const Equations equations = derive(motion);
    const std::optional<EnergyReport> energy = make_energy(equations, checked.start);
    const Scene scene = make_scene(equations, checked.start);
    ReportInput input{.equations = equations, .start = checked.start, .scene = scene};
    if (energy) input.energy = &*energy;
    std::optional<Trajectory> trajectory;
    try {
      trajectory = simulate_for(input, checked, run_options);
      input.run = &*trajectory;
    } catch (const ModelError& error) {
      input.no_run = error.diagnostics().front().message;
    }
    input.origin = make_origin(checked);
    const std::string file = given_.out.value_or(motion.model().name + ".html");
    write(file, input);
    answer(file, input, checked);
    return !trajectory || trajectory->status == RunStatus::done ? exit_good : exit_not_certified;
  }

 private:
  std::optional<EnergyReport> make_energy(const Equations& equations,
                                          const ConsistentStart& start) {
    try {
      return make_energy_report(equations, start);
    } catch (const UsageError&) {
      remarks_.push_back(
          "The constraints cannot be solved symbolically from here: forces that have a potential "
          "only together with them count as nonconservative.");
      return {};
    }
  }

  Trajectory simulate_for(const ReportInput& input, CheckedModel& checked, RunOptions run_options) {
    SystemOptions system_options = make_system_options(input.equations, run_options.method);
    system_options.extra_outputs = list_report_outputs(input.equations, input.scene);
    const CompiledSystem system =
        make_system(input.equations, input.energy != nullptr ? &input.energy->energies : nullptr,
                    system_options);
    require_run_values(checked, input.equations, system);
    print_system_remarks(system, checked.motion->model(), err_);
    if (!given_.until && !checked.motion->model().study.until)
      remarks_.push_back("Neither the model's study nor --until says how long: 10 s were taken.");
    ReportWatcher watcher(isatty(STDERR_FILENO) != 0 ? &err_ : nullptr);
    run_options.watcher = &watcher;
    run_options.keep_samples = true;
    const Interruption interruption;
    Trajectory run = simulate(system, run_options);
    if (run.refusal == Refusal::bad_request) throw WrongCommand{run.reason};
    return run;
  }

  ReportOrigin make_origin(const CheckedModel& checked) {
    ReportOrigin origin{checked.source, colour_text(checked.source), given_.version, given_.command,
                        remarks_};
    for (const Diagnostic& d : checked.diagnostics)
      if (d.severity == Severity::warning)
        origin.remarks.push_back(
            (d.span.line > 0 ? "line " + std::to_string(d.span.line) + ": " : "") + d.message);
    return origin;
  }

  static void write(const std::string& file, const ReportInput& input) {
    try {
      write_report(file, input);
    } catch (const UsageError& error) {
      throw WrongCommand{error.problem()};
    }
  }

  void answer(const std::string& file, const ReportInput& input, const CheckedModel& checked) {
    const std::string place = std::filesystem::absolute(file).lexically_normal().string();
    const Trajectory* run = input.run;
    if (run == nullptr)
      err_ << "visviva: no run, so the page has no motion: " << input.no_run << '\n';
    else if (run->status != RunStatus::done)
      err_ << "visviva: " << name_of(run->status) << ": " << run->reason << '\n';
    if (!options_.json) {
      out_ << "The report is " << place << '\n';
      return;
    }
    json j = run != nullptr ? make_trajectory_json(*run, checked.motion->model()) : json::object();
    if (run == nullptr) j["no_run"] = input.no_run;
    j["files"] = {place};
    j["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
    out_ << j.dump(2) << '\n';
  }

  const CommandOptions& options_;
  const SimulateOptions& given_;
  std::ostream& out_;
  std::ostream& err_;
  std::vector<std::string> remarks_;
};

}  // namespace

int run_report(const CommandOptions& options, const SimulateOptions& given, std::ostream& out,
               std::ostream& err) {
  return with_run_model(options, out, err, [&](CheckedModel& checked) {
    return Reporting(options, given, out, err).run(checked);
  });
}

}  // namespace visviva
