// Small motions about an equilibrium, on the page.
#pragma once

#include <string>

#include "visviva/equations/small_motion/equilibrium.h"
#include "visviva/report/page/html.h"

namespace visviva {

/// The equilibrium, its stability, eigenvalues and modes; or why there is none.
Html make_modes_section(const Equilibrium& equilibrium, const Kinematics& motion);

}  // namespace visviva
