// Checks that definitions end: a parameter or specified function must not depend on itself.
#pragma once

#include <vector>

#include "visviva/base/error.h"
#include "visviva/model/model_data.h"

namespace visviva {

/// An error for each parameter or specified function that depends on itself, or that is reached
/// through too many others.
std::vector<Diagnostic> check_definitions(const ModelData& model);

}  // namespace visviva
