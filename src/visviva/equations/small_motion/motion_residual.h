// The equations of motion as left sides that vanish, with symbols for what one linear solve gives;
// and what they depend on.
//
//   ( M u' - f - A'λ,  A u' - b,  C u' - L'λ - d ) = 0                                          (1)
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {

/// The left sides of (1), linear in `solved`: u', unknown forces, multipliers.
struct MotionResidual {
  std::vector<Expr>
      rows;  ///< one for each speed, each constraint row, each auxiliary equation with an unknown
  std::vector<Expr> solved;
  std::vector<Expr> velocities;           ///< A u + c, a constraint row each
  std::vector<std::vector<Expr>> slopes;  ///< of the rows by what is solved for
};
MotionResidual make_residual(const Equations& equations);

/// The equations without constraint rows that vanish at this state and not beside it, such as one
/// of the two components of a pin in a parallelogram: rounding errors are all that is left of them.
Equations without_vanishing_rows(const Equations& equations, const StartState& state);

/// Whether an expression changes with a symbol: a node may mention one that cancels.
bool varies_with(const std::vector<Expr>& exprs, const Expr& symbol);

/// The derivatives of time and of specified functions by time: with these, a Tangent is d/dt at
/// constant coordinates.
std::vector<std::pair<Expr, Expr>> make_time_rates(const ModelData& model);

/// Time or specified functions that change, among the symbols of these expressions; by name. Not those that only jump once,
/// such as step(t - T).
std::vector<std::string> find_time_dependence(const ModelData& model,
                                              const std::vector<Expr>& exprs);
/// Those that jump once, and stay the same before and after.
std::vector<std::string> find_single_jumps(const ModelData& model, const std::vector<Expr>& exprs);
/// Time in equations of motion and velocity constraints.
std::vector<std::string> find_time_dependence(const Equations& equations);

}  // namespace visviva
