#include "visviva/symbolic/calculus/value_noise.h"

#include <cmath>
#include <utility>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/apply_operation.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/function_call.h"

namespace visviva {
namespace {

// |d node / d a| and |d node / d b|; value is the node's own.
std::pair<double, double> slope_sizes(Op op, double a, double b, double value) {
  switch (op) {
    case Op::add:
    case Op::pair:
      return {1, 1};
    case Op::multiply:
      return {std::abs(b), std::abs(a)};
    case Op::divide:
      return {std::abs(1 / b), std::abs(value / b)};
    case Op::power:
      return {std::abs(b * std::pow(a, b - 1)), std::abs(std::log(a) * value)};
    case Op::sqrt:
      return {std::abs(0.5 / value), 0};
    case Op::exp:
      return {value, 0};
    case Op::log:
      return {std::abs(1 / a), 0};
    case Op::sin:
      return {std::abs(std::cos(a)), 0};
    case Op::cos:
      return {std::abs(std::sin(a)), 0};
    case Op::tan:
      return {1 + value * value, 0};
    case Op::asin:
    case Op::acos:
      return {1 / std::sqrt(1 - a * a), 0};
    case Op::atan:
      return {1 / (1 + a * a), 0};
    case Op::sinh:
      return {std::cosh(a), 0};
    case Op::cosh:
      return {std::abs(std::sinh(a)), 0};
    case Op::tanh:
      return {1 - value * value, 0};
    case Op::abs:
      return {1, 0};
    case Op::min:
      return {a <= b ? 1 : 0, a <= b ? 0 : 1};
    case Op::max:
      return {a >= b ? 1 : 0, a >= b ? 0 : 1};
    case Op::atan2: {
      const double square = a * a + b * b;
      return {std::abs(b / square), std::abs(a / square)};
    }
    case Op::call:
      return {0, 1};  // of functions that nobody defined nothing is known
    case Op::constant:
    case Op::pi:
    case Op::symbol:
    case Op::function:
    case Op::sign:
    case Op::step:
      return {0, 0};
  }
  throw InternalError("slope_sizes: unknown operation");
}

struct NoisyValue {
  double value = 0, noise = 0;
};

}  // namespace

std::vector<double> bound_value_noise(const std::vector<Expr>& exprs,
                                      const std::vector<Expr>& symbols,
                                      const std::vector<double>& values) {
  if (exprs.empty()) return {};
  ExprPool& pool = common_pool(exprs, "bound_value_noise");
  const std::vector<Ref> roots = refs_in(pool, exprs, "bound_value_noise");
  IndexMap slot, input;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    input.set(ref_in(pool, symbols[i], "bound_value_noise") >> 1, static_cast<std::uint32_t>(i));
  std::vector<NoisyValue> nodes;
  const auto read = [&](Ref ref) {
    const NoisyValue& x = nodes[*slot.find(ref >> 1)];
    return (ref & 1u) != 0 ? NoisyValue{-x.value, x.noise} : x;
  };
  const auto add_part = [](double slope, double noise) {
    return noise == 0 ? 0.0 : slope * noise;  // a slope without a value has no say there
  };
  // By its slopes, the table's own.
  const auto call_table = [&](const BoundTable& table, const std::vector<Ref>& arguments) {
    const NoisyValue a = read(arguments.front()), b = read(arguments.back());
    NoisyValue x{table(a.value, b.value), 0.0};
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      BoundTable slope = table;
      ++slope.orders[k];
      x.noise += add_part(std::abs(slope(a.value, b.value)), (k == 0 ? a : b).noise);
    }
    return x;
  };
  for (const std::uint32_t i : collect_cone(pool, roots)) {
    const Node n = pool.node(i << 1);
    NoisyValue x;
    const auto table = n.op == Op::call ? bind_table(pool, n) : nullptr;
    if (n.op == Op::symbol) {
      const std::uint32_t* known = input.find(i);
      if (known == nullptr)
        throw UsageError("bound_value_noise",
                         "no value is given for '" + pool.symbol_name(i << 1) + "'");
      x = {values[*known], std::abs(values[*known])};
    } else if (table) {
      x = call_table(*table, read_call(pool, n).arguments);
    } else if (operand_count(n.op) == 0) {
      x.value = evaluate({pool, i << 1}, {}, {});
    } else {
      const bool is_of_two = operand_count(n.op) > 1;
      const NoisyValue a = read(n.a), b = is_of_two ? read(n.b) : NoisyValue{};
      x.value = apply_operation<double>(n.op, a.value, b.value);
      const auto [by_a, by_b] = slope_sizes(n.op, a.value, b.value, x.value);
      x.noise = add_part(by_a, a.noise) + (is_of_two ? add_part(by_b, b.noise) : 0.0);
    }
    slot.set(i, static_cast<std::uint32_t>(nodes.size()));
    nodes.push_back(x);
  }
  std::vector<double> bounds;
  for (const Ref root : roots) bounds.push_back(read(root).noise);
  return bounds;
}

}  // namespace visviva
