#include "visviva/text/build/named_places.h"

#include <algorithm>

namespace visviva {

void NamedPlaces::mention(const VirtualData& displacement) {
  const auto same = [&](const VirtualData& other) {
    return other.is_rotation == displacement.is_rotation && other.index == displacement.index;
  };
  if (std::none_of(displacements_.begin(), displacements_.end(), same))
    displacements_.push_back(displacement);
}

Position NamedPlaces::displace(const Point& P) {
  if (!is_displacing_) return P;
  const VirtualData v = model_.virtual_displacement(P);
  mention(v);
  return P + Vector(P.model(), {{0, v.symbols}}, Dimension::of(Dimension::length));
}

Vector NamedPlaces::displace(const Frame& A, const Vector& axis) {
  if (!is_displacing_) return axis;
  const VirtualData v = model_.virtual_rotation(A);
  mention(v);
  return axis + cross(Vector(A.model(), {{0, v.symbols}}, Dimension()), axis);
}

bool NamedPlaces::has_point(const Expression& sum, std::size_t operand) const {
  return points_.count({&sum, operand}) != 0;
}

Value NamedPlaces::name_point(const Value& value, const Expression& sum, std::size_t operand) {
  const Position* position = std::get_if<Position>(&value);
  if (position == nullptr || position->offset.is_zero()) return value;
  const auto found = points_.find({&sum, operand});
  if (found != points_.end()) return displace(found->second);
  if (is_displacing_) return value;
  int number = 1;
  while (model_.find_point("point_" + std::to_string(number))) ++number;
  const Point P = model_.point("point_" + std::to_string(number), *position);
  points_.emplace(std::pair(&sum, operand), P);
  return Position(P);
}

}  // namespace visviva
