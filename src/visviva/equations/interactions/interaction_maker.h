// All that acts in a model as interactions: the one list behind interactions.h.
#pragma once

#include "visviva/equations/equations.h"
#include "visviva/equations/interactions/interaction.h"

namespace visviva {

/// Gravity, loads, constraints and motors, in that order and in order of declaration. ModelError when a law cannot be used.
std::vector<Interaction> make_interactions(const Equations& equations, PartTable& parts);

}  // namespace visviva
