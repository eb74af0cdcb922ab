// ModelChanges: values that a case or the command line gives instead of the text's own.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "visviva/text/build/model_draft.h"
#include "visviva/text/build/model_reading.h"

namespace visviva {

/// A value that replaces another.
struct Change {
  Expression value;
  bool from_command_line = false;
  SourceSpan span;
  bool is_used = false;
};

class ModelChanges {
 public:
  /// Collects what the chosen case changes, and after it the settings of the command line.
  ModelChanges(ModelDraft& draft, const ReadOptions& options);

  /// The new value of a name with its primes, which counts as used from now on.
  std::optional<Expression> take(const std::string& name);
  /// The changes by name with primes.
  std::map<std::string, Change>& all() { return changes_; }
  /// The coordinates that the case locks.
  const std::vector<SyntaxName>& locks() const { return locks_; }
  /// Complains about changes that found nothing to change among these names.
  void report_unused(const std::vector<std::string>& candidates);

 private:
  void collect_case(const std::string& name);
  void collect_setting(const std::string& name, const std::string& text);

  ModelDraft& draft_;
  std::map<std::string, Change> changes_;
  std::vector<SyntaxName> locks_;
};

/// Puts an expression of the command line, and all in it, at one place.
void place_at(Expression& e, const SourceSpan& span);
/// True for a place on the command line, which is in no line of the model.
bool is_from_command_line(const SourceSpan& span);
/// Puts the words of the command line into the message of a diagnostic that stands there.
void name_command_line(Diagnostic& diagnostic);

}  // namespace visviva
