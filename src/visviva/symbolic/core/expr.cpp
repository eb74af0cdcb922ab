#include "visviva/symbolic/core/expr.h"

#include "visviva/base/error.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

ExprPool& common_pool(const Expr& a, const Expr& b, const char* function) {
  if (!a.valid() || !b.valid()) throw UsageError(function, "an empty Expr was used");
  if (&a.pool() != &b.pool()) throw UsageError(function, "the operands belong to different pools");
  return a.pool();
}

Expr apply(Op op, const Expr& a) {
  if (!a.valid()) throw UsageError(std::string(function_name(op)), "an empty Expr was used");
  return {a.pool(), a.pool().function(op, a.ref())};
}

Expr apply(Op op, const Expr& a, const Expr& b) {
  ExprPool& pool = common_pool(a, b, function_name(op).data());
  return {pool, pool.function(op, a.ref(), b.ref())};
}

}  // namespace

ExprPool& Expr::pool() const {
  if (pool_ == nullptr) throw UsageError("Expr", "an empty Expr was used");
  return *pool_;
}

Fingerprint Expr::fingerprint() const { return pool().fingerprint(ref_); }
bool Expr::is_zero() const { return pool().fingerprint(ref_).is_zero(); }
bool Expr::is_one() const { return *this == pool().one(); }
bool Expr::is_symbol() const { return (ref_ & 1u) == 0 && pool().node(ref_).op == Op::symbol; }
bool Expr::is_constant() const { return pool().is_constant(ref_); }

Expr Expr::operator-() const { return {pool(), ExprPool::negate(ref_)}; }
Expr& Expr::operator+=(const Expr& other) { return *this = *this + other; }
Expr& Expr::operator-=(const Expr& other) { return *this = *this - other; }
Expr& Expr::operator*=(const Expr& other) { return *this = *this * other; }
Expr& Expr::operator/=(const Expr& other) { return *this = *this / other; }

bool operator==(const Expr& a, const Expr& b) {
  if (!a.valid() || !b.valid()) return a.valid() == b.valid();
  common_pool(a, b, "operator==");
  return a.fingerprint() == b.fingerprint();
}
bool operator==(const Expr& a, double b) { return a == a.pool().number(b); }

Expr operator+(const Expr& a, const Expr& b) {
  ExprPool& pool = common_pool(a, b, "operator+");
  return {pool, pool.add(a.ref(), b.ref())};
}
Expr operator-(const Expr& a, const Expr& b) {
  ExprPool& pool = common_pool(a, b, "operator-");
  return {pool, pool.add(a.ref(), ExprPool::negate(b.ref()))};
}
Expr operator*(const Expr& a, const Expr& b) {
  ExprPool& pool = common_pool(a, b, "operator*");
  return {pool, pool.multiply(a.ref(), b.ref())};
}
Expr operator/(const Expr& a, const Expr& b) {
  ExprPool& pool = common_pool(a, b, "operator/");
  return {pool, pool.divide(a.ref(), b.ref())};
}

Expr operator+(const Expr& a, double b) { return a + a.pool().number(b); }
Expr operator+(double a, const Expr& b) { return b.pool().number(a) + b; }
Expr operator-(const Expr& a, double b) { return a - a.pool().number(b); }
Expr operator-(double a, const Expr& b) { return b.pool().number(a) - b; }
Expr operator*(const Expr& a, double b) { return a * a.pool().number(b); }
Expr operator*(double a, const Expr& b) { return b.pool().number(a) * b; }
Expr operator/(const Expr& a, double b) { return a / a.pool().number(b); }
Expr operator/(double a, const Expr& b) { return b.pool().number(a) / b; }

Expr pow(const Expr& a, const Expr& b) {
  ExprPool& pool = common_pool(a, b, "pow");
  return {pool, pool.power(a.ref(), b.ref())};
}
Expr pow(const Expr& a, double b) { return pow(a, a.pool().number(b)); }

Expr sqrt(const Expr& a) { return apply(Op::sqrt, a); }
Expr exp(const Expr& a) { return apply(Op::exp, a); }
Expr log(const Expr& a) { return apply(Op::log, a); }
Expr sin(const Expr& a) { return apply(Op::sin, a); }
Expr cos(const Expr& a) { return apply(Op::cos, a); }
Expr tan(const Expr& a) { return apply(Op::tan, a); }
Expr asin(const Expr& a) { return apply(Op::asin, a); }
Expr acos(const Expr& a) { return apply(Op::acos, a); }
Expr atan(const Expr& a) { return apply(Op::atan, a); }
Expr atan2(const Expr& y, const Expr& x) { return apply(Op::atan2, y, x); }
Expr sinh(const Expr& a) { return apply(Op::sinh, a); }
Expr cosh(const Expr& a) { return apply(Op::cosh, a); }
Expr tanh(const Expr& a) { return apply(Op::tanh, a); }
Expr abs(const Expr& a) { return apply(Op::abs, a); }
Expr sign(const Expr& a) { return apply(Op::sign, a); }
Expr step(const Expr& a) { return apply(Op::step, a); }
Expr min(const Expr& a, const Expr& b) { return apply(Op::min, a, b); }
Expr max(const Expr& a, const Expr& b) { return apply(Op::max, a, b); }

}  // namespace visviva
