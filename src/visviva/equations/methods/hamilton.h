// The momentum form: coordinates and generalized momenta as the state, for any generalized speeds.
//
// v, w are velocities of mass centers and angular velocities of bodies, v_r, w_r their partial
// velocities, h = I_B · w the central angular momentum, F_r generalized active forces; derivatives
// of vectors are taken in N:
//   p_r = sum_B (m v · v_r + h · w_r)                                                       (1)
//   p_r' = F_r + sum_B (m v · dv_r/dt + h · dw_r/dt)                                        (2)
//   p = I u + c,   I = J^T diag(m, I_B) J,   c from v_t, w_t                                (3)
// (2) is (1) differentiated, with the inertia forces of Kane's equations put in. For u = q',
// dv_r/dt = dv/dq_r, and (2) is p_r' = F_r + dK/dq_r (Hogan, Inertial Mechanics); for other speeds,
// quaternions among them, only (2) holds.
//
// To integrate with the state (q, p): solve I(q, t) u = p - c(q, t) for u, then q' = Y u + z
// (Kinematics::rate), and p' is (2) at (q, u, t), plus A^T λ where rows A u' = b constrain the
// speeds. I u = p - c is the only linear solve.
#pragma once

#include <optional>

#include "visviva/equations/equations.h"

namespace visviva {

/// The columns v_r or w_r of one body, one for each speed: three rows of J.
struct PartialVelocities {
  int body;  ///< in ModelData::bodies
  bool is_angular;
  int frame;  ///< in which the columns are written
  std::vector<Column3> columns;
};

struct MomentumForm {
  Kinematics motion;
  std::vector<Expr> momentum_symbols;          ///< p_theta for the speed theta', p_u1 for u1
  std::vector<Expr> momenta;                   ///< (1), in coordinates, speeds and time
  std::vector<Expr> momentum_rates;            ///< (2) without multipliers, likewise
  std::vector<Expr> active_forces;             ///< F_r in (2)
  std::vector<std::vector<Expr>> mass_matrix;  ///< I
  std::vector<Expr> offset;                    ///< c
  std::vector<PartialVelocities> J;
  /// u = I^-1 (p - c) and K in terms of the momentum symbols: for up to three speeds, unless I is
  /// singular.
  std::optional<std::vector<Expr>> speeds_in_momenta;
  std::optional<Expr> kinetic_energy_in_momenta;
};

/// The equations for momenta. ModelError when a force law cannot be used.
MomentumForm derive_momentum_form(const Kinematics& motion);

/// The equations for momenta as equations for u': I u' = p' - I' u - c'. Auxiliary equations are
/// left empty.
Equations derive_hamilton(const Kinematics& motion);

}  // namespace visviva
