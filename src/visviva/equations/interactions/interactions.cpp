#include "visviva/equations/interactions/interactions.h"

#include <algorithm>

#include "visviva/base/result_table.h"
#include "visviva/base/sequence.h"
#include "visviva/equations/interactions/invariance.h"
#include "visviva/equations/loads/absorbed_unknowns.h"
#include "visviva/equations/loads/place_loads.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"

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
        parts_(parts) {
    hold_coordinates();
    list_open();
  }

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

  // Some row changes with time while all coordinates are held.
  bool has_moving_rows() const {
    return std::any_of(
        equations_.rows.begin(), equations_.rows.end(),
        [&](const ConstraintRow& row) { return !total(row.velocity, held_).is_zero(); });
  }

 private:
  // The values of the speeds when no coordinate changes.
  void hold_coordinates() {
    Replacements still;
    for (const CoordinateData& q : model_.coordinates) still.emplace_back(q.rate, pool_.zero());
    for (const SpeedData& s : model_.speeds) {
      if (!s.definition) still.emplace_back(s.u, pool_.zero());
    }
    Substitution held(pool_, still);
    held_.assign(motion_.speeds().size(), pool_.zero());
    for (const SpeedData& s : model_.speeds) {
      if (s.definition) held_[motion_.speed_index(s.name)] = held(motion_.speed_definition(s.name));
    }
  }

  // Interaction::open of any interaction.
  void list_open() {
    for (const UnknownData& u : model_.unknowns) {
      const std::vector<Expr>& solved = equations_.unknowns;
      if (std::find(solved.begin(), solved.end(), u.symbol) == solved.end())
        open_.push_back(u.symbol);
    }
    const std::vector<bool> is_shared = find_shared_rows(motion_);
    for (std::size_t i = 0; i < is_shared.size(); ++i) {
      if (!is_shared[i]) continue;
      const ConstraintRow& row = equations_.rows[i];
      const ConstraintData& c = model_.constraints[row.constraint];
      const bool is_roll = c.kind == ConstraintData::Kind::roll;
      const std::vector<Expr> symbols =
          is_roll ? free_symbols({along_row(c, row)}) : std::vector<Expr>{multiplier(c, row)};
      for (const Expr& s : symbols) {
        if (model_.role(s) == nullptr) open_.push_back(s);
      }
    }
  }

  std::vector<Expr> find_open(const std::vector<PartAction>& actions) const {
    std::vector<Expr> found;
    for (const Expr& s : open_) {
      const auto holds = [&](const Vector& v) {
        return std::any_of(v.parts().begin(), v.parts().end(), [&](const Vector::Part& part) {
          return std::any_of(part.column.begin(), part.column.end(),
                             [&](const Expr& e) { return depends_on(e, s); });
        });
      };
      if (std::any_of(actions.begin(), actions.end(),
                      [&](const PartAction& a) { return holds(a.force) || holds(a.moment); }))
        found.push_back(s);
    }
    return found;
  }

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
      const BodyData& body = model_.bodies[load.index];
      W.virtuals.push_back(displace_point(body.point));
      const Column3 arm = displaced_position(W.virtuals.back()) - displaced_position(ground);
      W.scalar -= body.mass * dot(resolve(g).in(Frame(model_, 0)), arm);
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
      const Vector arm = Point(model_, load.forces[0].first) - Point(model_, 0);
      for (const Vector::Part& part : load.forces[0].second.parts())
        place->torques.emplace_back(part.frame, cross(bare_vector(part.frame, part.column),
                                                      Vector(model_, arm.parts(), Dimension())));
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

  void add_load(const Load& load) {
    Interaction i{kind_of(load.kind), load.index, load.name, load.source};
    i.is_placed = load.generalized.empty();
    i.actions = parts_.gather({load.forces, load.torques});
    InteractionLaw law;
    Displaced length;
    switch (load.kind) {
      case Load::Kind::force:
      case Load::Kind::torque: {
        const ForceData& f = model_.forces[load.index];
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
      default:
        if (!model_.springs[load.index].on.valid()) {
          length = displace_length(model_.springs[load.index]);
          law = {.kind = InteractionLaw::Kind::function, .displaced = &length};
        }
        law.is_explicit_in_time = has_changing_constants(load);
    }
    if (load.kind == Load::Kind::potential) add_explicit_power(*law.displaced, &i);
    if (load.kind == Load::Kind::spring && law.is_explicit_in_time) add_spring_power(load, &i);
    finish(std::move(i), law);
  }

  ScalarMotion rate(const Expr& e) { return motion_.rate_of(e); }

  // Stiffness, rate or rest length of a spring or damper that time changes.
  bool has_changing_constants(const Load& load) {
    if (load.kind != Load::Kind::spring && load.kind != Load::Kind::damper) return false;
    const SpringData& s = model_.springs[load.index];
    return !rate(s.coefficient).remainder.is_zero() ||
           (s.rest.valid() && !rate(s.rest).remainder.is_zero());
  }

  // -∂W/∂t of W = k (l - r)^2/2 at fixed l.
  void add_spring_power(const Load& load, Interaction* i) {
    const SpringData& s = model_.springs[load.index];
    const Expr length =
        s.on.valid() ? s.on : magnitude(Point(model_, s.to) - Point(model_, s.from)).expr(pool_);
    const Expr rest = s.rest.valid() ? s.rest : pool_.zero(), stretch = length - rest;
    const Expr k_rate = rate(s.coefficient).remainder, rest_rate = rate(rest).remainder;
    i->time.explicit_power =
        s.coefficient * stretch * rest_rate - pool_.rational(1, 2) * k_rate * stretch * stretch;
    for (const SpecifiedData& x : model_.specified) {
      if (depends_on(s.coefficient, x.derivatives[0]) || depends_on(rest, x.derivatives[0]))
        i->time.explicit_names.push_back(x.name);
    }
    if (depends_on(s.coefficient, model_.time) || depends_on(rest, model_.time))
      i->time.explicit_names.push_back("t");
  }

  Expr next_derivative(const ChangedRate& rate) const {
    return model_.specified[rate.specified].derivatives.at(static_cast<std::size_t>(rate.order) +
                                                           1);
  }

  // -∂W/∂t of what no part carries.
  void add_explicit_power(const Displaced& displaced, Interaction* i) {
    i->time.explicit_names = find_explicit_time(motion_, displaced, DrivenRates::are_explicit);
    if (i->time.explicit_names.empty() || !displaced.scalar.valid()) return;
    Expr power = pool_.zero();
    for (const VirtualSlope& s :
         compute_virtual_slopes(pool_, displaced.scalar, displaced.virtuals)) {
      if (s.of->kind == VirtualData::Kind::specified && !place_motor(motion_, s.of->index))
        power -= s.values[0] * model_.specified[s.of->index].derivatives[1];
      if (s.of->kind != VirtualData::Kind::time) continue;
      const std::optional<ChangedRate> rate = find_changed_rate(model_, *s.of);
      power -= rate ? s.values[0] * next_derivative(*rate) : s.values[0];
    }
    i->time.explicit_power = power;
  }

  // ---- Constraints

  Expr multiplier(const ConstraintData& c, const ConstraintRow& row) const {
    const bool is_one = c.scalar.valid() || c.kind == ConstraintData::Kind::lock;
    return pool_.symbol("multiplier(" + c.name + ")" +
                        (is_one ? "" : std::string(".") + "xyz"[row.component]));
  }

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
      const Expr lambda = c.kind == Kind::roll ? along_row(c, row) : multiplier(c, row);
      i.time.power += lambda * total(row.velocity, held_);
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
          lambda[static_cast<std::size_t>(row.component)] = multiplier(c, row);
      }
      law.vanishing_moment =
          cross(Vector(model_, c.vector.parts(), Dimension()), bare_vector(0, lambda));
    }
    i.time.explicit_names = find_explicit_time(motion_, c.displaced, DrivenRates::have_places);
    finish(std::move(i), law);
  }

  // The contact force, all of it: what has a row and what the description keeps by itself.
  Vector contact_force(const ConstraintData& c) const {
    Column3 force;
    for (std::size_t k = 0; k < 3; ++k)
      force[k] = pool_.symbol("reaction(" + c.name + ")." + "xyz"[k]);
    return bare_vector(0, force);
  }

  Expr along_row(const ConstraintData& c, const ConstraintRow& row) const {
    return contact_force(c).in(Frame(model_, row.frame))[row.component];
  }

  Place place_contact(const ConstraintData& c) const {
    const Vector force = contact_force(c);
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
    i.open = find_open(i.actions);
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

  // interactions.h (3)
  void add_shares(Interaction* i) {
    Expr sum = i->time.explicit_power;
    for (const PartAction& a : i->actions) {
      const Part& part = parts_[a.part];
      Expr power = dot_with(a.force, engine_of(motion_).velocity(part.point));
      if (part.takes_moments())
        power += dot_with(a.moment, engine_of(motion_).angular_velocity(part.frame));
      sum += power;
      if (!power.is_zero()) i->time.shares.push_back({a.part, power});
    }
    if (!i->time.power.valid()) i->time.power = sum;
    if (i->is_constraint()) i->time.explicit_power = i->time.power - sum;
    // With all coordinates held, driven parts carry the others along and nothing changes between them.
    if (i->time.power.is_zero() && i->time.explicit_power.is_zero()) i->time.shares.clear();
  }

  Expr dot_with(const Vector& v, const VectorMotion& motion) const {
    return dot(v.in(Frame(model_, motion.frame)), total(motion, held_));
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  PartTable& parts_;
  std::vector<Expr> held_, open_;
  std::vector<Interaction> list_;
};

}  // namespace

