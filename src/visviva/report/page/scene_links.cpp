// Links of a scene: rods and lines that stand for the offsets by which a model places its points.
//
// An offset d of a point from its parent is a rod where its length never changes,
//   d/dt (d · d) = 0                                                                            (1)
// proved, not measured; a line along which something slides where it has one direction; else it is
// taken apart by frames, with corners between, where each part is one of these.
#include <algorithm>
#include <limits>

#include "visviva/model/field_values.h"
#include "visviva/report/derivation/derivation_outline.h"
#include "visviva/report/page/scene_parts.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using Kind = SceneObject::Kind;

// Pairs of points are tried for (1) in models with no more points.
constexpr std::size_t few_points = 14;

class LinkMaker {
 public:
  LinkMaker(const Kinematics& motion, const Causes& causes, Scene* scene)
      : motion_(motion),
        model_(motion.model()),
        causes_(causes),
        scene_(*scene),
        pictured_(model_),
        on_ground_(model_.points.size(), false),
        on_line_(model_.points.size(), false) {}

  void add_all() {
    on_ground_[0] = true;
    for (const LineData& line : model_.lines) add_line(line);
    for (std::size_t P = 1; P < model_.points.size(); ++P)
      if (!on_line_[P]) add_offset(static_cast<int>(P));
    for (const ConstraintData& c : model_.constraints) add_held_length(c);
    if (model_.points.size() <= few_points) add_closing_rods();
  }

 private:
  enum class Shape { none, rod, line };

  // (1)
  bool is_rigid(const Vector& d) const {
    const ScalarMotion rate = motion_.rate_of(dot(d, d).expr(*model_.pool));
    return rate.coefficients.empty() && rate.remainder.is_zero();
  }

  Shape shape_of(const Vector& d) const {
    if (is_rigid(d)) return Shape::rod;
    if (d.parts().size() != 1) return Shape::none;
    const Column3& c = d.parts()[0].column;
    const auto zeros = std::count_if(c.begin(), c.end(), [](const Expr& e) { return e.is_zero(); });
    return zeros == 2 ? Shape::line : Shape::none;
  }

  bool is_fixed_in_its_frame(const Vector& d) const {
    if (d.parts().size() != 1) return false;
    const Column3& c = d.parts()[0].column;
    return std::all_of(c.begin(), c.end(),
                       [&](const Expr& e) { return has_only_parameters(model_, e); });
  }

  // A part that has a picture needs no rod.
  bool is_pictured(const Vector& d) const {
    return is_fixed_in_its_frame(d) && pictured_.contains(d.parts()[0].frame);
  }

  bool is_fixed_in_N(const Vector& d) const {
    return d.parts().empty() || (d.parts()[0].frame == 0 && is_fixed_in_its_frame(d));
  }

  // From place to place; what was named on it later is somewhere between.
  void add_line(const LineData& line) {
    double before = -std::numeric_limits<double>::infinity();
    int from = -1;
    bool goes_on = true;
    for (std::size_t i = 0; i < line.points.size(); ++i) {
      const int to = line.points[i];
      on_line_[static_cast<std::size_t>(to)] = true;
      scene_.points[static_cast<std::size_t>(to)].is_within = true;
      scene_.points[static_cast<std::size_t>(to)].name.clear();
      const double place = find_constant(model_, line.places[i]).value_or(before);
      goes_on = goes_on && place > before;
      if (!goes_on) continue;
      if (from >= 0) {
        SceneObject link{Kind::link, "", {}};
        link.from = from;
        link.to = to;
        link.is_fixed_length = true;  // drawn as one piece, whatever it stretches
        scene_.objects.push_back(std::move(link));
      }
      before = place;
      from = to;
    }
  }

  void add_offset(int P) {
    const PointData& data = model_.points[P];
    const bool is_ground_before = on_ground_[data.parent];
    on_ground_[P] = is_ground_before && is_fixed_in_N(data.offset);
    if (data.offset.is_zero() || is_pictured(data.offset)) return;
    std::vector<Vector> steps = {data.offset};
    if (shape_of(data.offset) == Shape::none) {
      steps.clear();
      for (const Vector::Part& part : data.offset.parts())
        steps.push_back(Vector(model_, {part}, data.offset.dimension()));
      const bool is_drawn = std::all_of(steps.begin(), steps.end(), [&](const Vector& step) {
        return shape_of(step) != Shape::none;
      });
      if (!is_drawn || steps.size() < 2) return;
    }
    add_steps(P, steps);
  }

