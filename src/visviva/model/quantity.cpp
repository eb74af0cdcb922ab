#include "visviva/model/quantity.h"

#include <charconv>
#include <cmath>

#include "visviva/base/error.h"
#include "visviva/base/unit.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

// The fraction that a double's shortest decimal form means; den 0 when it does not fit.
Rational decimal_fraction(double value) {
  char text[64];
  const char* end =
      std::to_chars(text, text + sizeof text, std::fabs(value), std::chars_format::scientific).ptr;
  Int128 num = 0, den = 1;
  int exponent = 0;
  bool after_point = false;
  const char* p = text;
  for (; p != end && *p != 'e'; ++p) {
    if (*p == '.') {
      after_point = true;
      continue;
    }
    num = num * 10 + (*p - '0');
    exponent -= after_point ? 1 : 0;
  }
  int written = 0;
  if (p != end) std::from_chars(p[1] == '+' ? p + 2 : p + 1, end, written);
  exponent += written;
  if (exponent > 18 || exponent < -18) return {0, value == 0.0 ? 1 : 0};
  for (int i = 0; i < std::abs(exponent); ++i) (exponent > 0 ? num : den) *= 10;
  const auto r = make_rational(std::signbit(value) ? -num : num, den);
  return r.value_or(Rational{0, 0});
}

double nearest(const Rational& r) {
  return static_cast<double>(static_cast<long double>(r.num) / static_cast<long double>(r.den));
}

Literal combine(const Literal& a, const Literal& b, bool division) {
  Literal c;
  c.pi_power = division ? a.pi_power - b.pi_power : a.pi_power + b.pi_power;
  c.value = division ? a.value / b.value : a.value * b.value;
  c.exact = {0, 0};
  if (a.exact.den != 0 && b.exact.den != 0) {
    const auto r = division ? divide(a.exact, b.exact) : multiply(a.exact, b.exact);
    if (r) {
      c.exact = *r;
      c.value = nearest(*r);
    }
  }
  return c;
}

ExprPool* common_pool(const Quantity& a, const Quantity& b) {
  if (a.is_literal()) return b.is_literal() ? nullptr : &b.expr().pool();
  return &a.expr().pool();
}

// The dimension two operands share; a zero takes the other's.
Dimension shared_dimension(const Quantity& a, const Quantity& b, const char* function,
                           const char* code = "E-dimension-sum") {
  if (b.is_plain_zero()) return a.dimension();
  if (a.is_plain_zero()) return b.dimension();
  unify_or_throw(a.dimension(), b.dimension(), function, code);
  return a.dimension();
}

Quantity add(const Quantity& a, const Quantity& b, const char* function) {
  const Dimension d = shared_dimension(a, b, function);
  if (ExprPool* pool = common_pool(a, b)) return {a.expr(*pool) + b.expr(*pool), d};
  const Literal &x = a.literal(), &y = b.literal();
  if (x.value == 0.0) return {y, d};
  if (y.value == 0.0) return {x, d};
  if (x.pi_power != y.pi_power) {
    throw UsageError(function,
                     "a multiple of pi and a plain number are added before they meet a model; "
                     "add one of them to an expression first");
  }
  Literal sum{x.value + y.value, {0, 0}, x.pi_power};
  if (x.exact.den != 0 && y.exact.den != 0) {
    if (const auto r = visviva::add(x.exact, y.exact)) {
      sum.exact = *r;
      sum.value = nearest(*r);  // so that 0.1 + 0.2 - 0.3 is 0
    }
  }
  return {sum, d};
}

const Expr& pooled(const Quantity& a, const char* function) {
  if (a.is_literal()) {
    throw UsageError(
        function,
        "the argument is a plain number that belongs to no model; write model.constant(number)");
  }
  return a.expr();
}

Quantity apply(Expr (*function)(const Expr&), const Quantity& a, const char* name) {
  require_dimension(a, Dimension(), name, "the argument", "E-dimension-function");
  return {function(pooled(a, name)), Dimension()};
}

