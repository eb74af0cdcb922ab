// Files that robot files name, meshes and parts: where they are, if they may be read.
#pragma once

#include <filesystem>

#include "visviva/text/robot/robot_files.h"

namespace visviva {

/// Finds what a robot's file names ("package://arm/meshes/hand.stl", "hand.obj", "arm.xml") below the folder of that file.
/// Paths of meshes are told from the folder of the model, for those that lie in it.
RobotFiles make_robot_files(const std::filesystem::path& robot_folder,
                            const std::filesystem::path& model_folder);

}  // namespace visviva
