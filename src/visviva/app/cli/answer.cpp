#include "visviva/app/cli/answer.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/base/render.h"
#include "visviva/base/words.h"
#include "visviva/equations/defined_functions.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

}  // namespace

CheckedModel check_given(const CommandOptions& options, const ReadOptions& read) {
  if (options.text) return check_text(*options.text, read, options.check);
  return check_file(options.model, read, options.check);
}

json diagnostics_json(const std::vector<Diagnostic>& list, Severity severity) {
  json result = json::array();
  for (const Diagnostic& d : list) {
    if (d.severity != severity) continue;
    result.push_back({{"code", d.code},
                      {"file", d.span.file},
                      {"line", d.span.line},
                      {"column", d.span.column},
                      {"message", told_message(d)},
                      {"help", d.help}});
  }
  return result;
}

void print_json(const json& answer, std::ostream& out) {
  out << answer.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
}

int answer_errors(const CheckedModel& checked, const CommandOptions& options, std::ostream& out,
                  std::ostream& err) {
  if (options.json) {
    const json result = {{"errors", diagnostics_json(checked.diagnostics, Severity::error)},
                         {"warnings", diagnostics_json(checked.diagnostics, Severity::warning)}};
    print_json(result, out);
  } else {
    err << render_diagnostics(checked.diagnostics, checked.source, {.colour = options.colour});
  }
  return exit_wrong_model;
}

namespace {

// The words for people, and with --json the object for scripts.
int answer_wrong_command(const WrongCommand& wrong, bool is_json, std::ostream& out,
                         std::ostream& err) {
  err << "visviva: " << wrong.message << '\n';
  const Diagnostic diagnostic{Severity::error, "", wrong.message, "", {}};
  if (is_json) print_json({{"errors", diagnostics_json({diagnostic}, Severity::error)}}, out);
  return exit_wrong_command;
}

struct Streams {
  std::ostream& out;
  std::ostream& err;
};

// Commands that need coordinates refuse fields that were left whole.
void require_elements(const CheckedModel& checked) {
  for (const FieldData& field : checked.motion->model().fields) {
    if (field.elements != 0) continue;
    throw ModelError(
        {{Severity::error, "E-field-discretize",
          "the field '" + field.name + "' is continuous: this command needs coordinates",
          "write: discretize " + field.name +
              ", elements 20; `derive` shows its field equations without it",
          field.source.span}});
  }
}

// Errors that the work found, after the check.
int answer_late_errors(const std::vector<Diagnostic>& errors, CheckedModel& checked,
                       const CommandOptions& options, const Streams& to) {
  // Warnings were shown already, but JSON is one object.
  if (!options.json) checked.diagnostics.clear();
  checked.diagnostics.insert(checked.diagnostics.end(), errors.begin(), errors.end());
  checked.diagnostics = sort_diagnostics(checked.diagnostics, 1000);
  return answer_errors(checked, options, to.out, to.err);
}

}  // namespace

int with_model(const CommandOptions& options, std::ostream& out, std::ostream& err,
               const std::function<int(CheckedModel&)>& work) {
  CheckedModel checked = check_given(options);
  judge_claims(&checked, options.strict);
  if (checked.has_error()) return answer_errors(checked, options, out, err);
  if (!options.json) {
    std::vector<Diagnostic> shown = checked.diagnostics;
    if (!options.shows_start)
      std::erase_if(shown, [](const Diagnostic& d) {
        return d.code == "W-start-changed" || d.code == "W-start-singular";
      });
    err << render_diagnostics(shown, checked.source, {.colour = options.colour});
  }
  try {
    if (!options.takes_whole_fields) require_elements(checked);
    return work(checked);
  } catch (const WrongCommand& wrong) {
    return answer_wrong_command(wrong, options.json, out, err);
  } catch (const ModelError& error) {
    return answer_late_errors(error.diagnostics(), checked, options, {out, err});
  } catch (const UsageError& error) {
    return answer_late_errors({diagnose_refusal(error)}, checked, options, {out, err});
  }
}

void require_values(const CheckedModel& checked) {
  if (checked.start.missing.empty()) return;
  const ModelData& m = checked.motion->model();
  require_defined_functions(m);
  SourceSpan place;
  std::vector<std::string> names;
  for (const std::string& name : checked.start.missing) {
    SourceSpan span;
    for (const ParameterData& p : m.parameters)
      if (p.name == name) span = p.source.span;
    for (const SpecifiedData& s : m.specified)
      if (s.name == name) span = s.source.span;
    if (names.empty()) place = span;
    names.push_back(span.line > 0 ? fmt::format("{} (line {})", name, span.line) : name);
  }
  const std::string message =
      checked.start.missing.size() == 1 ? "a value is missing: " : "values are missing: ";
  throw ModelError({{Severity::error, "E-value-missing", message + join_words(names),
                     "give it in the model, or with --set NAME=VALUE", place}});
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "not determined";
  // What is smaller than anything in mechanics is left over from rounding.
  return fmt::format("{:.6g}", std::abs(value) < 1e-20 ? 0.0 : value);
}

}  // namespace visviva
