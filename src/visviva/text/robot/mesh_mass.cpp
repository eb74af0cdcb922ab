#include "visviva/text/robot/mesh_mass.h"

#include <algorithm>
#include <cmath>

namespace visviva {
namespace {

constexpr double flat =
    1e-6;  // of the mesh's size: how far a corner of a convex mesh may stand out

Triple minus(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot_of(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Sums over the triangles of a weight, of the weight times corners, and of the weight times products of corners.
class Sums {
 public:
  Sums(const MeshBody& mesh, const Triple& origin) : mesh_(mesh), origin_(origin) {}

  template <class Weigh>
  void add(const Weigh& weigh) {
    for (const auto& t : mesh_.triangles) {
      const Triple a = minus(mesh_.corners[t[0]], origin_), b = minus(mesh_.corners[t[1]], origin_),
                   c = minus(mesh_.corners[t[2]], origin_);
      const double w = weigh(a, b, c);
      weight += w;
      for (std::size_t i = 0; i < 3; ++i) {
        const double s = a[i] + b[i] + c[i];
        first[i] += w * s;
        for (std::size_t j = 0; j < 3; ++j)
          second[i][j] += w * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s * (a[j] + b[j] + c[j]));
      }
    }
  }

  double weight = 0;
  Triple first{};
  Matrix second{};

 private:
  const MeshBody& mesh_;
  Triple origin_;
};

double area_of(const Triple& a, const Triple& b, const Triple& c) {
  return length_of(cross_of(minus(b, a), minus(c, a))) / 2;
}

Triple mean_of(const Sums& sums, double share, const Triple& origin) {
  Triple mean = origin;
  for (std::size_t i = 0; i < 3; ++i) mean[i] += sums.first[i] / (share * sums.weight);
  return mean;
}

}  // namespace

std::optional<RobotMass> compute_mesh_mass(const MeshBody& mesh, MeshMatter matter) {
  Sums areas(mesh, {0, 0, 0});
  areas.add(area_of);
  if (!(areas.weight > 0)) return std::nullopt;
  const Triple middle = mean_of(areas, 3, {0, 0, 0});
  const bool is_shell = matter == MeshMatter::surface;
  const auto volume_of = [&](const Triple& a, const Triple& b, const Triple& c) {
    if (is_shell) return area_of(a, b, c);
    const double volume = dot_of(a, cross_of(b, c)) / 6;
    return matter == MeshMatter::inside ? volume : std::abs(volume);
  };
  Sums about_middle(mesh, middle);
  about_middle.add(volume_of);  // (1)
  if (!(about_middle.weight > 0)) return std::nullopt;
  RobotMass mass{about_middle.weight, mean_of(about_middle, is_shell ? 3 : 4, middle), {}};
  Sums sums(mesh, mass.center);
  sums.add(volume_of);  // (2)
  const double share = is_shell ? 12 : 20;
  const auto S = [&](std::size_t i, std::size_t j) { return sums.second[i][j] / share; };
  mass.inertia = {S(1, 1) + S(2, 2), S(2, 2) + S(0, 0), S(0, 0) + S(1, 1),
                  -S(0, 1),          -S(1, 2),          -S(2, 0)};
  return mass;
}

bool is_convex(const MeshBody& mesh) {
  Triple least = mesh.corners.front(), most = least;
  for (const Triple& c : mesh.corners)
    for (std::size_t i = 0; i < 3; ++i) {
      least[i] = std::min(least[i], c[i]);
      most[i] = std::max(most[i], c[i]);
    }
  const double size = length_of(minus(most, least));
  for (const auto& t : mesh.triangles) {
    const Triple& a = mesh.corners[t[0]];
    const Triple n = cross_of(minus(mesh.corners[t[1]], a), minus(mesh.corners[t[2]], a));
    const double length = length_of(n);
    if (length == 0) continue;
    for (const Triple& c : mesh.corners)
      if (dot_of(n, minus(c, a)) > flat * size * length) return false;
  }
  return true;
}

}  // namespace visviva
