#include "visviva/codegen/system/switches.h"

#include <algorithm>
#include <unordered_set>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

// What changes sign where the node changes over; empty for a smooth one.
Expr switch_of(ExprPool& pool, const Node& node) {
  switch (node.op) {
    case Op::step:
    case Op::sign:
    case Op::abs:
      return Expr(pool, node.a);
    case Op::min:
    case Op::max:
      return Expr(pool, node.a) - Expr(pool, node.b);
    default:
      return {};
  }
}

}  // namespace

std::vector<Expr> collect_switches(const std::vector<Expr>& expressions,
                                   const std::vector<Expr>& moving) {
  std::vector<Expr> all;
  if (expressions.empty()) return all;
  ExprPool& pool = common_pool(expressions, "collect_switches");
  std::unordered_set<Ref> is_moving, is_known;
  for (const Expr& e : moving) is_moving.insert(e.ref());
  for (const std::uint32_t i : collect_cone(pool, refs_in(pool, expressions, "collect_switches"))) {
    const Node node = pool.node(i << 1);  // a copy: building may move the nodes
    const Expr e = switch_of(pool, node);
    if (!e.valid() || !is_known.insert(e.ref() >> 1).second) continue;
    const std::vector<Expr> inside = free_symbols(e);
    if (std::any_of(inside.begin(), inside.end(),
                    [&](const Expr& symbol) { return is_moving.count(symbol.ref()) != 0; }))
      all.push_back(Expr(pool, e.ref() & ~Ref{1}));
  }
  return all;
}

}  // namespace visviva
