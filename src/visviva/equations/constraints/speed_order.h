// The order in which speeds are tried as dependent ones.
#pragma once

#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// All speeds: those that the model names as dependent, then the last declared first.
std::vector<int> order_dependent_speeds(const Kinematics& motion);

}  // namespace visviva
