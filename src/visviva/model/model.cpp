// The Model's scalars: parameters, specified functions, inputs, coordinates, speeds and their start
// values.
#include "visviva/model/model.h"

#include <algorithm>
#include <cmath>

#include "visviva/model/declare.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/function_symbol.h"

namespace visviva {
namespace {

// One of four names that were reserved for a quaternion.
bool is_euler_parameter(const ModelData& data, const std::string& name) {
  for (const auto& group : data.quaternion_names) {
    if (std::find(group.begin(), group.end(), name) != group.end()) return true;
  }
  return false;
}

// Checked before any symbol is made, so that a refused declaration leaves its name free.
CoordinateData make_coordinate(ModelData& data, const std::string& name,
                               const CoordinateOptions& options) {
  CoordinateData c;
  c.name = name;
  const bool told = options.start && !options.start->is_plain_zero();
  c.dimension = told                             ? options.start->dimension()
                : options.dimension              ? *options.dimension
                : is_euler_parameter(data, name) ? Dimension()
                                                 : data.dimensions.make(name);
  const char* function = "Model::coordinate";
  if (options.start) {
    c.start = in_pool(data, *options.start, function);
    require_roles(data, *c.start, {Role::parameter}, function, "the start value of '" + name + "'");
    c.start_note = {options.is_guess, false, data.source().span};
  }
  if (options.start_rate) {
    require_dimension(*options.start_rate, per_second(c.dimension), function,
                      "the start rate of '" + name + "'", "E-dimension-start");
    c.start_rate = in_pool(data, *options.start_rate, function);
    require_roles(data, *c.start_rate, {Role::parameter}, function,
                  "the start rate of '" + name + "'");
    c.start_rate_note.span = data.source().span;
  }
  return c;
}

Quantity add_coordinate(ModelData& data, CoordinateData c, const Expr& symbol) {
  c.q = symbol;
  c.rate = data.pool->symbol(c.name + "'");
  c.second_rate = data.pool->symbol(c.name + "''");
  c.order = data.declarations++;
  data.set_role(c.q, Role::coordinate, data.coordinates.size());
  data.set_role(c.rate, Role::rate, data.coordinates.size());
  data.set_role(c.second_rate, Role::second_rate, data.coordinates.size());
  c.source = data.source();
  for (std::size_t g = 0; g < data.quaternions.size(); ++g) {
    for (std::size_t i = 0; i < 4; ++i) {
      if (data.quaternion_names[g][i] != c.name) continue;
      c.quaternion = static_cast<int>(g);
      data.quaternions[g][i] = static_cast<int>(data.coordinates.size());
    }
  }
  data.coordinates.push_back(c);
  return {c.q, c.dimension};
}

void require_speed_definition(const ModelData& data, const std::string& name,
                              const Expr& definition) {
  const std::string what = "the definition of '" + name + "'";
  for (const Expr& s : free_symbols(definition)) {
    const SymbolRole* role = data.role(s);
    if (role != nullptr && (role->role == Role::second_rate || role->role == Role::speed_rate))
      throw UsageError("Model::speed",
                       what + " contains '" + s.home().symbol_name(s.ref()) +
                           "', an acceleration; expected rates such as x'",
                       "E-speed-acceleration");
  }
  require_roles(data, definition,
                {Role::parameter, Role::specified, Role::specified_rate, Role::coordinate,
                 Role::rate, Role::time, Role::hidden, Role::measure},
                "Model::speed", what);
  require_derivable(data, definition, "Model::speed", what);
}

Quantity add_speed(ModelData& data, const std::string& name, const Dimension& dimension) {
  SpeedData s;
  s.name = name;
  s.u = data.pool->symbol(name);
  s.rate = data.pool->symbol(name + "'");
  s.dimension = dimension;
  s.order = data.declarations++;
  s.source = data.source();
  data.set_role(s.u, Role::speed, data.speeds.size());
  data.set_role(s.rate, Role::speed_rate, data.speeds.size());
  data.speeds.push_back(s);
  return {s.u, dimension};
}

Quantity add_specified(ModelData& data, const std::string& name, const Dimension& dimension) {
  SpecifiedData s;
  s.name = name;
  std::string ticks;
  for (Expr& e : s.derivatives) {
    e = data.pool->symbol(name + ticks);
    data.set_role(e, ticks.empty() ? Role::specified : Role::specified_rate, data.specified.size());
    ticks += "'";
  }
  s.dimension = dimension;
  s.source = data.source();
  ++data.declarations;
  data.specified.push_back(s);
  return {s.derivatives[0], dimension};
}

}  // namespace

// Function, then its dimension: X by theta has that of X over that of theta.
void Model::function(const std::string& name, const std::vector<std::string>& parameters) {
  const char* verb = "Model::function";
  require_name(name, verb);
  require_free(data_->functions, name, verb, "function");
  if (parameters.empty())
    throw UsageError(verb, "the function '" + name + "' has no arguments", "E-function-arguments");
  FunctionData f;
  f.name = name;
  f.parameters = parameters;
  f.dimension = data_->dimensions.make(name);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    require_name(parameters[i], verb);
    if (std::find(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(i),
                  parameters[i]) != parameters.begin() + static_cast<std::ptrdiff_t>(i))
      throw UsageError(verb, "the argument '" + parameters[i] + "' stands twice", "E-name-twice");
    f.parameter_dimensions.push_back(
        data_->dimensions.make("argument " + parameters[i] + " of " + name));
  }
  f.source = data_->source();
  data_->functions.push_back(f);
}

