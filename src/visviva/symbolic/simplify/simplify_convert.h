// An expression as a quotient of two polynomials, found node by node.
#pragma once

#include "visviva/symbolic/simplify/simplify_generators.h"

namespace visviva {

/// A quotient of polynomials.
struct Quotient {
  Polynomial num;
  Polynomial den;  // content 1
  friend bool operator==(const Quotient&, const Quotient&) = default;
};

/// The quotient num/den in lowest terms.
Quotient cancel(const Polynomial& num, const Polynomial& den, Budget& budget);

/// The sums, products and quotients under `root`, and the nodes that are none: operands first.
/// Nodes with a name count as none, `root` itself excepted.
struct Arithmetic {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> leaves;
};
Arithmetic collect_arithmetic(const ExprPool& pool, Ref root, const NodeNames& names);

/// The quotient that an expression is. With `tidy_sums` every sum is shortened by identities as
/// soon as it is there, which keeps products of them small.
Quotient convert(const ExprPool& pool, const Arithmetic& arithmetic, GeneratorTable& table,
                 bool tidy_sums, Budget& budget);

}  // namespace visviva
