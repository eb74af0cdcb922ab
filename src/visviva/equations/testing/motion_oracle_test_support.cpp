// MotionOracle, defined once for all tests.
#include "visviva/equations/testing/motion_oracle_test.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "visviva/kinematics/constraint_rows.h"
#include "visviva/kinematics/motion_engine.h"

namespace visviva::mechanisms {
namespace {

Vector3 axial(const Rotation& m) {
  return Vector3(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)) / 2;
}

}  // namespace

MotionOracle::MotionOracle(const Kinematics& motion) : motion_(motion), model_(motion.model()) {
  list_symbols();
  list_geometry();
  list_rates();
  list_laws();
  geometry_ = std::make_unique<Evaluator>(symbols_, geometry_outputs_);
  rates_ = std::make_unique<Evaluator>(symbols_, rate_outputs_);
  laws_ = std::make_unique<Evaluator>(symbols_, law_outputs_);
}

std::size_t MotionOracle::place(const Expr& symbol) const {
  return places_.at(symbol.home().symbol_name(symbol.ref()));
}

int MotionOracle::speed_count() const { return static_cast<int>(motion_.speeds().size()); }

int MotionOracle::row_count() const { return static_cast<int>(row_laws_.size()); }

// ---- Motion

std::vector<Real> MotionOracle::move(const std::vector<Real>& state, const RealVector& udot,
                                     Real h) const {
  const Moving moving = make_moving(state, udot);
  return move(state, moving, h);
}

Real MotionOracle::step(const std::vector<Real>& state, const RealVector& udot) const {
  return step(make_moving(state, udot));
}

Real MotionOracle::largest_rate_coefficient(const std::vector<Real>& state) const {
  const RealMatrix C = rates(state).first;
  return C.size() == 0 ? Real(0) : C.cwiseAbs().maxCoeff();
}

Placement MotionOracle::place_everything(const std::vector<Real>& state) const {
  const std::vector<Real> local = (*geometry_)(state);
  Placement placement(
      static_cast<Eigen::Index>(3 * model_.points.size() + 9 * model_.frames.size()));
  std::size_t k = 0;
  for (std::size_t F = 0; F < model_.frames.size(); ++F) {
    Rotation R_PF = Rotation::Identity();
    if (F > 0) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) R_PF(i, j) = local[k++];
      }
      R_PF = R(placement, model_.frames[F].parent) * R_PF;
    }
    set_R(placement, static_cast<int>(F), R_PF);
  }
  for (std::size_t Q = 0; Q < model_.points.size(); ++Q) {
    const PointData& point = model_.points[Q];
    Vector3 p_NQ = point.parent < 0 ? Vector3(Vector3::Zero()) : p(placement, point.parent);
    for (const Vector::Part& part : point.offset.parts()) {
      const Vector3 c(local[k], local[k + 1], local[k + 2]);
      p_NQ += R(placement, part.frame) * c;
      k += 3;
    }
    placement.segment<3>(static_cast<Eigen::Index>(3 * Q)) = p_NQ;
  }
  return placement;
}

Vector3 MotionOracle::p(const Placement& placement, int Q) const {
  return placement.segment<3>(3 * Q);
}

Rotation MotionOracle::R(const Placement& placement, int F) const {
  return Eigen::Map<const Rotation>(placement.data() + rotation_place(F));
}

MotionOracle::Accelerations MotionOracle::accelerate(const std::vector<Real>& state,
                                                     const RealVector& udot) const {
  const Moving moving = make_moving(state, udot);
  const auto path = [&](Real h) { return place_everything(move(state, moving, h)); };
  const Real h = step(moving);
  return {path(0), first_difference(path, h), second_difference(path, h)};
}

Vector3 MotionOracle::v(const Accelerations& a, int Q) const { return p(a.first, Q); }

Vector3 MotionOracle::a(const Accelerations& a, int Q) const { return p(a.second, Q); }

Vector3 MotionOracle::w(const Accelerations& a, int F) const {
  return axial(R(a.first, F) * R(a.at, F).transpose());
}

Vector3 MotionOracle::alpha(const Accelerations& a, int F) const {
  return axial(R(a.second, F) * R(a.at, F).transpose());
}

// ---- Equations, (3) to (5)