void Model::function(const std::string& name, const std::vector<std::string>& parameters,
                     std::shared_ptr<const TableFunction> table, const Dimension& dimension,
                     const std::vector<std::optional<Dimension>>& parameter_dimensions,
                     const std::string& file) {
  const char* verb = "Model::function";
  if (!table || table->argument_count() != parameters.size() ||
      parameter_dimensions.size() != parameters.size())
    throw UsageError(verb, "a table needs a parameter for each of its axes");
  function(name, parameters);
  FunctionData& f = data_->functions.back();
  f.dimension = dimension;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameter_dimensions[i]) f.parameter_dimensions[i] = *parameter_dimensions[i];
  f.file = file;
  f.table = table;
  data_->pool->define_table(name, std::move(table));
}

Quantity Model::call(const std::string& function, const std::vector<Quantity>& arguments,
                     const std::vector<std::size_t>& by) {
  const char* verb = "Model::call";
  const auto found = std::find_if(data_->functions.begin(), data_->functions.end(),
                                  [&](const FunctionData& f) { return f.name == function; });
  if (found == data_->functions.end())
    throw UsageError(verb, "there is no function '" + function + "'", "E-function-unknown");
  FunctionData& f = *found;
  if (arguments.size() != f.parameters.size())
    throw UsageError(verb,
                     "'" + function + "' takes " + std::to_string(f.parameters.size()) +
                         (f.parameters.size() == 1 ? " argument" : " arguments") + ", found " +
                         std::to_string(arguments.size()),
                     "E-function-arguments");
  std::vector<Expr> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_plain_zero())
      unify_or_throw(arguments[i].dimension(), f.parameter_dimensions[i], verb,
                     "E-dimension-function");
    values.push_back(in_pool(*data_, arguments[i], verb));
  }
  FunctionSymbol symbol{f.name, f.parameters, {}};
  Dimension dimension = f.dimension;
  for (const std::size_t i : by) {
    symbol = symbol.derivative(i);
    dimension = dimension / f.parameter_dimensions[i];
  }
  f.is_used = true;
  return {visviva::call(symbol, values), dimension};
}

ModelData& Model::Draft::operator*() {
  if (data_->pool.share()->is_finished()) {
    throw UsageError("Model", "the model '" + data_->name +
                                  "' is finished: analyze_motion was called, declare everything "
                                  "before it or make another model");
  }
  return *data_;
}

