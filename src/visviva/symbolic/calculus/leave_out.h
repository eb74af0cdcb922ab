// An expression without the terms that hold certain symbols, as expanding would find them, in the form that it has.
//
//   [a + b] = [a] + [b],   [a b] = [a] [b],   [a / c] = [a] / c,   [s] = 0 of such a symbol and of all else that holds one   (1)
#pragma once

#include <functional>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// The expression by (1), without the terms that hold a symbol for which `is_out` is true.
Expr leave_terms_out(const Expr& e, const std::function<bool(const Expr& symbol)>& is_out);

}  // namespace visviva
