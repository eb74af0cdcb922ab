#include "visviva/codegen/system/compile.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include "visviva/base/error.h"
#include "visviva/base/rounding.h"
#include "visviva/base/sequence.h"
#include "visviva/codegen/system/compiled_parts.h"
#include "visviva/codegen/system/jump_expressions.h"
#include "visviva/codegen/system/momentum_expressions.h"
#include "visviva/codegen/system/motion_derivatives.h"
#include "visviva/codegen/system/start_values.h"
#include "visviva/codegen/system/switches.h"
#include "visviva/codegen/system/tree_derivatives.h"
#include "visviva/codegen/system/written_solution.h"
#include "visviva/equations/constraints/speed_order.h"
#include "visviva/equations/defined_functions.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/inverse_dynamics.h"
#include "visviva/equations/methods/tree_rates.h"
#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/function_call.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

class Compiler {
 public:
  Compiler(const Equations& equations, const VelocitySplit& split, const EnergyTerms& formal,
           const std::vector<int>& dependent, const SystemOptions& options)
      : equations_(equations),
        model_(equations.motion.model()),
        split_(split),
        formal_(formal),
        options_(options),
        asked_(equations, formal, options.extra_outputs),
        forces_(list_active_forces()),
        jumps_(make_jump_expressions(equations)),
        recursion_(solve_by_recursion()),
        inverse_(invert_dynamics()),
        links_(find_link_tree()),
        system_(equations, list_wanted()),
        parts_(std::make_unique<CompiledSystem::Parts>(system_)) {
    name_everything();
    compile_rows(dependent);
    compile_motion();
    compile_energies();
    compile_results();
    compile_outputs();
    if (options.jacobian) compile_jacobian();
    if (options.sensitivities) compile_sensitivities();
    compile_momenta();
    compile_samples();
    compile_switches();
    parts_->motion.forget_entries();
  }

  CompiledSystem take() { return CompiledSystem(std::move(parts_)); }

 private:
  // ---- Functions

  std::vector<Expr> symbols_of(ExtraArguments extra) const {
    std::vector<Expr> all = system_.arguments();
    if (extra == ExtraArguments::nothing) return all;
    append(&all, system_.speed_rates);
    append(&all, system_.unknowns);
    append(&all, system_.multipliers);
    if (extra == ExtraArguments::solution) return all;
    append(&all, transport());
    for (const auto& q : asked_.quadratures) all.push_back(model_.pool->symbol(q.name));
    append(&all, result_symbols());
    return all;
  }

  // w and w'; nothing without rows, since they are zero then.
  std::vector<Expr> transport() const {
    if (system_.rows.empty()) return {};
    std::vector<Expr> all = split_.transport();
    append(&all, split_.transport_rates());
    return all;
  }

  std::vector<Expr> result_symbols() const {
    std::vector<Expr> all;
    for (const auto& result : asked_.results) append(&all, result.symbols);
    return all;
  }

  // Result symbols, including those reached only through a quadrature.
  std::vector<Expr> symbols_of_results() const {
    std::vector<Expr> all = result_symbols();
    for (const auto& q : asked_.quadratures) {
      if (q.result >= 0) all.push_back(model_.pool->symbol(q.name));
    }
    return all;
  }

  // What is computed besides the motion. All of it must be listed here: hidden states that nothing
  // here needs are left out.
  std::vector<Expr> list_wanted() const {
    const EnergyTerms& e = formal_;
    std::vector<Expr> all = {
        e.K, e.K0, e.K1, e.K2, e.U, e.sigma, e.sigma_R, e.P, e.P_nonconservative};
    append(&all, asked_.list_all());
    append(&all, jumps_.places);
    append(&all, jumps_.momentum);
    for (const SampleData& sample : model_.samples)
      for (const auto& change : sample.changes)
        all.push_back(
            equations_.motion.resolve(Quantity(change.second, Dimension())).expr(*model_.pool));
    return all;
  }

