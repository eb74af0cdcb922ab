#include "visviva/equations/reactions/reaction_parts.h"

#include <algorithm>
#include <iterator>

#include "visviva/base/sequence.h"
#include "visviva/equations/loads/place_loads.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/model/motor_dimension.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
// ---- Expressions by place

std::size_t ReactionSheet::add(const Expr& e) {
  exprs_.push_back(e);
  return exprs_.size() - 1;
}

std::size_t ReactionSheet::add(const Column3& c) {
  exprs_.insert(exprs_.end(), c.begin(), c.end());
  return exprs_.size() - 3;
}

Column3 ReactionSheet::column(std::size_t place) const {
  return {exprs_[place], exprs_[place + 1], exprs_[place + 2]};
}

void ReactionSheet::close() {
  symbols_ = free_symbols(exprs_);
  evaluator_.emplace(symbols_, exprs_);
}

std::vector<double> ReactionSheet::values(const StartState& state) const {
  std::vector<double> numbers;
  for (const Expr& s : symbols_) numbers.push_back(state.value(s));
  return (*evaluator_)(numbers);
}

// ---- Lists

ReactionParts::ReactionParts(const Equations& e)
    : equations(e),
      motion(equations.motion),
      model(motion.model()),
      work(new Workspace(Workspace::continued(*equations.pool()))),
      tree(motion),
      whole_(motion) {
  list_points();
  list_bodies();
  list_loads();
  list_rows();
  list_supports();
  list_idle();
  list_open();
  list_motors();
  work.reset();
}

Column3 ReactionParts::in_N(const Vector& v) { return v.in(Frame(model, 0)); }

void ReactionParts::list_points() {
  positions.resize(model.points.size());
  for (std::size_t P = 0; P < positions.size(); ++P)
    on_ground.push_back(is_on_ground(motion, static_cast<int>(P)));
  for (std::size_t P = 0; P < positions.size(); ++P)
    positions[P] = sheet.add(whole_.position(static_cast<int>(P)));
  // A frame's torque acts on its body; of a frame without one, on the first point that it
  // carries.
  carried.assign(model.frames.size(), -1);
  for (std::size_t Q = model.points.size(); Q-- > 0;) {
    for (const Vector::Part& part : model.points[Q].offset.parts()) {
      for (int F = part.frame; F > 0; F = model.frames[F].parent) carried[F] = static_cast<int>(Q);
    }
  }
  for (const BodyData& body : model.bodies) {
    if (body.frame >= 0) carried[body.frame] = body.point;
  }
}

void ReactionParts::list_bodies() {
  for (const BodyData& body : model.bodies) {
    const Column3 a = whole_.acceleration(body.point);
    Body entry{body.point, body.frame, sheet.add(body.mass * a), std::nullopt};
    if (body.frame >= 0) {
      const Column3 w = engine_of(motion).spin(body.frame);
      const Column3 rate = body.inertia * whole_.angular_acceleration_in_frame(body.frame) +
                           cross(w, body.inertia * w);
      entry.torque = sheet.add(in_N(Vector(model, {{body.frame, rate}}, Dimension())));
    }
    bodies.push_back(entry);
  }
}

std::vector<Action> ReactionParts::list_actions(
    const std::vector<std::pair<int, Vector>>& forces,
    const std::vector<std::pair<int, Vector>>& torques) {
  std::vector<Action> actions;
  for (const auto& [point, force] : forces)
    actions.push_back({false, point, sheet.add(in_N(force))});
  for (const auto& [frame, torque] : torques)
    actions.push_back({true, frame, sheet.add(in_N(torque))});
  return actions;
}

void ReactionParts::list_loads() {
  point_velocity.resize(model.points.size());
  frame_spin.resize(model.frames.size());
  for (const Load& load : place_loads(motion, collect_loads(motion))) {
    LoadEntry entry{load.name, list_actions(load.forces, load.torques), {}, std::nullopt, false};
    for (const auto& [point, force] : load.forces) require_velocity(point);
    for (const auto& [frame, torque] : load.torques) require_spin(frame);
    entry.through_speeds = sheet.add(power_through_speeds(load));
    entry.is_placed = load.generalized.empty();
    if (!entry.is_placed) entry.loose_power = sheet.add(loose_power(load));
    if (!entry.is_placed) entry.root = find_root(load);
    loads.push_back(std::move(entry));
  }
}

