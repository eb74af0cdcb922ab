#include "visviva/codegen/system/run_expressions.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/codegen/system/definitions.h"
#include "visviva/codegen/system/idle_orientations.h"
#include "visviva/equations/energy/velocity_split.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/linear_form.h"

namespace visviva {
namespace {

std::string derivative_name(const std::string& name, std::size_t order) {
  return name + std::string(order, '\'');
}

}  // namespace

RunExpressions::RunExpressions(const Equations& equations, const std::vector<Expr>& wanted)
    : pool(*equations.motion.model().pool),
      time(equations.motion.model().time),
      definitions_(pool, list_symbols(equations, wanted)) {
  put_equations(equations);
}

Expr RunExpressions::put(const Expr& e) {
  auto value = attempt([&] { return definitions_(e); });
  if (!value) fail_zero_divisor();
  return *value;
}

std::vector<Expr> RunExpressions::put(const std::vector<Expr>& e) {
  auto values = attempt([&] { return definitions_(e); });
  if (!values) fail_zero_divisor();
  return *std::move(values);
}

void RunExpressions::avoid(std::vector<Expr> symbols) {
  symbols.insert(symbols.end(), replaced_.begin(), replaced_.end());
  scope_.reset();
  scope_.emplace(pool, symbols);
}

std::vector<Expr> RunExpressions::arguments() const {
  std::vector<Expr> all = {time};
  all.insert(all.end(), state.begin(), state.end());
  all.insert(all.end(), inputs.begin(), inputs.end());
  all.insert(all.end(), signals.begin(), signals.end());
  return all;
}

void RunExpressions::list_state(const Equations& equations, const std::vector<int>& idle) {
  const ModelData& model = equations.motion.model();
  for (const CoordinateData& c : model.coordinates) {
    state.push_back(c.q);
    state_names.push_back(c.name);
  }
  for (const auto& four : model.quaternions) quaternions.push_back(four[0]);
  for (std::size_t F = 0; F < model.frames.size(); ++F) {
    if (std::find(idle.begin(), idle.end(), static_cast<int>(F)) != idle.end()) continue;
    const std::vector<Expr>& hidden = model.frames[F].hidden;
    if (hidden.size() == 4) quaternions.push_back(static_cast<int>(state.size()));
    for (const Expr& h : hidden) {
      state.push_back(h);
      state_names.push_back(h.home().symbol_name(h.ref()));
    }
  }
  for (const StateData& s : model.states) {
    state.push_back(s.symbol);
    state_names.push_back(s.name);
  }
  configuration_count = state.size();
  for (const Speed& s : equations.motion.speeds()) {
    state.push_back(s.u);
    state_names.push_back(s.name);
    speed_rates.push_back(s.rate);
  }
}

Replacements RunExpressions::list_symbols(const Equations& equations,
                                          const std::vector<Expr>& wanted) {
  const ModelData& model = equations.motion.model();
  const std::vector<int> idle = find_idle_orientations(equations, wanted);
  list_state(equations, idle);
  for (const ParameterData& p : model.parameters) {
    if (is_derived(p)) continue;
    parameters.push_back(p.symbol);
    parameter_names.push_back(p.name);
  }
  for (const InputData& i : model.inputs) {
    if (i.state >= 0) continue;
    inputs.push_back(i.symbol);
    input_names.push_back(i.name);
  }
  for (const SpecifiedData& s : model.specified) {
    if (s.definition) continue;
    for (std::size_t k = 0; k < s.derivatives.size(); ++k) {
      if (s.table != nullptr) {
        signals.push_back(s.derivatives[k]);
        tables.push_back({s.table, static_cast<int>(k), s.name});
        if (k > 0) signal_rates.emplace_back(s.derivatives[k - 1], s.derivatives[k]);
      } else {
        inputs.push_back(s.derivatives[k]);
        input_names.push_back(derivative_name(s.name, k));
      }
    }
  }
  auto all = attempt([&] { return Definitions(model).list_all(); });
  if (!all) fail_zero_divisor();
  for (const auto& fixed : fix_orientations(model, idle)) all->push_back(fixed);
  for (const auto& entry : *all) replaced_.push_back(entry.first);
  return *std::move(all);
}

void RunExpressions::put_equations(const Equations& equations) {
  const std::size_t n = equations.forcing.size();
  unknowns = equations.unknowns;

  // What may ask for scopes of its own comes first.
  const auto rates = collect_rates(equations.motion);
  const auto split = [&](const Expr& e) { return make_linear_form(e, unknowns); };
  std::vector<LinearForm> forces, auxiliary_forces;
  for (const Expr& f : equations.forcing) forces.push_back(split(f));
  for (const AuxiliaryEquation& a : equations.auxiliary)
    auxiliary_forces.push_back(split(a.forcing));
  scope_.emplace(pool, replaced_);

  // q' = Y u + z, by the rates of whatever is a state.
  for (std::size_t i = 0; i < configuration_count; ++i) {
    const auto found = std::find_if(rates.begin(), rates.end(), [&](const auto& entry) {
      return entry.first.ref() == state[i].ref();
    });
    configuration_rates.push_back(put(found->second));
  }
  for (std::size_t r = 0; r < n; ++r) {
    mass_matrix.push_back(put(equations.mass_matrix[r]));
    unknown_forces.push_back(put(forces[r].coefficients));
    forcing.push_back(put(forces[r].remainder));
  }
  for (std::size_t i = 0; i < equations.rows.size(); ++i) {
    const ConstraintRow& row = equations.rows[i];
    std::vector<Expr> line(n, pool.zero());
    for (const auto& [r, a] : row.velocity.coefficients) line[r] = put(a);
    rows.push_back(std::move(line));
    row_forcing.push_back(put(equations.row_forcing[i]));
    row_remainders.push_back(put(row.velocity.remainder));
    if (row.position) positions.push_back(put(*row.position));
    multipliers.push_back(pool.scratch_symbol("multiplier " + std::to_string(i)));
  }
  for (std::size_t i = 0; i < equations.auxiliary.size(); ++i) {
    const AuxiliaryEquation& a = equations.auxiliary[i];
    if (!a.is_complete || a.is_evidence) continue;
    auxiliary.push_back({put(a.mass), put(auxiliary_forces[i].coefficients), put(a.rows),
                         put(auxiliary_forces[i].remainder)});
  }
}

}  // namespace visviva
