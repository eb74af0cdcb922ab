// What the parts of a model's text are, for those who colour it.
#pragma once

#include <vector>

#include "visviva/base/source_text.h"

namespace visviva {

/// The parts of a text: keywords, clause words, functions, numbers with their units, texts and
/// comments, in order; all else is plain. Wrong text is coloured as far as it can be read.
std::vector<TextSpan> colour_text(const SourceText& source);

}  // namespace visviva
