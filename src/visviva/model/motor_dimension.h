// The dimension of what a motor gives: the force, torque or other quantity behind a specified motion.
#pragma once

#include "visviva/base/dimension.h"
#include "visviva/model/model_data.h"

namespace visviva {

/// Times the rate by which `s` moves things it is a power.
Dimension motor_dimension(const ModelData& data, const SpecifiedData& s);

}  // namespace visviva
