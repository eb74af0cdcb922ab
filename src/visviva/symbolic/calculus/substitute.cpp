#include "visviva/symbolic/calculus/substitute.h"

#include "visviva/base/error.h"

namespace visviva {

Substitution::Substitution(ExprPool& pool, const Replacements& replacements) : pool_(pool) {
  for (const auto& [symbol, value] : replacements) {
    if (!symbol.valid() || !symbol.is_symbol())
      throw UsageError("substitute", "only a symbol can be replaced");
    const Ref place = ref_in(pool, symbol, "substitute");
    if (!memo_.set(place >> 1, ref_in(pool, value, "substitute")))
      throw UsageError("substitute", "'" + pool.symbol_name(place) + "' is replaced twice");
  }
}

Substitution Substitution::of_parts(ExprPool& pool, const Replacements& parts) {
  Substitution result(pool);
  for (const auto& [part, value] : parts) {
    const Ref place = ref_in(pool, part, "substitute"), by = ref_in(pool, value, "substitute");
    if (!result.memo_.set(place >> 1, (place & 1u) != 0 ? ExprPool::negate(by) : by))
      throw UsageError("substitute", "a part is replaced twice");
  }
  return result;
}

Expr Substitution::operator()(const Expr& expr) { return (*this)(std::vector<Expr>{expr}).front(); }

std::vector<Expr> Substitution::operator()(const std::vector<Expr>& exprs) {
  std::vector<Expr> result;
  if (exprs.empty()) return result;
  const std::vector<Ref> roots = refs_in(pool_, exprs, "substitute");
  const auto changed = [this](Ref ref) {
    return *memo_.find(ref >> 1) ^ ((ref & 1u) != 0 && *memo_.find(ref >> 1) != 0);
  };
  for (const std::uint32_t i : collect_cone(pool_, roots, memo_)) {
    const Node n = pool_.node(i << 1);
    const int operands = operand_count(n.op);
    const Ref a = operands > 0 ? changed(n.a) : 0, b = operands > 1 ? changed(n.b) : 0;
    Ref value = i << 1;
    if (operands > 0 && (a != n.a || (operands > 1 && b != n.b))) value = pool_.apply(n.op, a, b);
    memo_.set(i, value);
  }
  for (const Ref root : roots) result.emplace_back(pool_, changed(root));
  return result;
}

Expr substitute(const Expr& expr, const Replacements& replacements) {
  std::vector<Expr> all = {expr};
  for (const auto& [symbol, value] : replacements) {
    all.push_back(symbol);
    all.push_back(value);
  }
  return Substitution(common_pool(all, "substitute"), replacements)(expr);
}

}  // namespace visviva
