#include "visviva/equations/interactions/interaction_maker.h"

#include <algorithm>

#include "visviva/base/sequence.h"
#include "visviva/equations/interactions/invariance.h"
#include "visviva/equations/interactions/open_results.h"
#include "visviva/equations/loads/line_pieces.h"
#include "visviva/equations/loads/place_loads.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

Interaction::Kind kind_of(Load::Kind kind) {
  switch (kind) {
    case Load::Kind::gravity:
      return Interaction::Kind::gravity;
    case Load::Kind::force:
      return Interaction::Kind::force;
    case Load::Kind::torque:
      return Interaction::Kind::torque;
    case Load::Kind::spring:
      return Interaction::Kind::spring;
    case Load::Kind::damper:
      return Interaction::Kind::damper;
    case Load::Kind::potential:
      return Interaction::Kind::potential;
    case Load::Kind::dissipation:
      break;
  }
  return Interaction::Kind::dissipation;
}

class InteractionMaker {
 public:
  InteractionMaker(const Equations& equations, PartTable& parts)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        pool_(*model_.pool),
        parts_(parts),
        held_(motion_),
        open_(list_open_results(equations)) {}

  std::vector<Interaction> make() {
    const std::vector<Load> loads = place_loads(motion_, collect_written_loads(motion_));
    if (model_.gravity) add_gravity(loads);
    for (const Load& load : loads) {
      if (load.kind != Load::Kind::gravity) add_load(load);
    }
    for (std::size_t c = 0; c < model_.constraints.size(); ++c) add_constraint(static_cast<int>(c));
    for (std::size_t x = 0; x < model_.specified.size(); ++x) add_motor(static_cast<int>(x));
    return std::move(list_);
  }

 private:
  Vector bare_vector(int frame, const Column3& c) const {
    return Vector(model_, {{frame, c}}, Dimension());
  }

  // ---- Loads

  // Uniform gravity is a field that the ground carries: W = -sum m g · (x - No), where g turns with the frames in which it
  // is written.
  void add_gravity(const std::vector<Load>& loads) {
    Interaction i{Interaction::Kind::gravity, 0, "gravity", model_.gravity_source};
    Displaced W = model_.gravity_displaced;
    const Vector g = W.vector.model() != nullptr ? W.vector : *model_.gravity;
    W.vector = Vector();
    W.scalar = pool_.zero();
    const VirtualData ground = displace_point(0);
    W.virtuals.push_back(ground);
    Place place;
    for (const Load& load : loads) {
      if (load.kind != Load::Kind::gravity) continue;
      append(&place.forces, load.forces);
      for (const int index : list_weighed(model_, load.index)) {
        const BodyData& body = model_.bodies[static_cast<std::size_t>(index)];
        W.virtuals.push_back(displace_point(body.point));
        const Column3 arm = displaced_position(W.virtuals.back()) - displaced_position(ground);
        W.scalar -= body.mass * dot(resolve(g).in(Frame(model_, 0)), arm);
      }
    }
    // The ground's share.
    for (const VirtualSlope& s : compute_virtual_slopes(pool_, W.scalar, W.virtuals)) {
      const Vector action = bare_vector(0, s.values.size() == 3 ? -s.column() : zero_column(pool_));
      if (s.of->kind == VirtualData::Kind::point && s.of->index == 0)
        place.forces.emplace_back(0, action);
      if (s.of->kind == VirtualData::Kind::frame) place.torques.emplace_back(s.of->index, action);
    }
    if (model_.gravity_displaced.virtuals.empty()) turn_gravity(loads, &place);
    i.actions = parts_.gather(place);
    add_explicit_power(W, &i);
    finish(std::move(i), {.kind = InteractionLaw::Kind::function, .displaced = &W});
  }

  // The moments on the frames in which the vector is written, where its text is not known.
  void turn_gravity(const std::vector<Load>& loads, Place* place) {
    for (const Load& load : loads) {
      if (load.kind != Load::Kind::gravity) continue;
      for (const auto& [point, force] : load.forces) {
        const Vector arm = Point(model_, point) - Point(model_, 0);
        for (const Vector::Part& part : force.parts())
          place->torques.emplace_back(part.frame, cross(bare_vector(part.frame, part.column),
                                                        Vector(model_, arm.parts(), Dimension())));
      }
    }
  }

  Vector resolve(const Vector& v) const {
    return Vector(model_, motion_.resolve(v).parts(), Dimension());
  }