  SystemFunction compile(ExtraArguments extra, const std::vector<Expr>& outputs) {
    const std::vector<Expr> inside = free_symbols(outputs);
    SystemFunction f{
        parts_->function_count++,
        CompiledFunction(symbols_of(extra), system_.parameters, outputs, options_.code),
        mentions(inside, system_.speed_rates) || mentions(inside, system_.unknowns) ||
            mentions(inside, system_.multipliers),
        mentions(inside, transport()), mentions(inside, symbols_of_results())};
    const std::vector<Operation>& operations = f.code.program().operations;
    f.reads_state_only = std::all_of(operations.begin(), operations.end(), [&](const Operation& o) {
      return o.code != Code::input || (1 <= o.a && o.a <= system_.state.size());
    });
    return f;
  }

  // Whether one of the symbols is in a list of symbols.
  static bool mentions(const std::vector<Expr>& inside, const std::vector<Expr>& list) {
    std::unordered_set<Ref> refs;
    for (const Expr& e : list) refs.insert(e.ref());
    return std::any_of(inside.begin(), inside.end(),
                       [&](const Expr& e) { return refs.count(e.ref()) != 0; });
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
    for (const auto& q : asked_.quadratures) p.quadrature_names.push_back(q.name);
    for (const Expr& u : system_.unknowns) p.unknown_names.push_back(u.home().symbol_name(u.ref()));
    p.quaternions = system_.quaternions;
    describe_tables();
    take_values(make_start_values(equations_, system_));
  }

  // Tables that nothing asks may end when they like. A motion is what the equations need the second derivative of: it
  // stops at once, or starts at once, at an end that `hold` keeps.
  void describe_tables() {
    const std::unordered_set<Ref> moving = list_signals({&system_.forcing, &system_.row_forcing});
    const std::vector<Expr> wanted = system_.put(list_wanted());
    const std::unordered_set<Ref> asked =
        list_signals({&system_.forcing, &system_.row_forcing, &system_.positions,
                      &system_.row_remainders, &system_.configuration_rates, &wanted});
    for (std::size_t i = 0; i < system_.tables.size(); ++i) {
      const Signal& s = system_.tables[i];
      const bool is_asked = asked.count(system_.signals[i].ref()) != 0;
      const bool is_known =
          !parts_->table_facts.empty() && parts_->table_facts.back().name == s.name;
      if (is_asked && !is_known)
        parts_->table_facts.push_back(
            {s.name, s.table->first(), s.table->last(), s.table->range()});
      if (s.order != 2 || moving.count(system_.signals[i].ref()) == 0) continue;
      if (s.table->range() == TableRange::hold) held_.push_back(s.table);
    }
  }

  // The signals that expressions hold.
  std::unordered_set<Ref> list_signals(
      std::initializer_list<const std::vector<Expr>*> lists) const {
    std::vector<Expr> all;
    for (const auto* list : lists) append(&all, *list);
    std::unordered_set<Ref> used;
    if (!all.empty())
      for (const Expr& e : free_symbols(all)) used.insert(e.ref());
    return used;
  }

  // Where motions by tables stop at once or start at once; `outside` times what is rounded there. A run begins with the
  // first row of most of them.
  std::vector<Expr> list_held_ends(double outside) {
    std::vector<Expr> ends;
    for (const auto& table : held_) {
      const double first = table->first(), last = table->last();
      const double little = outside * machine_epsilon * std::max(std::abs(first), std::abs(last));
      if (first != 0.0) ends.push_back(system_.time - system_.pool.number(first - little));
      ends.push_back(system_.time - system_.pool.number(last + little));
    }
    return ends;
  }

  void take_values(StartValues values) {
    CompiledSystem::Parts& p = *parts_;
    const auto named = [&](const char* noun, const std::vector<std::string>& names,
                           std::vector<double> numbers) {
      return NamedValues(make_value_names(noun, names, equations_.motion), std::move(numbers));
    };
    p.parameters = named("parameter", p.parameter_names, std::move(values.parameters));
    p.inputs = named("input", p.input_names, std::move(values.inputs));
    p.start = named("state", p.state_names, std::move(values.state));
    p.missing_values = std::move(values.missing);
  }

