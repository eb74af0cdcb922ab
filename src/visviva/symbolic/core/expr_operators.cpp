// Expressions by operators: each is built where both operands can be.
#include "visviva/symbolic/core/expr.h"

#include "visviva/base/error.h"
#include "visviva/symbolic/core/function_symbol.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

// Where to build from both: a workspace of theirs, else the pool that stands on the other.
ExprPool& common_pool(const Expr& a, const Expr& b, const char* function) {
  if (!a.valid() || !b.valid()) throw UsageError(function, "an empty Expr was used");
  ExprPool& first = a.pool();
  if (&a.home() == &b.home()) return first;
  ExprPool& second = b.pool();
  return second.depth() > first.depth() ? second : first;
}

template <class Operation>
Expr combine(const Expr& a, const Expr& b, const char* function, const Operation& operation) {
  ExprPool& pool = common_pool(a, b, function);
  const Ref x = pool.take(a), y = pool.take(b);
  return {pool, operation(pool, x, y)};
}

Expr apply(Op op, const Expr& a) {
  if (!a.valid()) throw UsageError(std::string(function_name(op)), "an empty Expr was used");
  ExprPool& pool = a.pool();
  return {pool, pool.function(op, a.ref())};
}

Expr apply(Op op, const Expr& a, const Expr& b) {
  return combine(a, b, function_name(op).data(),
                 [op](ExprPool& pool, Ref x, Ref y) { return pool.function(op, x, y); });
}

}  // namespace

ExprPool& Expr::pool() const {
  if (pool_ == nullptr) throw UsageError("Expr", "an empty Expr was used");
  return pool_->open();
}

const ExprPool& Expr::home() const {
  if (pool_ == nullptr) throw UsageError("Expr", "an empty Expr was used");
  return *pool_;
}

Fingerprint Expr::fingerprint() const { return home().fingerprint(ref_); }
bool Expr::is_zero() const { return home().fingerprint(ref_).is_zero(); }
bool Expr::is_one() const { return home().fingerprint(ref_) == field::from_integer(1); }
bool Expr::is_symbol() const { return (ref_ & 1u) == 0 && home().node(ref_).op == Op::symbol; }
bool Expr::is_constant() const { return home().is_constant(ref_); }

Expr Expr::operator-() const {
  Expr result = *this;
  if (!is_zero()) result.ref_ = ExprPool::negate(ref_);
  return result;
}
Expr& Expr::operator+=(const Expr& other) { return *this = *this + other; }
Expr& Expr::operator-=(const Expr& other) { return *this = *this - other; }
Expr& Expr::operator*=(const Expr& other) { return *this = *this * other; }
Expr& Expr::operator/=(const Expr& other) { return *this = *this / other; }

bool operator==(const Expr& a, const Expr& b) {
  if (!a.valid() || !b.valid()) return a.valid() == b.valid();
  // The value of a symbol depends on its name alone, so fingerprints of all pools of a model agree.
  if (&a.home() != &b.home() && !a.home().is_related(b.home()))
    throw UsageError("operator==", "the operands belong to different pools");
  return a.fingerprint() == b.fingerprint();
}
bool operator==(const Expr& a, double b) { return a == a.pool().number(b); }

Expr operator+(const Expr& a, const Expr& b) {
  return combine(a, b, "operator+", [](ExprPool& pool, Ref x, Ref y) { return pool.add(x, y); });
}
Expr operator-(const Expr& a, const Expr& b) {
  return combine(a, b, "operator-",
                 [](ExprPool& pool, Ref x, Ref y) { return pool.add(x, ExprPool::negate(y)); });
}
Expr operator*(const Expr& a, const Expr& b) {
  return combine(a, b, "operator*",
                 [](ExprPool& pool, Ref x, Ref y) { return pool.multiply(x, y); });
}
Expr operator/(const Expr& a, const Expr& b) {
  return combine(a, b, "operator/", [](ExprPool& pool, Ref x, Ref y) { return pool.divide(x, y); });
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
  return combine(a, b, "pow", [](ExprPool& pool, Ref x, Ref y) { return pool.power(x, y); });
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

Expr call(const FunctionSymbol& function, const std::vector<Expr>& arguments) {
  if (arguments.empty() || arguments.size() != function.parameters.size())
    throw UsageError("call", "'" + function.name + "' takes " +
                                 std::to_string(function.parameters.size()) + " arguments, not " +
                                 std::to_string(arguments.size()));
  ExprPool& pool = arguments.front().pool();
  Ref all = pool.take(arguments.back());
  for (std::size_t i = arguments.size() - 1; i-- > 0;)
    all = pool.function(Op::pair, pool.take(arguments[i]), all);
  return {pool, pool.function(Op::call, pool.undefined_function(function).ref(), all)};
}

}  // namespace visviva
