// Meshes that robot files name: where they are, if they may be read.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace visviva {

/// Finds what a robot's file calls a mesh ("package://arm/meshes/hand.stl", "hand.obj") below the folder of that file, and tells
/// its path from the folder of the model; "" for what is not there, is no STL or OBJ file, or is outside of either folder.
std::function<std::string(const std::string&)> make_mesh_finder(
    const std::filesystem::path& robot_folder, const std::filesystem::path& model_folder);

}  // namespace visviva