MotionOracle::Numbers MotionOracle::assemble(const std::vector<Real>& state) const {
  const int n = speed_count();
  const RealVector zero = RealVector::Zero(n);
  const Accelerations now = accelerate(state, zero);
  const std::vector<Placement> virtual_motion = make_virtual_motion(state);
  Numbers result;
  result.M = RealMatrix::Zero(n, n);
  result.f = result.f_scale = RealVector::Zero(n);
  add_bodies(state, now, virtual_motion, result);
  const RealVector inertial = result.f;
  add_loads(state, now, virtual_motion, result);
  result.active = result.f - inertial;
  add_rows(state, result);
  return result;
}

Real MotionOracle::kinetic_energy(const std::vector<Real>& state) const {
  const Accelerations now = accelerate(state, RealVector::Zero(speed_count()));
  const std::vector<Real> laws = (*laws_)(state);
  Real energy = 0;
  for (std::size_t B = 0; B < model_.bodies.size(); ++B) {
    const BodyData& body = model_.bodies[B];
    energy += laws[body_laws_[B]] * v(now, body.point).squaredNorm() / 2;
    if (body.frame < 0) continue;
    const Vector3 spin = w(now, body.frame);
    energy += spin.dot(inertia(laws, B, now.at) * spin) / 2;
  }
  return energy;
}

Real MotionOracle::power_on(const std::vector<Real>& state, const RealVector& udot,
                            const std::vector<Real>& other) const {
  const Accelerations now = accelerate(state, udot);
  const Accelerations moved = accelerate(other, RealVector::Zero(speed_count()));
  const std::vector<Real> laws = (*laws_)(state);
  Real power = 0;
  for (std::size_t B = 0; B < model_.bodies.size(); ++B) {
    const BodyData& body = model_.bodies[B];
    power += laws[body_laws_[B]] * a(now, body.point).dot(v(moved, body.point));
    if (body.frame < 0) continue;
    const Rotation I = inertia(laws, B, now.at);
    const Vector3 spin = w(now, body.frame);
    power += (I * alpha(now, body.frame) + spin.cross(I * spin)).dot(w(moved, body.frame));
  }
  return power;
}

RealVector MotionOracle::row_values(const std::vector<Real>& state) const {
  const std::vector<Real> laws = (*laws_)(state);
  RealVector values(row_count());
  for (int i = 0; i < row_count(); ++i) values(i) = laws[row_laws_[static_cast<std::size_t>(i)]];
  return values;
}

RealVector MotionOracle::velocity_errors(const std::vector<Real>& state) const {
  const Moving moving = make_moving(state, RealVector::Zero(speed_count()));
  const RealVector now = row_values(state);
  RealVector errors =
      first_difference([&](Real h) { return row_values(move(state, moving, h)); }, step(moving));
  for (int i = 0; i < row_count(); ++i) {
    if (!is_position(i)) errors(i) = now(i);
  }
  return errors;
}

RealVector MotionOracle::position_errors(const std::vector<Real>& state) const {
  const std::vector<Real> laws = (*laws_)(state);
  RealVector values(static_cast<Eigen::Index>(position_laws_.size()));
  for (std::size_t i = 0; i < position_laws_.size(); ++i)
    values(static_cast<Eigen::Index>(i)) = laws[position_laws_[i]];
  return values;
}

RealVector MotionOracle::solve(const Numbers& e) const {
  const Eigen::Index n = e.M.rows(), m = e.A.rows();
  RealMatrix K = RealMatrix::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = e.M;
  K.topRightCorner(n, m) = -e.A.transpose();
  K.bottomLeftCorner(m, n) = e.A;
  RealVector right(n + m);
  right << e.f, e.b;
  Eigen::CompleteOrthogonalDecomposition<RealMatrix> decomposition;
  decomposition.setThreshold(1e-12L);
  decomposition.compute(K);
  return decomposition.solve(right);
}

// ---- What to evaluate

void MotionOracle::add_symbol(const Expr& s) {
  places_[s.home().symbol_name(s.ref())] = symbols_.size();
  symbols_.push_back(s);
}