Model::Model(const std::string& name) {
  require_name(name, "Model");
  data_->name = name;
  data_->time = data_->pool->symbol("t");
  data_->set_role(data_->time, Role::time, 0);
  FrameData n;
  n.name = "N";
  n.R_PB = identity_matrix(*data_->pool);
  data_->frame_places["N"] = 0;
  data_->frames.push_back(n);
  PointData origin;
  origin.name = "No";
  data_->point_places["No"] = 0;
  data_->points.push_back(origin);
}

Frame Model::newtonian() const { return Frame(*data_, 0); }
Quantity Model::time() const { return {data_->time, dimensions::duration}; }
Quantity Model::constant(const Quantity& number) const {
  return {in_pool(*data_, number, "Model::constant"), number.dimension()};
}

// ---- Scalars

Quantity Model::parameter(const std::string& name) {
  return parameter(name, data_->dimensions.make(name));
}

Quantity Model::parameter(const std::string& name, const Quantity& value) {
  require_free_scalar(*data_, name, "Model::parameter");
  in_pool(*data_, value, "Model::parameter");
  require_roles(*data_, in_pool(*data_, value, "Model::parameter"), {Role::parameter},
                "Model::parameter", "the value of '" + name + "'");
  const Quantity p = parameter(name, value.dimension());
  define(p, value);
  return p;
}

Quantity Model::parameter(const std::string& name, const Dimension& dimension) {
  require_free_scalar(*data_, name, "Model::parameter");
  const Expr symbol = data_->pool->symbol(name);
  data_->set_role(symbol, Role::parameter, data_->parameters.size());
  data_->parameters.push_back({name, symbol, dimension, std::nullopt, data_->source()});
  ++data_->declarations;
  return {symbol, dimension};
}

Quantity Model::specified(const std::string& name) {
  return specified(name, data_->dimensions.make(name));
}

Quantity Model::specified(const std::string& name, const Quantity& definition) {
  require_free_scalar(*data_, name, "Model::specified");
  require_roles(*data_, in_pool(*data_, definition, "Model::specified"), known_roles,
                "Model::specified", "the definition of '" + name + "'");
  const Quantity x = specified(name, definition.dimension());
  define(x, definition);
  return x;
}

Quantity Model::specified(const std::string& name, const Dimension& dimension) {
  require_free_scalar(*data_, name, "Model::specified");
  return add_specified(*data_, name, dimension);
}

Quantity Model::input(const std::string& name) {
  require_free_scalar(*data_, name, "Model::input");
  const Expr symbol = data_->pool->symbol(name);
  data_->set_role(symbol, Role::input, data_->inputs.size());
  data_->inputs.push_back(
      {name, symbol, data_->dimensions.make(name), data_->pool->zero(), data_->source()});
  ++data_->declarations;
  return {symbol, data_->inputs.back().dimension};
}

Quantity Model::input(const std::string& name, const Quantity& value) {
  require_free_scalar(*data_, name, "Model::input");
  require_roles(*data_, in_pool(*data_, value, "Model::input"), {Role::parameter}, "Model::input",
                "the value of '" + name + "'");
  const Quantity q = input(name);
  require_dimension(value.dimension(), q.dimension(), "Model::input",
                    "the value of '" + name + "'");
  define(q, value);
  return q;
}

Quantity Model::state(const std::string& name, bool is_held) {
  require_free_scalar(*data_, name, "Model::state");
  const Expr symbol = data_->pool->symbol(name);
  data_->set_role(symbol, Role::state, data_->states.size());
  data_->states.push_back({name,
                           symbol,
                           data_->dimensions.make(name),
                           {},
                           data_->pool->zero(),
                           is_held,
                           data_->source()});
  ++data_->declarations;
  return {symbol, data_->states.back().dimension};
}

