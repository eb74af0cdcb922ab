// Configurations that satisfy the constraints, for identities that hold only there.
//
// Where a constraint g(q, t) = 0 is linear in a coordinate, with a coefficient free of the
// configuration, it is solved for that coordinate: exactly. For the others, random configurations are
// moved onto g = 0 by Newton's method; an expression that vanishes at all of them to rounding, and
// not beside them, is taken for zero there. This is evidence by numbers, and reports say so.
#pragma once

#include <vector>

#include "visviva/equations/energy/energies.h"

namespace visviva {

/// Coordinates that the configuration constraints give in terms of others.
Replacements solve_positions(const Equations& equations);

class ConstraintManifold {
 public:
  /// `values` give numbers to everything but configuration, independent speeds and time.
  ConstraintManifold(const Energies& energies, const Replacements& values);

  /// Nothing can be said without configuration constraints or without enough such states.
  bool is_empty() const { return states_.empty(); }
  /// Of an expression with the values put in.
  bool is_zero(const Expr& e) const;

 private:
  std::vector<Expr> symbols_;
  std::vector<std::vector<double>> states_;  // on the manifold
  std::vector<std::vector<double>> beside_;  // not on it
};

}  // namespace visviva
