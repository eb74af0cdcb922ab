// Integrable rows kept as conditions on the configuration, so that a run cannot drift off them.
//
// A row omega with mu omega = dG becomes, beside itself,
//   g = (G - G(start))/mu = 0                                                                  (1)
// whose rate is the row wherever g = 0: multipliers and reactions stay what they are.
#pragma once

#include "visviva/equations/interactions/integrability.h"

namespace visviva {

/// The motion with (1) for every row of a motion constraint or roll that has an integral in closed form and a factor that is not
/// zero at the start; the constant is that of the start.
Kinematics integrate_constraints(const Kinematics& motion, const Integrability& found,
                                 const ConsistentStart& start);

}  // namespace visviva
