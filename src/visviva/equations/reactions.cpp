#include "visviva/equations/reactions.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "visviva/equations/places.h"
#include "visviva/equations/tree_dynamics.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/differentiate.h"
#include "visviva/symbolic/evaluate.h"
#include "visviva/symbolic/inspect.h"

namespace visviva {
namespace {

using Eigen::Vector3d;

constexpr double open_tolerance = 1e-9;        // of the sizes that are summed
constexpr double direction_tolerance = 1e-12;  // of a unit multiplier's force: smaller is none

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Expressions whose values are asked for together: each is known by the place of its first entry.
class Sheet {
 public:
  std::size_t add(const Expr& e) {
    exprs_.push_back(e);
    return exprs_.size() - 1;
  }
  std::size_t add(const Column3& c) {
    exprs_.insert(exprs_.end(), c.begin(), c.end());
    return exprs_.size() - 3;
  }
  void close() {
    symbols_ = free_symbols(exprs_);
    evaluator_.emplace(symbols_, exprs_);
  }
  std::vector<double> values(const StartState& state) const {
    std::vector<double> numbers;
    for (const Expr& s : symbols_) numbers.push_back(state.value(s));
    return (*evaluator_)(numbers);
  }

 private:
  std::vector<Expr> exprs_, symbols_;
  std::optional<Evaluator> evaluator_;
};

Vector3d vector_at(const std::vector<double>& values, std::size_t place) {
  return {values[place], values[place + 1], values[place + 2]};
}

// A force at a point or a torque on a frame, columns in N.
struct Action {
  bool is_torque;
  int place;           // point or frame
  std::size_t column;  // in the sheet
};

}  // namespace

struct ReactionSolver::Parts {
  explicit Parts(const Equations& e)
      : equations(e),
        motion(equations.motion),
        model(const_cast<ModelData&>(motion.model())),
        tree(motion) {
    list_points();
    list_bodies();
    list_loads();
    list_rows();
    list_supports();
    list_motors();
    sheet.close();
  }

  Column3 in_N(const Vector& v) { return v.in(Frame(model, 0)); }

  void list_points() {
    positions.resize(model.points.size());
    for (std::size_t P = 0; P < positions.size(); ++P)
      on_ground.push_back(is_on_ground(motion, static_cast<int>(P)));
    for (std::size_t P = 0; P < positions.size(); ++P)
      positions[P] = sheet.add(in_N(Point(model, static_cast<int>(P)) - Point(model, 0)));
    // A frame's torque acts on its body; of a frame without one, on the first point that it
    // carries.
    carried.assign(model.frames.size(), -1);
    for (std::size_t Q = model.points.size(); Q-- > 0;) {
      for (const Vector::Part& part : model.points[Q].offset.parts()) {
        for (int F = part.frame; F > 0; F = model.frames[at(F)].parent)
          carried[at(F)] = static_cast<int>(Q);
      }
    }
    for (const BodyData& body : model.bodies) {
      if (body.frame >= 0) carried[at(body.frame)] = body.point;
    }
  }

  void list_bodies() {
    for (const BodyData& body : model.bodies) {
      const Column3 a = in_N(motion.acceleration(Point(model, body.point)));
      Body entry{body.point, body.frame, sheet.add(body.mass * a), std::nullopt};
      if (body.frame >= 0) {
        const Frame B(model, body.frame);
        const Dyadic I(B, body.inertia, Dimension());
        const Vector w = motion.angular_velocity(B);
        const Vector h(model, dot(I, w).parts(), Dimension());
        const Vector rate(model, dot(I, motion.angular_acceleration(B)).parts(), Dimension());
        const Vector turning(model, cross(w, h).parts(), Dimension());
        entry.torque = sheet.add(in_N(rate + turning));
      }
      bodies.push_back(entry);
    }
  }

