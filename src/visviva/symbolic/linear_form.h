// Splitting an expression that is linear in given symbols into its coefficients and the remainder.
#pragma once

#include <vector>

#include "visviva/symbolic/expr.h"

namespace visviva {

/// expr = sum coefficients[i] * symbols[i] + remainder, exactly; neither contains the symbols.
struct LinearForm {
  std::vector<Expr> coefficients;
  Expr remainder;
};

/// UsageError, naming the symbol, when the expression is not linear.
LinearForm make_linear_form(const Expr& expr, const std::vector<Expr>& symbols);

}  // namespace visviva
