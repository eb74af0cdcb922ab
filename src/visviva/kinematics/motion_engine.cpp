#include "visviva/kinematics/motion_engine.h"

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"

namespace visviva {
namespace {

Column3 axis_column(ExprPool& pool, int axis) {
  Column3 n = zero_column(pool);
  n[axis] = pool.one();
  return n;
}

}  // namespace

MotionEngine::MotionEngine(std::shared_ptr<const ModelData> model, SpeedTable speeds,
                           ExprPool& pool)
    : model_(std::move(model)),
      pool_(pool),
      table_(std::move(speeds)),
      frames_(model_->frames.size()),
      points_(model_->points.size()) {}

MotionEngine::MotionEngine(const MotionEngine& below, ExprPool& pool)
    : model_(below.model_),
      pool_(pool),
      table_(below.table_),
      frames_(below.frames_),
      points_(below.points_),
      hidden_(below.hidden_),
      definitions_(below.definitions_),
      rates_(below.rates_) {
  if (below.full_) full_ = std::make_unique<Tangent>(*below.full_, pool);
  if (below.held_) held_ = std::make_unique<Tangent>(*below.held_, pool);
}

// ---- Rates of configuration

ScalarMotion MotionEngine::rate_of(const Expr& configuration) {
  const Ref key = pool_.take(configuration);
  const auto found = rates_.find(key);
  if (found != rates_.end()) return found->second;
  ScalarMotion rate = zero_scalar_motion(pool_);
  const std::vector<Expr> symbols = free_symbols(configuration);
  const std::vector<Expr> slopes = gradient(configuration, symbols);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const SymbolRole* role = model_->role(symbols[i]);
    if (role == nullptr) continue;
    switch (role->role) {
      case Role::coordinate:
        add_to(rate, slopes[i], table_.rates[role->index]);
        break;
      case Role::time:
        rate.remainder += slopes[i];
        break;
      case Role::specified:
        rate.remainder += slopes[i] * model_->specified[role->index].derivatives[1];
        break;
      case Role::specified_rate: {
        const std::array<Expr, 4>& x = model_->specified[role->index].derivatives;
        for (std::size_t k = 1; k + 1 < x.size(); ++k) {
          if (x[k] == symbols[i]) rate.remainder += slopes[i] * x[k + 1];
        }
        break;
      }
      case Role::hidden: {
        const std::vector<Expr>& hidden = model_->frames[role->index].hidden;
        std::size_t which = 0;
        while (!(hidden[which] == symbols[i])) ++which;
        add_to(rate, slopes[i], hidden_rate(role->index, which));
        break;
      }
      default:
        break;
    }
  }
  rates_.emplace(key, rate);
  return rate;
}

const ScalarMotion& MotionEngine::hidden_rate(int F, std::size_t which) {
  const auto found = hidden_.find(F);
  if (found != hidden_.end()) return found->second[which];
  const FrameData& f = model_->frames[F];
  std::vector<ScalarMotion> rates;
  prepare_frame(F);
  const VectorMotion& local = *frames_[F]->local;
  if (f.hidden.size() == 1) {
    rates.push_back(dot(*f.fixed_axis, local));
  } else {
    // e' = 1/2 e (0, w), w in F
    const VectorMotion w = express(local, F);
    const std::vector<Expr>& e = f.hidden;
    const Expr half = pool_.rational(1, 2);
    const Matrix3 upper = {Column3{e[0], -e[3], e[2]}, Column3{e[3], e[0], -e[1]},
                           Column3{-e[2], e[1], e[0]}};
    rates.push_back(dot(half * Column3{-e[1], -e[2], -e[3]}, w));
    for (const Column3& row : upper) rates.push_back(dot(half * row, w));
  }
  return hidden_.emplace(F, std::move(rates)).first->second[which];
}

// The definition of a speed needs the motion of a frame that spins with this speed, or with one
// that is defined further below.
void MotionEngine::fail_circular(int speed) const {
  const SpeedData& s = model_->speeds[speed];
  throw ModelError(
      {{Severity::error, "E-definition-cycle",
        "a definition of a speed needs the motion of a frame that spins with '" + s.name +
            "', which is not known yet: definitions go in a circle",
        "define '" + s.name + "' by rates of coordinates, before the speeds that use it",
        s.source.span}});
}

