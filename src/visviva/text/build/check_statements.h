// Checks of whole statements: those that stand once, and the cases that were not chosen.
#pragma once

#include "visviva/text/build/expression_reader.h"

namespace visviva {

/// Reports a second `model`, a second `study` and a second case of the same name.
void check_repeated_statements(ModelDraft& draft);

/// Reports changes of the cases that were not chosen: what they change must exist and have the
/// dimension that they give it.
void check_other_cases(ModelDraft& draft, NameTable& names, ExpressionReader& expressions,
                       const std::string& chosen_case);

}  // namespace visviva
