#include "visviva/app/cli/field_modes_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <ostream>

#include "visviva/equations/continuum/field_modes.h"
#include "visviva/equations/methods/derive.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

constexpr int elements_for_estimates = 24;
constexpr std::size_t most_modes = 10;
constexpr int digits_of_closed_form = 10;
constexpr int most_digits = 12;

std::string reason_text(NoFieldModes why) {
  switch (why) {
    case NoFieldModes::other_coordinates:
      return "the fields move with coordinates that are none";
    case NoFieldModes::nonlinear:
      return "the field equations are not linear";
    case NoFieldModes::varying:
      return "a coefficient depends on the place or on time";
    case NoFieldModes::damped:
      return "rates appear in the field equations";
    case NoFieldModes::between_ends:
      return "something is attached between the ends";
    case NoFieldModes::not_regular:
      return "the highest slopes are not determined";
    case NoFieldModes::value_missing:
      return "a parameter has no value";
  }
  return {};
}

[[noreturn]] void refuse(const ModelData& model, const std::string& why) {
  const FieldData& field = model.fields.front();
  throw ModelError({{Severity::error, "E-field-discretize",
                     "the field '" + field.name +
                         "' is continuous, and has no frequencies in closed "
                         "form: " +
                         why,
                     "write: discretize " + field.name + ", elements 20", field.source.span}});
}

FieldModes find_modes(const CommandOptions& options, const FindFrequencies& find,
                      const ModelData& model) {
  ReadOptions read = options.read;
  read.fields = {.stay_whole = true};
  const CheckedModel whole = check_given(options, read);
  if (whole.has_error()) throw ModelError(whole.diagnostics);
  if (!model.constraints.empty()) refuse(model, reason_text(NoFieldModes::other_coordinates));
  const FieldEquations equations = derive_field_equations(derive(*whole.motion));
  // What has no closed form is told before anything is cut into elements.
  if (const auto none = find_field_modes(equations, whole.motion->model(), {}); !none)
    refuse(model, reason_text(none.why()));
  read.fields = {.elements = elements_for_estimates};
  CheckedModel cut = check_given(options, read);
  if (cut.has_error()) throw ModelError(cut.diagnostics);
  std::vector<double> estimates = find(cut);
  estimates.resize(std::min(estimates.size(), most_modes));
  return *find_field_modes(equations, whole.motion->model(), estimates);
}

json to_json(const FieldModes& found, const ModelData& model) {
  json modes = json::array();
  for (const FieldMode& mode : found.modes) {
    json shapes = json::object();
    for (std::size_t f = 0; f < mode.shapes.size(); ++f)
      if (!mode.shapes[f].empty()) shapes[model.fields[f].name] = mode.shapes[f];
    modes.push_back({{"frequency", mode.frequency},
                     {"frequency_hz", mode.frequency / (2.0 * std::numbers::pi)},
                     {"shape", shapes}});
  }
  return modes;
}

}  // namespace

int answer_field_modes(const CommandOptions& options, const FindFrequencies& find,
                       std::ostream& out) {
  const CheckedModel checked = check_given(options);
  const ModelData& model = checked.motion->model();
  const FieldModes found = find_modes(options, find, model);
  std::vector<double> hertz;
  for (const FieldMode& mode : found.modes)
    hertz.push_back(mode.frequency / (2.0 * std::numbers::pi));
  if (options.json) {
    print_json({{"states", json::array()},
                {"inputs", json::array()},
                {"frequencies_hz", hertz},
                {"source", "closed form"},
                {"digits", std::vector<int>(hertz.size(), digits_of_closed_form)},
                {"modes", to_json(found, model)},
                {"warnings", diagnostics_json(checked.diagnostics, Severity::warning)}},
               out);
    return exit_good;
  }
  out << model.name << ": frequencies of the continuous system, from its frequency equation\n\n";
  for (const FieldMode& mode : found.modes)
    out << fmt::format("  {:.10g} rad/s, {:.10g} Hz\n", mode.frequency,
                       mode.frequency / (2.0 * std::numbers::pi));
  return exit_good;
}

std::vector<int> count_digits(const CommandOptions& options, const FindFrequencies& find,
                              const std::vector<double>& frequencies) {
  std::vector<int> digits(frequencies.size(), 0);
  ReadOptions read = options.read;
  read.fields = {.refinement = 2};
  CheckedModel finer = check_given(options, read);
  if (finer.has_error()) return digits;
  const std::vector<double> better = find(finer);
  for (std::size_t i = 0; i < std::min(frequencies.size(), better.size()); ++i) {
    const double error = std::abs(frequencies[i] - better[i]) / better[i];
    digits[i] = error <= 0.0
                    ? most_digits
                    : std::clamp(static_cast<int>(std::floor(-std::log10(error))), 0, most_digits);
  }
  return digits;
}

}  // namespace visviva