void MotionOracle::list_symbols() {
  add_symbol(model_.time);
  for (const ParameterData& p : model_.parameters) add_symbol(p.symbol);
  for (const InputData& i : model_.inputs) add_symbol(i.symbol);
  for (const SpecifiedData& s : model_.specified) {
    for (const Expr& x : s.derivatives) add_symbol(x);
  }
  first_moving_ = symbols_.size();
  for (const CoordinateData& c : model_.coordinates) add_symbol(c.q);
  for (const FrameData& f : model_.frames) {
    for (const Expr& e : f.hidden) add_symbol(e);
  }
  for (const auto& four : model_.quaternions) {
    std::array<std::size_t, 4> places{};
    for (std::size_t k = 0; k < 4; ++k)
      places[k] = place(model_.coordinates[static_cast<std::size_t>(four[k])].q);
    quaternions_.push_back(places);
  }
  for (const FrameData& f : model_.frames) {
    if (f.hidden.size() == 4)
      quaternions_.push_back(
          {place(f.hidden[0]), place(f.hidden[1]), place(f.hidden[2]), place(f.hidden[3])});
  }
  first_speed_ = symbols_.size();
  for (const Speed& u : motion_.speeds()) add_symbol(u.u);
}

void MotionOracle::list_geometry() {
  for (std::size_t F = 1; F < model_.frames.size(); ++F) {
    for (const Column3& row : model_.frames[F].R_PB) {
      for (const Expr& e : row) geometry_outputs_.push_back(e);
    }
  }
  for (const PointData& point : model_.points) {
    for (const Vector::Part& part : point.offset.parts()) {
      for (const Expr& e : part.column) geometry_outputs_.push_back(e);
    }
  }
}

void MotionOracle::list_rates() {
  for (std::size_t i = 0; i < model_.coordinates.size(); ++i) add_rate(motion_.table().rates[i]);
  for (std::size_t F = 0; F < model_.frames.size(); ++F) {
    for (std::size_t k = 0; k < model_.frames[F].hidden.size(); ++k)
      add_rate(engine_of(motion_).hidden_rate(static_cast<int>(F), k));
  }
}

void MotionOracle::add_rate(const ScalarMotion& rate) {
  std::vector<Expr> row(motion_.speeds().size(), model_.pool->zero());
  for (const auto& [r, c] : rate.coefficients) row[static_cast<std::size_t>(r)] = c;
  rate_outputs_.insert(rate_outputs_.end(), row.begin(), row.end());
  rate_outputs_.push_back(rate.remainder);
}

std::size_t MotionOracle::add_law(const Expr& e) {
  law_outputs_.push_back(e);
  return law_outputs_.size() - 1;
}

std::size_t MotionOracle::add_law(const Vector& v) {
  const Column3 c = motion_.resolve(v).in(Frame(model_, 0));
  const std::size_t first = law_outputs_.size();
  for (const Expr& e : c) law_outputs_.push_back(e);
  return first;
}

void MotionOracle::list_laws() {
  for (const BodyData& body : model_.bodies) {
    body_laws_.push_back(add_law(body.mass));
    if (body.frame < 0) continue;
    for (const Column3& row : body.inertia) {
      for (const Expr& e : row) add_law(e);
    }
  }
  if (model_.gravity) gravity_law_ = add_law(*model_.gravity);
  for (const ForceData& f : model_.forces) force_laws_.push_back(add_law(f.value));
  for (const SpringData& s : model_.springs) {
    spring_laws_.push_back(add_law(s.coefficient));
    add_law(s.rest);
    add_law(s.on.valid() ? s.on : model_.pool->zero());
  }
  for (const EnergyData& e : model_.energies) energy_laws_.push_back(add_law(resolved(e.value)));
  list_constraint_laws();
}

int MotionOracle::row_frame(const ConstraintData& roll) const {
  for (const ConstraintRow& row : make_constraint_rows(motion_)) {
    if (&model_.constraints[static_cast<std::size_t>(row.constraint)] == &roll) return row.frame;
  }
  return 0;
}

