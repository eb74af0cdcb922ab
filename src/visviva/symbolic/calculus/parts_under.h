// What is under a node, known for every node of a pool after one look at it: whether there are roots, kinks or jumps.
#pragma once

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// A root or a power that no integer has as its exponent.
bool has_root_under(const Expr& expr);
/// A function with a kink or a jump: abs, sign, step, min or max.
bool has_piece_under(const Expr& expr);

}  // namespace visviva
