#include "visviva/equations/methods/tree_dynamics.h"

#include <algorithm>
#include <map>

#include "visviva/base/error.h"
#include "visviva/kinematics/motion_engine.h"

namespace visviva {
namespace {

void add_to(std::optional<Column3>* sum, const Column3& term) {
  if (is_zero(term)) return;
  *sum = *sum ? **sum + term : term;
}

// Numbers the nodes of a forest so that each subtree is an interval. Parents come before children.
template <class Interval>
std::vector<Interval> number_forest(const std::vector<int>& parents) {
  const std::size_t n = parents.size();
  std::vector<int> size(n, 1);
  for (std::size_t i = n; i-- > 0;) {
    if (parents[i] >= 0) size[parents[i]] += size[i];
  }
  std::vector<Interval> numbers(n);
  std::vector<int> next(n);  // where the next child's numbers begin
  int roots = 0;
  for (std::size_t i = 0; i < n; ++i) {
    int& place = parents[i] >= 0 ? next[parents[i]] : roots;
    numbers[i] = {place, place + size[i] - 1};
    next[i] = place + 1;
    place += size[i];
  }
  return numbers;
}

void merge_into(std::vector<int>* sorted, const std::vector<int>& more) {
  std::vector<int> all;
  all.reserve(sorted->size() + more.size());
  std::set_union(sorted->begin(), sorted->end(), more.begin(), more.end(), std::back_inserter(all));
  *sorted = std::move(all);
}

}  // namespace

Matrix3 shift_inertia(const Matrix3& J, const Expr& m, const Column3& h, const Column3& p) {
  const Column3 k = h + m * p;  // J' = J + (k·p + h·p) 1 - k p' - p h'
  const Expr trace = dot(k, p) + dot(h, p);
  Matrix3 result = J;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) {
      Expr change = -(k[i] * p[j] + p[i] * h[j]);
      if (i == j) change += trace;
      result[i][j] = J[i][j] + change;
      result[j][i] = result[i][j];
    }
  }
  return result;
}

Matrix3 turn_inertia(const Matrix3& R, const Matrix3& J) {
  Matrix3 half;  // J R'
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) half[i][j] = dot(J[i], R[j]);
  }
  Matrix3 result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) {
      result[i][j] = R[i][0] * half[0][j] + R[i][1] * half[1][j] + R[i][2] * half[2][j];
      result[j][i] = result[i][j];
    }
  }
  return result;
}

TreeDynamics::TreeDynamics(const Kinematics& motion, bool with_composites)
    : model_(&motion.model()),
      engine_(&engine_of(motion)),
      pool_(&*model_->pool),
      speed_count_(motion.speeds().size()) {
  number_trees();
  choose_work_frames();
  list_entries();
  if (with_composites) make_composites();
}

// ---- The trees

void TreeDynamics::number_trees() {
  std::vector<int> parents;
  for (const FrameData& f : model_->frames) parents.push_back(f.parent);
  frame_numbers_ = number_forest<Interval>(parents);
  parents.clear();
  for (const PointData& p : model_->points) parents.push_back(p.parent);
  point_numbers_ = number_forest<Interval>(parents);

  const std::size_t n = model_->points.size();
  bodies_at_.resize(n);
  has_mass_.resize(n, false);
  parts_beyond_.resize(n);
  frames_beyond_.resize(n);
  for (std::size_t b = 0; b < model_->bodies.size(); ++b) {
    const BodyData& body = model_->bodies[b];
    bodies_at_[body.point].push_back(static_cast<int>(b));
    has_mass_[body.point] = true;
  }
  for (std::size_t Q = n; Q-- > 0;) {
    if (!has_mass_[Q]) continue;
    for (const int b : bodies_at_[Q]) {
      const int frame = model_->bodies[b].frame;
      if (frame >= 0) merge_into(&frames_beyond_[Q], {frame_numbers_[frame].first});
    }
    const PointData& point = model_->points[Q];
    if (point.parent < 0) continue;
    const std::size_t O = point.parent;
    has_mass_[O] = true;
    std::vector<int> own;
    for (const Vector::Part& part : point.offset.parts())
      own.push_back(frame_numbers_[part.frame].first);
    std::sort(own.begin(), own.end());
    merge_into(&parts_beyond_[O], parts_beyond_[Q]);
    merge_into(&parts_beyond_[O], own);
    merge_into(&frames_beyond_[O], frames_beyond_[Q]);
    merge_into(&frames_beyond_[O], own);
  }
}

