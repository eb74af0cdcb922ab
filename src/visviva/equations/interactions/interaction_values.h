// Interactions as numbers at one state.
#pragma once

#include <array>

#include "visviva/equations/interactions/constraint_surface.h"
#include "visviva/equations/interactions/interactions.h"
#include "visviva/kinematics/consistent_start.h"

namespace visviva {

/// Components in N; not finite where they are not determined.
struct PartValues {
  int part;
  std::array<double, 3> force{}, moment{};
};

struct SumValues {
  std::array<double, 3> force{}, moment{};  ///< the moment about the point of the last part
  /// Whether they vanish at every state that the constraints allow, or are shown not to by a state at which they do not.
  Decision holds = Decision::undecided;
  Ground ground = Ground::none;  ///< why they do
  /// What rounding of the terms may leave of each.
  double force_error = 0, moment_error = 0;
};

struct InteractionValues {
  std::vector<PartValues> on;    ///< one for each action
  SumValues alone, with_ground;  ///< interactions.h (2)
  double power = 0;              ///< of all its forces and moments, (1)
  double power_error = 0;        ///< what rounding of its terms may leave of it
  std::vector<double> shares;    ///< of TimeDependence
  double explicit_power = 0, time_power = 0;
};

/// Values of every interaction, in the order of the list. ModelError where a term of the equations is not finite, or
/// an unknown force is not determined.
std::vector<InteractionValues> evaluate_interactions(const Interactions& interactions,
                                                     const ConsistentStart& at);

}  // namespace visviva
