#include "visviva/codegen/system_expressions.h"

#include <algorithm>
#include <functional>

#include "visviva/equations/energy/velocity_split.h"
#include "visviva/symbolic/differentiate.h"
#include "visviva/symbolic/inspect.h"
#include "visviva/symbolic/linear_form.h"

namespace visviva {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Specified functions and their derivatives in terms of time, parameters, inputs and signals.
// Definitions may use one another: those that are used come first, with all of their derivatives.
class Definitions {
 public:
  Definitions(const ModelData& model, const std::vector<std::pair<Expr, Expr>>& signal_rates)
      : model_(model), is_done_(model.specified.size()) {
    std::vector<std::pair<Expr, Expr>> rates = signal_rates;
    rates.emplace_back(model.time, model.pool->one());
    rate_ = std::make_unique<Tangent>(*model.pool, rates);
    for (std::size_t i = 0; i < model.specified.size(); ++i) define(i);
  }

  const Replacements& replacements() const { return all_; }

 private:
  void define(std::size_t i) {
    if (is_done_[i]) return;
    is_done_[i] = true;
    const SpecifiedData& s = model_.specified[i];
    if (!s.definition) return;
    for (const Expr& symbol : free_symbols(*s.definition)) {
      const SymbolRole* role = model_.role(symbol);
      if (role != nullptr && (role->role == Role::specified || role->role == Role::specified_rate))
        define(at(role->index));
    }
    Expr value = substitute(*s.definition, all_);
    for (const Expr& derivative : s.derivatives) {
      all_.emplace_back(derivative, value);
      value = (*rate_)(value);
    }
  }

  const ModelData& model_;
  std::vector<bool> is_done_;
  std::unique_ptr<Tangent> rate_;
  Replacements all_;
};

std::string derivative_name(const std::string& name, std::size_t order) {
  return name + std::string(order, '\'');
}

}  // namespace

SystemExpressions::SystemExpressions(const Equations& equations)
    : pool(*equations.motion.model().pool),
      time(equations.motion.model().time),
      definitions_(pool, list_symbols(equations)) {
  put_equations(equations);
}

std::vector<Expr> SystemExpressions::arguments() const {
  std::vector<Expr> all = {time};
  all.insert(all.end(), state.begin(), state.end());
  all.insert(all.end(), inputs.begin(), inputs.end());
  all.insert(all.end(), signals.begin(), signals.end());
  return all;
}

Replacements SystemExpressions::list_symbols(const Equations& equations) {
  const ModelData& model = equations.motion.model();
  for (const CoordinateData& c : model.coordinates) {
    state.push_back(c.q);
    state_names.push_back(c.name);
  }
  for (const FrameData& f : model.frames) {
    for (std::size_t k = 0; k < f.hidden.size(); ++k) {
      state.push_back(f.hidden[k]);
      state_names.push_back(model.pool->symbol_name(f.hidden[k].ref()));
    }
  }
  configuration_count = state.size();
  for (const Speed& s : equations.motion.speeds()) {
    state.push_back(s.u);
    state_names.push_back(s.name);
    speed_rates.push_back(s.rate);
  }
  for (const ParameterData& p : model.parameters) {
    parameters.push_back(p.symbol);
    parameter_names.push_back(p.name);
  }
  for (const InputData& i : model.inputs) {
    inputs.push_back(i.symbol);
    input_names.push_back(i.name);
  }
  for (const SpecifiedData& s : model.specified) {
    if (s.definition) continue;
    for (std::size_t k = 0; k < s.derivatives.size(); ++k) {
      if (s.table != nullptr) {
        signals.push_back(s.derivatives[k]);
        tables.push_back({s.table, static_cast<int>(k)});
        if (k > 0) signal_rates.emplace_back(s.derivatives[k - 1], s.derivatives[k]);
      } else {
        inputs.push_back(s.derivatives[k]);
        input_names.push_back(derivative_name(s.name, k));
      }
    }
  }
  return Definitions(model, signal_rates).replacements();
}

void SystemExpressions::put_equations(const Equations& equations) {
  const std::size_t n = equations.forcing.size();
  unknowns = equations.unknowns;

  // What may ask for scopes of its own comes first.
  const auto rates = collect_rates(equations.motion);
  const auto split = [&](const Expr& e) { return make_linear_form(e, unknowns); };
  std::vector<LinearForm> forces, auxiliary_forces;
  for (const Expr& f : equations.forcing) forces.push_back(split(f));
  for (const AuxiliaryEquation& a : equations.auxiliary)
    auxiliary_forces.push_back(split(a.forcing));
  std::vector<Expr> replaced;
  for (const SpecifiedData& s : equations.motion.model().specified) {
    if (s.definition) replaced.insert(replaced.end(), s.derivatives.begin(), s.derivatives.end());
  }
  scope_.emplace(pool, replaced);

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
    for (const auto& [r, a] : row.velocity.coefficients) line[at(r)] = put(a);
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
