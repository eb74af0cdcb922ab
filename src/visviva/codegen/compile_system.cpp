#include "visviva/codegen/compile_system.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_set>

#include "visviva/base/error.h"
#include "visviva/codegen/system_parts.h"
#include "visviva/codegen/unrolled_solve.h"
#include "visviva/equations/choose_columns.h"
#include "visviva/equations/solve.h"
#include "visviva/symbolic/differentiate.h"
#include "visviva/symbolic/inspect.h"

namespace visviva {
namespace {

constexpr double positive_pivot = 1e-14;  // of the diagonal it comes from, as in motion_system.cpp

int to_int(std::size_t i) { return static_cast<int>(i); }

void append(std::vector<Expr>* list, const std::vector<Expr>& more) {
  list->insert(list->end(), more.begin(), more.end());
}

// Outputs in terms of speeds and accelerations, vectors along N.
std::vector<std::vector<Expr>> resolve_outputs(const Kinematics& motion) {
  ExprPool& pool = *motion.model().pool;
  const Frame N = motion.frames().front();
  std::vector<std::vector<Expr>> all;
  for (const OutputData& o : motion.model().outputs) {
    if (!o.is_vector) {
      all.push_back({motion.resolve(Quantity(o.scalar, o.dimension)).expr(pool)});
      continue;
    }
    const Column3 c =
        o.vector.model() == nullptr ? zero_column(pool) : motion.resolve(o.vector).in(N);
    all.push_back({c[0], c[1], c[2]});
  }
  return all;
}

std::vector<Expr> resolve_events(const Kinematics& motion) {
  std::vector<Expr> all;
  for (const EventData& e : motion.model().events)
    all.push_back(motion.resolve(Quantity(e.value, Dimension())).expr(*motion.model().pool));
  return all;
}

class Compiler {
 public:
  Compiler(const Equations& equations, const VelocitySplit& split, const EnergyTerms& formal,
           const std::vector<int>& dependent, const SystemOptions& options)
      : equations_(equations),
        model_(equations.motion.model()),
        split_(split),
        formal_(formal),
        options_(options),
        outputs_(resolve_outputs(equations.motion)),
        events_(resolve_events(equations.motion)),
        system_(equations),
        parts_(std::make_unique<CompiledSystem::Parts>(system_)) {
    name_everything();
    compile_motion();
    compile_rows(dependent);
    compile_energies();
    compile_outputs();
    if (options.jacobian) compile_jacobian();
    if (options.sensitivities) compile_sensitivities();
    parts_->motion.forget_entries();
  }

  CompiledSystem take() { return CompiledSystem(std::move(parts_)); }

 private:
  // ---- Functions

  std::vector<Expr> symbols_of(Beyond beyond) const {
    std::vector<Expr> all = system_.arguments();
    if (beyond == Beyond::nothing) return all;
    append(&all, system_.speed_rates);
    append(&all, system_.unknowns);
    if (beyond == Beyond::solution) {
      append(&all, system_.multipliers);
      return all;
    }
    append(&all, transport());
    all.push_back(Z());
    return all;
  }

  // w and w'; nothing without rows, since they are zero then.
  std::vector<Expr> transport() const {
    if (system_.rows.empty()) return {};
    std::vector<Expr> all = split_.transport();
    append(&all, split_.transport_rates());
    return all;
  }

  Expr Z() const { return system_.pool.symbol("Z"); }

  SystemFunction compile(Beyond beyond, const std::vector<Expr>& outputs) {
    const std::vector<Expr> inside = free_symbols(outputs);
    const auto mentions = [&](const std::vector<Expr>& list) {
      std::unordered_set<Ref> refs;
      for (const Expr& e : list) refs.insert(e.ref());
      return std::any_of(inside.begin(), inside.end(),
                         [&](const Expr& e) { return refs.count(e.ref()) != 0; });
    };
    return {parts_->function_count++,
            CompiledFunction(symbols_of(beyond), system_.parameters, outputs, options_.code),
            mentions(system_.speed_rates) || mentions(system_.unknowns), mentions(transport())};
  }

  // ---- Names and values

