// The verb that makes Energies from Equations.
#pragma once

#include "visviva/equations/energy/energies.h"

namespace visviva {

/// The energies, or why there are none: constraints that cannot be embedded. ModelError when a
/// force law cannot be used.
Result<Energies, NotEmbedded> try_analyze_energy(const Equations& equations);
/// The energies; UsageError where there are none.
Energies analyze_energy(const Equations& equations);
/// The energies, for those who have the motion at hand; UsageError when the equations are of another.
Energies analyze_energy(const Kinematics& motion, const Equations& equations);

/// Throws a UsageError that names `function` when the energies are not those of these equations.
void require_one_origin(const Equations& equations, const Energies& energies, const char* function);

/// The formal terms alone. Without embedded constraints (nullptr) a load whose potential needs them
/// counts as nonconservative.
EnergyTerms analyze_formal_energy(const Equations& equations, const VelocitySplit& split,
                                  const EmbeddedEquations* embedded);

}  // namespace visviva
