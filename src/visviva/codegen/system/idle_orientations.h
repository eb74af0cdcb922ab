// Hidden orientations of `spin` frames that nothing needs: they are not integrated.
//
// The orientation of a wheel or a sphere may stand in equations that do not depend on it. Where all
// that a run computes is proved to be the same for the identity in its place, it is the same for any
// orientation, and the hidden state can go. An orientation that stays needs those in its rate.
#pragma once

#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

/// Frames, by index, that neither the equations nor `wanted` need the orientation of. `wanted` may
/// use symbols that the model does not know.
std::vector<int> find_idle_orientations(const Equations& equations,
                                        const std::vector<Expr>& wanted);

/// The identity in the place of hidden states of these frames.
Replacements fix_orientations(const ModelData& model, const std::vector<int>& frames);

}  // namespace visviva
