// Equations compared entry by entry, and each set of equations with the kinetic energy it must come
// from.
//
// K is the kinetic energy, c_r = dK/du_r at u = 0, F_r the generalized active forces, v_t, w_t what
// velocities hold without speeds, a_0, alpha_0 what accelerations hold without u'. For every model,
// identically in coordinates, speeds and time:
//   sum_s M_rs u_s + c_r = dK/du_r                                                          (1)
//   sum_r u_r (F_r - f_r) + sum_B (m a_0 · v_t + (I alpha_0 + w x I w) · w_t)
//     = dK/dt with u held                                                                   (2)
// (2) is the balance of power without u': K' = sum_B (m a · v + h' · w), v = sum_r v_r u_r + v_t.
#include "visviva/equations/prove/prove.h"

#include <algorithm>

#include "visviva/equations/constraints/embed.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/energy_identities.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/methods/lagrange.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

// Above this a bound on the chance of a false equality is worth a remark.
constexpr double weak_bound = 1e-6;

// ---- Comparing

using Claim = ProofClaim::Kind;

struct Entry {
  Expr left, right;
  ProofPlace place{};
  int r = -1, s = -1;  // forcing r, or mass matrix r, s; for finding terms
};

bool all_equal(const std::vector<Entry>& entries) {
  return std::all_of(entries.begin(), entries.end(),
                     [](const Entry& e) { return e.left == e.right; });
}

// One step for many entries: different if one is, else undecided if one is. The first difference is
// shown.
ProofStep compare_entries(const ProofClaim& claim, const std::vector<Entry>& entries,
                          const Kinematics& motion) {
  ProofStep step{claim, Verdict::equal};
  for (const Entry& e : entries) {
    if (e.left == e.right) {
      step.error_probability += bound_error_probability(e.left, e.right);
      continue;
    }
    if (step.verdict == Verdict::different) {
      step.places.push_back(e.place);
      continue;
    }
    const Comparison c = compare(e.left, e.right);
    if (c.verdict == Verdict::undecided && is_proved_zero(e.left - e.right)) {  // roots
      step.error_probability += bound_error_probability(e.left - e.right, e.left.pool().zero());
      continue;
    }
    if (c.verdict == Verdict::undecided && step.verdict == Verdict::undecided) continue;
    step.verdict = c.verdict;
    step.places = {e.place};
    if (c.verdict != Verdict::different) continue;
    for (const auto& [symbol, value] : c.witness)
      step.witness.emplace_back(symbol.home().symbol_name(symbol.ref()), value);
    step.left = c.left;
    step.right = c.right;
    if (e.s >= 0) {
      step.terms = explain_mass_difference(motion, e.left - e.right, e.r, e.s);
    } else if (e.r >= 0) {
      step.terms = explain_forcing_difference(motion, e.left - e.right, e.r);
    }
  }
  step.error_probability = std::min(step.error_probability, 1.0);
  return step;
}

using Rows = std::vector<std::vector<Expr>>;

// `numbers` are the speeds that rows and columns belong to.
std::vector<Entry> mass_entries(const Rows& left, const Rows& right,
                                const std::vector<int>& numbers, const Kinematics& motion) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = 0; j < numbers.size(); ++j) {
      const ProofPlace place{{motion.speeds()[numbers[i]].name, motion.speeds()[numbers[j]].name}};
      entries.push_back({left[i][j], right[i][j], place, numbers[i], numbers[j]});
    }
  }
  return entries;
}

std::vector<Entry> forcing_entries(const std::vector<Expr>& left, const std::vector<Expr>& right,
                                   const std::vector<int>& numbers, const Kinematics& motion) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    entries.push_back({left[i], right[i], {{motion.speeds()[numbers[i]].name}}, numbers[i]});
  return entries;
}

// Entries of embedded equations are sums over several speeds: no single term explains them.
std::vector<Entry> without_terms(std::vector<Entry> entries) {
  for (Entry& e : entries) e.r = e.s = -1;
  return entries;
}

class Comparer {
 public:
  explicit Comparer(const std::vector<Equations>& candidates) : candidates_(candidates) {}

