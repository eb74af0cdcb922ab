// What rolling contacts and vector conditions carry in directions that the description keeps by itself.
//
// A roll has no row along an axis where the description leaves no relative velocity: of a wheel at No + x N.x + r N.y
// that is the vertical. Where nothing else can hold the wheel and all that hangs on it there, the contact carries
// their whole balance; otherwise nobody knows which part of it, and no reaction along that axis is determined at
// the points in between.
#include <algorithm>
#include <set>

#include "visviva/equations/reactions/reaction_parts.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

bool is_parameter(const ModelData& model, const Expr& symbol) {
  const SymbolRole* role = model.role(symbol);
  return role != nullptr && role->role == Role::parameter;
}

bool is_constant(const ModelData& model, const Column3& column) {
  const std::vector<Expr> symbols = free_symbols({column[0], column[1], column[2]});
  return std::all_of(symbols.begin(), symbols.end(),
                     [&](const Expr& s) { return is_parameter(model, s); });
}

void take_speeds(const VectorMotion& v, std::set<int>* speeds) {
  for (const auto& [r, column] : v.coefficients) {
    if (!is_zero(column)) speeds->insert(r);
  }
}

}  // namespace

void ReactionParts::list_supports() {
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintData& roll = model.constraints[c];
    if (roll.kind != ConstraintData::Kind::roll) continue;
    Support support{static_cast<int>(c), false, {}, find_root(roll), roll.point};
    int frame = 0;
    std::array<bool, 3> has_row = {false, false, false};
    for (const ConstraintRow& row : equations.rows) {
      if (row.constraint != support.constraint) continue;
      has_row[row.component] = true;
      frame = row.frame;
    }
    const Frame F(model, frame);
    const std::array<Vector, 3> axes = {F.x(), F.y(), F.z()};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!has_row[i] && is_pulled(in_N(axes[i]), 0))
        support.axes.push_back(sheet.add(in_N(axes[i])));
    }
    if (support.axes.empty()) continue;
    support.is_only = is_only_support(support);
    supports.push_back(std::move(support));
  }
}

// From the mass center of the body that rolls towards the ground, as far as points are fixed in that body: what
// hangs there hangs on the body.
int ReactionParts::find_root(const ConstraintData& roll) const {
  const auto is_fixed = [&](const Vector::Part& part) {
    return part.frame == roll.body && is_constant(model, part.column);
  };
  int P = model.frame_origin(roll.body);
  while (P > 0 && model.points[P].parent > 0) {
    const std::vector<Vector::Part>& parts = model.points[P].offset.parts();
    if (!std::all_of(parts.begin(), parts.end(), is_fixed)) break;
    P = model.points[P].parent;
  }
  return P;
}

bool ReactionParts::is_only_support(const Support& support) const {
  const ConstraintData& roll = model.constraints[support.constraint];
  const int on = roll.on == 0 ? -1 : model.frames[roll.on].body;
  if (model.frames[roll.body].body < 0 || (roll.on != 0 && on < 0)) return false;
  if (on >= 0 && tree.hangs_on(model.bodies[on].point, support.root)) return false;
  if (shares_motion(support.root, on) || is_constrained(support) || is_driven(roll)) return false;
  // An arm of fixed length may hold the body as well as the contact does.
  return slides_along(roll) || (on < 0 && !is_pulled_across(support));
}

// Some body that does not hang on P moves with what does, by more than the motion of the body named.
bool ReactionParts::shares_motion(int P, int but_for) const {
  std::set<int> carried_speeds, other_speeds, allowed;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::set<int> speeds;
    take_speeds(engine_of(motion).velocity(bodies[b].point), &speeds);
    if (bodies[b].frame >= 0)
      take_speeds(engine_of(motion).angular_velocity(bodies[b].frame), &speeds);
    if (static_cast<int>(b) == but_for) allowed = speeds;
    (tree.hangs_on(bodies[b].point, P) ? carried_speeds : other_speeds).merge(speeds);
  }
  return std::any_of(carried_speeds.begin(), carried_speeds.end(),
                     [&](int r) { return other_speeds.count(r) != 0 && allowed.count(r) == 0; });
}

// Another condition than a lock holds what hangs on the root, or may.
bool ReactionParts::is_constrained(const Support& support) const {
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintData& other = model.constraints[c];
    if (static_cast<int>(c) == support.constraint || other.kind == ConstraintData::Kind::lock)
      continue;
    if (other.kind == ConstraintData::Kind::roll) {
      for (const int frame : {other.body, other.on}) {
        const int center = model.frame_origin(frame);
        if (center > 0 && tree.hangs_on(center, support.root)) return true;
      }
      continue;
    }
    if (first_row(static_cast<int>(c)) == nullptr) return true;
    for (const RowEntry& row : rows) {
      if (row.constraint != static_cast<int>(c)) continue;
      const auto acts_there = [&](const Action& a) { return is_beyond(a, support.root); };
      if (!row.is_placed || std::any_of(row.actions.begin(), row.actions.end(), acts_there))
        return true;
    }
  }
  return false;
}