  std::vector<Action> list_actions(const std::vector<std::pair<int, Vector>>& forces,
                                   const std::vector<std::pair<int, Vector>>& torques) {
    std::vector<Action> actions;
    for (const auto& [point, force] : forces)
      actions.push_back({false, point, sheet.add(in_N(force))});
    for (const auto& [frame, torque] : torques)
      actions.push_back({true, frame, sheet.add(in_N(torque))});
    return actions;
  }

  void list_loads() {
    point_velocity.resize(model.points.size());
    frame_spin.resize(model.frames.size());
    for (const Load& load : place_loads(motion, collect_loads(motion))) {
      LoadEntry entry{load.name, list_actions(load.forces, load.torques), {}, std::nullopt, false};
      for (const auto& [point, force] : load.forces) require_velocity(point);
      for (const auto& [frame, torque] : load.torques) require_spin(frame);
      Expr power = model.pool->zero();
      const std::vector<Expr> forces = compute_generalized_forces(motion, load);
      for (std::size_t r = 0; r < forces.size(); ++r) power += forces[r] * motion.speeds()[r].u;
      entry.through_speeds = sheet.add(power);
      entry.is_placed = load.generalized.empty();
      if (!entry.is_placed) entry.loose_power = sheet.add(loose_power(load));
      loads.push_back(std::move(entry));
    }
  }

  void require_velocity(int P) {
    if (!point_velocity[at(P)])
      point_velocity[at(P)] = sheet.add(in_N(motion.velocity(Point(model, P))));
  }
  void require_spin(int F) {
    if (!frame_spin[at(F)])
      frame_spin[at(F)] = sheet.add(in_N(motion.angular_velocity(Frame(model, F))));
  }

  // The power of a generalized force without a place, through speeds and through what is
  // prescribed.
  Expr loose_power(const Load& load) {
    std::vector<Expr> speeds;
    for (const Speed& s : motion.speeds()) speeds.push_back(s.u);
    if (load.kind == Load::Kind::spring || load.kind == Load::Kind::damper) {
      const SpringData& s = model.springs[at(load.index)];
      const ScalarMotion rate = motion.rate_of(s.on);
      const auto& [r, c] = rate.coefficients.front();
      for (const auto& [q, force] : load.generalized) {
        if (q == r) return force / c * total(rate, speeds);
      }
    }
    Expr sum = model.pool->zero();
    for (const auto& [r, force] : load.generalized) sum += force * speeds[at(r)];
    return sum;
  }

  void list_rows() {
    for (const ConstraintRow& row : equations.rows) {
      const std::optional<Place> place = place_row(motion, row);
      RowEntry entry{row.constraint, place.has_value(), {}};
      if (place) entry.actions = list_actions(place->forces, place->torques);
      rows.push_back(std::move(entry));
    }
  }

  // Axes along which a roll has no row, because the description keeps contact by itself.
  void list_supports() {
    for (std::size_t c = 0; c < model.constraints.size(); ++c) {
      if (model.constraints[c].kind != ConstraintData::Kind::roll) continue;
      Support support{static_cast<int>(c), is_only_support(model.constraints[c]), {}};
      int frame = 0;
      std::array<bool, 3> has_row = {false, false, false};
      for (const ConstraintRow& row : equations.rows) {
        if (row.constraint != support.constraint) continue;
        has_row[at(row.component)] = true;
        frame = row.frame;
      }
      const Frame F(model, frame);
      const std::array<Vector, 3> axes = {F.x(), F.y(), F.z()};
      for (std::size_t i = 0; i < 3; ++i) {
        if (!has_row[i]) support.axes.push_back(sheet.add(in_N(axes[i])));
      }
      if (!support.axes.empty()) supports.push_back(std::move(support));
    }
  }

