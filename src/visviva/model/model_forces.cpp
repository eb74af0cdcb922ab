// The Model's forces, energies, constraints, and what results show.
#include <algorithm>

#include "visviva/base/result_table.h"
#include "visviva/model/declare.h"
#include "visviva/model/model.h"
#include "visviva/model/motor_dimension.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

void require_vector(const ModelData& data, const Vector& v, const Dimension& dimension,
                    const char* function, const std::string& what, const char* code) {
  require_same(data, v.model(), function);
  if (!v.is_plain_zero()) require_dimension(v.dimension(), dimension, function, what, code);
}

// Forces, torques, springs, dampers, energies and constraints share a namespace.
void require_free_force(const ModelData& data, const std::string& name, const char* function) {
  require_name(name, function);
  require_free(data.forces, name, function, "force");
  require_free(data.springs, name, function, "spring or damper");
  require_free(data.energies, name, function, "energy");
  require_free(data.constraints, name, function, "constraint");
}

// A zero vector of a model, where a default-constructed one was given.
Vector in_model(const ModelData& data, const Vector& v) {
  return v.model() != nullptr ? v : Vector(data, {}, v.dimension());
}

struct Ends {
  int from = -1, to = -1;
  Expr on;
};

// Two different points, or a scalar of the configuration.
Ends spring_ends(const ModelData& data, const std::optional<Point>& from,
                 const std::optional<Point>& to, const std::optional<Quantity>& on,
                 const char* function) {
  Ends ends;
  if (on) {
    if (from || to)
      throw UsageError(function, "expected two points or a coordinate, not both",
                       "E-clause-conflict");
    ends.on = in_pool(data, *on, function);
    require_roles(data, ends.on, configuration_roles, function, "what it acts on", "E-spring-on");
    for (const Expr& s : free_symbols(ends.on)) {
      const Role role = data.role(s)->role;
      if (role == Role::coordinate || role == Role::hidden) return ends;
    }
    throw UsageError(function, "what it acts on contains no coordinate", "E-spring-on");
  }
  if (!from || !to)
    throw UsageError(function, "expected two points, or a coordinate", "E-clause-missing");
  ends.from = index_of(data, *from, function);
  ends.to = index_of(data, *to, function);
  if (ends.from == ends.to)
    throw UsageError(function, "both ends are the point '" + from->name() + "'", "E-spring-ends");
  return ends;
}

bool has_motion(const ModelData& data, const Expr& e, const char* function) {
  bool motion = false;
  for (const Expr& s : free_symbols(e)) {
    const SymbolRole* role = data.role(s);
    if (role == nullptr) continue;
    if (role->role == Role::second_rate || role->role == Role::speed_rate)
      throw UsageError(
          function,
          "a constraint cannot contain '" + s.home().symbol_name(s.ref()) + "', an acceleration",
          "E-constraint-acceleration");
    if (role->role == Role::measure) {
      const auto kind = data.measure(s)->kind;
      if (kind == MeasureData::Kind::acceleration ||
          kind == MeasureData::Kind::angular_acceleration)
        throw UsageError(function, "a constraint cannot contain an acceleration",
                         "E-constraint-acceleration");
    }
    motion = motion || role->role == Role::measure || role->role == Role::rate ||
             role->role == Role::speed;
  }
  return motion;
}

bool has_motion(const ModelData& data, const Vector& v, const char* function) {
  bool motion = false;
  for (const Vector::Part& part : v.parts()) {
    for (const Expr& e : part.column) motion = has_motion(data, e, function) || motion;
  }
  return motion;
}

StartNote note_of(const ModelData& data, const StartOptions& options) {
  return {options.is_guess, options.is_change, data.source().span};
}

void require_motion(bool motion) {
  if (!motion)
    throw UsageError(
        "Model::start_condition",
        "the start value is for something that contains no rate and no speed; expected "
        "a coordinate, a rate, a speed or a velocity",
        "E-start-target");
}

