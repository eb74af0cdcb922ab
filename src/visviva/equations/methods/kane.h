// Kane's method: generalized active forces and generalized inertia forces balance for every
// speed.
//
// v_r, w_r are partial velocities (lecture notes on generalized forces):
//   F_r  = sum_forces v_r · F + sum_torques w_r · T                                             (1)
//   F_r* = sum_bodies v_r · (-m a) + w_r · (-(I · alpha + w x I · w))                           (2)
//   F_r + F_r* = 0                                                                              (3)
// The sums are carried along the tree (tree_dynamics.h) and not body by body: the work grows with
// the non-zeros of M.
#pragma once

#include "visviva/equations/equations.h"
#include "visviva/equations/loads/loads.h"

namespace visviva {

Equations derive_kane(const Kinematics& motion);

/// What one body asks of each speed: F_r* of (2) without u', and the part of M that is its own.
/// For showing where terms come from; sums over all bodies are the equations.
struct BodyInertia {
  int body;
  std::vector<std::vector<Expr>> mass_matrix;
  std::vector<Expr> forces;  ///< F_r* at u' = 0
};
BodyInertia compute_body_inertia(const Kinematics& motion, int body);

}  // namespace visviva
