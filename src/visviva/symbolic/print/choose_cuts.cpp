#include "visviva/symbolic/print/choose_cuts.h"

#include <algorithm>

#include "visviva/symbolic/calculus/cone.h"

namespace visviva {
namespace {

// How much text a node makes.
struct Extent {
  std::size_t size = 1;
  std::size_t nesting = 0;  // functions of functions

  void include(const Extent& operand) {
    size += operand.size;
    nesting = std::max(nesting, operand.nesting);
  }
};

}  // namespace

std::vector<std::uint32_t> choose_cuts(const ExprPool& pool, const std::vector<Ref>& roots,
                                       const CutLimits& limits) {
  const std::vector<std::uint32_t> cone = collect_cone(pool, roots);
  // Uses of each node, and its place in the cone.
  IndexMap place;
  for (std::uint32_t i = 0; i < cone.size(); ++i) place.set(cone[i], i);
  std::vector<std::uint32_t> uses(cone.size(), 0);
  const auto use = [&](Ref ref) { ++uses[*place.find(ref >> 1)]; };
  for (const std::uint32_t index : cone) {
    const Node& node = pool.node(index << 1);
    const int operands = operand_count(node.op);
    if (operands > 0) use(node.a);
    if (operands > 1) use(node.b);
  }
  std::vector<bool> is_root(cone.size(), false);
  for (const Ref root : roots) {
    const std::uint32_t i = *place.find(root >> 1);
    if (is_root[i]) ++uses[i];
    is_root[i] = true;
  }

  std::vector<std::uint32_t> cuts;
  std::vector<Extent> extents(cone.size());
  for (std::size_t i = 0; i < cone.size(); ++i) {
    const Node& node = pool.node(cone[i] << 1);
    const int operands = operand_count(node.op);
    if (operands == 0) continue;
    if (node.op == Op::pair) uses[i] = 0;  // has no value that a name could stand for
    Extent& extent = extents[i];
    extent.include(extents[*place.find(node.a >> 1)]);
    if (operands > 1) extent.include(extents[*place.find(node.b >> 1)]);
    if (!function_name(node.op).empty()) ++extent.nesting;
    const std::uint32_t all_uses = uses[i] + (is_root[i] ? 1 : 0);
    const bool shared = all_uses > 1 && extent.size >= limits.shared_size;
    const bool outgrown = extent.size > limits.line_size || extent.nesting > limits.nesting;
    if (!shared && (!outgrown || uses[i] == 0)) continue;
    cuts.push_back(cone[i]);
    extent = {};
  }
  return cuts;
}

std::size_t count_nodes(const ExprPool& pool, Ref root, std::size_t limit) {
  IndexMap met;
  std::vector<std::uint32_t> open;
  const auto visit = [&](Ref ref) {
    if (met.set(ref >> 1, 1)) open.push_back(ref >> 1);
  };
  visit(root);
  while (!open.empty() && met.size() <= limit) {
    const Node& node = pool.node(open.back() << 1);
    open.pop_back();
    const int operands = operand_count(node.op);
    if (operands > 0) visit(node.a);
    if (operands > 1) visit(node.b);
  }
  return std::min(met.size(), limit + 1);
}

std::size_t depth_of(const ExprPool& pool, const std::vector<std::uint32_t>& cone) {
  IndexMap depth;
  std::uint32_t deepest = 0;
  for (const std::uint32_t index : cone) {
    const Node& node = pool.node(index << 1);
    const int operands = operand_count(node.op);
    std::uint32_t below = 0;
    if (operands > 0) below = *depth.find(node.a >> 1);
    if (operands > 1) below = std::max(below, *depth.find(node.b >> 1));
    depth.set(index, below + 1);
    deepest = std::max(deepest, below + 1);
  }
  return deepest;
}

}  // namespace visviva
