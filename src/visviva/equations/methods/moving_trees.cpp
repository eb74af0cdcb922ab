#include "visviva/equations/methods/moving_trees.h"

#include <algorithm>
#include <map>
#include <set>

#include "visviva/base/sequence.h"
#include "visviva/kinematics/motion_engine.h"

namespace visviva {
namespace {

void add_column(std::optional<Column3>* sum, const Column3& term) {
  if (is_zero(term)) return;
  *sum = *sum ? **sum + term : term;
}

// S of an inertia J, and J of S.
Matrix3 compute_moments(const Matrix3& J) {
  const Expr half = (J[0][0] + J[1][1] + J[2][2]) / 2.0;
  Matrix3 S;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) S[i][j] = i == j ? half - J[i][j] : -J[i][j];
  return S;
}

Matrix3 compute_inertia(const Matrix3& S) {
  Matrix3 J;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      J[i][j] = i == j ? S[(i + 1) % 3][(i + 1) % 3] + S[(i + 2) % 3][(i + 2) % 3] : -S[i][j];
  return J;
}

bool is_still(const VectorMotion& v) { return v.coefficients.empty() && is_zero(v.remainder); }

}  // namespace

MovingTrees::MovingTrees(const Kinematics& motion, Rates rates)
    : motion_(motion),
      model_(motion.model()),
      engine_(engine_of(motion)),
      pool_(*model_.pool),
      tree_(motion, false),
      rates_(rates) {
  find_angular_accelerations();
  make_groups();
}

// ---- Frames

bool MovingTrees::is_plane() const {
  const Matrix3 axes = identity_matrix(pool_);
  int axis = -1;
  for (std::size_t F = 1; F < model_.frames.size(); ++F) {
    const std::optional<Column3>& fixed = model_.frames[F].fixed_axis;
    if (!fixed) return false;
    for (int k = 0; k < 3; ++k)
      if (*fixed == axes[k] && axis < 0) axis = k;
    if (axis < 0 || *fixed != axes[axis]) return false;
  }
  return true;
}

// ---- Bodies that move as one

int MovingTrees::rigid_root(int frame) const {
  while (frame > 0 && is_still(engine_.local_spin(frame))) frame = model_.frames[frame].parent;
  return frame;
}

bool MovingTrees::is_constant(const Column3& c) const {
  for (const Expr& x : c) {
    const ScalarMotion rate = engine_.rate_of(x);
    if (!rate.coefficients.empty() || !rate.remainder.is_zero()) return false;
  }
  return true;
}

// The point farthest back to which a point is fixed in a frame.
MovingTrees::Anchor MovingTrees::find_anchor(int point, int frame) const {
  Anchor anchor{point, zero_column(pool_)};
  while (model_.points[anchor.point].parent >= 0) {
    Column3 offset = anchor.offset;
    for (const Vector::Part& part : model_.points[anchor.point].offset.parts()) {
      if (rigid_root(part.frame) != frame || !is_constant(part.column)) return anchor;
      offset = offset + turn(frame, part.frame, part.column);
    }
    anchor = {model_.points[anchor.point].parent, offset};
  }
  return anchor;
}

// (1), about the points to which bodies are fixed.
std::vector<MovingTrees::MassMoments> MovingTrees::collect_groups() const {
  std::vector<MassMoments> groups;
  std::map<std::pair<int, int>, std::size_t> places;
  for (const BodyData& body : model_.bodies) {
    const int frame =
        rigid_root(body.frame >= 0 ? body.frame : model_.points[body.point].home_frame);
    const auto& [point, c] = find_anchor(body.point, frame);
    const auto [at, is_new] = places.try_emplace({point, frame}, groups.size());
    if (is_new)
      groups.push_back({point, frame, pool_.zero(), zero_column(pool_), zero_matrix(pool_), &body});
    MassMoments& group = groups[at->second];
    if (!is_new) group.only = nullptr;
    Matrix3 S = body.mass * outer(c, c);
    if (body.frame >= 0)
      S = S + compute_moments(body.frame == frame
                                  ? body.inertia
                                  : turn_inertia(rotation(frame, body.frame), body.inertia));
    group.m += body.mass;
    group.h = group.h + body.mass * c;
    group.S = group.S + S;
  }
  return groups;
}

