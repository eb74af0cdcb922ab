// Functions without a definition: equations may have them, numbers may not.
#pragma once

#include "visviva/model/model_data.h"

namespace visviva {

/// Refuses to go on to numbers where a function that is used has no definition: ModelError
/// (E-function-undefined).
void require_defined_functions(const ModelData& model);

}  // namespace visviva
