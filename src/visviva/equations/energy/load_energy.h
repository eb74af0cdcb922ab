// What each load does to energy: its power, its potential where it has one, and what it adds to
// P_nonconservative.
//
// F_r are the load's generalized forces on all speeds, F_r0 those of the terms of its law without a
// velocity; x the configuration, x' = Y u + z. A load has the potential U(x, t)
// when (Mitiguy, chapter 34 (24), (30))
//   F_r0 = -sum_s dU/dx_s Y_sr   for every speed r                                             (1)
// decided exactly; U is known for gravity, springs and `potential` statements, and found by
// integration for the others. Then with the portions of velocity_split.h
//   P_conservative = -dU/dt,   P_nonconservative = sum_r (F_r - F_r0) (u_r - w_r) + U_t         (2)
//   U_t = dU/dt as the transport speeds alone make it                                           (3)
// since P_conservative is to be the rate of a function (20), (22), and sum_r F_r0 (u_r - w_r) is
// that rate but for U_t: (31) asks U_t = 0. Terms of U that depend on t alone are left out of it.
// Forces that are given as functions of time are work from outside and stay nonconservative;
// where time enters through prescribed motions, U depends on it.
#pragma once

#include "visviva/equations/energy/energies.h"

namespace visviva {

/// What each load does to energy, in terms of all speeds and w. Without embedded constraints (nullptr) no potential is found that
/// needs them.
std::vector<LoadEnergy> analyze_loads(const Equations& equations, const VelocitySplit& split,
                                      const EmbeddedEquations* embedded);

}  // namespace visviva
