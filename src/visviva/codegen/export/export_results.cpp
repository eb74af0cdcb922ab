#include "visviva/codegen/export/export_results.h"

#include <algorithm>
#include <set>

#include "visviva/base/result_table.h"
#include "visviva/base/sequence.h"
#include "visviva/base/unit.h"
#include "visviva/codegen/system/output_expressions.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/velocity_split.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

// Velocities of many points with many speeds are longer than all equations.
constexpr std::size_t most_point_entries = 20000;

// Energies are in J, torques in N*m.
std::string export_unit(const OutputData& o) {
  if (const EnergyResult* energy = find_energy_result(o.name)) return unit_name(energy->unit);
  const std::optional<CalledResult> called = find_result_call(o.name);
  return called && called->is_integral() ? unit_name(called->call->unit)
                                         : print_dimension(o.dimension);
}

// What outputs ask for, in the pool where they are built.
EnergyTerms take_terms(ExprPool& pool, const EnergyTerms& from) {
  const auto take = [&](const Expr& e) { return e.valid() ? Expr(pool, pool.take(e)) : e; };
  EnergyTerms terms;
  for (const auto member :
       {&EnergyTerms::K, &EnergyTerms::K0, &EnergyTerms::K1, &EnergyTerms::K2, &EnergyTerms::U,
        &EnergyTerms::V, &EnergyTerms::sigma, &EnergyTerms::sigma_R, &EnergyTerms::P,
        &EnergyTerms::P_nonconservative})
    terms.*member = take(from.*member);
  for (const LoadEnergy& load : from.loads) {
    LoadEnergy taken;
    taken.name = load.name;
    taken.kind = load.kind;
    taken.power = take(load.power);
    taken.generalized_power = take(load.generalized_power);
    terms.loads.push_back(std::move(taken));
  }
  return terms;
}

// Outputs and events in terms of what a file knows: results of forces are put in for their names.
class KnownResults {
 public:
  KnownResults(const Equations& equations, const OutputExpressions& asked,
               const std::vector<Expr>& multipliers, const std::vector<Expr>& known)
      : model_(equations.motion.model()), put_(*model_.pool, totals(asked, multipliers)) {
    for (const Expr& e : known) known_.insert(e.ref());
  }

  std::vector<Expr> put(const std::vector<Expr>& values) { return put_(values); }

  // All symbols in it are known to a file, as those of the motion are.
  bool is_known(const std::vector<Expr>& values) const {
    for (const Expr& s : free_symbols(values)) {
      if (known_.contains(s.ref())) continue;
      const SymbolRole* role = model_.role(s);
      if (role == nullptr || role->role == Role::result || role->role == Role::measure)
        return false;
    }
    return true;
  }

 private:
  // A result that no state determines, or not every one, keeps its name, and is not known.
  static Replacements totals(const OutputExpressions& asked, const std::vector<Expr>& multipliers) {
    Replacements all;
    for (const OutputExpressions::Result& result : asked.results) {
      const auto is_open = [](const std::vector<Expr>& loss) {
        return std::any_of(loss.begin(), loss.end(), [](const Expr& e) { return !e.is_zero(); });
      };
      const auto& losses = result.form.losses;
      if (!result.form.is_known || std::any_of(losses.begin(), losses.end(), is_open)) continue;
      const std::vector<Expr> values = result.form.total(multipliers);
      for (std::size_t k = 0; k < values.size(); ++k)
        all.emplace_back(result.symbols[k], values[k]);
    }
    return all;
  }

  const ModelData& model_;
  Substitution put_;
  std::set<Ref> known_;
};

}  // namespace

ExportResults::ExportResults(const Equations& equations, const EnergyTerms* energies) {
  const ModelData& model = equations.motion.model();
  for (const Speed& s : equations.motion.speeds()) solution.push_back(s.rate);
  append(&solution, equations.unknowns);
  for (std::size_t i = 0; i < equations.rows.size(); ++i)
    solution.push_back(model.pool->scratch_symbol("multiplier " + std::to_string(i)));
  if (!model.outputs.empty() || !model.events.empty()) add_outputs(equations, energies);
  if (!equations.motion.speeds().empty()) add_points(equations);
  add_samples(equations);
}

void ExportResults::add_outputs(const Equations& equations, const EnergyTerms* energies) {
  const ModelData& model = equations.motion.model();
  std::optional<EnergyTerms> formal;
  if (energies == nullptr) {
    const VelocitySplit split(equations);
    formal = analyze_formal_energy(equations, split, nullptr);
  }
  const OutputExpressions asked(equations,
                                take_terms(*model.pool, energies != nullptr ? *energies : *formal));
  const std::vector<Expr> multipliers(solution.end() - std::ptrdiff_t(equations.rows.size()),
                                      solution.end());
  std::vector<Expr> known = solution;
  add_integrals(equations, asked, multipliers, &known);
  KnownResults results(equations, asked, multipliers, known);

  std::vector<Expr> used;
  for (std::size_t i = 0; i < asked.outputs.size(); ++i) {
    const std::string& name = asked.output_names[i];
    const std::vector<Expr> values = results.put(asked.outputs[i]);
    std::vector<std::string> names = {name};
    if (values.size() == 3) names = {name + ".x", name + ".y", name + ".z"};
    if (std::find(output_names.begin(), output_names.end(), names[0]) != output_names.end())
      continue;  // `plot` and `output` may name the same thing
    if (!results.is_known(values)) {
      if (model.outputs[i].speed.empty()) left_out.push_back(name);
      continue;
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
      outputs.add(values[k], "outputs", output_names.size());
      output_names.push_back(names[k]);
      output_units.push_back(export_unit(model.outputs[i]));
    }
    append(&used, values);
  }
  for (std::size_t i = 0; i < asked.events.size(); ++i) {
    const std::vector<Expr> value = results.put({asked.events[i]});
    if (!results.is_known(value)) {
      left_out.push_back("event " + model.events[i].name);
      continue;
    }
    events.add(value[0], "events", event_names.size());
    event_names.push_back(model.events[i].name);
    event_stops.push_back(model.events[i].stop);
    append(&used, value);
  }
  drop_unused_integrals(used);
}

