// Splitting an expression that is linear in given symbols into its coefficients and the remainder.
#pragma once

#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// expr = sum coefficients[i] * symbols[i] + remainder, exactly; neither contains the symbols.
struct LinearForm {
  std::vector<Expr> coefficients;
  Expr remainder;
};

/// UsageError when the expression is not linear; it names the symbol unless a kink or a jump is to
/// blame.
LinearForm make_linear_form(const Expr& expr, const std::vector<Expr>& symbols);

}  // namespace visviva
