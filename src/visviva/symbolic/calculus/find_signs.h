// The signs that an expression may have, whatever real values its symbols have, as far as its structure shows them.
#pragma once

#include <functional>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// Zero is always possible.
struct SignSet {
  bool can_be_negative = true, can_be_positive = true;

  friend bool operator==(const SignSet&, const SignSet&) = default;
};

inline SignSet sign_of(double value) { return {!(value >= 0), !(value <= 0)}; }
inline SignSet operator-(const SignSet& s) { return {s.can_be_positive, s.can_be_negative}; }
SignSet operator*(const SignSet& a, const SignSet& b);

/// The signs of an expression by those of its symbols: a square has no minus, nor has a sum of terms without one. A sign
/// that is left may still not occur.
SignSet find_signs(const Expr& expr, const std::function<SignSet(const Expr& symbol)>& of_symbol);

}  // namespace visviva
