// The inertia forces on a system at rest, which what is prescribed brings in.
//
// At q' = 0 the speeds are u_e(q, t) and the kinetic energy is K0(q, t). The inertia forces at rest
// have the potential -K0 where they are
//   f_e = sum_i dK0/dq_i Y_i                                                                    (1)
// as on a frame that turns evenly; else there are others, as on one that is sped up.
#pragma once

#include "visviva/equations/equations.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {

enum class RestInertia {
  none,
  centrifugal,  ///< (1)
  other
};

/// With the values of `state`: what vanishes for them is none.
RestInertia classify_rest_inertia(const Equations& equations, const StartState& state);

}  // namespace visviva