// Equations are solved for accelerations: no force depends on them.
void require_no_acceleration(const ModelData& data, const Vector& v, const char* function,
                             const std::string& what) {
  using Kind = MeasureData::Kind;
  for (const Vector::Part& part : v.parts()) {
    for (const Expr& e : part.column) {
      for (const Expr& s : free_symbols(e)) {
        const SymbolRole* role = data.role(s);
        if (role == nullptr || role->role != Role::measure) continue;
        const Kind kind = data.measure(s)->kind;
        if (kind == Kind::acceleration || kind == Kind::angular_acceleration)
          throw UsageError(function, what + " contains an acceleration, which cannot stand there",
                           "E-name-kind");
      }
    }
  }
}

const std::set<Role> constraint_roles = {Role::parameter,  Role::specified, Role::specified_rate,
                                         Role::coordinate, Role::rate,      Role::speed,
                                         Role::time,       Role::hidden,    Role::measure};
const std::set<Role> output_roles = {
    Role::parameter, Role::specified,   Role::specified_rate, Role::input,      Role::coordinate,
    Role::rate,      Role::second_rate, Role::speed,          Role::speed_rate, Role::time,
    Role::hidden,    Role::measure,     Role::unknown,        Role::auxiliary,  Role::momentum,
    Role::result,    Role::state};

// A name for a constraint that has none.
std::string name_or_number(const ModelData& data, const std::string& name, const char* function) {
  if (!name.empty()) {
    require_free_force(data, name, function);
    return name;
  }
  const auto taken = [&](const std::string& candidate) {
    const auto has = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const auto& item) { return item.name == candidate; });
    };
    return has(data.forces) || has(data.springs) || has(data.energies) || has(data.constraints);
  };
  std::size_t number = data.constraints.size() + 1;
  while (taken("constraint" + std::to_string(number))) ++number;
  return "constraint" + std::to_string(number);
}

}  // namespace

// ---- Forces and energies

void Model::gravity(const Vector& acceleration) {
  if (data_->gravity)
    throw UsageError("Model::gravity", "gravity is given already", "E-statement-twice");
  require_vector(*data_, acceleration, dimensions::acceleration, "Model::gravity", "gravity",
                 "E-dimension-gravity");
  require_roles(*data_, acceleration, configuration_roles, "Model::gravity", "gravity");
  data_->gravity = in_model(*data_, acceleration);
  data_->gravity_source = data_->source();
}

void Model::force(const std::string& name, const ForceOptions& options) {
  const char* function = "Model::force";
  require_free_force(*data_, name, function);
  require_vector(*data_, options.value, dimensions::force, function, "the force '" + name + "'",
                 "E-dimension-force");
  require_roles(*data_, options.value, motion_roles, function, "the force '" + name + "'");
  require_no_acceleration(*data_, options.value, function, "the force '" + name + "'");
  ForceData f{name};
  f.point = index_of(*data_, options.on, function);
  if (options.body) f.frame = index_of(*data_, *options.body, function);
  if (options.from) f.from_point = index_of(*data_, *options.from, function);
  f.value = in_model(*data_, options.value);
  f.source = data_->source();
  data_->forces.push_back(f);
}

void Model::torque(const std::string& name, const TorqueOptions& options) {
  const char* function = "Model::torque";
  require_free_force(*data_, name, function);
  require_vector(*data_, options.value, dimensions::torque, function, "the torque '" + name + "'",
                 "E-dimension-force");
  require_roles(*data_, options.value, motion_roles, function, "the torque '" + name + "'");
  require_no_acceleration(*data_, options.value, function, "the torque '" + name + "'");
  ForceData f{name};
  f.is_torque = true;
  f.frame = index_of(*data_, options.on, function);
  if (options.from) f.from_frame = index_of(*data_, *options.from, function);
  f.value = in_model(*data_, options.value);
  f.source = data_->source();
  data_->forces.push_back(f);
}