Interactions analyze_interactions(const Equations& equations) {
  Workspace work(equations.pool());
  Interactions result(equations);
  PartTable parts(equations.motion);
  parts.of_frame(0);
  InteractionMaker maker(equations, parts);
  result.list_ = maker.make();
  result.has_moving_rows_ = maker.has_moving_rows();
  const ModelData& model = equations.motion.model();
  const auto name = [&](const std::string& of) {
    result.part_names_.emplace_back(of, parts.find(of));
  };
  for (const BodyData& body : model.bodies) name(body.name);
  for (const FrameData& frame : model.frames) name(frame.name);
  for (const PointData& point : model.points) name(point.name);
  for (int i = 0; i < parts.size(); ++i) result.parts_.push_back(parts[i]);
  result.pool_ = work.finish();
  return result;
}

const Interaction* Interactions::find(const std::string& name) const {
  const auto found = std::find_if(list_.begin(), list_.end(),
                                  [&](const Interaction& i) { return i.name == name; });
  return found == list_.end() ? nullptr : &*found;
}

int Interactions::find_part(const std::string& name) const {
  for (const auto& [known, part] : part_names_) {
    if (known == name) return part;
  }
  return -1;
}

PowerClass Interactions::classify(const Interaction& potential) const {
  if (has_moving_rows_) return PowerClass::one_multiplier;
  return potential.time.power.is_zero() ? PowerClass::free_multipliers : PowerClass::no_force;
}

