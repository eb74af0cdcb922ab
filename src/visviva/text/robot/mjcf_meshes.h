// Meshes of MJCF: what is drawn of them, and what they weigh.
#pragma once

#include <optional>
#include <string>

#include "visviva/text/robot/robot_xml.h"

namespace visviva {

struct MjcfMesh {
  pugi::xml_node node{};
  RobotPicture picture{};           ///< without a file the corners stand in the element
  RobotPose reference{};            ///< from which corners are counted
  std::string inertia{};            ///< exact, legacy, convex or shell
  std::optional<RobotMass> mass{};  ///< of a density of 1, once asked for
};

/// The mass of a mesh for a density of 1; refuses one that has none.
const RobotMass& mass_of(const RobotXml& xml, const RobotFiles& files, MjcfMesh* mesh);

}  // namespace visviva
