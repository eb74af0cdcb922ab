#include "visviva/equations/energy/constant_of_motion.h"

#include <algorithm>

#include "visviva/base/result_table.h"
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

// A function of configuration, speeds, time, parameters and functions of time alone.
bool is_of_state(const ModelData& model, const Expr& e) {
  constexpr Role known[] = {Role::coordinate, Role::hidden,    Role::rate,
                            Role::speed,      Role::parameter, Role::time,
                            Role::input,      Role::specified, Role::specified_rate};
  const std::vector<Expr> symbols = free_symbols(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](const Expr& s) {
    const SymbolRole* role = model.role(s);
    return role != nullptr &&
           std::find(std::begin(known), std::end(known), role->role) != std::end(known);
  });
}

}  // namespace

ConstantFact examine_constant(const Energies& energies, const Quantity& value) {
  Workspace work(energies.pool);
  const Kinematics& motion = energies.equations.motion;
  const ModelData& model = motion.model();
  Embedding embedding(energies.equations, energies.embedded, energies.split);
  const Expr e = embedding(put_energies(energies, motion.resolve(value).expr(*model.pool)));
  ConstantFact found;
  if (is_of_state(model, e)) {
    ZeroFacts facts(energies);
    found = {facts.examine_derivative(e, model.pool->zero()), facts.derivative(e)};
  }
  found.pool = work.finish();
  return found;
}

}  // namespace visviva
