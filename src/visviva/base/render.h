// Diagnostics as text for a terminal: code, message, place, the line with carets, and the way out.
#pragma once

#include <string>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/base/source_text.h"

namespace visviva {

/// How diagnostics are shown.
struct RenderOptions {
  bool colour = false;  ///< ANSI escapes
  std::size_t most =
      100;  ///< diagnostics shown; errors come before warnings when some must be left out
};

/// The text of a diagnostic:
/// error[E-unit-unknown]: 'kgg' is not a unit
///   --> hoist.viva:3:19
///    |
///  3 | parameter  mQ = 1 kgg
///    |                   ^^^
///    = help: did you mean 'kg'?
std::string render_diagnostic(const Diagnostic& diagnostic, const SourceText& source,
                              const RenderOptions& options = {});

/// The text of all diagnostics, sorted by place, and a last line that counts them; "" when there
/// are none.
std::string render_diagnostics(const std::vector<Diagnostic>& diagnostics, const SourceText& source,
                               const RenderOptions& options = {});

/// True when at least one is an error, not a warning.
bool has_error(const std::vector<Diagnostic>& diagnostics);

/// Diagnostics sorted by file, line and column; what has no place comes last. The first `most` of
/// them: errors first when not all fit.
std::vector<Diagnostic> sort_diagnostics(std::vector<Diagnostic> diagnostics,
                                         std::size_t most = 100);

}  // namespace visviva
