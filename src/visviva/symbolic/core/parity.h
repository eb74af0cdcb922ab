// Parity: which functions are odd or even, so that f(-x) is -f(x) or f(x).
#pragma once

#include "visviva/symbolic/core/pool.h"

namespace visviva {

enum class Parity { none, odd, even };

/// The parity of a function of one operand; none for everything else.
Parity parity_of(Op op);

}  // namespace visviva
