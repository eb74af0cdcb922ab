// Floquet: what becomes of small motions about a periodic motion after a period.
#pragma once

#include <complex>
#include <vector>

#include "visviva/equations/small_motion/small_motion_reason.h"

namespace visviva {

/// The Floquet multipliers: after a period each small motion is multiplied by one of these.
struct Floquet {
  double period = 0;
  std::vector<std::complex<double>> multipliers;  ///< largest modulus first
  SmallMotionReason verdict;
};

}  // namespace visviva