void Model::spring(const std::string& name, const SpringOptions& options) {
  const char* function = "Model::spring";
  require_free_force(*data_, name, function);
  const Ends ends = spring_ends(*data_, options.from, options.to, options.on, function);
  const Dimension size = options.on ? options.on->dimension() : dimensions::length;
  SpringData s{name, false, ends.from, ends.to, ends.on};
  s.coefficient =
      constant_scalar(*data_, options.stiffness, dimensions::energy / (size * size), function,
                      "the stiffness of '" + name + "'", "E-dimension-spring");
  s.rest = constant_scalar(*data_, options.rest, size, function, "the rest of '" + name + "'",
                           "E-dimension-spring");
  s.source = data_->source();
  data_->springs.push_back(s);
}

void Model::damper(const std::string& name, const DamperOptions& options) {
  const char* function = "Model::damper";
  require_free_force(*data_, name, function);
  const Ends ends = spring_ends(*data_, options.from, options.to, options.on, function);
  const Dimension size = options.on ? options.on->dimension() : dimensions::length;
  SpringData s{name, true, ends.from, ends.to, ends.on};
  s.coefficient = constant_scalar(*data_, options.rate,
                                  dimensions::energy * dimensions::duration / (size * size),
                                  function, "the rate of '" + name + "'", "E-dimension-spring");
  s.rest = data_->pool->zero();
  s.source = data_->source();
  data_->springs.push_back(s);
}

void Model::potential(const std::string& name, const Quantity& value) {
  const char* function = "Model::potential";
  require_free_force(*data_, name, function);
  require_dimension(value, dimensions::energy, function, "the potential '" + name + "'",
                    "E-dimension-energy");
  const Expr e = in_pool(*data_, value, function);
  for (const Expr& s : free_symbols(e)) {
    const SymbolRole* role = data_->role(s);
    if (role != nullptr && configuration_roles.count(role->role) == 0)
      throw UsageError(function,
                       "the potential '" + name + "' contains '" + s.home().symbol_name(s.ref()) +
                           "', " + role_name(role->role) +
                           "; a potential depends on configuration and time only",
                       "E-potential-depends");
  }
  data_->energies.push_back({name, false, e, data_->source()});
}

void Model::dissipation(const std::string& name, const Quantity& value) {
  const char* function = "Model::dissipation";
  require_free_force(*data_, name, function);
  require_dimension(value, dimensions::energy / dimensions::duration, function,
                    "the dissipation '" + name + "'", "E-dimension-energy");
  const Expr e = in_pool(*data_, value, function);
  require_roles(*data_, e, motion_roles, function, "the dissipation '" + name + "'");
  data_->energies.push_back({name, true, e, data_->source()});
}

// ---- Constraints

void Model::constraint(const std::string& name, const Quantity& vanishing) {
  const char* function = "Model::constraint";
  ConstraintData c;
  c.name = name_or_number(*data_, name, function);
  c.scalar = in_pool(*data_, vanishing, function);
  c.kind = has_motion(*data_, c.scalar, function) ? ConstraintData::Kind::motion
                                                  : ConstraintData::Kind::configuration;
  c.dimension = vanishing.dimension();
  require_roles(*data_, c.scalar, constraint_roles, function, "the constraint '" + c.name + "'");
  c.source = data_->source();
  data_->constraints.push_back(c);
}

void Model::constraint(const std::string& name, const Vector& vanishing) {
  const char* function = "Model::constraint";
  ConstraintData c;
  c.name = name_or_number(*data_, name, function);
  c.vector = in_model(*data_, vanishing);
  c.dimension = vanishing.dimension();
  if (has_motion(*data_, c.vector, function)) c.kind = ConstraintData::Kind::motion;
  require_roles(*data_, c.vector, constraint_roles, function, "the constraint '" + c.name + "'");
  c.source = data_->source();
  data_->constraints.push_back(c);
}

void Model::mention(const std::vector<Mention>& mentions) {
  if (data_->constraints.empty()) throw UsageError("Model::mention", "there is no constraint yet");
  data_->constraints.back().mentions = mentions;
}

