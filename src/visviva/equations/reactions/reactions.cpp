#include "visviva/equations/reactions/reactions.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "visviva/equations/reactions/reaction_forms.h"
#include "visviva/equations/reactions/reaction_parts.h"
#include "visviva/model/field_values.h"

namespace visviva {
namespace {

using Eigen::Vector3d;

constexpr double open_tolerance = 1e-9;  // of the sizes that are summed
constexpr double sum_rounding = 1e-14;   // likewise: a smaller sum is zero

Vector3d vector_at(const std::vector<double>& values, std::size_t place) {
  return {values[place], values[place + 1], values[place + 2]};
}

}  // namespace

struct ReactionSolver::Parts : ReactionParts {
  explicit Parts(const Equations& e) : ReactionParts(e) { sheet.close(); }

  void add_action(const std::vector<double>& v, const Action& a, const Vector3d& p, Vector3d* force,
                  Vector3d* moment) const {
    const Vector3d x = vector_at(v, a.column);
    if (a.is_torque) {
      *moment += x;
      return;
    }
    *force += x;
    *moment += (vector_at(v, positions[a.place]) - p).cross(x);
  }

  Reaction react_at(int P, const std::vector<double>& v, const SolvedMotion& solved) const;
  void add_drives(int P, const std::vector<double>& v, const SolvedMotion& solved,
                  Wrench* wrench) const;
  Reaction balance_at(int P, const std::vector<double>& v, const SolvedMotion& solved) const;
  std::optional<Reaction> react_on(int constraint, const std::vector<double>& v,
                                   const SolvedMotion& solved) const;
  void add_support(const std::vector<double>& v, const SolvedMotion& solved, Reaction* result,
                   int constraint) const;
  std::optional<ConstraintMultiplier> multiply(int constraint, const std::vector<double>& v,
                                               const SolvedMotion& solved) const;
  std::string body_name(int body) const;
  void lose_along(const std::vector<Action>& shared, const std::vector<double>& v, int about,
                  Wrench* wrench) const;
  void lose_shared(int constraint, const Subject& subject, const std::vector<double>& v,
                   Wrench* wrench) const;
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

// A force and a moment that are summed, with the sizes of what is: a sum that is next to nothing beside them is zero.
struct WrenchSum {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  double force_size = 0.0, moment_size = 0.0;

  void add(double factor, const Vector3d& f, const Vector3d& m) {
    force += factor * f;
    moment += factor * m;
    force_size += std::abs(factor) * f.norm();
    moment_size += std::abs(factor) * m.norm();
  }
  // The moment has arms of these lengths.
  void add_arms(const Vector3d& from, const Vector3d& to, const Vector3d& f) {
    moment_size += (from.norm() + to.norm()) * f.norm();
  }
  Wrench round() const {
    const auto clean = [](const Vector3d& sum, double size) -> Vector3d {
      return (sum.array().abs() <= sum_rounding * size).select(0.0, sum);
    };
    return make_wrench(clean(force, force_size), clean(moment, moment_size));
  }
};

void lose(std::array<bool, 3>* flags, const Vector3d& direction) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::abs(direction(static_cast<Eigen::Index>(i))) > smallest_direction) (*flags)[i] = false;
  }
}

const Vector3d everywhere = Vector3d::Ones();

// axis · force; what is not known across the axis does not matter.
double component(const Vector3d& axis, const Vector3d& force) {
  double sum = 0.0;
  for (Eigen::Index k = 0; k < 3; ++k)
    if (std::abs(axis(k)) > smallest_direction) sum += axis(k) * force(k);
  return sum;
}