// An energy per length of lines that hang on one point: its forces cancel there, with those of what holds the lines. What
// holds them must not move on its own, as a field that is fixed to a function of time does.
std::optional<int> ReactionParts::find_root(const Load& load) const {
  if (load.kind != Load::Kind::potential && load.kind != Load::Kind::dissipation)
    return std::nullopt;
  const EnergyData& energy = model.energies[load.index];
  if (energy.over < 0) return std::nullopt;
  for (const Expr& s : free_symbols(energy.value)) {
    const SymbolRole* role = model.role(s);
    if (role != nullptr && (role->role == Role::specified || role->role == Role::time))
      return std::nullopt;
  }
  std::optional<int> root;
  for (const LineData& line : model.lines) {
    if (line.variable != energy.over || line.points.empty()) continue;
    const int parent = model.points[line.points[0]].parent;
    if (root && *root != parent) return std::nullopt;
    root = parent;
  }
  return root;
}

void ReactionParts::require_velocity(int P) {
  if (!point_velocity[P]) point_velocity[P] = sheet.add(whole_.velocity(P));
}

void ReactionParts::require_spin(int F) {
  if (!frame_spin[F]) frame_spin[F] = sheet.add(whole_.angular_velocity(F));
}

// sum_r F_r u_r, the power without that of the velocities' remainders.
Expr ReactionParts::power_through_speeds(const Load& load) {
  const auto remainder = [&](const VectorMotion& v) {
    return in_N(Vector(model, {{v.frame, v.remainder}}, Dimension()));
  };
  Expr power = model.pool->zero();
  for (const auto& [point, force] : load.forces)
    power +=
        dot(in_N(force), whole_.velocity(point) - remainder(engine_of(motion).velocity(point)));
  for (const auto& [frame, torque] : load.torques)
    power += dot(in_N(torque), whole_.angular_velocity(frame) -
                                   remainder(engine_of(motion).angular_velocity(frame)));
  for (const auto& [r, force] : load.generalized) power += force * motion.speeds()[r].u;
  return power;
}

// The power of a generalized force without a place, through speeds and through what is
// prescribed.
Expr ReactionParts::loose_power(const Load& load) {
  std::vector<Expr> speeds;
  for (const Speed& s : motion.speeds()) speeds.push_back(s.u);
  if (load.kind == Load::Kind::spring || load.kind == Load::Kind::damper) {
    const SpringData& s = model.springs[load.index];
    const ScalarMotion rate = motion.rate_of(s.on);
    const auto& [r, c] = rate.coefficients.front();
    for (const auto& [q, force] : load.generalized) {
      if (q == r) return force / c * total(rate, speeds);
    }
  }
  Expr sum = model.pool->zero();
  for (const auto& [r, force] : load.generalized) sum += force * speeds[r];
  return sum;
}

void ReactionParts::list_rows() {
  for (const ConstraintRow& row : equations.rows) {
    const std::optional<Place> place = place_row(motion, row);
    const Frame F(model, row.frame);
    const std::array<Vector, 3> axes = {F.x(), F.y(), F.z()};
    RowEntry entry{row.constraint,
                   place.has_value(),
                   {},
                   sheet.add(in_N(axes[row.component])),
                   model.constraints[row.constraint].is_drive};
    if (place) entry.actions = list_actions(place->forces, place->torques);
    rows.push_back(std::move(entry));
  }
}

void ReactionParts::list_idle() {
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintData& data = model.constraints[c];
    using Kind = ConstraintData::Kind;
    if (data.kind == Kind::roll || data.kind == Kind::lock) continue;
    for (int i = 0; i < (data.scalar.valid() ? 1 : 3); ++i) {
      const auto is_its_row = [&](const ConstraintRow& row) {
        return row.constraint == static_cast<int>(c) && row.component == i;
      };
      if (std::none_of(equations.rows.begin(), equations.rows.end(), is_its_row))
        add_idle(static_cast<int>(c), i);
    }
  }
}

// A vector condition of a plane mechanism has nothing to hold across the plane, and carries nothing there; a condition of
// one equation was meant.
void ReactionParts::add_idle(int constraint, int component) {
  const ConstraintRow empty{constraint, model.pool->zero(), {}, component};
  const std::optional<Place> place = place_row(motion, empty);
  if (!place) return;
  Idle found{constraint, component, list_actions(place->forces, place->torques)};
  const bool is_meant = model.constraints[constraint].scalar.valid();
  if (is_meant || std::any_of(found.actions.begin(), found.actions.end(),
                              [&](const Action& a) { return is_strained(a); }))
    idle.push_back(std::move(found));
}

