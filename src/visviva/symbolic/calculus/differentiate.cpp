#include "visviva/symbolic/calculus/differentiate.h"

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/local_slopes.h"
#include "visviva/symbolic/core/function_call.h"

namespace visviva {
namespace {

// d node / d operand, for the first (which = 0) or the second operand. The node itself may appear
// in the result.
Ref local_derivative(ExprPool& pool, std::uint32_t index, int which) {
  const Ref self = index << 1;
  const Node n = pool.node(self);
  const Ref one = pool.one().ref(), a = n.a, b = n.b;
  const auto times = [&](Ref x, Ref y) { return pool.multiply(x, y); };
  const auto over = [&](Ref x, Ref y) { return pool.divide(x, y); };
  const auto plus = [&](Ref x, Ref y) { return pool.add(x, y); };
  const auto minus = [&](Ref x, Ref y) { return pool.add(x, ExprPool::negate(y)); };
  const auto square = [&](Ref x) { return pool.multiply(x, x); };
  const auto call = [&](Op op, Ref x) { return pool.function(op, x); };
  const auto choose = [&](Ref x) {
    return which == 0 ? call(Op::step, x) : minus(one, call(Op::step, x));
  };
  switch (n.op) {
    case Op::constant:
    case Op::pi:
    case Op::symbol:
    case Op::function:
    case Op::pair:
    case Op::call:  // by its arguments: list_call_slopes()
      return 0;
    case Op::add:
      return one;
    case Op::multiply:
      return which == 0 ? b : a;
    case Op::divide:
      return which == 0 ? over(one, b) : ExprPool::negate(over(self, b));
    case Op::power:
      return which == 0 ? times(b, pool.power(a, minus(b, one))) : times(call(Op::log, a), self);
    case Op::sqrt:
      return over(one, plus(self, self));
    case Op::exp:
      return self;
    case Op::log:
      return over(one, a);
    case Op::sin:
      return call(Op::cos, a);
    case Op::cos:
      return ExprPool::negate(call(Op::sin, a));
    case Op::tan:
      return plus(one, square(self));
    case Op::asin:
      return over(one, call(Op::sqrt, minus(one, square(a))));
    case Op::acos:
      return ExprPool::negate(over(one, call(Op::sqrt, minus(one, square(a)))));
    case Op::atan:
      return over(one, plus(one, square(a)));
    case Op::sinh:
      return call(Op::cosh, a);
    case Op::cosh:
      return call(Op::sinh, a);
    case Op::tanh:
      return minus(one, square(self));
    case Op::abs:
      return call(Op::sign, a);
    case Op::sign:
    case Op::step:
      return 0;
    case Op::min:
      return choose(minus(b, a));
    case Op::max:
      return choose(minus(a, b));
    case Op::atan2: {
      const Ref length = plus(square(a), square(b));
      return which == 0 ? over(b, length) : ExprPool::negate(over(a, length));
    }
  }
  throw InternalError("local_derivative: unknown operation");
}

bool has_slopes(Op op) { return op != Op::pair && op != Op::call; }

// The derivatives of an undefined function by its arguments are functions of the same arguments.
std::vector<LocalSlope> list_call_slopes(ExprPool& pool, const Node& n) {
  const FunctionCall call = read_call(pool, n);
  std::vector<LocalSlope> slopes;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Ref name = pool.undefined_function(call.function.derivative(i)).ref();
    slopes.push_back({call.arguments[i], pool.function(Op::call, name, n.b)});
  }
  return slopes;
}

Ref with_sign_of(Ref value, Ref operand) {
  return (operand & 1u) != 0 ? ExprPool::negate(value) : value;
}

void require_symbol(const Expr& e, const char* function) {
  if (!e.valid() || !e.is_symbol())
    throw UsageError(function, "expected a symbol to differentiate by");
}

}  // namespace

std::vector<LocalSlope> list_local_slopes(ExprPool& pool, std::uint32_t index,
                                          const IndexMap& active) {
  const Node n = pool.node(index << 1);
  std::vector<LocalSlope> slopes;
  if (n.op == Op::call) {
    slopes = list_call_slopes(pool, n);
    std::erase_if(slopes, [&](const LocalSlope& s) { return !active.contains(s.operand >> 1); });
    return slopes;
  }
  for (int k = 0; k < operand_count(n.op); ++k) {
    const Ref operand = k == 0 ? n.a : n.b;
    if (active.contains(operand >> 1))
      slopes.push_back({operand, local_derivative(pool, index, k)});
  }
  return slopes;
}

IndexMap find_active(const ExprPool& pool, const std::vector<std::uint32_t>& cone, IndexMap known) {
  for (const std::uint32_t i : cone) {
    const Node& n = pool.node(i << 1);
    const int operands = operand_count(n.op);
    if ((operands > 0 && known.contains(n.a >> 1)) || (operands > 1 && known.contains(n.b >> 1)))
      known.set(i, 1);
  }
  return known;
}