std::optional<Interactions::Wrench> Interactions::wrench_on(const Interaction& interaction,
                                                            int part) const {
  if (!interaction.is_placed) return {};
  const ModelData& model = equations_.motion.model();
  const Workspace work = Workspace::continued(*pool_);
  Wrench sum{zero_column(*model.pool), zero_column(*model.pool)};
  for (const PartAction& a : interaction.actions) {
    if (a.part != part) continue;
    const Frame N(model, 0);
    sum = {a.force.in(N), a.moment.in(N)};
  }
  return sum;
}

std::optional<Expr> Interactions::find_component(const std::string& name) const {
  const std::optional<CalledResult> called = find_result_call(name);
  const auto action = called ? called->action() : std::nullopt;
  if (!action) return {};
  const Interaction* interaction = find(action->first);
  const int part = find_part(action->second);
  if (interaction == nullptr || part < 0) return {};
  const std::optional<Expr> value = find_value(*called, *interaction, part, name.back());
  if (!value) return {};
  for (const Expr& s : interaction->open) {
    if (depends_on(*value, s)) return {};
  }
  return value;
}

// A component of a force or moment, or the power.
std::optional<Expr> Interactions::find_value(const CalledResult& called,
                                             const Interaction& interaction, int part,
                                             char axis) const {
  const std::optional<Wrench> wrench = wrench_on(interaction, part);
  if (!wrench) return {};
  if (called.is("power")) return power_on(*wrench, parts_[part]);
  const std::size_t k = std::string_view("xyz").find(axis);
  if (k > 2) return {};
  return called.is("force") ? wrench->force[k] : wrench->moment[k];
}

Expr Interactions::power_on(const Wrench& wrench, const Part& part) const {
  const Workspace work = Workspace::continued(*pool_);
  const Kinematics& motion = equations_.motion;
  const Frame N(motion.model(), 0);
  Expr power = dot(wrench.force, motion.velocity(Point(motion.model(), part.point)).in(N));
  if (part.takes_moments())
    power += dot(wrench.moment, motion.angular_velocity(Frame(motion.model(), part.frame)).in(N));
  return power;
}

std::string_view kind_name(Interaction::Kind kind) {
  constexpr std::string_view names[] = {"gravity", "force",     "torque",      "spring",
                                        "damper",  "potential", "dissipation", "constraint",
                                        "roll",    "lock",      "motor"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace visviva