ScalarMotion MotionEngine::linear_in_motion(const Expr& expr) {
  std::vector<Expr> moving;
  for (const Expr& s : free_symbols(expr)) {
    const SymbolRole* role = model_->role(s);
    if (role != nullptr && (role->role == Role::rate || role->role == Role::speed))
      moving.push_back(s);
  }
  const LinearForm form = make_linear_form(expr, moving);
  ScalarMotion result{{}, form.remainder};
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const SymbolRole* role = model_->role(moving[i]);
    if (role->role == Role::rate) {
      add_to(result, form.coefficients[i], table_.rates[role->index]);
      continue;
    }
    std::size_t r = 0;
    while (r < table_.symbols.size() && !(table_.symbols[r] == moving[i])) ++r;
    // While definitions are being understood a defined speed stands for its definition.
    if (r < table_.symbols.size()) {
      add_to(result, form.coefficients[i], {{{static_cast<int>(r), pool_.one()}}, pool_.zero()});
    } else {
      const auto definition = definitions_.find(role->index);
      if (definition == definitions_.end()) fail_circular(role->index);
      add_to(result, form.coefficients[i], linear_in_motion(definition->second));
    }
  }
  return result;
}

// ---- Frames

VectorMotion MotionEngine::local_angular_velocity(int F) {
  const FrameData& f = model_->frames[F];
  switch (f.orientation.kind) {
    case Orientation::Kind::simple:
      return along(*f.fixed_axis, rate_of(f.orientation.parameters[0].expr(pool_)), F);
    case Orientation::Kind::sequence:
      return sequence_angular_velocity(F);
    case Orientation::Kind::quaternion:
      return quaternion_angular_velocity(F);
    case Orientation::Kind::rodrigues:
      return rodrigues_angular_velocity(F);
    case Orientation::Kind::spin:
      return spin_angular_velocity(F);
  }
  throw InternalError("local_angular_velocity: unknown orientation");
}

VectorMotion MotionEngine::sequence_angular_velocity(int F) {
  const Orientation& o = model_->frames[F].orientation;
  VectorMotion w = zero_vector_motion(pool_, F);
  for (std::size_t i = 0; i < 3; ++i) {
    const Column3 n = axis_column(pool_, o.axes[i]);
    const Expr angle = o.parameters[i].expr(pool_);
    w = rotate(transpose(simple_rotation(n, angle)), w, F);
    add_to(w, along(n, rate_of(angle), F));
  }
  return w;
}

VectorMotion MotionEngine::quaternion_angular_velocity(int F) {
  const int first = table_.body_rates[F];
  if (first >= 0) {
    VectorMotion w = zero_vector_motion(pool_, F);
    for (int k = 0; k < 3; ++k) w.coefficients.emplace_back(first + k, axis_column(pool_, k));
    return w;
  }
  // w = 2 (e0 e' - e0' e - e x e'), e the vector part
  std::array<Expr, 4> e;
  for (std::size_t i = 0; i < 4; ++i) e[i] = model_->frames[F].orientation.parameters[i].expr();
  const Expr two = pool_.rational(2);
  const Column3 v = {e[1], e[2], e[3]};
  const VectorMotion rate = stack({rate_of(e[1]), rate_of(e[2]), rate_of(e[3])}, F);
  VectorMotion w =
      rotate((two * e[0]) * identity_matrix(pool_) + (-two) * cross_matrix(v), rate, F);
  subtract_from(w, along(two * v, rate_of(e[0]), F));
  return w;
}

VectorMotion MotionEngine::rodrigues_angular_velocity(int F) {
  // w = 2/(1 + g g) (g' - g x g')
  const Orientation& o = model_->frames[F].orientation;
  Column3 g;
  for (std::size_t i = 0; i < 3; ++i) g[i] = o.parameters[i].expr(pool_);
  const Expr scale = 2.0 / (1.0 + dot(g, g));
  const Matrix3 m = scale * (identity_matrix(pool_) + (-pool_.one()) * cross_matrix(g));
  return rotate(m, stack({rate_of(g[0]), rate_of(g[1]), rate_of(g[2])}, F), F);
}

VectorMotion MotionEngine::spin_angular_velocity(int F) {
  const FrameData& f = model_->frames[F];
  const Vector& w = f.orientation.angular_velocity;
  if (f.fixed_axis) {
    // The axis has the same columns in both frames.
    const Column3 c = w.in(f.orientation.parent);
    return stack({linear_in_motion(c[0]), linear_in_motion(c[1]), linear_in_motion(c[2])}, F);
  }
  int home = f.parent, depth = -1;
  for (const Vector::Part& part : w.parts()) {
    const int d = model_->frames[part.frame].depth;
    if (d >= depth) home = part.frame;
    depth = std::max(depth, d);
  }
  VectorMotion sum = zero_vector_motion(pool_, home);
  for (const Vector::Part& part : w.parts()) {
    const Column3& c = part.column;
    const VectorMotion m =
        stack({linear_in_motion(c[0]), linear_in_motion(c[1]), linear_in_motion(c[2])}, part.frame);
    add_to(sum, express(m, home));
  }
  return sum;
}