  void name_everything() {
    CompiledSystem::Parts& p = *parts_;
    p.state_names = system_.state_names;
    p.input_names = system_.input_names;
    p.parameter_names = system_.parameter_names;
    p.configuration_count = system_.configuration_count;
    p.position_count = system_.positions.size();
    p.argument_count = system_.argument_count();
    p.tables = system_.tables;
    for (const Expr& u : system_.unknowns)
      p.unknown_names.push_back(model_.pool->symbol_name(u.ref()));
    const StartState start = make_start_state(model_);
    const auto value_of = [&](const std::string& name, const Expr& symbol) {
      const bool is_missing =
          std::find(start.missing.begin(), start.missing.end(), name) != start.missing.end();
      const auto found = start.known.find(symbol.ref());
      return is_missing || found == start.known.end() ? std::numeric_limits<double>::quiet_NaN()
                                                      : found->second;
    };
    for (std::size_t i = 0; i < p.parameter_names.size(); ++i)
      p.parameters.push_back(value_of(p.parameter_names[i], system_.parameters[i]));
    for (std::size_t i = 0; i < p.input_names.size(); ++i)
      p.inputs.push_back(i < model_.inputs.size() ? value_of(p.input_names[i], system_.inputs[i])
                                                  : std::numeric_limits<double>::quiet_NaN());
  }

  // ---- Motion

  void compile_motion() {
    CompiledSystem::Parts& p = *parts_;
    std::vector<Expr> outputs = system_.configuration_rates;
    append(&outputs, p.motion.entries());
    p.assembly = compile(Beyond::nothing, outputs);
    if (!p.motion.is_plain() ||
        count_solve_operations(system_.mass_matrix) > options_.unrolled_operations)
      return;
    const auto solution = solve_unrolled(system_.mass_matrix, system_.forcing);
    if (!solution) return;
    std::vector<Expr> margins;
    for (std::size_t k = 0; k < solution->pivots.size(); ++k)
      margins.push_back(solution->pivots[k] - positive_pivot * system_.mass_matrix[k][k]);
    outputs = system_.configuration_rates;
    append(&outputs, solution->x);
    std::vector<Expr> with_Z = outputs;
    append(&outputs, margins);
    p.unrolled = compile(Beyond::nothing, outputs);
    with_Z.push_back(Z_rate());
    append(&with_Z, margins);
    p.unrolled_and_Z = compile(Beyond::nothing, with_Z);
  }

  Expr Z_rate() { return system_.put(formal_.sigma_R - formal_.P_nonconservative); }

  // ---- Constraints

  void compile_rows(const std::vector<int>& dependent) {
    CompiledSystem::Parts& p = *parts_;
    const std::size_t n = system_.speed_rates.size(), m = system_.rows.size();
    std::vector<Expr> residuals = system_.positions, entries, drift;
    Replacements held;
    if (m > 0) {
      for (const Expr& w : split_.transport_rates()) held.emplace_back(w, system_.pool.zero());
    }
    Substitution hold(system_.pool, held);
    for (std::size_t i = 0; i < m; ++i) {
      Expr velocity = system_.row_remainders[i];
      for (std::size_t r = 0; r < n; ++r) {
        const Expr& a = system_.rows[i][r];
        if (a.is_zero()) continue;
        velocity += a * system_.state[system_.configuration_count + r];
        p.row_places.push_back({to_int(entries.size()), to_int(i), to_int(r), 1.0});
        entries.push_back(a);
      }
      residuals.push_back(velocity);
      // d/dt before the definitions are put in
      const ConstraintRow& row = equations_.rows[i];
      Expr carried = row.velocity.remainder;
      for (const auto& [r, a] : row.velocity.coefficients)
        carried += a * split_.transport()[static_cast<std::size_t>(r)];
      drift.push_back(system_.put(hold(split_.rate(carried))));
      p.is_still = p.is_still && row.velocity.remainder.is_zero();
    }
    append(&entries, system_.row_remainders);
    p.residuals = compile(Beyond::nothing, residuals);
    p.rows = compile(Beyond::nothing, entries);
    p.drift = compile(Beyond::measures, drift);
    p.transport.emplace(dependent, order_dependent_speeds(equations_.motion));
  }

