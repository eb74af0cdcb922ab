// Places of loads: generalized forces put where they act, each part where its coordinate enters, and what acts on an orientation
// without angles as a torque between the two frames.
//
// Q_j = -dV/dq_j is the part on a plain coordinate (of a dissipation, or a law on a scalar, the generalized force on its rate), F_r
// the forces on the three speeds by which a frame turns in its parent, w_r its partial angular velocities there:
//   w_r · T = F_r   for these three speeds                                                      (1)
// Parts are kept only where together they have the load's generalized forces, exactly.
#pragma once

#include <vector>

#include "visviva/equations/loads/loads.h"

namespace visviva {

/// The loads with their generalized forces put where they act, as far as that is known.
std::vector<Load> place_loads(const Kinematics& motion, std::vector<Load> loads);

}  // namespace visviva
