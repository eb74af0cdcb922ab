#include "visviva/symbolic/calculus/write_by_abs.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/parts_under.h"

namespace visviva {
namespace {

bool is_choice(Op op) { return op == Op::max || op == Op::min; }

bool has_sign(Op op) { return op == Op::abs || op == Op::sign; }

// (1)
Expr write_choice(Op op, const Expr& a, const Expr& b) {
  ExprPool& pool = a.pool();
  const Expr half = pool.rational(1, 2);
  const Expr apart = abs(a - b);
  return half * (op == Op::max ? a + b + apart : a + b - apart);
}

// Expressions with some nodes written anew: `write(n, a, b)` is a node with its operands, or nothing.
template <class Write>
std::vector<Ref> rebuild(ExprPool& pool, const std::vector<Ref>& roots,
                         const std::vector<std::uint32_t>& cone, const Write& write) {
  IndexMap written;
  const auto changed = [&](Ref ref) {
    const Ref value = *written.find(ref >> 1);
    return (ref & 1u) != 0 ? ExprPool::negate(value) : value;
  };
  for (const std::uint32_t i : cone) {
    const Node n = pool.node(i << 1);
    const int operands = operand_count(n.op);
    const Ref a = operands > 0 ? changed(n.a) : 0, b = operands > 1 ? changed(n.b) : 0;
    Ref value = i << 1;
    if (const std::optional<Expr> anew = write(n, a, b))
      value = anew->ref();
    else if (operands > 0 && (a != n.a || (operands > 1 && b != n.b)))
      value = pool.apply(n.op, a, b);
    written.set(i, value);
  }
  std::vector<Ref> result;
  for (const Ref root : roots) result.push_back(changed(root));
  return result;
}

}  // namespace

std::vector<Expr> write_by_abs(const std::vector<Expr>& exprs) {
  if (exprs.empty()) return {};
  ExprPool& pool = common_pool(exprs, "write_by_abs");
  const std::vector<Ref> roots = refs_in(pool, exprs, "write_by_abs");
  if (std::none_of(exprs.begin(), exprs.end(), has_piece_under)) return exprs;
  const std::vector<std::uint32_t> cone = collect_cone(pool, roots);
  if (std::none_of(cone.begin(), cone.end(),
                   [&](std::uint32_t i) { return is_choice(pool.node(i << 1).op); }))
    return exprs;
  std::vector<Expr> result;
  for (const Ref ref : rebuild(pool, roots, cone, [&](const Node&n, Ref a, Ref b) {
         return is_choice(n.op)
                    ? std::optional<Expr>(write_choice(n.op, Expr(pool, a), Expr(pool, b)))
                    : std::nullopt;
       }))
    result.emplace_back(pool, ref);
  return result;
}

Expr write_by_abs(const Expr& expr) { return write_by_abs(std::vector<Expr>{expr}).front(); }

std::vector<Expr> write_by_cases(const Expr& expr, int most) {
  ExprPool& pool = common_pool({expr}, "write_by_cases");
  const std::vector<Ref> roots = {ref_in(pool, expr, "write_by_cases")};
  if (!has_piece_under(expr)) return {};
  const std::vector<std::uint32_t> cone = collect_cone(pool, roots);
  std::vector<std::uint32_t> arguments;  // nodes: a and -a are one
  const auto place_of = [&](const Node& n) {
    return std::find(arguments.begin(), arguments.end(), n.a >> 1);
  };
  for (const std::uint32_t i : cone) {
    const Node& n = pool.node(i << 1);
    if (has_sign(n.op) && place_of(n) == arguments.end()) arguments.push_back(n.a >> 1);
  }
  if (arguments.empty() || static_cast<int>(arguments.size()) > most) return {};
  std::vector<Expr> result;
  for (unsigned signs = 0; signs < 1u << arguments.size(); ++signs) {
    const std::vector<Ref> one = rebuild(pool, roots, cone, [&](const Node& n, Ref a, Ref) {
      std::optional<Expr> anew;
      if (!has_sign(n.op)) return anew;
      const bool is_turned = ((signs >> (place_of(n) - arguments.begin())) & 1u) != 0;
      const bool is_negative = is_turned != ((n.a & 1u) != 0);
      const Expr size = n.op == Op::abs ? Expr(pool, a) : pool.one();
      anew = is_negative ? -size : size;
      return anew;
    });
    result.emplace_back(pool, one.front());
  }
  return result;
}

}  // namespace visviva
