// The order of operations within a phase: chains that do not wait for one another side by side.
//
// A processor looks ahead some hundred operations at most, and an algorithm's own order puts each chain of a tree after
// the other: most of the time is spent waiting. Operations are taken as an ideal processor would start them, the one with
// the longest way to the end first, with two limits: they are looked for among those that are next in the program, and no
// more values are kept than the program's order would keep at that point, and a few, so that registers suffice as they did.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "visviva/codegen/program/program.h"

namespace visviva::jit {

/// Reorders operations so that operands still come before their use. `places` has room for all operations of the program.
void interleave(const Program& program, std::span<std::uint32_t> order,
                std::vector<std::uint32_t>* places);

}  // namespace visviva::jit
