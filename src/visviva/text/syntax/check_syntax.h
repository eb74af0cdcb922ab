// Checks of a whole syntax tree that need no meaning: reserved names, functions in their places,
// units that hide names.
#pragma once

#include "visviva/text/syntax/syntax.h"
#include "visviva/text/syntax/token.h"

namespace visviva {

/// Names that every model has already (E_Z, t, N, No) are not declared again.
std::vector<Diagnostic> check_reserved_names(const SyntaxTree& tree);
/// rotate only as a frame, table only as a specified function, reaction only in outputs; what they
/// hold.
std::vector<Diagnostic> check_function_places(const SyntaxTree& tree);
/// A unit inside a product is read as a unit even when a scalar has its name: `3 m*s*k` with a
/// coordinate s.
std::vector<Diagnostic> check_hidden_names(const SyntaxTree& tree, const SourceText& source,
                                           const std::vector<Token>& tokens);

}  // namespace visviva
