// Auxiliary speeds: forces that do no work brought into evidence.
//
// An auxiliary speed gives P, and all that hangs on it, an additional velocity u_a n that is zero
// in the motion itself. Its equation F_a + F_a* = 0 is the balance of everything that hangs on P
// along n (lecture notes on generalized forces):
//   sum_B m (n · v_r) u_r' = n · (forces, and inertia forces without u') + sum_i λ_i n · f_i  (1)
// f_i being the force of constraint row i on what hangs on P.
#pragma once

#include "visviva/equations/equations.h"
#include "visviva/equations/loads/loads.h"

namespace visviva {

/// Fills auxiliary, after rows.
void add_auxiliary_equations(Equations* equations, const std::vector<Load>& loads);

/// The auxiliary equation of any point and direction.
AuxiliaryEquation make_balance(const Equations& equations, const std::vector<Load>& loads,
                               int point, const Vector& along);

}  // namespace visviva
