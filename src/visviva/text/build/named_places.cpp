#include "visviva/text/build/named_places.h"

#include <algorithm>

namespace visviva {

void NamedPlaces::mention(const VirtualData& displacement) {
  const auto same = [&](const VirtualData& other) {
    return other.kind == displacement.kind && other.index == displacement.index &&
           other.symbols[0] == displacement.symbols[0];
  };
  if (std::none_of(displacements_.begin(), displacements_.end(), same))
    displacements_.push_back(displacement);
}

Position NamedPlaces::displace(const Point& P) {
  if (!is_displacing_) return P;
  const VirtualData v = model_.virtual_displacement(P);
  mention(v);
  const Column3 shift = {v.symbols[0], v.symbols[1], v.symbols[2]};
  return P + Vector(P.model(), {{0, shift}}, Dimension::of(Dimension::length));
}

Vector NamedPlaces::displace(const Frame& A, const Vector& axis) {
  if (!is_displacing_) return axis;
  const VirtualData v = model_.virtual_rotation(A);
  mention(v);
  const Column3 turn = {v.symbols[0], v.symbols[1], v.symbols[2]};
  return axis + cross(Vector(A.model(), {{0, turn}}, Dimension()), axis);
}

Quantity NamedPlaces::displace(const Quantity& scalar) {
  if (!is_displacing_ || scalar.is_literal() || !scalar.expr().is_symbol()) return scalar;
  const SymbolRole* role = model_.data().role(scalar.expr());
  if (role == nullptr || (role->role != Role::coordinate && role->role != Role::specified &&
                          role->role != Role::specified_rate && role->role != Role::time))
    return scalar;
  const VirtualData v = model_.virtual_change(scalar);
  mention(v);
  return scalar + Quantity(v.symbols[0], scalar.dimension());
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

Displaced make_displaced(const Value& law, const NamedPlaces& places) {
  Displaced displaced{.virtuals = places.displacements()};
  if (const Vector* v = std::get_if<Vector>(&law)) displaced.vector = *v;
  if (const Quantity* q = std::get_if<Quantity>(&law)) displaced.scalar = places.in_pool(*q);
  return displaced;
}

}  // namespace visviva
