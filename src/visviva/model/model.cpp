#include "visviva/model/model.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "visviva/base/error.h"
#include "visviva/symbolic/evaluate.h"
#include "visviva/symbolic/inspect.h"
#include "visviva/symbolic/linear_form.h"

namespace visviva {
namespace {

constexpr auto length = Dimension::of(Dimension::length);
constexpr auto mass = Dimension::of(Dimension::mass);
constexpr auto duration = Dimension::of(Dimension::time);

Dimension per_second(const Dimension& d, int times = 1) { return d / duration.power(times); }

// Letters of any script (bytes beyond ASCII), digits and _, not starting with a digit.
bool is_name(const std::string& name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                        static_cast<unsigned char>(c) >= 0x80;
    if (!letter && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

void require_name(const std::string& name, const char* function) {
  if (!is_name(name))
    throw UsageError(function, "'" + name + "' is no name: letters, digits and _, a letter first");
}

void require_free_scalar(const ModelData& data, const std::string& name, const char* function) {
  static const std::set<std::string> reserved = {"K",
                                                 "K0",
                                                 "K1",
                                                 "K2",
                                                 "U",
                                                 "Z",
                                                 "E_Z",
                                                 "E",
                                                 "H",
                                                 "C",
                                                 "sigma",
                                                 "sigma_R",
                                                 "P_nonconservative",
                                                 "t",
                                                 "pi"};
  require_name(name, function);
  if (reserved.count(name) != 0) throw UsageError(function, "the name '" + name + "' is reserved");
  if (data.pool->has_symbol_named(name))
    throw UsageError(function, "the scalar '" + name + "' is declared already");
}

template <class List>
void require_free(const List& list, const std::string& name, const char* function,
                  const char* what) {
  for (const auto& item : list) {
    if (item.name == name)
      throw UsageError(function,
                       std::string("the ") + what + " '" + name + "' is declared already");
  }
}

const char* role_name(Role role) {
  switch (role) {
    case Role::parameter:
      return "a parameter";
    case Role::specified:
      return "a specified function";
    case Role::specified_rate:
      return "a rate of a specified function";
    case Role::input:
      return "an input";
    case Role::coordinate:
      return "a coordinate";
    case Role::rate:
      return "a rate";
    case Role::second_rate:
      return "a second rate";
    case Role::speed:
      return "a speed";
    case Role::speed_rate:
      return "a rate of a speed";
    case Role::time:
      return "time";
    case Role::hidden:
      return "a hidden state";
    case Role::measure:
      return "a quantity of motion";
  }
  return "a symbol";
}

// UsageError when an expression contains a symbol of a role that is not among those allowed.
void require_roles(const ModelData& data, const Expr& expr, const std::set<Role>& allowed,
                   const char* function, const std::string& what) {
  for (const Expr& s : free_symbols(expr)) {
    const SymbolRole* role = data.role(s);
    const std::string& name = data.pool->symbol_name(s.ref());
    if (role == nullptr)
      throw UsageError(function,
                       what + " contains '" + name + "', which this model does not declare");
    if (allowed.count(role->role) == 0) {
      throw UsageError(function, what + " contains '" + name + "', " + role_name(role->role) +
                                     ", which cannot stand there");
    }
  }
}

// What a velocity contains is differentiated once more, and x''' is the last rate that is kept.
void require_derivable(const ModelData& data, const Expr& expr, const char* function,
                       const std::string& what) {
  for (const Expr& s : free_symbols(expr)) {
    const SymbolRole* role = data.role(s);
    if (role == nullptr || role->role != Role::specified_rate) continue;
    const SpecifiedData& x = data.specified[static_cast<std::size_t>(role->index)];
    if (s == x.derivatives.back())
      throw UsageError(function, what + " contains '" + x.name + "'''', whose rate is not kept");
  }
}

const std::set<Role> configuration = {Role::parameter, Role::specified, Role::coordinate,
                                      Role::time, Role::hidden};
const std::set<Role> known = {Role::parameter, Role::specified, Role::specified_rate, Role::time};

Expr in_pool(const ModelData& data, const Quantity& q, const char* function) {
  if (!q.is_literal() && &q.expr().pool() != data.pool.get())
    throw UsageError(function, "a quantity belongs to another model");
  return q.expr(*data.pool);
}

void require_same(const ModelData& data, const ModelData* other, const char* function) {
  if (other != nullptr && other != &data)
    throw UsageError(function, "a frame, point or vector belongs to another model");
}

// Every part of a vector may depend on configuration only.
void require_configuration(const ModelData& data, const Vector& v, const char* function,
                           const std::string& what) {
  require_same(data, v.model(), function);
  for (const Vector::Part& part : v.parts()) {
    for (const Expr& e : part.column) require_roles(data, e, configuration, function, what);
  }
}

bool has_only_parameters(const ModelData& data, const Expr& e) {
  for (const Expr& s : free_symbols(e)) {
    const SymbolRole* role = data.role(s);
    if (role == nullptr || role->role != Role::parameter) return false;
  }
  return true;
}

double sign_of_number(const Expr& e) { return evaluate(e, {}, {}) < 0.0 ? -1.0 : 1.0; }

// c/|c|, if c is fixed: its entries contain parameters at most.
std::optional<Column3> fixed_unit(const ModelData& data, const Column3& c) {
  std::vector<std::size_t> entries;
  Expr number;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!has_only_parameters(data, c[i])) return std::nullopt;
    if (!c[i].is_zero()) entries.push_back(i);
    if (!c[i].is_zero() && c[i].is_constant()) number = c[i];
  }
  if (entries.empty()) return std::nullopt;
  if (entries.size() == 1) {
    const std::size_t i = entries[0];
    Column3 n = zero_column(*data.pool);
    n[i] = number.valid() ? data.pool->number(sign_of_number(number)) : sign(c[i]);
    return n;
  }
  // Divided by the size of a number, roots are of small numbers.
  const Expr scale = number.valid() ? sign_of_number(number) * number : data.pool->one();
  const Column3 n = {c[0] / scale, c[1] / scale, c[2] / scale};
  const Expr norm = sqrt(dot(n, n));
  return Column3{n[0] / norm, n[1] / norm, n[2] / norm};
}

// n with |n| = 1 along a column, up to its sign, if the entries' ratios are parameters at most.
std::optional<Column3> fixed_direction(const ModelData& data, const Column3& c) {
  std::size_t first = 0;
  while (first < 3 && c[first].is_zero()) ++first;
  if (first == 3) return std::nullopt;
  Column3 n;
  for (std::size_t i = 0; i < 3; ++i) {
    n[i] = c[i] / c[first];
    if (!has_only_parameters(data, n[i])) return std::nullopt;
  }
  const Expr norm = sqrt(dot(n, n));
  return Column3{n[0] / norm, n[1] / norm, n[2] / norm};
}

void orient_simple(ModelData& data, FrameData& frame) {
  const Orientation& o = frame.orientation;
  require_same(data, o.axis.model(), "Model::frame");
  const auto n = fixed_unit(data, o.axis.in(o.parent));
  if (!n)
    throw UsageError("Model::frame",
                     "the axis of '" + frame.name + "' is not fixed in '" + o.parent.name() + "'");
  frame.fixed_axis = *n;
  frame.R_PB = simple_rotation(*n, in_pool(data, o.parameters[0], "Model::frame"));
}

void orient_sequence(ModelData& data, FrameData& frame) {
  frame.R_PB = identity_matrix(*data.pool);
  for (std::size_t i = 0; i < 3; ++i) {
    Column3 n = zero_column(*data.pool);
    n[static_cast<std::size_t>(frame.orientation.axes[i])] = data.pool->one();
    frame.R_PB = frame.R_PB *
                 simple_rotation(n, in_pool(data, frame.orientation.parameters[i], "Model::frame"));
  }
}

void orient_quaternion(ModelData& data, FrameData& frame) {
  std::array<Expr, 4> e;
  std::array<int, 4> coordinates{};
  for (std::size_t i = 0; i < 4; ++i) {
    e[i] = in_pool(data, frame.orientation.parameters[i], "Model::frame");
    const SymbolRole* role = e[i].is_symbol() ? data.role(e[i]) : nullptr;
    coordinates[i] = role != nullptr && role->role == Role::coordinate ? role->index : -1;
  }
  bool together = false;
  for (const auto& group : data.quaternions) together = together || group == coordinates;
  if (!together) {
    throw UsageError(
        "Model::frame",
        "the quaternion of '" + frame.name +
            "' needs four coordinates declared together by Model::quaternion, in that order");
  }
  for (const FrameData& f : data.frames) {
    if (f.orientation.kind == Orientation::Kind::quaternion &&
        f.orientation.parameters[0].expr() == e[0]) {
      throw UsageError("Model::frame",
                       "the quaternion of '" + frame.name + "' orients '" + f.name + "' already");
    }
  }
  frame.R_PB = quaternion_rotation(e);
}

void orient_rodrigues(ModelData& data, FrameData& frame) {
  Column3 g;
  for (std::size_t i = 0; i < 3; ++i)
    g[i] = in_pool(data, frame.orientation.parameters[i], "Model::frame");
  frame.R_PB = rodrigues_rotation(g);
}

void require_linear(const ModelData& data, const Expr& e, const std::string& what) {
  std::vector<Expr> moving;
  for (const Expr& s : free_symbols(e)) {
    const Role role = data.role(s)->role;
    if (role == Role::rate || role == Role::speed) moving.push_back(s);
  }
  try {
    make_linear_form(e, moving);
  } catch (const UsageError&) {
    throw UsageError("Model::frame", what + " is not linear in the speeds and rates");
  }
}

void orient_spin(ModelData& data, FrameData& frame) {
  const Orientation& o = frame.orientation;
  require_same(data, o.angular_velocity.model(), "Model::frame");
  const std::string what = "the angular velocity of '" + frame.name + "'";
  for (const Vector::Part& part : o.angular_velocity.parts()) {
    for (const Expr& e : part.column) {
      require_roles(data, e,
                    {Role::parameter, Role::specified, Role::specified_rate, Role::coordinate,
                     Role::rate, Role::speed, Role::time, Role::hidden},
                    "Model::frame", what);
      require_derivable(data, e, "Model::frame", what);
      require_linear(data, e, what);
    }
  }
  // A fixed axis needs one hidden angle, any other motion a hidden quaternion.
  frame.fixed_axis = fixed_direction(data, o.angular_velocity.in(o.parent));
  if (frame.fixed_axis) {
    frame.hidden = {data.pool->symbol(frame.name + ".angle")};
    frame.R_PB = simple_rotation(*frame.fixed_axis, frame.hidden[0]);
  } else {
    const std::string& n = frame.name;
    const auto e = data.pool->unit_quaternion({n + ".e0", n + ".e1", n + ".e2", n + ".e3"});
    frame.hidden.assign(e.begin(), e.end());
    frame.R_PB = quaternion_rotation(e);
  }
  for (const Expr& h : frame.hidden) data.set_role(h, Role::hidden, data.frames.size());
}

// Checked before any symbol is made, so that a refused declaration leaves its name free.
CoordinateData make_coordinate(const ModelData& data, const std::string& name,
                               const CoordinateOptions& options) {
  CoordinateData c;
  c.name = name;
  c.dimension =
      options.start && !options.start->is_zero() ? options.start->dimension() : options.dimension;
  if (options.start && options.start->is_zero() && options.dimension.is_dimensionless())
    c.dimension = options.start->dimension();
  const char* function = "Model::coordinate";
  if (options.start) {
    c.start = in_pool(data, *options.start, function);
    require_roles(data, *c.start, {Role::parameter}, function, "the start value of '" + name + "'");
  }
  if (options.start_rate) {
    require_dimension(*options.start_rate, per_second(c.dimension), function,
                      "the start rate of '" + name + "'");
    c.start_rate = in_pool(data, *options.start_rate, function);
    require_roles(data, *c.start_rate, {Role::parameter}, function,
                  "the start rate of '" + name + "'");
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
  data.coordinates.push_back(c);
  return {c.q, c.dimension};
}

Quantity add_speed(ModelData& data, const std::string& name, const Dimension& dimension,
                   std::optional<Expr> definition) {
  SpeedData s;
  s.name = name;
  s.u = data.pool->symbol(name);
  s.rate = data.pool->symbol(name + "'");
  s.dimension = dimension;
  s.definition = definition;
  s.order = data.declarations++;
  data.set_role(s.u, Role::speed, data.speeds.size());
  data.set_role(s.rate, Role::speed_rate, data.speeds.size());
  data.speeds.push_back(s);
  return {s.u, dimension};
}

Quantity add_specified(ModelData& data, const std::string& name, const Dimension& dimension,
                       std::optional<Expr> definition) {
  SpecifiedData s;
  s.name = name;
  std::string ticks;
  for (Expr& e : s.derivatives) {
    e = data.pool->symbol(name + ticks);
    data.set_role(e, ticks.empty() ? Role::specified : Role::specified_rate, data.specified.size());
    ticks += "'";
  }
  s.dimension = dimension;
  s.definition = definition;
  ++data.declarations;
  data.specified.push_back(s);
  return {s.derivatives[0], dimension};
}

Point add_point(ModelData& data, const std::string& name, const Position& position,
                const char* function) {
  require_name(name, function);
  require_free(data.points, name, function, "point");
  require_same(data, &position.base.model(), function);
  if (!position.offset.is_zero() && position.offset.dimension() != length) {
    throw UsageError(function, "the position of '" + name + "' adds a vector of dimension '" +
                                   position.offset.dimension().str() + "', expected 'm'");
  }
  require_configuration(data, position.offset, function, "the position of '" + name + "'");
  PointData p;
  p.name = name;
  p.parent = position.base.index();
  p.offset = position.offset;
  p.home_frame = data.points[static_cast<std::size_t>(p.parent)].home_frame;
  int depth = -1;
  for (const Vector::Part& part : p.offset.parts()) {
    const int d = data.frames[static_cast<std::size_t>(part.frame)].depth;
    if (d >= depth) p.home_frame = part.frame;
    depth = std::max(depth, d);
  }
  data.points.push_back(p);
  ++data.declarations;
  return Point(data, static_cast<int>(data.points.size()) - 1);
}

// Three symbols in the home frame that stand for a vector of motion; the same ones each time.
Vector measure(ModelData& data, MeasureData::Kind kind, int subject, int frame,
               const Dimension& dimension) {
  for (const MeasureData& m : data.measures) {
    if (m.kind == kind && m.subject == subject && m.frame == frame)
      return Vector(data, {{m.home, m.symbols}}, dimension);
  }
  MeasureData m{kind, subject, frame, 0, {}};
  const bool angular = kind == MeasureData::Kind::angular_velocity ||
                       kind == MeasureData::Kind::angular_acceleration;
  m.home = angular ? subject : data.points[static_cast<std::size_t>(subject)].home_frame;
  static constexpr const char* verbs[] = {"velocity", "velocity_on", "acceleration",
                                          "angular_velocity", "angular_acceleration"};
  const std::string& who = angular ? data.frames[static_cast<std::size_t>(subject)].name
                                   : data.points[static_cast<std::size_t>(subject)].name;
  const std::string name = std::string(verbs[static_cast<int>(kind)]) + "(" + who + ", " +
                           data.frames[static_cast<std::size_t>(frame)].name + ").";
  for (std::size_t i = 0; i < 3; ++i) {
    m.symbols[i] = data.pool->symbol(name + "xyz"[i]);
    data.set_role(m.symbols[i], Role::measure, data.measures.size());
  }
  data.measures.push_back(m);
  return Vector(data, {{m.home, m.symbols}}, dimension);
}

}  // namespace

Model::Model(const std::string& name) : data_(std::make_shared<ModelData>()) {
  require_name(name, "Model");
  data_->name = name;
  data_->time = data_->pool->symbol("t");
  data_->set_role(data_->time, Role::time, 0);
  FrameData n;
  n.name = "N";
  n.R_PB = identity_matrix(*data_->pool);
  data_->frames.push_back(n);
  PointData origin;
  origin.name = "No";
  data_->points.push_back(origin);
}

Frame Model::newtonian() const { return Frame(*data_, 0); }
Quantity Model::time() const { return {data_->time, duration}; }
Quantity Model::constant(const Quantity& number) const {
  return {in_pool(*data_, number, "Model::constant"), number.dimension()};
}

// ---- Scalars

Quantity Model::parameter(const std::string& name, const Quantity& value) {
  require_free_scalar(*data_, name, "Model::parameter");
  const Expr v = in_pool(*data_, value, "Model::parameter");
  require_roles(*data_, v, {Role::parameter}, "Model::parameter", "the value of '" + name + "'");
  const Quantity p = parameter(name, value.dimension());
  data_->parameters.back().value = v;
  return p;
}

Quantity Model::parameter(const std::string& name, const Dimension& dimension) {
  require_free_scalar(*data_, name, "Model::parameter");
  const Expr symbol = data_->pool->symbol(name);
  data_->set_role(symbol, Role::parameter, data_->parameters.size());
  data_->parameters.push_back({name, symbol, dimension, std::nullopt});
  ++data_->declarations;
  return {symbol, dimension};
}

Quantity Model::specified(const std::string& name, const Quantity& definition) {
  require_free_scalar(*data_, name, "Model::specified");
  const Expr d = in_pool(*data_, definition, "Model::specified");
  require_roles(*data_, d, known, "Model::specified", "the definition of '" + name + "'");
  return add_specified(*data_, name, definition.dimension(), d);
}

Quantity Model::specified(const std::string& name, const Dimension& dimension) {
  require_free_scalar(*data_, name, "Model::specified");
  return add_specified(*data_, name, dimension, std::nullopt);
}

Quantity Model::input(const std::string& name, const Quantity& value) {
  require_free_scalar(*data_, name, "Model::input");
  const Expr v = in_pool(*data_, value, "Model::input");
  require_roles(*data_, v, {Role::parameter}, "Model::input", "the value of '" + name + "'");
  const Expr symbol = data_->pool->symbol(name);
  data_->set_role(symbol, Role::input, data_->inputs.size());
  data_->inputs.push_back({name, symbol, value.dimension(), v});
  ++data_->declarations;
  return {symbol, value.dimension()};
}

Quantity Model::coordinate(const std::string& name, const CoordinateOptions& options) {
  require_free_scalar(*data_, name, "Model::coordinate");
  const CoordinateData c = make_coordinate(*data_, name, options);
  return add_coordinate(*data_, c, data_->pool->symbol(name));
}

std::array<Quantity, 4> Model::quaternion(const std::array<std::string, 4>& names,
                                          const std::array<double, 4>& start) {
  for (std::size_t i = 0; i < 4; ++i) {
    require_free_scalar(*data_, names[i], "Model::quaternion");
    if (std::count(names.begin(), names.end(), names[i]) > 1)
      throw UsageError("Model::quaternion", "the name '" + names[i] + "' stands twice");
  }
  const double norm = std::hypot(std::hypot(start[0], start[1]), std::hypot(start[2], start[3]));
  if (!(norm > 0.0) || !std::isfinite(norm))
    throw UsageError("Model::quaternion", "the start values are not a direction");
  const std::array<Expr, 4> e = data_->pool->unit_quaternion(names);
  std::array<Quantity, 4> result;
  std::array<int, 4> group{};
  for (std::size_t i = 0; i < 4; ++i) {
    group[i] = static_cast<int>(data_->coordinates.size());
    const double value = norm == 1.0 ? start[i] : start[i] / norm;
    result[i] =
        add_coordinate(*data_, make_coordinate(*data_, names[i], {.start = Quantity(value)}), e[i]);
    data_->coordinates.back().quaternion = static_cast<int>(data_->quaternions.size());
  }
  data_->quaternions.push_back(group);
  return result;
}

Quantity Model::speed(const std::string& name, const Quantity& definition) {
  require_free_scalar(*data_, name, "Model::speed");
  const Expr d = in_pool(*data_, definition, "Model::speed");
  require_roles(*data_, d,
                {Role::parameter, Role::specified, Role::specified_rate, Role::coordinate,
                 Role::rate, Role::time, Role::hidden, Role::measure},
                "Model::speed", "the definition of '" + name + "'");
  require_derivable(*data_, d, "Model::speed", "the definition of '" + name + "'");
  return add_speed(*data_, name, definition.dimension(), d);
}

Quantity Model::speed(const std::string& name, const Dimension& dimension) {
  require_free_scalar(*data_, name, "Model::speed");
  return add_speed(*data_, name, dimension, std::nullopt);
}

void Model::start(const Quantity& scalar, const Quantity& value) {
  const Expr symbol = in_pool(*data_, scalar, "Model::start");
  const SymbolRole* role = symbol.is_symbol() ? data_->role(symbol) : nullptr;
  require_dimension(value, scalar.dimension(), "Model::start", "the start value");
  const Expr v = in_pool(*data_, value, "Model::start");
  require_roles(*data_, v, {Role::parameter}, "Model::start", "the start value");
  const auto index = role == nullptr ? std::size_t{0} : static_cast<std::size_t>(role->index);
  if (role != nullptr && role->role == Role::speed) {
    data_->speeds[index].start = v;
  } else if (role != nullptr && role->role == Role::rate) {
    data_->coordinates[index].start_rate = v;
  } else if (role != nullptr && role->role == Role::coordinate) {
    data_->coordinates[index].start = v;
  } else {
    throw UsageError("Model::start", "only coordinates, rates and speeds have start values");
  }
}

Quantity Model::rate(const Quantity& scalar) const {
  const Expr symbol = in_pool(*data_, scalar, "Model::rate");
  const SymbolRole* role = symbol.is_symbol() ? data_->role(symbol) : nullptr;
  const Dimension d = per_second(scalar.dimension());
  const auto index = role == nullptr ? std::size_t{0} : static_cast<std::size_t>(role->index);
  switch (role == nullptr ? Role::parameter : role->role) {
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
                       "only a coordinate, a speed or a specified function has a rate symbol");
  }
}

// ---- Geometry

Frame Model::frame(const std::string& name, const Orientation& o) {
  require_name(name, "Model::frame");
  require_free(data_->frames, name, "Model::frame", "frame");
  require_same(*data_, &o.parent.model(), "Model::frame");
  FrameData f;
  f.name = name;
  f.parent = o.parent.index();
  f.depth = data_->frames[static_cast<std::size_t>(f.parent)].depth + 1;
  f.orientation = o;
  const std::size_t count = o.kind == Orientation::Kind::simple       ? 1
                            : o.kind == Orientation::Kind::spin       ? 0
                            : o.kind == Orientation::Kind::quaternion ? 4
                                                                      : 3;
  for (std::size_t i = 0; i < count; ++i) {
    require_roles(*data_, in_pool(*data_, o.parameters[i], "Model::frame"), configuration,
                  "Model::frame", "the orientation of '" + name + "'");
  }
  switch (o.kind) {
    case Orientation::Kind::simple:
      orient_simple(*data_, f);
      break;
    case Orientation::Kind::sequence:
      orient_sequence(*data_, f);
      break;
    case Orientation::Kind::quaternion:
      orient_quaternion(*data_, f);
      break;
    case Orientation::Kind::rodrigues:
      orient_rodrigues(*data_, f);
      break;
    case Orientation::Kind::spin:
      orient_spin(*data_, f);
      break;
  }
  f.order = data_->declarations++;
  data_->frames.push_back(f);
  return Frame(*data_, static_cast<int>(data_->frames.size()) - 1);
}

Point Model::point(const std::string& name, const Position& position) {
  return add_point(*data_, name, position, "Model::point");
}

Point Model::particle(const std::string& name, const ParticleOptions& options) {
  require_dimension(options.mass, mass, "Model::particle", "the mass of '" + name + "'");
  const Expr m = in_pool(*data_, options.mass, "Model::particle");
  require_roles(*data_, m, {Role::parameter}, "Model::particle", "the mass of '" + name + "'");
  const Point p = add_point(*data_, name, options.at, "Model::particle");
  data_->bodies.push_back({name, -1, p.index(), m, zero_matrix(*data_->pool)});
  return p;
}

Point Model::body(const Frame& frame, const BodyOptions& options) {
  require_same(*data_, &frame.model(), "Model::body");
  const std::string name = frame.name();
  FrameData& f = data_->frames[static_cast<std::size_t>(frame.index())];
  if (f.parent < 0) throw UsageError("Model::body", "the Newtonian frame cannot be a body");
  if (f.body >= 0) throw UsageError("Model::body", "the body '" + name + "' is declared already");
  const auto scalar = [&](const Quantity& q, const Dimension& d, const std::string& what) {
    require_dimension(q, d, "Model::body", what + " of '" + name + "'");
    const Expr e = in_pool(*data_, q, "Model::body");
    require_roles(*data_, e, {Role::parameter}, "Model::body", what + " of '" + name + "'");
    return e;
  };
  const Expr m = scalar(options.mass, mass, "the mass");
  const Dimension moment = mass * length.power(2);
  const Inertia& I = options.inertia;
  const Expr xx = scalar(I.xx, moment, "inertia xx"), yy = scalar(I.yy, moment, "inertia yy"),
             zz = scalar(I.zz, moment, "inertia zz");
  const Expr xy = scalar(I.xy, moment, "inertia xy"), yz = scalar(I.yz, moment, "inertia yz"),
             zx = scalar(I.zx, moment, "inertia zx");
  const Point center = add_point(*data_, name + "cm", options.at, "Model::body");
  f.body = static_cast<int>(data_->bodies.size());
  data_->bodies.push_back({name,
                           frame.index(),
                           center.index(),
                           m,
                           {Column3{xx, xy, zx}, Column3{xy, yy, yz}, Column3{zx, yz, zz}}});
  return center;
}

// ---- Quantities of motion

Vector velocity(const Point& P) { return velocity(P, Frame(P.model(), 0)); }
Vector velocity(const Point& P, const Frame& A) {
  require_same(P.model(), &A.model(), "velocity");
  return measure(P.model(), MeasureData::Kind::velocity, P.index(), A.index(), per_second(length));
}
Vector velocity_on(const Point& P, const Frame& C) {
  require_same(P.model(), &C.model(), "velocity_on");
  return measure(P.model(), MeasureData::Kind::material_velocity, P.index(), C.index(),
                 per_second(length));
}
Vector acceleration(const Point& P) {
  return measure(P.model(), MeasureData::Kind::acceleration, P.index(), 0, per_second(length, 2));
}
Vector angular_velocity(const Frame& B) { return angular_velocity(B, Frame(B.model(), 0)); }
Vector angular_velocity(const Frame& B, const Frame& A) {
  require_same(B.model(), &A.model(), "angular_velocity");
  return measure(B.model(), MeasureData::Kind::angular_velocity, B.index(), A.index(),
                 per_second(Dimension()));
}
Vector angular_acceleration(const Frame& B) {
  return measure(B.model(), MeasureData::Kind::angular_acceleration, B.index(), 0,
                 per_second(Dimension(), 2));
}

}  // namespace visviva
