// Lanes: limbs of equal shape side by side in one register.
//
// What is computed for the legs of a robot is the same operations on other numbers. From outputs that are alike inwards, values
// of two or four limbs become one of as many lanes: sums term by term, products, quotients; signs that differ go into the
// constants, where all mirrored limbs differ. What all limbs share is broadcast, what is different is joined, and a sum
// over limbs, such as the inertia of the body that carries them, is the sum of the lanes.
#pragma once

#include <optional>

#include "visviva/codegen/program/program.h"

namespace visviva::jit {

/// A program for one state with the outputs of staged->main. Its parameters are those of main, then those that lanes need side by
/// side, which the prologue gains as outputs. Nothing where lanes save too little; then staged is as it was.
std::optional<Program> find_lanes(StagedProgram* staged);

}  // namespace visviva::jit
