#include "visviva/symbolic/calculus/inspect.h"

#include <algorithm>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/core/function_symbol.h"

namespace visviva {

std::vector<Expr> free_symbols(const std::vector<Expr>& exprs) {
  std::vector<Expr> symbols;
  if (exprs.empty()) return symbols;
  ExprPool& pool = common_pool(exprs, "free_symbols");
  for (const std::uint32_t i : collect_cone(pool, refs_in(pool, exprs, "free_symbols"))) {
    if (pool.node(i << 1).op == Op::symbol) symbols.emplace_back(pool, i << 1);
  }
  return symbols;
}

std::vector<Expr> free_symbols(const Expr& expr) { return free_symbols(std::vector<Expr>{expr}); }

bool depends_on(const Expr& expr, const Expr& symbol) {
  const std::vector<Expr> symbols = free_symbols(expr);
  return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

std::vector<std::string> undefined_functions(const std::vector<Expr>& exprs) {
  std::vector<std::string> names;
  if (exprs.empty()) return names;
  ExprPool& pool = common_pool(exprs, "undefined_functions");
  for (const std::uint32_t i : collect_cone(pool, refs_in(pool, exprs, "undefined_functions"))) {
    if (pool.node(i << 1).op != Op::function) continue;
    const std::string name = read_function_symbol(pool.symbol_name(i << 1)).name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

OperationCount count_operations(const std::vector<Expr>& exprs) {
  OperationCount count;
  if (exprs.empty()) return count;
  ExprPool& pool = common_pool(exprs, "count_operations");
  for (const std::uint32_t i : collect_cone(pool, refs_in(pool, exprs, "count_operations"))) {
    if (pool.is_constant(i << 1)) continue;
    switch (pool.node(i << 1).op) {
      case Op::constant:
      case Op::pi:
      case Op::symbol:
      case Op::function:
      case Op::pair:
        break;
      case Op::add:
        ++count.additions;
        break;
      case Op::multiply:
        ++count.multiplications;
        break;
      case Op::divide:
        ++count.divisions;
        break;
      default:
        ++count.functions;
        break;
    }
  }
  return count;
}

}  // namespace visviva