// Components that multipliers may change without changing anything else; against the size of what is
// summed, where a moment may be rounding of a force times a length.
void lose_open(const SolvedMotion& solved, const std::vector<Vector3d>& units,
               const std::vector<Vector3d>& scales, std::array<bool, 3>* flags) {
  for (const std::vector<double>& open : solved.open_multipliers) {
    Vector3d sum = Vector3d::Zero();
    double size = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (solved.is_multiplier_determined[i]) continue;  // open by rounding alone
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
Reaction ReactionSolver::Parts::balance_at(int P, const std::vector<double>& v,
                                           const SolvedMotion& solved) const {
  const Vector3d p = vector_at(v, positions[P]);
  WrenchSum sum;
  for (const Body& body : bodies) {
    if (!tree.hangs_on(body.point, P)) continue;
    const Vector3d ma = vector_at(v, body.force), place = vector_at(v, positions[body.point]);
    sum.add(1.0, ma, (place - p).cross(ma));
    sum.add_arms(place, p, ma);
    if (body.torque) sum.add(1.0, Vector3d::Zero(), vector_at(v, *body.torque));
  }
  const auto take = [&](const Action& a, double factor) {
    Vector3d f = Vector3d::Zero(), m = Vector3d::Zero();
    add_action(v, a, p, &f, &m);
    sum.add(-factor, f, m);
    if (!a.is_torque) sum.add_arms(vector_at(v, positions[a.place]), p, factor * f);
  };
  bool is_placed = true;
  for (const LoadEntry& load : loads) {
    is_placed &= is_known_at(load, P);
    for (const Action& a : load.actions) {
      if (is_beyond(a, P)) take(a, 1.0);
    }
  }
  Wrench lost;
  std::vector<Vector3d> unit_forces, unit_moments;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    is_placed &= rows[i].is_placed;
    Vector3d f = Vector3d::Zero(), m = Vector3d::Zero();
    for (const Action& a : rows[i].actions) {
      if (!is_beyond(a, P)) continue;
      add_action(v, a, p, &f, &m);
      take(a, solved.multipliers[i]);
    }
    unit_forces.push_back(f);
    unit_moments.push_back(m);
  }
  lose_open(solved, unit_forces, unit_forces, &lost.is_force_determined);
  lose_open(solved, unit_moments, unit_forces, &lost.is_moment_determined);
  for (const OpenEntry& entry : open) {
    is_placed &= entry.is_placed;
    lose_along(choose(entry.all(), P), v, P, &lost);
  }
  if (!is_placed) {
    lose(&lost.is_force_determined, everywhere);
    lose(&lost.is_moment_determined, everywhere);
  }
  const std::string name = model.points[P].name;
  Reaction result{name, name, "all that hangs on " + name, sum.round()};
  result.wrench.is_force_determined = lost.is_force_determined;
  result.wrench.is_moment_determined = lost.is_moment_determined;
  return result;
}

// The balance without what contacts alone carry: that acts there, not at P. What contacts share with others leaves it
// open.
Reaction ReactionSolver::Parts::react_at(int P, const std::vector<double>& v,
                                         const SolvedMotion& solved) const {
  Reaction result = balance_at(P, v, solved);
  for (const Support& support : supports) {
    const int count = count_support(support, P);
    if (count == 0) continue;
    const Wrench whole = balance_at(support.root, v, solved).wrench;
    const Vector3d force(whole.force[0], whole.force[1], whole.force[2]);
    const Vector3d arm = vector_at(v, positions[support.contact]) - vector_at(v, positions[P]);
    for (const std::size_t column : support.axes) {
      const Vector3d axis = vector_at(v, column);
      if (!support.is_only) {
        lose(&result.wrench.is_force_determined, axis);
        lose(&result.wrench.is_moment_determined, arm.cross(axis));
        continue;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        if (whole.is_force_determined[i] ||
            std::abs(axis(static_cast<Eigen::Index>(i))) <= smallest_direction)
          continue;
        lose(&result.wrench.is_force_determined, axis);
        lose(&result.wrench.is_moment_determined, arm.cross(axis));
      }
      const double size = component(axis, force);
      if (!std::isfinite(size)) {
        lose(&result.wrench.is_force_determined, axis);
        lose(&result.wrench.is_moment_determined, arm.cross(axis));
        continue;
      }
      const Vector3d part = count * size * axis, moment = arm.cross(part);
      for (std::size_t i = 0; i < 3; ++i) {
        result.wrench.force[i] -= part(static_cast<Eigen::Index>(i));
        result.wrench.moment[i] -= moment(static_cast<Eigen::Index>(i));
      }
    }
  }
  for (const Idle& condition : idle) lose_along(choose(condition.actions, P), v, P, &result.wrench);
  add_drives(P, v, solved, &result.wrench);
  return result;
}

// A motor acts at the point where what it moves hangs, as where the motion is given without a coordinate.
void ReactionSolver::Parts::add_drives(int P, const std::vector<double>& v,
                                       const SolvedMotion& solved, Wrench* wrench) const {
  const Vector3d p = vector_at(v, positions[P]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].is_drive) continue;
    Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
    for (const Action& a : rows[i].actions) {
      if (is_beyond(a, P)) add_action(v, a, p, &force, &moment);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      wrench->force[k] += solved.multipliers[i] * force(static_cast<Eigen::Index>(k));
      wrench->moment[k] += solved.multipliers[i] * moment(static_cast<Eigen::Index>(k));
    }
  }
}