Quantity unit(double value, const Dimension& d) {
  return Quantity(value) * Quantity(Literal{1.0, {1, 1}, 0}, d);
}

const auto length = Dimension::of(Dimension::length);
const auto mass = Dimension::of(Dimension::mass);
const auto duration = Dimension::of(Dimension::time);

}  // namespace

Quantity::Quantity(double value) : literal_{value, decimal_fraction(value), 0} {
  if (!std::isfinite(value)) throw UsageError("Quantity", "expected a finite number");
}

const Expr& Quantity::expr() const {
  if (!expr_.valid())
    throw UsageError("Quantity::expr", "a plain number has no expression without a pool");
  return expr_;
}

Expr Quantity::expr(ExprPool& pool) const {
  if (expr_.valid()) return expr_;
  Expr e = literal_.exact.den != 0 ? pool.rational(literal_.exact.num, literal_.exact.den)
                                   : pool.number(literal_.value);
  return literal_.pi_power == 0 ? e : e * pow(pool.pi(), pool.rational(literal_.pi_power));
}

bool Quantity::is_zero() const { return is_literal() ? literal_.value == 0.0 : expr_.is_zero(); }

Quantity Quantity::operator-() const {
  if (!is_literal()) return {-expr_, dimension_};
  return {Literal{-literal_.value, {-literal_.exact.num, literal_.exact.den}, literal_.pi_power},
          dimension_};
}

Quantity operator+(const Quantity& a, const Quantity& b) { return add(a, b, "operator+"); }
Quantity operator-(const Quantity& a, const Quantity& b) { return add(a, -b, "operator-"); }

Quantity operator*(const Quantity& a, const Quantity& b) {
  const Dimension d = a.dimension() * b.dimension();
  if (ExprPool* pool = common_pool(a, b)) return {a.expr(*pool) * b.expr(*pool), d};
  return {combine(a.literal(), b.literal(), false), d};
}

Quantity operator/(const Quantity& a, const Quantity& b) {
  const Dimension d = a.dimension() / b.dimension();
  if (b.is_zero()) throw UsageError("operator/", "division by zero", "E-division-by-zero");
  if (ExprPool* pool = common_pool(a, b)) return {a.expr(*pool) / b.expr(*pool), d};
  return {combine(a.literal(), b.literal(), true), d};
}

Quantity pow(const Quantity& a, const Quantity& b) {
  require_dimension(b, Dimension(), "pow", "the exponent", "E-dimension-power");
  Rational r;
  const bool number = b.is_literal()
                          ? (r = b.literal().exact, r.den != 0 && b.literal().pi_power == 0)
                          : b.expr().pool().rational_value(b.expr().ref(), &r);
  if (!number)
    require_dimension(a, Dimension(), "pow", "the base, whose exponent is no number,",
                      "E-dimension-power");
  const Dimension d = number ? a.dimension().power(r.num, r.den) : Dimension();
  if (ExprPool* pool = common_pool(a, b)) return {pow(a.expr(*pool), b.expr(*pool)), d};
  const Literal& base = a.literal();
  const Literal& exponent = b.literal();
  if (exponent.exact.den != 1 || exponent.pi_power != 0 || std::fabs(exponent.value) > 64)
    pooled(a, "pow");
  if (base.value == 0.0 && exponent.value < 0.0)
    throw UsageError("pow", "zero has no negative power", "E-division-by-zero");
  Literal power{1.0, {1, 1}, 0};
  for (int i = 0; i < std::abs(static_cast<int>(exponent.value)); ++i)
    power = combine(power, base, exponent.value < 0);
  return {power, d};
}

