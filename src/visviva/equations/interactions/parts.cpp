#include "visviva/equations/interactions/parts.h"

#include <algorithm>

#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

// A vector without its dimension, to add forces to slopes.
Vector without_dimension(const ModelData& model, const Vector& v) {
  return {model, v.parts(), Dimension()};
}

bool is_beyond(const ModelData& model, int point, int P) {
  for (; point >= 0; point = model.points[point].parent) {
    if (point == P) return true;
  }
  return false;
}

}  // namespace

int PartTable::add(const Part& part) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].kind == part.kind && parts_[i].name == part.name) return static_cast<int>(i);
  }
  parts_.push_back(part);
  return size() - 1;
}

int PartTable::of_frame(int frame) {
  const auto known = by_frame_.find(frame);
  if (known != by_frame_.end()) return known->second;
  const Workspace work = Workspace::continued(*motion_.pool());
  int F = frame;
  const auto is_still = [&](int f) {
    const VectorMotion& spin = engine_of(motion_).local_spin(f);
    return spin.coefficients.empty() && is_zero(spin.remainder);
  };
  while (F > 0 && model_.frames[F].body < 0 && is_still(F)) F = model_.frames[F].parent;
  const FrameData& data = model_.frames[F];
  const int part = F == 0 ? add({Part::Kind::ground, data.name, 0, 0})
                   : data.body >= 0
                       ? add({Part::Kind::body, data.name, F, model_.bodies[data.body].point})
                       : add({Part::Kind::frame, data.name, F, find_origin(F)});
  by_frame_.emplace(frame, part);
  return part;
}

int PartTable::of_point(int point) {
  const auto known = by_point_.find(point);
  if (known != by_point_.end()) return known->second;
  const Workspace work = Workspace::continued(*motion_.pool());
  const int part = find_part_of_point(point);
  by_point_.emplace(point, part);
  return part;
}

int PartTable::find_part_of_point(int point) {
  for (const BodyData& body : model_.bodies) {
    if (body.point != point) continue;
    return body.frame >= 0 ? of_frame(body.frame)
                           : add({Part::Kind::particle, body.name, -1, point});
  }
  if (is_on_ground(motion_, point)) return of_frame(0);
  for (const BodyData& body : model_.bodies) {
    if ((Point(model_, body.point) - Point(model_, point)).is_zero()) return of_point(body.point);
  }
  const int writing = find_writing_part(point);
  if (writing >= 0 && moves_with(point, writing)) return writing;
  // A point of a body that is written in another way; what hangs on the point does not carry it.
  for (const BodyData& body : model_.bodies) {
    if (body.frame < 0 || is_beyond(model_, body.point, point)) continue;
    const int part = of_frame(body.frame);
    if (moves_with(point, part)) return part;
  }
  return add({Part::Kind::point, model_.points[point].name, -1, point});
}

// The body or frame in which the offset from the parent is written with constant components; -1 when there is none.
int PartTable::find_writing_part(int point) {
  const PointData& data = model_.points[point];
  if (data.parent < 0 || data.offset.is_zero() || !is_constant(data.offset)) return -1;
  const int part = of_frame(data.home_frame);
  return parts_[part].is_ground() ? -1 : part;
}

bool PartTable::is_constant(const Vector& offset) {
  for (const Vector::Part& part : offset.parts()) {
    for (const Expr& e : part.column) {
      const ScalarMotion rate = engine_of(motion_).rate_of(e);
      if (!rate.coefficients.empty() || !rate.remainder.is_zero()) return false;
    }
  }
  return true;
}

// v_P = v_O + w x (P - O), O the part's point.
bool PartTable::moves_with(int point, int part) {
  const Point P(model_, point), O(model_, parts_[part].point);
  const Vector w =
      without_dimension(model_, motion_.angular_velocity(Frame(model_, parts_[part].frame)));
  const Vector carried =
      without_dimension(model_, motion_.velocity(O)) + cross(w, without_dimension(model_, P - O));
  return without_dimension(model_, motion_.velocity(P)) == without_dimension(model_, carried);
}

// Where the first point that is written in the frame starts from; No when there is none.
int PartTable::find_origin(int frame) {
  const auto is_written_here = [&](const PointData& p) {
    return p.parent >= 0 && p.home_frame == frame && !p.offset.is_zero() && is_constant(p.offset);
  };
  const auto first = std::find_if(model_.points.begin(), model_.points.end(), is_written_here);
  if (first == model_.points.end()) return 0;
  int origin = first->parent;
  while (is_written_here(model_.points[origin])) origin = model_.points[origin].parent;
  return origin;
}

int PartTable::find(const std::string& name) {
  for (const BodyData& body : model_.bodies) {
    if (body.name == name) return of_point(body.point);
  }
  for (std::size_t F = 0; F < model_.frames.size(); ++F) {
    if (model_.frames[F].name == name) return of_frame(static_cast<int>(F));
  }
  for (std::size_t P = 0; P < model_.points.size(); ++P) {
    if (model_.points[P].name == name) return of_point(static_cast<int>(P));
  }
  return -1;
}

std::vector<PartAction> PartTable::gather(const Place& place) {
  std::vector<PartAction> all;
  const auto on = [&](int part) -> PartAction& {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const PartAction& a) { return a.part == part; });
    if (found != all.end()) return *found;
    const Vector zero(model_, {}, Dimension());
    return all.emplace_back(PartAction{part, zero, zero});
  };
  for (const auto& [point, force] : place.forces) {
    const int part = of_point(point);
    PartAction& action = on(part);
    const Vector F = without_dimension(model_, force);
    action.force = action.force + F;
    const Point O(model_, parts_[part].point);
    if (parts_[part].point != point)
      action.moment = action.moment + cross(without_dimension(model_, Point(model_, point) - O), F);
  }
  for (const auto& [frame, torque] : place.torques) {
    PartAction& action = on(of_frame(frame));
    action.moment = action.moment + without_dimension(model_, torque);
  }
  return all;
}

}  // namespace visviva