void MotionOracle::list_constraint_laws() {
  using Kind = ConstraintData::Kind;
  for (const ConstraintData& c : model_.constraints) {
    std::vector<Expr> scalars;
    if (c.kind == Kind::lock) {
      const CoordinateData& q = model_.coordinates[static_cast<std::size_t>(c.coordinate)];
      scalars.push_back(q.q - *q.start);
    } else if (c.kind == Kind::roll) {
      const Point P(model_, c.point);
      const Vector slip = motion_.velocity_on(P, Frame(model_, c.body)) -
                          motion_.velocity_on(P, Frame(model_, c.on));
      for (const Expr& e : slip.in(Frame(model_, row_frame(c)))) scalars.push_back(e);
    } else if (c.scalar.valid()) {
      scalars.push_back(resolved(c.scalar));
    } else {
      for (const Expr& e : motion_.resolve(c.vector).in(Frame(model_, 0))) scalars.push_back(e);
    }
    for (const Expr& e : scalars) {
      if (e.is_zero()) continue;
      const std::size_t law = add_law(e);
      row_is_position_.push_back(c.kind == Kind::lock || c.kind == Kind::configuration);
      row_laws_.push_back(law);
      if (row_is_position_.back()) position_laws_.push_back(law);
    }
  }
}

// ---- Motion

std::pair<RealMatrix, RealVector> MotionOracle::rates(const std::vector<Real>& state) const {
  const std::vector<Real> values = (*rates_)(state);
  const auto rows = static_cast<Eigen::Index>(moving_count()), n = Eigen::Index(speed_count());
  const Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> all(
      values.data(), rows, n + 1);
  return {all.leftCols(n), all.col(n)};
}

RealVector MotionOracle::speeds(const std::vector<Real>& state) const {
  return Eigen::Map<const RealVector>(state.data() + first_speed_, speed_count());
}

RealVector MotionOracle::moving_rates(const std::vector<Real>& state) const {
  const auto [C, d] = rates(state);
  return C * speeds(state) + d;
}

Real MotionOracle::step(const RealVector& direction) {
  return direction.size() == 0 ? step_size
                               : step_size * 2 / std::max(Real(2), direction.cwiseAbs().maxCoeff());
}

Real MotionOracle::step(const Moving& moving) {
  Real fastest = 4;
  if (moving.first.size() > 0)
    fastest = std::max(
        {fastest, moving.first.cwiseAbs().sum(), std::sqrt(moving.second.cwiseAbs().sum())});
  return step_size * 4 / (fastest * std::max(Real(1), moving.coefficient));
}

MotionOracle::Moving MotionOracle::make_moving(const std::vector<Real>& state,
                                               const RealVector& udot) const {
  Moving moving{moving_rates(state), RealVector(), udot, largest_rate_coefficient(state)};
  moving.second = RealVector::Zero(moving.first.size());
  const Moving straight = moving;
  moving.second = first_difference([&](Real h) { return moving_rates(move(state, straight, h)); },
                                   step(straight));
  return moving;
}