// Integrals whose rates a file can give. No rate holds another integral.
void ExportResults::add_integrals(const Equations& equations, const OutputExpressions& asked,
                                  const std::vector<Expr>& multipliers, std::vector<Expr>* known) {
  KnownResults results(equations, asked, multipliers, solution);
  for (const OutputExpressions::Quadrature& q : asked.quadratures) {
    const std::vector<Expr> rate = results.put({q.rate});
    if (!results.is_known(rate)) continue;
    integral_rates.add(rate[0], "integral_rates", integral_names.size());
    integral_names.push_back(q.name);
    integrals.push_back(equations.motion.model().pool->symbol(q.name));
    known->push_back(integrals.back());
  }
}

void ExportResults::drop_unused_integrals(const std::vector<Expr>& used) {
  ExportDraft rates;
  std::vector<std::string> names;
  std::vector<Expr> symbols;
  for (std::size_t i = 0; i < integrals.size(); ++i) {
    const bool is_used = std::any_of(used.begin(), used.end(),
                                     [&](const Expr& e) { return depends_on(e, integrals[i]); });
    if (!is_used) continue;
    rates.add(integral_rates.expressions[i], "integral_rates", names.size());
    names.push_back(integral_names[i]);
    symbols.push_back(integrals[i]);
  }
  integral_rates = std::move(rates);
  integral_names = std::move(names);
  integrals = std::move(symbols);
}

void ExportResults::add_points(const Equations& equations) {
  const Kinematics& motion = equations.motion;
  const ModelData& model = motion.model();
  if (model.points.size() * motion.speeds().size() > most_point_entries) return;
  const Frame N = motion.frames().front();
  const auto in_N = [&](int frame, const Column3& column) {
    return Vector(model, {{frame, column}}, Dimension()).in(N);
  };
  for (std::size_t p = 0; p < model.points.size(); ++p) {
    if (model.points[p].name == "No") continue;
    const VectorMotion& v = motion.point_motion(Point(model, static_cast<int>(p)));
    const std::size_t row = 3 * point_names.size();
    std::vector<Column3> columns(motion.speeds().size(), zero_column(*model.pool));
    for (const auto& [speed, column] : v.coefficients)
      columns[static_cast<std::size_t>(speed)] = in_N(v.frame, column);
    for (std::size_t r = 0; r < columns.size(); ++r)
      for (std::size_t i = 0; i < 3; ++i) points.add(columns[r][i], "J", row + i, r);
    const Column3 rest = in_N(v.frame, v.remainder);
    for (std::size_t i = 0; i < 3; ++i) points.add(rest[i], "remainder", row + i);
    point_names.push_back(model.points[p].name);
  }
}

void ExportResults::drop_points_of(const std::vector<Expr>& symbols) {
  if (symbols.empty() || point_names.empty()) return;
  const std::size_t entries = points.expressions.size() / point_names.size();
  ExportDraft kept;
  std::vector<std::string> names;
  for (std::size_t p = 0; p < point_names.size(); ++p) {
    const auto first = points.expressions.begin() + std::ptrdiff_t(p * entries);
    const bool is_lost = std::any_of(first, first + std::ptrdiff_t(entries), [&](const Expr& e) {
      return std::any_of(symbols.begin(), symbols.end(),
                         [&](const Expr& s) { return depends_on(e, s); });
    });
    if (is_lost) continue;
    for (std::size_t i = p * entries; i < (p + 1) * entries; ++i) {
      ExportedTarget target = points.targets[i];
      target.row = target.row - 3 * p + 3 * names.size();
      kept.add(points.expressions[i], target.array, target.row, target.column);
    }
    names.push_back(point_names[p]);
  }
  points = std::move(kept);
  point_names = std::move(names);
}

void ExportResults::add_samples(const Equations& equations) {
  const ModelData& model = equations.motion.model();
  for (std::size_t k = 0; k < model.samples.size(); ++k) {
    for (const auto& [state, value] : model.samples[k].changes) {
      const Expr resolved =
          equations.motion.resolve(Quantity(value, Dimension())).expr(*model.pool);
      samples.add(resolved, "after", sample_changes.size());
      sample_changes.push_back({k, static_cast<std::size_t>(state)});
    }
    samples.add(model.samples[k].period, "periods", k);
  }
}

}  // namespace visviva