bool TreeDynamics::hangs_on(int Q, int P) const {
  return point_numbers_[P].holds(point_numbers_[Q].first);
}

bool TreeDynamics::turns_with(int frame, int F) const {
  return frame_numbers_[F].holds(frame_numbers_[frame].first);
}

// Is one of these frames the given one or on it?
bool TreeDynamics::meets(const std::vector<int>& numbers, int frame) const {
  const Interval& range = frame_numbers_[frame];
  const auto first = std::lower_bound(numbers.begin(), numbers.end(), range.first);
  return first != numbers.end() && *first <= range.last;
}

// The deepest frame that the point's own home and everything that hangs on it share: vectors are
// turned only on the way from the leaves to the roots, and not to and fro between frames that lie
// side by side.
void TreeDynamics::choose_work_frames() {
  work_.resize(model_->points.size());
  for (std::size_t Q = 0; Q < work_.size(); ++Q) work_[Q] = model_->points[Q].home_frame;
  for (std::size_t Q = work_.size(); Q-- > 0;) {
    const int O = model_->points[Q].parent;
    if (O < 0 || !has_mass_[Q]) continue;
    while (!turns_with(work_[Q], work_[O])) work_[O] = model_->frames[work_[O]].parent;
  }
}

Matrix3 TreeDynamics::rotation(int A, int B) const { return model_->rotation(A, B); }

Column3 TreeDynamics::turn(int to, int from, const Column3& c) const {
  return to == from ? c : rotation(to, from) * c;
}

void TreeDynamics::list_entries() {
  for (std::size_t F = 1; F < model_->frames.size(); ++F) {
    const VectorMotion& spin = engine_->local_spin(static_cast<int>(F));
    for (const auto& [r, column] : spin.coefficients)
      entries_.push_back({true, static_cast<int>(F), r, spin.frame, column});
  }
  for (std::size_t Q = 0; Q < model_->points.size(); ++Q) {
    for (const Vector::Part& part : model_->points[Q].offset.parts()) {
      const Column3& c = part.column;
      const VectorMotion rate = stack(
          {engine_->rate_of(c[0]), engine_->rate_of(c[1]), engine_->rate_of(c[2])}, part.frame);
      for (const auto& [r, column] : rate.coefficients)
        entries_.push_back({false, static_cast<int>(Q), r, part.frame, column});
    }
  }
}

// ---- Wrenches

Wrenches TreeDynamics::no_wrenches() const {
  Wrenches w;
  w.forces.resize(model_->points.size());
  w.torques.resize(model_->frames.size());
  return w;
}

void TreeDynamics::add_force(Wrenches* wrenches, int point, const Vector& force) const {
  for (const Vector::Part& part : force.parts())
    add_to(&wrenches->forces[point], turn(work_[point], part.frame, part.column));
}

void TreeDynamics::add_torque(Wrenches* wrenches, int frame, const Vector& torque) const {
  for (const Vector::Part& part : torque.parts())
    add_to(&wrenches->torques[frame], turn(frame, part.frame, part.column));
}