  // Nothing but the contact can carry the body across: it stands on the ground, all other bodies
  // hang on it, and nothing that is driven holds it.
  bool is_only_support(const ConstraintData& c) {
    if (c.on != 0 || model.frames[at(c.body)].body < 0) return false;
    const int center = model.bodies[at(model.frames[at(c.body)].body)].point;
    for (const Body& body : bodies) {
      if (!tree.hangs_on(body.point, center)) return false;
    }
    for (const ConstraintData& other : model.constraints) {
      if (&other != &c && other.kind != ConstraintData::Kind::lock) return false;
    }
    for (int P = center; P > 0; P = model.points[at(P)].parent) {
      if (!is_zero(motion.engine().velocity(P).remainder)) return false;
      for (const Vector::Part& part : model.points[at(P)].offset.parts()) {
        for (int F = part.frame; F > 0; F = model.frames[at(F)].parent) {
          if (model.frames[at(F)].orientation.kind == Orientation::Kind::spin && F != c.body)
            return false;
        }
      }
    }
    return true;
  }

  // The symbol by which a specified function moves things: its rate, or itself where it is a rate.
  std::optional<Expr> motor_symbol(const SpecifiedData& s) {
    bool has[2] = {false, false};
    const auto look = [&](const Column3& c) {
      for (const Expr& e : c) {
        for (std::size_t k = 0; k < 2; ++k) has[k] |= depends_on(e, s.derivatives[k]);
      }
    };
    for (const BodyData& body : model.bodies) {
      look(motion.engine().velocity(body.point).remainder);
      if (body.frame >= 0) look(motion.engine().angular_velocity(body.frame).remainder);
    }
    for (const ConstraintRow& row : equations.rows) {
      for (std::size_t k = 0; k < 2; ++k)
        has[k] |= depends_on(row.velocity.remainder, s.derivatives[k]);
    }
    for (const SpeedData& speed : model.speeds) {
      for (std::size_t k = 0; speed.definition && k < 2; ++k)
        has[k] |= depends_on(motion.speed_definition(speed.name), s.derivatives[k]);
    }
    if (has[1]) return s.derivatives[1];
    if (has[0]) return s.derivatives[0];
    return {};
  }

  // d/dx' at fixed rates of the coordinates: directly, and through the speeds that are defined with
  // x'.
  std::vector<Expr> speed_slopes(const Expr& symbol) const {
    std::vector<Expr> slopes(motion.speeds().size(), model.pool->zero());
    for (const SpeedData& s : model.speeds) {
      if (s.definition)
        slopes[at(motion.speed_index(s.name))] =
            differentiate(motion.speed_definition(s.name), symbol);
    }
    return slopes;
  }
  std::size_t slope(const VectorMotion& v, const Expr& symbol) {
    Column3 sum = {differentiate(v.remainder[0], symbol), differentiate(v.remainder[1], symbol),
                   differentiate(v.remainder[2], symbol)};
    for (const auto& [r, c] : v.coefficients) sum = sum + slopes_now[at(r)] * c;
    return sheet.add(in_N(Vector(model, {{v.frame, sum}}, Dimension())));
  }
  std::size_t point_slope(int P, const Expr& symbol) {
    return slope(motion.engine().velocity(P), symbol);
  }
  std::size_t frame_slope(int F, const Expr& symbol) {
    return slope(motion.engine().angular_velocity(F), symbol);
  }

  void list_motors() {
    for (const SpecifiedData& s : model.specified) {
      const std::optional<Expr> symbol = motor_symbol(s);
      if (!symbol) continue;
      slopes_now = speed_slopes(*symbol);
      MotorEntry entry{s.name, sheet.add(*symbol), {}, {}, {}, {}, true};
      for (const BodyData& body : model.bodies) {
        entry.body_v.push_back(point_slope(body.point, *symbol));
        entry.body_w.push_back(body.frame >= 0 ? frame_slope(body.frame, *symbol) : 0);
      }
      for (const LoadEntry& load : loads) {
        for (const Action& a : load.actions)
          entry.load_slopes.push_back(a.is_torque ? frame_slope(a.place, *symbol)
                                                  : point_slope(a.place, *symbol));
        entry.is_determined &= load.is_placed;
      }
      for (const ConstraintRow& row : equations.rows) {
        Expr sum = differentiate(row.velocity.remainder, *symbol);
        for (const auto& [r, coefficient] : row.velocity.coefficients)
          sum += coefficient * slopes_now[at(r)];
        entry.row_slopes.push_back(sheet.add(sum));
      }
      motors.push_back(std::move(entry));
    }
  }

