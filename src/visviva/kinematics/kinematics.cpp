#include "visviva/kinematics/kinematics.h"

#include <map>

#include "visviva/base/sequence.h"
#include "visviva/kinematics/coordinate_momentum.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

const auto length = Dimension::of(Dimension::length);
const auto duration = Dimension::of(Dimension::time);
const Dimension speed_dimension = length / duration;
const Dimension spin_dimension = Dimension() / duration;

void require_model(const MotionEngine& engine, const ModelData& other, const char* function) {
  if (&engine.model() != &other)
    throw UsageError(function, "the frame, point or vector belongs to another model");
}

Vector to_vector(const MotionEngine& engine, int frame, const Column3& column,
                 const Dimension& dimension) {
  return Vector(engine.model(), {{frame, column}}, dimension);
}

Vector to_vector(const MotionEngine& engine, const VectorMotion& v, const Dimension& dimension) {
  return to_vector(engine, v.frame, total(v, engine.table().symbols), dimension);
}

// w_AB as coefficients, in the frame of w_NB.
VectorMotion relative_spin(MotionEngine& engine, int B, int A) {
  VectorMotion w = engine.angular_velocity(B);
  if (A != 0) subtract_from(w, engine.express(engine.angular_velocity(A), w.frame));
  return w;
}

// v_AP = v_NP - v_NAo - w_NA x p_AoP as coefficients, in the frame of v_NP.
VectorMotion relative_velocity(MotionEngine& engine, const Point& P, int A) {
  VectorMotion v = engine.velocity(P.index());
  if (A == 0) return v;
  const ModelData& model = engine.model();
  const Point Ao(model, model.frame_origin(A));
  require_model(engine, Ao.model(), "Kinematics::velocity");
  subtract_from(v, engine.express(engine.velocity(Ao.index()), v.frame));
  const Column3 p_AoP = (P - Ao).in(Frame(model, v.frame));
  subtract_from(v, cross(engine.express(engine.angular_velocity(A), v.frame), p_AoP));
  return v;
}

// ---- Motion in N as people write it: each part in the frame in which it arises

std::vector<int> path_of_points(const ModelData& model, int Q) {
  std::vector<int> path;
  for (int p = Q; p > 0; p = model.points[p].parent) path.push_back(p);
  return {path.rbegin(), path.rend()};
}

// Adds up what each point on the way to Q contributes.
template <class Contribution>
Vector sum_over_points(MotionEngine& engine, int Q, const Dimension& dimension,
                       const Contribution& contribution) {
  std::vector<Vector::Part> parts;
  for (const int p : path_of_points(engine.model(), Q)) {
    const std::vector<VectorMotion>& terms = engine.local_velocity(p);
    for (std::size_t i = 0; i < terms.size(); ++i)
      parts.push_back({terms[i].frame, contribution(p, i, terms[i])});
  }
  return Vector(engine.model(), std::move(parts), dimension);
}

// Adds up what each frame on the way to F contributes. A part along the axis of a rotation is the
// same in both frames and goes along into the next one, so that planar chains have one part.
template <class Contribution>
Vector sum_over_frames(MotionEngine& engine, int F, const Dimension& dimension,
                       const Contribution& contribution) {
  const ModelData& model = engine.model();
  std::vector<int> path;
  for (int f = F; f > 0; f = model.frames[f].parent) path.push_back(f);
  std::map<int, std::vector<Column3>> columns;  // by frame
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const FrameData& frame = model.frames[*it];
    if (frame.fixed_axis) {
      Column3 carried = zero_column(*model.pool);
      std::erase_if(columns[frame.parent], [&](const Column3& c) {
        const bool along = is_zero(cross(*frame.fixed_axis, c));
        if (along) carried = carried + c;
        return along;
      });
      columns[*it].push_back(carried);
    }
    const VectorMotion& local = engine.local_spin(*it);
    columns[local.frame].push_back(contribution(*it, local));
  }
  std::vector<Vector::Part> parts;
  for (const auto& [f, list] : columns) {
    for (const Column3& c : list) parts.push_back({f, c});
  }
  return Vector(engine.model(), std::move(parts), dimension);
}

Column3 times_speed_rates(const MotionEngine& engine, const VectorMotion& v) {
  Column3 sum = zero_column(*engine.model().pool);
  for (const auto& [r, c] : v.coefficients) sum = sum + engine.table().speeds[r].rate * c;
  return sum;
}

}  // namespace

