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
  if (!symbol.valid() || !symbol.is_symbol()) return false;
  ExprPool& pool = common_pool({expr, symbol}, "depends_on");
  return has_symbol_under(pool, ref_in(pool, expr, "depends_on"),
                          ref_in(pool, symbol, "depends_on") >> 1);
}

std::vector<bool> depend_on_any(const std::vector<Expr>& exprs, const std::vector<Expr>& symbols) {
  std::vector<bool> result(exprs.size(), false);
  if (exprs.empty() || symbols.empty()) return result;
  std::vector<Expr> all = exprs;
  all.insert(all.end(), symbols.begin(), symbols.end());
  ExprPool& pool = common_pool(all, "depend_on_any");
  const std::vector<Ref> roots = refs_in(pool, exprs, "depend_on_any");
  IndexMap inside;
  for (const Ref symbol : refs_in(pool, symbols, "depend_on_any")) inside.set(symbol >> 1, 1);
  for (const std::uint32_t i : collect_cone(pool, roots)) {
    const Node& n = pool.node(i << 1);
    const int operands = operand_count(n.op);
    if ((operands > 0 && inside.contains(n.a >> 1)) || (operands > 1 && inside.contains(n.b >> 1)))
      inside.set(i, 1);
  }
  for (std::size_t i = 0; i < roots.size(); ++i) result[i] = inside.contains(roots[i] >> 1);
  return result;
}

std::vector<std::string> undefined_functions(const std::vector<Expr>& exprs) {
  std::vector<std::string> names;
  if (exprs.empty()) return names;
  ExprPool& pool = common_pool(exprs, "undefined_functions");
  for (const std::uint32_t i : collect_cone(pool, refs_in(pool, exprs, "undefined_functions"))) {
    if (pool.node(i << 1).op != Op::function) continue;
    const std::string name = read_function_symbol(pool.symbol_name(i << 1)).name;
    if (pool.find_table(name)) continue;
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
