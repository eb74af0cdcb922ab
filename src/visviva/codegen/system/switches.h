// Where functions are not smooth: the surfaces on which step, sign, abs, min or max change over, angles jump, or tables
// have corners.
#pragma once

#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// The switches of these expressions: x for each step(x), sign(x) and abs(x), a - b for min(a, b)
/// and max(a, b), y for atan2(y, x), cos(x) for asin(sin(x)) and the like, and what makes the argument of an atan or a tanh
/// infinite; corner functions for tables of straight pieces, for slopes of slopes of smooth ones, and for the ends of those
/// that hold their values; each once, up to its sign. Switches without any of `moving` are left out: they never vanish on the way.
std::vector<Expr> collect_switches(const std::vector<Expr>& expressions,
                                   const std::vector<Expr>& moving);

/// What these expressions may be infinite at, where it vanishes: denominators, and cos(x) for tan(x); each once, up to its
/// sign.
std::vector<Expr> collect_poles(const std::vector<Expr>& expressions);

}  // namespace visviva
