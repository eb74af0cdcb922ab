// Places: the forces and torques that stand behind a generalized force or a constraint's
// multiplier.
//
// A constraint row has the power λ (sum_r a_r u_r + c). Its forces F on points P and torques T on
// frames B are those with
//   sum F · v_r^P + sum T · w_r^B = a_r   for every speed r                                    (1)
// (O'Reilly & Srinivasa 2002 (20), sign +λ).
// They follow from what the constraint names: the points and frames in it. (1) is checked; where it
// fails the place is not known.
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

/// The slopes of a displaced law by one of its displacements, where nothing is displaced: three along N, or one.
struct VirtualSlope {
  const VirtualData* of;
  std::vector<Expr> values;

  Column3 column() const { return {values[0], values[1], values[2]}; }
};
/// The specified function and which of its derivatives a change of a rate such as h' is of: `VirtualData::Kind::time` but for t itself.
struct ChangedRate {
  int specified;
  int order;
};
std::optional<ChangedRate> find_changed_rate(const ModelData& model, const VirtualData& v);

/// All slopes of a displaced law that do not vanish.
std::vector<VirtualSlope> compute_virtual_slopes(ExprPool& pool, const Expr& displaced,
                                                 const std::vector<VirtualData>& virtuals);

/// The forces and torques that have these slopes as their virtual work: on the points and frames, between what a
/// coordinate or specified function separates. Time, and a function of it that moves nothing or enters in more than
/// one place, has no place and is left out. Nothing when a coordinate has no place.
std::optional<Place> place_slopes(const Kinematics& motion,
                                  const std::vector<VirtualSlope>& slopes);

/// The place of the force that a unit multiplier of the row stands for; the first entry is on what
/// the constraint names first. Nothing when no place is known.
std::optional<Place> place_row(const Kinematics& motion, const ConstraintRow& row);

/// The place of a unit generalized force on a coordinate: between the two frames of its rotation,
/// or the two points that it separates. Nothing when it enters in more than one place.
std::optional<Place> place_coordinate(const Kinematics& motion, int coordinate);
/// The place of a unit force of the motor of a specified function, likewise; of one that turns a `spin`, the torque
/// about its axis.
std::optional<Place> place_motor(const Kinematics& motion, int specified);

/// The forces and torques that have the slopes of a law by the velocities that its text names as their power: of a
/// dissipation or a condition on motion, before quantities of motion are resolved. Nothing when one has no place.
std::optional<Place> place_rates(const Kinematics& motion, const Expr& law);

/// Forces and torques at their places have the generalized forces that are wanted: proved, with roots as they are, or, where a
/// proof fails, different at no state that was tried (equality.md (16)). False only where a state shows it.
bool have_same_power(const Kinematics& motion, const Place& place, const std::vector<Expr>& wanted);

/// A place with every force and torque times a factor.
Place scale_place(const Place& place, const Expr& factor);

/// Force and moment about No of all of a place's forces and torques together: zero when action
/// and reaction balance, as they do for every condition between bodies that a rigid motion of all
/// of them leaves unchanged (O'Reilly & Srinivasa 2002 (24)).
struct NetWrench {
  Vector force, moment;
};
NetWrench compute_net_wrench(const Kinematics& motion, const Place& place);

}  // namespace visviva
