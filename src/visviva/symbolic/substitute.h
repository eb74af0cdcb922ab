// Simultaneous substitution of symbols by expressions.
#pragma once

#include <utility>
#include <vector>

#include "visviva/symbolic/cone.h"
#include "visviva/symbolic/expr.h"

namespace visviva {

/// Symbol -> replacement.
using Replacements = std::vector<std::pair<Expr, Expr>>;

/// Substitution with memory: what it rebuilt once it does not rebuild again.
class Substitution {
 public:
  /// UsageError when a left side is not a symbol or stands twice.
  Substitution(ExprPool& pool, const Replacements& replacements);

  /// All replacements at once: replaced values are not looked into again.
  Expr operator()(const Expr& expr);
  std::vector<Expr> operator()(const std::vector<Expr>& exprs);

 private:
  ExprPool& pool_;
  IndexMap memo_;  // node index -> Ref
};

Expr substitute(const Expr& expr, const Replacements& replacements);

}  // namespace visviva