  // ---- Motion

  void compile_motion() {
    CompiledSystem::Parts& p = *parts_;
    std::vector<Expr> outputs = system_.configuration_rates;
    append(&outputs, p.motion.entries());
    p.assembly = compile(ExtraArguments::nothing, outputs);
    p.configuration_rates = compile(ExtraArguments::nothing, system_.configuration_rates);
    compile_mass_matrix();
    if (!inverse_.empty()) p.inverse = compile(ExtraArguments::solution, system_.put(inverse_));
    if (const auto solution = write_solution(system_, recursion_, options_.unrolled_operations))
      compile_solution(*solution);
  }

  void compile_solution(const WrittenSolution& solution) {
    std::vector<Expr> outputs = system_.configuration_rates;
    append(&outputs, solution.speed_rates);
    std::vector<Expr> with_quadratures = outputs;
    append(&outputs, solution.multipliers);
    append(&outputs, solution.margins);
    parts_->unrolled = compile(ExtraArguments::nothing, outputs);
    // There are no unknown forces here.
    Replacements solved;
    for (std::size_t r = 0; r < solution.speed_rates.size(); ++r)
      solved.emplace_back(system_.speed_rates[r], solution.speed_rates[r]);
    for (std::size_t i = 0; i < solution.multipliers.size(); ++i)
      solved.emplace_back(system_.multipliers[i], solution.multipliers[i]);
    if (parts_->is_still)
      for (const Expr& w : transport()) solved.emplace_back(w, system_.pool.zero());
    const std::vector<Expr> quadratures = Substitution(
        system_.pool, solved)(Substitution(system_.pool, result_values())(quadrature_rates()));
    // Transport speeds are solved for as numbers, by speeds that a run may choose anew.
    if (mentions(free_symbols(quadratures), transport())) return;
    append(&with_quadratures, quadratures);
    append(&with_quadratures, solution.margins);
    parts_->unrolled_and_quadratures = compile(ExtraArguments::nothing, with_quadratures);
  }

  // The entries on and above the diagonal that are not zero.
  void compile_mass_matrix() {
    std::vector<Expr> entries;
    for (std::size_t r = 0; r < system_.mass_matrix.size(); ++r) {
      for (std::size_t s = r; s < system_.mass_matrix.size(); ++s) {
        const Expr& e = system_.mass_matrix[r][s];
        if (e.is_zero()) continue;
        parts_->mass_places.push_back({to_int(entries.size()), to_int(r), to_int(s), 1.0});
        entries.push_back(e);
      }
    }
    parts_->mass_matrix = compile(ExtraArguments::nothing, entries);
  }

  // Surfaces on which y', the quadratures' rates, the constraints, velocities, energies or places are
  // not smooth. Printing comes last: it builds expressions.
  void compile_switches() {
    CompiledSystem::Parts& p = *parts_;
    const std::vector<Expr> places = system_.put(jumps_.places);
    const std::vector<Expr> momentum = system_.put(jumps_.momentum);
    std::vector<Expr> all = system_.configuration_rates;
    append(&all, p.motion.entries());
    append(&all, system_.row_remainders);
    append(&all, quadrature_rates());
    append(&all, system_.positions);
    append(&all, places);
    append(&all, momentum);
    append(&all, system_.put({formal_.K, formal_.U}));
    compile_table_places(all);
    std::vector<Expr> switches = collect_switches(all, symbols_of(ExtraArguments::measures));
    for (const Expr& e : switches) p.switch_kinds.push_back(find_kind(e));
    for (const Expr& e : list_poles_of_time(places)) {
      switches.push_back(e);
      p.switch_kinds.push_back(SwitchKind::pole_of_time);
    }
    for (const Expr& e : list_held_ends(16)) {
      switches.push_back(e);
      p.switch_kinds.push_back(find_kind(e));
    }
    p.switches = compile(ExtraArguments::measures, switches);
    if (!switches.empty()) {
      compile_places(places);
      p.momentum = compile(ExtraArguments::nothing, momentum);
    }
    const std::vector<Expr> named = list_held_ends(0);
    std::copy(named.begin(), named.end(),
              switches.end() - static_cast<std::ptrdiff_t>(named.size()));
    for (const Expr& e : switches) p.switch_names.push_back(print(e));
  }

