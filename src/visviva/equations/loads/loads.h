// Loads: everything that acts on the mechanism, each with its place: forces at points, torques on
// frames, generalized forces.
//
// v_r^P and w_r^B are the partial velocities of speed r (lecture notes on generalized forces):
//   F_r = sum_forces v_r^P · F + sum_torques w_r^B · T + (generalized force without a place)_r  (1)
// Every expression is in terms of speeds: rates and quantities of motion are resolved.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

struct Load {
  enum class Kind { gravity, force, torque, spring, damper, potential, dissipation };
  Kind kind;
  int index = 0;     ///< in the model's list of its kind; of gravity, the body
  std::string name;  ///< "gravity on P1", "string1", "tube"
  Source source{};
  std::vector<std::pair<int, Vector>> forces;     ///< at a point of the model
  std::vector<std::pair<int, Vector>> torques;    ///< on a frame of the model
  std::vector<std::pair<int, Expr>> generalized;  ///< on a speed, where no place is known
};

/// All loads of the model, gravity first, in order of declaration. ModelError when a law cannot
/// be used.
std::vector<Load> collect_loads(const Kinematics& motion);
/// The same with the unknown forces that constraints take up (absorbed_unknowns.h), which count as zero in collect_loads().
std::vector<Load> collect_written_loads(const Kinematics& motion);

/// The load of a force or torque of the model without the terms of its law that contain a velocity, a rate or a speed: what
/// is left depends on configuration and time. Nothing when the law has no value at rest.
std::optional<Load> make_load_at_rest(const Kinematics& motion, const Load& load);

/// F_r of one load for every speed, (1).
std::vector<Expr> compute_generalized_forces(const Kinematics& motion, const Load& load);

/// A load without effect on any speed, and why. Sentences are made of it in
/// report/derivation/reason_text.h.
struct Noncontributing {
  enum class Kind {
    at_rest,                ///< what the load acts on does not move
    on_given_motion,        ///< no speed changes the motion of what it acts on
    along_constant_length,  ///< it acts along the line between two points of constant distance
    cancelling,             ///< its parts together have no component along a partial velocity
    perpendicular_torque,   ///< to every partial angular velocity of what it acts on
    perpendicular_force,    ///< to every partial velocity of the point it acts on
    against_constraints,    ///< it does no work in any motion that the constraints allow
    same_as_constraint      ///< an unknown that acts as a constraint does already
  };
  std::string name;
  Kind kind = Kind::at_rest;
  std::vector<std::string> points{};  ///< both ends of the line of constant length
  Source source{};
};
/// Loads that are not zero but whose generalized forces all are.
std::vector<Noncontributing> find_noncontributing(const Kinematics& motion,
                                                  const std::vector<Load>& loads);

}  // namespace visviva
