// Which pure numbers of a model are angles, which people read in rad.
#pragma once

#include <set>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// Symbols by which frames turn as angles, and those inside a sine, cosine or tangent of a position. Not
/// Euler parameters nor the components of a Gibbs vector, which are no angles.
std::set<Ref> find_angles(const ModelData& model);

/// Speeds of dimension 1/s that are rad/s: rates of angles, and all that the model itself names, which
/// are components of angular velocities as a rule.
bool is_angular(const Speed& speed, const ModelData& model, const std::set<Ref>& angles);

}  // namespace visviva
