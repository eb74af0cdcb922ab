#include "visviva/report/page/scene_meshes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "visviva/report/page/scene_bytes.h"

namespace visviva {
namespace {

constexpr double finest_grid = 1024, coarser = 0.75;  // cells along the longest edge

struct MeshBox {
  std::array<double, 3> low, high;

  double middle(std::size_t i) const { return (low[i] + high[i]) / 2; }
  double half(std::size_t i) const { return (high[i] - low[i]) / 2; }
};

MeshBox find_mesh_box(const Mesh& mesh) {
  constexpr double far = std::numeric_limits<double>::infinity();
  MeshBox box{{far, far, far}, {-far, -far, -far}};
  for (const auto& corner : mesh.corners) {
    for (std::size_t i = 0; i < 3; ++i) {
      box.low[i] = std::min<double>(box.low[i], corner[i]);
      box.high[i] = std::max<double>(box.high[i], corner[i]);
    }
  }
  return box;
}

// Corners of one cell become their mean.
Mesh cluster(const Mesh& mesh, double cell) {
  std::map<std::array<long, 3>, std::uint32_t> cells;
  std::vector<std::uint32_t> cell_of;
  std::vector<std::array<double, 4>> sums;  // the last: how many
  for (const auto& corner : mesh.corners) {
    const auto place = [&](std::size_t i) { return std::lround(corner[i] / cell); };
    const auto [at, is_fresh] = cells.emplace(std::array{place(0), place(1), place(2)},
                                              static_cast<std::uint32_t>(sums.size()));
    if (is_fresh) sums.push_back({});
    for (std::size_t i = 0; i < 3; ++i) sums[at->second][i] += corner[i];
    sums[at->second][3] += 1;
    cell_of.push_back(at->second);
  }
  Mesh result;
  for (const auto& [x, y, z, count] : sums)
    result.corners.push_back({static_cast<float>(x / count), static_cast<float>(y / count),
                              static_cast<float>(z / count)});
  for (const auto& t : mesh.triangles) {
    const std::array<std::uint32_t, 3> c = {cell_of[t[0]], cell_of[t[1]], cell_of[t[2]]};
    if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) result.triangles.push_back(c);
  }
  return result;
}

}  // namespace

std::array<double, 3> find_halves(const Mesh& mesh) {
  const MeshBox box = find_mesh_box(mesh);
  return {box.half(0), box.half(1), box.half(2)};
}

Mesh simplify_mesh(const Mesh& mesh, std::size_t most_triangles) {
  if (mesh.triangles.size() <= most_triangles) return mesh;
  const auto halves = find_halves(mesh);
  const double longest = 2 * *std::max_element(halves.begin(), halves.end());
  for (double cells = finest_grid; cells > 1; cells *= coarser) {
    Mesh fewer = cluster(mesh, longest / cells);
    if (fewer.triangles.size() <= most_triangles && !fewer.triangles.empty()) return fewer;
  }
  return {};
}

nlohmann::ordered_json write_mesh(const Mesh& mesh) {
  const MeshBox box = find_mesh_box(mesh);
  Bytes corners, triangles;
  for (const auto& corner : mesh.corners)
    for (std::size_t i = 0; i < 3; ++i)
      corners.add_short(
          box.half(i) > 0 ? std::clamp((corner[i] - box.middle(i)) / box.half(i), -1.0, 1.0) : 0);
  for (const auto& t : mesh.triangles)
    for (const std::uint32_t c : t) triangles.add_count(c);
  return {{"center", {box.middle(0), box.middle(1), box.middle(2)}},
          {"halves", {box.half(0), box.half(1), box.half(2)}},
          {"corners", corners.text()},
          {"triangles", triangles.text()}};
}

}  // namespace visviva