struct Kinematics::Data {
  std::shared_ptr<const ModelData> model;
  SpeedTable table;
  std::shared_ptr<ExprPool> pool;
  std::uint64_t subject = ExprPool::make_subject();
  std::vector<IntegratedRow> integrated_rows{};
};

const ModelData& Kinematics::model() const { return *data_->model; }
const SpeedTable& Kinematics::table() const { return data_->table; }
const std::shared_ptr<ExprPool>& Kinematics::pool() const { return data_->pool; }

const std::vector<IntegratedRow>& Kinematics::integrated_rows() const {
  return data_->integrated_rows;
}

Kinematics Kinematics::with_integrated_rows(std::vector<IntegratedRow> rows,
                                            std::shared_ptr<ExprPool> pool) const {
  if (!pool->stands_on(*data_->pool))
    throw UsageError("Kinematics::with_integrated_rows", "the pool is not on top of the motion's");
  Data data = *data_;
  data.pool = std::move(pool);
  data.integrated_rows = std::move(rows);
  return Kinematics(std::make_shared<const Data>(std::move(data)));
}

MotionEngine& engine_of(const Kinematics& motion) {
  const Kinematics::Data& data = *motion.data_;
  return data.pool->open().memo<MotionEngine>(
      data.subject, [&data](ExprPool& pool) { return MotionEngine(data.model, data.table, pool); });
}

std::vector<Frame> Kinematics::frames() const {
  std::vector<Frame> list;
  for (std::size_t i = 0; i < model().frames.size(); ++i)
    list.emplace_back(model(), static_cast<int>(i));
  return list;
}

std::vector<Point> Kinematics::points() const {
  std::vector<Point> list;
  for (std::size_t i = 0; i < model().points.size(); ++i)
    list.emplace_back(model(), static_cast<int>(i));
  return list;
}

const std::vector<Speed>& Kinematics::speeds() const { return table().speeds; }
const std::vector<Diagnostic>& Kinematics::warnings() const { return table().warnings; }

int Kinematics::speed_index(const std::string& name) const {
  for (std::size_t r = 0; r < speeds().size(); ++r) {
    if (speeds()[r].name == name) return static_cast<int>(r);
  }
  throw UsageError("Kinematics", "there is no speed '" + name + "'");
}

// ---- Scalars

Quantity Kinematics::rate(const Quantity& coordinate) const {
  const Workspace work = Workspace::continued(*data_->pool);
  const SymbolRole* role =
      coordinate.expr().is_symbol() ? model().role(coordinate.expr()) : nullptr;
  if (role == nullptr || role->role != Role::coordinate)
    throw UsageError("Kinematics::rate", "expected a coordinate");
  return {total(table().rates[role->index], table().symbols), coordinate.dimension() / duration};
}

Quantity Kinematics::time_derivative(const Quantity& scalar) const {
  const Workspace work = Workspace::continued(*data_->pool);
  const Expr e = resolve(scalar).expr(*model().pool);
  for (const Expr& s : free_symbols(e)) {
    for (const Speed& speed : speeds()) {
      if (s == speed.rate)
        throw UsageError("Kinematics::time_derivative",
                         "the expression contains " + speed.name + "' already");
    }
    for (const SpecifiedData& x : model().specified) {
      if (s == x.derivatives.back()) {
        throw UsageError("Kinematics::time_derivative",
                         "the expression contains " + x.name + "''', whose rate is not kept");
      }
    }
  }
  return {engine_of(*this).time_derivative(e), scalar.dimension() / duration};
}

Vector Kinematics::derivative(const Vector& v, const Frame& A) const {
  const Workspace work = Workspace::continued(*data_->pool);
  if (v.model() == nullptr) return {};
  require_model(engine_of(*this), *v.model(), "Kinematics::derivative");
  Vector sum(model(), {}, v.dimension() / duration);
  const Vector resolved = resolve(v);
  for (const Vector::Part& part : resolved.parts()) {
    Column3 rate;
    for (std::size_t i = 0; i < 3; ++i)
      rate[i] = time_derivative({part.column[i], v.dimension()}).expr();
    const Vector w = angular_velocity(Frame(model(), part.frame), A);
    const Vector itself = to_vector(engine_of(*this), part.frame, part.column, v.dimension());
    sum = sum + to_vector(engine_of(*this), part.frame, rate, sum.dimension()) +
          visviva::cross(w, itself);
  }
  return sum;
}

// ---- Frames

Vector Kinematics::angular_velocity(const Frame& B) const {
  const Workspace work = Workspace::continued(*data_->pool);
  return angular_velocity(B, Frame(B.model(), 0));
}

