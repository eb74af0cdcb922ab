#include "visviva/codegen/system/switches.h"

#include <algorithm>
#include <unordered_set>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/function_call.h"
#include "visviva/symbolic/core/function_symbol.h"

namespace visviva {
namespace {

// What a denominator vanishes with: its factors, each of which changes its sign there, as their squares do not.
void add_factors(ExprPool& pool, Ref ref, std::vector<Expr>* all) {
  std::vector<Ref> left = {ref};
  while (!left.empty()) {
    const Ref factor = left.back();
    left.pop_back();
    const Node node = pool.node(factor & ~Ref{1});
    if (node.op == Op::multiply) left.push_back(node.b);
    if (node.op == Op::multiply || node.op == Op::power || node.op == Op::sqrt)
      left.push_back(node.a);
    else
      all->push_back(Expr(pool, factor));
  }
}

// What the nodes are infinite at, where it vanishes: denominators, and the cosines of tangents.
void add_poles(ExprPool& pool, const std::vector<Ref>& inside, std::vector<Expr>* all) {
  for (const std::uint32_t i : collect_cone(pool, inside)) {
    const Node node = pool.node(i << 1);
    if (node.op == Op::divide) add_factors(pool, node.b, all);
    if (node.op == Op::tan) all->push_back(cos(Expr(pool, node.a)));
  }
}

// A smooth table is C2 in itself, C1 in its slopes and has corners in their slopes; one of straight pieces has corners.
// Whatever it is, it stops at once where it holds its end values.
void add_table_corners(ExprPool& pool, const Node& call, std::vector<Expr>* all) {
  const auto bound = bind_table(pool, call);
  if (!bound || bound->corner_argument >= 0) return;
  FunctionSymbol function = read_call(pool, call).function;
  function.by.clear();
  function.over.clear();
  const auto add = [&](std::size_t argument, int bit) {
    function.corner = {argument, bit};
    const Ref name = pool.undefined_function(function).ref();
    all->push_back(Expr(pool, pool.function(Op::call, name, call.b)));
  };
  const int corner_order = bound->table->shape() == TableShape::linear ? 0 : 2;
  for (std::size_t i = 0; i < bound->table->argument_count(); ++i) {
    const Spline& axis = bound->table->axis(i);
    const int bits = bound->orders[i] >= corner_order ? BoundTable::count_corner_bits(axis) : 0;
    for (int bit = 0; bit < bits; ++bit) add(i, bit);
    if (bits == 0 && bound->orders[i] >= 0 && axis.range() == TableRange::hold)
      add(i, BoundTable::ends);
  }
}

// What changes sign where the node changes over; nothing for a smooth one.
std::vector<Expr> switches_of(ExprPool& pool, const Node& node) {
  std::vector<Expr> all;
  switch (node.op) {
    case Op::step:
    case Op::sign:
    case Op::abs:
      all.push_back(Expr(pool, node.a));
      break;
    case Op::min:
    case Op::max:
      all.push_back(Expr(pool, node.a) - Expr(pool, node.b));
      break;
    case Op::atan2:  // it jumps there, on one side of the origin
      all.push_back(Expr(pool, node.a));
      break;
    case Op::asin:
    case Op::acos: {  // of a sine or cosine it has a corner where that turns
      const Node inner = pool.node(node.a & ~Ref{1});
      if (inner.op == Op::sin) all.push_back(cos(Expr(pool, inner.a)));
      if (inner.op == Op::cos) all.push_back(sin(Expr(pool, inner.a)));
      break;
    }
    case Op::atan:  // finite where its argument is not, on either side of a pole
    case Op::tanh:
      add_poles(pool, {node.a}, &all);
      break;
    case Op::call:
      add_table_corners(pool, node, &all);
      break;
    default:
      break;
  }
  return all;
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
    for (const Expr& e : switches_of(pool, node)) {
      if (!is_known.insert(e.ref() >> 1).second) continue;
      const std::vector<Expr> inside = free_symbols(e);
      if (std::any_of(inside.begin(), inside.end(),
                      [&](const Expr& symbol) { return is_moving.count(symbol.ref()) != 0; }))
        all.push_back(Expr(pool, e.ref() & ~Ref{1}));
    }
  }
  return all;
}

std::vector<Expr> collect_poles(const std::vector<Expr>& expressions) {
  std::vector<Expr> all, different;
  if (expressions.empty()) return all;
  ExprPool& pool = common_pool(expressions, "collect_poles");
  add_poles(pool, refs_in(pool, expressions, "collect_poles"), &all);
  std::unordered_set<Ref> is_known;
  for (const Expr& e : all)
    if (is_known.insert(e.ref() >> 1).second) different.push_back(Expr(pool, e.ref() & ~Ref{1}));
  return different;
}

}  // namespace visviva
