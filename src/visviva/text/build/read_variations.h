// Variations of the command line: "y: 1 m/s^2*t*(1 s - t), z: ..." as paths beside that of the motion.
#pragma once

#include <string>
#include <vector>

#include "visviva/text/build/expression_reader.h"

namespace visviva {

/// Reads variations into the model; what is wrong with one is reported.
void read_variations(ModelDraft& draft, ExpressionReader& expressions, NameTable& names,
                     const std::vector<std::string>& texts);

}  // namespace visviva
