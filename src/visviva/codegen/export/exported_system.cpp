#include "visviva/codegen/export/exported_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "visviva/base/error.h"
#include "visviva/base/result_table.h"
#include "visviva/base/sequence.h"
#include "visviva/base/unit.h"
#include "visviva/codegen/export/export_names.h"
#include "visviva/codegen/export/export_results.h"
#include "visviva/codegen/system/definitions.h"
#include "visviva/codegen/system/idle_orientations.h"
#include "visviva/equations/constraints/embed.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

class Exporter {
 public:
  Exporter(const Equations& equations, const ConsistentStart& start)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        start_(make_state(motion_, start)),
        definitions_(model_) {
    s_.missing = start.missing;
  }

  ExportedSystem make() {
    s_.name = model_.name;
    s_.identifier = make_file_identifier(model_.name);
    s_.documentation = model_.documentation;
    s_.case_name = model_.case_name;
    s_.method = method_name(equations_.method);
    s_.speed_count = motion_.speeds().size();
    s_.unknown_count = equations_.unknowns.size();
    s_.row_count = equations_.rows.size();
    for (const Expr& u : equations_.unknowns)
      s_.unknown_names.push_back(model_.unknowns[model_.role(u)->index].name);
    if (s_.unknown_count > 0)
      require_unknowns_determined(equations_, MotionSolver(equations_)(start_));

    ExportDraft equations = draft_equations(), constraints = draft_constraints();
    ExportDraft energies = draft_energies();
    ExportResults results(equations_, energies_ ? &*energies_ : nullptr);
    const std::vector<int> idle =
        find_idle_orientations(equations_, list_besides(energies, results));
    results.drop_points_of(list_hidden(idle));
    add_states(idle, &equations);
    add_parameters();
    const std::vector<ExportDraft*> drafts = {&equations,      &constraints,
                                              &energies,       &results.outputs,
                                              &results.events, &results.integral_rates,
                                              &results.points, &results.samples};
    put_definitions(drafts);
    add_inputs(drafts);
    s_.equations = make_block(equations);
    s_.constraints = make_block(constraints);
    if (!energies.expressions.empty()) s_.energies = make_block(energies);
    take(std::move(results));
    list_independent();
    add_called_tables();
    return std::move(s_);
  }

 private:
  // ---- Besides the equations

  static std::vector<Expr> list_besides(const ExportDraft& energies, const ExportResults& results) {
    std::vector<Expr> all = energies.expressions;
    for (const ExportDraft* d :
         {&results.outputs, &results.events, &results.integral_rates, &results.samples})
      append(&all, d->expressions);
    return all;
  }

  std::vector<Expr> list_hidden(const std::vector<int>& frames) const {
    std::vector<Expr> all;
    for (const int F : frames) append(&all, model_.frames[static_cast<std::size_t>(F)].hidden);
    return all;
  }

  void take(ExportResults results) {
    const std::vector<Expr> extra = join(results.solution, results.integrals);
    std::vector<std::string> names;
    for (const Expr& e : results.solution) names.push_back(identifier(print(e)));
    for (const std::string& name : results.integral_names) names.push_back(identifier(name));
    const auto make = [&](const ExportDraft& draft, std::optional<ExportedBlock>* block) {
      if (!draft.expressions.empty()) *block = make_block(draft, extra, names);
    };
    make(results.outputs, &s_.outputs);
    make(results.events, &s_.events);
    make(results.integral_rates, &s_.integral_rates);
    if (!results.points.expressions.empty()) s_.points = make_block(results.points);
    if (!results.samples.expressions.empty()) s_.sample_values = make_block(results.samples);
    s_.output_names = std::move(results.output_names);
    s_.output_units = std::move(results.output_units);
    s_.event_names = std::move(results.event_names);
    s_.event_stops = std::move(results.event_stops);
    s_.integral_names = std::move(results.integral_names);
    s_.point_names = std::move(results.point_names);
    s_.left_out = std::move(results.left_out);
    s_.sample_count = model_.samples.size();
    // Held states stand among the others, before the speeds.
    const std::size_t first = s_.configuration_count - model_.states.size();
    for (ExportedSampleChange change : results.sample_changes) {
      change.state += first;
      s_.sample_changes.push_back(change);
    }
  }

