// Antiderivatives and potentials in closed form, for the forces that mechanics knows.
//
// What is found is proved: its derivative equals the integrand by is_proved_zero (expand.h). What
// is not found may still exist; work is bounded, so that the answer "nothing" comes quickly.
#pragma once

#include <optional>
#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// An antiderivative F with dF/dx = expr; nothing when none is found. x is a symbol, every other
/// symbol is held.
std::optional<Expr> integrate(const Expr& expr, const Expr& x);

/// A potential U with dU/dvariables[j] = slopes[j], without terms that are free of all the
/// variables; nothing when none is found. UsageError unless there is a slope for each variable.
std::optional<Expr> find_potential(const std::vector<Expr>& slopes,
                                   const std::vector<Expr>& variables);

}  // namespace visviva
