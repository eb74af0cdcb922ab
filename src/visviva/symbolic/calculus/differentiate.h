// Exact derivatives on the shared nodes: forward (tangents) and reverse (gradients), and whole
// Jacobians of either.
//
// Derivatives of piecewise functions are right on both sides of a break: d abs(x) = sign(x) dx, d
// min(a, b) is da where a <= b and db elsewhere; jumps (sign, step) have derivative 0 away from the
// jump.
#pragma once

#include <utility>
#include <vector>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// The derivative along a direction: each seeded symbol changes at its given rate. Remembers every
/// node it has seen, so that time derivatives of a whole mechanism cost each shared node once.
class Tangent {
 public:
  /// Symbol -> its rate; symbols that are not named do not change. UsageError when a left side is
  /// not a symbol.
  Tangent(ExprPool& pool, const std::vector<std::pair<Expr, Expr>>& rates);

  /// A tangent with all that another has seen, for a pool on top of the other's.
  Tangent(const Tangent& below, ExprPool& pool) : pool_(pool), memo_(below.memo_) {}

  Expr operator()(const Expr& expr);

 private:
  ExprPool& pool_;
  IndexMap memo_;  // node index -> Ref of its derivative
};

/// d expr / d symbol.
Expr differentiate(const Expr& expr, const Expr& symbol);

/// All derivatives of one expression by one reverse sweep; a few times the cost of the expression.
std::vector<Expr> gradient(const Expr& expr, const std::vector<Expr>& symbols);

/// result[i][j] = d outputs[i] / d symbols[j]; by rows or by columns, whichever are fewer.
std::vector<std::vector<Expr>> jacobian(const std::vector<Expr>& outputs,
                                        const std::vector<Expr>& symbols);

}  // namespace visviva
