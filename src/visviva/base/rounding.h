// Rounding: how well doubles know numbers.
#pragma once

#include <limits>

namespace visviva {

/// The distance from 1 to the next double.
inline constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();

}  // namespace visviva
