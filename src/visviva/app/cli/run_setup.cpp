#include "visviva/app/cli/run_setup.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/quantity_option.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/state/solve.h"

namespace visviva {
namespace {

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

}  // namespace

RunOptions make_run_options(const RunTexts& given, const StudyData& study,
                            std::optional<double> otherwise_until) {
  const auto read = [](const char* option, const std::optional<std::string>& text, const char* unit,
                       std::optional<double> otherwise) {
    return text ? quantity(option, *text, unit) : otherwise;
  };
  const std::optional<double> until =
      read("--until", given.until, "s", study.until ? study.until : otherwise_until);
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

void require_writable(const std::string& file, const std::string& option,
                      const std::string& model) {
  const std::filesystem::path path(file);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const auto fail = [&](const std::string& why) {
    throw WrongCommand{"cannot write '" + file + "': " + why};
  };
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    fail("there is no folder '" + folder.string() + "'");
  if (std::filesystem::is_directory(path, ignored))
    fail("it is a folder; give " + option + " a file");
  if (std::filesystem::equivalent(path, model, ignored)) fail("it is the model");
  const bool is_there = std::filesystem::exists(path, ignored);
  if (access(is_there ? path.c_str() : folder.c_str(), W_OK) != 0)
    fail(is_there ? "it may not be changed"
                  : "the folder '" + folder.string() + "' may not be changed");
}

std::optional<Energies> analyze_energy_or_remark(const Equations& equations, std::ostream& err) {
  if (auto energies = try_analyze_energy(equations)) return *std::move(energies);
  err << "Remark: the constraints cannot be solved symbolically from here: forces that have a "
         "potential only together with them count as nonconservative\n";
  return {};
}

void print_system_remarks(const CompiledSystem& system, const ModelData& model, std::ostream& err) {
  if (system.backend().rfind("interpreter", 0) == 0)
    err << "Remark: no machine code, the run is many times slower: " << system.backend() << '\n';
  const auto is_of_model = [&](const std::string& name) {
    return std::any_of(model.outputs.begin(), model.outputs.end(),
                       [&](const OutputData& o) { return o.name == name; });
  };
  for (const std::string& name : system.other_outputs())
    if (is_of_model(name))
      err << "Remark: the output '" << name << "' is left out: it is no function of the motion\n";
}

void require_run_values(CheckedModel& checked, const Equations& equations,
                        const CompiledSystem& system) {
  std::vector<std::string>& missing = checked.start.missing;
  for (const std::string& name : system.missing_values())
    if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
  require_values(checked);
  if (!equations.unknowns.empty())
    require_unknowns_determined(
        equations, MotionSolver(equations)(make_state(*checked.motion, checked.start)));
}

}  // namespace visviva