void Model::roll(const std::string& name, const RollOptions& options) {
  const char* function = "Model::roll";
  ConstraintData c;
  c.name = name_or_number(*data_, name, function);
  c.kind = ConstraintData::Kind::roll;
  c.body = index_of(*data_, options.body, function);
  c.on = index_of(*data_, options.on, function);
  if (c.body == c.on)
    throw UsageError(function, "'" + options.body.name() + "' cannot roll on itself",
                     "E-roll-same");
  // The place of contact is a point of its own unless it is one already.
  if (options.at.offset.is_zero()) {
    c.point = index_of(*data_, options.at.base, function);
  } else {
    std::string point_name = c.name + "_contact";
    while (find_point(point_name)) point_name += "_";
    c.point = point(point_name, options.at).index();
  }
  c.source = data_->source();
  data_->constraints.push_back(c);
}

void Model::lock(const Quantity& coordinate) {
  const Expr q = in_pool(*data_, coordinate, "Model::lock");
  const SymbolRole* role = q.is_symbol() ? data_->role(q) : nullptr;
  if (role == nullptr || role->role != Role::coordinate)
    throw UsageError("Model::lock", "only a coordinate can be locked", "E-lock-name");
  const CoordinateData& locked = data_->coordinates[static_cast<std::size_t>(role->index)];
  const std::string& name = locked.name;
  if (locked.start && locked.start_note.is_guess)
    throw UsageError(
        "Model::lock",
        "'" + name + "' is locked at its start value, but that is a guess; expected an exact value",
        "E-start-guess");
  for (const ConstraintData& c : data_->constraints) {
    if (c.kind == ConstraintData::Kind::lock && c.coordinate == role->index)
      throw UsageError("Model::lock", "'" + name + "' is locked already", "E-statement-twice");
  }
  ConstraintData c;
  c.name = name;
  c.kind = ConstraintData::Kind::lock;
  c.dimension = locked.dimension;
  c.coordinate = role->index;
  c.source = data_->source();
  data_->constraints.push_back(c);
}

void Model::dependent(const Quantity& speed) {
  const Expr u = in_pool(*data_, speed, "Model::dependent");
  const SymbolRole* role = u.is_symbol() ? data_->role(u) : nullptr;
  if (role == nullptr || (role->role != Role::speed && role->role != Role::rate))
    throw UsageError("Model::dependent", "only a speed can be dependent", "E-name-kind");
  data_->dependent.push_back(u);
  data_->dependent_sources.push_back(data_->source());
}

void Model::auxiliary(const std::string& name, const Vector& along, const Point& at) {
  const char* function = "Model::auxiliary";
  require_free_scalar(*data_, name, function);
  require_vector(*data_, along, Dimension(), function, "the direction of '" + name + "'",
                 "E-auxiliary-direction");
  if (along.is_zero())
    throw UsageError(function, "the direction of '" + name + "' is zero", "E-auxiliary-direction");
  require_roles(*data_, along, configuration_roles, function, "the direction of '" + name + "'");
  const int point = index_of(*data_, at, function);
  const Expr symbol = data_->pool->symbol(name);
  data_->set_role(symbol, Role::auxiliary, data_->auxiliaries.size());
  data_->auxiliaries.push_back({name, symbol, along, point, data_->source()});
}

void Model::start_condition(const Quantity& vanishing, const StartOptions& options) {
  const Expr e = in_pool(*data_, vanishing, "Model::start_condition");
  require_motion(has_motion(*data_, e, "Model::start_condition"));
  require_roles(*data_, e, constraint_roles, "Model::start_condition", "the start value");
  data_->start_conditions.push_back(
      {e, {}, data_->source(), options.name, note_of(*data_, options)});
}

void Model::start_condition(const Vector& vanishing, const StartOptions& options) {
  require_same(*data_, vanishing.model(), "Model::start_condition");
  require_motion(has_motion(*data_, vanishing, "Model::start_condition"));
  require_roles(*data_, vanishing, constraint_roles, "Model::start_condition", "the start value");
  data_->start_conditions.push_back({Expr(), in_model(*data_, vanishing), data_->source(),
                                     options.name, note_of(*data_, options)});
}

// ---- What results show