Tangent::Tangent(ExprPool& pool, const std::vector<std::pair<Expr, Expr>>& rates) : pool_(pool) {
  for (const auto& [symbol, rate] : rates) {
    require_symbol(symbol, "Tangent");
    memo_.set(ref_in(pool, symbol, "Tangent") >> 1, ref_in(pool, rate, "Tangent"));
  }
}

Expr Tangent::operator()(const Expr& expr) {
  const Ref root = ref_in(pool_, expr, "Tangent");
  if (const std::uint32_t* known = memo_.find(root >> 1))
    return {pool_, with_sign_of(*known, root)};
  for (const std::uint32_t i : collect_cone(pool_, {root}, memo_)) {
    const Node n = pool_.node(i << 1);
    const int operands = operand_count(n.op);
    Ref sum = 0;
    const auto change_of = [this](Ref operand) {
      return with_sign_of(*memo_.find(operand >> 1), operand);
    };
    if (n.op == Op::call && *memo_.find(n.b >> 1) != 0) {
      for (const LocalSlope& slope : list_call_slopes(pool_, n))
        sum = pool_.add(sum, pool_.multiply(slope.value, change_of(slope.operand)));
    }
    // A pair has no value: any number but zero says that one of its parts changes.
    if (n.op == Op::pair && (change_of(n.a) != 0 || change_of(n.b) != 0)) sum = pool_.one().ref();
    for (int k = 0; k < (has_slopes(n.op) ? operands : 0); ++k) {
      const Ref operand = k == 0 ? n.a : n.b;
      const Ref change = change_of(operand);
      if (change != 0) sum = pool_.add(sum, pool_.multiply(local_derivative(pool_, i, k), change));
    }
    memo_.set(i, sum);
  }
  return {pool_, with_sign_of(*memo_.find(root >> 1), root)};
}

Expr differentiate(const Expr& expr, const Expr& symbol) {
  require_symbol(symbol, "differentiate");
  ExprPool& pool = common_pool({expr, symbol}, "differentiate");
  return Tangent(pool, {{symbol, pool.one()}})(expr);
}

std::vector<Expr> gradient(const Expr& expr, const std::vector<Expr>& symbols) {
  for (const Expr& s : symbols) require_symbol(s, "gradient");
  std::vector<Expr> all = symbols;
  all.push_back(expr);
  ExprPool& pool = common_pool(all, "gradient");
  const Ref root = ref_in(pool, expr, "gradient");
  const std::vector<Ref> places = refs_in(pool, symbols, "gradient");
  IndexMap wanted, adjoint;
  for (const Ref s : places) wanted.set(s >> 1, 1);
  // Up: which nodes depend on the symbols. Down: what each of them means for the result.
  const std::vector<std::uint32_t> cone = collect_cone(pool, {root});
  const IndexMap active = find_active(pool, cone, std::move(wanted));
  adjoint.set(root >> 1, with_sign_of(pool.one().ref(), root));
  for (auto it = cone.rbegin(); it != cone.rend(); ++it) {
    const std::uint32_t* weight = adjoint.find(*it);
    if (weight == nullptr || *weight == 0) continue;
    const Ref w = *weight;
    const Node n = pool.node(*it << 1);
    const auto give = [&](Ref operand, Ref slope) {
      const Ref share = with_sign_of(pool.multiply(w, slope), operand);
      const std::uint32_t* sum = adjoint.find(operand >> 1);
      adjoint.set(operand >> 1, sum == nullptr ? share : pool.add(*sum, share));
    };
    if (n.op == Op::call) {
      for (const LocalSlope& slope : list_call_slopes(pool, n))
        if (active.contains(slope.operand >> 1)) give(slope.operand, slope.value);
      continue;
    }
    for (int k = 0; k < operand_count(n.op); ++k) {
      const Ref operand = k == 0 ? n.a : n.b;
      if (active.contains(operand >> 1)) give(operand, local_derivative(pool, *it, k));
    }
  }
  std::vector<Expr> result;
  result.reserve(symbols.size());
  for (const Ref s : places) {
    const std::uint32_t* value = adjoint.find(s >> 1);
    result.emplace_back(pool, value == nullptr ? 0 : *value);
  }
  return result;
}

std::vector<std::vector<Expr>> jacobian(const std::vector<Expr>& outputs,
                                        const std::vector<Expr>& symbols) {
  std::vector<std::vector<Expr>> result;
  if (outputs.size() <= symbols.size()) {
    for (const Expr& out : outputs) result.push_back(gradient(out, symbols));
    return result;
  }
  result.assign(outputs.size(), {});
  for (const Expr& s : symbols) {
    require_symbol(s, "jacobian");
    std::vector<Expr> all = outputs;
    all.push_back(s);
    ExprPool& pool = common_pool(all, "jacobian");
    Tangent tangent(pool, {{s, pool.one()}});
    for (std::size_t i = 0; i < outputs.size(); ++i) result[i].push_back(tangent(outputs[i]));
  }
  return result;
}

}  // namespace visviva
