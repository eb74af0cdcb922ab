// Open results: what the equations do not determine among that which forces and moments are written with.
#pragma once

#include "visviva/equations/equations.h"
#include "visviva/equations/interactions/parts.h"

namespace visviva {

/// The multiplier of a row of a constraint, as results name it: multiplier(c), multiplier(c).x; of a roll the part along the row
/// of its contact force, reaction(c).
Expr name_multiplier(const ModelData& model, const ConstraintRow& row);
/// The contact force of a roll, all of it: what has a row and what the description keeps by itself.
Vector name_contact_force(const ModelData& model, const ConstraintData& roll);

/// Unknown forces that drop out of the equations or that a constraint takes up, and multipliers that these change.
std::vector<Expr> list_open_results(const Equations& equations);

/// Those that the actions hold.
std::vector<Expr> find_open_results(const std::vector<Expr>& open,
                                    const std::vector<PartAction>& actions);

}  // namespace visviva
