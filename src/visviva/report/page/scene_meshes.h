// Meshes of a scene: made small enough for a page, and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "visviva/model/mesh.h"

namespace visviva {

/// The same surface with no more triangles than these: corners that are near one another become one.
Mesh simplify_mesh(const Mesh& mesh, std::size_t most_triangles);

/// Half the edges of a mesh's box.
std::array<double, 3> find_halves(const Mesh& mesh);

/// A mesh for the page: `center` and `halves` of its box, `corners` as shorts from -1 to 1 in it, `triangles`.
nlohmann::ordered_json write_mesh(const Mesh& mesh);

}  // namespace visviva
