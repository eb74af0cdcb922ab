// The unit in which an output is shown.
#pragma once

#include <string>

#include "visviva/model/model_data.h"

namespace visviva {

/// "J" and not "N*m" where an energy, a work or an action is in the output, which its dimension does not tell.
std::string unit_of(const OutputData& output);

}  // namespace visviva
