#include "visviva/kinematics/total_motion.h"

#include "visviva/kinematics/motion_engine.h"

namespace visviva {
namespace {

Column3 add_speed_rates(const MotionEngine& engine, const VectorMotion& v, Column3 sum) {
  for (const auto& [r, c] : v.coefficients) sum = sum + engine.table().speeds[r].rate * c;
  return sum;
}

// The motion of a column's components in its own frame.
VectorMotion rate_of_column(MotionEngine& engine, const Vector::Part& part) {
  const Column3& c = part.column;
  return stack({engine.rate_of(c[0]), engine.rate_of(c[1]), engine.rate_of(c[2])}, part.frame);
}

}  // namespace

TotalMotion::TotalMotion(const Kinematics& motion)
    : motion_(motion),
      model_(motion.model()),
      positions_(model_.points.size()),
      velocities_(model_.points.size()),
      accelerations_(model_.points.size()),
      alphas_(model_.frames.size()) {}

Column3 TotalMotion::in_N(const Column3& column, int frame) const {
  return frame == 0 ? column : model_.rotation(0, frame) * column;
}

// Climbs to a point that is known, and adds what each on the way back has of its own.
template <class Own>
const Column3& TotalMotion::climb(int Q, Columns* known, const Own& own) {
  std::vector<int> path;
  for (int p = Q; p >= 0 && !(*known)[p]; p = model_.points[p].parent) path.push_back(p);
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const PointData& point = model_.points[*it];
    Column3 sum = point.parent < 0 ? zero_column(*model_.pool) : *(*known)[point.parent];
    for (const Vector::Part& part : point.offset.parts()) sum = sum + in_N(own(part), part.frame);
    (*known)[*it] = sum;
  }
  return *(*known)[Q];
}

const Column3& TotalMotion::position(int Q) {
  return climb(Q, &positions_, [](const Vector::Part& part) { return part.column; });  // (1)
}

const Column3& TotalMotion::velocity(int Q) {
  return climb(Q, &velocities_, [&](const Vector::Part& part) {  // (2)
    MotionEngine& engine = engine_of(motion_);
    return cross(engine.spin(part.frame), part.column) +
           total(rate_of_column(engine, part), engine.table().symbols);
  });
}

const Column3& TotalMotion::acceleration(int Q) {
  return climb(Q, &accelerations_, [&](const Vector::Part& part) {  // (3)
    MotionEngine& engine = engine_of(motion_);
    const VectorMotion rate = rate_of_column(engine, part);
    const Column3 own = total(rate, engine.table().symbols);
    const Column3 w = engine.spin(part.frame);
    const Expr two = model_.pool->rational(2);
    Column3 change;
    for (std::size_t i = 0; i < 3; ++i)
      change[i] = engine.time_derivative_without_speed_rates(own[i]);
    return add_speed_rates(engine, rate, change) + cross(w, two * own + cross(w, part.column)) +
           cross(angular_acceleration_in_frame(part.frame), part.column);
  });
}

Column3 TotalMotion::angular_velocity(int F) const { return in_N(engine_of(motion_).spin(F), F); }

Column3 TotalMotion::angular_acceleration(int F) {
  return in_N(angular_acceleration_in_frame(F), F);
}

const Column3& TotalMotion::angular_acceleration_in_frame(int F) {
  std::vector<int> path;
  for (int f = F; f >= 0 && !alphas_[f]; f = model_.frames[f].parent) path.push_back(f);
  for (auto it = path.rbegin(); it != path.rend(); ++it) {  // (4)
    MotionEngine& engine = engine_of(motion_);
    const VectorMotion& local = engine.local_spin(*it);
    Column3 alpha = add_speed_rates(engine, local, engine.local_angular_acceleration(*it));
    if (local.frame != *it) alpha = model_.rotation(*it, local.frame) * alpha;
    const int parent = model_.frames[*it].parent;
    if (parent >= 0) alpha = model_.rotation(*it, parent) * *alphas_[parent] + alpha;
    alphas_[*it] = alpha;
  }
  return *alphas_[F];
}

}  // namespace visviva