// A motor, or a frame known by its angular velocity alone, moves what the body is given from.
bool ReactionParts::is_driven(const ConstraintData& roll) const {
  for (int P = model.frame_origin(roll.body); P > 0; P = model.points[P].parent) {
    if (!is_zero(engine_of(motion).velocity(P).remainder)) return true;
    for (const Vector::Part& part : model.points[P].offset.parts()) {
      for (int F = part.frame; F > 0; F = model.frames[F].parent) {
        if (model.frames[F].orientation.kind == Orientation::Kind::spin && F != roll.body)
          return true;
      }
    }
  }
  return false;
}

// A coordinate is a distance on the way to the body from the one that it rolls on, or from the ground.
bool ReactionParts::slides_along(const ConstraintData& roll) const {
  const int from = model.frame_origin(roll.on);
  for (int P = model.frame_origin(roll.body); P > 0 && P != from; P = model.points[P].parent) {
    for (const Vector::Part& part : model.points[P].offset.parts()) {
      if (!is_constant(model, part.column)) return true;
    }
  }
  return false;
}

// Along an axis across the line to the contact there is something to hold.
bool ReactionParts::is_pulled_across(const Support& support) const {
  const Column3 arm =
      sheet.column(positions[support.root]) - sheet.column(positions[support.contact]);
  return std::any_of(support.axes.begin(), support.axes.end(), [&](std::size_t place) {
    const Column3 axis = sheet.column(place);
    return dot(axis, arm).is_zero() && is_pulled(axis, support.root);
  });
}

// An acceleration, a load or a constraint of what hangs on P has a part along the axis.
bool ReactionParts::is_pulled(const Column3& axis, int P) const {
  const auto pulls = [&](std::size_t column) { return !dot(axis, sheet.column(column)).is_zero(); };
  const auto act = [&](const std::vector<Action>& actions) {
    return std::any_of(actions.begin(), actions.end(), [&](const Action& a) {
      return !a.is_torque && is_beyond(a, P) && pulls(a.column);
    });
  };
  for (const Body& body : bodies) {
    if (tree.hangs_on(body.point, P) && pulls(body.force)) return true;
  }
  return std::any_of(loads.begin(), loads.end(),
                     [&](const LoadEntry& load) { return act(load.actions); }) ||
         std::any_of(rows.begin(), rows.end(),
                     [&](const RowEntry& row) { return act(row.actions); });
}

// Something in the mechanism has a part that the force or torque could hold: along it, or about an axis across a force.
bool ReactionParts::is_strained(const Action& hold) const {
  const Column3 axis = sheet.column(hold.column);
  const int about = hold.is_torque ? std::max(carried[hold.place], 0) : hold.place;
  const auto turns = [&](const Column3& moment) {
    return hold.is_torque ? !dot(axis, moment).is_zero() : !is_zero(cross(axis, moment));
  };
  const auto strains = [&](std::size_t column, int place) {
    const Column3 force = sheet.column(column);
    const Column3 arm = sheet.column(positions[place]) - sheet.column(positions[about]);
    return (!hold.is_torque && !dot(axis, force).is_zero()) || turns(cross(arm, force));
  };
  const auto act = [&](const std::vector<Action>& actions) {
    return std::any_of(actions.begin(), actions.end(), [&](const Action& a) {
      return a.is_torque ? turns(sheet.column(a.column)) : strains(a.column, a.place);
    });
  };
  return std::any_of(bodies.begin(), bodies.end(),
                     [&](const Body& body) {
                       return strains(body.force, body.point) ||
                              (body.torque && turns(sheet.column(*body.torque)));
                     }) ||
         std::any_of(loads.begin(), loads.end(),
                     [&](const LoadEntry& load) { return act(load.actions); }) ||
         std::any_of(rows.begin(), rows.end(),
                     [&](const RowEntry& row) { return act(row.actions); });
}

int ReactionParts::count_support(const Support& support, int P) const {
  const int on = model.frame_origin(model.constraints[support.constraint].on);
  const bool is_on_beyond = on > 0 && tree.hangs_on(on, P);
  const int body = model.frame_origin(model.constraints[support.constraint].body);
  return (tree.hangs_on(body, P) ? 1 : 0) - (is_on_beyond ? 1 : 0);
}

}  // namespace visviva
