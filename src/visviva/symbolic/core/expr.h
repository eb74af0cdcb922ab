// Expr: a mathematical expression, by value; its nodes live, shared and never changed, in an
// ExprPool.
//
// Two Exprs are == exactly when they are proved equal as functions: sin(q)*sin(q) + cos(q)*cos(q)
// == 1. docs/theory/equality.md says what can be decided, and compare() gives the third answer,
// "undecided". An Expr is a pointer and a 32-bit reference; it must not outlive its pool: keep the
// model, motion, equations or energies it came from. Each thread builds in a pool of its own
// (workspace.h), so finished expressions can be used by many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/symbolic/core/field.h"

namespace visviva {

class ExprPool;

/// What a node does. `add` to `atan2`, `pair` and `call` take their operands from Node::a and Node::b.
enum class Op : std::uint8_t {
  constant,  // exact number; ExprPool::constant_value
  pi,
  symbol,
  add,
  multiply,
  divide,
  power,  // real power with no integer or half-integer exponent
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  abs,
  sign,  // -1, 0 or 1
  step,  // 0 below zero, 1 from zero on
  min,
  max,
  atan2,
  function,  // the name of a function that nobody defined (function_symbol.h); no value by itself
  pair,  // two arguments of such a function, the second perhaps a pair again; no value by itself
  call,  // a function of that kind, and its argument or pair of arguments
};
inline constexpr std::size_t op_count = static_cast<std::size_t>(Op::call) + 1;

/// The function name of an operation as the model language writes it ("sin", "atan2"); "" for
/// operators and leaves.
std::string_view function_name(Op op);
constexpr int operand_count(Op op) {
  switch (op) {
    case Op::constant:
    case Op::pi:
    case Op::symbol:
    case Op::function:
      return 0;
    case Op::add:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::min:
    case Op::max:
    case Op::atan2:
    case Op::pair:
    case Op::call:
      return 2;
    default:
      return 1;
  }
}
/// True for the operations of a field: sums, products and quotients.
constexpr bool is_arithmetic(Op op) {
  return op == Op::add || op == Op::multiply || op == Op::divide;
}

/// A node with a sign: bit 0 is set when the node's value is negated, so negation costs no node.
using Ref = std::uint32_t;

struct Node {
  Op op;
  Ref a;
  Ref b;
};

class Expr {
 public:
  Expr() = default;  ///< empty: only assignment and valid() are allowed
  Expr(ExprPool& pool, Ref ref) : pool_(&pool), ref_(ref) {}

  bool valid() const { return pool_ != nullptr; }
  /// The pool in which this thread builds from this expression (ExprPool::open); UsageError when
  /// empty.
  ExprPool& pool() const;
  /// The pool this expression was made in; UsageError when empty.
  const ExprPool& home() const;
  Ref ref() const { return ref_; }
  Fingerprint fingerprint() const;

  bool is_zero() const;
  bool is_one() const;
  bool is_symbol() const;
  /// True for a number that contains no symbol (also pi/2 or sqrt(2)).
  bool is_constant() const;

  Expr operator-() const;
  Expr& operator+=(const Expr& other);
  Expr& operator-=(const Expr& other);
  Expr& operator*=(const Expr& other);
  Expr& operator/=(const Expr& other);

  /// Proved equal. False means "not proved equal": ask compare() for a witness.
  friend bool operator==(const Expr& a, const Expr& b);
  friend bool operator==(const Expr& a, double b);

 private:
  ExprPool* pool_ = nullptr;
  Ref ref_ = 0;
};

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
/// The quotient a/b. UsageError when b is identically zero.
Expr operator/(const Expr& a, const Expr& b);

// Numbers beside expressions mean their shortest decimal form, exactly: 0.1 is 1/10.
Expr operator+(const Expr& a, double b);
Expr operator+(double a, const Expr& b);
Expr operator-(const Expr& a, double b);
Expr operator-(double a, const Expr& b);
Expr operator*(const Expr& a, double b);
Expr operator*(double a, const Expr& b);
Expr operator/(const Expr& a, double b);
Expr operator/(double a, const Expr& b);

/// Integer exponents become products, halves use sqrt; anything else is a real power, defined for a
/// > 0.
Expr pow(const Expr& a, const Expr& b);
Expr pow(const Expr& a, double b);

Expr sqrt(const Expr& a);
Expr exp(const Expr& a);
Expr log(const Expr& a);
Expr sin(const Expr& a);
Expr cos(const Expr& a);
Expr tan(const Expr& a);
Expr asin(const Expr& a);
Expr acos(const Expr& a);
Expr atan(const Expr& a);
Expr atan2(const Expr& y, const Expr& x);
Expr sinh(const Expr& a);
Expr cosh(const Expr& a);
Expr tanh(const Expr& a);
Expr abs(const Expr& a);
/// -1, 0 or 1.
Expr sign(const Expr& a);
/// 0 for a < 0, 1 for a >= 0.
Expr step(const Expr& a);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);

struct FunctionSymbol;
/// The value of a function that nobody defined at its arguments, one for each parameter: equal where
/// all arguments are. UsageError when their number is wrong.
Expr call(const FunctionSymbol& function, const std::vector<Expr>& arguments);

}  // namespace visviva
