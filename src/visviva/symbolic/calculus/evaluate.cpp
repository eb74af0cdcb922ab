#include "visviva/symbolic/calculus/evaluate.h"

#include <cmath>
#include <type_traits>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/apply_operation.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/core/function_call.h"

namespace visviva {
namespace {

long double exact_value(const ExprPool& pool, Ref ref) {
  Rational r;
  if (!pool.rational_value(ref, &r)) return pool.constant_value(ref);
  return static_cast<long double>(r.num) / static_cast<long double>(r.den);
}

}  // namespace

Evaluator::Evaluator(const std::vector<Expr>& inputs, const std::vector<Expr>& outputs,
                     FunctionValues functions) {
  input_count_ = inputs.size();
  if (outputs.empty()) return;
  ExprPool& pool = common_pool(outputs, "Evaluator");
  IndexMap position;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].is_symbol())
      throw UsageError("Evaluator", "input " + std::to_string(i) + " is not a symbol");
    position.set(ref_in(pool, inputs[i], "Evaluator") >> 1, static_cast<std::uint32_t>(i));
  }
  const std::vector<Ref> roots = refs_in(pool, outputs, "Evaluator");
  IndexMap slot;
  const auto operand = [&](Ref ref) { return *slot.find(ref >> 1) << 1 | (ref & 1u); };
  for (const std::uint32_t i : collect_cone(pool, roots)) {
    const Node& n = pool.node(i << 1);
    Step step{n.op, 0, 0};
    if (n.op == Op::function) {
      const double value = function_stand_in(pool.fingerprint(i << 1));
      step = {Op::constant, static_cast<std::uint32_t>(constants_.size()), 0};
      constants_.push_back({value, value});
    } else if (n.op == Op::constant || n.op == Op::pi) {
      step.a = static_cast<std::uint32_t>(constants_.size());
      if (n.op == Op::pi) constants_.push_back({std::acos(-1.0), std::acos(-1.0L)});
      if (n.op == Op::constant)
        constants_.push_back({pool.constant_value(i << 1), exact_value(pool, i << 1)});
    } else if (n.op == Op::symbol) {
      const std::uint32_t* known = position.find(i);
      if (known == nullptr)
        throw UsageError("Evaluator", "no value is given for '" + pool.symbol_name(i << 1) + "'");
      step.a = *known;
    } else {
      step.a = operand(n.a);
      if (operand_count(n.op) > 1) step.b = operand(n.b);
      const bool by_table = n.op == Op::call && functions == FunctionValues::by_tables;
      if (auto table = by_table ? bind_table(pool, n) : nullptr) {
        const std::vector<Ref> arguments = read_call(pool, n).arguments;
        step = {n.op, operand(arguments.front()), operand(arguments.back()),
                static_cast<std::uint32_t>(tables_.size())};
        tables_.push_back(std::move(table));
      }
    }
    slot.set(i, static_cast<std::uint32_t>(steps_.size()));
    steps_.push_back(step);
  }
  for (const Ref root : roots) outputs_.push_back(operand(root));
}

template <class Real>
std::vector<Real> Evaluator::run(const std::vector<Real>& inputs) const {
  if (inputs.size() != input_count_) {
    throw UsageError("Evaluator", "expected " + std::to_string(input_count_) + " values, found " +
                                      std::to_string(inputs.size()));
  }
  std::vector<Real> value(steps_.size());
  const auto read = [&value](std::uint32_t operand) {
    const Real v = value[operand >> 1];
    return (operand & 1u) != 0 ? -v : v;
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& s = steps_[i];
    switch (s.op) {
      case Op::constant:
      case Op::pi:
        // Not from the long double, which would be rounded twice.
        value[i] = std::is_same_v<Real, double> ? Real(constants_[s.a].nearest)
                                                : Real(constants_[s.a].value);
        break;
      case Op::symbol:
        value[i] = inputs[s.a];
        break;
      case Op::add:
        value[i] = read(s.a) + read(s.b);
        break;
      case Op::multiply:
        value[i] = read(s.a) * read(s.b);
        break;
      case Op::call:
        value[i] = s.c == no_table ? apply_operation<Real>(s.op, read(s.a), read(s.b))
                                   : Real((*tables_[s.c])(static_cast<double>(read(s.a)),
                                                          static_cast<double>(read(s.b))));
        break;
      default:
        value[i] = apply_operation<Real>(s.op, read(s.a), read(s.b));
        break;
    }
  }
  std::vector<Real> result;
  result.reserve(outputs_.size());
  for (const std::uint32_t out : outputs_) result.push_back(read(out));
  return result;
}

std::vector<double> Evaluator::operator()(const std::vector<double>& inputs) const {
  return run(inputs);
}
std::vector<long double> Evaluator::operator()(const std::vector<long double>& inputs) const {
  return run(inputs);
}

double evaluate(const Expr& expr, const std::vector<Expr>& symbols,
                const std::vector<double>& values) {
  return Evaluator(symbols, {expr})(values).front();
}

}  // namespace visviva
