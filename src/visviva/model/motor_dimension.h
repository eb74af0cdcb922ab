// The name and dimension of what a motor gives: the force, torque or other quantity behind a specified motion.
#pragma once

#include "visviva/base/dimension.h"
#include "visviva/model/model_data.h"

namespace visviva {

/// What the motor of a specified function is called: as the coordinate that follows it, else as the function.
inline const std::string& motor_name(const SpecifiedData& s) {
  return s.drives.empty() ? s.name : s.drives;
}

/// Times the rate by which `s` moves things it is a power.
Dimension motor_dimension(const ModelData& data, const SpecifiedData& s);
/// The multiplier of a constraint's rows: times the rate of what vanishes it is a power.
Dimension multiplier_dimension(const ConstraintData& c);

}  // namespace visviva
