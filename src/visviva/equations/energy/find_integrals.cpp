#include "visviva/equations/energy/find_integrals.h"

#include <algorithm>

#include "visviva/base/result_table.h"
#include "visviva/equations/energy/energy_identities.h"
#include "visviva/equations/energy/full_turn.h"
#include "visviva/equations/energy/momentum_integrals.h"
#include "visviva/equations/energy/zero_facts.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Kind = Reason::Kind;

// A quantity whose vanishing is a condition, and what was found about it.
struct Condition {
  Ingredient ingredient;
  Expr value;  // not valid when accelerations are not determined
  ZeroFact fact;
};

class Classifier {
 public:
  explicit Classifier(const Energies& energies)
      : e_(energies), pool_(*energies.equations.motion.model().pool), test_(energies) {}

  Integrals classify() {
    examine_conditions();
    decide_potential_energy();
    add_dissipative();
    const Expr E_rate = e_.P_nonconservative - e_.sigma_R, H_rate = e_.P_nonconservative - e_.sigma;
    add("E", test_.examine(E_rate), {&P_, &sigma_R_});
    add("H", test_.examine(H_rate), {&P_, &sigma_});
    add_with_potential_energy("hamiltonian");
    add("C", test_.examine_derivative(e_.K0 + e_.K1, E_rate), {&P_, &sigma_, &K0_rate_, &K1_rate_});
    add_with_potential_energy("mechanical_energy");
    result_.momenta = find_momentum_integrals(e_, test_);
    if (test_.values_refusal())
      result_.remarks.push_back(
          {.kind = Kind::values_not_put_in, .undefined = test_.values_refusal()});
    if (const std::optional<Reason> refusal = test_.start_refusal())
      result_.remarks.push_back(*refusal);
    return std::move(result_);
  }

 private:
  void examine_conditions() {
    P_ = {Ingredient::P_nonconservative, e_.P_nonconservative, test_.examine(e_.P_nonconservative)};
    sigma_ = {Ingredient::sigma, e_.sigma, test_.examine(e_.sigma)};
    sigma_R_ = {Ingredient::sigma_R, e_.sigma_R, test_.examine(e_.sigma_R)};
    K0_rate_ = examine_rate(Ingredient::K0_rate, e_.K0);
    K1_rate_ = examine_rate(Ingredient::K1_rate, e_.K1);
  }

  Condition examine_rate(Ingredient ingredient, const Expr& e) {
    const std::optional<Expr> rate = test_.derivative(e);
    return {ingredient, rate ? *rate : Expr(), test_.examine_derivative(e, pool_.zero())};
  }

  // ---- Reasons

  Reason explain(const Condition& c) {
    const ZeroFact& f = c.fact;
    Reason r{.of = c.ingredient,
             .expression = c.value,
             .condition = f.condition,
             .extent = f.extent,
             .is_numeric = f.is_numeric};
    if (f.verdict == ZeroVerdict::undecided) {
      r.kind = Kind::is_undecided;
    } else if (f.verdict == ZeroVerdict::not_zero) {
      r.kind = Kind::is_not_zero;
      r.names = kept_at_start(f);
    } else {
      const bool by_values = f.scope == Scope::these_values && f.extent != Extent::on_constraints;
      r.kind = by_values ? Kind::vanishes_for_values : Kind::is_zero;
    }
    return r;
  }

  // What the motion from the start keeps, where that was proved.
  std::vector<std::string> kept_at_start(const ZeroFact& f) {
    if (f.extent != Extent::this_start || f.is_numeric) return {};
    return test_.kept_at_start();
  }

  // ---- Whether U is a potential energy

  void decide_potential_energy() {
    Expr carried = pool_.zero(), through_t = pool_.zero(), explicit_rate = pool_.zero();
    for (const LoadEnergy& load : e_.loads) {
      carried += load.carried_power + load.carried_potential;
      through_t += load.power - load.generalized_power;
    }
    for (const auto& [symbol, rate] : time_rates())
      explicit_rate += differentiate(e_.U, symbol) * rate;
    // (10)
    const Expr rest = -(e_.sigma_R + through_t);
    Condition motors = {Ingredient::motor_power, Expr(),
                        test_.examine_derivative(e_.K0 + e_.K1, rest)};
    if (const std::optional<Expr> rate = test_.derivative(e_.K0 + e_.K1))
      motors.value = result_.motor_power = *rate + rest;
    Condition conservative = {Ingredient::power_beyond_potential, carried, test_.examine(carried)};
    Condition of_time = {Ingredient::potential_time_rate, explicit_rate,
                         test_.examine(explicit_rate)};
    PotentialEnergy& p = result_.potential_energy;
    p.exists = true;
    Reasons failures;
    for (const Condition* c : {&motors, &conservative, &of_time}) {
      const bool holds = c->fact.verdict == ZeroVerdict::zero;
      const bool by_values = holds && c->fact.scope == Scope::these_values;
      if (by_values) p.scope = Scope::these_values;
      if (by_values) p.reasons.push_back(explain(*c));
      if (!holds) failures.push_back(explain(*c));
      p.exists = p.exists && holds;
    }
    examine_turns(&failures);
    if (!p.exists) {
      p.reasons = std::move(failures);
      if (test_.has_values()) p.scope = Scope::these_values;
    } else if (p.reasons.empty()) {
      p.reasons.push_back({.kind = Kind::potential_energy_complete});
    }
  }

