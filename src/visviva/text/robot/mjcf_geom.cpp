#include "visviva/text/robot/mjcf_geom.h"

namespace visviva {
namespace {

constexpr double pi = 3.14159265358979323846;

double volume_of(const MjcfSolid& s) {
  const auto [a, b, c] = s.size;
  if (s.type == "sphere") return 4.0 / 3.0 * pi * a * a * a;
  if (s.type == "capsule") return pi * a * a * (2 * b + 4.0 / 3.0 * a);
  if (s.type == "cylinder") return pi * a * a * 2 * b;
  if (s.type == "ellipsoid") return 4.0 / 3.0 * pi * a * b * c;
  return 8 * a * b * c;
}

// Moments about the center for a mass.
Triple moments_of(const MjcfSolid& s, double m) {
  const auto [a, b, c] = s.size;
  if (s.type == "sphere") return {0.4 * m * a * a, 0.4 * m * a * a, 0.4 * m * a * a};
  if (s.type == "ellipsoid" || s.type == "box") {
    const double f = s.type == "box" ? m / 3 : m / 5;
    return {f * (b * b + c * c), f * (c * c + a * a), f * (a * a + b * b)};
  }
  // A cylinder of the radius a and the half length b, and for a capsule two halves of a ball, whose
  // mass centers are 3/8 a beyond its ends.
  const double ball = s.type == "capsule" ? m * (4.0 / 3.0 * a) / (2 * b + 4.0 / 3.0 * a) : 0;
  const double tube = m - ball;
  const double across =
      tube * (3 * a * a + 4 * b * b) / 12 + ball * (0.4 * a * a + b * b + 0.75 * a * b);
  return {across, across, tube * a * a / 2 + ball * 0.4 * a * a};
}

}  // namespace

std::optional<RobotMass> compute_mass(const MjcfSolid& solid, double density,
                                      std::optional<double> mass) {
  const bool has_volume = solid.type == "sphere" || solid.type == "capsule" ||
                          solid.type == "cylinder" || solid.type == "ellipsoid" ||
                          solid.type == "box";
  if (!has_volume) return std::nullopt;
  RobotMass result;
  result.mass = mass.value_or(density * volume_of(solid));
  const Triple I = moments_of(solid, result.mass);
  result.inertia = {I[0], I[1], I[2], 0, 0, 0};
  return result;
}

}  // namespace visviva
