#include "visviva/base/error.h"

#include <utility>

namespace visviva {

std::string told_message(const Diagnostic& d) {
  return d.span.pass.empty() ? d.message : d.message + " (for " + d.span.pass + ")";
}
namespace {

std::string join_messages(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    if (!text.empty()) text += '\n';
    text += d.code + ": " + d.message;
    if (!d.help.empty()) text += " (" + d.help + ")";
  }
  return text;
}

}  // namespace

ModelError::ModelError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join_messages(diagnostics)), diagnostics_(std::move(diagnostics)) {}

UsageError::UsageError(const std::string& function, const std::string& problem,
                       const std::string& code)
    : std::invalid_argument(function + ": " + problem),
      function_(function),
      problem_(problem),
      code_(code) {}

InternalError::InternalError(const std::string& what)
    : std::logic_error("internal error, please report: " + what) {}

}  // namespace visviva
