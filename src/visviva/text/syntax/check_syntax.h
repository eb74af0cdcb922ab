// Checks of a whole syntax tree that need no meaning: reserved names, functions in their places,
// units that hide names.
#pragma once

#include "visviva/text/syntax/syntax.h"
#include "visviva/text/syntax/token.h"

namespace visviva {

/// Errors where names that every model has already (E_Z, t, N, No) are declared again.
std::vector<Diagnostic> check_reserved_names(const SyntaxTree& tree);
/// Errors where functions stand out of place, or hold what they cannot: rotate belongs to frames,
/// table to specified functions, reaction to outputs.
std::vector<Diagnostic> check_function_places(const SyntaxTree& tree);
/// The same for a value by itself, which changes a scalar as in a `case`.
std::vector<Diagnostic> check_function_places(const Expression& value);
/// Warnings where a unit hides a scalar of its name: in `3 m*s*k` s is a unit, whatever coordinate
/// is called so.
std::vector<Diagnostic> check_hidden_names(const SyntaxTree& tree, const SourceText& source,
                                           const std::vector<Token>& tokens);

}  // namespace visviva
