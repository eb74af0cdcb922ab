// `visviva simulate MODEL`: a run with its certificate, written to trajectory.csv and .h5.
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/interruption.h"
#include "visviva/app/cli/quantity_option.h"
#include "visviva/app/cli/run_recorder.h"
#include "visviva/app/cli/simulate_answer.h"
#include "visviva/codegen/compile_system.h"
#include "visviva/equations/solve.h"
#include "visviva/report/trajectory_json.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

// The command is wrong.
struct WrongCommand {
  std::string message;
};

double quantity(const std::string& option, const std::string& text, const std::string& unit) {
  const QuantityReading reading = read_quantity_option(option, text, unit);
  if (!reading.value) throw WrongCommand{reading.problem};
  return *reading.value;
}

// "1e-6", "1e-6 J" or "1e-9 relative"
void read_energy(std::string text, RunOptions* run) {
  const std::string word = " relative";
  run->is_energy_relative = text.ends_with(word);
  if (run->is_energy_relative) text.resize(text.size() - word.size());
  run->energy = quantity("--energy", text, run->is_energy_relative ? "1" : "J");
}

// From the command line, else from the model's study.
RunOptions make_run_options(const SimulateOptions& given, const StudyData& study) {
  const auto read = [](const char* option, const std::optional<std::string>& text, const char* unit,
                       std::optional<double> otherwise) {
    return text ? quantity(option, *text, unit) : otherwise;
  };
  const std::optional<double> until = read("--until", given.until, "s", study.until);
  if (!until)
    throw WrongCommand{
        "how long? Give --until, such as --until \"10 s\", or a line `study until 10 s` in the "
        "model"};
  RunOptions run;
  run.until = *until;
  run.every = read("--every", given.every, "s", study.every);
  run.tolerance = read("--tolerance", given.tolerance, "1", study.tolerance);
  run.energy = study.energy;
  if (given.energy) read_energy(*given.energy, &run);
  run.max_step = read("--max-step", given.max_step, "s", run.max_step).value();
  run.method = given.method;
  if (given.certify && *given.certify != "state")
    throw WrongCommand{"--certify: expected 'state', found '" + *given.certify + "'"};
  run.certify_state = given.certify.has_value();
  run.keep_samples = false;
  return run;
}

// Compiling the exact Jacobian of a long chain in space takes longer than most runs: then it is left to
// those who ask for an implicit method.
SystemOptions make_system_options(const Equations& equations, const std::string& method) {
  constexpr std::size_t few_speeds = 16;
  const bool is_implicit = method == "radau5" || method == "cvode-bdf" || method == "ida";
  return {.jacobian = is_implicit || equations.forcing.size() <= few_speeds,
          .sensitivities = false,
          .momenta = method.starts_with("variational")};
}

// Formal energies where the constraints cannot be embedded.
CompiledSystem make_system(const Equations& equations, const std::string& method,
                           std::ostream& err) {
  const SystemOptions options = make_system_options(equations, method);
  std::optional<Energies> energies;
  try {
    energies = analyze_energy(equations);
  } catch (const UsageError&) {
    err << "Remark: the constraints cannot be solved symbolically from here: forces that have a "
           "potential only together with them count as nonconservative\n";
  }
  if (energies) return compile(equations, *energies, options);
  const VelocitySplit split(equations);
  return compile(equations, split, analyze_formal_energy(equations, split, nullptr),
                 choose_dependent_speeds(equations), options);
}

void print_remarks(const CompiledSystem& system, std::ostream& err) {
  if (system.backend().rfind("interpreter", 0) == 0)
    err << "Remark: no machine code, the run is many times slower: " << system.backend() << '\n';
  for (const std::string& name : system.other_outputs())
    err << "Remark: the output '" << name << "' is left out: it is no function of the motion\n";
}

// All that has no value, whether the start needs it or the run.
void require_all_values(CheckedModel& checked, const CompiledSystem& system) {
  std::vector<std::string>& missing = checked.start.missing;
  for (const std::string& name : system.missing_values())
    if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
  require_values(checked);
}

class Simulation {
 public:
  Simulation(const CommandOptions& options, const SimulateOptions& given, std::ostream& out,
             std::ostream& err)
      : options_(options), given_(given), out_(out), err_(err) {}

  int run(CheckedModel& checked) {
    const Kinematics& motion = *checked.motion;
    RunOptions run_options = make_run_options(given_, motion.model().study);
    const Equations equations = derive(motion);
    const CompiledSystem system = make_system(equations, run_options.method, err_);
    require_all_values(checked, system);
    if (!equations.unknowns.empty())
      require_unknowns_determined(equations,
                                  MotionSolver(equations)(make_state(motion, checked.start)));
    print_remarks(system, err_);

    const std::string folder = given_.folder.value_or(motion.model().name + "_run");
    RunRecorder recorder(folder, motion,
                         {motion.model().name, checked.source.text, given_.version, given_.command},
                         isatty(STDERR_FILENO) != 0 ? &err_ : nullptr);
    run_options.watcher = &recorder;
    const Interruption interruption;
    Trajectory result = simulate(system, run_options);
    if (!recorder.could_begin()) throw WrongCommand{recorder.problem()};
    if (result.refusal == Refusal::bad_request) throw WrongCommand{result.reason};
    finish(recorder, &result);
    answer(result, checked, recorder);
    return result.status == RunStatus::done ? exit_good : exit_not_certified;
  }

 private:
  // What could not be written makes a good run a failed one.
  static void finish(RunRecorder& recorder, Trajectory* run) {
    const bool is_written =
        recorder.finish({name_of(run->status), run->reason, make_certificate_json(*run).dump()});
    if (is_written || run->status == RunStatus::refused) return;
    run->status = RunStatus::stopped;
    run->reason = recorder.problem();
  }

  void answer(const Trajectory& run, const CheckedModel& checked, const RunRecorder& recorder) {
    const Kinematics& motion = *checked.motion;
    if (run.status == RunStatus::stopped || run.status == RunStatus::refused) {
      err_ << "visviva: " << name_of(run.status);
      if (run.status == RunStatus::stopped) err_ << " at t = " << number_text(run.t_end) << " s";
      err_ << ": " << run.reason
           << (recorder.sample_count() > 0 ? "; what was computed until then is kept\n" : "\n");
    }
    if (!options_.json) {
      print_run(run, motion, recorder, out_);
      return;
    }
    json j = make_trajectory_json(run, motion.model());
    j["columns"] = json::object();
    for (const TrajectoryColumn& c : recorder.columns()) j["columns"][c.name] = c.unit;
    j["samples"] = recorder.sample_count();
    j["files"] = recorder.files();
    j["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
    out_ << j.dump(2) << '\n';
  }

  const CommandOptions& options_;
  const SimulateOptions& given_;
  std::ostream& out_;
  std::ostream& err_;
};

int answer_wrong_command(const std::string& message, bool as_json, std::ostream& out,
                         std::ostream& err) {
  err << "visviva: " << message << '\n';
  const Diagnostic diagnostic{Severity::error, "", message, "", {}};
  if (as_json)
    out << json{{"errors", diagnostics_json({diagnostic}, Severity::error)}}.dump(2) << '\n';
  return exit_wrong_command;
}

}  // namespace

int run_simulate(const CommandOptions& options, const SimulateOptions& given, std::ostream& out,
                 std::ostream& err) {
  try {
    return with_model(options, out, err, [&](CheckedModel& checked) {
      return Simulation(options, given, out, err).run(checked);
    });
  } catch (const WrongCommand& wrong) {
    return answer_wrong_command(wrong.message, options.json, out, err);
  }
}

}  // namespace visviva
