// Gravity as tests of small motions have it.
#pragma once

#include "visviva/model/quantity.h"

namespace visviva {

constexpr double g_value = 9.81;
inline Quantity earth() { return g_value * units::m / (units::s * units::s); }

}  // namespace visviva
