// Quantity: an expression with its physical dimension. The expression itself is a dimensionless
// number in SI units.
//
// A number with a unit, such as 0.5 * m, belongs to no pool until it meets something that does; it
// stays exact: 30 * deg is pi/6. Sums and functions check dimensions and throw UsageError; a plain
// zero has every dimension.
#pragma once

#include "visviva/base/dimension.h"
#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// value * pi^pi_power, kept as an exact fraction while that fits.
struct Literal {
  double value = 0.0;
  Rational exact{0, 1};  // den 0: only `value` is known
  int pi_power = 0;
};

class Quantity {
 public:
  Quantity() = default;    ///< the number 0
  Quantity(double value);  ///< dimensionless
  Quantity(const Literal& literal, const Dimension& dimension)
      : literal_(literal), dimension_(dimension) {}
  Quantity(const Expr& expr, const Dimension& dimension) : expr_(expr), dimension_(dimension) {}

  /// True when this is a number that has not met a pool.
  bool is_literal() const { return !expr_.valid(); }
  const Literal& literal() const { return literal_; }
  /// The expression; UsageError for a literal, which needs a pool.
  const Expr& expr() const;
  Expr expr(ExprPool& pool) const;
  const Dimension& dimension() const { return dimension_; }
  bool is_zero() const;
  /// A zero without a dimension, which stands for zero of any dimension.
  bool is_plain_zero() const { return is_zero() && dimension_.is_dimensionless(); }

  Quantity operator-() const;

 private:
  Expr expr_;
  Literal literal_;
  Dimension dimension_;
};

Quantity operator+(const Quantity& a, const Quantity& b);
Quantity operator-(const Quantity& a, const Quantity& b);
Quantity operator*(const Quantity& a, const Quantity& b);
Quantity operator/(const Quantity& a, const Quantity& b);

/// The power of a quantity. The exponent must be a plain number when the base has a dimension.
Quantity pow(const Quantity& a, const Quantity& b);
Quantity sqrt(const Quantity& a);
Quantity exp(const Quantity& a);
Quantity log(const Quantity& a);
Quantity sin(const Quantity& a);
Quantity cos(const Quantity& a);
Quantity tan(const Quantity& a);
Quantity asin(const Quantity& a);
Quantity acos(const Quantity& a);
Quantity atan(const Quantity& a);
Quantity sinh(const Quantity& a);
Quantity cosh(const Quantity& a);
Quantity tanh(const Quantity& a);
Quantity atan2(const Quantity& y, const Quantity& x);
Quantity abs(const Quantity& a);
Quantity sign(const Quantity& a);
Quantity step(const Quantity& a);
Quantity min(const Quantity& a, const Quantity& b);
Quantity max(const Quantity& a, const Quantity& b);

/// Solves for unknown dimensions so that both are the same. UsageError with both, and where each
/// came from, when they are not.
void unify_or_throw(const Dimension& a, const Dimension& b, const char* function, const char* code);
/// Throws a UsageError that names `function` and `what` unless this dimension can be the expected
/// one.
void require_dimension(const Dimension& found, const Dimension& expected, const char* function,
                       const std::string& what, const char* code = "E-dimension-definition");
/// Throws as above for a quantity; a plain zero has any dimension.
void require_dimension(const Quantity& q, const Dimension& expected, const char* function,
                       const std::string& what, const char* code = "E-dimension-definition");

/// Units for C++: 0.5 * m, 9.81 * m / (s * s), 30.0 * deg. For use inside functions: initialisers
/// of namespace-scope variables may run before these exist.
namespace units {
extern const Quantity m, kg, s, A, K, mol, cd, rad, deg, rev, N, J, W, Pa, Hz, gram, mm, cm, km,
    minute, hour;
}  // namespace units

}  // namespace visviva
