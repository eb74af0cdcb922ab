// PartTable: what forces act on in a mechanism: bodies, particles, the ground, and frames and points without mass.
//
// A point belongs to the body whose mass center it is, to the ground when it does not move, to the body or frame in
// which its position is written with constant components; any other point is a part of its own, such as a slider
// without mass. A frame without mass that does not turn in its parent belongs to the parent's part.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "visviva/equations/loads/places.h"

namespace visviva {

struct Part {
  enum class Kind { ground, body, particle, frame, point };
  Kind kind;
  std::string name;
  int frame = -1;  ///< of a body or frame, 0 of the ground
  int point = 0;   ///< that moments are about: the mass center, a frame's origin, No

  bool is_ground() const { return kind == Kind::ground; }
  bool takes_moments() const { return kind != Kind::particle && kind != Kind::point; }
};

/// Force and moment on a part, the moment about its point.
struct PartAction {
  int part;  ///< in the table
  Vector force, moment;
};

class PartTable {
 public:
  explicit PartTable(const Kinematics& motion) : motion_(motion), model_(motion.model()) {}

  const Part& operator[](int part) const { return parts_[part]; }
  int size() const { return static_cast<int>(parts_.size()); }
  /// The part that a point or a frame of the model belongs to.
  int of_point(int point);
  int of_frame(int frame);
  /// The part of that name: a body or particle, then a frame, then a point; -1 when nothing is called so.
  int find(const std::string& name);

  /// Forces and torques added up by part, in their order.
  std::vector<PartAction> gather(const Place& place);

 private:
  int add(const Part& part);
  int find_part_of_point(int point);
  int find_writing_part(int point);
  bool is_constant(const Vector& offset);
  bool moves_with(int point, int part);
  int find_origin(int frame);

  const Kinematics& motion_;
  const ModelData& model_;
  std::vector<Part> parts_;
  std::unordered_map<int, int> by_point_, by_frame_;
};

}  // namespace visviva
