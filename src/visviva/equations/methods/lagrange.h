// Lagrange's equations from positions alone: velocities come from differentiating positions and
// rotation matrices, so that nothing is shared with the recursions of kinematics/ but the
// definitions of the speeds.
//
// x are all coordinates and the hidden states of spin frames, x' formal rates, T(x, x', t) the
// kinetic energy, V the potential energy, p_P(x, t) positions and w_B(x, x', t) angular velocities
// (MEEN 617, Handout 4a (36) to (48)); a superscript T transposes:
//   v_P = dp_P/dt,   [w_B]x = R_NB^T dR_NB/dt  in B                                         (1)
//   d/dt dT/dx' - dT/dx = Q,   that is   M_x x'' + h = Q                                    (2)
//   Q_i = -dV/dx_i + sum_forces F · dp_P/dx_i + sum_torques T · dw_B/dx_i'                  (3)
// The speeds enter last, by their definitions x' = Y u + z:
//   (Y^T M_x Y) u' = Y^T (Q - h - M_x (dY/dt u + dz/dt))                                    (4)
//
// Unit quaternions: expressions are equal when they are equal on the unit sphere phi = e·e - 1 = 0,
// so T is known only up to a phi + b phi' with any a, b. Such a term changes the left side of (2)
// by multiples of phi, phi', phi'' and by (db/dt - a) dphi/de. The first three vanish along a
// motion on the sphere; the last is normal to it, as a multiplier of the norm would be, and the
// columns of Y are tangent: (4) is free of both.
#pragma once

#include "visviva/equations/equations.h"

namespace visviva {

/// Auxiliary equations are left empty.
Equations derive_lagrange(const Kinematics& motion);

/// T of (2) in terms of the speeds: an answer that the velocities of Kinematics have no part in.
Expr compute_kinetic_energy_from_positions(const Kinematics& motion);

/// V of (3): of uniform gravity, springs and potentials.
Expr compute_potential_from_positions(const Kinematics& motion);

}  // namespace visviva
