// Inverse dynamics along trees: what must act on each speed, besides all loads, so that the speeds have given rates.
//
//   tau = M u' - f                                                                              (1)
// by accelerations outward, the inertia forces less the loads at every place (moving_trees.h (2), with u' in a and alpha), and
// their sums inward (tree_dynamics.h (1) and (2)): the work grows with the number of bodies, and no M is made. Forces of
// constraints are no loads.
#pragma once

#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// tau of (1) for every speed, of the symbols of u'.
std::vector<Expr> make_inverse_dynamics(const Kinematics& motion);

}  // namespace visviva