  void add_steps(int P, const std::vector<Vector>& steps) {
    const Point parent(model_, model_.points[P].parent);
    int from = parent.index();
    bool is_ground = on_ground_[from];
    Vector p = parent - Point(model_, 0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool is_last = i + 1 == steps.size();
      p = p + steps[i];
      const int to = is_last ? P : add_corner(p, model_.points[P].source.span.line);
      is_ground = is_ground && is_fixed_in_N(steps[i]);
      SceneObject link{Kind::link, "", list_causes(P, steps[i])};
      link.from = from;
      link.to = to;
      link.is_fixed_length = shape_of(steps[i]) == Shape::rod;
      link.is_ground = is_ground;
      if (is_fixed_in_its_frame(steps[i])) link.frame = steps[i].parts()[0].frame;
      scene_.objects.push_back(std::move(link));
      from = to;
    }
  }

  int add_corner(const Vector& p, int line) {
    const std::string name = "point(" + std::to_string(scene_.points.size()) + ")";
    scene_.points.push_back({"", line, add_column(&scene_, name, p.in(Frame(model_, 0)))});
    return static_cast<int>(scene_.points.size()) - 1;
  }

  // The body that sits at its end, and the motors that move it.
  std::vector<int> list_causes(int P, const Vector& step) const {
    std::vector<int> all;
    for (const BodyData& body : model_.bodies) {
      if (body.point != P) continue;
      if (const auto cause = causes_.find(Cause::Kind::body, body.name)) all.push_back(*cause);
    }
    for (const SpecifiedData& s : model_.specified) {
      const bool is_moved =
          std::any_of(step.parts().begin(), step.parts().end(), [&](const Vector::Part& part) {
            return std::any_of(part.column.begin(), part.column.end(),
                               [&](const Expr& e) { return depends_on(e, s.derivatives[0]); });
          });
      if (!is_moved) continue;
      if (const auto cause = causes_.find(Cause::Kind::motor, s.name)) all.push_back(*cause);
    }
    return all;
  }

  // A scalar condition on two points: a rod if the run says that their distance does not change.
  void add_held_length(const ConstraintData& c) {
    if (c.kind != ConstraintData::Kind::configuration || !c.scalar.valid()) return;
    const std::vector<VirtualData>& ends = c.displaced.virtuals;
    const auto is_point = [](const VirtualData& v) { return v.kind == VirtualData::Kind::point; };
    if (ends.size() != 2 || !is_point(ends[0]) || !is_point(ends[1])) return;
    SceneObject link{Kind::link, c.name};
    if (const auto cause = causes_.find(Cause::Kind::constraint, c.name)) link.cause = {*cause};
    link.from = ends[0].index;
    link.to = ends[1].index;
    link.is_fixed_length = link.needs_check = true;
    scene_.objects.push_back(std::move(link));
  }

  // Rods that a model does not mention because its description keeps their length by itself, such as
  // the connecting rod of a slider: (1) holds between a particle and another moving point.
  void add_closing_rods() {
    for (const BodyData& body : model_.bodies) {
      if (body.frame >= 0) continue;
      for (std::size_t Q = 0; Q < model_.points.size(); ++Q) {
        const int other = static_cast<int>(Q);
        if (on_ground_[Q] || on_ground_[body.point] || is_linked(body.point, other)) continue;
        const Vector d = Point(model_, body.point) - Point(model_, other);
        if (d.is_zero() || is_fixed_in_its_frame(d) || !is_rigid(d)) continue;
        if (ends_there(other, body.point)) continue;
        SceneObject link{Kind::link, ""};
        link.from = other;
        link.to = body.point;
        link.is_fixed_length = true;
        scene_.objects.push_back(std::move(link));
      }
    }
  }

  // A link from P leads to the same place as Q.
  bool ends_there(int P, int Q) const {
    return std::any_of(scene_.objects.begin(), scene_.objects.end(), [&](const SceneObject& o) {
      return o.kind == Kind::link && o.from == P && o.to < std::ssize(model_.points) &&
             Point(model_, o.to) - Point(model_, Q) == Vector();
    });
  }

  bool is_linked(int P, int Q) const {
    return P == Q || model_.points[P].parent == Q || model_.points[Q].parent == P ||
           std::any_of(scene_.objects.begin(), scene_.objects.end(), [&](const SceneObject& o) {
             return (o.from == P && o.to == Q) || (o.from == Q && o.to == P);
           });
  }

  const Kinematics& motion_;
  const ModelData& model_;
  const Causes& causes_;
  Scene& scene_;
  const PicturedFrames pictured_;
  std::vector<bool> on_ground_;  // by point: stands still in N
  std::vector<bool> on_line_;    // by point: it is a place of a line
};

}  // namespace

void add_links(const Kinematics& motion, const Causes& causes, Scene* scene) {
  LinkMaker(motion, causes, scene).add_all();
}

}  // namespace visviva