  // The displacement of a point, by the symbols that texts have for it.
  VirtualData displace_point(int P) const {
    VirtualData v{VirtualData::Kind::point, P, {}};
    for (const char axis : {'x', 'y', 'z'})
      v.symbols.push_back(pool_.symbol("displacement(" + model_.points[P].name + ")." + axis));
    return v;
  }

  Column3 displaced_position(const VirtualData& v) const {
    const Vector p = Point(model_, v.index) - Point(model_, 0);
    const Column3 at = p.model() == nullptr ? zero_column(pool_) : p.in(Frame(model_, 0));
    return at + Column3{v.symbols[0], v.symbols[1], v.symbols[2]};
  }

  // The square of the length of a spring or damper, displaced.
  Displaced displace_length(const SpringData& s) const {
    Displaced d;
    d.virtuals = {displace_point(s.from), displace_point(s.to)};
    const Column3 line = displaced_position(d.virtuals[1]) - displaced_position(d.virtuals[0]);
    d.scalar = dot(line, line);
    return d;
  }

  void add_explicit_power(const Displaced& W, Interaction* i) {
    i->time.explicit_names = find_explicit_time(motion_, W, DrivenRates::are_explicit);
    i->time.explicit_power = compute_explicit_power(motion_, W);
  }

  void add_load(const Load& load) {
    Interaction i{kind_of(load.kind), load.index, load.name, load.source};
    i.is_placed = load.generalized.empty();
    i.actions = parts_.gather({load.forces, load.torques});
    InteractionLaw law;
    Displaced length;
    switch (load.kind) {
      case Load::Kind::force:
      case Load::Kind::torque: {
        // A law per length is the same one at every place; at an end it may have nothing to act on.
        const std::vector<int> pieces = list_spread(model_, load.index, load.name);
        const ForceData& f = model_.forces[static_cast<std::size_t>(pieces[pieces.size() / 2])];
        i.is_one_sided = f.from_point < 0 && f.from_frame < 0;
        law = {.kind = InteractionLaw::Kind::force, .displaced = &f.displaced};
        break;
      }
      case Load::Kind::potential:
        law = {.kind = InteractionLaw::Kind::function,
               .displaced = &model_.energies[load.index].displaced};
        break;
      case Load::Kind::dissipation:
        law = {.kind = InteractionLaw::Kind::form,
               .displaced = &model_.energies[load.index].displaced};
        break;
      default: {
        const SpringData& spring = model_.springs[load.index];
        if (!spring.on.valid()) {
          length = displace_length(spring);
          law = {.kind = InteractionLaw::Kind::function, .displaced = &length};
        }
        law.is_explicit_in_time = has_changing_constants(motion_, spring);
        if (load.kind == Load::Kind::spring && law.is_explicit_in_time)
          add_spring_power(motion_, spring, &i.time);
      }
    }
    if (load.kind == Load::Kind::potential) add_explicit_power(*law.displaced, &i);
    finish(std::move(i), law);
  }

  // ---- Constraints

  void add_constraint(int index) {
    const ConstraintData& c = model_.constraints[index];
    using Kind = ConstraintData::Kind;
    Interaction i{c.kind == Kind::roll   ? Interaction::Kind::roll
                  : c.kind == Kind::lock ? Interaction::Kind::lock
                                         : Interaction::Kind::constraint,
                  index, c.name, c.source};
    Place place;
    i.time.power = pool_.zero();
    for (const ConstraintRow& row : equations_.rows) {
      if (row.constraint != index) continue;
      const Expr lambda = name_multiplier(model_, row);
      i.time.power += lambda * held_.rate(row.velocity);
      const std::optional<Place> part = place_row(motion_, row);
      i.is_placed = i.is_placed && part.has_value();
      if (!part || c.kind == Kind::roll) continue;
      const Place scaled = scale_place(*part, lambda);
      append(&place.forces, scaled.forces);
      append(&place.torques, scaled.torques);
    }
    if (c.kind == Kind::roll) place = place_contact(c);
    i.actions = parts_.gather(place);
    InteractionLaw law{.displaced = &c.displaced};
    law.kind = c.kind == Kind::configuration ? InteractionLaw::Kind::function
               : c.kind == Kind::motion      ? InteractionLaw::Kind::form
               : c.kind == Kind::roll        ? InteractionLaw::Kind::place
                                             : InteractionLaw::Kind::given;
    if (c.kind == Kind::configuration && !c.scalar.valid()) {
      Column3 lambda = zero_column(pool_);  // a component that is always zero has no row
      for (const ConstraintRow& row : equations_.rows) {
        if (row.constraint == index)
          lambda[static_cast<std::size_t>(row.component)] = name_multiplier(model_, row);
      }
      law.vanishing_moment =
          cross(Vector(model_, c.vector.parts(), Dimension()), bare_vector(0, lambda));
    }
    i.time.explicit_names = find_explicit_time(motion_, c.displaced, DrivenRates::have_places);
    finish(std::move(i), law);
  }

