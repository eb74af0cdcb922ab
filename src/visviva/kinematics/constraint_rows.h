// Constraints as rows: what each says about the configuration, and about the speeds.
//
// A configuration constraint g(q, t) = 0 gives the row dg/dt = 0; a motion constraint is its own
// row. Every row is linear in the speeds: sum_r a_r u_r + b = 0. A vector constraint counts once
// for each component that is not identically zero.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

struct ConstraintRow {
  int constraint;                ///< in ModelData::constraints
  std::optional<Expr> position;  ///< g, of a configuration constraint, a lock or an integrated row
  ScalarMotion velocity;
  int component = 0;  ///< of a vector constraint or a roll: along this axis of `frame`
  int frame = 0;
};

/// The rows of all constraints. ModelError (E-constraint-nonlinear) when a motion constraint is not
/// linear in the speeds.
std::vector<ConstraintRow> make_constraint_rows(const Kinematics& motion);

/// A scalar of motion as coefficients of the speeds; nothing when it is not linear in them.
std::optional<ScalarMotion> find_linear_motion(const Kinematics& motion, const Expr& resolved);

}  // namespace visviva
