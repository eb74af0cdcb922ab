// Rule (1) and a table of functions of x itself.
#include <algorithm>

#include "visviva/symbolic/core/function_call.h"
#include "visviva/symbolic/integrate/integrate_laurent.h"
#include "visviva/symbolic/integrate/integrate_rules.h"

namespace visviva {
namespace {

// x^n f^k, f a function of x itself or log|x|.
struct Call {
  Expr f;
  std::int64_t k = 0;
  std::int64_t n = 0;
};

std::optional<Call> find_call(const ProductTerm& term, const Expr& x) {
  Call call;
  for (const PowerFactor& f : term.factors) {
    const auto k = integer_of(f.exponent);
    if (!k || f.kind != PowerKind::plain || *k > max_laurent || *k < -max_laurent)
      return std::nullopt;
    if (f.base == x) {
      call.n = *k;
    } else if (call.f.valid() || operand_count(op_of(f.base)) != 1) {
      return std::nullopt;
    } else {
      call.f = f.base;
      call.k = *k;
    }
  }
  if (!call.f.valid()) return std::nullopt;
  const Expr argument = argument_of(call.f);
  const bool log_of_abs =
      op_of(call.f) == Op::log && op_of(argument) == Op::abs && argument_of(argument) == x;
  if (!(argument == x) && !log_of_abs) return std::nullopt;
  return call;
}

// int x^n log^k = x^(n+1)/(n+1) log^k - k/(n+1) int x^n log^(k-1)
std::optional<Expr> integrate_log(const Call& call, const Expr& coefficient, Integration& in) {
  const auto [l, k, n] = call;
  if (k < 0) return std::nullopt;
  if (n == -1) return coefficient * pow(l, static_cast<double>(k + 1)) / static_cast<double>(k + 1);
  Expr sum = in.zero(), c = in.one() / static_cast<double>(n + 1);
  for (std::int64_t j = k; j >= 0; --j) {
    sum += c * pow(l, static_cast<double>(j));
    c *= in.one() * static_cast<double>(-j) / static_cast<double>(n + 1);
  }
  return coefficient * pow(in.x, static_cast<double>(n + 1)) * sum;
}

// int tan^k = tan^(k-1)/(k-1) - int tan^(k-2);  tanh: with the other signs
std::optional<Expr> integrate_tangent(bool circular, std::int64_t k, const Expr& x) {
  if (k < 1) return std::nullopt;
  const Expr t = circular ? tan(x) : tanh(x);
  Expr sum = x.pool().zero();
  bool minus = !circular;
  for (; k > 1; k -= 2) {
    const Expr part = pow(t, static_cast<double>(k - 1)) / static_cast<double>(k - 1);
    sum += minus ? -part : part;
    if (circular) minus = !minus;
  }
  if (!circular) return sum + (k == 1 ? log(cosh(x)) : x);
  const Expr last = k == 1 ? -log(abs(cos(x))) : x;
  return sum + (minus ? -last : last);
}

// int f(x)^k for the functions that have one.
std::optional<Expr> integrate_call(Op op, std::int64_t k, const Expr& x) {
  if (op == Op::tan || op == Op::tanh) return integrate_tangent(op == Op::tan, k, x);
  if (op == Op::atan && k == 1) return x * atan(x) - log(1 + x * x) / 2;
  if (op == Op::asin && k == 1) return x * asin(x) + sqrt(1 - x * x);
  if (op == Op::acos && k == 1) return x * acos(x) - sqrt(1 - x * x);
  if (op == Op::cos && k == -2) return tan(x);
  if (op == Op::sin && k == -2) return -cos(x) / sin(x);
  if (op == Op::cosh && k == -2) return tanh(x);
  return std::nullopt;
}

// int F(a x + b, c) dx = integral(F, 1)(a x + b, c)/a, for functions with a table.
std::optional<Expr> integrate_lookup(const ProductTerm& term, Integration& in) {
  if (term.factors.size() != 1) return std::nullopt;
  const PowerFactor& f = term.factors[0];
  const Node n = in.pool.node(f.base.ref());
  if (n.op != Op::call || f.kind != PowerKind::plain || !(f.exponent == 1)) return std::nullopt;
  const FunctionCall call = read_call(in.pool, n);
  if (!in.pool.find_table(call.function.name)) return std::nullopt;
  std::optional<std::size_t> moving;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (in.is_free({in.pool, call.arguments[i]})) continue;
    if (moving) return std::nullopt;
    moving = i;
  }
  if (!moving) return std::nullopt;
  const auto has = [&](const std::vector<std::size_t>& list) {
    return std::find(list.begin(), list.end(), *moving) != list.end();
  };
  const Expr slope = in.derivative({in.pool, call.arguments[*moving]});
  if (!in.is_free(slope) || has(call.function.over)) return std::nullopt;
  const Expr name = in.pool.undefined_function(call.function.integral(*moving));
  const Expr F(in.pool, in.pool.function(Op::call, name.ref(), n.b));
  return term.coefficient * ((f.base.ref() & 1u) != 0 ? -F : F) / slope;
}

}  // namespace

std::optional<Expr> integrate_power(const ProductTerm& term, Integration& in) {
  const Expr& x = in.x;
  if (term.factors.empty()) return term.coefficient * x;
  PowerFactor f = term.factors[0];
  if (term.factors.size() > 1 || !(f.base == x)) return std::nullopt;
  const Expr e = f.exponent + 1;
  if (e.is_zero()) {
    const Expr l = in.search.x_is_positive ? log(x) : log(abs(x));
    return term.coefficient * (f.kind == PowerKind::absolute ? sign(x) * l : l);
  }
  if (f.kind != PowerKind::plain)
    f.kind = f.kind == PowerKind::absolute ? PowerKind::with_sign : PowerKind::absolute;
  f.exponent = e;
  return build(ProductTerm{term.coefficient / e, {f}});
}

std::optional<Expr> integrate_function(const ProductTerm& term, Integration& in) {
  if (auto F = integrate_lookup(term, in)) return F;
  const auto call = find_call(term, in.x);
  if (!call) return std::nullopt;
  if (op_of(call->f) == Op::log) return integrate_log(*call, term.coefficient, in);
  if (call->n != 0) return std::nullopt;
  const auto F = integrate_call(op_of(call->f), call->k, in.x);
  if (!F) return std::nullopt;
  return term.coefficient * *F;
}

}  // namespace visviva
