// Expressions as a program: make_program() of program.h.
#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/base/error.h"
#include "visviva/codegen/program/operation_writer.h"
#include "visviva/codegen/program/program.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/core/function_call.h"

namespace visviva {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

bool is_odd(Op op) {
  return op == Op::sin || op == Op::tan || op == Op::asin || op == Op::atan || op == Op::sinh ||
         op == Op::tanh || op == Op::sign;
}

bool is_even(Op op) { return op == Op::cos || op == Op::cosh || op == Op::abs; }

// A number for each node of a cone: an array, unless the cone is a small part of its pool.
class NodeMap {
 public:
  void reserve(const std::vector<std::uint32_t>& cone) {
    first_ = cone.front();
    const std::size_t span = cone.back() - first_ + std::size_t{1};
    if (span <= 8 * cone.size()) dense_.assign(span, none);
  }

  /// `none` when it has no number.
  std::uint32_t operator[](std::uint32_t node) const {
    if (!dense_.empty()) return dense_[node - first_];
    const std::uint32_t* found = sparse_.find(node);
    return found == nullptr ? none : *found;
  }

  void set(std::uint32_t node, std::uint32_t value) {
    if (dense_.empty())
      sparse_.set(node, value);
    else
      dense_[node - first_] = value;
  }

 private:
  std::uint32_t first_ = 0;
  std::vector<std::uint32_t> dense_;
  IndexMap sparse_;
};

constexpr std::uint32_t many = none - 1;  // users, or an output
// Quotients of one divisor that are worth a reciprocal: few would only wait for another product, and round
// once more; with three, errors of E_Z add up in long runs (validation/moderation/stiff_fallback_test.cpp).
constexpr std::uint32_t shared_quotients = 6;

class Lowering {
 public:
  Lowering(ExprPool& pool, const std::vector<Expr>& inputs, const std::vector<Expr>& parameters,
           const ProgramOptions& options)
      : pool_(pool), options_(options) {
    program_.input_count = inputs.size();
    program_.parameter_count = parameters.size();
    note_symbols(inputs, Code::input);
    note_symbols(parameters, Code::parameter);
  }

  Program lower(const std::vector<Ref>& roots) {
    const std::vector<std::uint32_t> cone = collect_cone(pool_, roots);
    user_.reserve(cone);
    values_.reserve(cone);
    quotients_.reserve(cone);
    reciprocals_.reserve(cone);
    program_.operations.reserve(cone.size());
    count_uses(cone, roots);
    for (const std::uint32_t i : cone) {
      if (!is_absorbed(i)) lower_node(i);
    }
    for (const Ref root : roots) program_.outputs.push_back(out_.materialize(signed_value(root)));
    return std::move(program_);
  }

