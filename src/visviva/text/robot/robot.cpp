#include "visviva/text/robot/robot.h"

#include <algorithm>
#include <cmath>

namespace visviva {
namespace {

Triple add(const Triple& a, const Triple& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Triple scale(double f, const Triple& a) { return {f * a[0], f * a[1], f * a[2]}; }

std::array<double, 4> multiply(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Matrix inertia_matrix(const std::array<double, 6>& I) {
  return {{{I[0], I[3], I[5]}, {I[3], I[1], I[4]}, {I[5], I[4], I[2]}}};
}

std::array<double, 6> inertia_entries(const Matrix& I) {
  return {I[0][0], I[1][1], I[2][2], I[0][1], I[1][2], I[2][0]};
}

}  // namespace

Triple cross_of(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length_of(const Triple& a) { return std::hypot(a[0], a[1], a[2]); }

RobotRotation from_axis_angle(const Triple& axis, double angle) {
  const double length = length_of(axis);
  if (length == 0 || angle == 0) return {};
  const Triple v = scale(std::sin(angle / 2) / length, axis);
  return {{std::cos(angle / 2), v[0], v[1], v[2]}};
}

// About x first: the last factor acts first on a column.
RobotRotation from_space_angles(const Triple& angles) {
  const auto x = from_axis_angle({1, 0, 0}, angles[0]), y = from_axis_angle({0, 1, 0}, angles[1]),
             z = from_axis_angle({0, 0, 1}, angles[2]);
  RobotRotation r{multiply(z.quaternion, multiply(y.quaternion, x.quaternion))};
  if (angles != Triple{0, 0, 0}) r.space_angles = angles;
  return r;
}

RobotRotation from_quaternion(const std::array<double, 4>& q) {
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (length == 0) return {};
  return {{q[0] / length, q[1] / length, q[2] / length, q[3] / length}};
}

RobotRotation from_axes(const Triple& x, const Triple& y) {
  const Triple a = scale(1 / length_of(x), x);
  Triple c = cross_of(a, y);
  c = scale(1 / length_of(c), c);
  const Triple b = cross_of(c, a);
  // The columns are a, b, c. The largest component of the quaternion divides.
  const double trace = a[0] + b[1] + c[2];
  const std::array<double, 4> squares = {1 + trace, 1 + 2 * a[0] - trace, 1 + 2 * b[1] - trace,
                                         1 + 2 * c[2] - trace};
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (squares[i] > squares[largest]) largest = i;
  const std::array<std::array<double, 4>, 4> products = {
      {{squares[0], b[2] - c[1], c[0] - a[2], a[1] - b[0]},
       {b[2] - c[1], squares[1], a[1] + b[0], c[0] + a[2]},
       {c[0] - a[2], a[1] + b[0], squares[2], b[2] + c[1]},
       {a[1] - b[0], c[0] + a[2], b[2] + c[1], squares[3]}}};
  return from_quaternion(products[largest]);
}

RobotRotation from_z(const Triple& z) {
  constexpr double half_turn = 3.14159265358979323846;
  const double across = std::hypot(z[0], z[1]);
  if (across == 0) return z[2] < 0 ? from_axis_angle({1, 0, 0}, half_turn) : RobotRotation();
  return from_axis_angle({-z[1], z[0], 0}, std::atan2(across, z[2]));
}

// R = Rz(c) Ry(b) Rx(a); where b is a quarter turn, only c - a or c + a is there: a is 0.
Triple find_space_angles(const RobotRotation& r) {
  if (r.space_angles) return *r.space_angles;
  const Matrix R = to_matrix(r);
  const double b = std::atan2(-R[2][0], std::hypot(R[0][0], R[1][0]));
  constexpr double upright = 1e-12;
  if (std::hypot(R[0][0], R[1][0]) < upright) return {0, b, std::atan2(-R[0][1], R[1][1])};
  return {std::atan2(R[2][1], R[2][2]), b, std::atan2(R[1][0], R[0][0])};
}

Matrix to_matrix(const RobotRotation& r) {
  const auto [w, x, y, z] = r.quaternion;
  return {{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
}

Triple turn(const RobotRotation& r, const Triple& v) {
  const Matrix R = to_matrix(r);
  Triple w{};
  for (std::size_t i = 0; i < 3; ++i) w[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2];
  return w;
}

RobotPose compose(const RobotPose& a, const RobotPose& b) {
  RobotPose c{add(a.position, turn(a.rotation, b.position)), {}};
  if (b.rotation.is_identity())
    c.rotation = a.rotation;
  else if (a.rotation.is_identity())
    c.rotation = b.rotation;
  else
    c.rotation = from_quaternion(multiply(a.rotation.quaternion, b.rotation.quaternion));
  return c;
}

RobotPose invert(const RobotPose& a) {
  const auto& q = a.rotation.quaternion;
  const RobotRotation back{{q[0], -q[1], -q[2], -q[3]}};
  return {scale(-1, turn(back, a.position)), back};
}

RobotMass move_mass(const RobotMass& mass, const RobotPose& pose) {
  RobotMass moved{mass.mass, add(pose.position, turn(pose.rotation, mass.center)), mass.inertia};
  if (pose.rotation.is_identity()) return moved;
  const Matrix R = to_matrix(pose.rotation), I = inertia_matrix(mass.inertia);
  Matrix turned{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) turned[i][j] += R[i][k] * I[k][l] * R[j][l];
  moved.inertia = inertia_entries(turned);
  return moved;
}

// The roots of the characteristic polynomial of a symmetric matrix, by the angle of a third.
Triple find_principal_moments(const std::array<double, 6>& I) {
  const double mean = (I[0] + I[1] + I[2]) / 3;
  const Matrix D = inertia_matrix({I[0] - mean, I[1] - mean, I[2] - mean, I[3], I[4], I[5]});
  double square = 0;
  for (const Triple& row : D)
    for (const double x : row) square += x * x;
  const double p = std::sqrt(square / 6);
  if (p == 0) return {mean, mean, mean};
  const Triple cross = cross_of(D[1], D[2]);
  const double half_det =
      (D[0][0] * cross[0] + D[0][1] * cross[1] + D[0][2] * cross[2]) / (2 * p * p * p);
  constexpr double third_turn = 2.0943951023931954923;
  const double angle = std::acos(std::clamp(half_det, -1.0, 1.0)) / 3;
  Triple moments{};
  for (std::size_t k = 0; k < 3; ++k)
    moments[k] = mean + 2 * p * std::cos(angle + third_turn * static_cast<double>(k));
  return moments;
}

// Steiner's theorem for both.
RobotMass add_masses(const RobotMass& a, const RobotMass& b) {
  if (a.mass == 0 && a.inertia == std::array<double, 6>{}) return b;
  if (b.mass == 0 && b.inertia == std::array<double, 6>{}) return a;
  RobotMass sum{a.mass + b.mass, {}, {}};
  if (sum.mass > 0)
    sum.center = scale(1 / sum.mass, add(scale(a.mass, a.center), scale(b.mass, b.center)));
  for (const RobotMass* part : {&a, &b}) {
    const Triple d = add(part->center, scale(-1, sum.center));
    const double m = part->mass;
    const std::array<double, 6> shift = {m * (d[1] * d[1] + d[2] * d[2]),
                                         m * (d[2] * d[2] + d[0] * d[0]),
                                         m * (d[0] * d[0] + d[1] * d[1]),
                                         -m * d[0] * d[1],
                                         -m * d[1] * d[2],
                                         -m * d[2] * d[0]};
    for (std::size_t i = 0; i < 6; ++i) sum.inertia[i] += part->inertia[i] + shift[i];
  }
  return sum;
}

}  // namespace visviva