void TreeDynamics::add_inertia_forces(Wrenches* wrenches, const Vector* field) const {
  // Accelerations outward, without u'; the ground's is -g.
  std::vector<Column3> a(model_->points.size());
  for (std::size_t Q = 0; Q < a.size(); ++Q) {
    if (!has_mass_[Q]) continue;
    const PointData& point = model_->points[Q];
    Column3 sum = zero_column(*pool_);
    if (point.parent >= 0)
      sum = turn(work_[Q], work_[point.parent], a[point.parent]);
    else if (field != nullptr)
      sum = -field->in(Frame(*model_, work_[Q]));
    const std::vector<Column3>& terms = engine_->local_acceleration(static_cast<int>(Q));
    for (std::size_t i = 0; i < terms.size(); ++i)
      sum = sum + turn(work_[Q], point.offset.parts()[i].frame, terms[i]);
    a[Q] = sum;
  }
  // Newton and Euler for each body.
  for (const BodyData& body : model_->bodies) {
    add_to(&wrenches->forces[body.point], -(body.mass * a[body.point]));
    if (body.frame < 0) continue;
    const Column3& w = engine_->spin(body.frame);
    const Column3 rate = body.inertia * engine_->angular_acceleration_remainder(body.frame);
    add_to(&wrenches->torques[body.frame], -(rate + cross(w, body.inertia * w)));
  }
}

void TreeDynamics::gather(Wrenches* wrenches) const {
  for (std::size_t Q = wrenches->forces.size(); Q-- > 0;) {
    const std::optional<Column3>& force = wrenches->forces[Q];
    if (!force) continue;
    const PointData& point = model_->points[Q];
    for (const Vector::Part& part : point.offset.parts())
      add_to(&wrenches->torques[part.frame],
             cross(part.column, turn(part.frame, work_[Q], *force)));
    if (point.parent >= 0)
      add_to(&wrenches->forces[point.parent], turn(work_[point.parent], work_[Q], *force));
  }
  for (std::size_t F = wrenches->torques.size(); F-- > 1;) {
    const std::optional<Column3>& torque = wrenches->torques[F];
    const int parent = model_->frames[F].parent;
    if (torque) add_to(&wrenches->torques[parent], turn(parent, static_cast<int>(F), *torque));
  }
}

// What an entry's rate meets: a term of (2).
Expr TreeDynamics::reading(const Entry& entry, const Wrenches& gathered) const {
  const std::optional<Column3>& load =
      entry.is_spin ? gathered.torques[entry.place] : gathered.forces[entry.place];
  if (!load) return pool_->zero();
  const int frame = entry.is_spin ? entry.place : work_[entry.place];
  return dot(entry.column, turn(entry.frame, frame, *load));
}

std::vector<Expr> TreeDynamics::project(const Wrenches& gathered) const {
  std::vector<Expr> result(speed_count_, pool_->zero());
  for (const Entry& entry : entries_) result[entry.speed] += reading(entry, gathered);
  return result;
}

// ---- Composite bodies

void TreeDynamics::make_composites() {
  composites_.resize(model_->points.size());
  std::vector<std::vector<int>> children(model_->points.size());
  for (std::size_t Q = composites_.size(); Q-- > 0;) {
    if (!has_mass_[Q]) continue;
    composites_[Q] = composite_of(static_cast<int>(Q), children);
    const int O = model_->points[Q].parent;
    if (O >= 0) children[O].push_back(static_cast<int>(Q));
  }
}

TreeDynamics::Composite TreeDynamics::composite_of(
    int Q, const std::vector<std::vector<int>>& children) const {
  const int home = work_[Q];
  Composite sum{pool_->zero(), zero_column(*pool_), zero_matrix(*pool_)};
  for (const int b : bodies_at_[Q]) {
    const BodyData& body = model_->bodies[b];
    sum.mass += body.mass;
    if (body.frame < 0) continue;
    sum.J = sum.J + (body.frame == home ? body.inertia
                                        : turn_inertia(rotation(home, body.frame), body.inertia));
  }
  for (const int C : children[Q]) {
    // Shifted where the child's offset is written, then turned.
    const Composite& child = *composites_[C];
    const int frame = work_[C];
    Column3 p = zero_column(*pool_);
    for (const Vector::Part& part : model_->points[C].offset.parts())
      p = p + turn(frame, part.frame, part.column);
    const Column3 h = child.h + child.mass * p;
    const Matrix3 J = shift_inertia(child.J, child.mass, child.h, p);
    sum.mass += child.mass;
    sum.h = sum.h + turn(home, frame, h);
    sum.J = sum.J + (frame == home ? J : turn_inertia(rotation(home, frame), J));
  }
  return sum;
}

// ---- The mass matrix

