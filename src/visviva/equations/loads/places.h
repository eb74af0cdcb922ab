// Places: the forces and torques that stand behind a generalized force or a constraint's
// multiplier.
//
// A constraint row has the power λ (sum_r a_r u_r + c). Its forces F on points P and torques T on
// frames B are those with
//   sum F · v_r^P + sum T · w_r^B = a_r   for every speed r                                    (1)
// (O'Reilly & Srinivasa 2002 (20), sign +λ).
// They follow from what the constraint names: the points and frames in it. (1) is checked
// exactly; where it fails the place is not known.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "visviva/equations/loads/loads.h"
#include "visviva/kinematics/constraint_rows.h"

namespace visviva {

/// True for a point fixed in N that is no body's mass center: what acts there acts on the ground.
bool is_on_ground(const Kinematics& motion, int point);
/// The body or particle (in ModelData::bodies) that a point is fixed in; -1 for the ground or none.
int find_body_of_point(const Kinematics& motion, int point);

struct Place {
  std::vector<std::pair<int, Vector>> forces;   ///< at a point
  std::vector<std::pair<int, Vector>> torques;  ///< on a frame
};

/// The slopes of a displaced expression by each of its displacements, along N, where nothing is
/// displaced; those that vanish are left out.
std::vector<std::pair<const VirtualData*, Column3>> compute_virtual_slopes(
    ExprPool& pool, const Expr& displaced, const std::vector<VirtualData>& virtuals);

/// The place of the force that a unit multiplier of the row stands for; the first entry is on what
/// the constraint names first. Nothing when no place is known.
std::optional<Place> place_row(const Kinematics& motion, const ConstraintRow& row);

/// The place of a unit generalized force on a coordinate: between the two frames of its rotation,
/// or the two points that it separates. Nothing when it enters in more than one place.
std::optional<Place> place_coordinate(const Kinematics& motion, int coordinate);

/// Force and moment about No of all of a place's forces and torques together: zero when action
/// and reaction balance, as they do for every condition between bodies that a rigid motion of all
/// of them leaves unchanged (O'Reilly & Srinivasa 2002 (24)).
struct NetWrench {
  Vector force, moment;
};
NetWrench compute_net_wrench(const Kinematics& motion, const Place& place);

}  // namespace visviva