// The coordinate axis about which a frame turns in its parent.
std::optional<std::size_t> MovingTrees::find_axis(int frame) const {
  const std::optional<Column3>& axis = model_.frames[frame].fixed_axis;
  if (!axis) return {};
  for (std::size_t k = 0; k < 3; ++k)
    if ((*axis)[k].is_one() || (-(*axis)[k]).is_one()) return k;
  return {};
}

void MovingTrees::give_to_carriers(std::vector<MassMoments>* groups) const {
  std::vector<std::size_t> order(groups->size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return (*groups)[a].frame > (*groups)[b].frame;
  });
  for (const std::size_t i : order) give_to_carrier(i, groups);
}

void MovingTrees::give_to_carrier(std::size_t index, std::vector<MassMoments>* groups) const {
  MassMoments& own = (*groups)[index];
  if (own.frame <= 0) return;
  const std::optional<std::size_t> axis = find_axis(own.frame);
  if (!axis) return;
  const std::size_t k = *axis;
  const int parent = model_.frames[own.frame].parent, frame = rigid_root(parent);
  const Anchor anchor = find_anchor(own.point, frame);
  const auto carrier = std::find_if(groups->begin(), groups->end(), [&](const MassMoments& g) {
    return g.point == anchor.point && g.frame == frame;
  });
  const bool is_still = frame == 0 && model_.points[anchor.point].parent < 0;
  if (carrier == groups->end() && !is_still) return;
  if (!is_still) {
    const Column3& p = anchor.offset;
    const Column3 along = turn(frame, parent, identity_matrix(pool_)[k]);
    const Matrix3 mixed = outer(p, along);
    carrier->m += own.m;
    carrier->h = carrier->h + own.m * p + own.h[k] * along;
    carrier->S = carrier->S + own.m * outer(p, p) + own.h[k] * (mixed + transpose(mixed)) +
                 own.S[k][k] * outer(along, along);
    carrier->only = nullptr;
  }
  own.m = own.h[k] = own.S[k][k] = pool_.zero();
  own.only = nullptr;
}

void MovingTrees::make_groups() {
  std::vector<MassMoments> found = collect_groups();
  if (!is_plane()) give_to_carriers(&found);
  for (const MassMoments& g : found) {
    if (g.only == nullptr) {
      groups_.push_back({g.point, g.frame, g.m, g.h, g.S, compute_inertia(g.S)});
      continue;
    }
    const BodyData& body = *g.only;
    const Matrix3 J = body.frame >= 0 ? body.inertia : zero_matrix(pool_);
    groups_.push_back(
        {body.point, body.frame, body.mass, zero_column(pool_), compute_moments(J), J});
  }
}

// ---- Bounds of M's diagonal

Expr MovingTrees::length_of(int point) const {
  Expr sum = pool_.zero();
  for (const Vector::Part& part : model_.points[point].offset.parts())
    for (const Expr& x : part.column) sum += abs(x);
  return sum;
}

// (3) of each point, with all that hangs on it: about itself, or about the point that it hangs on.
std::vector<MovingTrees::Moments> MovingTrees::collect_moments(bool shifted) const {
  const std::size_t n = model_.points.size();
  std::vector<Moments> all(n, {pool_.zero(), pool_.zero(), pool_.zero()}), back = all;
  for (const BodyData& body : model_.bodies) {
    all[body.point].m += body.mass;
    if (body.frame < 0) continue;
    for (std::size_t i = 0; i < 3; ++i) all[body.point].k += body.inertia[i][i];
  }
  const Expr two = pool_.rational(2);
  for (std::size_t Q = n; Q-- > 0;) {
    const auto& [m, h, k] = all[Q];
    if (m.is_zero() && k.is_zero()) continue;
    const Expr l = length_of(to_int(Q));
    back[Q] = {m, h + m * l, k + two * h * l + m * l * l};
    const int O = model_.points[Q].parent;
    if (O < 0) continue;
    all[O].m += back[Q].m;
    all[O].h += back[Q].h;
    all[O].k += back[Q].k;
  }
  return shifted ? back : all;
}

