// Arguments of sin, cos and exp as sums of rational multiples of monomials: what makes them
// homomorphisms.
//
// omega*(t + t0)/2 is 1/2 omega t + 1/2 omega t0; each monomial has its own independent angle, so
// that cos(a + b) and cos(a) cos(b) - sin(a) sin(b) get the same value in the fields.
#pragma once

#include <vector>

#include "visviva/symbolic/core/field.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {

struct AngleTerm {
  Rational coefficient;
  Fingerprint monomial;  // canonical sign; the value 1 for a plain number
};

/// The argument as a sum of terms with distinct monomials. An argument too large to expand comes
/// back as one term.
std::vector<AngleTerm> expand_argument(const ExprPool& pool, Ref argument);

/// The same term with the part of its denominator beyond field::angle_resolution moved into the
/// monomial.
AngleTerm reduce_fraction(const AngleTerm& term);

}  // namespace visviva
