#include "visviva/codegen/program/program.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/apply_operation.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/core/function_call.h"

namespace visviva {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Cycles until a result is there, about: what sums are ordered by. What parameters alone determine
// is there before the rest.
std::uint32_t latency(Code code) {
  switch (code) {
    case Code::constant:
    case Code::parameter:
      return 0;
    case Code::input:
      return 1;
    case Code::divide:
      return 13;
    case Code::square_root:
      return 20;
    default:
      return 4;
  }
}

// A value and its sign, which nothing has been spent on yet.
struct Signed {
  std::uint32_t value = none;
  bool is_negative = false;
};

// One term of a sum: a value, or a product that a multiply-add forms.
struct Term {
  std::uint32_t a, b = none;
  bool is_negative = false;
  std::uint32_t arrival = 0;
};

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
// once more.
constexpr std::uint32_t shared_quotients = 3;

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
    arrivals_.reserve(cone.size());
    count_uses(cone, roots);
    for (const std::uint32_t i : cone) {
      if (!is_absorbed(i)) lower_node(i);
    }
    for (const Ref root : roots) program_.outputs.push_back(materialize(signed_value(root)));
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
  Signed reciprocal(Ref b) {
    const Signed divisor = signed_value(b);
    std::uint32_t value = reciprocals_[b >> 1];
    if (value == none) {
      program_.constants.push_back(1.0);
      const std::uint32_t one = push({Code::constant, Op::constant, 0,
                                      static_cast<std::uint32_t>(program_.constants.size() - 1)});
      value = push({Code::divide, Op::constant, 0, one, divisor.value});
      reciprocals_.set(b >> 1, value);
    }
    return {value, divisor.is_negative};
  }

  void lower_quotient(std::uint32_t i) {
    const Node n = pool_.node(i << 1);
    const Signed b = reciprocal(n.b), a = signed_value(n.a);
    if (is_one(n.a)) return set(i, {b.value, (n.a & 1u) != (b.is_negative ? 1u : 0u)});
    set(i, {push({Code::multiply, Op::constant, 0, a.value, b.value}),
            a.is_negative != b.is_negative});
  }

  // ---- Values

  std::uint32_t push(const Operation& operation, std::uint32_t arrival) {
    program_.operations.push_back(operation);
    arrivals_.push_back(arrival);
    return static_cast<std::uint32_t>(program_.operations.size() - 1);
  }

  std::uint32_t push(const Operation& operation) {
    std::uint32_t arrival = 0;
    const int operands = visviva::operand_count(operation);
    if (operands > 0) arrival = std::max(arrival, arrivals_[operation.a]);
    if (operands > 1) arrival = std::max(arrival, arrivals_[operation.b]);
    if (operands > 2) arrival = std::max(arrival, arrivals_[operation.c]);
    const bool is_early = operands > 0 && arrival == 0;
    return push(operation, is_early ? 0 : arrival + latency(operation.code));
  }

  Signed signed_value(Ref ref) const {
    const std::uint32_t packed = values_[ref >> 1];
    return {packed >> 1, ((packed ^ ref) & 1u) != 0};
  }

  std::uint32_t materialize(Signed s) {
    return s.is_negative ? push({Code::negate, Op::constant, 0, s.value}) : s.value;
  }

