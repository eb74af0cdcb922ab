// The verb that finds the Integrals of the motion.
#pragma once

#include "visviva/equations/energy/integrals.h"

namespace visviva {

Integrals find_integrals(const Energies& energies);

}  // namespace visviva
