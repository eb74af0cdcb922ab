// The scene of a model, from its points, frames, bodies and forces.
#include "visviva/report/page/scene.h"

#include <algorithm>
#include <cmath>

#include "visviva/equations/state/solve.h"
#include "visviva/report/derivation/derivation_outline.h"
#include "visviva/report/page/scene_parts.h"
#include "visviva/report/page/scene_solids.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Kind = SceneObject::Kind;

constexpr double disc_thickness = 0.06, bar_thickness = 0.06;

class SceneMaker {
 public:
  SceneMaker(const Equations& equations, const ConsistentStart& start)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        causes_(motion_),
        start_(make_state(motion_, start)),
        pictured_(model_),
        roots_(list_roots(model_)) {}

  Scene make() {
    scene_.title = model_.name;
    find_up();
    add_points();
    add_frames();
    add_links(motion_, causes_, &scene_);
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) add_body(static_cast<int>(b));
    add_pictures(model_, start_, causes_, &scene_);
    add_profiles(motion_, &scene_);
    for (const SpringData& spring : model_.springs) add_spring(spring);
    for (const ConstraintData& constraint : model_.constraints) add_roll(constraint);
    add_arrows(equations_, causes_, &scene_);
    return std::move(scene_);
  }

 private:
  std::vector<int> list_causes(Cause::Kind kind, const std::string& name) const {
    const std::optional<int> cause = causes_.find(kind, name);
    return cause ? std::vector<int>{*cause} : std::vector<int>{};
  }

  void find_up() {
    if (!model_.gravity || model_.gravity->is_zero()) return;
    const Column3 g = motion_.resolve(*model_.gravity).in(Frame(model_, 0));
    std::array<double, 3> v{};
    for (std::size_t i = 0; i < 3; ++i) v[i] = value_or_nan(start_, g[i]);
    const double size = std::hypot(v[0], v[1], v[2]);
    if (!std::isfinite(size) || size == 0) return;
    scene_.has_gravity = true;
    for (std::size_t i = 0; i < 3; ++i) scene_.up[i] = v[i] == 0 ? 0.0 : -v[i] / size;
  }

  void add_points() {
    const Frame N(model_, 0);
    const Point No(model_, 0);
    for (std::size_t i = 0; i < model_.points.size(); ++i) {
      const PointData& data = model_.points[i];
      const Vector p = Point(model_, static_cast<int>(i)) - No;
      const Column3 c = p.model() == nullptr ? zero_column(*model_.pool) : p.in(N);
      scene_.points.push_back({data.name, data.source.span.line,
                               add_column(&scene_, "point(" + std::to_string(i) + ")", c)});
    }
    for (const BodyData& body : model_.bodies)
      if (body.line < 0) scene_.points[body.point].is_center = true;
  }

  void add_frames() {
    for (std::size_t i = 0; i < model_.frames.size(); ++i) {
      const FrameData& data = model_.frames[i];
      scene_.frames.push_back({data.name, data.source.span.line, find_origin(static_cast<int>(i)),
                               i == 0 ? -1 : data.parent});
      if (i == 0) continue;
      const Matrix3 R = model_.rotation(0, static_cast<int>(i));
      const auto axis = [&](std::size_t k) { return Column3{R[0][k], R[1][k], R[2][k]}; };
      const std::string name = "axis(" + std::to_string(i) + ", ";
      scene_.frames.back().x_column = add_column(&scene_, name + "x)", axis(0));
      scene_.frames.back().y_column = add_column(&scene_, name + "y)", axis(1));
    }
  }

  // Its body's mass center, else where something begins that is described by it.
  int find_origin(int frame) const {
    if (frame == 0) return 0;
    if (model_.frames[frame].body >= 0) return model_.frame_origin(frame);
    for (const PointData& P : model_.points) {
      for (const Vector::Part& part : P.offset.parts())
        if (part.frame == frame) return P.parent;
    }
    const int parent = model_.frames[frame].parent;
    return parent <= 0 ? 0 : scene_.frames[parent].origin;
  }

  void add_body(int index) {
    const BodyData& body = model_.bodies[std::size_t(index)];
    if (body.line >= 0) return;  // the line is drawn
    SceneObject object{Kind::particle, body.name, list_causes(Cause::Kind::body, body.name)};
    if (const auto weight = causes_.find_weight(index)) object.cause.push_back(*weight);
    object.point = body.point;
    object.frame = body.frame;
    if (body.frame >= 0) set_shape(body, start_, &object);
    if (object.is_standin && pictured_.contains(body.frame)) return;
    if (object.is_standin) stand_in(body, &object);
    scene_.objects.push_back(std::move(object));
  }

  // A body without a shape is drawn between its joints, with a dot at its mass center; else as what has its inertia:
  // a wheel on a fixed axle, a bar that turns in a plane, an ellipsoid.
  void stand_in(const BodyData& body, SceneObject* object) {
    if (mark_bars(body)) {
      object->kind = Kind::sphere;
      object->sizes = {};
      return;
    }
    const std::optional<std::size_t> axis = plane_axis(body.frame);
    if (!axis) return;
    const double mass = value_or_nan(start_, body.mass);
    const double inertia = value_or_nan(start_, body.inertia[*axis][*axis]);
    const double square = inertia / mass;
    if (!(square > 0) || !std::isfinite(square)) return;
    object->turn = {1, 0, 0, 0};
    object->axis = "xyz"[*axis];
    if (is_fixed_in_N(body.point)) {
      object->kind = Kind::disc;
      const double radius = std::sqrt(2 * square);  // of a disc of this inertia
      object->sizes = {radius, disc_thickness * radius, 0};
      return;
    }
    object->kind = Kind::box;
    const double length = std::sqrt(12 * square);  // of a bar of this inertia
    object->sizes.fill(bar_thickness * length);
    object->sizes[*axis == 0 ? 1 : 0] = length;
  }

  // Links that are a part of the body become its bars; false where there are none.
  bool mark_bars(const BodyData& body) {
    bool is_found = false;
    for (SceneObject& link : scene_.objects) {
      const bool is_part = link.kind == Kind::link && link.frame > 0 && link.is_fixed_length &&
                           roots_[std::size_t(link.frame)] == roots_[std::size_t(body.frame)];
      if (!is_part) continue;
      is_found = true;
      link.bar_of = body.name;
      if (link.cause.empty()) link.cause = list_causes(Cause::Kind::body, body.name);
    }
    return is_found;
  }

  // The axis about which a frame turns in N, where it is always the same one of both.
  std::optional<std::size_t> plane_axis(int frame) const {
    std::optional<std::size_t> axis;
    for (int f = frame; f > 0; f = model_.frames[std::size_t(f)].parent) {
      const Orientation& o = model_.frames[std::size_t(f)].orientation;
      if (o.kind != Orientation::Kind::simple || o.axis.parts().size() != 1) return {};
      const Column3& n = o.axis.parts()[0].column;
      for (std::size_t k = 0; k < 3; ++k) {
        if (n[k].is_zero()) continue;
        if (axis && *axis != k) return {};
        axis = k;
      }
    }
    return axis;
  }

  // Where its place contains nothing that moves.
  bool is_fixed_in_N(int point) const {
    const Vector p = Point(model_, point) - Point(model_, 0);
    if (p.model() == nullptr) return true;
    const Column3 c = p.in(Frame(model_, 0));
    return std::all_of(c.begin(), c.end(),
                       [&](const Expr& e) { return has_only_parameters(model_, e); });
  }

  void add_spring(const SpringData& spring) {
    if (spring.from < 0 || spring.to < 0) return;
    SceneObject object{spring.is_damper ? Kind::damper : Kind::spring, spring.name,
                       list_causes(Cause::Kind::load, spring.name)};
    object.from = spring.from;
    object.to = spring.to;
    if (spring.rest.valid()) {
      const double rest =
          value_or_nan(start_, motion_.resolve(Quantity(spring.rest, Dimension())).expr(pool()));
      if (std::isfinite(rest)) object.rest = rest;
    }
    scene_.objects.push_back(std::move(object));
  }

  void add_roll(const ConstraintData& constraint) {
    if (constraint.kind != ConstraintData::Kind::roll || constraint.point < 0) return;
    SceneObject object{Kind::roll, constraint.name,
                       list_causes(Cause::Kind::constraint, constraint.name)};
    object.frame = constraint.body;
    object.on = constraint.on;
    object.point = constraint.point;
    scene_.objects.push_back(std::move(object));
  }

  ExprPool& pool() const { return *model_.pool; }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  const Causes causes_;
  const StartState start_;
  const PicturedFrames pictured_;
  const std::vector<int> roots_;
  Scene scene_;
};

}  // namespace

std::string add_column(Scene* scene, const std::string& name, const Column3& components) {
  scene->outputs.push_back(
      {"scene." + name, std::vector<Expr>(components.begin(), components.end())});
  return scene->outputs.back().name;
}

Scene make_scene(const Equations& equations, const ConsistentStart& start) {
  Workspace work(equations.pool());
  Scene scene = SceneMaker(equations, start).make();
  scene.pool = work.finish();
  for (ExtraOutput& output : scene.outputs) output.pool = scene.pool;
  return scene;
}

}  // namespace visviva