  static std::vector<Expr> join(std::vector<Expr> a, const std::vector<Expr>& b) {
    append(&a, b);
    return a;
  }

  // As `evaluate --inverse` has them.
  void list_independent() {
    if (s_.unknown_count > 0 || !s_.missing.empty()) return;
    if (s_.row_count > 0) {
      try {
        s_.dependent = choose_dependent_speeds(equations_);
      } catch (const ModelError&) {
        return;
      }
    }
    for (int r = 0; r < static_cast<int>(s_.speed_count); ++r)
      if (std::find(s_.dependent.begin(), s_.dependent.end(), r) == s_.dependent.end())
        s_.independent.push_back(r);
  }

  // ---- What is to be computed

  ExportDraft draft_equations() {
    ExportDraft d;
    const std::size_t n = s_.speed_count;
    for (const auto& [symbol, rate] : collect_rates(motion_)) rates_.emplace(symbol.ref(), rate);
    for (const CoordinateData& c : model_.coordinates)
      d.add(rates_.at(c.q.ref()), "q_rates", s_.configuration_count++);
    const auto add_forcing = [&](const Expr& forcing, std::size_t row, const char* vector,
                                 const char* matrix) {
      const LinearForm form = make_linear_form(forcing, equations_.unknowns);
      for (std::size_t j = 0; j < form.coefficients.size(); ++j)
        d.add(form.coefficients[j], matrix, row, j);
      d.add(form.remainder, vector, row);
    };
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c <= r; ++c) d.add(equations_.mass_matrix[r][c], "M", r, c);
      add_forcing(equations_.forcing[r], r, "f", "W");
    }
    for (std::size_t i = 0; i < s_.row_count; ++i) {
      const std::vector<Expr> line = row_coefficients(i);
      for (std::size_t r = 0; r < n; ++r) d.add(line[r], "A", i, r);
      d.add(equations_.row_forcing[i], "b", i);
    }
    for (const AuxiliaryEquation& a : equations_.auxiliary) {
      if (!a.is_complete || a.is_evidence || s_.unknown_count == 0) continue;
      const std::size_t i = s_.auxiliary_count++;
      for (std::size_t r = 0; r < n; ++r) d.add(a.mass[r], "C", i, r);
      for (std::size_t k = 0; k < s_.row_count; ++k) d.add(a.rows[k], "L", i, k);
      add_forcing(a.forcing, i, "d", "V");
    }
    return d;
  }

  std::vector<Expr> row_coefficients(std::size_t i) const {
    std::vector<Expr> line(s_.speed_count, model_.pool->zero());
    for (const auto& [r, a] : equations_.rows[i].velocity.coefficients) line[r] = a;
    return line;
  }

  ExportDraft draft_constraints() {
    ExportDraft d;
    for (std::size_t i = 0; i < s_.row_count; ++i) {
      const ConstraintRow& row = equations_.rows[i];
      const std::string& name = model_.constraints[row.constraint].name;
      s_.row_names.push_back(name);
      Expr sum = row.velocity.remainder;
      for (const auto& [r, a] : row.velocity.coefficients) sum += a * motion_.speeds()[r].u;
      d.add(sum, "velocity", i);
      if (!row.position) continue;
      s_.position_names.push_back(name);
      d.add(*row.position, "position", s_.position_count++);
    }
    return d;
  }

  ExportDraft draft_energies() {
    ExportDraft d;
    try {
      if (auto found = try_analyze_energy(equations_)) energies_.emplace(*std::move(found));
      if (!energies_) {
        s_.energies_missing = EnergiesMissing{EnergiesMissing::Kind::not_embedded};
        return d;
      }
      const Energies& e = *energies_;
      const Expr Z_rate = add_terms_of(e, result_definitions::Z_rate);
      const std::vector<Expr> list = {e.K0,  e.K1, e.K2, e.U, e.sigma_R, e.P_nonconservative,
                                      Z_rate};
      for (const Expr& unknown : equations_.unknowns) {
        if (std::any_of(list.begin(), list.end(),
                        [&](const Expr& x) { return depends_on(x, unknown); })) {
          s_.energies_missing = EnergiesMissing{EnergiesMissing::Kind::unknown_force_works};
          return d;
        }
      }
      for (std::size_t i = 0; i < list.size(); ++i) d.add(list[i], "energies", i);
      if (e.embedded.validity.valid() && !e.embedded.validity.is_constant())
        s_.energies_condition = print(e.embedded.validity);
    } catch (const ModelError& error) {
      s_.energies_missing = {EnergiesMissing::Kind::model_is_wrong, error.diagnostics().front()};
    }
    return d;
  }

  // What begins with the model's name is a name of the file's own.
  std::string identifier(const std::string& name) {
    const bool is_taken = make_identifier(name).rfind(s_.identifier + "_", 0) == 0;
    return names_.add(is_taken ? "x_" + name : name);
  }

  // ---- Who takes part

  // Hidden states take part unless they are idle; q' of all go where the others are.
  void add_states(const std::vector<int>& idle, ExportDraft* equations) {
    for (const CoordinateData& c : model_.coordinates)
      add_state(c.name, c.q, print_dimension(c.dimension), c.source.documentation);
    for (std::size_t F = 0; F < model_.frames.size(); ++F) {
      if (std::find(idle.begin(), idle.end(), static_cast<int>(F)) != idle.end()) continue;
      for (const Expr& h : model_.frames[F].hidden) {
        add_state(h.home().symbol_name(h.ref()), h, "1",
                  "orientation of a frame known by its angular velocity");
        equations->add(rates_.at(h.ref()), "q_rates", s_.configuration_count++);
      }
    }
    for (const StateData& s : model_.states) {
      add_state(s.name, s.symbol, print_dimension(s.dimension), s.source.documentation);
      equations->add(rates_.at(s.symbol.ref()), "q_rates", s_.configuration_count++);
    }
    for (const Speed& u : motion_.speeds())
      add_state(u.name, u.u, print_dimension(u.dimension), documentation_of(u));
    fixed_ = fix_orientations(model_, idle);
  }

  std::string documentation_of(const Speed& speed) const {
    for (const SpeedData& s : model_.speeds) {
      if (s.u.ref() == speed.u.ref()) return s.source.documentation;
    }
    return {};
  }

  void add_state(const std::string& name, const Expr& symbol, const std::string& unit,
                 const std::string& documentation) {
    const double value = s_.missing.empty() ? start_.value(symbol) : no_value;
    s_.states.push_back({name, identifier(name), unit, documentation, value});
    symbols_.push_back(symbol);
  }

  void add_parameters() {
    for (const ParameterData& p : model_.parameters) {
      if (is_derived(p)) {
        s_.derived.push_back({p.name, print(*p.value), p.source.documentation});
        continue;
      }
      s_.parameters.push_back({p.name, identifier(p.name), print_dimension(p.dimension),
                               p.source.documentation,
                               p.value ? start_.value(p.symbol) : no_value});
      parameters_.push_back(p.symbol);
    }
  }

  // Inputs of the model, then functions of time that somebody else must give; tables are sampled.
  void add_inputs(const std::vector<ExportDraft*>& drafts) {
    std::vector<Expr> samples, used;
    for (const ExportDraft* d : drafts) {
      used.insert(used.end(), d->expressions.begin(), d->expressions.end());
      for (const auto& entry : d->definitions) used.push_back(entry.second);
    }
    const std::vector<Expr> symbols = free_symbols(used);
    for (const InputData& i : model_.inputs) {
      if (i.state >= 0) continue;
      s_.inputs.push_back({i.name, identifier(i.name), print_dimension(i.dimension),
                           i.source.documentation, start_.value(i.symbol)});
      symbols_.push_back(i.symbol);
    }
    for (const SpecifiedData& s : model_.specified) {
      if (s.definition) continue;
      std::size_t table = s_.tables.size();
      for (std::size_t k = 0; k < s.derivatives.size(); ++k) {
        const Expr& symbol = s.derivatives[k];
        if (std::none_of(symbols.begin(), symbols.end(),
                         [&](const Expr& e) { return e.ref() == symbol.ref(); }))
          continue;
        const std::string name = s.name + std::string(k, '\'');
        if (s.table == nullptr) {
          s_.inputs.push_back(
              {name, identifier(name), derivative_unit(s, k), s.source.documentation, no_value});
          symbols_.push_back(symbol);
          continue;
        }
        if (table == s_.tables.size()) s_.tables.push_back({s.name, s.table});
        s_.samples.push_back({identifier(name), table, static_cast<int>(k)});
        samples.push_back(symbol);
      }
    }
    symbols_.insert(symbols_.end(), samples.begin(), samples.end());
  }

  // Tables that the programs call at places of their own.
  void add_called_tables() {
    std::vector<const ExportedBlock*> blocks = {&s_.equations, &s_.constraints};
    for (const auto* block :
         {&s_.energies, &s_.outputs, &s_.events, &s_.integral_rates, &s_.points, &s_.sample_values})
      if (*block) blocks.push_back(&**block);
    std::set<const TableFunction*> called;
    for (const ExportedBlock* block : blocks)
      for (const auto& bound : block->program.tables) called.insert(bound->table.get());
    for (const FunctionData& f : model_.functions) {
      if (!called.contains(f.table.get()) || !f.table) continue;
      if (f.table->argument_count() > 1)
        s_.maps.push_back({f.name, f.table});
      else
        s_.tables.push_back({f.name,
                             std::shared_ptr<const Spline>(f.table, &f.table->values().front()),
                             f.table.get()});
    }
  }

  static std::string derivative_unit(const SpecifiedData& s, std::size_t order) {
    Dimension d = s.dimension;
    for (std::size_t k = 0; k < order; ++k) d = d / Dimension::of(Dimension::time);
    return print_dimension(d);
  }

  // ---- Programs

  // Orientations first: with one that is idle a function of time may go too.
  void put_definitions(const std::vector<ExportDraft*>& drafts) {
    put(fixed_, fixed_, drafts);
    std::vector<Expr> used;
    for (ExportDraft* d : drafts) {
      d->definitions = definitions_.replacements(d->expressions);
      used.insert(used.end(), d->expressions.begin(), d->expressions.end());
    }
    const Replacements all = definitions_.replacements(used);
    Replacements gone = fixed_;
    gone.insert(gone.end(), all.begin(), all.end());
    put(all, gone, drafts);
  }

  // A part may be worth the same as one known already that still mentions what is gone.
  void put(const Replacements& values, const Replacements& gone,
           const std::vector<ExportDraft*>& drafts) {
    if (values.empty()) return;
    std::vector<Expr> avoided;
    for (const auto& entry : gone) avoided.push_back(entry.first);
    const ExprPool::Avoiding avoid(*model_.pool, avoided);
    Substitution change(*model_.pool, values);
    for (ExportDraft* d : drafts) {
      auto changed = attempt([&] { return change(d->expressions); });
      if (!changed) fail_zero_divisor();
      d->expressions = *std::move(changed);
    }
  }

  ExportedBlock make_block(const ExportDraft& draft, const std::vector<Expr>& extra = {},
                           const std::vector<std::string>& extra_names = {}) {
    ExportedBlock block;
    block.targets = draft.targets;
    block.extra_inputs = extra_names;
    std::vector<Expr> inputs = {model_.time};
    inputs.insert(inputs.end(), symbols_.begin(), symbols_.end());
    append(&inputs, extra);
    std::vector<Expr> outputs = draft.expressions;
    for (const auto& [symbol, value] : draft.definitions) {
      if (value.is_symbol() || value.is_constant()) continue;
      outputs.push_back(value);
      block.value_names.push_back(derived_identifier(symbol));
    }
    block.program =
        make_program(inputs, parameters_, outputs, {.fuse = false, .share_reciprocals = false});
    return block;
  }

  // A derived value's name, the same in every block.
  const std::string& derived_identifier(const Expr& symbol) {
    std::string& name = derived_names_[symbol.ref()];
    if (name.empty()) name = identifier(symbol.home().symbol_name(symbol.ref()));
    return name;
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  StartState start_;
  Definitions definitions_;
  Replacements fixed_;  // idle orientations
  Identifiers names_;
  std::vector<Expr> symbols_, parameters_;  // of s_.states, inputs, samples; of s_.parameters
  std::map<Ref, std::string> derived_names_;
  std::map<Ref, Expr> rates_;  // of what changes by itself
  std::optional<Energies> energies_;
  ExportedSystem s_;
};

}  // namespace

ExportedSystem make_exported_system(const Equations& equations, const ConsistentStart& start) {
  const Workspace work(equations.pool());
  return Exporter(equations, start).make();
}

}  // namespace visviva