// The place among the held states of something that samples change; an input becomes one of them.
static int find_held_state(ModelData* data, const Expr& symbol) {
  const SymbolRole* role = symbol.is_symbol() ? data->role(symbol) : nullptr;
  const std::string name = symbol.is_symbol() ? symbol.home().symbol_name(symbol.ref()) : "this";
  if (role != nullptr && role->role == Role::state) {
    if (data->states[static_cast<std::size_t>(role->index)].is_held) return role->index;
    throw UsageError("Model::sample", "'" + name + "' has a law, which samples cannot change",
                     "E-sample-target");
  }
  if (role == nullptr || role->role != Role::input)
    throw UsageError(
        "Model::sample",
        "'" + name + "' is " + (role == nullptr ? "nothing" : role_name(role->role)) +
            (role == nullptr ? " that samples change" : ", which samples cannot change"),
        "E-sample-target");
  InputData& input = data->inputs[static_cast<std::size_t>(role->index)];
  if (input.state < 0) {
    input.state = static_cast<int>(data->states.size());
    data->states.push_back({input.name, input.symbol, input.dimension, input.value,
                            data->pool->zero(), true, input.source});
  }
  return input.state;
}

void Model::sample(const Quantity& period,
                   const std::vector<std::pair<Quantity, Quantity>>& changes) {
  const char* function = "Model::sample";
  SampleData sample{constant_scalar(*data_, period, dimensions::duration, function,
                                    "the time between two samples", "E-dimension-sample"),
                    {},
                    data_->source()};
  std::set<Role> allowed = motion_roles;
  allowed.erase(Role::unknown);
  for (const auto& [target, value] : changes) {
    const Expr symbol = in_pool(*data_, target, function), v = in_pool(*data_, value, function);
    const int state = find_held_state(&*data_, symbol);
    const std::string what =
        "the sampled value of '" + data_->states[static_cast<std::size_t>(state)].name + "'";
    require_roles(*data_, v, allowed, function, what, "E-state-law");
    require_dimension(value, target.dimension(), function, what, "E-dimension-definition");
    for (const SampleData& other : data_->samples)
      for (const auto& change : other.changes)
        if (change.first == state)
          throw UsageError(function, what + " is given by another sample already",
                           "E-sample-target");
    for (const auto& change : sample.changes)
      if (change.first == state)
        throw UsageError(function, what + " is given twice", "E-sample-target");
    sample.changes.emplace_back(state, v);
  }
  data_->samples.push_back(std::move(sample));
}

void Model::other_energy(const std::string& name, const Quantity& value) {
  require_dimension(value, dimensions::energy, "Model::other_energy", "the energy '" + name + "'",
                    "E-dimension-energy");
  const Expr v = in_pool(*data_, value, "Model::other_energy");
  require_roles(*data_, v, motion_roles, "Model::other_energy", "the energy '" + name + "'");
  data_->other_energies.push_back({name, v, data_->source()});
}

void Model::define_state(const Quantity& state, const Quantity& law) {
  const char* function = "Model::define_state";
  const Expr symbol = in_pool(*data_, state, function);
  const SymbolRole* role = symbol.is_symbol() ? data_->role(symbol) : nullptr;
  if (role == nullptr || role->role != Role::state)
    throw UsageError(function, "only a state has a law");
  if (data_->states[static_cast<std::size_t>(role->index)].is_held)
    throw UsageError(function, "a state that is held has no law: samples change it", "E-state-law");
  StateData& s = data_->states[static_cast<std::size_t>(role->index)];
  const std::string what = "the law of '" + s.name + "'";
  const Expr rate = in_pool(*data_, law, function);
  std::set<Role> allowed = motion_roles;
  allowed.erase(Role::unknown);
  require_roles(*data_, rate, allowed, function, what, "E-state-law");
  for (const Expr& e : free_symbols(rate)) {
    const auto measure = data_->measure(e);
    if (measure && (measure->kind == MeasureData::Kind::acceleration ||
                    measure->kind == MeasureData::Kind::angular_acceleration))
      throw UsageError(function, what + " contains an acceleration, which cannot stand there",
                       "E-state-law");
  }
  require_dimension(law, per_second(s.dimension), function, what, "E-dimension-definition");
  s.law = rate;
}