std::vector<Action> ReactionParts::OpenEntry::all() const {
  std::vector<Action> actions = own;
  for (const auto& [row, given_way] : rows)
    actions.insert(actions.end(), given_way.begin(), given_way.end());
  return actions;
}

std::vector<Action> ReactionParts::OpenEntry::of(int constraint,
                                                 const std::vector<RowEntry>& all_rows) const {
  std::vector<Action> actions;
  for (const auto& [row, given_way] : rows) {
    if (all_rows[row].constraint == constraint)
      actions.insert(actions.end(), given_way.begin(), given_way.end());
  }
  return actions;
}

void ReactionParts::list_open() {
  const std::vector<AbsorbedUnknown> absorbed = find_absorbed_shares(motion);
  if (absorbed.empty()) return;
  const std::vector<Load> written = place_loads(motion, collect_written_loads(motion));
  for (const AbsorbedUnknown& a : absorbed) {
    OpenEntry entry{a.unknown};
    entry.shares = a.shares;
    std::vector<Load> units;
    for (const Load& load : written) units.push_back(differentiate_load(load, a.unknown));
    for (const Load& unit : units) {
      entry.is_placed &= unit.generalized.empty();
      append(&entry.own, list_actions(unit.forces, unit.torques));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (a.shares[i].is_zero()) continue;
      entry.is_placed &= rows[i].is_placed;
      std::vector<Action> given_way;
      for (const Action& of : rows[i].actions)
        given_way.push_back(
            {of.is_torque, of.place, sheet.add(-a.shares[i] * sheet.column(of.column))});
      entry.rows.emplace_back(i, std::move(given_way));
    }
    for (std::size_t k = 0; k < loads.size(); ++k)
      loads[k].open_powers.push_back(sheet.add(open_power(a, units, k)));
    open.push_back(std::move(entry));
  }
}

// A load with its slopes by a symbol.
Load ReactionParts::differentiate_load(const Load& load, const Expr& symbol) const {
  Load slope = load;
  const auto by = [&](const Vector& v) {
    std::vector<Vector::Part> parts;
    for (const Vector::Part& part : v.parts()) {
      Column3 c = part.column;
      for (Expr& e : c) e = differentiate(e, symbol);
      if (!is_zero(c)) parts.push_back({part.frame, c});
    }
    return Vector(model, std::move(parts), Dimension());
  };
  const auto take = [&](std::vector<std::pair<int, Vector>>* all) {
    for (auto& entry : *all) entry.second = by(entry.second);
    std::erase_if(*all, [](const auto& entry) { return entry.second.is_zero(); });
  };
  take(&slope.forces);
  take(&slope.torques);
  for (auto& entry : slope.generalized) entry.second = differentiate(entry.second, symbol);
  std::erase_if(slope.generalized, [](const auto& entry) { return entry.second.is_zero(); });
  return slope;
}

// The power of a unit of an unknown force in one load. Where no other load has it, c · u is -y · b by A u + b = 0, which
// holds without rounding.
Expr ReactionParts::open_power(const AbsorbedUnknown& unknown, const std::vector<Load>& units,
                               std::size_t load) const {
  const auto acts = [](const Load& l) {
    return !l.forces.empty() || !l.torques.empty() || !l.generalized.empty();
  };
  Expr power = model.pool->zero();
  if (!acts(units[load])) return power;
  const bool is_alone = std::count_if(units.begin(), units.end(), acts) == 1;
  std::vector<Expr> speeds;
  for (const Speed& s : motion.speeds()) speeds.push_back(is_alone ? model.pool->zero() : s.u);
  for (const auto& [point, force] : units[load].forces) {
    const VectorMotion v = engine_of(motion).velocity(point);
    power += dot(force.in(Frame(model, v.frame)), total(v, speeds));
  }
  for (const auto& [frame, torque] : units[load].torques) {
    const VectorMotion w = engine_of(motion).angular_velocity(frame);
    power += dot(torque.in(Frame(model, w.frame)), total(w, speeds));
  }
  for (const auto& [r, force] : units[load].generalized) power += force * speeds[r];
  for (std::size_t i = 0; is_alone && i < rows.size(); ++i)
    power -= unknown.shares[i] * equations.rows[i].velocity.remainder;
  return power;
}

