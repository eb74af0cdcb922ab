// A check of angles: those beyond a full turn that have no unit are probably degrees.
#pragma once

#include "visviva/model/model_data.h"
#include "visviva/text/build/model_changes.h"
#include "visviva/text/syntax/syntax.h"

namespace visviva {

/// Warnings where a scalar that is used as an angle gets a bare number of more than 2 pi, in the text or by a change.
std::vector<Diagnostic> check_angles(const SyntaxTree& tree, const ModelData& model,
                                     ModelChanges& changes);

}  // namespace visviva
