// What shows that a claim is false: numbers for those who do not read formulas.
#pragma once

#include <string>

#include "visviva/equations/energy/constant_of_motion.h"
#include "visviva/kinematics/consistent_start.h"

namespace visviva {

/// ": its rate is -c*x', -0.06 at the start": a formula where that is short, and its value at the start or, where it vanishes
/// there and no constraint binds the state, at another. In SI units. Empty where neither is known.
std::string rate_words(const ConstantFact& found, const Energies& energies,
                       const ConsistentStart& start);

/// "; its rate is -0.06 at the start" of E or H, and of C where it is H; else empty.
std::string energy_rate_words(const std::string& name, const Energies& energies,
                              const ConsistentStart& start);

}  // namespace visviva