 private:
  void note_symbols(const std::vector<Expr>& symbols, Code code) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      if (!symbols[i].is_symbol())
        throw UsageError("make_program", "an input or parameter is not a symbol");
      const std::uint32_t number = static_cast<std::uint32_t>(i) << 1 | (code == Code::parameter);
      const Ref place = ref_in(pool_, symbols[i], "make_program");
      if (!symbols_.set(place >> 1, number))
        throw UsageError("make_program", "'" + pool_.symbol_name(place) + "' is given twice");
    }
  }

  // ---- Who uses a node: a product or sum that only one sum uses becomes part of it

  void count_uses(const std::vector<std::uint32_t>& cone, const std::vector<Ref>& roots) {
    for (const std::uint32_t i : cone) {
      const Node n = pool_.node(i << 1);
      const int operands = visviva::operand_count(n.op);
      if (operands > 0) note_use(n.a, i);
      if (operands > 1) note_use(n.b, i);
      if (n.op == Op::divide) {
        const std::uint32_t before = quotients_[n.b >> 1];
        quotients_.set(n.b >> 1, before == none ? 1 : before + 1);
      }
    }
    for (const Ref root : roots) note_use(root, many);
  }

  void note_use(Ref operand, std::uint32_t user) {
    user_.set(operand >> 1, user_[operand >> 1] == none ? user : many);
  }

  bool is_absorbed(std::uint32_t i) const {
    const Op op = pool_.node(i << 1).op;
    const bool may = (op == Op::multiply && options_.fuse) || (op == Op::add && options_.rechain) ||
                     (options_.fuse && is_by_reciprocal(i) && !is_one(pool_.node(i << 1).a));
    if (!may) return false;
    const std::uint32_t user = user_[i];
    return user != many && pool_.node(user << 1).op == Op::add;
  }

  // ---- Quotients

  bool is_one(Ref ref) const {
    return pool_.node(ref & ~Ref{1}).op == Op::constant && pool_.constant_value(ref & ~Ref{1}) == 1;
  }

  bool is_by_reciprocal(std::uint32_t i) const {
    const Node n = pool_.node(i << 1);
    return n.op == Op::divide && options_.share_reciprocals &&
           quotients_[n.b >> 1] >= shared_quotients;  // it has one at least
  }

  // 1/b; made where it is first needed.
  SignedValue reciprocal(Ref b) {
    const SignedValue divisor = signed_value(b);
    std::uint32_t value = reciprocals_[b >> 1];
    if (value == none) {
      program_.constants.push_back(1.0);
      const std::uint32_t one =
          out_.push({Code::constant, Op::constant, 0,
                     static_cast<std::uint32_t>(program_.constants.size() - 1)});
      value = out_.push({Code::divide, Op::constant, 0, one, divisor.value});
      reciprocals_.set(b >> 1, value);
    }
    return {value, divisor.is_negative};
  }

  void lower_quotient(std::uint32_t i) {
    const Node n = pool_.node(i << 1);
    const SignedValue b = reciprocal(n.b), a = signed_value(n.a);
    if (is_one(n.a)) return set(i, {b.value, (n.a & 1u) != (b.is_negative ? 1u : 0u)});
    set(i, {out_.push({Code::multiply, Op::constant, 0, a.value, b.value}),
            a.is_negative != b.is_negative});
  }

  // ---- Values

  SignedValue signed_value(Ref ref) const {
    const std::uint32_t packed = values_[ref >> 1];
    return {packed >> 1, ((packed ^ ref) & 1u) != 0};
  }

  void set(std::uint32_t node, SignedValue s) {
    values_.set(node, s.value << 1 | (s.is_negative ? 1u : 0u));
  }

  // ---- Nodes

  void lower_node(std::uint32_t i) {
    const Node n = pool_.node(i << 1);
    switch (n.op) {
      case Op::constant:
      case Op::pi:
        program_.constants.push_back(n.op == Op::pi ? std::acos(-1.0)
                                                    : pool_.constant_value(i << 1));
        return set(i, {out_.push({Code::constant, Op::constant, 0,
                                  static_cast<std::uint32_t>(program_.constants.size() - 1)})});
      case Op::symbol:
        return lower_symbol(i);
      case Op::add:
        return set(i, out_.sum(collect_terms(i)));
      case Op::multiply:
      case Op::divide: {
        if (is_by_reciprocal(i)) return lower_quotient(i);
        const SignedValue a = signed_value(n.a), b = signed_value(n.b);
        const Code code = n.op == Op::multiply ? Code::multiply : Code::divide;
        return set(i, {out_.push({code, Op::constant, 0, a.value, b.value}),
                       a.is_negative != b.is_negative});
      }
      case Op::min:
      case Op::max:
        return lower_extreme(i);
      case Op::function:  // these two have no value: their calls see to them
      case Op::pair:
        return;
      case Op::call:
        return lower_lookup(i);
      default:
        return lower_function(i);
    }
  }

  void lower_symbol(std::uint32_t i) {
    const std::uint32_t* number = symbols_.find(i);
    if (number == nullptr)
      throw UsageError("make_program", "no value is given for '" + pool_.symbol_name(i << 1) + "'");
    const Code code = (*number & 1u) != 0 ? Code::parameter : Code::input;
    set(i, {out_.push({code, Op::constant, 0, *number >> 1})});
  }

  // min(-a, -b) = -max(a, b)
  void lower_extreme(std::uint32_t i) {
    const Node n = pool_.node(i << 1);
    const SignedValue a = signed_value(n.a), b = signed_value(n.b);
    const bool both = a.is_negative && b.is_negative;
    const bool is_min = (n.op == Op::min) != both;
    const std::uint32_t x = both ? a.value : out_.materialize(a),
                        y = both ? b.value : out_.materialize(b);
    set(i, {out_.push({is_min ? Code::min : Code::max, Op::constant, 0, x, y}), both});
  }

  void lower_function(std::uint32_t i) {
    const Node n = pool_.node(i << 1);
    const SignedValue a = signed_value(n.a);
    const bool keeps_sign = is_odd(n.op) || is_even(n.op);
    Operation operation{code_of(n.op), n.op, 0, keeps_sign ? a.value : out_.materialize(a)};
    if (visviva::operand_count(n.op) > 1) operation.b = out_.materialize(signed_value(n.b));
    set(i, {out_.push(operation), is_odd(n.op) && a.is_negative});
  }

  void lower_lookup(std::uint32_t i) {
    const Node n = pool_.node(i << 1);
    auto table = bind_table(pool_, n);
    if (!table)
      throw UsageError("make_program",
                       "no value is given for the function '" + pool_.symbol_name(n.a) + "'");
    const std::vector<Ref> arguments = read_call(pool_, n).arguments;
    const std::uint32_t x = out_.materialize(signed_value(arguments.front()));
    const std::uint32_t y =
        arguments.size() > 1 ? out_.materialize(signed_value(arguments.back())) : x;
    program_.tables.push_back(std::move(table));
    const auto number = static_cast<std::uint32_t>(program_.tables.size() - 1);
    set(i, {out_.push({Code::call, Op::call, 0, x, y, number})});
  }

  static Code code_of(Op op) {
    switch (op) {
      case Op::sqrt:
        return Code::square_root;
      case Op::abs:
        return Code::absolute;
      case Op::sign:
        return Code::sign;
      case Op::step:
        return Code::step;
      case Op::sin:
        return Code::sin;
      case Op::cos:
        return Code::cos;
      default:
        return Code::call;
    }
  }

  // ---- Sums

  // The terms of a sum, with the sums in it that nobody else uses.
  std::vector<SumTerm> collect_terms(std::uint32_t root) {
    std::vector<SumTerm> terms;
    std::vector<std::pair<std::uint32_t, bool>> open = {{root, false}};  // sum, negated
    while (!open.empty()) {
      const auto [sum, is_negative] = open.back();
      open.pop_back();
      const Node n = pool_.node(sum << 1);
      for (const Ref operand : {n.a, n.b}) {
        const bool sign = is_negative != ((operand & 1u) != 0);
        const std::uint32_t j = operand >> 1;
        if (!is_absorbed(j)) {
          const SignedValue s = signed_value(j << 1);
          terms.push_back({s.value, none, s.is_negative != sign, out_.arrival(s.value)});
        } else if (pool_.node(j << 1).op == Op::add) {
          open.emplace_back(j, sign);
        } else {
          const Node product = pool_.node(j << 1);
          const SignedValue x = signed_value(product.a);
          const SignedValue y =
              product.op == Op::divide ? reciprocal(product.b) : signed_value(product.b);
          terms.push_back({x.value, y.value, (x.is_negative != y.is_negative) != sign,
                           std::max(out_.arrival(x.value), out_.arrival(y.value))});
        }
      }
    }
    return terms;
  }

  ExprPool& pool_;
  ProgramOptions options_;
  Program program_;
  OperationWriter out_{program_};
  IndexMap symbols_;     // node -> number << 1 | is a parameter
  NodeMap user_;         // node -> its only user, or `many`
  NodeMap values_;       // node -> value << 1 | negated
  NodeMap quotients_;    // node -> how many have it as their divisor
  NodeMap reciprocals_;  // node -> the value 1/node
};

}  // namespace

Program make_program(const std::vector<Expr>& inputs, const std::vector<Expr>& parameters,
                     const std::vector<Expr>& outputs, const ProgramOptions& options) {
  if (outputs.empty()) {
    Program empty;
    empty.input_count = inputs.size();
    empty.parameter_count = parameters.size();
    return empty;
  }
  ExprPool& pool = common_pool(outputs, "make_program");
  const std::vector<Ref> roots = refs_in(pool, outputs, "make_program");
  return Lowering(pool, inputs, parameters, options).lower(roots);
}

}  // namespace visviva