Quantity Model::unknown(const std::string& name) {
  require_free_scalar(*data_, name, "Model::unknown");
  const Expr symbol = data_->pool->symbol(name);
  data_->set_role(symbol, Role::unknown, data_->unknowns.size());
  data_->unknowns.push_back({name, symbol, data_->dimensions.make(name), data_->source()});
  return {symbol, data_->unknowns.back().dimension};
}

Quantity Model::coordinate(const std::string& name, const CoordinateOptions& options) {
  require_free_scalar(*data_, name, "Model::coordinate");
  const CoordinateData c = make_coordinate(*data_, name, options);
  return add_coordinate(*data_, c, data_->pool->symbol(name));
}

void Model::reserve_quaternion(const std::array<std::string, 4>& names) {
  for (std::size_t i = 0; i < 4; ++i) {
    require_free_scalar(*data_, names[i], "Model::quaternion");
    if (std::count(names.begin(), names.end(), names[i]) > 1)
      throw UsageError("Model::quaternion", "the name '" + names[i] + "' stands twice",
                       "E-quaternion-coordinates");
  }
  data_->pool->unit_quaternion(names);
  data_->quaternions.push_back({-1, -1, -1, -1});
  data_->quaternion_names.push_back(names);
}

std::array<Quantity, 4> Model::quaternion(const std::array<std::string, 4>& names,
                                          const std::array<double, 4>& start) {
  const double norm = std::hypot(std::hypot(start[0], start[1]), std::hypot(start[2], start[3]));
  if (!(norm > 0.0) || !std::isfinite(norm))
    throw UsageError("Model::quaternion", "the start values are not a direction",
                     "E-quaternion-zero");
  reserve_quaternion(names);
  std::array<Quantity, 4> result;
  for (std::size_t i = 0; i < 4; ++i) {
    const double value = norm == 1.0 ? start[i] : start[i] / norm;
    result[i] = coordinate(names[i], {.start = Quantity(value), .dimension = Dimension()});
  }
  return result;
}

Quantity Model::speed(const std::string& name) { return speed(name, data_->dimensions.make(name)); }

Quantity Model::speed(const std::string& name, const Quantity& definition) {
  require_free_scalar(*data_, name, "Model::speed");
  require_speed_definition(*data_, name, in_pool(*data_, definition, "Model::speed"));
  const Quantity u = speed(name, definition.dimension());
  define(u, definition);
  return u;
}

Quantity Model::speed(const std::string& name, const Dimension& dimension) {
  require_free_scalar(*data_, name, "Model::speed");
  return add_speed(*data_, name, dimension);
}

void Model::define(const Quantity& scalar, const Quantity& value) {
  const char* function = "Model::define";
  const Expr symbol = in_pool(*data_, scalar, function);
  const SymbolRole* role = symbol.is_symbol() ? data_->role(symbol) : nullptr;
  if (role == nullptr) throw UsageError(function, "only a declared scalar can be defined");
  const std::string what = "the value of '" + symbol.home().symbol_name(symbol.ref()) + "'";
  const Expr v = in_pool(*data_, value, function);
  // Roles first: a dimension must not be inferred from what cannot stand there.
  if (role->role == Role::parameter || role->role == Role::input)
    require_roles(*data_, v, {Role::parameter}, function, what, "E-value-not-constant");
  if (role->role == Role::specified)
    require_roles(*data_, v, known_roles, function, what, "E-specified-depends");
  require_dimension(value, scalar.dimension(), function, what, "E-dimension-definition");
  const auto index = static_cast<std::size_t>(role->index);
  switch (role->role) {
    case Role::parameter:
      data_->parameters[index].value = v;
      break;
    case Role::input:
      data_->inputs[index].value = v;
      break;
    case Role::specified:
      data_->specified[index].definition = v;
      data_->specified[index].table = nullptr;
      break;
    case Role::speed:
      require_speed_definition(*data_, data_->speeds[index].name, v);
      data_->speeds[index].definition = v;
      break;
    default:
      throw UsageError(
          function,
          "'" + symbol.home().symbol_name(symbol.ref()) + "' is " + role_name(role->role) +
              "; only parameters, inputs, specified functions and speeds have definitions");
  }
}