Quantity sqrt(const Quantity& a) { return {sqrt(pooled(a, "sqrt")), a.dimension().power(1, 2)}; }
Quantity exp(const Quantity& a) { return apply(exp, a, "exp"); }
Quantity log(const Quantity& a) { return apply(log, a, "log"); }
Quantity sin(const Quantity& a) { return apply(sin, a, "sin"); }
Quantity cos(const Quantity& a) { return apply(cos, a, "cos"); }
Quantity tan(const Quantity& a) { return apply(tan, a, "tan"); }
Quantity asin(const Quantity& a) { return apply(asin, a, "asin"); }
Quantity acos(const Quantity& a) { return apply(acos, a, "acos"); }
Quantity atan(const Quantity& a) { return apply(atan, a, "atan"); }
Quantity sinh(const Quantity& a) { return apply(sinh, a, "sinh"); }
Quantity cosh(const Quantity& a) { return apply(cosh, a, "cosh"); }
Quantity tanh(const Quantity& a) { return apply(tanh, a, "tanh"); }

Quantity atan2(const Quantity& y, const Quantity& x) {
  shared_dimension(y, x, "atan2", "E-dimension-function");
  ExprPool* pool = common_pool(y, x);
  if (pool == nullptr) pooled(y, "atan2");
  return {atan2(y.expr(*pool), x.expr(*pool)), Dimension()};
}

Quantity abs(const Quantity& a) { return {abs(pooled(a, "abs")), a.dimension()}; }
Quantity sign(const Quantity& a) { return {sign(pooled(a, "sign")), Dimension()}; }
Quantity step(const Quantity& a) { return {step(pooled(a, "step")), Dimension()}; }

Quantity min(const Quantity& a, const Quantity& b) {
  const Dimension d = shared_dimension(a, b, "min", "E-dimension-function");
  ExprPool* pool = common_pool(a, b);
  if (pool == nullptr) pooled(a, "min");
  return {min(a.expr(*pool), b.expr(*pool)), d};
}

Quantity max(const Quantity& a, const Quantity& b) {
  const Dimension d = shared_dimension(a, b, "max", "E-dimension-function");
  ExprPool* pool = common_pool(a, b);
  if (pool == nullptr) pooled(a, "max");
  return {max(a.expr(*pool), b.expr(*pool)), d};
}

void unify_or_throw(const Dimension& a, const Dimension& b, const char* function,
                    const char* code) {
  if (unify(a, b)) return;
  const std::string origins = explain_origins({a, b});
  throw UsageError(function,
                   "the operands have dimensions '" + print_dimension(a) + "' and '" +
                       print_dimension(b) + "'" + (origins.empty() ? "" : "; " + origins),
                   code);
}

void require_dimension(const Dimension& found, const Dimension& expected, const char* function,
                       const std::string& what, const char* code) {
  if (unify(found, expected)) return;
  const std::string origins = explain_origins({found, expected});
  throw UsageError(function,
                   what + " has dimension '" + print_dimension(found) + "', expected '" +
                       print_dimension(expected) + "'" + (origins.empty() ? "" : "; " + origins),
                   code);
}

void require_dimension(const Quantity& q, const Dimension& expected, const char* function,
                       const std::string& what, const char* code) {
  if (!q.is_plain_zero()) require_dimension(q.dimension(), expected, function, what, code);
}

namespace units {
const Quantity m = unit(1, length), kg = unit(1, mass), s = unit(1, duration);
const Quantity A = unit(1, Dimension::of(Dimension::current)),
               K = unit(1, Dimension::of(Dimension::temperature));
const Quantity mol = unit(1, Dimension::of(Dimension::amount)),
               cd = unit(1, Dimension::of(Dimension::luminosity));
const Quantity rad = unit(1, {});
const Quantity deg(Literal{1.0 / 180.0, {1, 180}, 1}, {}), rev(Literal{2.0, {2, 1}, 1}, {});
const Quantity N = unit(1, mass*length / duration.power(2)),
               J = unit(1, mass*length.power(2) / duration.power(2));
const Quantity W = unit(1, mass* length.power(2) / duration.power(3));
const Quantity Pa = unit(1, mass / length / duration.power(2)), Hz = unit(1, duration.power(-1));
const Quantity gram = unit(0.001, mass), mm = unit(0.001, length), cm = unit(0.01, length),
               km = unit(1000, length);
const Quantity minute = unit(60, duration), hour = unit(3600, duration);
}  // namespace units

}  // namespace visviva
