// Where functions are not smooth: the surfaces on which step, sign, abs, min or max change over.
#pragma once

#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// The switches of these expressions: x for each step(x), sign(x) and abs(x), a - b for min(a, b)
/// and max(a, b); each once, up to its sign. Switches without any of `moving` are left out: they
/// never vanish on the way.
std::vector<Expr> collect_switches(const std::vector<Expr>& expressions,
                                   const std::vector<Expr>& moving);

}  // namespace visviva