namespace {

// Components in N; what a later stage derives.
Vector make_result_vector(ModelData& data, const std::string& name, const Dimension& dimension) {
  Column3 column;
  for (std::size_t i = 0; i < 3; ++i) {
    column[i] = data.pool->symbol(name + "." + "xyz"[i]);
    data.set_role(column[i], Role::result, 0);
  }
  return Vector(data, {{0, column}}, dimension);
}

const ConstraintData& find_constraint(const ModelData& data, const std::string& name,
                                      const char* function) {
  for (const ConstraintData& c : data.constraints) {
    if (c.name == name) return c;
  }
  throw UsageError(function, "there is no constraint '" + name + "'", "E-output-target");
}

bool has_one_row(const ConstraintData& c) {
  return c.scalar.valid() || c.kind == ConstraintData::Kind::lock;
}

Dimension per_time(const Dimension& d) { return d / Dimension::of(Dimension::time); }

// A multiplier times the rate of what vanishes is a power.
bool contains(const Vector& v, const Expr& symbol) {
  const std::vector<Vector::Part>& parts = v.parts();
  return std::any_of(parts.begin(), parts.end(), [&](const Vector::Part& part) {
    return std::any_of(part.column.begin(), part.column.end(),
                       [&](const Expr& e) { return depends_on(e, symbol); });
  });
}

// True when a specified function moves things by its rate: it stands in positions and orientations,
// or its rate among velocities; else it is itself a rate.
bool moves_as_position(const ModelData& data, const SpecifiedData& s) {
  const Expr& x = s.derivatives[0];
  const Expr& rate = s.derivatives[1];
  for (const FrameData& f : data.frames) {
    const auto& parameters = f.orientation.parameters;
    if (std::any_of(parameters.begin(), parameters.end(),
                    [&](const Quantity& q) { return !q.is_literal() && depends_on(q.expr(), x); }))
      return true;
    if (contains(f.orientation.angular_velocity, rate)) return true;
  }
  const auto is_in = [&](const ConstraintData& c) {
    const Expr& by = c.kind == ConstraintData::Kind::motion ? rate : x;
    return (c.scalar.valid() && depends_on(c.scalar, by)) || contains(c.vector, by);
  };
  return std::any_of(data.points.begin(), data.points.end(),
                     [&](const PointData& p) { return contains(p.offset, x); }) ||
         std::any_of(data.constraints.begin(), data.constraints.end(), is_in) ||
         std::any_of(data.speeds.begin(), data.speeds.end(), [&](const SpeedData& u) {
           return u.definition && depends_on(*u.definition, rate);
         });
}

}  // namespace

Dimension multiplier_dimension(const ConstraintData& c) {
  if (c.kind == ConstraintData::Kind::roll) return dimensions::force;
  const bool is_rate = c.kind == ConstraintData::Kind::motion;
  return dimension_of(ResultUnit::watt) / (is_rate ? c.dimension : per_time(c.dimension));
}

Dimension motor_dimension(const ModelData& data, const SpecifiedData& s) {
  return dimension_of(ResultUnit::watt) /
         (moves_as_position(data, s) ? per_time(s.dimension) : s.dimension);
}

Quantity Model::result(const std::string& name) {
  const EnergyResult* energy = find_energy_result(name);
  const std::optional<CalledResult> called = find_result_call(name);
  if (energy == nullptr && !called)
    throw UsageError("Model::result", "there is no result '" + name + "'", "E-output-target");
  const Expr symbol = data_->pool->symbol(name);
  data_->set_role(symbol, Role::result, 0);
  return {symbol, dimension_of(energy != nullptr ? energy->unit : called->call->unit)};
}

Vector Model::reaction(const std::string& name) {
  return make_result_vector(*data_, "reaction(" + name + ")", dimensions::force);
}

Vector Model::moment(const std::string& name) {
  return make_result_vector(*data_, "moment(" + name + ")", dimension_of(ResultUnit::newton_metre));
}

Vector Model::force_on(const std::string& interaction, const std::string& part) {
  return make_result_vector(*data_, "force(" + interaction + ", " + part + ")", dimensions::force);
}

Vector Model::moment_on(const std::string& interaction, const std::string& part) {
  return make_result_vector(*data_, "moment(" + interaction + ", " + part + ")",
                            dimension_of(ResultUnit::newton_metre));
}

