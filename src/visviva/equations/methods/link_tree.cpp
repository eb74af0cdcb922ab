#include "visviva/equations/methods/link_tree.h"

#include <algorithm>
#include <map>

#include "visviva/base/sequence.h"
#include "visviva/equations/methods/moving_trees.h"
#include "visviva/kinematics/motion_engine.h"

namespace visviva {
namespace {

class LinkFinder {
 public:
  explicit LinkFinder(const Kinematics& motion)
      : motion_(motion),
        model_(motion.model()),
        engine_(engine_of(motion)),
        pool_(*model_.pool),
        trees_(motion) {}

  std::optional<LinkTree> find() {
    for (const RigidGroup& group : trees_.groups())
      if (!add_body(group)) return {};
    result_.ground = zero_column(pool_);
    if (model_.gravity) result_.ground = -motion_.resolve(*model_.gravity).in(Frame(model_, 0));
    result_.loads.assign(motion_.speeds().size(), pool_.zero());
    const std::vector<Expr> placed = trees_.project(trees_.collect_loads_alone(&result_.loads));
    for (std::size_t r = 0; r < placed.size(); ++r) result_.loads[r] += placed[r];
    return std::move(result_);
  }

 private:
  // A place fixed to a link (-1: the ground), its columns in the link's frame.
  struct Place {
    int link;
    Column3 offset;
  };

  int frame_of(int link) const { return link < 0 ? 0 : result_.links[link].frame; }

  std::optional<Place> find_point(int Q) {
    if (const auto known = places_.find(Q); known != places_.end()) return known->second;
    const PointData& point = model_.points[Q];
    std::optional<Place> place = Place{-1, zero_column(pool_)};
    if (point.parent >= 0) place = find_point(point.parent);
    std::vector<const Vector::Part*> parts;
    for (const Vector::Part& part : point.offset.parts()) parts.push_back(&part);
    std::stable_sort(parts.begin(), parts.end(), [&](const auto* a, const auto* b) {
      return depth(a->frame) < depth(b->frame);
    });
    for (const Vector::Part* part : parts) {
      if (place) place = descend(*place, trees_.rigid_root(part->frame));
      if (place) place = move_along(*place, *part);
    }
    places_.emplace(Q, place);
    return place;
  }

  int depth(int frame) const { return model_.frames[trees_.rigid_root(frame)].depth; }

  // The same place in a frame that turns with its link: a link for each frame that turns in between.
  std::optional<Place> descend(Place place, int frame) {
    std::vector<int> path;
    for (int F = frame; F != frame_of(place.link); F = trees_.rigid_root(model_.frames[F].parent)) {
      if (F == 0) return {};
      path.push_back(F);
    }
    for (auto F = path.rbegin(); F != path.rend(); ++F)
      place = {turn_about(place, *F), zero_column(pool_)};
    return place;
  }

  int turn_about(const Place& place, int F) {
    for (std::size_t i = 0; i < result_.links.size(); ++i) {
      const Link& link = result_.links[i];
      if (link.turns && link.parent == place.link && link.frame == F && link.offset == place.offset)
        return to_int(i);
    }
    Link link = make_link(place, F, place.offset);
    link.turns = true;
    link.R = trees_.rotation(frame_of(place.link), F);
    const FrameData& frame = model_.frames[F];
    if (frame.hidden.size() == 4) link.quaternion = frame.hidden;
    if (frame.orientation.kind == Orientation::Kind::quaternion)
      for (const Quantity& e : frame.orientation.parameters)
        link.quaternion.push_back(motion_.resolve(e).expr(pool_));
    const VectorMotion& spin = engine_.local_spin(F);
    link.rate = trees_.turn(F, spin.frame, spin.remainder);
    for (const auto& [r, column] : spin.coefficients)
      add_entry(&link, r, trees_.turn(F, spin.frame, column));
    finish(&link);
    return add(std::move(link));
  }

  std::optional<Place> move_along(Place place, const Vector::Part& part) {
    const int F = frame_of(place.link);
    const Column3 end = place.offset + trees_.turn(F, part.frame, part.column);
    if (trees_.is_constant(end)) return Place{place.link, end};
    for (std::size_t i = 0; i < result_.links.size(); ++i) {
      const Link& link = result_.links[i];
      if (!link.turns && link.parent == place.link && link.offset == end)
        return Place{to_int(i), zero_column(pool_)};
    }
    Link link = make_link(place, F, end);
    const VectorMotion rate =
        stack({engine_.rate_of(end[0]), engine_.rate_of(end[1]), engine_.rate_of(end[2])}, F);
    link.rate = rate.remainder;
    for (const auto& [r, column] : rate.coefficients) add_entry(&link, r, column);
    finish(&link);
    return Place{add(std::move(link)), zero_column(pool_)};
  }

  Link make_link(const Place& place, int frame, const Column3& offset) const {
    Link link;
    link.parent = place.link;
    link.frame = frame;
    link.offset = offset;
    link.mass = pool_.zero();
    link.h = zero_column(pool_);
    link.S = zero_matrix(pool_);
    return link;
  }

  void add_entry(Link* link, int r, const Column3& column) const {
    link->entries.emplace_back(r, column);
    link->rate = link->rate + motion_.speeds()[r].u * column;
  }

  void finish(Link* link) const {
    for (std::size_t i = 0; i < 3; ++i) link->second[i] = engine_.time_derivative(link->rate[i]);
  }

  int add(Link link) {
    result_.links.push_back(std::move(link));
    return to_int(result_.links.size()) - 1;
  }

  bool add_body(const RigidGroup& group) {
    std::optional<Place> place = find_point(group.point);
    if (place && group.frame >= 0) place = descend(*place, trees_.rigid_root(group.frame));
    if (!place) return false;
    if (place->link < 0) return true;  // at rest
    Link& link = result_.links[place->link];
    Column3 h = zero_column(pool_);
    Matrix3 S = zero_matrix(pool_);
    if (group.frame >= 0) {
      h = trees_.turn(link.frame, group.frame, group.h);
      S = group.frame == link.frame
              ? group.S
              : turn_inertia(trees_.rotation(link.frame, group.frame), group.S);
    }
    const Column3& p = place->offset;
    link.S = link.S + S + outer(h, p) + outer(p, h + group.mass * p);
    link.h = link.h + h + group.mass * p;
    link.mass += group.mass;
    return true;
  }

  const Kinematics& motion_;
  const ModelData& model_;
  MotionEngine& engine_;
  ExprPool& pool_;
  const MovingTrees trees_;
  LinkTree result_;
  std::map<int, std::optional<Place>> places_;
};

}  // namespace

std::optional<LinkTree> find_links(const Kinematics& motion) { return LinkFinder(motion).find(); }

}  // namespace visviva
