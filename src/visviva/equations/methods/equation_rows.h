// What every method takes from the model in the same way: constraint rows at the level of
// accelerations, unknown forces.
//
//   sum_r a_r u_r + c = 0,   hence   sum_r a_r u_r' = b = -(sum_r a_r' u_r + c')              (1)
#pragma once

#include "visviva/equations/equations.h"

namespace visviva {

/// Fills rows and row_forcing.
void add_constraint_rows(Equations* equations);

/// Fills unknowns, from the forcing and the auxiliary equations. ModelError (E-force-nonlinear)
/// when one is not linear there.
void add_unknowns(Equations* equations);

}  // namespace visviva
