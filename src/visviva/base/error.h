// Errors: what the library throws, and the diagnostics a wrong model is described with.
//
// | situation                       | type                                       |
// |---------------------------------|--------------------------------------------|
// | the model is wrong              | ModelError, holding all its diagnostics    |
// | the caller broke a precondition | UsageError, naming the public function     |
// | a bug of ours                   | InternalError                              |
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace visviva {

/// A place in a model's text. Line and column count from 1; line 0 means "not from a text".
struct SourceSpan {
  std::string file;
  int line = 0;
  int column = 0;
  int length = 0;
  std::string pass{};  ///< of a statement that is read more than once: "i = 3"
};

enum class Severity { error, warning };

/// One thing found wrong or suspicious in a model.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;     ///< stable, such as "E-speed-singular"
  std::string message;  ///< what was found and what was expected
  std::string help;     ///< the way out; may be empty
  SourceSpan span;
};

/// The message, and of a statement that is read more than once which time it was.
std::string told_message(const Diagnostic& d);

/// The model is wrong. Holds every diagnostic found, so that a user mends them in one go.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// A public function was called with something it cannot take.
class UsageError : public std::invalid_argument {
 public:
  /// `code` is that of the diagnostic a reader of models would give for it; may be empty.
  UsageError(const std::string& function, const std::string& problem, const std::string& code = "");
  const std::string& function() const { return function_; }
  const std::string& problem() const { return problem_; }
  const std::string& code() const { return code_; }

 private:
  std::string function_;
  std::string problem_;
  std::string code_;
};

/// Something that cannot happen did.
class InternalError : public std::logic_error {
 public:
  explicit InternalError(const std::string& what);
};

}  // namespace visviva
