#include "visviva/equations/energy/load_energy.h"

#include <algorithm>
#include <optional>

#include "visviva/equations/energy/constraint_manifold.h"
#include "visviva/equations/energy/potential_search.h"
#include "visviva/equations/loads/place_loads.h"
#include "visviva/equations/loads/places.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

using Kind = Reason::Kind;

bool all_zero(const std::vector<Expr>& list) {
  return std::all_of(list.begin(), list.end(), [](const Expr& e) { return e.is_zero(); });
}

bool is_same(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Four Euler parameters each, scalar first, or the three of a Gibbs vector.
std::vector<std::vector<Expr>> list_rotations(const ModelData& model, ExprPool& pool) {
  std::vector<std::vector<Expr>> all;
  for (const auto& four : model.quaternions) {
    all.emplace_back();
    for (const int i : four) all.back().push_back(model.coordinates[i].q);
  }
  for (const FrameData& f : model.frames) {
    if (f.hidden.size() == 4) all.push_back(f.hidden);
    if (f.orientation.kind != Orientation::Kind::rodrigues) continue;
    std::vector<Expr> g;
    for (std::size_t k = 0; k < 3; ++k) g.push_back(f.orientation.parameters[k].expr(pool));
    if (std::all_of(g.begin(), g.end(), [](const Expr& x) { return x.is_symbol(); }))
      all.push_back(g);
  }
  return all;
}

// A load on its way: what it is at rest, and what of that may have a potential.
struct Entry {
  Load load;
  std::vector<Expr> forces;       // F_r
  std::optional<Load> at_rest;    // the load without velocities
  std::vector<Expr> rest_forces;  // F_r0 without what comes from outside
  std::optional<FoundPotential> found;
  Reasons refusal;  // why nothing was found
};

class LoadAnalysis {
 public:
  LoadAnalysis(const Equations& equations, const VelocitySplit& split,
               const EmbeddedEquations* embedded)
      : motion_(equations.motion),
        model_(motion_.model()),
        pool_(*model_.pool),
        split_(split),
        time_(motion_),
        search_(equations, split, embedded) {
    if (embedded == nullptr) return;
    embedding_.emplace(equations, *embedded, split);
    for (const auto& [q, value] : solve_positions(equations, Pivot::never_zero)) {
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
      const std::optional<FoundPotential> known = search_.known(load);
      if (known) e.refusal = PotentialSearch::explain_switch(known->U);
      if (known && e.refusal.empty() && search_.is_potential(known->U, e.forces)) {
        e.at_rest = load;
        e.rest_forces = e.forces;
        e.found = known;
      }
      return e;
    }
    e.at_rest = make_load_at_rest(motion_, load);
    if (!e.at_rest) {
      e.refusal = {{.kind = Kind::no_value_at_rest}};
      return e;
    }
    e.rest_forces = compute_generalized_forces(motion_, *e.at_rest);
    if (const std::optional<FoundPotential> known = search_.known(*e.at_rest)) {
      e.refusal = PotentialSearch::explain_switch(known->U);
      if (!e.refusal.empty()) {
        e.rest_forces.assign(e.rest_forces.size(), pool_.zero());
        return e;
      }
      if (search_.is_potential(known->U, e.rest_forces)) {
        e.found = known;
        return e;
      }
    }
    leave_outside_out(&e);
    if (all_zero(e.rest_forces)) {
      if (e.refusal.empty()) e.refusal = {explain_motion(e.forces)};
      return e;
    }
    if (e.refusal.empty()) e.found = search_.by_place(*e.at_rest, e.rest_forces);
    if (!e.found) integrate(&e);
    return e;
  }

  void integrate(Entry* e) {
    auto found = search_.by_integration(e->rest_forces);
    if (found) {
      e->found = *std::move(found);
      return;
    }
    const bool depends_on_speeds = !is_same(e->forces, e->rest_forces);
    if (find_with_values(e)) return;
    e->refusal.clear();
    if (depends_on_speeds) e->refusal.push_back({.kind = Kind::depends_on_speeds});
    e->refusal.push_back(found.why());
  }

  // What is integrable for these values only: the rest of F_r, which vanishes for them, stays
  // nonconservative.
  bool find_with_values(Entry* e) {
    e->found = search_.for_these_values(e->rest_forces);
    if (!e->found) return false;
    e->rest_forces.assign(e->rest_forces.size(), pool_.zero());
    for (const auto& [r, c] : motion_.rate_of(e->found->U).coefficients) e->rest_forces[r] = -c;
    return true;
  }

  // Why a force vanishes with the velocities in its law.
  Reason explain_motion(const std::vector<Expr>& forces) const {
    std::vector<std::string> names;
    for (const Expr& F : forces) {
      for (const Expr& s : free_symbols(F)) {
        const SymbolRole* role = model_.role(s);
        if (role == nullptr || role->role == Role::speed || role->role == Role::rate)
          return {.kind = Kind::depends_on_speeds};
        if (role->role == Role::specified_rate) names = {model_.specified[role->index].name};
      }
    }
    if (names.empty()) return {.kind = Kind::depends_on_speeds};
    return {.kind = Kind::depends_on_prescribed_rates, .names = names};
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
    if (!names.empty()) e->refusal = {{.kind = Kind::given_from_outside, .names = names}};
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
    const auto found = search_.by_integration(sum);
    if (!found) return;
    Reason together{.kind = Kind::integrable_together};
    for (const Entry* e : open) together.names.push_back(e->load.name);
    for (Entry* e : open) {
      e->found = FoundPotential{e == open.front() ? found->U : pool_.zero(), together,
                                found->needs_constraints};
    }
  }

  // ---- Results

  LoadEnergy conclude(const Entry& e) {
    LoadEnergy result;
    result.name = e.load.name;
    result.kind = e.load.kind;
    result.source = e.load.source;
    result.power = power_of(e.load, false);
    result.generalized_power = sum_moved(e.forces);
    result.carried_power = result.carried_potential = pool_.zero();
    result.potential = result.potential_rate = result.whole_potential = pool_.zero();
    result.nonconservative_power = result.generalized_power;
    result.reasons = e.refusal;
    if (e.found) {
      result.needs_constraints = e.found->needs_constraints;
      result.potential = drop_terms_of_time(e, &result.needs_constraints);
      result.whole_potential = e.found->U;
      result.carried_power = power_of(*e.at_rest, true);
      std::vector<Expr> rest = e.forces;
      for (std::size_t r = 0; r < rest.size(); ++r) rest[r] -= e.rest_forces[r];
      const ScalarMotion rate = motion_.rate_of(result.potential);
      result.potential_rate = total(rate, motion_.table().symbols);
      result.carried_potential = split_.carried(rate);                            // (3)
      result.nonconservative_power = sum_moved(rest) + result.carried_potential;  // (2)
      result.role = all_zero(rest) ? LoadRole::conservative : LoadRole::both;
      if (all_zero(e.forces)) result.role = LoadRole::none;
      result.reasons = explain_potential(e, result, rest);
    } else if (embed(result.generalized_power).is_zero()) {
      result.role = LoadRole::none;
      result.reasons.insert(
          result.reasons.begin(),
          {.kind = all_zero(e.forces) ? Kind::no_generalized_force : Kind::no_generalized_power});
    } else {
      result.role = LoadRole::nonconservative;
    }
    return result;
  }

  // `rest`: the forces without a potential.
  Reasons explain_potential(const Entry& e, const LoadEnergy& load,
                            const std::vector<Expr>& rest) const {
    if (load.role == LoadRole::none) return {{.kind = Kind::no_generalized_force}};
    Reasons reasons = {e.found->reason};
    const std::vector<std::string> names = time_.names_in(load.potential);
    if (!names.empty() && e.found->is_integrated)
      reasons = {{.kind = Kind::integrable_at_every_instant}};
    if (!names.empty())
      reasons.push_back({.kind = Kind::potential_depends_on_time, .names = names});
    if (load.role != LoadRole::both) return reasons;
    for (Reason r : e.refusal) {
      r.is_about_rest = true;
      reasons.push_back(std::move(r));
    }
    if (e.refusal.empty() && depends_on_speeds(rest))
      reasons.push_back({.kind = Kind::rest_depends_on_speeds});
    return reasons;
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
    MotionEngine& engine = engine_of(motion_);
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
      const ScalarMotion rate = motion_.rate_of(model_.springs[load.index].on);
      const auto& [r, c] = rate.coefficients.front();
      for (const auto& [q, force] : load.generalized) {
        if (q == r)
          return sum + force / c * (is_carried ? split_.carried(rate) : total(rate, speeds));
      }
    }
    for (const auto& [r, force] : load.generalized)
      sum += force * (is_carried ? split_.transport()[r] : speeds[r]);
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
      const Expr V = drop_terms_of_time(substitute(U, driven_), e.found->is_integrated);
      if (search_.is_embedded_potential(V, e.rest_forces)) {
        *needs_constraints = true;
        return V;
      }
    }
    return drop_terms_of_time(U, e.found->is_integrated);
  }

  // What is a function of t alone is told by the mean of U over orientations: 1 - 2 e2^2 - 2 e3^2 of Euler parameters is a
  // cosine of angles, and holds no 1. So is the constant of a potential that was found by integration.
  Expr drop_terms_of_time(const Expr& U, bool is_integrated) const {
    const auto mean = attempt([&] { return take_mean(U); });
    const bool is_turned = mean && *mean != U;
    if (!time_.depends_on_time(U) && !(is_integrated && is_turned)) return U;
    const std::optional<std::vector<Expr>> terms = expand_sum(U),
                                           of_mean = mean ? expand_sum(*mean) : terms;
    if (!terms || !of_mean) return U;
    Expr dropped = pool_.zero();
    for (const Expr& term : *of_mean) {
      const bool is_dropped = time_.depends_on_time(term) || (is_integrated && is_turned);
      if (is_dropped && !time_.depends_on_configuration(term)) dropped += term;
    }
    if (dropped.is_zero()) return U;
    Expr kept = -dropped;
    for (const Expr& term : *terms) kept += term;
    return kept;
  }

  // Over turns by 120 degrees about the eight diagonals of a cube, for Euler parameters and Gibbs vectors: the mean of every
  // rotation matrix is zero there.
  Expr take_mean(const Expr& U) const {
    Expr mean = U;
    for (const std::vector<Expr>& rotation : list_rotations(model_, pool_)) {
      if (std::none_of(rotation.begin(), rotation.end(),
                       [&](const Expr& e) { return depends_on(mean, e); }))
        continue;
      const Expr unit = rotation.size() == 4 ? pool_.rational(1, 2) : pool_.rational(1);
      Expr sum = pool_.zero();
      for (unsigned signs = 0; signs < 8; ++signs) {
        Replacements turned;
        for (std::size_t k = 0; k < rotation.size(); ++k) {
          const std::size_t axis =
              k + 3 - rotation.size();  // the scalar is the one before the first
          const bool is_negative = axis < 3 && ((signs >> axis) & 1u) != 0;
          turned.emplace_back(rotation[k], is_negative ? -unit : unit);
        }
        sum += substitute(mean, turned);
      }
      mean = sum * pool_.rational(1, 8);
    }
    return mean;
  }

  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  const VelocitySplit& split_;
  TimeSymbols time_;
  PotentialSearch search_;
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
