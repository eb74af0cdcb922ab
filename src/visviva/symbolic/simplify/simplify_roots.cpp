#include "visviva/symbolic/simplify/simplify_roots.h"

#include <algorithm>

namespace visviva {
namespace {

constexpr std::size_t most_reduced = 4;  // with more, forms get no shorter

Polynomial power(const Polynomial& p, std::uint32_t exponent, Budget& budget) {
  Polynomial result(Rational{1, 1});
  for (std::uint32_t k = 0; k < exponent; ++k) result = multiply(result, p, budget);
  return result;
}

// sum c m r^n with r^2 = P/Q is sum c m r^(n mod 2) P^(n/2) Q^(K - n/2) / Q^K.
Quotient reduce(const Polynomial& p, std::uint32_t generator, const Quotient& square,
                Budget& budget) {
  std::uint32_t most = 0;
  for (const auto& [m, c] : p.terms()) most = std::max(most, exponent_of(m, generator) / 2);
  Quotient result{Polynomial(), power(square.den, most, budget)};
  for (const auto& [m, c] : p.terms()) {
    const std::uint32_t n = exponent_of(m, generator);
    const Polynomial squares =
        multiply(power(square.num, n / 2, budget), power(square.den, most - n / 2, budget), budget);
    add_to(&result.num, scale(squares, c, with_exponent(m, generator, n % 2)), budget);
  }
  return result;
}

}  // namespace

std::vector<RootLeaf> collect_root_leaves(const ExprPool& pool,
                                          const std::vector<std::uint32_t>& leaves,
                                          const NodeNames& names) {
  std::vector<RootLeaf> roots;
  std::vector<std::uint32_t> open = leaves;
  for (std::size_t i = 0; i < open.size() && roots.size() < most_reduced; ++i) {
    const Node& node = pool.node(open[i] << 1);
    if (node.op != Op::sqrt || names.contains(open[i]) || names.contains(node.a >> 1)) continue;
    if (!is_arithmetic(pool.node(node.a).op)) continue;
    const bool is_known = std::any_of(roots.begin(), roots.end(),
                                      [&](const RootLeaf& r) { return r.index == open[i]; });
    if (is_known) continue;
    roots.push_back({open[i], collect_arithmetic(pool, node.a, names)});
    const std::vector<std::uint32_t>& more = roots.back().argument.leaves;
    open.insert(open.end(), more.begin(), more.end());
  }
  // Nodes come after their operands.
  std::sort(roots.begin(), roots.end(),
            [](const RootLeaf& a, const RootLeaf& b) { return a.index > b.index; });
  return roots;
}

std::vector<std::uint32_t> add_leaves(std::vector<std::uint32_t> leaves,
                                      const std::vector<RootLeaf>& roots) {
  for (const RootLeaf& root : roots)
    leaves.insert(leaves.end(), root.argument.leaves.begin(), root.argument.leaves.end());
  std::sort(leaves.begin(), leaves.end());
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  return leaves;
}

Quotient reduce_roots(Quotient q, const ExprPool& pool, const std::vector<RootLeaf>& roots,
                      GeneratorTable& table, Budget& budget) {
  for (const RootLeaf& root : roots) {
    const GeneratorTable::Value& value = table.value(root.index);
    Quotient square = convert(pool, root.argument, table, false, budget);
    // convert() tells the node; the argument may be its negative.
    if ((pool.node(root.index << 1).a & 1u) != 0) square.num = scale(square.num, {-1, 1});
    const Quotient num = reduce(q.num, value.num.generator, square, budget);
    const Quotient den = reduce(q.den, value.num.generator, square, budget);
    q = cancel(multiply(num.num, den.den, budget), multiply(num.den, den.num, budget), budget);
  }
  return q;
}

}  // namespace visviva
