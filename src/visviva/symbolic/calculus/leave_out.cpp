#include "visviva/symbolic/calculus/leave_out.h"

#include <cstdint>
#include <vector>

#include "visviva/symbolic/calculus/cone.h"

namespace visviva {

Expr leave_terms_out(const Expr& e, const std::function<bool(const Expr& symbol)>& is_out) {
  ExprPool& pool = common_pool({e}, "leave_terms_out");
  const Ref root = ref_in(pool, e, "leave_terms_out");
  IndexMap holds, left;  // whether a node holds such a symbol, and what is left of it
  const auto has = [&](Ref ref) { return *holds.find(ref >> 1) != 0; };
  const auto rest = [&](Ref ref) {
    const Expr value(pool, *left.find(ref >> 1));
    return (ref & 1u) != 0 ? -value : value;
  };
  for (const std::uint32_t i : collect_cone(pool, {root})) {
    const Node n = pool.node(i << 1);
    const Expr whole(pool, i << 1);
    const int operands = operand_count(n.op);
    const bool is_held = n.op == Op::symbol
                             ? is_out(whole)
                             : (operands > 0 && has(n.a)) || (operands > 1 && has(n.b));
    Expr value = is_held ? pool.zero() : whole;
    if (is_held && n.op == Op::add) value = rest(n.a) + rest(n.b);
    if (is_held && n.op == Op::multiply) value = rest(n.a) * rest(n.b);
    if (is_held && n.op == Op::divide && !has(n.b)) value = rest(n.a) / rest(n.b);
    holds.set(i, is_held ? 1 : 0);
    left.set(i, value.ref());
  }
  return rest(root);
}

}  // namespace visviva