  struct Body {
    int point, frame;
    std::size_t force;
    std::optional<std::size_t> torque;
  };
  struct LoadEntry {
    std::string name;
    std::vector<Action> actions;
    std::size_t through_speeds;
    std::optional<std::size_t> loose_power;
    bool is_placed;
  };
  struct RowEntry {
    int constraint;
    bool is_placed;
    std::vector<Action> actions;
  };
  struct Support {
    int constraint;
    bool is_only;
    std::vector<std::size_t> axes;  // columns in N
  };
  struct MotorEntry {
    std::string name;
    std::size_t rate;
    std::vector<std::size_t> body_v, body_w, load_slopes, row_slopes;
    bool is_determined;
  };

  const Equations equations;
  const Kinematics& motion;
  ModelData& model;
  TreeDynamics tree;
  Sheet sheet;
  std::vector<Expr> slopes_now;  // of the speeds, for the motor being listed
  std::vector<std::size_t> positions;
  std::vector<bool> on_ground;  // by point
  std::vector<int> carried;     // by frame: a point that moves with what the frame carries
  std::vector<std::optional<std::size_t>> point_velocity, frame_spin;
  std::vector<Body> bodies;
  std::vector<LoadEntry> loads;
  std::vector<RowEntry> rows;
  std::vector<Support> supports;
  std::vector<MotorEntry> motors;

  // ---- At a state

  bool is_beyond(const Action& a, int P) const {
    const int point = a.is_torque ? carried[at(a.place)] : a.place;
    return point >= 0 && !(on_ground[at(point)] && !a.is_torque) && tree.hangs_on(point, P);
  }
  void add_action(const std::vector<double>& v, const Action& a, const Vector3d& p, Vector3d* force,
                  Vector3d* moment) const {
    const Vector3d x = vector_at(v, a.column);
    if (a.is_torque) {
      *moment += x;
      return;
    }
    *force += x;
    *moment += (vector_at(v, positions[at(a.place)]) - p).cross(x);
  }

  Reaction react_at(int P, const std::vector<double>& v, const SolvedMotion& solved) const;
  std::optional<Reaction> react_on(int constraint, const std::vector<double>& v,
                                   const SolvedMotion& solved) const;
  void add_support(const std::vector<double>& v, const SolvedMotion& solved, Reaction* result,
                   int constraint) const;
  int body_of(const Action& a) const;
  std::string body_name(int body) const;
  Motor drive(const MotorEntry& entry, const std::vector<double>& v,
              const SolvedMotion& solved) const;
};

namespace {

Wrench make_wrench(const Vector3d& force, const Vector3d& moment) {
  Wrench w;
  for (std::size_t i = 0; i < 3; ++i) {
    w.force[i] = force(static_cast<Eigen::Index>(i));
    w.moment[i] = moment(static_cast<Eigen::Index>(i));
  }
  return w;
}

void lose(std::array<bool, 3>* flags, const Vector3d& direction) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::abs(direction(static_cast<Eigen::Index>(i))) > direction_tolerance)
      (*flags)[i] = false;
  }
}

const Vector3d everywhere = Vector3d::Ones();

