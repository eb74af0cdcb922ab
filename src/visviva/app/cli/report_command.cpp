// `visviva report MODEL`: one page with the mechanism, its equations, its integrals and its motion.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <system_error>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/field_refinement.h"
#include "visviva/app/cli/follow_file.h"
#include "visviva/app/cli/interruption.h"
#include "visviva/app/cli/output_file.h"
#include "visviva/app/cli/progress_line.h"
#include "visviva/app/cli/run_setup.h"
#include "visviva/app/cli/simulate_answer.h"
#include "visviva/app/cli/whole_fields.h"
#include "visviva/base/render.h"
#include "visviva/base/sequence.h"
#include "visviva/base/words.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/report/page/report.h"
#include "visviva/report/plot/plot_choice.h"
#include "visviva/report/plot/plot_outputs.h"
#include "visviva/report/trajectory/reason_text.h"
#include "visviva/report/trajectory/trajectory_json.h"
#include "visviva/text/syntax/colour_text.h"

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

// One line on a terminal that says what is being done; gone in the end.
class StepLine {
 public:
  explicit StepLine(std::ostream* err) : err_(err) {}
  ~StepLine() { show(""); }
  StepLine(const StepLine&) = delete;
  StepLine& operator=(const StepLine&) = delete;
  void show(const char* step) {
    if (err_ != nullptr) *err_ << "\r\x1b[K" << step << std::flush;
  }

 private:
  std::ostream* err_;
};

class Reporting {
 public:
  /// `followed` may be null: nothing follows a file.
  Reporting(const CommandOptions& options, const ReportOptions& given, const FollowedFile* followed,
            std::ostream& out, std::ostream& err)
      : options_(options), given_(given), followed_(followed), out_(out), err_(err) {}

  int operator()(CheckedModel& checked) {
    const ModelData& model = checked.motion->model();
    const RunOptions run_options = make_options(model);
    const std::string file = given_.out.value_or(default_stem(model) + ".html");
    require_writable({file, OutputKind::page, "--out", options_.model, given_.force});
    const std::vector<std::string> case_names = list_cases(model, given_.cases);
    std::optional<Trajectory> run;
    std::string no_run;
    try {
      run = simulate_for_report(checked, run_options);
    } catch (const ModelError& error) {
      no_run = error.diagnostics().front().message;
    }
    for (const std::string& name : case_names) run_case(name, checked.source);
    const std::string page = make_report(checked, run, no_run);
    write_output(file, page);
    answer(file, checked, run, no_run);
    if (!diagnose_claim_tests(claims_).empty()) return exit_wrong_model;
    const bool is_good = (!run || run->status == RunStatus::done) && are_cases_good_;
    return is_good ? exit_good : exit_not_certified;
  }

 private:
  std::ostream* terminal() const { return isatty(STDERR_FILENO) != 0 ? &err_ : nullptr; }

  RunOptions make_options(const ModelData& model) const {
    if (followed_ == nullptr) return make_run_options(given_.run, model.study, default_until);
    RunOptions run = make_run_options(given_.run, model.study, followed_->model_times().back());
    follow_times(*followed_, given_.run, &run);
    return run;
  }

  // ---- Cases side by side

  // What goes wrong with a case is said in its panel.
  void run_case(const std::string& name, const SourceText& source) {
    CasePanel panel{name};
    ReadOptions read = options_.read;
    read.case_name = name;
    CheckedModel checked = check_text(source, read);
    judge_claims(&checked, options_.strict);
    try {
      if (checked.has_error()) {
        std::erase_if(checked.diagnostics,
                      [](const Diagnostic& d) { return d.severity != Severity::error; });
        throw ModelError(checked.diagnostics);
      }
      for (const CaseData& c : checked.motion->model().cases)
        if (c.name == name) panel.documentation = c.documentation;
      const Equations equations = derive(*checked.motion);
      const Trajectory run = simulate_case(checked, equations);
      panel.plots = make_asked_plots(run, equations);
      for (Plot& plot : panel.plots)
        for (PlotSeries& series : plot.series)
          series.causes.clear();  // they are of another reading
      if (run.status != RunStatus::done)
        panel.remark = std::string(name_of(run.status)) + ": " + write_reason_text(run.reason);
    } catch (const ModelError& error) {
      panel.remark = "No run: " + error.diagnostics().front().message + ".";
    }
    are_cases_good_ = are_cases_good_ && panel.remark.empty();
    cases_.push_back(std::move(panel));
  }

  Trajectory simulate_case(CheckedModel& checked, const Equations& equations) {
    RunOptions run_options = make_options(checked.motion->model());
    std::optional<Energies> energies;
    if (auto found = try_analyze_energy(equations)) energies = *std::move(found);
    SystemOptions system_options = choose_system_options(equations, run_options.method);
    system_options.extra_outputs = list_plot_outputs(equations);
    const CompiledSystem system = compile_for_run(equations, energies, system_options);
    require_run_values(checked, equations, system);
    ReportWatcher watcher(terminal());
    run_options.watcher = &watcher;
    run_options.keep_samples = true;
    const Interruption interruption;
    return simulate(system, run_options);
  }

