// Unknown forces that a constraint could do as well: friction where a body rolls, the tension of a rod
// whose length is a constraint.
//
// With c the generalized forces of a unit unknown force and A the constraints' rows, the force has no
// part in the motion where
//   c = A' y                                                                                     (1)
// for some y: the multipliers take it up. It counts as zero then, and the reactions of constraints
// include it. A model with auxiliary speeds asks for it by itself: nothing is taken up there.
#pragma once

#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// The unknown forces with (1), decided by numbers at configurations chosen at random. `loads` has the
/// generalized forces of each load, with all unknown forces in them.
std::vector<Expr> find_absorbed_unknowns(const Kinematics& motion,
                                         const std::vector<std::vector<Expr>>& loads);
/// The same for the loads of the model (loads.cpp): collect_loads() puts zero for them.
std::vector<Expr> find_absorbed_unknowns(const Kinematics& motion);

/// An unknown force with (1), and y, one for each row of make_constraint_rows(): a unit of the force takes y off the
/// multipliers. Where rows depend on each other it is one of several y.
struct AbsorbedUnknown {
  Expr unknown;
  std::vector<Expr> shares;
};
std::vector<AbsorbedUnknown> find_absorbed_shares(const Kinematics& motion,
                                                  const std::vector<std::vector<Expr>>& loads);
/// The same for the loads of the model (loads.cpp).
std::vector<AbsorbedUnknown> find_absorbed_shares(const Kinematics& motion);

/// Which rows of make_constraint_rows() have multipliers that such an unknown force shares: only the sum of both is
/// determined.
std::vector<bool> find_shared_rows(const Kinematics& motion,
                                   const std::vector<std::vector<Expr>>& loads);
/// The same for the loads of the model (loads.cpp).
std::vector<bool> find_shared_rows(const Kinematics& motion);

}  // namespace visviva