// Along what a condition may carry that has no row, or an unknown force.
void ReactionSolver::Parts::lose_along(const std::vector<Action>& shared,
                                       const std::vector<double>& v, int about,
                                       Wrench* wrench) const {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  for (const Action& a : shared) add_action(v, a, vector_at(v, positions[about]), &force, &moment);
  lose(&wrench->is_force_determined, force);
  lose(&wrench->is_moment_determined, moment);
}

std::string ReactionSolver::Parts::body_name(int body) const {
  return body < 0 ? "N" : model.bodies[body].name;
}

std::optional<Reaction> ReactionSolver::Parts::react_on(int constraint,
                                                        const std::vector<double>& v,
                                                        const SolvedMotion& solved) const {
  const ConstraintData& c = model.constraints[constraint];
  const RowEntry* first = first_row(constraint);
  if (first == nullptr) return {};
  Reaction result{c.name, "", "", {}};
  if (!first->is_placed || first->actions.empty()) {
    lose(&result.wrench.is_force_determined, everywhere);
    lose(&result.wrench.is_moment_determined, everywhere);
    return result;
  }
  const Subject subject = find_subject(*first);
  const Action& named = subject.named;
  const int body = subject.body, point = subject.point;
  const Vector3d p = vector_at(v, positions[point]);
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  Wrench lost;
  std::vector<Vector3d> unit_forces(rows.size(), Vector3d::Zero()), unit_moments = unit_forces;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].constraint != constraint) continue;
    Vector3d f = Vector3d::Zero(), m = Vector3d::Zero();
    for (const Action& a : rows[i].actions) {
      if (acts_on(subject, a)) add_action(v, a, p, &f, &m);
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
  result.at = model.points[point].name;
  result.on = body >= 0 || named.is_torque
                  ? (body >= 0 ? body_name(body) : model.frames[named.place].name)
                  : "all that hangs on " + model.points[named.place].name;
  result.wrench = make_wrench(force, moment);
  result.wrench.is_force_determined = lost.is_force_determined;
  result.wrench.is_moment_determined = lost.is_moment_determined;
  add_support(v, solved, &result, constraint);
  for (const Idle& condition : idle) {
    if (condition.constraint == constraint)
      lose_along(choose(condition.actions, subject), v, point, &result.wrench);
  }
  lose_shared(constraint, subject, v, &result.wrench);
  return result;
}

// A constraint's reaction includes an unknown force that does the same. Where it does something else to what the
// constraint acts on, or acts elsewhere, the components that the constraint has are open.
void ReactionSolver::Parts::lose_shared(int constraint, const Subject& subject,
                                        const std::vector<double>& v, Wrench* wrench) const {
  const Vector3d p = vector_at(v, positions[subject.point]);
  for (const OpenEntry& entry : open) {
    Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
    for (const Action& a : choose(entry.of(constraint, rows), subject))
      add_action(v, a, p, &force, &moment);
    const Vector3d has_force = force.cwiseAbs(), has_moment = moment.cwiseAbs();
    for (const Action& a : choose(entry.own, subject)) add_action(v, a, p, &force, &moment);
    for (Eigen::Index k = 0; k < 3; ++k) {
      if (has_force(k) < smallest_direction) force(k) = 0;
      if (has_moment(k) < smallest_direction) moment(k) = 0;
    }
    lose(&wrench->is_force_determined, force);
    lose(&wrench->is_moment_determined, moment);
  }
}

// What a contact carries along axes without a row: all of the balance, or nobody knows how much.
void ReactionSolver::Parts::add_support(const std::vector<double>& v, const SolvedMotion& solved,
                                        Reaction* result, int constraint) const {
  for (const Support& support : supports) {
    if (support.constraint != constraint) continue;
    const Wrench whole = balance_at(support.root, v, solved).wrench;
    const Vector3d force(whole.force[0], whole.force[1], whole.force[2]);
    for (const std::size_t column : support.axes) {
      const Vector3d axis = vector_at(v, column);
      if (!support.is_only) lose(&result->wrench.is_force_determined, axis);
      for (std::size_t i = 0; i < 3; ++i) {
        const double part = axis(static_cast<Eigen::Index>(i));
        if (std::abs(part) <= smallest_direction) continue;
        if (support.is_only) result->wrench.force[i] += component(axis, force) * part;
        if (!whole.is_force_determined[i]) result->wrench.is_force_determined[i] = false;
      }
    }
  }
}