  // As `simulate` does it, number for number.
  Trajectory simulate_for_report(CheckedModel& checked, RunOptions run_options) {
    StepLine steps(terminal());
    steps.show("deriving the equations");
    const Equations equations = derive(*checked.motion);
    if (followed_ != nullptr) require_own_time(*followed_, equations);
    const std::optional<Energies> energies = analyze_energy_or_remark(equations, err_);
    SystemOptions system_options = choose_system_options(equations, run_options.method);
    system_options.extra_outputs =
        list_report_outputs(equations, make_scene(equations, checked.start));
    append(&system_options.extra_outputs, list_claim_outputs(equations));
    steps.show("compiling");
    const CompiledSystem system = compile_for_run(equations, energies, system_options);
    steps.show("");
    require_run_values(checked, equations, system);
    print_system_remarks(system, checked.motion->model(), err_);
    ReportWatcher watcher(terminal());
    run_options.watcher = &watcher;
    run_options.keep_samples = true;
    const Interruption interruption;
    Trajectory run = simulate(system, run_options);
    if (run.refusal == Refusal::bad_request) throw WrongCommand{write_reason_text(run.reason)};
    claims_ = test_claims_along(system, run_options, run, checked);
    discretization_ =
        estimate_discretization(checked, options_.read, options_.check, run_options, run);
    return run;
  }

  // From a second reading: what was compiled has left its symbols with the first.
  std::string make_report(const CheckedModel& checked, const std::optional<Trajectory>& run,
                          const std::string& no_run) {
    StepLine steps(terminal());
    steps.show("writing the page");
    const CheckedModel fresh =
        check_text(join_parts(checked.source), options_.read, options_.check);
    const Equations equations = derive(*fresh.motion);
    const Report report(equations, checked.start, make_origin(checked));
    return run ? report.make(*run) : report.make_without_run(no_run);
  }

  ReportOrigin make_origin(const CheckedModel& checked) {
    const SourceText source = join_parts(checked.source);
    ReportOrigin origin{source, colour_text(source), given_.made_by.version, given_.made_by.command,
                        cases_};
    if (discretization_) origin.certificate.push_back(write_discretization(*discretization_));
    if (const auto fields = find_whole_fields(checked, options_)) {
      const auto& balances = fields->equations.balances;
      origin.fields = {list_field_lines(fields->equations, fields->model(), Notation::mathml),
                       write_field_equations_latex(fields->equations, fields->model()),
                       std::all_of(balances.begin(), balances.end(),
                                   [](const PowerBalance& b) { return b.is_proved; })};
    }
    if (followed_ != nullptr) {
      origin.remarks.push_back(list_words(followed_->plan.driven) +
                               (followed_->plan.driven.size() == 1 ? " follows " : " follow ") +
                               followed_->path + ".");
      append(&origin.remarks, list_plan_remarks(*followed_));
    } else if (!given_.run.until && !checked.motion->model().study.until)
      origin.remarks.push_back(
          "Neither the model's study nor --until says how long: 10 s were taken.");
    for (const Diagnostic& d : checked.diagnostics)
      if (d.severity == Severity::warning)
        origin.remarks.push_back(
            (d.span.line > 0 ? "line " + std::to_string(d.span.line) + ": " : "") + d.message);
    for (const ClaimTest& test : claims_)
      origin.remarks.push_back("Claim " + write_claim_test(test));
    return origin;
  }

  void answer(const std::string& file, const CheckedModel& checked,
              const std::optional<Trajectory>& run, const std::string& no_run) {
    std::error_code ignored;
    const std::string place = std::filesystem::absolute(file, ignored).lexically_normal().string();
    if (!run)
      err_ << "visviva: no run, so the page has no motion: " << no_run << '\n';
    else if (run->status != RunStatus::done)
      err_ << "visviva: " << name_of(run->status) << ": " << write_reason_text(run->reason) << '\n';
    for (const CasePanel& panel : cases_)
      if (!panel.remark.empty())
        err_ << "visviva: case " << panel.name << ": " << panel.remark << '\n';
    const std::vector<Diagnostic> refuted = diagnose_claim_tests(claims_);
    if (!options_.json) {
      out_ << "The report is " << place << '\n';
      err_ << render_diagnostics(refuted, checked.source, {.colour = options_.colour});
      return;
    }
    json j = run ? make_trajectory_json(*run, checked.motion->model()) : json::object();
    if (!run) j["no_run"] = no_run;
    for (const CasePanel& panel : cases_)
      j["cases"].push_back(
          {{"name", panel.name}, {"plots", panel.plots.size()}, {"remark", panel.remark}});
    j["files"] = {place};
    j["claims"] = make_claims_json(claims_);
    if (!refuted.empty()) j["errors"] = diagnostics_json(refuted, Severity::error);
    j["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
    print_json(j, out_);
  }

  const CommandOptions& options_;
  const ReportOptions& given_;
  const FollowedFile* followed_;
  std::ostream& out_;
  std::ostream& err_;
  std::vector<CasePanel> cases_;
  std::optional<DiscretizationError> discretization_;
  std::vector<ClaimTest> claims_;
  bool are_cases_good_ = true;
};

}  // namespace

int run_report(const CommandOptions& options, const ReportOptions& given, std::ostream& out,
               std::ostream& err) {
  if (!given.along)
    return with_model(options, out, err, Reporting(options, given, nullptr, out, err));
  CommandOptions followed_options = options;
  FollowedFile followed;
  const std::vector<Diagnostic> problems = follow_file(*given.along, &followed_options, &followed);
  if (!problems.empty()) return answer_errors({{}, problems, {}, {}, {}}, options, out, err);
  return with_model(followed_options, out, err,
                    Reporting(followed_options, given, &followed, out, err));
}

}  // namespace visviva
