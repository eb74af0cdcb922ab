// Files that a robot's file names: who may read them, and how.
#pragma once

#include <functional>
#include <string>

#include "visviva/base/result.h"
#include "visviva/base/source_text.h"
#include "visviva/model/mesh.h"

namespace visviva {

/// What a robot's file names, and who may read it. Without them nothing is there.
struct RobotFiles {
  /// The path of a mesh as a model may name it, for what a robot's file calls it; "" where it is not there.
  std::function<std::string(const std::string&)> find_mesh{};
  /// The mesh itself, or why there is none, such as "is neither an STL nor an OBJ file".
  std::function<Result<Mesh, std::string>(const std::string&)> read_mesh{};
  /// The text of another file, or why there is none.
  std::function<Result<SourceText, std::string>(const std::string&)> read_part{};
};

}  // namespace visviva
