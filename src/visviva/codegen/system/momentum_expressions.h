// Generalized momenta and their rates as functions of time, coordinates and the coordinates' rates.
//
// For speeds that are the rates of the coordinates, u = q', with K the kinetic energy and F_r the
// generalized active force of all loads (Hogan, Inertial Mechanics; MEEN 617, Handout 4a (45)):
//   p_r = dK/du_r                                                                               (1)
//   g_r = dK/dq_r + F_r                                                                         (2)
// Along a motion p_r' = g_r. Where F = -dU/dq + Q, that is g_r = d(K - U)/dq_r + Q_r. By the equations
// M u' = f it is also g_r = f_r + (dp_r/dq) u + dp_r/dt, longer by terms that cancel.
#pragma once

#include <optional>
#include <vector>

#include "visviva/codegen/system/acceleration_equations.h"
#include "visviva/codegen/system/no_momenta.h"

namespace visviva {

struct MomentumExpressions {
  std::optional<NoMomenta> obstacle;  ///< why there are no momenta
  std::vector<Expr> values;           ///< (1), then (2)
  std::vector<Expr> entries;          ///< entries of d(p, g)/d(q, u) that are not zero
  std::vector<EntryPlace> places;
};

/// F_r, one for each speed: sums over all loads, before definitions are put in.
std::vector<Expr> sum_active_forces(const Kinematics& motion);

/// Definitions are put into `K` and `forces` here. `system` must have been told of K; what neither K
/// nor f depends on, F does not either.
MomentumExpressions make_momentum_expressions(RunExpressions* system, const Expr& K,
                                              const std::vector<Expr>& forces);

}  // namespace visviva
