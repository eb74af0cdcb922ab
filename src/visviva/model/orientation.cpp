#include "visviva/model/orientation.h"

#include "visviva/base/error.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

const auto angular_rate = Dimension::of(Dimension::time, -1);

std::array<int, 3> parse_sequence(const std::string& sequence, const char* function) {
  std::array<int, 3> axes{};
  bool good = sequence.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i) {
    const char c = sequence[i];
    const int axis = c >= 'x' && c <= 'z' ? c - 'x' : c >= '1' && c <= '3' ? c - '1' : -1;
    good = axis >= 0 && (i == 0 || axis != axes[i - 1]);
    axes[i] = axis;
  }
  if (!good) {
    throw UsageError(function,
                     "'" + sequence +
                         "' is no rotation sequence; expected three of x, y, z (or 1, 2, 3), " +
                         "neighbours different, such as \"zxz\"",
                     "E-rotation-sequence");
  }
  return axes;
}

void require_angles(const std::array<Quantity, 3>& angles, const char* function) {
  for (std::size_t i = 0; i < 3; ++i)
    require_dimension(angles[i], Dimension(), function, "angle " + std::to_string(i + 1),
                      "E-dimension-angle");
}

Orientation make_sequence(const Frame& parent, const std::array<int, 3>& axes,
                          const std::array<Quantity, 3>& angles) {
  Orientation o;
  o.kind = Orientation::Kind::sequence;
  o.parent = parent;
  o.axes = axes;
  for (std::size_t i = 0; i < 3; ++i) o.parameters[i] = angles[i];
  return o;
}

}  // namespace

Orientation rotate(const Frame& parent, Axis axis, const Quantity& angle) {
  const Vector along = axis == Axis::x ? parent.x() : axis == Axis::y ? parent.y() : parent.z();
  return rotate(parent, along, angle);
}

Orientation rotate(const Frame& parent, const Vector& axis, const Quantity& angle) {
  require_dimension(angle, Dimension(), "rotate", "the angle", "E-dimension-angle");
  if (axis.is_zero()) throw UsageError("rotate", "the axis is the zero vector", "E-frame-axis");
  Orientation o;
  o.kind = Orientation::Kind::simple;
  o.parent = parent;
  o.axis = axis;
  o.parameters[0] = angle;
  return o;
}

Orientation rotate(const Frame& parent, const std::string& sequence,
                   const std::array<Quantity, 3>& angles) {
  require_angles(angles, "rotate");
  return make_sequence(parent, parse_sequence(sequence, "rotate"), angles);
}

Orientation rotate_space(const Frame& parent, const std::string& sequence,
                         const std::array<Quantity, 3>& angles) {
  require_angles(angles, "rotate_space");
  // Space-fixed abc is body-fixed cba with the angles in reverse.
  const std::array<int, 3> axes = parse_sequence(sequence, "rotate_space");
  return make_sequence(parent, {axes[2], axes[1], axes[0]}, {angles[2], angles[1], angles[0]});
}

Orientation quaternion(const Frame& parent, const std::array<Quantity, 4>& e) {
  Orientation o;
  o.kind = Orientation::Kind::quaternion;
  o.parent = parent;
  o.parameters = e;
  return o;
}

Orientation rodrigues(const Frame& parent, const std::array<Quantity, 3>& g) {
  Orientation o;
  o.kind = Orientation::Kind::rodrigues;
  o.parent = parent;
  for (std::size_t i = 0; i < 3; ++i) {
    require_dimension(g[i], Dimension(), "rodrigues", "parameter " + std::to_string(i + 1));
    o.parameters[i] = g[i];
  }
  return o;
}

Orientation spin(const Frame& parent, const Vector& angular_velocity) {
  if (!angular_velocity.is_plain_zero()) {
    require_dimension(angular_velocity.dimension(), angular_rate, "spin", "the angular velocity",
                      "E-dimension-rate");
  }
  Orientation o;
  o.kind = Orientation::Kind::spin;
  o.parent = parent;
  o.angular_velocity = angular_velocity;
  return o;
}

Matrix3 simple_rotation(const Column3& n, const Expr& angle) {
  ExprPool& pool = angle.pool();
  const Expr c = cos(angle), s = sin(angle);
  return c * identity_matrix(pool) + (1.0 - c) * outer(n, n) + s * cross_matrix(n);
}

Matrix3 quaternion_rotation(const std::array<Expr, 4>& e) {
  // 1 + 2 e0 [e]x + 2 [e]x [e]x
  const Matrix3 E = cross_matrix({e[1], e[2], e[3]});
  const Expr two = e[0].pool().rational(2);
  return identity_matrix(e[0].pool()) + (two * e[0]) * E + two * (E * E);
}

Matrix3 rodrigues_rotation(const Column3& g) {
  // 1 + 2/(1 + g g) ([g]x + [g]x [g]x)
  const Matrix3 G = cross_matrix(g);
  return identity_matrix(g[0].pool()) + (2.0 / (1.0 + dot(g, g))) * (G + G * G);
}

}  // namespace visviva