void Model::define(const Quantity& specified, std::shared_ptr<const Spline> table,
                   const Dimension& dimension) {
  const SymbolRole* role = specified.expr().is_symbol() ? data_->role(specified.expr()) : nullptr;
  if (role == nullptr || role->role != Role::specified)
    throw UsageError("Model::define", "only a specified function can have a table");
  SpecifiedData& s = data_->specified[static_cast<std::size_t>(role->index)];
  require_dimension(dimension, s.dimension, "Model::define", "the table of '" + s.name + "'",
                    "E-dimension-table");
  s.table = std::move(table);
  s.definition.reset();
}

void Model::start(const Quantity& scalar, const Quantity& value, const StartOptions& options) {
  const Expr symbol = in_pool(*data_, scalar, "Model::start");
  const SymbolRole* role = symbol.is_symbol() ? data_->role(symbol) : nullptr;
  require_dimension(value, scalar.dimension(), "Model::start", "the start value",
                    "E-dimension-start");
  const Expr v = in_pool(*data_, value, "Model::start");
  require_roles(*data_, v, {Role::parameter}, "Model::start", "the start value",
                "E-value-not-constant");
  const auto index = role == nullptr ? std::size_t{0} : static_cast<std::size_t>(role->index);
  const StartNote note{options.is_guess, options.is_change, data_->source().span};
  if (role != nullptr && role->role == Role::speed) {
    data_->speeds[index].start = v;
    data_->speeds[index].start_note = note;
  } else if (role != nullptr && role->role == Role::rate) {
    data_->coordinates[index].start_rate = v;
    data_->coordinates[index].start_rate_note = note;
  } else if (role != nullptr && role->role == Role::coordinate) {
    data_->coordinates[index].start = v;
    data_->coordinates[index].start_note = note;
  } else if (role != nullptr && role->role == Role::state) {
    data_->states[index].start = v;
  } else {
    throw UsageError("Model::start", "only coordinates, rates, speeds and states have start values",
                     "E-start-target");
  }
}

Quantity Model::rate(const Quantity& scalar) const {
  const Expr symbol = in_pool(*data_, scalar, "Model::rate");
  const SymbolRole* role = symbol.is_symbol() ? data_->role(symbol) : nullptr;
  const Dimension d = per_second(scalar.dimension());
  const auto index = role == nullptr ? std::size_t{0} : static_cast<std::size_t>(role->index);
  switch (role == nullptr ? Role::parameter : role->role) {
    case Role::state:
      return {data_->states[index].law, d};
    case Role::coordinate:
      return {data_->coordinates[index].rate, d};
    case Role::rate:
      return {data_->coordinates[index].second_rate, d};
    case Role::speed:
      return {data_->speeds[index].rate, d};
    case Role::specified:
      return {data_->specified[index].derivatives[1], d};
    case Role::specified_rate:
      for (std::size_t k = 1; k < 3; ++k) {
        if (data_->specified[index].derivatives[k] == symbol)
          return {data_->specified[index].derivatives[k + 1], d};
      }
      [[fallthrough]];
    default:
      throw UsageError("Model::rate",
                       (role == nullptr ? "this"
                                        : "'" + symbol.home().symbol_name(symbol.ref()) + "' is " +
                                              role_name(role->role)) +
                           std::string(" and has no rate; a coordinate has two, a specified "
                                       "function two and a speed one"),
                       "E-rate-unknown");
  }
}

}  // namespace visviva