// What a unit spin of a frame moves: what hangs on the points whose offsets are the first to turn with it, and bodies that
// turn on the spot.
Expr MovingTrees::bound_spin(int frame, const std::vector<Moments>& shifted) const {
  Expr sum = pool_.zero();
  std::vector<bool> moves(model_.points.size());
  for (std::size_t Q = 0; Q < moves.size(); ++Q) {
    const PointData& point = model_.points[Q];
    if (point.parent >= 0 && moves[point.parent]) {
      moves[Q] = true;
      continue;
    }
    for (const Vector::Part& part : point.offset.parts())
      moves[Q] = moves[Q] || tree_.turns_with(part.frame, frame);
    if (moves[Q]) sum += shifted[Q].k;
  }
  for (const BodyData& body : model_.bodies)
    if (body.frame >= 0 && !moves[body.point] && tree_.turns_with(body.frame, frame))
      for (std::size_t i = 0; i < 3; ++i) sum += body.inertia[i][i];
  return sum;
}

// Of several places where a speed enters, |a + b|^2 <= 2 (|a|^2 + |b|^2).
std::vector<Expr> MovingTrees::bound_inertias() const {
  const std::size_t n = motion_.speeds().size();
  const std::vector<Moments> own = collect_moments(false), shifted = collect_moments(true);
  std::vector<Expr> sums(n, pool_.zero());
  std::vector<int> counts(n);
  for (const TreeDynamics::Entry& entry : tree_.entries()) {
    const Expr inertia = entry.is_spin ? bound_spin(entry.place, shifted) : own[entry.place].m;
    if (inertia.is_zero()) continue;
    sums[entry.speed] += dot(entry.column, entry.column) * inertia;
    ++counts[entry.speed];
  }
  for (std::size_t r = 0; r < n; ++r)
    if (counts[r] > 1) sums[r] = pool_.rational(counts[r]) * sums[r];
  return sums;
}

// ---- What acts

void MovingTrees::add_force(Wrenches* wrenches, int point, const Vector& force) const {
  for (const Vector::Part& part : force.parts())
    add_column(&wrenches->forces[point], turn(work_frame(point), part.frame, part.column));
}

void MovingTrees::add_torque(Wrenches* wrenches, int frame, const Vector& torque) const {
  for (const Vector::Part& part : torque.parts())
    add_column(&wrenches->torques[frame], turn(frame, part.frame, part.column));
}

// With u', one frame after the other: alpha_F = alpha_P + what F adds + sum_r s_r u_r'.
void MovingTrees::find_angular_accelerations() {
  for (int F = 0; F < to_int(model_.frames.size()); ++F) {
    if (rates_ == Rates::left_out || F == 0) {
      alphas_.push_back(engine_.angular_acceleration_remainder(F));
      continue;
    }
    const int P = model_.frames[F].parent;
    const VectorMotion& spin = engine_.local_spin(F);
    Column3 gain = engine_.local_angular_acceleration(F);
    for (const auto& [r, column] : spin.coefficients)
      gain = gain + motion_.speeds()[r].rate * column;
    alphas_.push_back(turn(F, P, alphas_[P]) + turn(F, spin.frame, gain));
  }
}

// W of (2).
Matrix3 MovingTrees::compute_turning(int frame) const {
  const Column3& w = engine_.spin(frame);
  Matrix3 W = cross_matrix(alphas_[frame]);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) {
      const std::size_t k = (i + 1) % 3, l = (i + 2) % 3;
      const Expr change = i == j ? -(w[k] * w[k] + w[l] * w[l]) : w[i] * w[j];
      W[i][j] += change;
      if (i != j) W[j][i] += change;
    }
  return W;
}

// Of bodies' frames, one after the other: w·w less what is along an axis is the same in two frames that turn about it, and
// what was there first stands for both. So limbs of one shape have expressions of one shape.
void MovingTrees::find_turnings() const {
  std::set<int> frames;
  for (const RigidGroup& g : groups_)
    if (g.frame >= 0) frames.insert(g.frame);
  for (const int frame : frames) turnings_.try_emplace(frame, compute_turning(frame));
}

