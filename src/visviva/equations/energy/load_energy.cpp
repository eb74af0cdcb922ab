#include "visviva/equations/energy/load_energy.h"

#include <algorithm>
#include <array>
#include <optional>

#include "visviva/equations/energy/constraint_manifold.h"
#include "visviva/equations/energy/potential_search.h"
#include "visviva/equations/loads/place_loads.h"
#include "visviva/equations/loads/places.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/leave_out.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/integrate/integrate.h"
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
  std::optional<Load> inner;      // that without what comes from outside, where something does
  std::vector<Expr> rest_forces;  // F_r0 without what comes from outside
  std::optional<FoundPotential> found;
  Reasons refusal;                     // why nothing was found
  std::vector<const Entry*> together;  // loads whose common potential stands here, this one too
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
    Entry e{.load = load, .forces = compute_generalized_forces(motion_, load)};
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
    e.found = search_.by_place(e.inner ? *e.inner : *e.at_rest, e.rest_forces);
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

  // Of the law, the terms without anything given from outside.
  void leave_outside_out(Entry* e) {
    std::vector<std::string> names;
    for (const Expr& F : e->rest_forces) {
      for (const std::string& name : time_.outside_names_in(F)) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
    if (names.empty()) return;
    e->refusal = {{.kind = Kind::given_from_outside, .names = names}};
    const auto leave = [&](Expr* x) {
      *x = leave_terms_out(*x, [&](const Expr& s) { return time_.depends_on_outside(s); });
    };
    e->inner = *e->at_rest;
    for (auto* list : {&e->inner->forces, &e->inner->torques}) {
      for (auto& [place, F] : *list) {
        std::vector<Vector::Part> parts = F.parts();
        for (Vector::Part& part : parts)
          for (Expr& x : part.column) leave(&x);
        F = Vector(model_, std::move(parts), F.dimension());
      }
    }
    for (auto& [r, F] : e->inner->generalized) leave(&F);
    e->rest_forces = compute_generalized_forces(motion_, *e->inner);
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
      const bool is_first = e == open.front();
      e->found = FoundPotential{is_first ? found->U : pool_.zero(), together,
                                found->needs_constraints, is_first && found->is_integrated};
      if (is_first) e->together.assign(open.begin(), open.end());
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
      if (add_function_of_time(e, &result.potential))
        result.potential = drop_terms_of_time(result.potential, false);
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
    if (!names.empty() && e.found->is_integrated && e.together.empty())
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
  Expr power_of(const Load& unplaced, bool is_carried) const {
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

  // What was found at every instant is open by a function of t: it is such that -dU/dt is the whole power, where it can be.
  // Returns whether it was added.
  bool add_function_of_time(const Entry& e, Expr* U) const {
    if (!e.found->is_integrated || !time_.depends_on_time(*U)) return false;
    const std::vector<const Entry*> loads =
        e.together.empty() ? std::vector<const Entry*>{&e} : e.together;
    Expr rest = total(motion_.rate_of(*U), motion_.table().symbols);
    for (const Entry* load : loads)
      rest += power_of(load->inner ? *load->inner : *load->at_rest, false);
    const auto of_time = attempt([&] { return substitute(rest, list_one_state()); });
    if (rest.is_zero() || !of_time || !is_proved_zero(rest - *of_time)) return false;
    std::vector<Expr> rates, functions;
    for (const SpecifiedData& s : model_.specified) {
      functions.push_back(s.derivatives[0]);
      rates.push_back(s.derivatives[1]);
    }
    functions.push_back(model_.time);
    const auto form = find_linear_form(*of_time, rates);
    if (!form) return false;
    std::vector<Expr> slopes = form->coefficients;
    slopes.push_back(form->remainder);
    const std::optional<Expr> f = find_potential(slopes, functions);
    if (f) *U -= *f;
    return f.has_value();
  }

  // Some configuration, at rest.
  Replacements list_one_state() const {
    Replacements state;
    for (const Speed& s : motion_.speeds()) state.emplace_back(s.u, pool_.zero());
    for (const CoordinateData& c : model_.coordinates) state.emplace_back(c.q, pool_.zero());
    for (const auto& four : model_.quaternions)
      state[four[0] + motion_.speeds().size()].second = pool_.one();
    for (const FrameData& f : model_.frames) {
      for (std::size_t k = 0; k < f.hidden.size(); ++k)
        state.emplace_back(f.hidden[k],
                           f.hidden.size() == 4 && k == 0 ? pool_.one() : pool_.zero());
    }
    return state;
  }

  // Left out is what is a sum of a function of t and one of the configuration without t. Of W(q, t) nothing is: how it would be
  // parted depends on how the configuration is written.
  Expr drop_terms_of_time(const Expr& U, bool is_integrated) const {
    if (is_integrated) return drop_mean(U);
    if (!time_.depends_on_time(U)) return U;
    const Expr rest = U - find_terms_of_time(U, false);
    return time_.depends_on_time(rest) ? U : rest;
  }

  // Of a potential that was found by integration, and is open by a constant or a function of t: they are told by the mean of U
  // over orientations, as 1 - 2 e2^2 - 2 e3^2 of Euler parameters is a cosine of angles, and holds no 1. Of what is linear in
  // the rotation matrices every such mean is the same; nothing is left out of the rest.
  Expr drop_mean(const Expr& U) const {
    const std::vector<std::vector<Expr>> rotations = list_rotations(model_, pool_);
    const std::optional<std::vector<Expr>> terms = expand_sum(U);
    if (!terms) return U;
    Expr kept = pool_.zero(), linear = pool_.zero();
    for (const Expr& term : *terms) {
      kept += term;
      if (is_rational(term, rotations)) linear += term;
    }
    const auto find = [&](bool is_other) {
      const auto mean = attempt([&] { return take_mean(linear, rotations, is_other); });
      return find_terms_of_time(mean ? *mean : linear, mean && *mean != linear);
    };
    const Expr dropped = find(false);
    if (time_.depends_on_time(dropped) && !(find(true) == dropped)) return U;
    return dropped.is_zero() ? U : kept - dropped;
  }

  // With the constants where they were found by integration.
  Expr find_terms_of_time(const Expr& e, bool with_constants) const {
    Expr sum = pool_.zero();
    const std::optional<std::vector<Expr>> terms = expand_sum(e);
    if (!terms) return sum;
    for (const Expr& term : *terms) {
      if ((time_.depends_on_time(term) || with_constants) && !time_.depends_on_configuration(term))
        sum += term;
    }
    return sum;
  }

  // Whether no root or function holds a symbol of an orientation.
  bool is_rational(const Expr& e, const std::vector<std::vector<Expr>>& rotations) const {
    ExprPool& pool = common_pool({e}, "analyze_loads");
    for (const std::uint32_t i : collect_cone(pool, refs_in(pool, {e}, "analyze_loads"))) {
      const Op op = pool.node(i << 1u).op;
      if (is_arithmetic(op) || operand_count(op) == 0) continue;
      const Expr inside(pool, i << 1u);
      for (const std::vector<Expr>& rotation : rotations) {
        if (std::any_of(rotation.begin(), rotation.end(),
                        [&](const Expr& s) { return depends_on(inside, s); }))
          return false;
      }
    }
    return true;
  }

  // Over turns by 120 degrees about the eight diagonals of a cube, for Euler parameters and Gibbs vectors, or over these after
  // one more turn: the mean of every rotation matrix is zero there.
  Expr take_mean(const Expr& U, const std::vector<std::vector<Expr>>& rotations,
                 bool is_turned) const {
    Expr mean = U;
    for (const std::vector<Expr>& rotation : rotations) {
      if (std::none_of(rotation.begin(), rotation.end(),
                       [&](const Expr& e) { return depends_on(mean, e); }))
        continue;
      Expr sum = pool_.zero();
      for (unsigned signs = 0; signs < 8; ++signs) {
        const auto sign = [&](unsigned axis) { return ((signs >> axis) & 1u) != 0 ? -1 : 1; };
        const int x = sign(0), y = sign(1), z = sign(2);
        // Twice the Euler parameters; the other turn has (1, 2, 2, 4)/5.
        std::array<std::int64_t, 4> e = {1, x, y, z};
        if (is_turned)
          e = {1 - 2 * x - 2 * y - 4 * z, 2 + x + 2 * z - 4 * y, 2 + y + 4 * x - 2 * z,
               4 + z + 2 * y - 2 * x};
        const std::int64_t size = is_turned ? 10 : 2;
        Replacements turned;
        for (std::size_t k = 0; k < rotation.size(); ++k)
          turned.emplace_back(rotation[k], rotation.size() == 4 ? pool_.rational(e[k], size)
                                                                : pool_.rational(e[k + 1], e[0]));
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
