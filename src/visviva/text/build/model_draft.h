// ModelDraft: a Model while its text is read, with the statement that is being read and everything
// found wrong so far.
//
// An error becomes a diagnostic at its place, and the statement it is in is given up; the others
// go on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "visviva/base/source_text.h"
#include "visviva/model/model.h"
#include "visviva/text/syntax/syntax.h"

namespace visviva {

/// Thrown when a statement is given up; its diagnostic has been reported.
struct GivenUp {};

/// "line 3", or "line 3 of part.viva" when that is another file than the one `here` is in.
std::string line_of(const SourceSpan& place, const SourceSpan& here);

class ModelDraft {
 public:
  /// A model with the text's title and list of cases, and nothing else yet.
  ModelDraft(const SyntaxTree& tree, const SourceText& source);

  const SyntaxTree& tree() const { return tree_; }
  const SourceText& source() const { return source_; }
  Model& model() { return model_; }
  const ModelData& data() const { return model_.data(); }
  /// The text of an expression as the user wrote it.
  std::string written(const Expression& e) const;

  // ---- The statement that is being read

  /// Reads something at a place, with the author's words about it; false when it was given up.
  bool attempt(const SourceSpan& span, const std::string& documentation,
               const std::function<void()>& work);
  /// Reads what another statement needs, amid that one, whose words return afterwards.
  bool attempt_amid(const SourceSpan& span, const std::string& documentation,
                    const std::function<void()>& work);
  /// Attempts every undamaged statement of a kind, in the order of the text.
  void for_each(StatementKind kind, const std::function<void(const SyntaxStatement&)>& work);
  /// The declarations that follow stand at this place, with the words of the statement being read.
  void stand_at(const SourceSpan& span) { model_.set_source(span, documentation_); }

  // ---- What is wrong

  /// Reports an error and gives the statement up.
  [[noreturn]] void fail(const SourceSpan& span, const std::string& code,
                         const std::string& message, const std::string& help = "");
  /// The name stands in a statement that could not be read, and may be declared there.
  /// So may every name where a part of the text is missing.
  bool is_unread(const std::string& name) const {
    return tree_.is_incomplete || tree_.unread_names.count(name) != 0;
  }
  /// Fails because a name is unknown; quietly where it stood in a statement that could not be read.
  [[noreturn]] void fail_unknown(const SyntaxName& name, const std::string& what,
                                 const std::vector<std::string>& candidates);
  /// Fails with what the model refused; `code` is for refusals that have none of their own.
  [[noreturn]] void fail(const SourceSpan& span, const UsageError& refusal, const char* code);
  /// Adds an error, unless there is one at its place: what follows from that says nothing new.
  void report(const Diagnostic& error);
  /// Adds a diagnostic whatever there is at its place.
  void add(const Diagnostic& diagnostic) { diagnostics_.push_back(diagnostic); }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  bool has_error() const;
  /// True where the parser complained, and went on with what it could read.
  bool has_syntax_error(const SourceSpan& span) const;

 private:
  const SyntaxTree& tree_;
  const SourceText& source_;
  Model model_;
  std::string documentation_;  // of the statement that is being read
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace visviva
