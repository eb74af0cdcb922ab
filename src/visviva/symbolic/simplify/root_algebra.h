// Zero tests with square roots as what they are: numbers whose squares are known.
//
// The fields know sqrt(S) as a parameter of its own. Here r_1, ..., r_k stand for the roots and absolute values under an expression, and
// every node has its value in
//   F_p[r_1, ..., r_k] / (r_i^2 - S_i),   S_i in r_1, ..., r_(i-1)                             (1)
//   1/(a + b r_i) = (a - b r_i)/(a^2 - b^2 S_i)                                                (2)
// at the random point that fingerprints belong to. What vanishes there vanishes for either sign of every root, hence for theirs; what does not
// may still be zero, where a root is not independent of others.
#pragma once

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// True when an expression is proved zero by (1). False means "not proved", also for too many roots.
bool vanishes_with_roots(const Expr& expr);
bool vanishes_with_roots(const ExprPool& pool, Ref ref);

}  // namespace visviva