Vector Kinematics::angular_velocity(const Frame& B, const Frame& A) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), B.model(), "Kinematics::angular_velocity");
  require_model(engine_of(*this), A.model(), "Kinematics::angular_velocity");
  if (A.index() != 0)
    return to_vector(engine_of(*this), relative_spin(engine_of(*this), B.index(), A.index()),
                     spin_dimension);
  return sum_over_frames(engine_of(*this), B.index(), spin_dimension,
                         [&](int, const VectorMotion& w) { return total(w, table().symbols); });
}

Vector Kinematics::angular_acceleration(const Frame& B) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), B.model(), "Kinematics::angular_acceleration");
  return sum_over_frames(engine_of(*this), B.index(), spin_dimension / duration,
                         [&](int F, const VectorMotion& w) {
                           return times_speed_rates(engine_of(*this), w) +
                                  engine_of(*this).local_angular_acceleration(F);
                         });
}

Vector Kinematics::angular_acceleration(const Frame& B, const Frame& A) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), A.model(), "Kinematics::angular_acceleration");
  if (A.index() == 0) return angular_acceleration(B);
  // alpha_AB = alpha_NB - alpha_NA - w_NA x w_AB
  return angular_acceleration(B) - angular_acceleration(A) -
         visviva::cross(angular_velocity(A), angular_velocity(B, A));
}

Vector Kinematics::partial_angular_velocity(const Frame& B, const std::string& speed) const {
  const Workspace work = Workspace::continued(*data_->pool);
  return partial_angular_velocity(B, speed, Frame(B.model(), 0));
}

Vector Kinematics::partial_angular_velocity(const Frame& B, const std::string& speed,
                                            const Frame& A) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), B.model(), "Kinematics::partial_angular_velocity");
  require_model(engine_of(*this), A.model(), "Kinematics::partial_angular_velocity");
  const int r = speed_index(speed);
  const Dimension dimension = spin_dimension / speeds()[r].dimension;
  if (A.index() == 0) {
    return sum_over_frames(engine_of(*this), B.index(), dimension,
                           [&](int, const VectorMotion& w) { return coefficient(w, r); });
  }
  const VectorMotion w = relative_spin(engine_of(*this), B.index(), A.index());
  return to_vector(engine_of(*this), w.frame, coefficient(w, r), dimension);
}

Vector Kinematics::angular_velocity_remainder(const Frame& B) const {
  const Workspace work = Workspace::continued(*data_->pool);
  return angular_velocity_remainder(B, Frame(B.model(), 0));
}

Vector Kinematics::angular_velocity_remainder(const Frame& B, const Frame& A) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), B.model(), "Kinematics::angular_velocity_remainder");
  require_model(engine_of(*this), A.model(), "Kinematics::angular_velocity_remainder");
  if (A.index() == 0) {
    return sum_over_frames(engine_of(*this), B.index(), spin_dimension,
                           [](int, const VectorMotion& w) { return w.remainder; });
  }
  const VectorMotion w = relative_spin(engine_of(*this), B.index(), A.index());
  return to_vector(engine_of(*this), w.frame, w.remainder, spin_dimension);
}

const VectorMotion& Kinematics::angular_motion(const Frame& B) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), B.model(), "Kinematics::angular_motion");
  return engine_of(*this).angular_velocity(B.index());
}

const VectorMotion& Kinematics::body_motion(const Frame& B) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), B.model(), "Kinematics::body_motion");
  return engine_of(*this).angular_velocity_in_frame(B.index());
}

// ---- Points

Vector Kinematics::velocity(const Point& P) const { return velocity(P, Frame(P.model(), 0)); }

Vector Kinematics::velocity(const Point& P, const Frame& A) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), P.model(), "Kinematics::velocity");
  require_model(engine_of(*this), A.model(), "Kinematics::velocity");
  if (A.index() != 0)
    return to_vector(engine_of(*this), relative_velocity(engine_of(*this), P, A.index()),
                     speed_dimension);
  return sum_over_points(
      engine_of(*this), P.index(), speed_dimension,
      [&](int, std::size_t, const VectorMotion& v) { return total(v, table().symbols); });
}

Vector Kinematics::acceleration(const Point& P) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), P.model(), "Kinematics::acceleration");
  return sum_over_points(engine_of(*this), P.index(), speed_dimension / duration,
                         [&](int Q, std::size_t i, const VectorMotion& v) {
                           return times_speed_rates(engine_of(*this), v) +
                                  engine_of(*this).local_acceleration(Q)[i];
                         });
}

