// The Model's geometry: frames, points, particles and bodies.
#include <algorithm>

#include "visviva/model/declare.h"
#include "visviva/model/model.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"

namespace visviva {
namespace {

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

SolidData make_solid(const ModelData& data, const Solid& solid, const char* function,
                     const std::string& name) {
  SolidData made{solid.kind, {}, solid.axis};
  for (std::size_t i = 0; i < 3; ++i)
    made.sizes[i] = constant_scalar(data, solid.sizes[i], dimensions::length, function,
                                    "a size of '" + name + "'", "E-dimension-solid");
  return made;
}

void orient_simple(ModelData& data, FrameData& frame) {
  const Orientation& o = frame.orientation;
  require_same(data, o.axis.model(), "Model::frame");
  const auto n = fixed_unit(data, o.axis.in(o.parent));
  if (!n)
    throw UsageError("Model::frame",
                     "the axis of '" + frame.name + "' is not fixed in '" + o.parent.name() + "'",
                     "E-frame-axis");
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
            "' needs four coordinates declared together by Model::quaternion, in that order",
        "E-quaternion-coordinates");
  }
  for (const FrameData& f : data.frames) {
    if (f.orientation.kind == Orientation::Kind::quaternion &&
        f.orientation.parameters[0].expr() == e[0]) {
      throw UsageError("Model::frame",
                       "the quaternion of '" + frame.name + "' orients '" + f.name + "' already",
                       "E-quaternion-coordinates");
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
  if (!find_linear_form(e, moving))
    throw UsageError("Model::frame", what + " is not linear in the speeds and rates",
                     "E-spin-nonlinear");
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

Point add_point(ModelData& data, const std::string& name, const Position& position,
                const char* function) {
  require_name(name, function);
  require_free(data.point_places, name, function, "point");
  require_same(data, &position.base.model(), function);
  if (!position.offset.is_plain_zero()) {
    require_dimension(position.offset.dimension(), dimensions::length, function,
                      "what is added to the position of '" + name + "'", "E-dimension-position");
  }
  require_roles(data, position.offset, configuration_roles, function,
                "the position of '" + name + "'");
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
  p.source = data.source();
  data.point_places[name] = static_cast<int>(data.points.size());
  data.points.push_back(p);
  ++data.declarations;
  return Point(data, static_cast<int>(data.points.size()) - 1);
}

}  // namespace

Frame Model::frame(const std::string& name, const Orientation& o) {
  require_name(name, "Model::frame");
  require_free(data_->frame_places, name, "Model::frame", "frame");
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
    require_roles(*data_, in_pool(*data_, o.parameters[i], "Model::frame"), configuration_roles,
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
  f.source = data_->source();
  data_->frame_places[name] = static_cast<int>(data_->frames.size());
  data_->frames.push_back(f);
  return Frame(*data_, static_cast<int>(data_->frames.size()) - 1);
}

Point Model::point(const std::string& name, const Position& position) {
  return add_point(*data_, name, position, "Model::point");
}

Point Model::particle(const std::string& name, const ParticleOptions& options) {
  const Expr m = constant_scalar(*data_, options.mass, dimensions::mass, "Model::particle",
                                 "the mass of '" + name + "'", "E-dimension-mass");
  const Point p = add_point(*data_, name, options.at, "Model::particle");
  data_->bodies.push_back({name, -1, p.index(), m, zero_matrix(*data_->pool), {}, data_->source()});
  return p;
}

Point Model::body(const Frame& frame, const BodyOptions& options) {
  require_same(*data_, &frame.model(), "Model::body");
  const std::string name = frame.name();
  FrameData& f = data_->frames[static_cast<std::size_t>(frame.index())];
  if (f.parent < 0)
    throw UsageError("Model::body", "the Newtonian frame cannot be a body", "E-name-reserved");
  if (f.body >= 0)
    throw UsageError("Model::body", "the body '" + name + "' is declared already", "E-name-twice");
  const Expr m = constant_scalar(*data_, options.mass, dimensions::mass, "Model::body",
                                 "the mass of '" + name + "'", "E-dimension-mass");
  const SolidData picture = make_solid(*data_, options.solid, "Model::body", name);
  const Inertia& given = options.inertia;
  const bool none = given.xx.is_zero() && given.yy.is_zero() && given.zz.is_zero();
  const bool solid = options.solid.kind != SolidData::Kind::none;
  const Inertia I = none && solid ? solid_inertia(options.solid, options.mass) : given;
  const auto entry = [&](const Quantity& q, const char* which) {
    return constant_scalar(*data_, q, dimensions::moment_of_inertia, "Model::body",
                           std::string("inertia ") + which + " of '" + name + "'",
                           "E-dimension-inertia");
  };
  const Expr xx = entry(I.xx, "xx"), yy = entry(I.yy, "yy"), zz = entry(I.zz, "zz");
  const Expr xy = entry(I.xy, "xy"), yz = entry(I.yz, "yz"), zx = entry(I.zx, "zx");
  const Point center = add_point(*data_, name + "cm", options.at, "Model::body");
  f.body = static_cast<int>(data_->bodies.size());
  data_->bodies.push_back({name,
                           frame.index(),
                           center.index(),
                           m,
                           {Column3{xx, xy, zx}, Column3{xy, yy, yz}, Column3{zx, yz, zz}},
                           picture,
                           data_->source()});
  return center;
}

void Model::picture(const std::string& name, const PictureOptions& options) {
  const char* function = "Model::picture";
  require_same(*data_, &options.frame.model(), function);
  for (const PictureData& other : data_->pictures)
    if (other.name == name)
      throw UsageError(function, "the picture '" + name + "' is declared already", "E-name-twice");
  PictureData picture{name, options.frame.index(), options.at.base.index(),
                      zero_column(*data_->pool), zero_column(*data_->pool)};
  if (!options.at.offset.is_zero()) picture.offset = options.at.offset.in(options.frame);
  for (const Expr& e : picture.offset)
    if (!has_only_parameters(*data_, e))
      throw UsageError(
          function,
          "the place of the picture '" + name + "' is not fixed in its frame: name a point for it",
          "E-point-expected");
  for (std::size_t i = 0; i < 3; ++i)
    picture.turn[i] = constant_scalar(*data_, options.turn[i], Dimension(), function,
                                      "an angle of '" + name + "'", "E-dimension-angle");
  picture.solid = make_solid(*data_, options.solid, function, name);
  picture.mesh = options.mesh;
  picture.source = data_->source();
  data_->pictures.push_back(std::move(picture));
}

std::optional<Frame> Model::find_frame(const std::string& name) const {
  const auto place = data_->frame_places.find(name);
  if (place == data_->frame_places.end()) return std::nullopt;
  return Frame(*data_, place->second);
}

std::optional<Point> Model::find_point(const std::string& name) const {
  const auto place = data_->point_places.find(name);
  if (place == data_->point_places.end()) return std::nullopt;
  return Point(*data_, place->second);
}

}  // namespace visviva
