// The surface of states on which all constraints hold: whether what an interaction leaves vanishes there.
//
// Rows of constraints may need one another for that: the rows (P - Q) · n_i = 0 of a ball joint leave lambda_i (P - Q) x n_i each.
// A sum R is proved to vanish
//   as R = s sum_j c_j g_j, c_j numbers, g_j the rows, s in no row                               (1)
//   or with the points that the rows name moved anywhere, x_P + d_P, where rows linear in d are solved for d: R(d) = sum_j h_j(d) g_j(d)
//   holds at d = 0 as well, wherever no pivot of the solution is zero                            (2)
//   or with the coordinates put in that rows are linear in                                       (3)
// Else it is looked at on the branch of the surface on which the start state lies (surface_samples.h).
#pragma once

#include <optional>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/equations/interactions/decision.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

/// How it is known that something vanishes.
enum class Ground {
  none,            ///< it does not, or nobody knows
  identity,        ///< at every state
  on_constraints,  ///< wherever the constraints hold: proved
  by_numbers       ///< at states on the constraints, in many digits: not proved
};

struct SurfaceVerdict {
  Decision vanishes = Decision::undecided;
  Ground ground = Ground::none;
};

/// What is looked at: a component of a sum, and what is known about it beside.
struct SurfaceQuestion {
  Expr value;       ///< in terms of the state and results by name
  Expr multiplier;  ///< that it is linear in; not valid where there is none
  Expr displaced;   ///< value / multiplier with points displaced; not valid where that is not known
};

class ConstraintSurface {
 public:
  /// `start` has the values of what has one, where `has_values`.
  ConstraintSurface(const Equations& equations, const StartState& start, bool has_values);

  SurfaceVerdict examine(const std::vector<SurfaceQuestion>& questions);

 private:
  bool is_proved(const SurfaceQuestion& question);
  bool is_combination(const Expr& value) const;              // (1)
  bool vanishes_displaced(const SurfaceQuestion& question);  // (2)
  bool vanishes_with_coordinates(const Expr& value);         // (3)
  Decision look_at(const Expr& value) const;

  Expr without_factors(const Expr& value, const std::vector<Expr>& rows) const;
  std::vector<Expr> list_displaced_rows() const;
  const Replacements& displacements();
  const Replacements& coordinates();
  std::optional<Expr> find_pivot(const Expr& row) const;
  bool holds_displacement(const Expr& e) const;

  const Equations& equations_;
  const ModelData& model_;
  const StartState& start_;
  bool has_values_;
  std::vector<Expr> displaced_;  // symbols of displacements
  std::optional<Replacements> displacements_, coordinates_;
};

}  // namespace visviva
