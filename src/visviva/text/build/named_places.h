// NamedPlaces: where a law acts and what it depends on, found while its text is read.
//
// It is read twice: as it stands, when points that a constraint or potential describes without naming
// them get names; and with everything it names displaced a little.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "visviva/text/build/name_table.h"

namespace visviva {

class NamedPlaces {
 public:
  explicit NamedPlaces(Model& model) : model_(model) {}

  /// Starts reading the text once more, displaced.
  void start_displacing() { is_displacing_ = true; }
  bool is_displacing() const { return is_displacing_; }
  /// The displacements of what the text names, in order of mention.
  const std::vector<VirtualData>& displacements() const { return displacements_; }

  /// A point as it is, or displaced.
  Position displace(const Point& P);
  /// An axis of A as it is, or turned with A.
  Vector displace(const Frame& A, const Vector& axis);
  /// A scalar as it is; a coordinate, a specified function or time a little changed.
  Quantity displace(const Quantity& scalar);

  /// The expression of a scalar, a literal one too.
  Expr in_pool(const Quantity& q) const { return q.expr(*model_.data().pool); }

  /// True when the operands of a sum before this one make a point that got a name.
  bool has_point(const Expression& sum, std::size_t operand) const;
  /// Gives the value made of the operands of a sum before this one a name, so that forces can act
  /// there: P + v is a point of what v is written in. What is no such point stays as it is.
  Value name_point(const Value& value, const Expression& sum, std::size_t operand);

 private:
  void mention(const VirtualData& displacement);

  Model& model_;
  bool is_displacing_ = false;
  std::vector<VirtualData> displacements_;
  /// The points that got names, by the sum and the operand at which they are complete.
  std::map<std::pair<const Expression*, std::size_t>, Point> points_;
};

/// The law as it was read displaced.
Displaced make_displaced(const Value& law, const NamedPlaces& places);

}  // namespace visviva
