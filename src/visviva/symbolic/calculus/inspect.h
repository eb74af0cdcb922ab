// Questions about expressions: which symbols they contain, what they cost.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// The distinct symbols under the expressions, in order of creation.
std::vector<Expr> free_symbols(const std::vector<Expr>& exprs);
std::vector<Expr> free_symbols(const Expr& expr);
bool depends_on(const Expr& expr, const Expr& symbol);
/// For each of many expressions, whether it contains any of some symbols; by one walk.
std::vector<bool> depend_on_any(const std::vector<Expr>& exprs, const std::vector<Expr>& symbols);
/// Names of functions that nobody defined (Op::call) under the expressions, without repetition.
std::vector<std::string> undefined_functions(const std::vector<Expr>& exprs);

/// Operations after sharing: every node counts once. Negation is free. Work on numbers alone is not
/// counted.
struct OperationCount {
  std::size_t additions = 0;
  std::size_t multiplications = 0;
  std::size_t divisions = 0;
  std::size_t functions = 0;
  std::size_t total() const { return additions + multiplications + divisions + functions; }
};
OperationCount count_operations(const std::vector<Expr>& exprs);

}  // namespace visviva
