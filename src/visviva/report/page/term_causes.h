// Which loads and bodies brought a written term into an equation.
//
// An equation is a sum of contributions c_k, each of one cause, and is written as a sum of terms t_j
// after simplification: sum_k c_k = sum_j t_j. Multiplied out, both sides are sums of monomials. A
// monomial whose coefficient is the same on both sides came from the contributions that hold it, and
// nowhere else. Where an identity such as sin^2 + cos^2 = 1 was used the coefficients differ: then those
// contributions may have brought the term that hold a monomial without symbols that the term lacks.
#pragma once

#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

struct Contribution {
  int cause;
  /// The same value as a sum of terms, in one or more ways.
  std::vector<std::vector<Expr>> ways;
};

/// The causes that brought each term, or may have, in ascending order. Terms and contributions add
/// up to the same; a contribution that is zero brought nothing.
std::vector<std::vector<int>> find_term_causes(const std::vector<Contribution>& contributions,
                                               const std::vector<Expr>& terms);

}  // namespace visviva