// The slope of the power of a unit of an unknown force and of the rows that give way.
std::size_t ReactionParts::open_slope(const OpenEntry& entry,
                                      const std::vector<std::size_t>& row_slopes,
                                      const Expr& symbol) {
  Expr sum = model.pool->zero();
  for (const Action& a : entry.own) {
    const std::size_t v = a.is_torque ? frame_slope(a.place, symbol) : point_slope(a.place, symbol);
    sum += dot(sheet.column(a.column), sheet.column(v));
  }
  for (std::size_t i = 0; i < row_slopes.size(); ++i)
    sum -= entry.shares[i] * sheet.expr(row_slopes[i]);
  return sheet.add(sum);
}

// The symbol by which a specified function moves things: its rate, or itself where it is a rate.
std::optional<Expr> ReactionParts::motor_symbol(const SpecifiedData& s) {
  bool has[2] = {false, false};
  const auto look = [&](const Column3& c) {
    for (const Expr& e : c) {
      for (std::size_t k = 0; k < 2; ++k) has[k] |= depends_on(e, s.derivatives[k]);
    }
  };
  for (const BodyData& body : model.bodies) {
    look(engine_of(motion).velocity(body.point).remainder);
    if (body.frame >= 0) look(engine_of(motion).angular_velocity(body.frame).remainder);
  }
  for (const LoadEntry& load : loads) {
    for (const Action& a : load.actions)
      look(a.is_torque ? engine_of(motion).angular_velocity(a.place).remainder
                       : engine_of(motion).velocity(a.place).remainder);
  }
  for (const ConstraintRow& row : equations.rows) {
    for (std::size_t k = 0; k < 2; ++k)
      has[k] |= depends_on(row.velocity.remainder, s.derivatives[k]);
  }
  for (const SpeedData& speed : model.speeds) {
    for (std::size_t k = 0; speed.definition && k < 2; ++k)
      has[k] |= depends_on(motion.speed_definition(speed.name), s.derivatives[k]);
  }
  if (has[1]) return s.derivatives[1];
  if (has[0]) return s.derivatives[0];
  return {};
}

// d/dx' at fixed rates of the coordinates: directly, and through the speeds that are defined with
// x'.
std::vector<Expr> ReactionParts::speed_slopes(const Expr& symbol) const {
  std::vector<Expr> slopes(motion.speeds().size(), model.pool->zero());
  for (const SpeedData& s : model.speeds) {
    if (s.definition)
      slopes[motion.speed_index(s.name)] = differentiate(motion.speed_definition(s.name), symbol);
  }
  return slopes;
}

std::size_t ReactionParts::slope(const VectorMotion& v, const Expr& symbol) {
  Column3 sum = {differentiate(v.remainder[0], symbol), differentiate(v.remainder[1], symbol),
                 differentiate(v.remainder[2], symbol)};
  for (const auto& [r, c] : v.coefficients) sum = sum + slopes_now_[r] * c;
  return sheet.add(in_N(Vector(model, {{v.frame, sum}}, Dimension())));
}

std::size_t ReactionParts::point_slope(int P, const Expr& symbol) {
  return slope(engine_of(motion).velocity(P), symbol);
}

std::size_t ReactionParts::frame_slope(int F, const Expr& symbol) {
  return slope(engine_of(motion).angular_velocity(F), symbol);
}

void ReactionParts::list_motors() {
  for (const SpecifiedData& s : model.specified) {
    const std::optional<Expr> symbol = motor_symbol(s);
    if (!symbol) continue;
    slopes_now_ = speed_slopes(*symbol);
    MotorEntry entry{motor_name(s), sheet.add(*symbol), {}, {}, {}, {}, {}, true};
    for (const BodyData& body : model.bodies) {
      entry.body_v.push_back(point_slope(body.point, *symbol));
      entry.body_w.push_back(body.frame >= 0 ? frame_slope(body.frame, *symbol) : 0);
    }
    for (const LoadEntry& load : loads) {
      for (const Action& a : load.actions)
        entry.load_slopes.push_back(a.is_torque ? frame_slope(a.place, *symbol)
                                                : point_slope(a.place, *symbol));
      entry.is_determined &= load.is_placed || load.root;
    }
    for (const ConstraintRow& row : equations.rows) {
      Expr sum = differentiate(row.velocity.remainder, *symbol);
      for (const auto& [r, coefficient] : row.velocity.coefficients)
        sum += coefficient * slopes_now_[r];
      entry.row_slopes.push_back(sheet.add(sum));
    }
    for (const OpenEntry& unknown : open) {
      entry.open_slopes.push_back(open_slope(unknown, entry.row_slopes, *symbol));
      entry.is_determined &= unknown.is_placed;
    }
    motors.push_back(std::move(entry));
  }
}

