#include "visviva/text/robot/mjcf_meshes.h"

#include <utility>

#include "visviva/text/robot/mesh_mass.h"

namespace visviva {
namespace {

[[noreturn]] void refuse_mesh(const RobotXml& xml, const MjcfMesh& mesh, const std::string& why) {
  xml.refuse(mesh.node, "E-robot-value",
             "the mass of the mesh \"" + mesh.picture.mesh + "\" is not known: it " + why,
             "give the bodies with this mesh an <inertial>");
}

MeshBody read_corners(const RobotXml& xml, const MjcfMesh& mesh) {
  MeshBody body;
  const std::vector<double> places = xml.numbers(mesh.node, mesh.node.attribute("vertex").value()),
                            faces = xml.numbers(mesh.node, mesh.node.attribute("face").value());
  for (std::size_t i = 0; i + 2 < places.size(); i += 3)
    body.corners.push_back({places[i], places[i + 1], places[i + 2]});
  for (std::size_t i = 0; i + 2 < faces.size(); i += 3) {
    for (std::size_t k = 0; k < 3; ++k)
      if (!(faces[i + k] >= 0 && faces[i + k] < static_cast<double>(body.corners.size())))
        refuse_mesh(xml, mesh, "has a face with a corner that is not there");
    body.triangles.push_back({static_cast<std::uint32_t>(faces[i]),
                              static_cast<std::uint32_t>(faces[i + 1]),
                              static_cast<std::uint32_t>(faces[i + 2])});
  }
  if (body.triangles.empty()) refuse_mesh(xml, mesh, "has no faces");
  return body;
}

MeshBody read_file(const RobotXml& xml, const RobotFiles& files, const MjcfMesh& mesh) {
  if (!files.read_mesh) refuse_mesh(xml, mesh, "is not read here");
  const Result<Mesh, std::string> read = files.read_mesh(mesh.picture.mesh);
  if (!read) refuse_mesh(xml, mesh, read.why());
  MeshBody body;
  for (const auto& c : read->corners) body.corners.push_back({c[0], c[1], c[2]});
  body.triangles = read->triangles;
  return body;
}

// Counted from the reference pose, then scaled. Mirrored, a triangle is seen from its other side.
void place_corners(const MjcfMesh& mesh, MeshBody* body) {
  const RobotPose from = invert(mesh.reference);
  const Triple& scale = mesh.picture.scale;
  for (Triple& c : body->corners) {
    c = compose(from, {c, {}}).position;
    for (std::size_t i = 0; i < 3; ++i) c[i] *= scale[i];
  }
  if (scale[0] * scale[1] * scale[2] < 0)
    for (auto& t : body->triangles) std::swap(t[1], t[2]);
}

}  // namespace

const RobotMass& mass_of(const RobotXml& xml, const RobotFiles& files, MjcfMesh* mesh) {
  if (mesh->mass) return *mesh->mass;
  MeshBody body =
      mesh->picture.mesh.empty() ? read_corners(xml, *mesh) : read_file(xml, files, *mesh);
  place_corners(*mesh, &body);
  if (mesh->inertia == "convex" && !is_convex(body))
    xml.refuse(mesh->node, "E-robot-value", "the convex hull of a mesh is not computed",
               "give the bodies with this mesh an <inertial>, or the mesh inertia=\"exact\"");
  mesh->mass = compute_mesh_mass(body, mesh->inertia == "shell"    ? MeshMatter::surface
                                       : mesh->inertia == "legacy" ? MeshMatter::inside_unsigned
                                                                   : MeshMatter::inside);
  if (!mesh->mass) refuse_mesh(xml, *mesh, "holds no volume, or is seen from inside");
  return *mesh->mass;
}

}  // namespace visviva