Quantity Model::multiplier(const std::string& constraint) {
  const ConstraintData& c = find_constraint(*data_, constraint, "Model::multiplier");
  if (!has_one_row(c))
    throw UsageError("Model::multiplier", "'" + constraint + "' has several multipliers");
  const Expr symbol = data_->pool->symbol("multiplier(" + constraint + ")");
  data_->set_role(symbol, Role::result, 0);
  return {symbol, multiplier_dimension(c)};
}

Vector Model::multipliers(const std::string& constraint) {
  const ConstraintData& c = find_constraint(*data_, constraint, "Model::multipliers");
  if (has_one_row(c))
    throw UsageError("Model::multipliers", "'" + constraint + "' has one multiplier");
  return make_result_vector(*data_, "multiplier(" + constraint + ")", multiplier_dimension(c));
}

Quantity Model::motor(const std::string& specified) {
  const auto found =
      std::find_if(data_->specified.begin(), data_->specified.end(),
                   [&](const SpecifiedData& s) { return motor_name(s) == specified; });
  if (found == data_->specified.end())
    throw UsageError("Model::motor", "there is no specified function '" + specified + "'",
                     "E-output-target");
  const Expr symbol = data_->pool->symbol("motor(" + specified + ")");
  data_->set_role(symbol, Role::result, 0);
  return {symbol, motor_dimension(*data_, *found)};
}

void Model::claim(ClaimData::Kind kind, const std::string& subject, bool is_for_these_values) {
  using Kind = ClaimData::Kind;
  const auto has = [&](const auto& list) {
    return std::any_of(list.begin(), list.end(), [&](const auto& x) { return x.name == subject; });
  };
  const bool is_constraint = has(data_->constraints);
  const bool acts = is_constraint || has(data_->forces) || has(data_->springs) ||
                    has(data_->energies) || has(data_->specified) ||
                    (data_->gravity && subject == "gravity");
  if ((kind == Kind::holonomic || kind == Kind::nonholonomic) && !is_constraint)
    throw UsageError("Model::claim", "there is no constraint '" + subject + "'", "E-claim-subject");
  if ((kind == Kind::invariant || kind == Kind::third_law) && !acts)
    throw UsageError("Model::claim", "nothing that acts is called '" + subject + "'",
                     "E-claim-subject");
  data_->claims.push_back({kind, subject, {}, {}, is_for_these_values, data_->source()});
}

void Model::claim_constant(const std::string& written, const Quantity& value,
                           bool is_for_these_values) {
  const Expr e = in_pool(*data_, value, "Model::claim_constant");
  require_roles(*data_, e, output_roles, "Model::claim_constant", "the claim '" + written + "'");
  data_->claims.push_back({ClaimData::Kind::constant, written, e, value.dimension(),
                           is_for_these_values, data_->source()});
}

Quantity Model::momentum(const std::string& coordinate) {
  const auto found = std::find_if(data_->coordinates.begin(), data_->coordinates.end(),
                                  [&](const CoordinateData& c) { return c.name == coordinate; });
  if (found == data_->coordinates.end())
    throw UsageError("Model::momentum", "there is no coordinate '" + coordinate + "'",
                     "E-output-target");
  if (found->quaternion >= 0)
    throw UsageError("Model::momentum",
                     "'" + coordinate +
                         "' is an Euler parameter, which has no momentum of its own; "
                         "angular_momentum(B, P) is that of a body",
                     "E-output-target");
  const Expr symbol = data_->pool->symbol("p_" + coordinate);
  data_->set_role(symbol, Role::momentum,
                  static_cast<std::size_t>(found - data_->coordinates.begin()));
  return {symbol, dimension_of(ResultUnit::watt) / (per_time(per_time(found->dimension)))};
}

void Model::output(const std::string& name, const Quantity& value, bool plot) {
  OutputData o{name};
  o.scalar = in_pool(*data_, value, "Model::output");
  require_roles(*data_, o.scalar, output_roles, "Model::output", "the output '" + name + "'");
  o.dimension = value.dimension();
  o.is_plot = plot;
  o.source = data_->source();
  data_->outputs.push_back(o);
}