std::vector<Real> MotionOracle::move(const std::vector<Real>& state, const Moving& moving,
                                     Real h) const {
  std::vector<Real> moved = state;
  moved[0] += h;
  for (const SpecifiedData& s : model_.specified) {
    const std::size_t k = place(s.derivatives[0]);
    moved[k] += h * (state[k + 1] + h / 2 * (state[k + 2] + h / 3 * state[k + 3]));
    moved[k + 1] += h * (state[k + 2] + h / 2 * state[k + 3]);
    moved[k + 2] += h * state[k + 3];
  }
  for (std::size_t i = 0; i < moving_count(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    moved[first_moving_ + i] += h * (moving.first(k) + h / 2 * moving.second(k));
  }
  for (Eigen::Index r = 0; r < moving.udot.size(); ++r)
    moved[first_speed_ + static_cast<std::size_t>(r)] += h * moving.udot(r);
  normalize(moved);
  return moved;
}

void MotionOracle::normalize(std::vector<Real>& state) const {
  for (const std::array<std::size_t, 4>& e : quaternions_) {
    Real square = 0;
    for (const std::size_t k : e) square += state[k] * state[k];
    for (const std::size_t k : e) state[k] /= std::sqrt(square);
  }
}

std::vector<Real> MotionOracle::shift(const std::vector<Real>& state, std::size_t first,
                                      const RealVector& direction, Real h) const {
  std::vector<Real> shifted = state;
  for (Eigen::Index i = 0; i < direction.size(); ++i)
    shifted[first + static_cast<std::size_t>(i)] += h * direction(i);
  normalize(shifted);
  return shifted;
}

// (1): one placement of differences for each speed.
std::vector<Placement> MotionOracle::make_virtual_motion(const std::vector<Real>& state) const {
  const RealMatrix C = rates(state).first;
  std::vector<Placement> result;
  for (int r = 0; r < speed_count(); ++r) {
    result.push_back(first_difference(
        [&](Real h) { return place_everything(shift(state, first_moving_, C.col(r), h)); },
        step(C.col(r))));
  }
  return result;
}

Vector3 MotionOracle::virtual_spin(const Accelerations& now, const Placement& moved, int F) const {
  return axial(R(moved, F) * R(now.at, F).transpose());
}

// ---- Equations

void MotionOracle::add_bodies(const std::vector<Real>& state, const Accelerations& now,
                              const std::vector<Placement>& virtual_motion, Numbers& result) const {
  const std::vector<Real> laws = (*laws_)(state);
  const int n = speed_count();
  for (std::size_t B = 0; B < model_.bodies.size(); ++B) {
    const BodyData& body = model_.bodies[B];
    const Real m = laws[body_laws_[B]];
    const Rotation I = inertia(laws, B, now.at);
    const Vector3 force = m * a(now, body.point);
    Vector3 torque = Vector3::Zero();
    if (body.frame >= 0) {
      const Vector3 spin = w(now, body.frame);
      torque = I * alpha(now, body.frame) + spin.cross(I * spin);
    }
    std::vector<Vector3> v_r, w_r;
    for (const Placement& moved : virtual_motion) {
      v_r.push_back(p(moved, body.point));
      w_r.push_back(body.frame >= 0 ? virtual_spin(now, moved, body.frame)
                                    : Vector3(Vector3::Zero()));
    }
    for (int r = 0; r < n; ++r) {
      const auto i = static_cast<std::size_t>(r);
      for (int s = 0; s < n; ++s) {
        const auto j = static_cast<std::size_t>(s);
        result.M(r, s) += m * v_r[i].dot(v_r[j]) + w_r[i].dot(I * w_r[j]);
      }
      add_force(result, r, -force.dot(v_r[i]));
      add_force(result, r, -torque.dot(w_r[i]));
    }
  }
}

Rotation MotionOracle::inertia(const std::vector<Real>& laws, std::size_t B,
                               const Placement& placement) const {
  Rotation I = Rotation::Zero();
  const int F = model_.bodies[B].frame;
  if (F < 0) return I;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      I(i, j) = laws[body_laws_[B] + 1 + static_cast<std::size_t>(3 * i + j)];
  }
  return R(placement, F) * I * R(placement, F).transpose();
}

void MotionOracle::add_force(Numbers& result, int r, Real value) {
  result.f(r) += value;
  result.f_scale(r) += std::abs(value);
}

Vector3 MotionOracle::law_vector(const std::vector<Real>& laws, std::size_t first) const {
  return {laws[first], laws[first + 1], laws[first + 2]};
}

void MotionOracle::add_loads(const std::vector<Real>& state, const Accelerations& now,
                             const std::vector<Placement>& virtual_motion, Numbers& result) const {
  const std::vector<Real> laws = (*laws_)(state);
  const RealMatrix C = rates(state).first;
  for (int r = 0; r < speed_count(); ++r) {
    const Placement& moved = virtual_motion[static_cast<std::size_t>(r)];
    if (model_.gravity) {
      for (std::size_t B = 0; B < model_.bodies.size(); ++B)
        add_force(result, r,
                  laws[body_laws_[B]] *
                      law_vector(laws, gravity_law_).dot(p(moved, model_.bodies[B].point)));
    }
    for (std::size_t i = 0; i < model_.forces.size(); ++i) {
      const Vector3 F = law_vector(laws, force_laws_[i]);
      add_force(result, r, force_power(model_.forces[i], F, now, moved));
    }
    for (std::size_t i = 0; i < model_.springs.size(); ++i)
      add_force(result, r, spring_power(i, state, now, moved, C.col(r)));
    for (std::size_t i = 0; i < model_.energies.size(); ++i)
      add_force(result, r, energy_power(i, state, C.col(r), r));
  }
}