// Components that multipliers may change without changing anything else; against the size of what is
// summed, where a moment may be rounding of a force times a length.
void lose_open(const SolvedMotion& solved, const std::vector<Vector3d>& units,
               const std::vector<Vector3d>& scales, std::array<bool, 3>* flags) {
  for (const std::vector<double>& open : solved.open_multipliers) {
    Vector3d sum = Vector3d::Zero();
    double size = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
      sum += open[i] * units[i];
      size += std::abs(open[i]) * (units[i].norm() + scales[i].norm());
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (std::abs(sum(static_cast<Eigen::Index>(k))) > open_tolerance * (size + 1e-300))
        (*flags)[k] = false;
    }
  }
}

}  // namespace

// (1), (2)
Reaction ReactionSolver::Parts::react_at(int P, const std::vector<double>& v,
                                         const SolvedMotion& solved) const {
  const Vector3d p = vector_at(v, positions[at(P)]);
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  for (const Body& body : bodies) {
    if (!tree.hangs_on(body.point, P)) continue;
    const Vector3d ma = vector_at(v, body.force);
    force += ma;
    moment += (vector_at(v, positions[at(body.point)]) - p).cross(ma);
    if (body.torque) moment += vector_at(v, *body.torque);
  }
  Vector3d given = Vector3d::Zero(), given_moment = Vector3d::Zero();
  bool is_placed = true;
  for (const LoadEntry& load : loads) {
    is_placed &= load.is_placed;
    for (const Action& a : load.actions) {
      if (is_beyond(a, P)) add_action(v, a, p, &given, &given_moment);
    }
  }
  Wrench lost;
  std::vector<Vector3d> unit_forces, unit_moments;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    is_placed &= rows[i].is_placed;
    Vector3d f = Vector3d::Zero(), m = Vector3d::Zero();
    for (const Action& a : rows[i].actions) {
      if (is_beyond(a, P)) add_action(v, a, p, &f, &m);
    }
    given += solved.multipliers[i] * f;
    given_moment += solved.multipliers[i] * m;
    unit_forces.push_back(f);
    unit_moments.push_back(m);
  }
  lose_open(solved, unit_forces, unit_forces, &lost.is_force_determined);
  lose_open(solved, unit_moments, unit_forces, &lost.is_moment_determined);
  if (!is_placed) {
    lose(&lost.is_force_determined, everywhere);
    lose(&lost.is_moment_determined, everywhere);
  }
  const std::string name = model.points[at(P)].name;
  Reaction result{name, name, "all that hangs on " + name,
                  make_wrench(force - given, moment - given_moment)};
  result.wrench.is_force_determined = lost.is_force_determined;
  result.wrench.is_moment_determined = lost.is_moment_determined;
  return result;
}

// The body that a force or torque acts on; -1: the ground, or none.
int ReactionSolver::Parts::body_of(const Action& a) const {
  return a.is_torque ? model.frames[at(a.place)].body : find_body_of_point(motion, a.place);
}

std::string ReactionSolver::Parts::body_name(int body) const {
  return body < 0 ? "N" : model.bodies[at(body)].name;
}

