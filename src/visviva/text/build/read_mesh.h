// Files of meshes: STL (binary or text) and Wavefront OBJ, of which the triangles are taken and nothing else.
#pragma once

#include <string>

#include "visviva/base/result.h"
#include "visviva/model/mesh.h"

namespace visviva {

/// The mesh that the bytes of a file hold, in the file's lengths; its name tells the format. Else the reason why there is
/// none, such as "has no triangles".
Result<Mesh, std::string> read_mesh(const std::string& bytes, const std::string& name);

/// Whether a name ends as those of files that read_mesh reads.
bool is_mesh_name(const std::string& name);

}  // namespace visviva