  Place place_contact(const ConstraintData& c) const {
    const Vector force = name_contact_force(model_, c);
    Place place;
    const auto push = [&](int body, const Vector& F) {
      const int origin = body == 0 ? 0 : model_.frame_origin(body);
      const Vector arm = Point(model_, c.point) - Point(model_, origin);
      place.forces.emplace_back(origin, F);
      place.torques.emplace_back(body, cross(Vector(model_, arm.parts(), Dimension()), F));
    };
    push(c.body, force);
    push(c.on, -force);
    return place;
  }

  // ---- Motors

  void add_motor(int index) {
    const SpecifiedData& x = model_.specified[index];
    if (!moves_something(x)) return;
    Interaction i{Interaction::Kind::motor, index, x.name, x.source};
    const std::optional<Place> place = place_motor(motion_, index);
    i.is_placed = place.has_value();
    if (place)
      i.actions = parts_.gather(scale_place(*place, pool_.symbol("motor(" + x.name + ")")));
    finish(std::move(i), {});
  }

  bool moves_something(const SpecifiedData& x) {
    const auto enters = [&](const Column3& c) {
      return std::any_of(c.begin(), c.end(), [&](const Expr& e) {
        return depends_on(e, x.derivatives[0]) || depends_on(e, x.derivatives[1]);
      });
    };
    for (const BodyData& body : model_.bodies) {
      if (enters(engine_of(motion_).velocity(body.point).remainder)) return true;
      if (body.frame >= 0 && enters(engine_of(motion_).angular_velocity(body.frame).remainder))
        return true;
    }
    // A driven part without mass, where something acts on it.
    for (const Interaction& i : list_) {
      for (const PartAction& a : i.actions) {
        const Part& part = parts_[a.part];
        if (enters(engine_of(motion_).velocity(part.point).remainder)) return true;
        if (part.frame >= 0 && enters(engine_of(motion_).angular_velocity(part.frame).remainder))
          return true;
      }
    }
    return false;
  }

  // ---- What all have

  void finish(Interaction i, InteractionLaw law) {
    if (!i.time.explicit_power.valid()) i.time.explicit_power = pool_.zero();
    add_shares(&i);
    // A row with a velocity that no part has is rheonomic, though t be not in it: the shadow of a driven part, (26), (34) in
    // O'Reilly & Srinivasa 2002.
    if (i.is_constraint() && !i.time.explicit_power.is_zero()) law.is_explicit_in_time = true;
    i.open = find_open_results(open_, i.actions);
    if (i.is_placed) {
      i.alone = judge_invariance(motion_, parts_, i.actions, law, false);
      i.with_ground = judge_invariance(motion_, parts_, i.actions, law, true);
    } else {
      i.alone.force = i.alone.moment = Vector(model_, {}, Dimension());
      i.with_ground = i.alone;
      i.alone.is_undecided = i.with_ground.is_undecided = true;
    }
    list_.push_back(std::move(i));
  }

  // time_dependence.h (1), (2)
  void add_shares(Interaction* i) {
    Expr sum = i->time.explicit_power;
    for (const PartAction& a : i->actions) {
      const Part& part = parts_[a.part];
      const Expr power = held_.power(a, part);
      sum += power;
      if (!power.is_zero()) i->time.shares.push_back({a.part, power, held_.is_free(part)});
    }
    if (!i->time.power.valid()) i->time.power = sum;
    if (i->is_constraint()) i->time.explicit_power = i->time.power - sum;
    // With all coordinates held, driven parts carry the others along and nothing changes between them.
    if (i->time.power.is_zero() && i->time.explicit_power.is_zero()) i->time.shares.clear();
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  PartTable& parts_;
  const HeldMotion held_;
  const std::vector<Expr> open_;
  std::vector<Interaction> list_;
};

}  // namespace

std::vector<Interaction> make_interactions(const Equations& equations, PartTable& parts) {
  return InteractionMaker(equations, parts).make();
}

}  // namespace visviva
