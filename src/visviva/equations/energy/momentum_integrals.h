// Momenta that are constant: of the whole system along and about fixed axes, and of single
// coordinates and speeds.
//
// B are bodies, N_k the axes of the Newtonian frame, O a point fixed in N or the system's mass
// center:
//   linear_momentum.k     = sum_B m v · N_k                                                     (1)
//   angular_momentum(O).k = sum_B (p_O x m v + I · w) · N_k                                     (2)
//   p_q = dK/dq' at fixed q, for a coordinate q;   p_u = dK/du for a speed u                    (3)
// Each is differentiated along the motion; those whose derivative vanishes are integrals. For an
// ignorable coordinate, K and U do not depend on q, and nothing else acts on it.
#pragma once

#include <vector>

#include "visviva/equations/energy/integrals.h"
#include "visviva/equations/energy/zero_facts.h"

namespace visviva {

std::vector<Integral> find_momentum_integrals(const Energies& energies, ZeroFacts& test);

}  // namespace visviva
