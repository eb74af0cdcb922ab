// Simultaneous substitution of symbols by expressions.
#pragma once

#include <utility>
#include <vector>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// Symbol -> replacement.
using Replacements = std::vector<std::pair<Expr, Expr>>;

/// Substitution with memory: what it rebuilt once it does not rebuild again.
class Substitution {
 public:
  /// A substitution for symbols. UsageError when a left side is not a symbol or stands twice.
  Substitution(ExprPool& pool, const Replacements& replacements);

  /// A substitution for any expressions in the place of symbols, replaced wherever a node has their
  /// value: what is hidden in a node of another value stays.
  static Substitution of_parts(ExprPool& pool, const Replacements& parts);

  /// The expression with all replacements made at once: replaced values are not looked into again.
  Expr operator()(const Expr& expr);
  std::vector<Expr> operator()(const std::vector<Expr>& exprs);

 private:
  explicit Substitution(ExprPool& pool) : pool_(pool) {}

  ExprPool& pool_;
  IndexMap memo_;  // node index -> Ref
};

Expr substitute(const Expr& expr, const Replacements& replacements);

}  // namespace visviva
