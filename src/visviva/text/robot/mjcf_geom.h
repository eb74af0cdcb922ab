// Masses of MJCF's solids.
#pragma once

#include <optional>
#include <string>

#include "visviva/text/robot/robot.h"

namespace visviva {

/// A solid: its type, its half sizes as MJCF has them.
struct MjcfSolid {
  std::string type;
  Triple size{};
};

/// Mass and inertia about its center, along its own axes, for a density, or for a mass where one is given; nothing for
/// what has no volume of its own (a mesh).
std::optional<RobotMass> compute_mass(const MjcfSolid& solid, double density,
                                      std::optional<double> mass);

}  // namespace visviva