  Proof compare_all() {
    if (candidates_.empty()) return proof_;
    for (const Equations& e : candidates_) {
      require_comparable(e);
      proof_.methods.push_back(e.method);
    }
    prepare_energy();
    for (const Equations& e : candidates_) check_alone(e);
    prove_energy_integral();
    for (std::size_t i = 1; i < candidates_.size(); ++i)
      compare_pair(candidates_[0], candidates_[i]);
    conclude();
    return std::move(proof_);
  }

 private:
  const Kinematics& motion() const { return candidates_[0].motion; }

  void require_comparable(const Equations& e) const {
    const std::size_t n = motion().speeds().size();
    bool fits = &e.motion.model() == &motion().model() && e.motion.speeds().size() == n &&
                e.mass_matrix.size() == n && e.forcing.size() == n &&
                e.rows.size() == e.row_forcing.size();
    for (const std::vector<Expr>& row : e.mass_matrix) fits = fits && row.size() == n;
    if (!fits)
      throw UsageError("compare_equations", "the equations by " +
                                                std::string(method_name(e.method)) +
                                                " belong to another model, or lack entries");
  }

  std::vector<int> all_speeds() const {
    std::vector<int> numbers;
    for (std::size_t r = 0; r < motion().speeds().size(); ++r)
      numbers.push_back(static_cast<int>(r));
    return numbers;
  }

  void add(const ProofClaim& claim, const std::vector<Entry>& entries) {
    proof_.steps.push_back(compare_entries(claim, entries, motion()));
  }

  // ---- Each by itself

  // K, its slopes and the sums of (2); and the first check, of K itself.
  void prepare_energy() {
    sum_over_bodies();
    add({Claim::kinetic_energy}, {{compute_kinetic_energy_from_positions(motion()), energy_}});
    ExprPool& pool = *motion().model().pool;
    const std::vector<Expr>& speeds = motion().table().symbols;
    momenta_ = gradient(energy_, speeds);
    Replacements at_rest;
    for (const Expr& u : speeds) at_rest.emplace_back(u, pool.zero());
    offsets_ = Substitution(pool, at_rest)(momenta_);
    forces_.assign(speeds.size(), pool.zero());
    for (const Load& load : collect_loads(motion())) {
      const std::vector<Expr> F = compute_generalized_forces(motion(), load);
      for (std::size_t r = 0; r < F.size(); ++r) forces_[r] += F[r];
    }
  }

  void sum_over_bodies() {
    MotionEngine& engine = engine_of(motion());
    const ModelData& model = motion().model();
    const Expr zero = model.pool->zero(), half = model.pool->rational(1, 2);
    energy_ = given_power_ = zero;
    for (const BodyData& body : model.bodies) {
      const VectorMotion& v = engine.velocity(body.point);
      const Column3 velocity = total(v, engine.table().symbols);
      energy_ += half * body.mass * dot(velocity, velocity);
      Column3 a = engine.acceleration_remainder(body.point);
      const int home = model.points[body.point].home_frame;
      if (home != v.frame) a = model.rotation(v.frame, home) * a;
      given_power_ += body.mass * dot(a, v.remainder);
      if (body.frame < 0) continue;
      const Column3 w = engine.spin(body.frame), h = body.inertia * w;
      energy_ += half * dot(w, h);
      const Column3 torque =
          body.inertia * engine.angular_acceleration_remainder(body.frame) + cross(w, h);
      given_power_ += dot(torque, engine.angular_velocity_in_frame(body.frame).remainder);
    }
  }

  void check_alone(const Equations& e) {
    const MethodPair alone{e.method, e.method};
    const std::vector<Expr>& speeds = motion().table().symbols;
    Rows transposed = e.mass_matrix;
    for (std::size_t r = 0; r < speeds.size(); ++r) {
      for (std::size_t s = 0; s < speeds.size(); ++s) transposed[r][s] = e.mass_matrix[s][r];
    }
    std::vector<Entry> symmetry =
        without_terms(mass_entries(e.mass_matrix, transposed, all_speeds(), motion()));
    add({Claim::symmetric_mass_matrix, alone}, symmetry);

    std::vector<Entry> momenta;  // (1)
    Expr power = given_power_;   // (2)
    for (std::size_t r = 0; r < speeds.size(); ++r) {
      Expr p = offsets_[r];
      for (std::size_t s = 0; s < speeds.size(); ++s) p += e.mass_matrix[r][s] * speeds[s];
      momenta.push_back({p, momenta_[r], {{motion().speeds()[r].name}}});
      power += speeds[r] * (forces_[r] - e.forcing[r]);
    }
    add({Claim::momenta, alone}, momenta);
    add({Claim::power_balance, alone}, {{power, motion().derivative_at_constant_speeds(energy_)}});
  }

