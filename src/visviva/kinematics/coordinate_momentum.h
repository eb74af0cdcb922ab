// The momentum of a coordinate: what multiplies the variation of its rate in that of the kinetic energy.
//
// v, w are velocities of mass centers and angular velocities, v_r, w_r their partial velocities, h = I_B · w;
// speeds are u = Y(q, t) q' + Z(q, t):
//   p_q = dK/dq' = sum_r p_r du_r/dq',    p_r = sum_B (m v · v_r + h · w_r)                             (1)
// Constraints are not looked at: all rates vary by themselves.
#pragma once

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// du_r/dq' of every speed by its definition; free speeds are held.
std::vector<Expr> speed_slopes(const Kinematics& motion, const CoordinateData& coordinate);

/// (1) in coordinates, speeds and time.
Expr compute_coordinate_momentum(const Kinematics& motion, const CoordinateData& coordinate);

}  // namespace visviva
