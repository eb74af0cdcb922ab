// Splitting an expression that is linear in given symbols into its coefficients and the remainder.
#pragma once

#include <optional>
#include <vector>

#include "visviva/base/result.h"
#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// expr = sum coefficients[i] * symbols[i] + remainder, exactly; neither contains the symbols.
struct LinearForm {
  std::vector<Expr> coefficients;
  Expr remainder;
};

/// Why an expression is not linear: a symbol that its coefficients depend on; none where a kink or a
/// jump is to blame.
struct NotLinear {
  std::optional<Expr> symbol{};
};

/// The form, or why there is none.
Result<LinearForm, NotLinear> find_linear_form(const Expr& expr, const std::vector<Expr>& symbols);
/// The linear form of an expression; UsageError when it is not linear.
LinearForm make_linear_form(const Expr& expr, const std::vector<Expr>& symbols);

}  // namespace visviva