  // dE_Z/dt = 0 along each set of equations.
  void prove_energy_integral() {
    const VelocitySplit split(candidates_[0]);
    const auto embedded = try_embed_constraints(candidates_[0]);
    std::optional<Embedding> embedding;  // without it no potential is found that needs constraints
    if (embedded) embedding.emplace(candidates_[0], *embedded, split);
    const EnergyTerms energy =
        analyze_formal_energy(candidates_[0], split, embedded ? &*embedded : nullptr);
    add_identities(make_energy_identities(motion(), energy, split));
    for (const Equations& e : candidates_)
      add_identities(make_energy_identities(e, energy, split, embedding ? &*embedding : nullptr));
  }

  // Neighbours of the same claim are one step.
  void add_identities(const std::vector<EnergyIdentity>& identities) {
    for (std::size_t i = 0; i < identities.size();) {
      std::vector<Entry> entries;
      const ProofClaim claim{.kind = Claim::energy, .energy = identities[i].claim};
      for (; i < identities.size() && identities[i].claim == claim.energy; ++i) {
        const EnergyIdentity& identity = identities[i];
        ProofPlace place;
        if (!identity.speed.empty()) place.names = {identity.speed};
        entries.push_back({identity.left, identity.right, place});
      }
      add(claim, entries);
    }
  }

  // ---- One against another

  void compare_pair(const Equations& first, const Equations& other) {
    const MethodPair pair{other.method, first.method};
    if (!first.rows.empty() || !other.rows.empty()) compare_rows(pair, first, other);
    const std::vector<Entry> mass =
        mass_entries(other.mass_matrix, first.mass_matrix, all_speeds(), motion());
    const std::vector<Entry> forcing =
        forcing_entries(other.forcing, first.forcing, all_speeds(), motion());
    const bool is_constrained = !first.rows.empty() && !other.rows.empty();
    if (is_constrained && !(all_equal(mass) && all_equal(forcing)) &&
        compare_embedded(pair, first, other))
      return;
    add({Claim::mass_matrix, pair}, mass);
    add({Claim::forcing, pair}, forcing);
    compare_auxiliary(pair, first, other);
  }

  // Coefficients a_r and b of sum_r a_r u_r' = b.
  std::vector<Expr> row_coefficients(const Equations& e, std::size_t i) const {
    std::vector<Expr> c(motion().speeds().size(), motion().model().pool->zero());
    for (const auto& [r, a] : e.rows[i].velocity.coefficients) c[r] += a;
    c.push_back(e.row_forcing[i]);
    return c;
  }

