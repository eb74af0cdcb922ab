// Slopes of single operations by their operands: what both ways of differentiating are made of.
#pragma once

#include <cstdint>
#include <vector>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {

/// An operand that a node's value depends on, and the derivative by it.
struct LocalSlope {
  Ref operand;
  Ref value;
};

/// The slopes of a node by those of its operands (of an undefined function: of its arguments) that are `active`.
std::vector<LocalSlope> list_local_slopes(ExprPool& pool, std::uint32_t index,
                                          const IndexMap& active);
/// `known` with every node of a cone that depends on one in it.
IndexMap find_active(const ExprPool& pool, const std::vector<std::uint32_t>& cone, IndexMap known);

}  // namespace visviva
