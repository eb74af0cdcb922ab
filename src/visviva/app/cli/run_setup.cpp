#include "visviva/app/cli/run_setup.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <sstream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/quantity_option.h"
#include "visviva/base/suggest.h"
#include "visviva/base/words.h"
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

// A run cannot begin at what is no number.
void require_finite_start(const CompiledSystem& system) {
  std::vector<std::string> names;
  const NamedValues& start = system.start();
  for (std::size_t i = 0; i < start.size(); ++i)
    if (!std::isfinite(start.values()[i])) names.push_back(start.names()[i]);
  if (names.empty()) return;
  throw ModelError(
      {{Severity::error,
        "E-state-not-finite",
        "at the start " + join_words(names) +
            (names.size() == 1 ? " has no finite value" : " have no finite values"),
        "start elsewhere: a divisor or the argument of a logarithm or root may be zero there, or "
        "choose other speeds",
        {}}});
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

std::string default_stem(const ModelData& model) {
  return model.case_name.empty() ? model.name : model.name + "-" + model.case_name;
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
                       [&](const OutputData& o) { return o.name == name && o.speed.empty(); });
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
  require_finite_start(system);
  if (!equations.unknowns.empty())
    require_unknowns_determined(
        equations, MotionSolver(equations)(make_state(*checked.motion, checked.start)));
}

std::vector<std::string> list_cases(const ModelData& model, const std::string& text) {
  std::vector<std::string> known, wanted;
  for (const CaseData& c : model.cases) known.push_back(c.name);
  if (text.empty()) return {};
  if (known.empty()) throw WrongCommand{"--cases: the model has no cases"};
  if (text == "all") return known;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');) {
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string nearest = did_you_mean(name, known);
      throw WrongCommand{"--cases: the model has no case '" + name + "'" +
                         (nearest.empty() ? "; it has " + list_words(known) : "; " + nearest)};
    }
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) wanted.push_back(name);
  }
  return wanted;
}

}  // namespace visviva