  // Where tables that have no value outside of their samples are asked, by all that a run computes.
  void compile_table_places(const std::vector<Expr>& expressions) {
    std::vector<Expr> places;
    std::set<std::pair<const TableFunction*, Ref>> known;
    for (const std::uint32_t i :
         collect_cone(system_.pool, refs_in(system_.pool, expressions, "compile"))) {
      const Node node = system_.pool.node(i << 1);
      const auto bound = node.op == Op::call ? bind_table(system_.pool, node) : nullptr;
      if (!bound) continue;
      const FunctionCall call = read_call(system_.pool, node);
      for (std::size_t k = 0; k < call.arguments.size(); ++k) {
        const Spline& axis = bound->table->axis(k);
        const Expr place(system_.pool, call.arguments[k]);
        if (axis.range() != TableRange::error || !is_of_state(place) ||
            !known.emplace(bound->table.get(), call.arguments[k]).second)
          continue;
        parts_->table_ends.push_back({call.function.name, "", axis.first(), axis.last(), 0.0});
        places.push_back(place);
      }
    }
    if (places.empty()) return;
    parts_->table_places = compile(ExtraArguments::nothing, places);
    for (std::size_t i = 0; i < places.size(); ++i)
      parts_->table_ends[i].argument = print(places[i]);
  }

  bool is_of_state(const Expr& e) const {
    std::unordered_set<Ref> known;
    for (const Expr& s : symbols_of(ExtraArguments::nothing)) known.insert(s.ref());
    for (const Expr& s : system_.parameters) known.insert(s.ref());
    const std::vector<Expr> inside = free_symbols(e);
    return std::all_of(inside.begin(), inside.end(),
                       [&](const Expr& s) { return known.contains(s.ref()); });
  }

  // Time alone, whatever the state, takes these places to infinity where one of these vanishes. Nothing else would see it: a
  // step that is long enough passes by.
  std::vector<Expr> list_poles_of_time(const std::vector<Expr>& places) const {
    std::vector<Expr> poles = collect_poles(places);
    std::erase_if(poles, [&](const Expr& e) {
      return find_kind(e) != SwitchKind::of_time || !depends_on(e, system_.time);
    });
    return poles;
  }

