// Form: an expression laid out as people write it, as a tree of sums, products and calls in a fixed
// order.
//
// Negation sits in coefficients only, quotients are products with negative exponents. The order of
// terms and factors comes from the symbols (parameters, coordinates, rates; then creation), never
// from node numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "visviva/symbolic/core/pool.h"

namespace visviva {

/// Thrown inside the printer when a rewriting outgrows its limits. Never leaves it.
struct TooLarge {};

struct Form;

/// Parts of a Form: shared and never changed, so that copies of forms are cheap.
class FormList {
 public:
  FormList() = default;
  FormList(std::vector<Form> forms);
  FormList(std::initializer_list<Form> forms);

  bool empty() const { return forms_ == nullptr; }
  std::size_t size() const;
  const Form& operator[](std::size_t i) const;
  const Form* begin() const;
  const Form* end() const;

 private:
  std::shared_ptr<const std::vector<Form>> forms_;  // null when empty
};

/// A sum, a product, a call, a number or a leaf, with its parts.
struct Form {
  enum class Kind : std::uint8_t { number, leaf, sum, product, call };
  Kind kind = Kind::number;
  Op op = Op::constant;     ///< call
  std::uint8_t level = 0;   ///< 0 parameters and numbers, 1 coordinates, 1 + n n-th rates
  Ref ref = 0;              ///< leaf: the node it stands for
  std::uint64_t order = 0;  ///< leaf: its place among leaves
  Rational number;          ///< number, or coefficient of a product; not 0 there
  FormList parts;           ///< terms of a sum, bases of a product, operands of a call
  std::vector<std::int64_t> exponents;  ///< product: of each base; not 0
};

/// A base and its exponent.
using Factor = std::pair<Form, std::int64_t>;

Form make_number(const Rational& value);
/// The form of a symbol, pi, a wide constant, or any node that has a name of its own.
Form make_leaf(const ExprPool& pool, Ref ref);
Form make_call(Op op, const FormList& operands);
/// A sum, sorted, nested sums joined. No like terms are collected.
Form make_sum(std::vector<Form> terms);
/// A product, sorted, equal bases joined, nested products joined. TooLarge when a number overflows.
Form make_product(const Rational& coefficient, const std::vector<Factor>& factors);
/// A sum of two terms, or a product of two factors, exactly so: nothing sorted, nothing joined.
Form make_bare_sum(const Form& a, const Form& b);
Form make_bare_product(const Form& a, const Factor& b);
Form negate(Form form);

bool is_one(const Rational& r);
/// True for a negative number and for a product with a negative coefficient.
bool is_negative(const Form& form);
/// True when people would write -form instead: its first term, in the fixed order, is negative.
bool has_negative_lead(const Form& form);

/// The fixed order of factors: negative, zero or positive as a comes before, with or after b.
int compare(const Form& a, const Form& b);

/// The expression a Form says, built with the operations that its text would be read back with.
/// UsageError where the pool refuses (a division by zero, a root of a negative number).
Ref rebuild(ExprPool& pool, const Form& form);

}  // namespace visviva