std::optional<ConstraintMultiplier> ReactionSolver::Parts::multiply(
    int constraint, const std::vector<double>& v, const SolvedMotion& solved) const {
  if (first_row(constraint) == nullptr) return {};
  const ConstraintData& c = model.constraints[constraint];
  ConstraintMultiplier result{c.name, !c.scalar.valid() && c.kind != ConstraintData::Kind::lock};
  std::vector<Vector3d> units(rows.size(), Vector3d::Zero());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].constraint != constraint) continue;
    units[i] = result.is_vector ? vector_at(v, rows[i].axis) : Vector3d(1.0, 0.0, 0.0);
    for (std::size_t k = 0; k < 3; ++k)
      result.values[k] += solved.multipliers[i] * units[i](static_cast<Eigen::Index>(k));
  }
  lose_open(solved, units, units, &result.is_determined);
  for (const Idle& condition : idle) {
    if (condition.constraint == constraint) result.is_determined[condition.component] = false;
  }
  for (std::size_t k = 0; k < 3; ++k)
    result.is_determined[k] = result.is_determined[k] && std::isfinite(result.values[k]);
  return result;
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
  for (const std::vector<double>& change : solved.open_multipliers) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (solved.is_multiplier_determined[i]) continue;
      sum += change[i] * v[entry.row_slopes[i]];
      size += std::abs(change[i] * v[entry.row_slopes[i]]);
    }
    motor.is_determined &= std::abs(sum) <= open_tolerance * size;
  }
  for (const std::size_t slope : entry.open_slopes)
    motor.is_determined &= std::abs(v[slope]) <= smallest_direction;
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
    if (auto multiplier = p.multiply(static_cast<int>(c), v, solved))
      result.multipliers.push_back(*multiplier);
  }
  for (std::size_t P = 0; P < p.model.points.size(); ++P) {
    const int point = static_cast<int>(P);
    // Inside of a line elastic forces act that no place is known of.
    if (p.carries_mass(point) && !is_on_line(p.model, point))
      result.reactions.push_back(p.react_at(point, v, solved));
  }
  for (Reaction& r : result.reactions) lose_not_finite(&r.wrench);
  for (const Parts::MotorEntry& entry : p.motors) {
    result.motors.push_back(p.drive(entry, v, solved));
    result.motors.back().is_determined &= std::isfinite(result.motors.back().power);
  }
  for (const Parts::LoadEntry& load : p.loads) {
    double power = load.loose_power ? v[*load.loose_power] : 0.0;
    for (const Action& a : load.actions) {
      const std::size_t rate = a.is_torque ? *p.frame_spin[a.place] : *p.point_velocity[a.place];
      power += vector_at(v, a.column).dot(vector_at(v, rate));
    }
    const bool is_open =
        std::any_of(load.open_powers.begin(), load.open_powers.end(),
                    [&](std::size_t place) { return std::abs(v[place]) > smallest_direction; });
    if (is_open) power = std::numeric_limits<double>::quiet_NaN();
    result.powers.push_back({load.name, power, v[load.through_speeds]});
  }
  return result;
}

StartState add_solution(const Equations& equations, StartState state, const SolvedMotion& solved) {
  const Kinematics& motion = equations.motion;
  const auto set = [&](const Expr& symbol, double value) {
    if (state.known.emplace(symbol, value).second) {
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
      if (r.wrench.is_moment_determined[i])
        values.emplace("moment(" + r.name + ")." + "xyz"[i], r.wrench.moment[i]);
    }
  }
  for (const Motor& m : reactions.motors) {
    if (!m.is_determined) continue;
    values["power(" + m.name + ")"] = m.power;
    values["motor(" + m.name + ")"] = m.force;
  }
  for (const ConstraintMultiplier& m : reactions.multipliers) {
    const std::string name = "multiplier(" + m.name + ")";
    if (!m.is_vector && m.is_determined[0]) values.emplace(name, m.values[0]);
    for (std::size_t i = 0; m.is_vector && i < 3; ++i) {
      if (m.is_determined[i]) values.emplace(name + "." + "xyz"[i], m.values[i]);
    }
  }
  for (const LoadPower& p : reactions.powers) {
    if (std::isfinite(p.power)) values.emplace("power(" + p.name + ")", p.power);
  }
  return values;
}

}  // namespace visviva