void MotionEngine::prepare_frame(int F) {
  // Climb to a frame that is known, then come back down: no recursion for long chains.
  std::vector<int> path;
  for (int f = F; f >= 0 && !frames_[f]; f = model_->frames[f].parent) path.push_back(f);
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    if (frames_[*it]) continue;
    const int parent = model_->frames[*it].parent;
    if (parent < 0) {
      FrameMotion ground;
      ground.local = zero_vector_motion(pool_, 0);
      ground.w = zero_vector_motion(pool_, 0);
      frames_[*it] = std::move(ground);
      continue;
    }
    FrameMotion m;
    m.local = local_angular_velocity(*it);
    VectorMotion w = express(*frames_[parent]->w, m.local->frame);  // (1)
    add_to(w, *m.local);
    m.w = std::move(w);
    frames_[*it] = std::move(m);
  }
}

VectorMotion MotionEngine::express(const VectorMotion& v, int frame) {
  return v.frame == frame ? v : visviva::rotate(rotation(frame, v.frame), v, frame);
}

const VectorMotion& MotionEngine::angular_velocity(int F) {
  prepare_frame(F);
  return *frames_[F]->w;
}

const VectorMotion& MotionEngine::angular_velocity_in_frame(int F) {
  prepare_frame(F);
  FrameMotion& m = *frames_[F];
  if (m.w->frame == F) return *m.w;
  if (!m.w_F) m.w_F = express(*m.w, F);
  return *m.w_F;
}

const Column3& MotionEngine::spin(int F) {
  prepare_frame(F);
  std::vector<int> path;
  for (int f = F; f >= 0 && !frames_[f]->spin; f = model_->frames[f].parent) path.push_back(f);
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    FrameMotion& m = *frames_[*it];
    const int parent = model_->frames[*it].parent;
    Column3 w = total(*m.local, table_.symbols);
    if (m.local->frame != *it) w = rotation(*it, m.local->frame) * w;
    if (parent >= 0) w = rotation(*it, parent) * *frames_[parent]->spin + w;
    m.spin = w;
  }
  return *frames_[F]->spin;
}

const VectorMotion& MotionEngine::local_spin(int F) {
  prepare_frame(F);
  return *frames_[F]->local;
}

const Column3& MotionEngine::local_angular_acceleration(int F) {
  prepare_frame(F);
  FrameMotion& m = *frames_[F];
  if (m.local_alpha) return *m.local_alpha;
  const Column3 w_PF = total(*m.local, table_.symbols);
  const Column3 w_Nh = spin(m.local->frame);
  m.local_alpha = differentiate_column(w_PF) + cross(w_Nh, w_PF);  // (2)
  return *m.local_alpha;
}

const Column3& MotionEngine::angular_acceleration_remainder(int F) {
  prepare_frame(F);
  std::vector<int> path;
  for (int f = F; f >= 0 && !frames_[f]->alpha_F; f = model_->frames[f].parent) path.push_back(f);
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const int parent = model_->frames[*it].parent, h = local_spin(*it).frame;
    Column3 alpha = local_angular_acceleration(*it);
    if (h != *it) alpha = rotation(*it, h) * alpha;
    if (parent >= 0) alpha = rotation(*it, parent) * *frames_[parent]->alpha_F + alpha;
    frames_[*it]->alpha_F = alpha;
  }
  return *frames_[F]->alpha_F;
}

// ---- Points

const std::vector<VectorMotion>& MotionEngine::local_velocity(int Q) {
  auto& slot = points_[Q].local_v;
  if (slot) return *slot;
  std::vector<VectorMotion> terms;
  for (const Vector::Part& part : model_->points[Q].offset.parts()) {  // (3)
    const Column3& c = part.column;
    VectorMotion term = cross(angular_velocity_in_frame(part.frame), c);
    add_to(term, stack({rate_of(c[0]), rate_of(c[1]), rate_of(c[2])}, part.frame));
    terms.push_back(std::move(term));
  }
  slot = std::move(terms);
  return *slot;
}