Vector Kinematics::acceleration(const Point& P, const Frame& A) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), A.model(), "Kinematics::acceleration");
  if (A.index() == 0) return acceleration(P);
  // a_AP = a_NP - a_NAo - alpha_NA x p - w_NA x (w_NA x p) - 2 w_NA x v_AP, p from Ao to P
  const Point Ao(model(), model().frame_origin(A.index()));
  const Vector p = P - Ao, w = angular_velocity(A);
  return acceleration(P) - acceleration(Ao) - visviva::cross(angular_acceleration(A), p) -
         visviva::cross(w, visviva::cross(w, p)) - 2.0 * visviva::cross(w, velocity(P, A));
}

Vector Kinematics::partial_velocity(const Point& P, const std::string& speed) const {
  const Workspace work = Workspace::continued(*data_->pool);
  return partial_velocity(P, speed, Frame(P.model(), 0));
}

Vector Kinematics::partial_velocity(const Point& P, const std::string& speed,
                                    const Frame& A) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), P.model(), "Kinematics::partial_velocity");
  require_model(engine_of(*this), A.model(), "Kinematics::partial_velocity");
  const int r = speed_index(speed);
  const Dimension dimension = speed_dimension / speeds()[r].dimension;
  if (A.index() == 0) {
    return sum_over_points(
        engine_of(*this), P.index(), dimension,
        [&](int, std::size_t, const VectorMotion& v) { return coefficient(v, r); });
  }
  const VectorMotion v = relative_velocity(engine_of(*this), P, A.index());
  return to_vector(engine_of(*this), v.frame, coefficient(v, r), dimension);
}

Vector Kinematics::velocity_remainder(const Point& P) const {
  const Workspace work = Workspace::continued(*data_->pool);
  return velocity_remainder(P, Frame(P.model(), 0));
}

Vector Kinematics::velocity_remainder(const Point& P, const Frame& A) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), P.model(), "Kinematics::velocity_remainder");
  require_model(engine_of(*this), A.model(), "Kinematics::velocity_remainder");
  if (A.index() == 0) {
    return sum_over_points(engine_of(*this), P.index(), speed_dimension,
                           [](int, std::size_t, const VectorMotion& v) { return v.remainder; });
  }
  const VectorMotion v = relative_velocity(engine_of(*this), P, A.index());
  return to_vector(engine_of(*this), v.frame, v.remainder, speed_dimension);
}

Vector Kinematics::velocity_on(const Point& P, const Frame& C) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), P.model(), "Kinematics::velocity_on");
  require_model(engine_of(*this), C.model(), "Kinematics::velocity_on");
  if (C.index() == 0) return Vector(model(), {}, speed_dimension);
  const Point Co(model(), model().frame_origin(C.index()));
  return velocity(Co) + visviva::cross(angular_velocity(C), P - Co);
}

const VectorMotion& Kinematics::point_motion(const Point& P) const {
  const Workspace work = Workspace::continued(*data_->pool);
  require_model(engine_of(*this), P.model(), "Kinematics::point_motion");
  return engine_of(*this).velocity(P.index());
}

ScalarMotion Kinematics::rate_of(const Expr& configuration) const {
  const Workspace work = Workspace::continued(*data_->pool);
  return engine_of(*this).rate_of(configuration);
}

Expr Kinematics::derivative_at_constant_speeds(const Expr& expr) const {
  const Workspace work = Workspace::continued(*data_->pool);
  return engine_of(*this).time_derivative_without_speed_rates(expr);
}

Expr Kinematics::speed_definition(const std::string& name) const {
  for (std::size_t i = 0; i < model().speeds.size(); ++i) {
    const auto& definition = table().definitions[i];
    if (model().speeds[i].name == name && definition) return *definition;
  }
  throw UsageError("Kinematics::speed_definition", "'" + name + "' has no definition");
}

// ---- Resolving