// Inertia forces (with the sign of mass times acceleration) of a unit rate of one entry, gathered.
Wrenches TreeDynamics::respond(const Entry& entry, bool with_groups,
                               std::vector<Group>* groups) const {
  Wrenches w = no_wrenches();
  if (entry.is_spin) {
    respond_to_spin(entry, with_groups, groups, &w);
  } else if (composites_[entry.place]) {
    // Everything that hangs on the point follows.
    const Column3 a = turn(work_[entry.place], entry.frame, entry.column);
    if (with_groups) {
      add_to(&w.forces[entry.place], composites_[entry.place]->mass * a);
      groups->push_back({entry.place, false});
    } else {
      for (const BodyData& body : model_->bodies) {
        if (hangs_on(body.point, entry.place))
          add_to(&w.forces[body.point],
                 body.mass * turn(work_[body.point], entry.frame, entry.column));
      }
    }
  }
  gather(&w);
  return w;
}

void TreeDynamics::respond_to_spin(const Entry& entry, bool with_groups, std::vector<Group>* groups,
                                   Wrenches* w) const {
  const int F = entry.place;
  const Interval turning = frame_numbers_[F];
  std::vector<std::optional<Column3>> a(model_->points.size());
  std::vector<bool> in_group(model_->points.size(), false);
  for (std::size_t Q = 0; Q < a.size(); ++Q) {
    const PointData& point = model_->points[Q];
    if (!has_mass_[Q]) continue;
    if (point.parent >= 0 && in_group[point.parent]) {
      in_group[Q] = true;
      continue;
    }
    // The acceleration of Q, and whether it moves at all.
    const int home = work_[Q];
    if (point.parent >= 0 && a[point.parent])
      a[Q] = turn(home, work_[point.parent], *a[point.parent]);
    for (const Vector::Part& part : point.offset.parts()) {
      if (!turns_with(part.frame, F)) continue;
      const Column3 gain = cross(turn(part.frame, entry.frame, entry.column), part.column);
      add_to(&a[Q], turn(home, part.frame, gain));
    }
    const std::vector<int>& beyond = frames_beyond_[Q];
    if (with_groups && a[Q]) {
      const Composite& body = *composites_[Q];
      if (!meets(beyond, F)) {
        add_to(&w->forces[Q], body.mass * *a[Q]);
        in_group[Q] = true;
        groups->push_back({static_cast<int>(Q), false});
        continue;
      }
      if (turning.holds(beyond.front()) && turning.holds(beyond.back())) {  // (3)
        const Column3 alpha = turn(home, entry.frame, entry.column);
        add_to(&w->forces[Q], body.mass * *a[Q] + cross(alpha, body.h));
        add_to(&w->torques[F], turn(F, home, body.J * alpha + cross(body.h, *a[Q])));
        in_group[Q] = true;
        groups->push_back({static_cast<int>(Q), true});
        continue;
      }
    }
    for (const int b : bodies_at_[Q]) {
      const BodyData& body = model_->bodies[b];
      if (a[Q]) add_to(&w->forces[Q], body.mass * *a[Q]);
      if (body.frame >= 0 && turns_with(body.frame, F))
        add_to(&w->torques[body.frame], body.inertia * turn(body.frame, entry.frame, entry.column));
    }
  }
}

// Whether the gathered response to `mover` holds all that `entry` meets: inside a group only the
// sum is known.
bool TreeDynamics::sees(const Entry& entry, const Entry& mover,
                        const std::vector<Group>& groups) const {
  for (const Group& group : groups) {
    const std::size_t Q = group.point;
    if (!entry.is_spin) {
      if (entry.place != group.point && hangs_on(entry.place, group.point)) return false;
    } else if (group.is_turning) {
      if (!turns_with(mover.place, entry.place) && meets(frames_beyond_[Q], entry.place))
        return false;
    } else if (meets(parts_beyond_[Q], entry.place)) {
      return false;
    }
  }
  return true;
}

