// States at which an expression is looked at with numbers: evidence where no proof is at hand.
//
// An expression vanishes there when at every state its terms cancel to rounding: as a sum of
// products e = sum t_k,
//   |sum t_k| <= tolerance * sum |t_k|,   and not all terms are zero                            (1)
// No claim is made for expressions with kinks or jumps, which may be zero here and not there.
#pragma once

#include <vector>

#include "visviva/symbolic/core/expr.h"

namespace visviva {

/// The expression has kinks or jumps.
bool has_pieces(const Expr& e);

struct StateSamples {
  std::vector<Expr> symbols;
  std::vector<std::vector<double>> states;
  double tolerance = 1e-14;  ///< of (1): how exact the states are

  bool knows(const Expr& e) const;
  bool vanishes(const Expr& e) const;  ///< (1)
  /// True when at some state the terms of `e` do not cancel, by far.
  bool differs(const Expr& e) const;
};

}  // namespace visviva
