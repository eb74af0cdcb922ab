#include "visviva/equations/energy/integrals.h"

#include <algorithm>

#include "visviva/base/words.h"
#include "visviva/equations/energy/energy_identities.h"
#include "visviva/equations/energy/momentum_integrals.h"
#include "visviva/equations/energy/zero_facts.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

constexpr std::size_t shown_operations = 400;  // beyond it an expression is only named
constexpr std::size_t shown_characters = 160;  // likewise, as text

std::string show(const std::string& name, const Expr& e) {
  if (count_operations({e}).total() > shown_operations) return name;
  const std::string text = print(e);
  return text.size() > shown_characters ? name : name + " = " + text;
}

// A quantity whose vanishing is a condition, and what was found about it.
struct Condition {
  std::string name;
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
    add("E", "K2 + U", e_.K2 + e_.U, test_.examine(E_rate), {&P_, &sigma_R_});
    add("H", "K2 - K0 + U", e_.K2 - e_.K0 + e_.U, test_.examine(H_rate), {&P_, &sigma_});
    add_again("hamiltonian", "K2 - K0 + U, with U a potential energy");
    add("C", "K + U", e_.K + e_.U, test_.examine_derivative(e_.K0 + e_.K1, E_rate),
        {&P_, &sigma_, &K0_rate_, &K1_rate_});
    add_again("mechanical_energy", "K + U, with U a potential energy");
    result_.momenta = find_momentum_integrals(e_, test_);
    if (!test_.values_refusal().empty())
      result_.remarks.push_back("not all values were put in: " + test_.values_refusal());
    if (!test_.start_refusal().empty())
      result_.remarks.push_back("the motion from the start state was not examined: " +
                                test_.start_refusal());
    return std::move(result_);
  }

 private:
  void examine_conditions() {
    P_ = {"P_nonconservative", e_.P_nonconservative, test_.examine(e_.P_nonconservative)};
    sigma_ = {"sigma", e_.sigma, test_.examine(e_.sigma)};
    sigma_R_ = {"sigma_R", e_.sigma_R, test_.examine(e_.sigma_R)};
    K0_rate_ = examine_rate("dK0/dt", e_.K0);
    K1_rate_ = examine_rate("dK1/dt", e_.K1);
  }

  Condition examine_rate(const std::string& name, const Expr& e) {
    const std::optional<Expr> rate = test_.derivative(e);
    return {name, rate ? *rate : Expr(), test_.examine_derivative(e, pool_.zero())};
  }

  // ---- Words

  std::string explain(const Condition& c) {
    const ZeroFact& f = c.fact;
    if (f.verdict == ZeroVerdict::undecided) return "whether " + c.name + " vanishes is undecided";
    if (f.verdict == ZeroVerdict::not_zero)
      return (c.value.valid() ? show(c.name, c.value) : c.name) + " is not zero" +
             (f.extent == Extent::this_start ? ", but vanishes " + from_this_start(f) : "");
    if (f.extent == Extent::on_constraints) return c.name + " = 0 " + on_constraints(f);
    if (f.scope == Scope::all_parameters) return c.name + " = 0";
    const std::string shown = c.value.valid() ? show(c.name, c.value) : c.name;
    return shown + " vanishes for " + (f.condition.empty() ? "these values" : f.condition);
  }

  static std::string on_constraints(const ZeroFact& f) {
    return f.is_numeric ? "where the constraints hold (found numerically, not proved)"
                        : "where the constraints hold";
  }

  std::string from_this_start(const ZeroFact& f) {
    if (f.is_numeric) return "in the motion from this start (found numerically, not proved)";
    return "in the motion from this start, which keeps " + join_words(test_.kept_at_start());
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
    Condition motors = {"the power of motors and moving constraints", Expr(),
                        test_.examine_derivative(e_.K0 + e_.K1, rest)};
    if (const std::optional<Expr> rate = test_.derivative(e_.K0 + e_.K1))
      motors.value = result_.motor_power = *rate + rest;
    Condition conservative = {"the power of the forces with a potential beyond -dU/dt", carried,
                              test_.examine(carried)};
    Condition of_time = {"dU/dt at fixed configuration", explicit_rate,
                         test_.examine(explicit_rate)};
    PotentialEnergy& p = result_.potential_energy;
    p.exists = true;
    std::vector<std::string> failures;
    for (const Condition* c : {&motors, &conservative, &of_time}) {
      const bool holds = c->fact.verdict == ZeroVerdict::zero;
      const bool by_values = holds && c->fact.scope == Scope::these_values;
      if (by_values) p.scope = Scope::these_values;
      if (by_values) p.reasons.push_back(explain(*c));
      if (!holds) failures.push_back(explain(*c));
      p.exists = p.exists && holds;
    }
    if (!p.exists) {
      p.reasons = std::move(failures);
      if (test_.has_values()) p.scope = Scope::these_values;
    } else if (p.reasons.empty()) {
      p.reasons.push_back(
          "no motor does work, U does not depend on time, and -dU/dt is the whole power of the "
          "forces with a potential");
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
    Integral i;
    i.name = "E_Z";
    i.definition = "K2 + U + Z";
    i.value = e_.K2 + e_.U + pool_.symbol("Z");
    i.constancy = Constancy::constant;
    i.reasons = {"always: Z' = sigma_R - P_nonconservative makes up for what changes K2 + U"};
    Embedding embedding(e_.equations, e_.embedded, e_.split);
    for (const EnergyIdentity& identity :
         make_energy_identities(e_.equations, e_.formal, e_.split, &embedding)) {
      if (identity.left == identity.right) continue;
      i.constancy = Constancy::undecided;
      i.reasons = {"not proved for these equations: " + identity.claim};
    }
    result_.energies.push_back(std::move(i));
  }

  void add(const std::string& name, const std::string& definition, const Expr& value,
           const ZeroFact& rate, const std::vector<const Condition*>& conditions) {
    Integral i;
    i.name = name;
    i.definition = definition;
    i.value = value;
    i.scope = rate.scope;
    i.extent = rate.extent;
    i.constancy = rate.verdict == ZeroVerdict::zero       ? Constancy::constant
                  : rate.verdict == ZeroVerdict::not_zero ? Constancy::not_constant
                                                          : Constancy::undecided;
    const bool all_hold = std::all_of(conditions.begin(), conditions.end(), [](const Condition* c) {
      return c->fact.verdict == ZeroVerdict::zero;
    });
    if (i.constancy == Constancy::constant && !all_hold) {
      i.reasons.push_back(
          "its derivative vanishes although the sufficient conditions do not all hold");
      if (rate.extent == Extent::on_constraints) i.reasons.back() += ", " + on_constraints(rate);
      if (!rate.condition.empty()) i.reasons.back() += "; with " + rate.condition;
    }
    for (const Condition* c : conditions) {
      const bool holds = c->fact.verdict == ZeroVerdict::zero;
      if (i.constancy == Constancy::constant || !holds) i.reasons.push_back(explain(*c));
    }
    const bool is_said = std::any_of(conditions.begin(), conditions.end(), [](const Condition* c) {
      return c->fact.extent == Extent::this_start;
    });
    if (i.constancy == Constancy::not_constant && i.extent == Extent::this_start && !is_said)
      i.reasons.insert(i.reasons.begin(), "it is constant only " + from_this_start(rate));
    if (i.constancy == Constancy::undecided && i.reasons.empty())
      i.reasons.push_back("neither proved nor refuted");
    result_.energies.push_back(std::move(i));
  }

  // The last one once more, where U is a potential energy.
  void add_again(const std::string& name, const std::string& definition) {
    Integral i = result_.energies.back();
    const std::string original = i.name;
    i.name = name;
    i.definition = definition;
    const PotentialEnergy& p = result_.potential_energy;
    if (!p.exists) {
      i.constancy = Constancy::not_defined;
      i.scope = p.scope;
      i.extent = Extent::every_motion;
      i.reasons = {"there is no potential energy, only a generalized one"};
      i.reasons.insert(i.reasons.end(), p.reasons.begin(), p.reasons.end());
    } else {
      i.reasons.insert(i.reasons.begin(), "U is a potential energy, so that this is " + original);
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