// ---- Who is meant

bool ReactionParts::is_beyond(const Action& a, int P) const {
  const int point = a.is_torque ? carried[a.place] : a.place;
  return point >= 0 && !(on_ground[point] && !a.is_torque) && tree.hangs_on(point, P);
}

bool ReactionParts::carries_mass(int P) const {
  return std::any_of(bodies.begin(), bodies.end(),
                     [&](const Body& body) { return tree.hangs_on(body.point, P); });
}

int ReactionParts::body_of(const Action& a) const {
  return a.is_torque ? model.frames[a.place].body : find_body_of_point(motion, a.place);
}

const ReactionParts::RowEntry* ReactionParts::first_row(int constraint) const {
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&](const RowEntry& row) { return row.constraint == constraint; });
  return found == rows.end() ? nullptr : &*found;
}

ReactionParts::Subject ReactionParts::find_subject(const RowEntry& first) const {
  const ConstraintData& c = model.constraints[first.constraint];
  const Action* mentioned = nullptr;
  for (std::size_t i = 0; mentioned == nullptr && i < c.mentions.size(); ++i)
    mentioned = find_mentioned(first, c.mentions[i]);
  // The ground is no body.
  const auto moves = [this](const Action& a) { return body_of(a) >= 0; };
  const auto found = std::find_if(first.actions.begin(), first.actions.end(), moves);
  const Action& named = mentioned != nullptr           ? *mentioned
                        : found == first.actions.end() ? first.actions.front()
                                                       : *found;
  const int point = c.kind == ConstraintData::Kind::roll ? c.point
                    : named.is_torque                    ? model.frame_origin(named.place)
                                                         : named.place;
  return {named, body_of(named), point};
}

// What a row does to a body that its constraint names; nullptr when that is no body, or free of it.
const Action* ReactionParts::find_mentioned(const RowEntry& row, const Mention& mention) const {
  using Kind = Mention::Kind;
  const auto enters = [&](const Action& a) {
    const Expr& q = model.coordinates[mention.index].q;
    if (a.is_torque) {
      const auto& angles = model.frames[a.place].orientation.parameters;
      return std::any_of(angles.begin(), angles.end(), [&](const Quantity& angle) {
        return !angle.is_literal() && depends_on(angle.expr(), q);
      });
    }
    const std::vector<Vector::Part>& parts = model.points[a.place].offset.parts();
    return std::any_of(parts.begin(), parts.end(), [&](const Vector::Part& part) {
      return depends_on(part.column[0], q) || depends_on(part.column[1], q) ||
             depends_on(part.column[2], q);
    });
  };
  int body = -1;
  if (mention.kind == Kind::point) body = find_body_of_point(motion, mention.index);
  if (mention.kind == Kind::frame) body = model.frames[mention.index].body;
  const auto is_meant = [&](const Action& a) {
    if (mention.kind == Kind::coordinate) return body_of(a) >= 0 && enters(a);
    return body >= 0 && body_of(a) == body;
  };
  const auto is_itself = [&](const Action& a) {
    return is_meant(a) && a.place == mention.index && a.is_torque == (mention.kind == Kind::frame);
  };
  auto found = std::find_if(row.actions.begin(), row.actions.end(), is_itself);
  if (found == row.actions.end())
    found = std::find_if(row.actions.begin(), row.actions.end(), is_meant);
  return found == row.actions.end() ? nullptr : &*found;
}

bool ReactionParts::acts_on(const Subject& subject, const Action& a) const {
  return (a.is_torque == subject.named.is_torque && a.place == subject.named.place) ||
         (subject.body >= 0 && body_of(a) == subject.body);
}

std::vector<Action> ReactionParts::choose(const std::vector<Action>& actions, int P) const {
  std::vector<Action> chosen;
  std::copy_if(actions.begin(), actions.end(), std::back_inserter(chosen),
               [&](const Action& a) { return is_beyond(a, P); });
  return chosen;
}

std::vector<Action> ReactionParts::choose(const std::vector<Action>& actions,
                                          const Subject& subject) const {
  std::vector<Action> chosen;
  std::copy_if(actions.begin(), actions.end(), std::back_inserter(chosen),
               [&](const Action& a) { return acts_on(subject, a); });
  return chosen;
}

}  // namespace visviva