  // U must be the same where the configuration is the same.
  void examine_turns(Reasons* failures) {
    PotentialEnergy& p = result_.potential_energy;
    for (const TurnChange& turn : find_turn_changes(e_.equations.motion, e_.U)) {
      const ZeroFact fact = test_.examine(turn.change);
      if (fact.verdict == ZeroVerdict::zero && fact.scope == Scope::these_values) {
        p.scope = Scope::these_values;
        p.reasons.push_back({.kind = Kind::vanishes_for_values,
                             .of = Ingredient::turn_change,
                             .names = {turn.name},
                             .expression = turn.change,
                             .condition = fact.condition,
                             .is_numeric = fact.is_numeric});
      }
      if (fact.verdict != ZeroVerdict::not_zero) continue;
      failures->push_back({.kind = Kind::changes_by_turn, .names = {turn.name}});
      if (turn.change.is_constant())
        failures->push_back({.kind = Kind::work_of_turn,
                             .names = {turn.name},
                             .number = -evaluate(turn.change, {}, {})});
      p.exists = false;
    }
  }

  std::vector<std::pair<Expr, Expr>> time_rates() const {
    const ModelData& model = e_.equations.motion.model();
    std::vector<std::pair<Expr, Expr>> rates = {{model.time, pool_.one()}};
    for (const SpecifiedData& s : model.specified) {
      for (std::size_t k = 0; k + 1 < s.derivatives.size(); ++k)
        rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
    }
    return rates;
  }

  // ---- The six

  // Always constant; shown for these equations all the same, so that a mistake of ours is not hidden.
  void add_dissipative() {
    Integral i = define("E_Z");
    i.constancy = Constancy::constant;
    i.reasons = {{.kind = Kind::always_constant}};
    Embedding embedding(e_.equations, e_.embedded, e_.split);
    for (const EnergyIdentity& identity :
         make_energy_identities(e_.equations, e_.formal, e_.split, &embedding)) {
      if (identity.left == identity.right) continue;
      i.constancy = Constancy::undecided;
      i.reasons = {{.kind = Kind::identity_not_proved, .claim = identity.claim}};
    }
    result_.energies.push_back(std::move(i));
  }

  // As the table of results has it.
  Integral define(const std::string& name) {
    const EnergyResult& result = *find_energy_result(name);
    Integral i;
    i.name = name;
    i.definition.formula = write_terms(result.definition);
    i.value = compute_result(result, e_, pool_.symbol("Z"));
    return i;
  }

  void add(const std::string& name, const ZeroFact& rate,
           const std::vector<const Condition*>& conditions) {
    Integral i = define(name);
    i.scope = rate.scope;
    i.extent = rate.extent;
    i.constancy = rate.verdict == ZeroVerdict::zero       ? Constancy::constant
                  : rate.verdict == ZeroVerdict::not_zero ? Constancy::not_constant
                                                          : Constancy::undecided;
    const bool all_hold = std::all_of(conditions.begin(), conditions.end(), [](const Condition* c) {
      return c->fact.verdict == ZeroVerdict::zero;
    });
    if (i.constancy == Constancy::constant && !all_hold)
      i.reasons.push_back({.kind = Kind::conditions_not_needed,
                           .condition = rate.condition,
                           .extent = rate.extent,
                           .is_numeric = rate.is_numeric});
    for (const Condition* c : conditions) {
      const bool holds = c->fact.verdict == ZeroVerdict::zero;
      if (i.constancy == Constancy::constant || !holds) i.reasons.push_back(explain(*c));
    }
    const bool is_said = std::any_of(conditions.begin(), conditions.end(), [](const Condition* c) {
      return c->fact.extent == Extent::this_start;
    });
    if (i.constancy == Constancy::not_constant && i.extent == Extent::this_start && !is_said)
      i.reasons.insert(i.reasons.begin(), {.kind = Kind::constant_from_start,
                                           .names = kept_at_start(rate),
                                           .extent = rate.extent,
                                           .is_numeric = rate.is_numeric});
    if (i.constancy == Constancy::undecided && i.reasons.empty())
      i.reasons.push_back({.kind = Kind::neither_proved_nor_refuted});
    result_.energies.push_back(std::move(i));
  }

  // The last one once more, where U is a potential energy.
  void add_with_potential_energy(const std::string& name) {
    Integral i = result_.energies.back();
    const std::string original = i.name;
    i.name = name;
    i.definition.needs_potential_energy = true;
    const PotentialEnergy& p = result_.potential_energy;
    if (!p.exists) {
      i.constancy = Constancy::not_defined;
      i.scope = p.scope;
      i.extent = Extent::every_motion;
      i.reasons = {{.kind = Kind::no_potential_energy}};
      i.reasons.insert(i.reasons.end(), p.reasons.begin(), p.reasons.end());
    } else {
      i.reasons.insert(i.reasons.begin(),
                       {.kind = Kind::as_with_potential_energy, .names = {original}});
      if (p.scope == Scope::these_values && i.constancy == Constancy::constant)
        i.scope = Scope::these_values;
    }
    result_.energies.push_back(std::move(i));
  }

  const Energies& e_;
  ExprPool& pool_;
  ZeroFacts test_;
  Condition P_, sigma_, sigma_R_, K0_rate_, K1_rate_;
  Integrals result_;
};

}  // namespace

Integrals find_integrals(const Energies& energies) {
  Workspace work(energies.pool);
  Integrals integrals = Classifier(energies).classify();
  integrals.pool = work.finish();
  return integrals;
}

}  // namespace visviva
