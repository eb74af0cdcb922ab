// Products of powers, the terms that expand.h makes of expressions.
//
//   S^a S^b = S^(a+b),   |S|^2 = S^2,   sign(S) |S| = S                                        (1)
// All of it holds wherever both sides are defined, save that sign(S)^2 counts as 1 at S = 0 as
// well.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "visviva/symbolic/core/pool.h"

namespace visviva {

/// The kind of power that a factor is: S^e, |S|^e or sign(S) |S|^e.
enum class PowerKind : std::uint8_t { plain, absolute, with_sign };

/// A power of a base.
struct PowerFactor {
  Expr base;
  Expr exponent;
  PowerKind kind = PowerKind::plain;
};

/// A term, coefficient * product of the factors, whose bases are all different.
struct ProductTerm {
  Expr coefficient;
  std::vector<PowerFactor> factors;
};

/// The expression that a factor, a term or a sum of terms says.
Expr build(const PowerFactor& factor);
Expr build(const ProductTerm& term);
Expr build(ExprPool& pool, const std::vector<ProductTerm>& terms);

/// The value of a number that is a small fraction.
std::optional<Rational> fraction_of(const Expr& number);
/// The value of a number that is an integer.
std::optional<std::int64_t> integer_of(const Expr& number);

/// The operation of an expression's node, whose sign is left out.
inline Op op_of(const Expr& e) { return e.pool().node(e.ref()).op; }
/// True when the reference carries a minus; says nothing about the value.
inline bool is_negative(const Expr& e) { return (e.ref() & 1u) != 0; }

/// The product of two powers of one base, by (1).
PowerFactor combine(const PowerFactor& f, const PowerFactor& g);

/// The term 1/term.
ProductTerm inverse(const ProductTerm& term);

/// A term whose whole powers of bases have become coefficient; what is left has an exponent in
/// [0, 1), or [0, 2) for an absolute value.
ProductTerm reduced(const ProductTerm& term);

}  // namespace visviva