std::vector<std::vector<Expr>> TreeDynamics::compute_mass_matrix() const {
  std::vector<std::vector<Expr>> M(speed_count_, std::vector<Expr>(speed_count_, pool_->zero()));
  const auto add_value = [&](const Entry& k, const Entry& l, const Expr& value) {
    const std::size_t r = k.speed, s = l.speed;
    M[r][s] += value;
    if (&k != &l) M[s][r] += value;
  };
  std::vector<const Entry*> inner = add_leaves(add_value);
  const std::size_t n = inner.size();
  std::vector<std::vector<bool>> is_done(n, std::vector<bool>(n, false));
  const auto add = [&](std::size_t k, std::size_t l, const Expr& value) {
    is_done[k][l] = is_done[l][k] = true;
    add_value(*inner[k], *inner[l], value);
  };
  for (std::size_t l = n; l-- > 0;) {
    std::vector<Group> groups;
    const Wrenches response = respond(*inner[l], true, &groups);
    for (std::size_t k = n; k-- > 0;) {
      if (!is_done[k][l] && sees(*inner[k], *inner[l], groups))
        add(k, l, reading(*inner[k], response));
    }
  }
  // Pairs that hide from one another behind groups: body by body.
  for (std::size_t l = 0; l < n; ++l) {
    std::optional<Wrenches> response;
    for (std::size_t k = 0; k < n; ++k) {
      if (is_done[k][l]) continue;
      if (!response) response = respond(*inner[l], false, nullptr);
      add(k, l, reading(*inner[k], *response));
    }
  }
  return M;
}

// Entries at places of lines that nothing hangs on meet what is on their way to the root, and nothing else: they are
// many, and next to all pairs of them have nothing in common. Returns the other entries.
std::vector<const TreeDynamics::Entry*> TreeDynamics::add_leaves(
    const std::function<void(const Entry&, const Entry&, const Expr&)>& add) const {
  std::vector<bool> carries(model_->points.size(), true);
  for (const LineData& line : model_->lines)
    for (const int Q : line.points) carries[Q] = false;
  for (std::size_t Q = 0; Q < carries.size(); ++Q)
    if (has_mass_[Q] && model_->points[Q].parent >= 0) carries[model_->points[Q].parent] = true;
  std::vector<std::vector<const Entry*>> at_point(carries.size()), at_frame(model_->frames.size());
  std::vector<const Entry*> inner;
  for (const Entry& entry : entries_) {
    (entry.is_spin ? at_frame[entry.place] : at_point[entry.place]).push_back(&entry);
    if (entry.is_spin || carries[entry.place]) inner.push_back(&entry);
  }
  for (const Entry& mover : entries_) {
    const bool is_leaf = !mover.is_spin && !carries[mover.place];
    if (!is_leaf || !composites_[mover.place]) continue;
    const int leaf = mover.place;
    Column3 force = composites_[leaf]->mass * turn(work_[leaf], mover.frame, mover.column);
    std::map<int, Column3, std::greater<>> torques;  // by frame, the outer ones first
    const auto add_torque = [&](int frame, const Column3& torque) {
      const auto [place, is_new] = torques.emplace(frame, torque);
      if (!is_new) place->second = place->second + torque;
    };
    for (int Q = leaf;;) {
      for (const Entry* entry : at_point[Q])
        if (Q != leaf || entry <= &mover)
          add(*entry, mover, dot(entry->column, turn(entry->frame, work_[Q], force)));
      const PointData& point = model_->points[Q];
      for (const Vector::Part& part : point.offset.parts()) {
        if (part.frame == 0) continue;
        add_torque(part.frame, cross(part.column, turn(part.frame, work_[Q], force)));
      }
      if (point.parent < 0) break;
      force = turn(work_[point.parent], work_[Q], force);
      Q = point.parent;
    }
    while (!torques.empty()) {
      const auto [frame, torque] = *torques.begin();
      torques.erase(torques.begin());
      for (const Entry* entry : at_frame[frame])
        add(*entry, mover, dot(entry->column, turn(entry->frame, frame, torque)));
      const int parent = model_->frames[frame].parent;
      if (parent > 0) add_torque(parent, turn(parent, frame, torque));
    }
  }
  return inner;
}

}  // namespace visviva
