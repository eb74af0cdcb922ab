#include "visviva/equations/energy/constant_of_motion.h"

#include <algorithm>

#include "visviva/base/result_table.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

Expr put_energies(const Energies& energies, const Expr& e) {
  ExprPool& pool = *energies.equations.motion.model().pool;
  Replacements known;
  for (const EnergyResult& r : energy_results()) {
    const std::string name(r.name);
    if (r.rate.empty() && pool.has_symbol_named(name))
      known.emplace_back(pool.symbol(name), compute_result(r, energies, pool.symbol("Z")));
  }
  return Substitution(pool, known)(e);
}

// The power of a load, of all gravity or of all that has no potential.
std::optional<Expr> find_power(const Energies& energies, const CalledResult& called) {
  const ModelData& model = energies.equations.motion.model();
  const bool is_generalized = called.is("generalized_power");
  const bool is_motor =
      std::any_of(model.specified.begin(), model.specified.end(),
                  [&](const SpecifiedData& s) { return s.name == called.subject; });
  // An unknown force may be one that a constraint takes up.
  if ((!is_generalized && !called.is("power")) || is_motor || !model.unknowns.empty()) return {};
  std::optional<Expr> sum;
  for (const LoadEnergy& load : energies.loads) {
    const bool is_weight = load.kind == Load::Kind::gravity && called.subject == "gravity";
    if (load.name != called.subject && !is_weight) continue;
    const Expr& power = is_generalized ? load.generalized_power : load.power;
    sum = sum ? *sum + power : power;
  }
  if (!sum && !is_generalized && called.subject == "nonconservative")
    return energies.P_nonconservative;
  return sum;
}

// The rate of an integral over time; nothing for other names.
std::optional<Expr> find_rate(const Energies& energies, const std::string& name) {
  if (name == "Z") return add_terms_of(energies, result_definitions::Z_rate);
  const std::optional<CalledResult> called = find_result_call(name);
  if (!called || !called->is_integral()) return {};
  if (called->call->rate_name.empty()) {
    EnergyTerms whole = energies;  // with what prescribed motions alone change
    whole.U = energies.V;
    return add_terms_of(whole, called->call->rate);
  }
  const std::string rate = std::string(called->call->rate_name) + "(" + called->subject + ")";
  return find_power(energies, *find_result_call(rate));
}

Expr put_results(const Energies& energies, const FindAction& find_action, const Expr& e) {
  ExprPool& pool = *energies.equations.motion.model().pool;
  Replacements known;
  for (const Expr& s : free_symbols(e)) {
    const std::string name = s.home().symbol_name(s.ref());
    const std::optional<CalledResult> called = find_result_call(name);
    if (!called || called->is_integral()) continue;
    const std::optional<Expr> value = !called->action() ? find_power(energies, *called)
                                      : find_action     ? find_action(name)
                                                        : std::nullopt;
    if (value) known.emplace_back(s, Expr(pool, pool.take(*value)));
  }
  return Substitution(pool, known)(e);
}

// A function of configuration, speeds, time, parameters and functions of time, and of `others`.
bool is_of_state(const ModelData& model, const Expr& e, const std::vector<Expr>& others) {
  constexpr Role known[] = {Role::state,     Role::coordinate,    Role::hidden, Role::rate,
                            Role::speed,     Role::parameter,     Role::time,   Role::input,
                            Role::specified, Role::specified_rate};
  const std::vector<Expr> symbols = free_symbols(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](const Expr& s) {
    const SymbolRole* role = model.role(s);
    return std::find(others.begin(), others.end(), s) != others.end() ||
           (role != nullptr &&
            std::find(std::begin(known), std::end(known), role->role) != std::end(known));
  });
}

}  // namespace

std::optional<ConstantFact> examine_speed_momentum(const Energies& energies,
                                                   const std::string& name) {
  const Kinematics& motion = energies.equations.motion;
  for (const int r : energies.embedded.independent) {
    const Speed& speed = motion.speeds()[r];
    const std::string own = "p_" + speed.name.substr(0, speed.name.find('\''));
    if (name != own && name != own + "_R") continue;
    Workspace work(energies.pool);
    const Expr p = differentiate(energies.K, speed.u);
    ZeroFacts facts(energies);
    ConstantFact found{facts.examine_derivative(p, motion.model().pool->zero()),
                       facts.derivative(p)};
    found.pool = work.finish();
    return found;
  }
  return {};
}

ConstantFact examine_constant(const Energies& energies, const Quantity& value,
                              const FindAction& find_action) {
  Workspace work(energies.pool);
  const Kinematics& motion = energies.equations.motion;
  const ModelData& model = motion.model();
  Embedding embedding(energies.equations, energies.embedded, energies.split);
  const Expr named = put_energies(energies, motion.resolve(value).expr(*model.pool));
  const Expr e = embedding(put_results(energies, find_action, named));
  // What integrals over time add to its rate.
  Expr plus = model.pool->zero();
  std::vector<Expr> integrals;
  for (const Expr& s : free_symbols(e)) {
    const std::optional<Expr> rate = find_rate(energies, s.home().symbol_name(s.ref()));
    if (!rate) continue;
    integrals.push_back(s);
    plus += differentiate(e, s) * embedding(*rate);
  }
  ConstantFact found;
  if (is_of_state(model, e, integrals) && is_of_state(model, plus, integrals)) {
    ZeroFacts facts(energies);
    found = {facts.examine_derivative(e, plus), facts.derivative(e)};
    if (found.rate) *found.rate += plus;
  }
  found.pool = work.finish();
  return found;
}

}  // namespace visviva
