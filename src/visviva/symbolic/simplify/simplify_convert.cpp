#include "visviva/symbolic/simplify/simplify_convert.h"

#include <algorithm>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/simplify/simplify_trig.h"

namespace visviva {
namespace {

bool is_number(const Polynomial& p) { return p.size() == 1 && p.terms().begin()->first.empty(); }

const Polynomial& one() {
  static const Polynomial p(Rational{1, 1});
  return p;
}

class Conversion {
 public:
  Conversion(const ExprPool& pool, GeneratorTable& table, bool tidy_sums, Budget& budget)
      : pool_(pool), table_(table), tidy_sums_(tidy_sums), budget_(budget) {}

  void convert_node(std::uint32_t index) {
    const Node node = pool_.node(index << 1);
    const Quotient a = operand(node.a), b = operand(node.b);
    switch (node.op) {
      case Op::add:
        known_.emplace(index, add(a, b));
        break;
      case Op::multiply:
        known_.emplace(index, multiply(a, b));
        break;
      default:
        known_.emplace(index, multiply(a, Quotient{b.den, b.num}));
        break;
    }
  }

  Quotient operand(Ref ref) const {
    Quotient q = bare_operand(ref >> 1);
    if ((ref & 1u) != 0) q.num = scale(q.num, {-1, 1});
    return q;
  }

 private:
  Quotient bare_operand(std::uint32_t index) const {
    if (const auto found = known_.find(index); found != known_.end()) return found->second;
    Rational r;
    if (pool_.rational_value(index << 1, &r)) return {Polynomial(r), one()};
    const GeneratorTable::Value& value = table_.value(index);
    const Rational sign{value.num.negative ? -1 : 1, 1};
    return {Polynomial(sign, {{value.num.generator, 1}}),
            value.has_den ? Polynomial(Rational{1, 1}, {{value.den, 1}}) : one()};
  }

  Polynomial tidy(Polynomial p) {
    if (!tidy_sums_ || p.size() < 2 || table_.relations().empty()) return p;
    return recombine_angles(exchange_squares(std::move(p), table_.relations(), budget_), table_,
                            budget_);
  }

  Quotient add(const Quotient& a, const Quotient& b) {
    if (a.den == b.den) return cancelled(tidy(visviva::add(a.num, b.num, budget_)), a.den);
    // a/(g u) + b/(g v) = (a v + b u)/(g u v)
    Polynomial u = a.den, v = b.den;
    if (!is_number(u) && !is_number(v)) {
      const Polynomial g = greatest_common_divisor(u, v, budget_);
      if (!is_number(g)) {
        u = divide_exactly(u, g, budget_);
        v = divide_exactly(v, g, budget_);
      }
    }
    const Polynomial num = visviva::add(visviva::multiply(a.num, v, budget_),
                                        visviva::multiply(b.num, u, budget_), budget_);
    return cancelled(tidy(num), visviva::multiply(a.den, v, budget_));
  }

  Quotient multiply(const Quotient& a, const Quotient& b) {
    return cancelled(visviva::multiply(a.num, b.num, budget_),
                     visviva::multiply(a.den, b.den, budget_));
  }

  Quotient cancelled(const Polynomial& num, const Polynomial& den) {
    return cancel(num, den, budget_);
  }

  const ExprPool& pool_;
  GeneratorTable& table_;
  bool tidy_sums_;
  Budget& budget_;
  std::unordered_map<std::uint32_t, Quotient> known_;  // by node index
};

}  // namespace

Quotient cancel(const Polynomial& num, const Polynomial& den, Budget& budget) {
  if (den.is_zero()) throw TooLarge();
  if (num.is_zero()) return {num, one()};
  Quotient q{num, den};
  if (!is_number(den) && !is_number(num)) {
    const Polynomial g = greatest_common_divisor(num, den, budget);
    if (!is_number(g)) q = {divide_exactly(num, g, budget), divide_exactly(den, g, budget)};
  }
  const auto inverse = divide({1, 1}, content(q.den));
  if (!inverse) throw TooLarge();
  if (is_one(*inverse)) return q;
  return {scale(q.num, *inverse), scale(q.den, *inverse)};
}

Arithmetic collect_arithmetic(const ExprPool& pool, Ref root, const NodeNames& names) {
  Arithmetic found;
  IndexMap seen;
  std::vector<std::uint32_t> stack{root >> 1};
  seen.set(root >> 1, 1);
  while (!stack.empty()) {
    const std::uint32_t index = stack.back();
    stack.pop_back();
    const Node& node = pool.node(index << 1);
    if (is_arithmetic(node.op) && (index == root >> 1 || !names.contains(index))) {
      found.nodes.push_back(index);
      for (const Ref operand : {node.a, node.b}) {
        if (seen.set(operand >> 1, 1)) stack.push_back(operand >> 1);
      }
      continue;
    }
    Rational r;
    if (!pool.rational_value(index << 1, &r)) found.leaves.push_back(index);
  }
  std::sort(found.nodes.begin(), found.nodes.end());
  std::sort(found.leaves.begin(), found.leaves.end());
  return found;
}

Quotient convert(const ExprPool& pool, const Arithmetic& arithmetic, GeneratorTable& table,
                 bool tidy_sums, Budget& budget) {
  if (table.size() > budget.max_generators) throw TooLarge();
  Conversion conversion(pool, table, tidy_sums, budget);
  for (const std::uint32_t index : arithmetic.nodes) conversion.convert_node(index);
  return conversion.operand(arithmetic.nodes.back() << 1);
}

}  // namespace visviva