std::optional<Reaction> ReactionSolver::Parts::react_on(int constraint,
                                                        const std::vector<double>& v,
                                                        const SolvedMotion& solved) const {
  const ConstraintData& c = model.constraints[at(constraint)];
  const RowEntry* first = nullptr;
  Reaction result{c.name, "", "", {}};
  for (const RowEntry& row : rows) {
    if (row.constraint == constraint && first == nullptr) first = &row;
  }
  if (first == nullptr) return {};
  if (!first->is_placed || first->actions.empty()) {
    lose(&result.wrench.is_force_determined, everywhere);
    lose(&result.wrench.is_moment_determined, everywhere);
    return result;
  }
  // On the body that the constraint names first, about the first point in it; the ground is no
  // body.
  const auto moves = [this](const Action& a) { return body_of(a) >= 0; };
  const auto found = std::find_if(first->actions.begin(), first->actions.end(), moves);
  const Action& named = found == first->actions.end() ? first->actions.front() : *found;
  const int body = body_of(named);
  const int point = c.kind == ConstraintData::Kind::roll ? c.point
                    : named.is_torque                    ? model.frame_origin(named.place)
                                                         : named.place;
  const Vector3d p = vector_at(v, positions[at(point)]);
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  Wrench lost;
  std::vector<Vector3d> unit_forces(rows.size(), Vector3d::Zero()), unit_moments = unit_forces;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].constraint != constraint) continue;
    Vector3d f = Vector3d::Zero(), m = Vector3d::Zero();
    for (const Action& a : rows[i].actions) {
      const bool is_same = (a.is_torque == named.is_torque && a.place == named.place) ||
                           (body >= 0 && body_of(a) == body);
      if (is_same) add_action(v, a, p, &f, &m);
    }
    force += solved.multipliers[i] * f;
    moment += solved.multipliers[i] * m;
    unit_forces[i] = f;
    unit_moments[i] = m;
    if (rows[i].is_placed) continue;
    lose(&lost.is_force_determined, everywhere);
    lose(&lost.is_moment_determined, everywhere);
  }
  lose_open(solved, unit_forces, unit_forces, &lost.is_force_determined);
  lose_open(solved, unit_moments, unit_forces, &lost.is_moment_determined);
  result.at = model.points[at(point)].name;
  result.on = body >= 0 || named.is_torque
                  ? (body >= 0 ? body_name(body) : model.frames[at(named.place)].name)
                  : "all that hangs on " + model.points[at(named.place)].name;
  result.wrench = make_wrench(force, moment);
  result.wrench.is_force_determined = lost.is_force_determined;
  result.wrench.is_moment_determined = lost.is_moment_determined;
  add_support(v, solved, &result, constraint);
  return result;
}

// What a contact carries along axes without a row: all of the balance, or nobody knows how much.
void ReactionSolver::Parts::add_support(const std::vector<double>& v, const SolvedMotion& solved,
                                        Reaction* result, int constraint) const {
  for (const Support& support : supports) {
    if (support.constraint != constraint) continue;
    const ConstraintData& c = model.constraints[at(constraint)];
    const Wrench whole = react_at(model.frame_origin(c.body), v, solved).wrench;
    const Vector3d force(whole.force[0], whole.force[1], whole.force[2]);
    for (const std::size_t column : support.axes) {
      const Vector3d axis = vector_at(v, column);
      if (!support.is_only) lose(&result->wrench.is_force_determined, axis);
      for (std::size_t i = 0; i < 3; ++i) {
        const double part = axis(static_cast<Eigen::Index>(i));
        if (support.is_only) result->wrench.force[i] += axis.dot(force) * part;
        if (std::abs(part) > direction_tolerance && !whole.is_force_determined[i])
          result->wrench.is_force_determined[i] = false;
      }
    }
  }
}

// (3)
Motor ReactionSolver::Parts::drive(const MotorEntry& entry, const std::vector<double>& v,
                                   const SolvedMotion& solved) const {
  Motor motor{entry.name, 0, 0, entry.is_determined};
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    motor.force += vector_at(v, bodies[b].force).dot(vector_at(v, entry.body_v[b]));
    if (bodies[b].torque)
      motor.force += vector_at(v, *bodies[b].torque).dot(vector_at(v, entry.body_w[b]));
  }
  std::size_t next = 0;
  for (const LoadEntry& load : loads) {
    for (const Action& a : load.actions)
      motor.force -= vector_at(v, a.column).dot(vector_at(v, entry.load_slopes[next++]));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double slope = v[entry.row_slopes[i]];
    motor.force -= solved.multipliers[i] * slope;
  }
  for (const std::vector<double>& open : solved.open_multipliers) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sum += open[i] * v[entry.row_slopes[i]];
      size += std::abs(open[i] * v[entry.row_slopes[i]]);
    }
    motor.is_determined &= std::abs(sum) <= open_tolerance * size;
  }
  motor.power = motor.force * v[entry.rate];
  return motor;
}

