// Masses of meshes: the volume, its center and its moments as sums over tetrahedra from one point to each triangle, which are
// exact for a polyhedron.
//
//   V = sum det(a, b, c)/6,    V p = sum det(a, b, c)/6 (a + b + c)/4                              (1)
//   S = sum det(a, b, c)/120 (a a' + b b' + c c' + s s'),  s = a + b + c,    I = tr(S) 1 - S       (2)
// Corners a, b, c of (2) are counted from p. As MuJoCo has it, (1) counts them from the mean of the triangles, and every
// determinant may be taken as positive, which is the same where the surface is seen whole from that point.
#pragma once

#include <optional>

#include "visviva/model/mesh.h"
#include "visviva/text/robot/robot.h"

namespace visviva {

/// What of a mesh weighs something.
enum class MeshMatter {
  inside,           ///< by signed determinants
  inside_unsigned,  ///< by their sizes
  surface           ///< a thin shell, a density for each area
};

/// Corners in full precision, and triangles between them.
struct MeshBody {
  std::vector<Triple> corners;
  std::vector<std::array<std::uint32_t, 3>> triangles{};
};

/// The mass for a density of one; nothing where it would not be above zero, as of a surface that is seen from inside.
std::optional<RobotMass> compute_mesh_mass(const MeshBody& mesh, MeshMatter matter);
/// Whether no corner is in front of any triangle.
bool is_convex(const MeshBody& mesh);

}  // namespace visviva
