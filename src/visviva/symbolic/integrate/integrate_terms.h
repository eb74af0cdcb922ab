// What the rules of integration work on: the variable, and the integrand as a sum of terms, each
// with the wave that multiplies it.
//
// Products of sines, cosines, hyperbolic functions and exponentials of linear arguments become sums
// of single waves: sin A sin B = (cos(A - B) - cos(A + B))/2 and its kin.
#pragma once

#include <vector>

#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {

/// A wave, e^growth times 1, sin(angle), cos(angle), sinh(angle) or cosh(angle); growth and angle
/// are linear in x, or zero.
struct Wave {
  Expr growth;
  Expr angle;
  Op op = Op::constant;  // constant: 1

  Expr build() const;
  bool is_one() const { return op == Op::constant && growth.is_zero(); }
};

/// A term and the wave that multiplies it.
struct WaveTerm {
  ProductTerm rest;
  Wave wave;
};

/// The limits of a search, told to an integration by those above it.
struct IntegralSearch {
  int* attempts = nullptr;   // substitutions that may still be tried, at all levels together
  std::vector<Expr> moving;  // other symbols in which the result is to be smooth
  int depth = 0;             // of substitutions
  bool x_is_positive = false;
};

inline constexpr std::size_t max_integrand_terms = 300;

/// One integration by x, and what it remembers of expressions as functions of x.
struct Integration {
  Integration(ExprPool& pool_, const Expr& x_, const IntegralSearch& search_);

  Expr zero() const { return pool.zero(); }
  Expr one() const { return pool.one(); }
  Expr derivative(const Expr& e) { return rate(e); }
  /// True when an expression is proved to have the same value for all x.
  bool is_free(const Expr& e) { return is_proved_zero(derivative(e)); }
  bool is_linear(const Expr& e) { return is_free(derivative(e)); }

  ExprPool& pool;
  Expr x;
  IntegralSearch search;
  Tangent rate;
  Expander expander;
};

/// The operand of a function.
inline Expr argument_of(const Expr& e) { return {e.pool(), e.pool().node(e.ref()).a}; }

/// The terms of an expression, like ones together; nothing beyond the limits.
std::optional<std::vector<WaveTerm>> make_wave_terms(const Expr& expr, Integration& in);

/// A key that is the same for like terms only.
std::vector<std::uint64_t> key_of(const WaveTerm& term, Integration& in);

}  // namespace visviva