// c'' + 2 w x c' + W c.
Column3 MovingTrees::accelerate_part(const Vector::Part& part, const Matrix3& turning,
                                     int to) const {
  Column3 rate, second;
  for (std::size_t i = 0; i < 3; ++i) {
    const ScalarMotion motion = engine_.rate_of(part.column[i]);
    rate[i] = motion.remainder;
    for (const auto& [r, factor] : motion.coefficients) rate[i] += factor * motion_.speeds()[r].u;
    second[i] = rates_ == Rates::included ? engine_.time_derivative(rate[i])
                                          : engine_.time_derivative_without_speed_rates(rate[i]);
  }
  const Column3 own = second + cross(engine_.spin(part.frame), pool_.rational(2) * rate);
  return turn(to, part.frame, own + turning * part.column);
}

// Of each point, less gravity, in its work frame.
std::vector<Column3> MovingTrees::compute_accelerations() const {
  std::optional<Vector> field;
  if (model_.gravity) field = motion_.resolve(*model_.gravity);
  std::vector<Column3> a;
  for (std::size_t Q = 0; Q < model_.points.size(); ++Q) {
    const PointData& point = model_.points[Q];
    const int frame = work_frame(to_int(Q));
    Column3 sum = zero_column(pool_);
    if (point.parent >= 0)
      sum = turn(frame, work_frame(point.parent), a[point.parent]);
    else if (field)
      sum = -field->in(Frame(model_, frame));
    for (const Vector::Part& part : point.offset.parts()) {
      auto at = turnings_.find(part.frame);
      if (at == turnings_.end())
        at = turnings_.emplace(part.frame, compute_turning(part.frame)).first;
      sum = sum + accelerate_part(part, at->second, frame);
    }
    a.push_back(sum);
  }
  return a;
}

std::vector<Expr> MovingTrees::project(Wrenches wrenches) const {
  tree_.gather(&wrenches);
  return tree_.project(wrenches);
}

// The torque of (2) without a. A spin along one axis is better served by J.
Column3 MovingTrees::compute_torque(const RigidGroup& group, const Matrix3& turning) const {
  const Column3& w = engine_.spin(group.frame);
  const auto parts = std::count_if(w.begin(), w.end(), [](const Expr& x) { return !x.is_zero(); });
  if (parts < 2) return group.J * alphas_[group.frame] + cross(w, group.J * w);
  Column3 torque;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    torque[i] = dot(turning[k], group.S[j]) - dot(turning[j], group.S[k]);
  }
  return torque;
}

std::vector<MovingTrees::InertiaForce> MovingTrees::collect_inertia_forces() const {
  find_turnings();
  const std::vector<Column3> accelerations = compute_accelerations();
  std::vector<InertiaForce> forces;
  for (const RigidGroup& g : groups_) {  // (2)
    if (g.frame < 0) {
      forces.push_back({-(g.mass * accelerations[g.point]), zero_column(pool_)});
      continue;
    }
    const Column3 a = turn(g.frame, work_frame(g.point), accelerations[g.point]);
    const Matrix3& turning = turnings_.at(g.frame);
    forces.push_back(
        {-(g.mass * a + turning * g.h), -(compute_torque(g, turning) + cross(g.h, a))});
  }
  return forces;
}

Wrenches MovingTrees::collect_wrenches(std::vector<Expr>* generalized) const {
  Wrenches wrenches = tree_.no_wrenches();
  const std::vector<InertiaForce> forces = collect_inertia_forces();
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const RigidGroup& g = groups_[k];
    const int to = work_frame(g.point);
    add_column(&wrenches.forces[g.point], turn(to, g.frame < 0 ? to : g.frame, forces[k].force));
    if (g.frame >= 0) add_column(&wrenches.torques[g.frame], forces[k].torque);
  }
  add_loads(&wrenches, generalized);
  return wrenches;
}

Wrenches MovingTrees::collect_loads_alone(std::vector<Expr>* generalized) const {
  Wrenches wrenches = tree_.no_wrenches();
  add_loads(&wrenches, generalized);
  return wrenches;
}

void MovingTrees::add_loads(Wrenches* wrenches, std::vector<Expr>* generalized) const {
  for (const Load& load : collect_loads(motion_)) {
    if (load.kind == Load::Kind::gravity) continue;
    for (const auto& [point, force] : load.forces) add_force(wrenches, point, force);
    for (const auto& [frame, torque] : load.torques) add_torque(wrenches, frame, torque);
    for (const auto& [r, force] : load.generalized) (*generalized)[r] += force;
  }
}

}  // namespace visviva