  // ---- Energies and outputs

  void compile_energies() {
    const EnergyTerms& e = formal_;
    parts_->energies = compile(
        Beyond::measures,
        system_.put({e.K, e.K0, e.K1, e.K2, e.U, e.sigma, e.sigma_R, e.P, e.P_nonconservative}));
    parts_->Z_rate = compile(Beyond::measures, {Z_rate()});
  }

  // Results by name that are functions of the state.
  Replacements list_results() const {
    Replacements all;
    const auto set = [&](const std::string& name, const Expr& value) {
      if (model_.pool->has_symbol_named(name)) all.emplace_back(model_.pool->symbol(name), value);
    };
    const EnergyTerms& e = formal_;
    set("K", e.K);
    set("K0", e.K0);
    set("K1", e.K1);
    set("K2", e.K2);
    set("U", e.U);
    set("E_Z", e.K2 + e.U + Z());
    set("E", e.K2 + e.U);
    set("H", e.K2 - e.K0 + e.U);
    set("C", e.K + e.U);
    set("sigma", e.sigma);
    set("sigma_R", e.sigma_R);
    set("P_nonconservative", e.P_nonconservative);
    set("power(nonconservative)", e.P_nonconservative);
    Expr gravity = system_.pool.zero(), generalized_gravity = gravity;
    for (const LoadEnergy& load : e.loads) {
      set("power(" + load.name + ")", load.power);
      set("generalized_power(" + load.name + ")", load.generalized_power);
      if (load.name.rfind("gravity on ", 0) != 0) continue;
      gravity += load.power;
      generalized_gravity += load.generalized_power;
    }
    set("power(gravity)", gravity);
    set("generalized_power(gravity)", generalized_gravity);
    return all;
  }

  void compile_outputs() {
    CompiledSystem::Parts& p = *parts_;
    Substitution results(system_.pool, list_results());
    const std::vector<Expr> known = symbols_of(Beyond::measures);
    std::unordered_set<Ref> allowed;
    for (const Expr& e : known) allowed.insert(e.ref());
    for (const Expr& e : system_.parameters) allowed.insert(e.ref());
    const auto is_function = [&](const std::vector<Expr>& list) {
      const std::vector<Expr> inside = free_symbols(list);
      return std::all_of(inside.begin(), inside.end(),
                         [&](const Expr& e) { return allowed.count(e.ref()) != 0; });
    };
    std::vector<Expr> outputs;
    for (std::size_t i = 0; i < model_.outputs.size(); ++i) {
      const std::string& name = model_.outputs[i].name;
      const std::vector<Expr> values = system_.put(results(outputs_[i]));
      std::vector<std::string> names = {name};
      if (values.size() == 3) names = {name + ".x", name + ".y", name + ".z"};
      // `plot` and `output` may name the same thing.
      const bool is_known =
          std::find(p.output_names.begin(), p.output_names.end(), names[0]) != p.output_names.end();
      if (is_known) continue;
      if (!is_function(values)) {
        p.other_outputs.push_back(name);
        continue;
      }
      append(&outputs, values);
      p.output_names.insert(p.output_names.end(), names.begin(), names.end());
    }
    p.outputs = compile(Beyond::measures, outputs);

    std::vector<Expr> events;
    for (std::size_t i = 0; i < model_.events.size(); ++i) {
      events.push_back(system_.put(results(events_[i])));
      p.event_names.push_back(model_.events[i].name);
    }
    p.events = compile(Beyond::measures, events);
  }

  // ---- Derivatives