ReactionSolver::ReactionSolver(const Equations& equations)
    : parts_(std::make_unique<Parts>(equations)) {}
ReactionSolver::~ReactionSolver() = default;

namespace {

void lose_not_finite(Wrench* w) {
  for (std::size_t i = 0; i < 3; ++i) {
    w->is_force_determined[i] = w->is_force_determined[i] && std::isfinite(w->force[i]);
    w->is_moment_determined[i] = w->is_moment_determined[i] && std::isfinite(w->moment[i]);
  }
}

}  // namespace

Reactions ReactionSolver::operator()(const StartState& state, const SolvedMotion& solved) const {
  const Parts& p = *parts_;
  const std::vector<double> v = p.sheet.values(add_solution(p.equations, state, solved));
  Reactions result;
  for (std::size_t c = 0; c < p.model.constraints.size(); ++c) {
    if (auto reaction = p.react_on(static_cast<int>(c), v, solved))
      result.reactions.push_back(*reaction);
  }
  for (std::size_t P = 0; P < p.model.points.size(); ++P) {
    const int point = static_cast<int>(P);
    const bool carries = std::any_of(p.bodies.begin(), p.bodies.end(), [&](const Parts::Body& b) {
      return p.tree.hangs_on(b.point, point);
    });
    if (carries) result.reactions.push_back(p.react_at(point, v, solved));
  }
  for (Reaction& r : result.reactions) lose_not_finite(&r.wrench);
  for (const Parts::MotorEntry& entry : p.motors) {
    result.motors.push_back(p.drive(entry, v, solved));
    result.motors.back().is_determined &= std::isfinite(result.motors.back().power);
  }
  for (const Parts::LoadEntry& load : p.loads) {
    double power = load.loose_power ? v[*load.loose_power] : 0.0;
    for (const Action& a : load.actions) {
      const std::size_t rate =
          a.is_torque ? *p.frame_spin[at(a.place)] : *p.point_velocity[at(a.place)];
      power += vector_at(v, a.column).dot(vector_at(v, rate));
    }
    result.powers.push_back({load.name, power, v[load.through_speeds]});
  }
  return result;
}

StartState add_solution(const Equations& equations, StartState state, const SolvedMotion& solved) {
  const Kinematics& motion = equations.motion;
  const auto set = [&](const Expr& symbol, double value) {
    if (state.known.emplace(symbol.ref(), value).second) {
      state.symbols.push_back(symbol);
      state.values.push_back(value);
    }
  };
  for (std::size_t r = 0; r < solved.speed_rates.size(); ++r)
    set(motion.speeds()[r].rate, solved.speed_rates[r]);
  for (std::size_t k = 0; k < solved.unknowns.size(); ++k)
    set(equations.unknowns[k], solved.unknowns[k]);
  for (const AuxiliaryData& a : motion.model().auxiliaries) set(a.symbol, 0.0);
  // Unknown forces that drop out have no value, nor has what needs one.
  for (const UnknownData& u : motion.model().unknowns)
    set(u.symbol, std::numeric_limits<double>::quiet_NaN());
  return state;
}

std::map<std::string, double> name_results(const Reactions& reactions) {
  std::map<std::string, double> values;
  for (const Reaction& r : reactions.reactions) {
    for (std::size_t i = 0; i < 3; ++i) {
      // A constraint's name comes before a point's.
      if (r.wrench.is_force_determined[i])
        values.emplace("reaction(" + r.name + ")." + "xyz"[i], r.wrench.force[i]);
    }
  }
  for (const Motor& m : reactions.motors) {
    if (m.is_determined) values["power(" + m.name + ")"] = m.power;
  }
  for (const LoadPower& p : reactions.powers) {
    if (std::isfinite(p.power)) values.emplace("power(" + p.name + ")", p.power);
  }
  return values;
}

}  // namespace visviva