namespace {

// m v, and p x m v + I w about P, of the particle or body with this mass center.
Vector derive_momentum(const Kinematics& motion, const ModelData& model, const MeasureData& m) {
  for (const BodyData& body : model.bodies) {
    if (body.point != m.subject) continue;
    const Dimension mass = Dimension::of(Dimension::mass);
    const Point center(model, body.point);
    const Vector momentum = Quantity(body.mass, mass) * motion.velocity(center);
    if (m.kind == MeasureData::Kind::momentum) return momentum;
    const Vector orbital = visviva::cross(center - Point(model, m.frame), momentum);
    if (body.frame < 0) return orbital;
    const Frame B(model, body.frame);
    return orbital +
           dot(Dyadic(B, body.inertia, mass * length * length), motion.angular_velocity(B));
  }
  throw UsageError("momentum",
                   "'" + Point(model, m.subject).name() + "' is not the mass center of a body",
                   "E-name-kind");
}

Vector derive(const Kinematics& motion, const ModelData& model, const MeasureData& m) {
  const Frame frame(model, m.frame);
  switch (m.kind) {
    case MeasureData::Kind::velocity:
      return motion.velocity(Point(model, m.subject), frame);
    case MeasureData::Kind::material_velocity:
      return motion.velocity_on(Point(model, m.subject), frame);
    case MeasureData::Kind::acceleration:
      return motion.acceleration(Point(model, m.subject));
    case MeasureData::Kind::angular_velocity:
      return motion.angular_velocity(Frame(model, m.subject), frame);
    case MeasureData::Kind::angular_acceleration:
      return motion.angular_acceleration(Frame(model, m.subject));
    case MeasureData::Kind::momentum:
    case MeasureData::Kind::angular_momentum:
      return derive_momentum(motion, model, m);
    case MeasureData::Kind::partial_velocity: {
      const std::vector<Speed>& speeds = motion.speeds();
      const bool is_there = std::any_of(speeds.begin(), speeds.end(),
                                        [&](const Speed& s) { return s.name == m.speed; });
      if (!is_there) return Vector(model, {{m.home, m.symbols}}, Dimension());  // stays what it is
      return motion.partial_velocity(Point(model, m.subject), m.speed);
    }
  }
  throw InternalError("resolve: unknown quantity of motion");
}

}  // namespace

Quantity Kinematics::resolve(const Quantity& scalar) const {
  const Workspace work = Workspace::continued(*data_->pool);
  if (scalar.is_literal()) return scalar;
  ExprPool& pool = data_->pool->open();
  Replacements replacements;
  for (const Expr& s : free_symbols(scalar.expr())) {
    const SymbolRole* role = model().role(s);
    if (role == nullptr) continue;
    if (role->role == Role::measure) {
      const MeasureData m = *model().measure(s);
      const Column3 column = derive(*this, model(), m).in(Frame(model(), m.home));
      for (std::size_t i = 0; i < 3; ++i) {
        if (m.symbols[i] == s) replacements.emplace_back(s, column[i]);
      }
    } else if (role->role == Role::momentum) {
      replacements.emplace_back(
          s, compute_coordinate_momentum(engine_of(*this), model().coordinates[role->index]));
    } else if (role->role == Role::rate || role->role == Role::second_rate) {
      const Expr rate = total(table().rates[role->index], table().symbols);
      replacements.emplace_back(
          s, role->role == Role::rate ? rate : engine_of(*this).time_derivative(rate));
    }
  }
  return {Substitution(pool, replacements)(scalar.expr()), scalar.dimension()};
}

Vector Kinematics::resolve(const Vector& v) const {
  const Workspace work = Workspace::continued(*data_->pool);
  if (v.model() == nullptr) return v;
  require_model(engine_of(*this), *v.model(), "Kinematics::resolve");
  std::vector<Vector::Part> parts = v.parts();
  for (Vector::Part& part : parts) {
    for (Expr& e : part.column) e = resolve(Quantity(e, v.dimension())).expr();
  }
  return Vector(*v.model(), std::move(parts), v.dimension());
}

Kinematics analyze_motion(const Model& model) {
  const std::shared_ptr<const ModelData> shared = model.share();
  shared->pool.share()->finish();
  Workspace work(shared->pool.share());
  // Definitions of speeds may mention velocities: understand them first, with every rate a speed of
  // its own.
  const Kinematics formal(std::make_shared<Kinematics::Data>(
      Kinematics::Data{shared, make_formal_speeds(*shared), work.share()}));
  std::vector<std::optional<Expr>> definitions(shared->speeds.size());
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    const SpeedData& s = shared->speeds[i];
    if (!s.definition) continue;
    definitions[i] = formal.resolve({*s.definition, s.dimension}).expr();
    engine_of(formal).set_definition(i, *definitions[i]);
  }
  const Kinematics motion(std::make_shared<Kinematics::Data>(
      Kinematics::Data{shared, make_speeds(*shared, definitions), work.share()}));
  // All stages need velocities: derived here, they are derived once.
  MotionEngine& engine = engine_of(motion);
  for (std::size_t F = 0; F < engine.frame_count(); ++F) engine.angular_velocity(to_int(F));
  for (std::size_t Q = 0; Q < engine.point_count(); ++Q) engine.velocity(to_int(Q));
  work.finish();
  return motion;
}

}  // namespace visviva
