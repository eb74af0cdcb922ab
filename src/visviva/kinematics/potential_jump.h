// Jumps of a potential: places in the configuration where a sign or a step makes it discontinuous, so that its force is an impulse that
// no equation of motion has.
#pragma once

#include <optional>

#include "visviva/kinematics/start_state.h"

namespace visviva {

/// What switches where the function V of configuration and time jumps in the configuration: the argument of a sign or a step. Nothing
/// for one that is continuous as far as was tried, such as k*x^2*step(x), and for one that jumps in time alone.
std::optional<Expr> find_potential_jump(const ModelData& model, const StartState& state,
                                        const Expr& V);

}  // namespace visviva