  void compare_rows(const MethodPair& pair, const Equations& first, const Equations& other) {
    if (first.rows.size() != other.rows.size()) {
      proof_.steps.push_back({{Claim::constraint_count, pair}});
      return;
    }
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < first.rows.size(); ++i) {
      const std::vector<Expr> left = row_coefficients(other, i), right = row_coefficients(first, i);
      const std::string constraint = motion().model().constraints[first.rows[i].constraint].name;
      for (std::size_t k = 0; k < left.size(); ++k) {
        const bool is_right_side = k + 1 == left.size();
        ProofPlace place{{constraint}, is_right_side};
        if (!is_right_side) place.names.push_back(motion().speeds()[k].name);
        entries.push_back({left[k], right[k], place});
      }
    }
    add({Claim::constraints, pair}, entries);
  }

  // Equations that differ as functions of all speeds may still agree wherever the constraints hold.
  // False when the constraints cannot be embedded.
  bool compare_embedded(const MethodPair& pair, const Equations& first, const Equations& other) {
    try {
      const auto found = try_embed_both(pair, first, other);
      if (!found) return false;
      const auto& [left, right] = *found;
      if (left.independent != right.independent) return false;
      add({Claim::embedded_mass_matrix, pair},
          without_terms(
              mass_entries(left.mass_matrix, right.mass_matrix, right.independent, motion())));
      add({Claim::embedded_forcing, pair},
          without_terms(forcing_entries(left.forcing, right.forcing, right.independent, motion())));
      proof_.remarks.push_back({ProofRemark::Kind::on_constraints_only, pair});
      return true;
    } catch (const ModelError& e) {
      proof_.remarks.push_back({ProofRemark::Kind::not_embedded, pair, {}, e.diagnostics()});
    }
    return false;
  }

  // Nothing, and a remark, when the constraints cannot be embedded.
  std::optional<std::pair<EmbeddedEquations, EmbeddedEquations>> try_embed_both(
      const MethodPair& pair, const Equations& first, const Equations& other) {
    auto left = try_embed_constraints(other);
    if (left) {
      auto right = try_embed_constraints(first);
      if (right) return std::pair(*std::move(left), *std::move(right));
      left = right.why();
    }
    proof_.remarks.push_back({ProofRemark::Kind::not_embedded, pair, left.why()});
    return {};
  }

  void compare_auxiliary(const MethodPair& pair, const Equations& first, const Equations& other) {
    if (first.auxiliary.empty() || other.auxiliary.size() != first.auxiliary.size()) return;
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < first.auxiliary.size(); ++i) {
      const AuxiliaryEquation &a = other.auxiliary[i], &b = first.auxiliary[i];
      const std::string& name = motion().model().auxiliaries[b.auxiliary].name;
      const auto compare_lists = [&](const std::vector<Expr>& left,
                                     const std::vector<Expr>& right) {
        for (std::size_t k = 0; k < std::min(left.size(), right.size()); ++k)
          entries.push_back({left[k], right[k], {{name}}});
      };
      compare_lists(a.mass, b.mass);
      compare_lists({a.forcing}, {b.forcing});
      compare_lists(a.rows, b.rows);
    }
    add({Claim::auxiliary_equations, pair}, entries);
  }

  void conclude() {
    proof_.verdict = Verdict::equal;
    for (const ProofStep& step : proof_.steps) {
      proof_.error_probability += step.error_probability;
      if (step.verdict == Verdict::different) proof_.verdict = Verdict::different;
      if (step.verdict == Verdict::undecided && proof_.verdict == Verdict::equal)
        proof_.verdict = Verdict::undecided;
    }
    proof_.error_probability = std::min(proof_.error_probability, 1.0);
    if (proof_.error_probability > weak_bound)
      proof_.remarks.push_back({ProofRemark::Kind::weak_bound});
    if (candidates_.size() > 1) return;
    proof_.remarks.push_back({ProofRemark::Kind::nothing_to_compare});
    if (proof_.verdict == Verdict::equal) proof_.verdict = Verdict::undecided;
  }

  const std::vector<Equations>& candidates_;
  Proof proof_;
  Expr energy_;                // K
  Expr given_power_;           // the sum over bodies in (2)
  std::vector<Expr> momenta_;  // dK/du_r
  std::vector<Expr> offsets_;  // c_r
  std::vector<Expr> forces_;   // F_r
};

}  // namespace

Proof compare_equations(const std::vector<Equations>& candidates) {
  if (candidates.empty()) return Comparer(candidates).compare_all();
  const Workspace work(candidates.front().pool());
  return Comparer(candidates).compare_all();
}

Proof prove(const Kinematics& motion) {
  const Workspace work(motion.pool());
  std::vector<Equations> candidates;
  std::vector<MethodRefusal> refusals;
  for (const Method method :
       {Method::kane, Method::lagrange, Method::hamilton, Method::newton_euler}) {
    try {
      auto equations = attempt([&] { return derive(motion, method); });
      if (equations)
        candidates.push_back(*std::move(equations));
      else
        refusals.push_back({method, equations.why()});
    } catch (const ModelError& e) {
      const bool is_last = method == Method::newton_euler;
      if (is_last && candidates.empty()) throw;  // no method can use this model: it is wrong
      refusals.push_back({method, {}, e.diagnostics()});
    }
  }
  Proof proof = compare_equations(candidates);
  proof.refusals = std::move(refusals);
  return proof;
}

}  // namespace visviva