  DerivativeFunction compile_derivatives(const std::vector<std::vector<Expr>>& by_rates,
                                         const std::vector<std::vector<Expr>>& by_residuals,
                                         std::size_t columns) {
    std::vector<Expr> outputs;
    std::vector<EntryPlace> rates, residuals;
    std::vector<bool> is_solved(columns);
    const auto collect = [&](const std::vector<std::vector<Expr>>& matrix,
                             std::vector<EntryPlace>* places) {
      for (std::size_t i = 0; i < matrix.size(); ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
          if (matrix[i][j].is_zero()) continue;
          places->push_back({to_int(outputs.size()), to_int(i), to_int(j), 1.0});
          outputs.push_back(matrix[i][j]);
        }
      }
    };
    collect(by_rates, &rates);
    collect(by_residuals, &residuals);
    for (const EntryPlace& place : residuals)
      is_solved[static_cast<std::size_t>(place.column)] = true;
    std::vector<int> solved;
    for (std::size_t j = 0; j < columns; ++j) {
      if (is_solved[j]) solved.push_back(to_int(j));
    }
    return {compile(Beyond::solution, outputs), to_int(columns), std::move(rates),
            std::move(residuals), std::move(solved)};
  }

  void compile_jacobian() {
    const std::vector<Expr> residuals = parts_->motion.make_residuals(system_);
    std::vector<std::vector<Expr>> by_rates = jacobian(system_.configuration_rates, system_.state);
    std::vector<std::vector<Expr>> by_residuals = jacobian(residuals, system_.state);
    // Time moves the tables along.
    std::vector<std::pair<Expr, Expr>> clock = system_.signal_rates;
    clock.emplace_back(system_.time, system_.pool.one());
    Tangent by_time(system_.pool, clock);
    for (std::size_t i = 0; i < by_rates.size(); ++i)
      by_rates[i].push_back(by_time(system_.configuration_rates[i]));
    for (std::size_t i = 0; i < residuals.size(); ++i)
      by_residuals[i].push_back(by_time(residuals[i]));
    parts_->jacobian = compile_derivatives(by_rates, by_residuals, system_.state.size() + 1);
    list_pattern();
  }

  void compile_sensitivities() {
    std::vector<Expr> symbols = system_.inputs;
    append(&symbols, system_.parameters);
    parts_->sensitivities = compile_derivatives(
        jacobian(system_.configuration_rates, symbols),
        jacobian(parts_->motion.make_residuals(system_), symbols), symbols.size());
  }

  // A column of the residuals moves every acceleration that K connects with it.
  void list_pattern() {
    CompiledSystem::Parts& p = *parts_;
    const int unknowns = p.motion.size();
    std::vector<int> part(static_cast<std::size_t>(unknowns) + system_.rows.size() +
                          system_.forcing.size() + system_.auxiliary.size());
    std::iota(part.begin(), part.end(), 0);
    const auto find = [&](int i) {
      while (part[static_cast<std::size_t>(i)] != i) i = part[static_cast<std::size_t>(i)];
      return i;
    };
    for (const EntryPlace& place : p.motion.places())
      part[static_cast<std::size_t>(find(unknowns + place.row))] = find(place.column);
    const int states = to_int(p.state_names.size());
    for (const EntryPlace& place : p.jacobian->rates) {
      if (place.column < states) p.pattern.emplace_back(place.row, place.column);
    }
    for (const EntryPlace& place : p.jacobian->residuals) {
      if (place.column >= states) continue;
      for (int s = 0; s < p.motion.speed_count(); ++s) {
        if (find(s) == find(unknowns + place.row))
          p.pattern.emplace_back(to_int(p.configuration_count) + s, place.column);
      }
    }
    std::sort(p.pattern.begin(), p.pattern.end());
    p.pattern.erase(std::unique(p.pattern.begin(), p.pattern.end()), p.pattern.end());
  }

  const Equations& equations_;
  const ModelData& model_;
  const VelocitySplit& split_;
  const EnergyTerms& formal_;
  const SystemOptions& options_;
  std::vector<std::vector<Expr>> outputs_;  // of the model
  std::vector<Expr> events_;
  SystemExpressions system_;
  std::unique_ptr<CompiledSystem::Parts> parts_;
};

}  // namespace

CompiledSystem compile(const Equations& equations, const Energies& energies,
                       const SystemOptions& options) {
  return compile(equations, energies.split, energies.formal, energies.embedded.dependent, options);
}

CompiledSystem compile(const Equations& equations, const VelocitySplit& split,
                       const EnergyTerms& formal, const std::vector<int>& dependent,
                       const SystemOptions& options) {
  return Compiler(equations, split, formal, dependent, options).take();
}

}  // namespace visviva
