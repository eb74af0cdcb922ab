#include "visviva/codegen/export/exported_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "visviva/base/error.h"
#include "visviva/base/result_table.h"
#include "visviva/base/unit.h"
#include "visviva/codegen/export/export_names.h"
#include "visviva/codegen/system/definitions.h"
#include "visviva/codegen/system/idle_orientations.h"
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

// Expressions of one block with their places, before they become a program.
struct Draft {
  std::vector<Expr> expressions{};
  std::vector<ExportedTarget> targets{};
  Replacements definitions{};  // of what stood in them

  void add(const Expr& e, const char* array, std::size_t row,
           std::optional<std::size_t> column = {}) {
    expressions.push_back(e);
    targets.push_back({array, row, column});
  }
};

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
    require_no_samples();
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

    Draft equations = draft_equations(), constraints = draft_constraints();
    Draft energies = draft_energies();
    add_states(find_idle_orientations(equations_, energies.expressions), &equations);
    add_parameters();
    const std::vector<Draft*> drafts = {&equations, &constraints, &energies};
    put_definitions(drafts);
    add_inputs(drafts);
    s_.equations = make_block(equations);
    s_.constraints = make_block(constraints);
    if (!energies.expressions.empty()) s_.energies = make_block(energies);
    add_called_tables();
    return std::move(s_);
  }

 private:
  void require_no_samples() const {
    if (model_.samples.empty()) return;
    throw ModelError(
        {{Severity::error, "E-export-samples",
          "a model with samples cannot be exported yet: a file has rates, and no clock",
          "export it without `sample`: inputs of the file take what a controller gives",
          model_.samples.front().source.span}});
  }

  // ---- What is to be computed

  Draft draft_equations() {
    Draft d;
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

  Draft draft_constraints() {
    Draft d;
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

  Draft draft_energies() {
    Draft d;
    try {
      const auto found = try_analyze_energy(equations_);
      if (!found) {
        s_.energies_missing = EnergiesMissing{EnergiesMissing::Kind::not_embedded};
        return d;
      }
      const Energies& e = *found;
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
  void add_states(const std::vector<int>& idle, Draft* equations) {
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
  void add_inputs(const std::vector<Draft*>& drafts) {
    std::vector<Expr> samples, used;
    for (const Draft* d : drafts) {
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
    if (s_.energies) blocks.push_back(&*s_.energies);
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
  void put_definitions(const std::vector<Draft*>& drafts) {
    put(fixed_, fixed_, drafts);
    std::vector<Expr> used;
    for (Draft* d : drafts) {
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
           const std::vector<Draft*>& drafts) {
    if (values.empty()) return;
    std::vector<Expr> avoided;
    for (const auto& entry : gone) avoided.push_back(entry.first);
    const ExprPool::Avoiding avoid(*model_.pool, avoided);
    Substitution change(*model_.pool, values);
    for (Draft* d : drafts) {
      auto changed = attempt([&] { return change(d->expressions); });
      if (!changed) fail_zero_divisor();
      d->expressions = *std::move(changed);
    }
  }

  ExportedBlock make_block(const Draft& draft) {
    ExportedBlock block;
    block.targets = draft.targets;
    std::vector<Expr> inputs = {model_.time};
    inputs.insert(inputs.end(), symbols_.begin(), symbols_.end());
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
  ExportedSystem s_;
};

}  // namespace

ExportedSystem make_exported_system(const Equations& equations, const ConsistentStart& start) {
  const Workspace work(equations.pool());
  return Exporter(equations, start).make();
}

}  // namespace visviva
