// The model's text on the page: numbered lines, coloured, each tied to what it causes.
#pragma once

#include <string>
#include <vector>

#include "visviva/base/source_text.h"
#include "visviva/report/derivation/causes.h"
#include "visviva/report/page/html.h"

namespace visviva {

/// A line has the id line-N. A statement of several lines lights up as a whole. Empty for a model
/// that came from no text.
Html make_model_section(const SourceText& source, const std::vector<TextSpan>& colours,
                        const Causes& causes);

}  // namespace visviva