  // Places that can change over: all others stay as they are where a surface is crossed.
  void compile_places(const std::vector<Expr>& places) {
    std::vector<Expr> jumping;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (collect_switches({places[i]}, symbols_of(ExtraArguments::nothing)).empty() &&
          list_poles_of_time({places[i]}).empty())
        continue;
      jumping.push_back(places[i]);
      parts_->place_names.push_back(jumps_.place_names[i]);
    }
    parts_->places = compile(ExtraArguments::nothing, jumping);
  }

  SwitchKind find_kind(const Expr& surface) const {
    std::unordered_set<Ref> still = {system_.time.ref()}, configuration;
    for (const auto* list : {&system_.inputs, &system_.signals, &system_.parameters})
      for (const Expr& e : *list) still.insert(e.ref());
    for (std::size_t i = 0; i < system_.configuration_count; ++i)
      configuration.insert(system_.state[i].ref());
    SwitchKind kind = SwitchKind::of_time;
    for (const Expr& e : free_symbols(surface)) {
      if (still.count(e.ref()) != 0) continue;
      if (configuration.count(e.ref()) == 0) return SwitchKind::of_motion;
      kind = SwitchKind::of_configuration;
    }
    return kind;
  }

  // ---- Samples

  void compile_samples() {
    for (const SampleData& sample : model_.samples) {
      std::vector<Expr> values;
      std::vector<std::size_t> places;
      for (const auto& [state, value] : sample.changes) {
        const Expr& symbol = model_.states[static_cast<std::size_t>(state)].symbol;
        const auto place = std::find_if(system_.state.begin(), system_.state.end(),
                                        [&](const Expr& s) { return s.ref() == symbol.ref(); });
        places.push_back(static_cast<std::size_t>(place - system_.state.begin()));
        values.push_back(system_.put(
            equations_.motion.resolve(Quantity(value, Dimension())).expr(system_.pool)));
      }
      values.push_back(system_.put(sample.period));
      parts_->samples.push_back({std::move(places), compile(ExtraArguments::nothing, values)});
    }
  }

  // ---- Integrals over time

  std::vector<Expr> quadrature_rates() {
    std::vector<Expr> all;
    for (const auto& q : asked_.quadratures) all.push_back(system_.put(q.rate));
    return all;
  }

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
      if (row.position) p.position_rows.push_back(to_int(i));
      Expr carried = row.velocity.remainder;
      for (const auto& [r, a] : row.velocity.coefficients)
        carried += a * split_.transport()[static_cast<std::size_t>(r)];
      drift.push_back(system_.put(hold(split_.rate(carried))));
      p.is_still = p.is_still && row.velocity.remainder.is_zero();
    }
    append(&entries, system_.row_remainders);
    p.residuals = compile(ExtraArguments::nothing, residuals);
    p.rows = compile(ExtraArguments::nothing, entries);
    p.drift = compile(ExtraArguments::measures, drift);
    p.transport.emplace(dependent, order_dependent_speeds(equations_.motion));
  }

  // ---- Energies and outputs

  void compile_energies() {
    const EnergyTerms& e = formal_;
    parts_->energies = compile(
        ExtraArguments::measures,
        system_.put({e.K, e.K0, e.K1, e.K2, e.U, e.sigma, e.sigma_R, e.P, e.P_nonconservative}));
    parts_->quadrature_rates = compile(ExtraArguments::measures, quadrature_rates());
  }

  // Results, whether determined or not.
  Replacements result_values() {
    Replacements all;
    for (const auto& result : asked_.results) {
      const std::vector<Expr> values = system_.put(result.form.total(system_.multipliers));
      for (std::size_t k = 0; k < values.size(); ++k)
        all.emplace_back(result.symbols[k], values[k]);
    }
    return all;
  }

  void compile_results() {
    ResultParts& p = parts_->results;
    std::vector<Expr> values, losses, slopes;
    for (const auto& entry : result_values()) values.push_back(entry.second);
    int first = 0;
    for (const auto& result : asked_.results) {
      p.groups.push_back({first, to_int(result.symbols.size()), result.form.is_known});
      for (const auto& loss : result.form.losses) {
        for (int k = 0; k < to_int(loss.size()); ++k) p.losses.push_back(first + k);
        append(&losses, system_.put(loss));
      }
      first += p.groups.back().count;
    }
    for (std::size_t q = 0; q < asked_.quadratures.size(); ++q) {
      const int result = asked_.quadratures[q].result;
      if (result >= 0)
        p.integrals.emplace_back(q, p.groups[static_cast<std::size_t>(result)].first);
    }
    p.count = values.size();
    if (p.count == 0) return;
    // Linear in what is solved for: the slopes tell what an open direction changes.
    std::vector<Expr> solved = system_.speed_rates;
    append(&solved, system_.unknowns);
    append(&solved, system_.multipliers);
    const std::vector<std::vector<Expr>> by_solution = jacobian(values, solved);
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < solved.size(); ++j) {
        if (by_solution[i][j].is_zero()) continue;
        p.slope_places.push_back({to_int(slopes.size()), to_int(i), to_int(j), 1.0});
        slopes.push_back(by_solution[i][j]);
      }
    }
    append(&values, losses);
    p.values = compile(ExtraArguments::solution, values);
    p.slopes = compile(ExtraArguments::nothing, slopes);
  }

  // An extra output must not pass for another of that name.
  static void require_same(const std::string& name, const std::vector<Expr>& values,
                           const std::vector<Expr>& outputs, std::size_t first) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (first + k >= outputs.size() || outputs[first + k] != values[k])
        throw UsageError("compile", "there is another output '" + name + "'");
    }
  }

  void compile_outputs() {
    CompiledSystem::Parts& p = *parts_;
    const std::vector<Expr> known = symbols_of(ExtraArguments::measures);
    std::unordered_set<Ref> allowed;
    for (const Expr& e : known) allowed.insert(e.ref());
    for (const Expr& e : system_.parameters) allowed.insert(e.ref());
    const auto is_function = [&](const std::vector<Expr>& list) {
      const std::vector<Expr> inside = free_symbols(list);
      return std::all_of(inside.begin(), inside.end(),
                         [&](const Expr& e) { return allowed.count(e.ref()) != 0; });
    };
    std::vector<Expr> outputs;
    for (std::size_t i = 0; i < asked_.outputs.size(); ++i) {
      const std::string& name = asked_.output_names[i];
      const std::vector<Expr> values = system_.put(asked_.outputs[i]);
      std::vector<std::string> names = {name};
      if (values.size() == 3) names = {name + ".x", name + ".y", name + ".z"};
      // `plot` and `output` may name the same thing.
      const auto known_name = std::find(p.output_names.begin(), p.output_names.end(), names[0]);
      if (known_name != p.output_names.end()) {
        const auto first = static_cast<std::size_t>(known_name - p.output_names.begin());
        if (i >= model_.outputs.size()) require_same(name, values, outputs, first);
        continue;
      }
      if (!is_function(values)) {
        p.other_outputs.push_back(name);
        continue;
      }
      append(&outputs, values);
      p.output_names.insert(p.output_names.end(), names.begin(), names.end());
    }
    p.outputs = compile(ExtraArguments::measures, outputs);

    std::vector<Expr> events;
    for (std::size_t i = 0; i < model_.events.size(); ++i) {
      events.push_back(system_.put(asked_.events[i]));
      p.event_names.push_back(model_.events[i].name);
      p.event_stops.push_back(model_.events[i].stop);
    }
    // Poles are no corners: where an event is infinite it is found to jump.
    const std::vector<Expr> corners = collect_switches(events, known);
    p.event_corner_count = corners.size();
    append(&events, corners);
    p.events = compile(ExtraArguments::measures, events);
  }

  // ---- Derivatives

  DerivativeFunction compile_derivatives(MotionDerivatives d) {
    return {compile(ExtraArguments::solution, d.entries), d.columns, std::move(d.rates),
            std::move(d.residuals), std::move(d.solved)};
  }

  void compile_jacobian() {
    if (compile_tree_jacobian()) return;
    MotionDerivatives d = differentiate_by_state(system_, parts_->motion);
    parts_->pattern = list_pattern(d.rates, d.residuals, system_, parts_->motion);
    parts_->jacobian = compile_derivatives(std::move(d));
  }

  // By composite bodies, where the mechanism is a tree of links.
  bool compile_tree_jacobian() {
    if (!links_) return false;
    const auto slopes = make_tree_slopes(system_, *links_);
    if (!slopes) return false;
    TreeDerivatives d = make_tree_derivatives(system_, *slopes, choose_lanes());
    parts_->pattern = list_pattern(d.rates, d.residuals, system_, parts_->motion);
    std::vector<Expr> arguments = symbols_of(ExtraArguments::solution);
    std::copy(d.state.begin(), d.state.end(), arguments.begin() + 1);  // behind time
    const CompileOptions& code = options_.code;
    parts_->tree_jacobian = {
        {parts_->function_count++, CompiledFunction(arguments, system_.parameters, d.outputs, code),
         true},
        std::move(d.products),
        d.first_term,
        std::move(d.term_places),
        std::move(d.rates),
        d.state_columns,
        {}};
    TreeDerivativeFunction& f = *parts_->tree_jacobian;
    for (std::size_t r = 0; r < system_.forcing.size(); ++r)
      f.rows.push_back(static_cast<std::size_t>(f.products.row_of(to_int(r))) *
                       f.products.row_stride());
    const std::vector<int>& moving = f.products.columns();
    for (int i = 0; i <= to_int(system_.state.size() + system_.inputs.size()); ++i)
      if (std::count(moving.begin(), moving.end(), i) == 0) f.still.push_back(i);
    return true;
  }

  LaneWidth choose_lanes() const {
    if (options_.code.interpret) return LaneWidth::one;
    const LaneWidth widest = widest_lanes();
    return options_.code.avoid_avx512 ? std::min(widest, LaneWidth::four) : widest;
  }

  void compile_sensitivities() {
    parts_->sensitivities = compile_derivatives(differentiate_by_values(system_, parts_->motion));
  }

  bool is_plain() const {
    return equations_.rows.empty() && equations_.unknowns.empty() && equations_.auxiliary.empty();
  }

  std::optional<TreeRates> solve_by_recursion() const {
    if (!is_plain() || options_.unrolled_operations == 0) return {};
    return solve_along_trees(equations_.motion);
  }

  std::optional<LinkTree> find_link_tree() const {
    // Unknown forces that drop out of the equations stand in the loads of single links.
    if (!is_plain() || !model_.unknowns.empty() || !options_.jacobian ||
        options_.unrolled_operations == 0)
      return {};
    return find_links(equations_.motion);
  }

  std::vector<Expr> invert_dynamics() const {
    if (!options_.inverse || !model_.unknowns.empty()) return {};
    return make_inverse_dynamics(equations_.motion);
  }

  // ---- Momenta

  std::vector<Expr> list_active_forces() const {
    if (!options_.momenta || !equations_.rows.empty()) return {};
    return sum_active_forces(equations_.motion);
  }

  void compile_momenta() {
    MomentumParts& p = parts_->momenta;
    if (!options_.momenta) {
      p.obstacle = NoMomenta{NoMomenta::Kind::not_compiled};
      return;
    }
    MomentumExpressions m = make_momentum_expressions(&system_, formal_.K, forces_);
    p.obstacle = m.obstacle;
    if (p.obstacle) return;
    p.values = compile(ExtraArguments::nothing, m.values);
    append(&m.values, m.entries);
    p.with_slopes = compile(ExtraArguments::nothing, m.values);
    p.places = std::move(m.places);
  }

  const Equations& equations_;
  const ModelData& model_;
  const VelocitySplit& split_;
  const EnergyTerms& formal_;
  const SystemOptions& options_;
  OutputExpressions asked_;
  const std::vector<Expr> forces_;  // F_r, where momenta may be wanted
  const JumpExpressions jumps_;
  const std::optional<TreeRates> recursion_;
  const std::vector<Expr> inverse_;  // M u' - f, where it may be wanted
  const std::optional<LinkTree> links_;
  RunExpressions system_;
  std::unique_ptr<CompiledSystem::Parts> parts_;
  std::vector<std::shared_ptr<const Spline>> held_;  // of motions, with the rule `hold`
};

}  // namespace

CompiledSystem compile(const Equations& equations, const Energies& energies,
                       const SystemOptions& options) {
  require_one_origin(equations, energies, "compile");
  const Workspace work(energies.pool);
  return compile(equations, energies.split, energies.formal, energies.embedded.dependent, options);
}

CompiledSystem compile(const Equations& equations, const VelocitySplit& split,
                       const EnergyTerms& formal, const std::vector<int>& dependent,
                       const SystemOptions& options) {
  require_defined_functions(equations.motion.model());
  const ExprPool& home = formal.K.home();
  const Workspace work(home.stands_on(*equations.pool()) ? home : *equations.pool());
  return Compiler(equations, split, formal, dependent, options).take();
}

}  // namespace visviva
