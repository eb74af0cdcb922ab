#include "visviva/text/build/model_changes.h"

#include "visviva/base/suggest.h"
#include "visviva/text/syntax/check_syntax.h"
#include "visviva/text/syntax/parser.h"

namespace visviva {

void place_at(Expression& e, const SourceSpan& span) {
  e.span = span;
  for (Expression& operand : e.operands) place_at(operand, span);
}

ModelChanges::ModelChanges(ModelDraft& draft, const ReadOptions& options) : draft_(draft) {
  if (!options.case_name.empty()) collect_case(options.case_name);
  for (const auto& [name, text] : options.settings) collect_setting(name, text);
}

void ModelChanges::collect_case(const std::string& name) {
  std::vector<std::string> names;
  for (const SyntaxStatement& s : draft_.tree().statements) {
    if (s.kind != StatementKind::case_) continue;
    names.push_back(s.name.text);
    if (s.name.text != name) continue;
    for (const SyntaxItem& item : s.items) {
      if (item.is_lock) locks_.push_back(item.name);
      if (item.is_lock || !item.target || !item.value) continue;
      changes_[with_primes(item.target->text, item.target->primes)] = {*item.value, false,
                                                                       item.span};
    }
    return draft_.model().set_case(name);
  }
  draft_.add({Severity::error,
              "E-case-unknown",
              "the model has no case '" + name + "'",
              names.empty() ? "it has no cases" : did_you_mean(name, names),
              {}});
}

void ModelChanges::collect_setting(const std::string& name, const std::string& text) {
  ExpressionReading reading = parse_expression({"--set", text});
  if (reading.expression) {
    reading.diagnostics = check_function_places(*reading.expression);
    if (!reading.diagnostics.empty()) reading.expression.reset();
  }
  if (!reading.expression) {
    const std::string why =
        reading.diagnostics.empty() ? "" : ": " + reading.diagnostics.front().message;
    return draft_.add({Severity::error,
                       "E-set-form",
                       "--set " + name + "=" + text + " cannot be read" + why,
                       "write a number and its unit, such as --set \"L=0.7 m\"",
                       {}});
  }
  const SourceSpan place = {"--set " + name, 0, 0, 0};
  place_at(*reading.expression, place);
  changes_[name] = {*reading.expression, true, place};
}

std::optional<Expression> ModelChanges::take(const std::string& name) {
  const auto change = changes_.find(name);
  if (change == changes_.end()) return std::nullopt;
  change->second.is_used = true;
  return change->second.value;
}

void ModelChanges::report_unused(const std::vector<std::string>& candidates) {
  for (const auto& [name, change] : changes_) {
    if (change.is_used) continue;
    draft_.add({Severity::error, change.from_command_line ? "E-set-unknown" : "E-case-change",
                "there is nothing named '" + name + "' that can be changed",
                did_you_mean(name, candidates), change.span});
  }
}

bool is_from_command_line(const SourceSpan& span) {
  return span.file.starts_with("--set ") || span.file.starts_with("--express ") ||
         span.file.starts_with("--variation ");
}

void name_command_line(Diagnostic& d) {
  if (d.code != "E-set-unknown") d.message = d.span.file + ": " + d.message;
  d.span = {};
}

}  // namespace visviva
