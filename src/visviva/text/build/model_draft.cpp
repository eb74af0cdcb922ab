#include "visviva/text/build/model_draft.h"

#include <filesystem>

#include "visviva/base/render.h"
#include "visviva/base/suggest.h"
#include "visviva/text/build/scoped_value.h"

namespace visviva {
namespace {

// The name that the text gives, or that of its file.
std::string model_name(const SyntaxTree& tree) {
  for (const SyntaxStatement& s : tree.statements) {
    if (s.kind == StatementKind::model && !s.name.text.empty()) return s.name.text;
  }
  const std::string stem = std::filesystem::path(tree.file).stem().string();
  return !stem.empty() && (stem[0] < '0' || stem[0] > '9') &&
                 stem.find_first_not_of(
                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
                     std::string::npos
             ? stem
             : "model";
}

}  // namespace

std::string line_of(const SourceSpan& place, const SourceSpan& here) {
  return "line " + std::to_string(place.line) +
         (place.file == here.file ? "" : " of " + place.file);
}

ModelDraft::ModelDraft(const SyntaxTree& tree, const SourceText& source)
    : tree_(tree), source_(source), model_(model_name(tree)), diagnostics_(tree.diagnostics) {
  for (const ExpandedJoint& j : tree_.joints) model_.add_joint({j.name, j.kind, j.statements});
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.kind == StatementKind::model) model_.document(s.documentation);
    if (s.kind == StatementKind::case_) model_.add_case({s.name.text, s.documentation});
  }
}

std::string ModelDraft::written(const Expression& e) const {
  const std::string_view line = find_line(source_, e.span.file, e.span.line);
  // Spans count characters.
  std::string text;
  int column = 0;
  for (const char c : line) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++column;
    if (column >= e.span.column && column < e.span.column + e.span.length) text += c;
  }
  return text.empty() ? print_syntax(e) : text;
}

// ---- The statement that is being read

bool ModelDraft::attempt(const SourceSpan& span, const std::string& documentation,
                         const std::function<void()>& work) {
  documentation_ = documentation;
  stand_at(span);
  try {
    work();
    return true;
  } catch (const GivenUp&) {
  } catch (const UsageError& error) {
    const SourceSpan& here = data().dimensions.here;
    report({Severity::error, error.code().empty() ? "E-name-kind" : error.code(), error.problem(),
            "", here.line > 0 ? here : span});
  }
  return false;
}

bool ModelDraft::attempt_amid(const SourceSpan& span, const std::string& documentation,
                              const std::function<void()>& work) {
  const ScopedValue inner(documentation_, documentation);
  return attempt(span, documentation, work);
}

void ModelDraft::for_each(StatementKind kind,
                          const std::function<void(const SyntaxStatement&)>& work) {
  for (const SyntaxStatement& s : tree_.statements) {
    if (s.kind == kind && !s.damaged) attempt(s.span, s.documentation, [&] { work(s); });
  }
}

// ---- What is wrong

void ModelDraft::fail(const SourceSpan& span, const std::string& code, const std::string& message,
                      const std::string& help) {
  report({Severity::error, code, message, help, span});
  throw GivenUp();
}

void ModelDraft::fail_unknown(const SyntaxName& name, const std::string& what,
                              const std::vector<std::string>& candidates) {
  if (is_unread(name.text)) throw GivenUp();
  fail(name.span, "E-name-unknown",
       "there is no " + what + " '" + with_primes(name.text, name.primes) + "'",
       did_you_mean(name.text, candidates));
}

void ModelDraft::fail(const SourceSpan& span, const UsageError& refusal, const char* code) {
  fail(span, refusal.code().empty() ? code : refusal.code(), refusal.problem());
}

void ModelDraft::report(const Diagnostic& error) {
  const SourceSpan& here = error.span;
  for (const Diagnostic& d : diagnostics_) {
    if (here.line > 0 && d.severity == Severity::error && d.span.file == here.file &&
        d.span.line == here.line && d.span.column == here.column)
      return;
  }
  diagnostics_.push_back(error);
}

bool ModelDraft::has_error() const { return visviva::has_error(diagnostics_); }

bool ModelDraft::has_syntax_error(const SourceSpan& span) const {
  for (const Diagnostic& d : tree_.diagnostics) {
    if (d.severity == Severity::error && d.span.line == span.line && d.span.file == span.file &&
        d.span.column >= span.column && d.span.column <= span.column + span.length + 1)
      return true;
  }
  return false;
}

}  // namespace visviva