Real MotionOracle::force_power(const ForceData& f, const Vector3& value, const Accelerations& now,
                               const Placement& moved) const {
  Real power = 0;
  if (f.is_torque) {
    power += value.dot(virtual_spin(now, moved, f.frame));
    if (f.from_frame >= 0) power -= value.dot(virtual_spin(now, moved, f.from_frame));
    return power;
  }
  if (f.frame >= 0) {
    const int center = model_.frame_origin(f.frame);
    const Vector3 arm = p(now.at, f.point) - p(now.at, center);
    power += value.dot(p(moved, center) + virtual_spin(now, moved, f.frame).cross(arm));
  } else {
    power += value.dot(p(moved, f.point));
  }
  if (f.from_point >= 0) power -= value.dot(p(moved, f.from_point));
  return power;
}

Real MotionOracle::law_at(std::size_t law, const std::vector<Real>& state) const {
  return (*laws_)(state)[law];
}

Real MotionOracle::spring_power(std::size_t i, const std::vector<Real>& state,
                                const Accelerations& now, const Placement& moved,
                                const RealVector& direction) const {
  const SpringData& s = model_.springs[i];
  const std::vector<Real> laws = (*laws_)(state);
  const std::size_t k = spring_laws_[i];
  Real stretch, rate, virtual_rate;
  if (s.on.valid()) {
    const Moving moving = make_moving(state, RealVector::Zero(speed_count()));
    stretch = laws[k + 2] - laws[k + 1];
    rate = first_difference([&](Real h) { return law_at(k + 2, move(state, moving, h)); },
                            step(moving));
    virtual_rate = first_difference(
        [&](Real h) { return law_at(k + 2, shift(state, first_moving_, direction, h)); },
        step(direction));
  } else {
    const Vector3 d = p(now.at, s.to) - p(now.at, s.from);
    const Real length = d.norm();
    stretch = length - laws[k + 1];
    rate = d.dot(p(now.first, s.to) - p(now.first, s.from)) / length;
    virtual_rate = d.dot(p(moved, s.to) - p(moved, s.from)) / length;
  }
  return -laws[k] * (s.is_damper ? rate : stretch) * virtual_rate;
}

Real MotionOracle::energy_power(std::size_t i, const std::vector<Real>& state,
                                const RealVector& direction, int r) const {
  const std::size_t law = energy_laws_[i];
  if (!model_.energies[i].is_dissipation)
    return -first_difference(
        [&](Real h) { return law_at(law, shift(state, first_moving_, direction, h)); },
        step(direction));
  const RealVector along = RealVector::Unit(speed_count(), r);
  return -first_difference(
      [&](Real h) { return law_at(law, shift(state, first_speed_, along, h)); });
}

// (5)
void MotionOracle::add_rows(const std::vector<Real>& state, Numbers& result) const {
  const int n = speed_count(), rows = row_count();
  result.A = RealMatrix::Zero(rows, n);
  result.b = RealVector::Zero(rows);
  const RealMatrix C = rates(state).first;
  const Moving moving = make_moving(state, RealVector::Zero(n));
  const auto path = [&](Real h) { return row_values(move(state, moving, h)); };
  const RealVector first = first_difference(path, step(moving)),
                   second = second_difference(path, step(moving));
  for (int r = 0; r < n; ++r) {
    const RealVector along = RealVector::Unit(n, r), direction = C.col(r);
    const RealVector by_position = first_difference(
        [&](Real h) { return row_values(shift(state, first_moving_, direction, h)); },
        step(direction));
    const RealVector by_speed =
        first_difference([&](Real h) { return row_values(shift(state, first_speed_, along, h)); });
    for (int i = 0; i < rows; ++i) result.A(i, r) = is_position(i) ? by_position(i) : by_speed(i);
  }
  for (int i = 0; i < rows; ++i) result.b(i) = -(is_position(i) ? second(i) : first(i));
}

bool MotionOracle::is_position(int row) const {
  return row_is_position_[static_cast<std::size_t>(row)];
}

// ---- Placements

Eigen::Index MotionOracle::rotation_place(int F) const {
  return static_cast<Eigen::Index>(3 * model_.points.size()) + 9 * F;
}

void MotionOracle::set_R(Placement& placement, int F, const Rotation& value) const {
  Eigen::Map<Rotation>(placement.data() + rotation_place(F)) = value;
}

}  // namespace visviva::mechanisms