  void set(std::uint32_t node, Signed s) {
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
        return set(i, {push({Code::constant, Op::constant, 0,
                             static_cast<std::uint32_t>(program_.constants.size() - 1)})});
      case Op::symbol:
        return lower_symbol(i);
      case Op::add:
        return set(i, chain(collect_terms(i)));
      case Op::multiply:
      case Op::divide: {
        if (is_by_reciprocal(i)) return lower_quotient(i);
        const Signed a = signed_value(n.a), b = signed_value(n.b);
        const Code code = n.op == Op::multiply ? Code::multiply : Code::divide;
        return set(
            i, {push({code, Op::constant, 0, a.value, b.value}), a.is_negative != b.is_negative});
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
    set(i, {push({code, Op::constant, 0, *number >> 1})});
  }

  // min(-a, -b) = -max(a, b)
  void lower_extreme(std::uint32_t i) {
    const Node n = pool_.node(i << 1);
    const Signed a = signed_value(n.a), b = signed_value(n.b);
    const bool both = a.is_negative && b.is_negative;
    const bool is_min = (n.op == Op::min) != both;
    const std::uint32_t x = both ? a.value : materialize(a), y = both ? b.value : materialize(b);
    set(i, {push({is_min ? Code::min : Code::max, Op::constant, 0, x, y}), both});
  }

  void lower_function(std::uint32_t i) {
    const Node n = pool_.node(i << 1);
    const Signed a = signed_value(n.a);
    const bool keeps_sign = is_odd(n.op) || is_even(n.op);
    Operation operation{code_of(n.op), n.op, 0, keeps_sign ? a.value : materialize(a)};
    if (visviva::operand_count(n.op) > 1) operation.b = materialize(signed_value(n.b));
    set(i, {push(operation), is_odd(n.op) && a.is_negative});
  }

  void lower_lookup(std::uint32_t i) {
    const Node n = pool_.node(i << 1);
    auto table = bind_table(pool_, n);
    if (!table)
      throw UsageError("make_program",
                       "no value is given for the function '" + pool_.symbol_name(n.a) + "'");
    const std::vector<Ref> arguments = read_call(pool_, n).arguments;
    const std::uint32_t x = materialize(signed_value(arguments.front()));
    const std::uint32_t y = arguments.size() > 1 ? materialize(signed_value(arguments.back())) : x;
    program_.tables.push_back(std::move(table));
    const auto number = static_cast<std::uint32_t>(program_.tables.size() - 1);
    set(i, {push({Code::call, Op::call, 0, x, y, number})});
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
  std::vector<Term> collect_terms(std::uint32_t root) {
    std::vector<Term> terms;
    std::vector<std::pair<std::uint32_t, bool>> open = {{root, false}};  // sum, negated
    while (!open.empty()) {
      const auto [sum, is_negative] = open.back();
      open.pop_back();
      const Node n = pool_.node(sum << 1);
      for (const Ref operand : {n.a, n.b}) {
        const bool sign = is_negative != ((operand & 1u) != 0);
        const std::uint32_t j = operand >> 1;
        if (!is_absorbed(j)) {
          const Signed s = signed_value(j << 1);
          terms.push_back({s.value, none, s.is_negative != sign, arrivals_[s.value]});
        } else if (pool_.node(j << 1).op == Op::add) {
          open.emplace_back(j, sign);
        } else {
          const Node product = pool_.node(j << 1);
          const Signed x = signed_value(product.a);
          const Signed y =
              product.op == Op::divide ? reciprocal(product.b) : signed_value(product.b);
          terms.push_back({x.value, y.value, (x.is_negative != y.is_negative) != sign,
                           std::max(arrivals_[x.value], arrivals_[y.value])});
        }
      }
    }
    return terms;
  }

  // The last to arrive is added last; terms of parameters alone come first, so that the prologue adds
  // them up. Among the first, a plain value begins: the product after it fuses with it.
  Signed chain(std::vector<Term> terms) {
    std::stable_sort(terms.begin(), terms.end(),
                     [](const Term& a, const Term& b) { return a.arrival < b.arrival; });
    const auto is_value = [](const Term& t) { return t.b == none; };
    const auto first = std::find_if(terms.begin(), terms.end(), is_value);
    const std::uint32_t earliest = terms.front().arrival;
    if (first != terms.end() &&
        first->arrival <= (earliest == 0 ? 0 : earliest + latency(Code::add)))
      std::rotate(terms.begin(), first, first + 1);
    std::vector<std::size_t> second = find_second_chain(terms);
    if (second.empty()) return add_up(terms);
    std::vector<Term> one, two;
    for (std::size_t k = 0, next = 0; k < terms.size(); ++k) {
      const bool is_second = next < second.size() && second[next] == k;
      if (is_second) ++next;
      (is_second ? two : one).push_back(terms[k]);
    }
    const Signed a = add_up(one), b = add_up(two);
    return add(a, {b.value, none, b.is_negative, arrivals_[b.value]});
  }

  Signed add_up(const std::vector<Term>& terms) {
    Signed sum = start(terms.front());
    for (std::size_t k = 1; k < terms.size(); ++k) sum = add(sum, terms[k]);
    return sum;
  }

  // Of terms that would wait for one another, those that had better be a chain of their own: added to the others at the end
  // they are there sooner, for one more addition.
  std::vector<std::size_t> find_second_chain(const std::vector<Term>& terms) const {
    constexpr std::uint32_t step = 4, worth = 4;  // cycles
    std::vector<std::size_t> second;
    if (terms.size() < 4) return second;
    std::uint32_t all = 0, one = 0, two = 0;  // when chains are there
    const auto after = [&](std::uint32_t chain, const Term& t) {
      return std::max(chain, t.arrival) + (t.b == none && chain == 0 ? 0 : step);
    };
    for (std::size_t k = 0; k < terms.size(); ++k) {
      all = after(all, terms[k]);
      if (one <= terms[k].arrival || one <= two || k == 0) {
        one = after(one, terms[k]);
      } else {
        two = after(two, terms[k]);
        second.push_back(k);
      }
    }
    if (second.empty() || all < std::max(one, two) + step + worth) second.clear();
    return second;
  }

  Signed start(const Term& t) {
    if (t.b == none) return {t.a, t.is_negative};
    return {push({Code::multiply, Op::constant, 0, t.a, t.b}), t.is_negative};
  }

  Signed add(Signed sum, const Term& t) {
    const auto signs =
        static_cast<std::uint8_t>((t.is_negative ? 1 : 0) | (sum.is_negative ? 2 : 0));
    if (t.b != none) return {push({Code::multiply_add, Op::constant, signs, t.a, t.b, sum.value})};
    if (signs == 3) return {push({Code::add, Op::constant, 0, t.a, sum.value}), true};
    return {push({Code::add, Op::constant, signs, t.a, sum.value})};
  }

  ExprPool& pool_;
  ProgramOptions options_;
  Program program_;
  IndexMap symbols_;                     // node -> number << 1 | is a parameter
  NodeMap user_;                         // node -> its only user, or `many`
  NodeMap values_;                       // node -> value << 1 | negated
  NodeMap quotients_;                    // node -> how many have it as their divisor
  NodeMap reciprocals_;                  // node -> the value 1/node
  std::vector<std::uint32_t> arrivals_;  // of values, in cycles
};

}  // namespace

bool is_leaf(Code code) {
  return code == Code::constant || code == Code::input || code == Code::parameter;
}

int operand_count(const Operation& operation) {
  switch (operation.code) {
    case Code::constant:
    case Code::input:
    case Code::parameter:
      return 0;
    case Code::add:
    case Code::multiply:
    case Code::divide:
    case Code::min:
    case Code::max:
      return 2;
    case Code::multiply_add:
      return 3;
    case Code::call:
      return operand_count(operation.function);
    default:
      return 1;
  }
}

std::size_t Program::arithmetic_count() const {
  return static_cast<std::size_t>(
             std::count_if(operations.begin(), operations.end(),
                           [](const Operation& o) { return !is_leaf(o.code); })) -
         function_count();
}

std::size_t Program::function_count() const {
  return static_cast<std::size_t>(
      std::count_if(operations.begin(), operations.end(), [](const Operation& o) {
        return o.code == Code::sin || o.code == Code::cos || o.code == Code::call;
      }));
}

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

StagedProgram split_prologue(const Program& program) {
  StagedProgram staged;
  Program &first = staged.prologue, &main = staged.main;
  first.tables = main.tables = program.tables;
  first.input_count = program.parameter_count;
  main.input_count = program.input_count;
  const std::size_t n = program.operations.size();
  std::vector<bool> is_early(n);
  std::vector<std::uint32_t> in_first(n, none), in_main(n, none);

  const auto push = [](Program& to, const Operation& o) {
    to.operations.push_back(o);
    return static_cast<std::uint32_t>(to.operations.size() - 1);
  };
  const auto copy_constant = [&](Program& to, std::uint32_t a) {
    to.constants.push_back(program.constants[a]);
    return push(
        to, {Code::constant, Op::constant, 0, static_cast<std::uint32_t>(to.constants.size() - 1)});
  };
  // A value in the main program: early ones are handed over.
  const auto main_value = [&](std::uint32_t v) {
    if (in_main[v] != none) return in_main[v];
    const Operation& o = program.operations[v];
    if (o.code == Code::constant) return in_main[v] = copy_constant(main, o.a);
    first.outputs.push_back(in_first[v]);
    return in_main[v] = push(main, {Code::parameter, Op::constant, 0,
                                    static_cast<std::uint32_t>(first.outputs.size() - 1)});
  };
  const auto first_value = [&](std::uint32_t v) {
    if (in_first[v] == none) in_first[v] = copy_constant(first, program.operations[v].a);
    return in_first[v];
  };
  for (std::size_t i = 0; i < n; ++i) {
    Operation o = program.operations[i];
    if (o.code == Code::constant) {
      is_early[i] = true;
      continue;
    }
    if (o.code == Code::input || o.code == Code::parameter) {
      is_early[i] = o.code == Code::parameter;
      (is_early[i] ? in_first : in_main)[i] =
          push(is_early[i] ? first : main, {Code::input, Op::constant, 0, o.a});
      continue;
    }
    const int operands = operand_count(o);
    is_early[i] =
        is_early[o.a] && (operands < 2 || is_early[o.b]) && (operands < 3 || is_early[o.c]);
    std::uint32_t* const uses[] = {&o.a, &o.b, &o.c};
    for (int k = 0; k < operands; ++k)
      *uses[k] = is_early[i] ? first_value(*uses[k]) : main_value(*uses[k]);
    (is_early[i] ? in_first : in_main)[i] = push(is_early[i] ? first : main, o);
  }
  for (const std::uint32_t v : program.outputs) main.outputs.push_back(main_value(v));
  main.parameter_count = first.outputs.size();
  return staged;
}

void run_program(const Program& program, const double* inputs, const double* parameters,
                 double* outputs, std::vector<double>* values) {
  values->resize(program.operations.size());
  double* const v = values->data();
  const auto signed_term = [](double x, bool is_negative) { return is_negative ? -x : x; };
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& o = program.operations[i];
    const bool first = (o.signs & 1) != 0, second = (o.signs & 2) != 0;
    switch (o.code) {
      case Code::constant:
        v[i] = program.constants[o.a];
        break;
      case Code::input:
        v[i] = inputs[o.a];
        break;
      case Code::parameter:
        v[i] = parameters[o.a];
        break;
      case Code::add:
        v[i] = signed_term(v[o.a], first) + signed_term(v[o.b], second);
        break;
      case Code::multiply:
        v[i] = v[o.a] * v[o.b];
        break;
      case Code::divide:
        v[i] = v[o.a] / v[o.b];
        break;
      case Code::multiply_add:
        v[i] = std::fma(signed_term(v[o.a], first), v[o.b], signed_term(v[o.c], second));
        break;
      case Code::negate:
        v[i] = -v[o.a];
        break;
      case Code::square_root:
        v[i] = std::sqrt(v[o.a]);
        break;
      case Code::absolute:
        v[i] = std::fabs(v[o.a]);
        break;
      case Code::sign:
        v[i] = apply_operation(Op::sign, v[o.a], 0.0);
        break;
      case Code::step:
        v[i] = apply_operation(Op::step, v[o.a], 0.0);
        break;
      case Code::min:
        v[i] = apply_operation(Op::min, v[o.a], v[o.b]);
        break;
      case Code::max:
        v[i] = apply_operation(Op::max, v[o.a], v[o.b]);
        break;
      case Code::sin:
        v[i] = std::sin(v[o.a]);
        break;
      case Code::cos:
        v[i] = std::cos(v[o.a]);
        break;
      case Code::call:
        if (o.function == Op::call) {
          v[i] = (*program.tables[o.c])(v[o.a], v[o.b]);
          break;
        }
        v[i] = apply_operation(o.function, v[o.a], operand_count(o) > 1 ? v[o.b] : 0.0);
        break;
    }
  }
  for (std::size_t k = 0; k < program.outputs.size(); ++k) outputs[k] = v[program.outputs[k]];
}

}  // namespace visviva
