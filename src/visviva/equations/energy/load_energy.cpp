#include "visviva/equations/energy/load_energy.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "visviva/equations/energy/along_motion.h"
#include "visviva/equations/energy/constraint_manifold.h"
#include "visviva/equations/energy/time_symbols.h"
#include "visviva/equations/loads.h"
#include "visviva/equations/places.h"
#include "visviva/equations/solve.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/cone.h"
#include "visviva/symbolic/evaluate.h"
#include "visviva/symbolic/expand.h"
#include "visviva/symbolic/inspect.h"
#include "visviva/symbolic/integrate.h"
#include "visviva/symbolic/print.h"

namespace visviva {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text;
}

bool all_zero(const std::vector<Expr>& list) {
  return std::all_of(list.begin(), list.end(), [](const Expr& e) { return e.is_zero(); });
}

// The same where roots may hide it from the fields.
bool all_proved_zero(const std::vector<Expr>& list) {
  return std::all_of(list.begin(), list.end(), is_proved_zero);
}

bool is_same(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

const char* const not_continuous =
    "its potential would have jumps, and be no function of the configuration everywhere";

// A potential, and why it is one.
struct Found {
  Expr U;
  std::string reason;
  bool needs_constraints = false;
  bool is_integrated = false;
};

// A load on its way: what it is at rest, and what of that may have a potential.
struct Entry {
  Load load;
  std::vector<Expr> forces;       // F_r
  std::optional<Load> at_rest;    // the load without velocities
  std::vector<Expr> rest_forces;  // F_r0 without what comes from outside
  std::optional<Found> found;
  std::string refusal;  // why nothing was found
};

class LoadAnalysis {
 public:
  LoadAnalysis(const Equations& equations, const VelocitySplit& split,
               const EmbeddedEquations* embedded)
      : motion_(equations.motion),
        model_(const_cast<ModelData&>(motion_.model())),
        pool_(*model_.pool),
        embedded_(embedded),
        split_(split),
        time_(motion_) {
    if (embedded_ == nullptr) return;
    embedding_.emplace(equations, *embedded_, split);
    for (const auto& [q, value] : solve_positions(equations)) {
      if (time_.depends_on_time(value)) driven_.emplace_back(q, value);
    }
  }

  std::vector<LoadEnergy> analyze() {
    for (const Load& load : collect_loads(motion_)) entries_.push_back(examine(load));
    find_together();
    std::vector<LoadEnergy> result;
    for (const Entry& e : entries_) result.push_back(conclude(e));
    return result;
  }

 private:
  // ---- One load

  Entry examine(const Load& load) {
    Entry e{load, compute_generalized_forces(motion_, load), {}, {}, {}, {}};
    if (all_zero(e.forces)) {
      // Its potential may still be a constant: that of gravity is zero at No.
      if (std::optional<Expr> U = known_potential(load); U && is_potential(*U, e.forces)) {
        e.at_rest = load;
        e.rest_forces = e.forces;
        e.found = Found{*U, known_reason(load)};
      }
      return e;
    }
    e.at_rest = make_load_at_rest(motion_, load);
    if (!e.at_rest) {
      e.refusal = "its law has no value at rest";
      return e;
    }
    e.rest_forces = compute_generalized_forces(motion_, *e.at_rest);
    if (std::optional<Expr> U = known_potential(*e.at_rest)) {
      if (!is_continuous(*U)) {
        e.refusal = not_continuous;
        e.rest_forces.assign(e.rest_forces.size(), pool_.zero());
        return e;
      }
      if (is_potential(*U, e.rest_forces)) {
        e.found = Found{*U, known_reason(load)};
        return e;
      }
    }
    leave_outside_out(&e);
    if (all_zero(e.rest_forces)) {
      if (e.refusal.empty()) e.refusal = explain_motion(e.forces);
      return e;
    }
    if (e.refusal.empty()) {
      if (std::optional<Expr> U = constant_potential(*e.at_rest)) {
        if (is_potential(*U, e.rest_forces)) {
          e.found = Found{*U, "a force that is the same everywhere"};
          return e;
        }
      }
    }
    if (e.refusal.empty()) {
      e.found = central_potential(*e.at_rest, e.rest_forces);
      if (e.found) return e;
    }
    std::string why;
    e.found = integrate_forces(e.rest_forces, &why);
    if (!e.found && find_with_values(&e)) return e;
    if (!e.found)
      e.refusal = is_same(e.forces, e.rest_forces) ? why : "it depends on speeds; " + why;
    return e;
  }

  // What is integrable for these values only: the rest of F_r, which vanishes for them, stays
  // nonconservative.
  bool find_with_values(Entry* e) {
    std::vector<Expr> forces;
    try {
      if (!values_) values_.emplace(model_);
      for (const Expr& F : e->rest_forces) forces.push_back((*values_)(F));
    } catch (const UsageError&) {  // the values divide by zero
      return false;
    }
    std::string why;
    const std::optional<Found> found = integrate_freely(forces, &why);
    if (!found) return false;
    e->rest_forces.assign(forces.size(), pool_.zero());
    for (const auto& [r, c] : motion_.rate_of(found->U).coefficients) e->rest_forces[at(r)] = -c;
    e->found = Found{found->U, "for these values its generalized forces are integrable"};
    return true;
  }

  // Why a force vanishes with the velocities in its law.
  std::string explain_motion(const std::vector<Expr>& forces) const {
    std::vector<std::string> names;
    for (const Expr& F : forces) {
      for (const Expr& s : free_symbols(F)) {
        const SymbolRole* role = model_.role(s);
        if (role == nullptr || role->role == Role::speed || role->role == Role::rate)
          return "it depends on speeds";
        if (role->role == Role::specified_rate) names = {model_.specified[at(role->index)].name};
      }
    }
    return names.empty() ? "it depends on speeds"
                         : "it depends on the prescribed motion " + names[0] + " by its rates";
  }

  // Of F_r0, the terms without anything given from outside; none where they cannot be told apart.
  void leave_outside_out(Entry* e) {
    std::vector<std::string> names;
    for (Expr& F : e->rest_forces) {
      const std::vector<std::string> outside = time_.outside_names_in(F);
      if (outside.empty()) continue;
      for (const std::string& name : outside) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
      const std::optional<std::vector<Expr>> terms = expand_sum(F);
      Expr inner = pool_.zero();
      if (terms) {
        for (const Expr& term : *terms) {
          if (!time_.depends_on_outside(term)) inner += term;
        }
      }
      F = inner;
    }
    if (!names.empty()) e->refusal = "it is given from outside, by " + join(names);
  }

  // ---- Potentials that are known without integration

  std::optional<Expr> known_potential(const Load& load) {
    switch (load.kind) {
      case Load::Kind::gravity: {
        const BodyData& body = model_.bodies[at(load.index)];
        const Vector g = motion_.resolve(*model_.gravity);
        return -body.mass * dot(g, position(body.point)).expr(pool_);
      }
      case Load::Kind::spring:
        return spring_potential(model_.springs[at(load.index)]);
      case Load::Kind::potential:
        return motion_.resolve(Quantity(model_.energies[at(load.index)].value, Dimension()))
            .expr(pool_);
      default:
        return {};
    }
  }

  static std::string known_reason(const Load& load) {
    return load.kind == Load::Kind::gravity  ? "uniform gravity"
           : load.kind == Load::Kind::spring ? "an elastic force"
                                             : "given by its potential";
  }

  Vector position(int point) const { return Point(model_, point) - Point(model_, 0); }

  Expr resolve(const Expr& e) const {
    return motion_.resolve(Quantity(e, Dimension())).expr(pool_);
  }

  // k/2 (length - rest)^2
  Expr spring_potential(const SpringData& s) const {
    const Expr half_k = pool_.rational(1, 2) * resolve(s.coefficient);
    const Expr rest = s.rest.valid() ? resolve(s.rest) : pool_.zero();
    if (s.on.valid()) return half_k * (s.on - rest) * (s.on - rest);
    const Vector d = position(s.to) - position(s.from);
    if (rest.is_zero()) return half_k * dot(d, d).expr(pool_);
    const Expr stretch = magnitude(d).expr(pool_) - rest;
    return half_k * stretch * stretch;
  }

  // -sum F · p, for forces that are the same everywhere.
  std::optional<Expr> constant_potential(const Load& load) const {
    if (load.forces.empty() || !load.torques.empty() || !load.generalized.empty()) return {};
    Expr U = pool_.zero();
    for (const auto& [point, force] : load.forces) {
      for (const Expr& c : force.in(Frame(model_, 0))) {
        if (time_.depends_on_configuration(c)) return {};
      }
      U -= dot(force, position(point)).expr(pool_);
    }
    return U;
  }

  // A force along the line to another point, with a size that depends on the distance alone: between
  // two points, or towards one whose motion no speed changes.
  std::optional<Found> central_potential(const Load& load, const std::vector<Expr>& forces) {
    if (load.forces.empty() || load.forces.size() > 2 || !load.torques.empty()) return {};
    const auto& [P, F] = load.forces[0];
    if (load.forces.size() == 2) {
      if (!(F + load.forces[1].second).is_zero()) return {};
      return central_potential(P, load.forces[1].first, F, forces);
    }
    for (std::size_t Q = 0; Q < motion_.engine().point_count(); ++Q) {
      if (static_cast<int>(Q) == P ||
          !motion_.engine().velocity(static_cast<int>(Q)).coefficients.empty())
        continue;
      if (std::optional<Found> found = central_potential(P, static_cast<int>(Q), F, forces))
        return found;
    }
    return {};
  }

  // F = phi(r) d gives U' = -phi(r) r, r the length of d.
  std::optional<Found> central_potential(int P, int Q, const Vector& F,
                                         const std::vector<Expr>& forces) {
    const Vector d = Point(model_, P) - Point(model_, Q);
    if (d.is_zero() || !cross(F, d).is_zero()) return {};
    const Expr square = dot(d, d).expr(pool_), length = magnitude(d).expr(pool_);
    if (square.is_constant() || length.is_symbol()) return {};  // integration does it
    const Expr r = pool_.scratch_symbol("length of a line");
    const std::optional<Expr> factor = find_factor(F, d, {{square, r * r}, {length, r}});
    if (!factor) return {};
    const Expr phi = *factor;
    const std::optional<Expr> U = integrate(-phi * r, r);
    if (!U) return {};
    const Expr potential = substitute(*U, {{r, length}});
    if (!is_continuous(potential) || !has_value(potential) || !is_potential(potential, forces))
      return {};
    return Found{potential,
                 "a force along the line between two points that depends on their distance"};
  }

  // phi in terms of r alone, read off a component of F and d.
  std::optional<Expr> find_factor(const Vector& F, const Vector& d, const Replacements& lengths) {
    const Expr e = pool_.scratch_symbol("component of a line");
    for (const Vector::Part& in_F : F.parts()) {
      for (const Vector::Part& in_d : d.parts()) {
        for (std::size_t k = 0; k < 3 && in_F.frame == in_d.frame; ++k) {
          const Expr& component = in_d.column[k];
          if (component.is_zero()) continue;
          Replacements parts = lengths;
          const bool is_number = component.is_constant();
          const Expr divisor = is_number ? component : e;
          if (!is_number) parts.emplace_back(component, e);
          const Expr phi = Substitution::of_parts(pool_, parts)(in_F.column[k]) / divisor;
          if (!time_.depends_on_configuration(phi) && differentiate(phi, e).is_zero()) return phi;
        }
      }
    }
    return {};
  }

  // (1)
  bool is_potential(const Expr& U, const std::vector<Expr>& forces) const {
    std::vector<Expr> sums = forces;
    for (const auto& [r, c] : motion_.rate_of(U).coefficients) sums[at(r)] += c;
    return all_proved_zero(sums);
  }

  // ---- Integration

  std::optional<Found> integrate_forces(const std::vector<Expr>& forces, std::string* why) {
    if (std::optional<Found> found = integrate_freely(forces, why)) return found;
    if (embedded_ == nullptr || embedded_->dependent.empty()) return {};
    return integrate_embedded(forces);
  }

  // On coordinates, as if there were no constraints.
  std::optional<Found> integrate_freely(const std::vector<Expr>& forces, std::string* why) {
    std::vector<Expr> Q(model_.coordinates.size(), pool_.zero());
    for (std::size_t r = 0; r < forces.size(); ++r) {
      if (forces[r].is_zero()) continue;
      const Speed& speed = motion_.speeds()[r];
      if (speed.coordinate >= 0) {
        Q[at(speed.coordinate)] += forces[r];
        continue;
      }
      const std::optional<Expr> definition = definition_of(speed);
      if (!definition) {
        *why = "it acts on " + speed.name + ", which is the rate of no coordinate";
        return {};
      }
      for (std::size_t j = 0; j < Q.size(); ++j)
        Q[j] += forces[r] * differentiate(*definition, model_.coordinates[j].rate);
    }
    std::vector<Expr> variables, slopes;
    std::vector<std::string> names;
    for (std::size_t j = 0; j < Q.size(); ++j) {
      if (model_.coordinates[j].quaternion >= 0 && !Q[j].is_zero()) {
        *why = "it acts on an orientation without angles";
        return {};
      }
      if (model_.coordinates[j].quaternion >= 0) continue;
      variables.push_back(model_.coordinates[j].q);
      slopes.push_back(-Q[j]);
      names.push_back(model_.coordinates[j].name);
    }
    for (const Expr& slope : slopes) {
      for (const Expr& s : free_symbols(slope)) {
        const SymbolRole* role = model_.role(s);
        const bool is_hidden = role != nullptr && role->role == Role::hidden;
        const bool is_quaternion = role != nullptr && role->role == Role::coordinate &&
                                   model_.coordinates[at(role->index)].quaternion >= 0;
        if ((is_hidden || is_quaternion) && !differentiate(slope, s).is_zero()) {
          *why = "it depends on an orientation without angles";
          return {};
        }
      }
    }
    const std::optional<Expr> U =
        variables.empty() ? std::nullopt : find_potential(slopes, variables);
    if (U && !is_continuous(*U)) {
      *why = not_continuous;
      return {};
    }
    if (U && !has_value(*U)) {
      *why = "its potential, " + print(*U) + ", has no value for these parameters";
      return {};
    }
    if (U && is_potential(*U, forces))
      return Found{*U,
                   "its generalized forces depend on the configuration alone and are integrable",
                   false, true};
    *why = explain_not_integrable(slopes, variables, names);
    return {};
  }

  // Finite at the start, as far as values are given: sin(a x)/a has no value for a = 0.
  bool has_value(const Expr& U) {
    if (!start_) start_ = make_state(motion_, make_consistent_start(motion_));
    if (!start_->missing.empty()) return true;
    StartState state = *start_;
    for (const Expr& s : free_symbols(U)) {
      if (state.known.contains(s.ref())) continue;
      if (model_.role(s) != nullptr) return true;
      state.symbols.push_back(s);  // of a line; it cancels
      state.values.push_back(1.0);
    }
    return std::isfinite(Evaluator(state.symbols, {U})(state.values)[0]);
  }

  // An angle around an axis jumps somewhere, and so may what contains a sign or a step.
  static bool is_continuous(const Expr& U) {
    const std::vector<std::uint32_t> cone = collect_cone(U.pool(), {U.ref()});
    return std::none_of(cone.begin(), cone.end(), [&](std::uint32_t i) {
      const Op op = U.pool().node(i << 1).op;
      return op == Op::atan2 || op == Op::sign || op == Op::step;
    });
  }

  std::optional<Expr> definition_of(const Speed& speed) const {
    try {
      const Expr definition = motion_.speed_definition(speed.name);
      for (const Expr& s : free_symbols(definition)) {
        const SymbolRole* role = model_.role(s);
        if (role != nullptr && role->role == Role::speed) return {};
      }
      return definition;
    } catch (const UsageError&) {  // a free speed
      return {};
    }
  }

  static std::string explain_not_integrable(const std::vector<Expr>& slopes,
                                            const std::vector<Expr>& variables,
                                            const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      for (std::size_t j = i + 1; j < slopes.size(); ++j) {
        if (differentiate(slopes[i], variables[j]) == differentiate(slopes[j], variables[i]))
          continue;
        return "its generalized forces are not integrable: that on " + names[i] + " changes with " +
               names[j] + " otherwise than that on " + names[j] + " with " + names[i];
      }
    }
    return "its generalized forces are integrable, but no closed form of its potential was found";
  }

  // F_i of independent speeds; the coordinates that those move one each.
  std::optional<Found> integrate_embedded(const std::vector<Expr>& forces) {
    const std::vector<Expr> F = reduce(forces);
    std::vector<Expr> variables, slopes;
    for (std::size_t i = 0; i < F.size(); ++i) {
      if (F[i].is_zero()) continue;
      const std::optional<std::size_t> j = coordinate_of(i, F[i]);
      if (!j) return {};
      variables.push_back(model_.coordinates[*j].q);
      slopes.push_back(-F[i] / reduced_rate(*j)[i]);
    }
    for (const Expr& slope : slopes) {
      for (const Expr& s : free_symbols(slope)) {
        const SymbolRole* role = model_.role(s);
        if (role == nullptr || (role->role != Role::coordinate && role->role != Role::hidden))
          continue;
        const bool is_variable =
            std::find(variables.begin(), variables.end(), s) != variables.end();
        if (!is_variable && (role->role == Role::hidden || !is_still(at(role->index)))) return {};
      }
    }
    const std::optional<Expr> U =
        variables.empty() ? std::nullopt : find_potential(slopes, variables);
    if (U && (!is_continuous(*U) || !has_value(*U))) return {};
    if (!U) return {};
    if (!is_embedded_potential(*U, forces)) return {};
    return Found{*U, "where the constraints hold its generalized forces are integrable", true};
  }

  // (1) for the independent speeds.
  bool is_embedded_potential(const Expr& U, const std::vector<Expr>& forces) const {
    std::vector<Expr> sums = forces;
    for (const auto& [r, c] : motion_.rate_of(U).coefficients) sums[at(r)] += c;
    return all_proved_zero(reduce(sums));
  }

  // sum over all speeds of v_r du_r/du_i
  std::vector<Expr> reduce(const std::vector<Expr>& v) const {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < embedded_->independent.size(); ++i) {
      Expr sum = v[at(embedded_->independent[i])];
      for (std::size_t d = 0; d < embedded_->dependent.size(); ++d)
        sum += embedded_->transmission[d][i] * v[at(embedded_->dependent[d])];
      result.push_back(sum);
    }
    return result;
  }

  std::vector<Expr> reduced_rate(std::size_t coordinate) const {
    std::vector<Expr> c(motion_.speeds().size(), pool_.zero());
    for (const auto& [r, e] : motion_.engine().table().rates[coordinate].coefficients) c[at(r)] = e;
    return reduce(c);
  }

  // A coordinate that the i-th independent speed moves and no other does; one that the force depends
  // on before others.
  std::optional<std::size_t> coordinate_of(std::size_t i, const Expr& force) const {
    std::optional<std::size_t> found;
    for (std::size_t j = 0; j < model_.coordinates.size(); ++j) {
      if (model_.coordinates[j].quaternion >= 0) continue;
      const std::vector<Expr> rate = reduced_rate(j);
      bool is_own = !rate[i].is_zero();
      for (std::size_t k = 0; k < rate.size(); ++k)
        is_own = is_own && (k == i || rate[k].is_zero());
      if (!is_own) continue;
      if (depends_on(force, model_.coordinates[j].q)) return j;
      if (!found) found = j;
    }
    return found;
  }

  // A coordinate that nothing moves: a locked one.
  bool is_still(std::size_t coordinate) {
    const ScalarMotion& rate = motion_.engine().table().rates[coordinate];
    return (*embedding_)(total(rate, motion_.engine().table().symbols)).is_zero();
  }

  // Loads of which none has a potential may have one together.
  void find_together() {
    std::vector<Entry*> open;
    std::vector<Expr> sum(motion_.speeds().size(), pool_.zero());
    for (Entry& e : entries_) {
      if (e.found || e.rest_forces.empty() || all_zero(e.rest_forces)) continue;
      open.push_back(&e);
      for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += e.rest_forces[r];
    }
    if (open.size() < 2) return;
    std::string why;
    const std::optional<Found> found = integrate_forces(sum, &why);
    if (!found) return;
    std::string names;
    for (const Entry* e : open) names += (names.empty() ? "" : " and ") + e->load.name;
    for (Entry* e : open) {
      e->found = Found{e == open.front() ? found->U : pool_.zero(),
                       "together " + names + " have a potential", found->needs_constraints};
    }
  }

  // ---- Results

  LoadEnergy conclude(const Entry& e) {
    LoadEnergy result;
    result.name = e.load.name;
    result.source = e.load.source;
    result.power = power_of(e.load, false);
    result.generalized_power = sum_moved(e.forces);
    result.carried_power = result.carried_potential = result.potential = pool_.zero();
    result.nonconservative_power = result.generalized_power;
    result.reason = e.refusal;
    if (e.found) {
      result.needs_constraints = e.found->needs_constraints;
      result.potential = drop_terms_of_time(e, &result.needs_constraints);
      result.reason = e.found->reason;
      result.carried_power = power_of(*e.at_rest, true);
      std::vector<Expr> rest = e.forces;
      for (std::size_t r = 0; r < rest.size(); ++r) rest[r] -= e.rest_forces[r];
      result.carried_potential = split_.carried(motion_.rate_of(result.potential));  // (3)
      result.nonconservative_power = sum_moved(rest) + result.carried_potential;     // (2)
      const std::vector<std::string> names = time_.names_in(result.potential);
      if (!names.empty() && e.found->is_integrated)
        result.reason = "at every instant its generalized forces are integrable";
      if (!names.empty()) result.reason += "; its potential depends on time through " + join(names);
      result.role = all_zero(rest) ? LoadRole::conservative : LoadRole::both;
      if (all_zero(e.forces)) {
        result.role = LoadRole::none;
        result.reason = "it has no generalized force";
      }
      if (result.role == LoadRole::both && !e.refusal.empty())
        result.reason += "; the rest: " + e.refusal;
      else if (result.role == LoadRole::both && depends_on_speeds(rest))
        result.reason += "; the rest depends on speeds";
    } else if (embed(result.generalized_power).is_zero()) {
      result.role = LoadRole::none;
      result.reason =
          all_zero(e.forces) ? "it has no generalized force" : "its generalized power is zero";
    } else {
      result.role = LoadRole::nonconservative;
    }
    return result;
  }

  bool depends_on_speeds(const std::vector<Expr>& forces) const {
    for (const Expr& F : forces) {
      for (const Speed& u : motion_.speeds()) {
        if (depends_on(F, u.u)) return true;
      }
    }
    return false;
  }

  Expr embed(const Expr& e) { return embedding_ ? (*embedding_)(e) : e; }

  Expr sum_moved(const std::vector<Expr>& forces) const {
    Expr sum = pool_.zero();
    for (std::size_t r = 0; r < forces.size(); ++r) {
      if (!forces[r].is_zero()) sum += forces[r] * split_.moved_speeds()[r];
    }
    return sum;
  }

  // F · v, or F · v_t; of what acts on a coordinate, where that acts.
  Expr power_of(const Load& unplaced, bool is_carried) {
    const Load load = place_loads(motion_, {unplaced})[0];
    MotionEngine& engine = motion_.engine();
    const std::vector<Expr>& speeds = engine.table().symbols;
    const auto power = [&](const VectorMotion& v, const Vector& F) {
      return dot(is_carried ? split_.carried(v) : total(v, speeds), F.in(Frame(model_, v.frame)));
    };
    Expr sum = pool_.zero();
    for (const auto& [point, F] : load.forces) sum += power(engine.velocity(point), F);
    for (const auto& [frame, T] : load.torques) sum += power(engine.angular_velocity(frame), T);
    if (load.generalized.empty()) return sum;
    if (load.kind == Load::Kind::spring || load.kind == Load::Kind::damper) {
      // A law on a scalar acts through all of that scalar's rate.
      const ScalarMotion rate = motion_.rate_of(model_.springs[at(load.index)].on);
      const auto& [r, c] = rate.coefficients.front();
      for (const auto& [q, force] : load.generalized) {
        if (q == r)
          return sum + force / c * (is_carried ? split_.carried(rate) : total(rate, speeds));
      }
    }
    for (const auto& [r, force] : load.generalized)
      sum += force * (is_carried ? split_.transport()[at(r)] : speeds[at(r)]);
    return sum;
  }

  // A coordinate that a moving constraint drives is written by the others and time first, where the
  // forces are the slopes of that, too.
  Expr drop_terms_of_time(const Entry& e, bool* needs_constraints) const {
    const Expr& U = e.found->U;
    const std::vector<Expr> symbols = free_symbols(U);
    const bool is_driven = std::any_of(driven_.begin(), driven_.end(), [&](const auto& d) {
      return std::find(symbols.begin(), symbols.end(), d.first) != symbols.end();
    });
    if (is_driven) {
      const Expr V = drop_terms_of_time(substitute(U, driven_));
      if (is_embedded_potential(V, e.rest_forces)) {
        *needs_constraints = true;
        return V;
      }
    }
    return drop_terms_of_time(U);
  }

  Expr drop_terms_of_time(const Expr& U) const {
    if (!time_.depends_on_time(U)) return U;
    const std::optional<std::vector<Expr>> terms = expand_sum(U);
    if (!terms) return U;
    Expr dropped = pool_.zero(), kept = pool_.zero();
    for (const Expr& term : *terms) {
      const bool is_of_time = time_.depends_on_time(term) && !time_.depends_on_configuration(term);
      (is_of_time ? dropped : kept) += term;
    }
    return dropped.is_zero() ? U : kept;
  }

  const Kinematics& motion_;
  ModelData& model_;
  ExprPool& pool_;
  const EmbeddedEquations* embedded_;
  const VelocitySplit& split_;
  TimeSymbols time_;
  std::optional<StartState> start_;
  std::optional<ModelValues> values_;
  Replacements driven_;  // coordinates that moving constraints drive
  std::optional<Embedding> embedding_;
  std::vector<Entry> entries_;
};

}  // namespace

std::vector<LoadEnergy> analyze_loads(const Equations& equations, const VelocitySplit& split,
                                      const EmbeddedEquations* embedded) {
  return LoadAnalysis(equations, split, embedded).analyze();
}

}  // namespace visviva
