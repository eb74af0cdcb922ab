// Gathering a model's text: the files that it includes take the places of their `include`s, and
// joints become the statements that they stand for.
#pragma once

#include "visviva/base/source_text.h"
#include "visviva/text/syntax/syntax.h"

namespace visviva {

/// A text with its parts, and the tree of all their statements.
struct GatheredText {
  SourceText source;
  SyntaxTree tree;
};

/// Reads the files that a text includes, those that they include, and so on. What is wrong with one is among the
/// tree's diagnostics: a file outside of the model's folder, or one that stands twice.
GatheredText gather_text(const SourceText& source);

}  // namespace visviva