void Model::show_with_speed(const std::string& speed) { data_->outputs.back().speed = speed; }

void Model::output(const std::string& name, const Vector& value, bool plot) {
  OutputData o{name};
  o.is_vector = true;
  o.vector = in_model(*data_, value);
  require_roles(*data_, o.vector, output_roles, "Model::output", "the output '" + name + "'");
  o.dimension = value.dimension();
  o.is_plot = plot;
  o.source = data_->source();
  data_->outputs.push_back(o);
}

// Once for each place of the text: statements are figures.
void Model::add_abscissa(const Abscissa& over) {
  const Source source = data_->source();
  for (const OutputData& o : data_->outputs)
    if (o.is_abscissa && o.name == over.name && o.source.span.line == source.span.line) return;
  output(over.name, over.value, true);
  data_->outputs.back().is_abscissa = true;
}

void Model::plot(const std::string& name, const Quantity& value, const Abscissa& over) {
  add_abscissa(over);
  output(name, value, true);
  data_->outputs.back().over = over.name;
}

void Model::plot(const std::string& name, const Vector& value, const Abscissa& over) {
  add_abscissa(over);
  output(name, value, true);
  data_->outputs.back().over = over.name;
}

void Model::express(const std::string& written, const Quantity& value) {
  ExpressedData e{written};
  e.scalar = in_pool(*data_, value, "Model::express");
  require_roles(*data_, e.scalar, output_roles, "Model::express", "'" + written + "'");
  data_->expressed.push_back(std::move(e));
}

void Model::express(const std::string& written, const Vector& value,
                    const std::optional<Frame>& in) {
  ExpressedData e{written, true};
  e.vector = in_model(*data_, value);
  require_roles(*data_, e.vector, output_roles, "Model::express", "'" + written + "'");
  if (in) {
    require_same(*data_, &in->model(), "Model::express");
    e.frame = in->index();
  }
  data_->expressed.push_back(std::move(e));
}

void Model::event(const std::string& name, const Quantity& vanishing, bool stop) {
  require_name(name, "Model::event");
  require_free(data_->events, name, "Model::event", "event");
  const Expr e = in_pool(*data_, vanishing, "Model::event");
  require_roles(*data_, e, output_roles, "Model::event", "the event '" + name + "'");
  data_->events.push_back({name, e, stop, data_->source()});
}

void Model::study(const StudyData& study) { data_->study = study; }
void Model::vary(const Quantity& path, const Quantity& variation) {
  const char* function = "Model::vary";
  const Expr symbol = in_pool(*data_, path, function);
  const SymbolRole* role = symbol.is_symbol() ? data_->role(symbol) : nullptr;
  const bool is_path =
      role != nullptr && (role->role == Role::coordinate || role->role == Role::specified);
  if (!is_path)
    throw UsageError(function, "only a coordinate or a specified function can be varied",
                     "E-variation-name");
  const std::string& name = symbol.home().symbol_name(symbol.ref());
  require_free(data_->variations, name, function, "variation of");
  require_dimension(variation, path.dimension(), function, "the variation of '" + name + "'",
                    "E-dimension-definition");
  const Expr value = in_pool(*data_, variation, function);
  std::set<Role> allowed = known_roles;
  allowed.insert({Role::coordinate, Role::rate, Role::speed, Role::measure});
  require_roles(*data_, value, allowed, function, "the variation of '" + name + "'");
  data_->variations.push_back({name, symbol, value, path.dimension(), data_->source()});
}

void Model::add_joint(const JointData& joint) { data_->joints.push_back(joint); }
void Model::add_case(const CaseData& listed) { data_->cases.push_back(listed); }
void Model::set_case(const std::string& name) { data_->case_name = name; }
void Model::document(const std::string& text) { data_->documentation = text; }

void Model::set_source(const SourceSpan& span, const std::string& documentation) {
  data_->dimensions.here = span;
  data_->here_documentation = documentation;
}

}  // namespace visviva
