#include "visviva/symbolic/calculus/substitute.h"

#include "visviva/base/error.h"

namespace visviva {

Substitution::Substitution(ExprPool& pool, const Replacements& replacements) : pool_(pool) {
  for (const auto& [symbol, value] : replacements) {
    if (!symbol.valid() || !symbol.is_symbol())
      throw UsageError("substitute", "only a symbol can be replaced");
    require_pool(symbol, pool, "substitute");
    require_pool(value, pool, "substitute");
    if (!memo_.set(symbol.ref() >> 1, value.ref())) {
      throw UsageError("substitute", "'" + pool.symbol_name(symbol.ref()) + "' is replaced twice");
    }
  }
}

Substitution Substitution::of_parts(ExprPool& pool, const Replacements& parts) {
  Substitution result(pool);
  for (const auto& [part, value] : parts) {
    require_pool(part, pool, "substitute");
    require_pool(value, pool, "substitute");
    const Expr signed_value = (part.ref() & 1u) != 0 ? -value : value;
    if (!result.memo_.set(part.ref() >> 1, signed_value.ref()))
      throw UsageError("substitute", "a part is replaced twice");
  }
  return result;
}

Expr Substitution::operator()(const Expr& expr) { return (*this)(std::vector<Expr>{expr}).front(); }

std::vector<Expr> Substitution::operator()(const std::vector<Expr>& exprs) {
  std::vector<Expr> result;
  if (exprs.empty()) return result;
  const std::vector<Ref> roots = refs_of(exprs, "substitute");
  require_pool(exprs.front(), pool_, "substitute");
  const auto changed = [this](Ref ref) {
    return *memo_.find(ref >> 1) ^ ((ref & 1u) != 0 && *memo_.find(ref >> 1) != 0);
  };
  for (const std::uint32_t i : collect_cone(pool_, roots)) {
    if (memo_.contains(i)) continue;
    const Node n = pool_.node(i << 1);
    const int operands = operand_count(n.op);
    const Ref a = operands > 0 ? changed(n.a) : 0, b = operands > 1 ? changed(n.b) : 0;
    Ref value = i << 1;
    if (operands > 0 && (a != n.a || (operands > 1 && b != n.b))) {
      switch (n.op) {
        case Op::add:
          value = pool_.add(a, b);
          break;
        case Op::multiply:
          value = pool_.multiply(a, b);
          break;
        case Op::divide:
          value = pool_.divide(a, b);
          break;
        case Op::power:
          value = pool_.power(a, b);
          break;
        default:
          value = pool_.function(n.op, a, b);
          break;
      }
    }
    memo_.set(i, value);
  }
  for (const Ref root : roots) result.emplace_back(pool_, changed(root));
  return result;
}

Expr substitute(const Expr& expr, const Replacements& replacements) {
  return Substitution(expr.pool(), replacements)(expr);
}

}  // namespace visviva