const VectorMotion& MotionEngine::velocity(int Q) {
  std::vector<int> path;
  for (int p = Q; p >= 0 && !points_[p].v; p = model_->points[p].parent) path.push_back(p);
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const PointData& point = model_->points[*it];
    const VectorMotion before =
        point.parent < 0 ? zero_vector_motion(pool_, 0) : *points_[point.parent].v;
    // Written in the home frame, or where the parent's is, whichever turns fewer columns.
    std::size_t moved = 0;
    for (const VectorMotion& term : local_velocity(*it)) moved += rotation_work(term, before.frame);
    const int frame =
        rotation_work(before, point.home_frame) <= moved ? point.home_frame : before.frame;
    VectorMotion v = express(before, frame);
    for (const VectorMotion& term : local_velocity(*it)) add_to(v, express(term, frame));
    points_[*it].v = std::move(v);
  }
  return *points_[Q].v;
}

// About how many products it takes to write v in another frame.
std::size_t MotionEngine::rotation_work(const VectorMotion& v, int frame) {
  if (v.frame == frame) return 0;
  std::size_t entries = 0;
  for (const Column3& row : rotation(frame, v.frame)) {
    for (const Expr& e : row) entries += e.is_constant() ? 0 : 1;
  }
  return entries * count_distinct(v);
}

const std::vector<Column3>& MotionEngine::local_acceleration(int Q) {
  auto& slot = points_[Q].local_a;
  if (slot) return *slot;
  std::vector<Column3> terms;
  const Expr two = pool_.rational(2);
  for (const Vector::Part& part : model_->points[Q].offset.parts()) {  // (4)
    const Column3& c = part.column;
    const Column3 rate =
        total(stack({rate_of(c[0]), rate_of(c[1]), rate_of(c[2])}, part.frame), table_.symbols);
    const Column3 w = spin(part.frame);
    terms.push_back(differentiate_column(rate) + cross(w, two * rate + cross(w, c)) +
                    cross(angular_acceleration_remainder(part.frame), c));
  }
  slot = std::move(terms);
  return *slot;
}

const Column3& MotionEngine::acceleration_remainder(int Q) {
  std::vector<int> path;
  for (int p = Q; p >= 0 && !points_[p].a; p = model_->points[p].parent) path.push_back(p);
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const PointData& point = model_->points[*it];
    const int home = point.home_frame;
    Column3 a = zero_column(pool_);
    if (point.parent >= 0) {
      const int before = model_->points[point.parent].home_frame;
      a = *points_[point.parent].a;
      if (before != home) a = rotation(home, before) * a;
    }
    const std::vector<Column3>& terms = local_acceleration(*it);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const int frame = point.offset.parts()[i].frame;
      a = a + (frame == home ? terms[i] : rotation(home, frame) * terms[i]);
    }
    points_[*it].a = a;
  }
  return *points_[Q].a;
}

// ---- Time derivatives

Tangent& MotionEngine::tangent(bool with_speed_rates) {
  std::unique_ptr<Tangent>& slot = with_speed_rates ? full_ : held_;
  if (slot) return *slot;
  std::vector<std::pair<Expr, Expr>> rates = {{model_->time, pool_.one()}};
  for (const SpecifiedData& s : model_->specified) {
    for (std::size_t k = 0; k + 1 < s.derivatives.size(); ++k)
      rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
  }
  for (std::size_t i = 0; i < model_->coordinates.size(); ++i) {
    rates.emplace_back(model_->coordinates[i].q, total(table_.rates[i], table_.symbols));
  }
  for (std::size_t f = 0; f < model_->frames.size(); ++f) {
    for (std::size_t k = 0; k < model_->frames[f].hidden.size(); ++k) {
      rates.emplace_back(model_->frames[f].hidden[k],
                         total(hidden_rate(static_cast<int>(f), k), table_.symbols));
    }
  }
  if (with_speed_rates) {
    for (const Speed& s : table_.speeds) rates.emplace_back(s.u, s.rate);
  }
  slot = std::make_unique<Tangent>(pool_, rates);
  return *slot;
}

Expr MotionEngine::time_derivative(const Expr& expr) { return tangent(true)(expr); }
Expr MotionEngine::time_derivative_without_speed_rates(const Expr& expr) {
  return tangent(false)(expr);
}

Column3 MotionEngine::differentiate_column(const Column3& c) {
  Tangent& d = tangent(false);
  return {d(c[0]), d(c[1]), d(c[2])};
}

}  // namespace visviva
