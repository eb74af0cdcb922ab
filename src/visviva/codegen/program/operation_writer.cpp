#include "visviva/codegen/program/operation_writer.h"

#include <algorithm>

namespace visviva {
namespace {

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

// Of terms that would wait for one another, those that had better be a chain of their own: added to the others at the end
// they are there sooner, for one more addition.
std::vector<bool> find_second_chain(const std::vector<SumTerm>& terms) {
  constexpr std::uint32_t step = 4, worth = 4;  // cycles
  if (terms.size() < 4) return {};
  std::vector<bool> is_second(terms.size());
  std::uint32_t all = 0, one = 0, two = 0;  // when chains are there
  const auto after = [&](std::uint32_t chain, const SumTerm& t) {
    return std::max(chain, t.arrival) + (t.b == no_value && chain == 0 ? 0 : step);
  };
  for (std::size_t k = 0; k < terms.size(); ++k) {
    all = after(all, terms[k]);
    is_second[k] = k > 0 && one > terms[k].arrival && one > two;
    (is_second[k] ? two : one) = after(is_second[k] ? two : one, terms[k]);
  }
  if (two == 0 || all < std::max(one, two) + step + worth) return {};
  return is_second;
}

}  // namespace

std::uint32_t OperationWriter::push(const Operation& operation, std::uint32_t arrival) {
  program_.operations.push_back(operation);
  arrivals_.push_back(arrival);
  if (width_ > 0) program_.widths.push_back(width_);
  return static_cast<std::uint32_t>(program_.operations.size() - 1);
}

std::uint32_t OperationWriter::push(const Operation& operation) {
  std::uint32_t arrival = 0;
  const int operands = operand_count(operation);
  if (operands > 0) arrival = std::max(arrival, arrivals_[operation.a]);
  if (operands > 1) arrival = std::max(arrival, arrivals_[operation.b]);
  if (operands > 2) arrival = std::max(arrival, arrivals_[operation.c]);
  const bool is_early = operands > 0 && arrival == 0;
  return push(operation, is_early ? 0 : arrival + latency(operation.code));
}

std::uint32_t OperationWriter::push_constant(double number) {
  program_.constants.push_back(number);
  return push(
      {Code::constant, Op::constant, 0, static_cast<std::uint32_t>(program_.constants.size() - 1)});
}

SumTerm OperationWriter::term(SignedValue a, SignedValue b) const {
  return {a.value, b.value, a.is_negative != b.is_negative,
          std::max(arrival(a.value), arrival(b.value))};
}

SignedValue OperationWriter::multiply(SignedValue a, SignedValue b) {
  return {push({Code::multiply, Op::constant, 0, a.value, b.value}),
          a.is_negative != b.is_negative};
}

SignedValue OperationWriter::divide(SignedValue a, SignedValue b) {
  return {push({Code::divide, Op::constant, 0, a.value, b.value}), a.is_negative != b.is_negative};
}

std::uint32_t OperationWriter::materialize(SignedValue s) {
  return s.is_negative ? push({Code::negate, Op::constant, 0, s.value}) : s.value;
}

SignedValue OperationWriter::sum(std::vector<SumTerm> terms) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const SumTerm& a, const SumTerm& b) { return a.arrival < b.arrival; });
  const auto is_value = [](const SumTerm& t) { return t.b == no_value; };
  const auto first = std::find_if(terms.begin(), terms.end(), is_value);
  const std::uint32_t earliest = terms.front().arrival;
  if (first != terms.end() && first->arrival <= (earliest == 0 ? 0 : earliest + latency(Code::add)))
    std::rotate(terms.begin(), first, first + 1);
  const std::vector<bool> is_second = find_second_chain(terms);
  if (is_second.empty()) return add_up(terms);
  std::vector<SumTerm> one, two;
  for (std::size_t k = 0; k < terms.size(); ++k) (is_second[k] ? two : one).push_back(terms[k]);
  const SignedValue a = add_up(one), b = add_up(two);
  return add(a, term(b));
}

SignedValue OperationWriter::add_up(const std::vector<SumTerm>& terms) {
  SignedValue sum = start(terms.front());
  for (std::size_t k = 1; k < terms.size(); ++k) sum = add(sum, terms[k]);
  return sum;
}

SignedValue OperationWriter::start(const SumTerm& t) {
  if (t.b == no_value) return {t.a, t.is_negative};
  return {push({Code::multiply, Op::constant, 0, t.a, t.b}), t.is_negative};
}

SignedValue OperationWriter::add(SignedValue sum, const SumTerm& t) {
  const auto signs = static_cast<std::uint8_t>((t.is_negative ? 1 : 0) | (sum.is_negative ? 2 : 0));
  if (t.b != no_value)
    return {push({Code::multiply_add, Op::constant, signs, t.a, t.b, sum.value})};
  if (signs == 3) return {push({Code::add, Op::constant, 0, t.a, sum.value}), true};
  return {push({Code::add, Op::constant, signs, t.a, sum.value})};
}

}  // namespace visviva
