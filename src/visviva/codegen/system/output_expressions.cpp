#include "visviva/codegen/system/output_expressions.h"

#include <algorithm>
#include <optional>
#include <set>

#include "visviva/base/error.h"
#include "visviva/base/result_table.h"
#include "visviva/base/sequence.h"
#include "visviva/equations/interactions/interactions.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

// The model's outputs in terms of speeds and accelerations.
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

}  // namespace

OutputExpressions::OutputExpressions(const Equations& equations, const EnergyTerms& formal,
                                     const std::vector<ExtraOutput>& extra)
    : outputs(resolve_outputs(equations.motion)),
      events(resolve_events(equations.motion)),
      model_(equations.motion.model()) {
  for (const OutputData& o : model_.outputs) output_names.push_back(o.name);
  add_extra(extra);
  list_quadratures(formal);
  list_open_powers(equations, formal);
  for (const Replacements& replacements : {list_known(formal), list_actions(equations)}) {
    Substitution known(*model_.pool, replacements);
    for (std::vector<Expr>& output : outputs) output = known(output);
    events = known(events);
    for (Quadrature& q : quadratures) q.rate = known(q.rate);
  }
  list_results(equations);
}

void OutputExpressions::add_extra(const std::vector<ExtraOutput>& extra) {
  ExprPool& pool = *model_.pool;
  for (const ExtraOutput& e : extra) {
    if (e.components.size() != 1 && e.components.size() != 3)
      throw UsageError("compile", "the extra output '" + e.name + "' has " +
                                      std::to_string(e.components.size()) +
                                      " components, not 1 or 3");
    output_names.push_back(e.name);
    outputs.emplace_back();
    for (const Expr& c : e.components) outputs.back().emplace_back(pool, pool.take(c));
  }
}

std::vector<Expr> OutputExpressions::list_all() const {
  std::vector<Expr> all = events;
  for (const std::vector<Expr>& output : outputs) append(&all, output);
  for (const Quadrature& q : quadratures) all.push_back(q.rate);
  for (const Result& r : results) {
    append(&all, r.form.values);
    for (const std::vector<Expr>& row : r.form.by_rows) append(&all, row);
    for (const auto& loss : r.form.losses) all.insert(all.end(), loss.begin(), loss.end());
  }
  return all;
}

// Names of symbols that outputs, events and rates use.
std::vector<std::string> OutputExpressions::list_names() const {
  std::vector<Expr> all = events;
  for (const std::vector<Expr>& output : outputs) append(&all, output);
  for (const Quadrature& q : quadratures) all.push_back(q.rate);
  std::set<std::string> names;
  for (const Expr& symbol : free_symbols(all))
    names.insert(symbol.home().symbol_name(symbol.ref()));
  return {names.begin(), names.end()};
}

// (1) to (3); rates by name.
void OutputExpressions::list_quadratures(const EnergyTerms& formal) {
  quadratures.push_back({"Z", add_terms_of(formal, result_definitions::Z_rate)});
  // The action is that of the mechanism as it moves: what prescribed motions alone change counts.
  EnergyTerms whole = formal;
  whole.U = formal.V;
  for (const std::string& name : list_names()) {
    const std::optional<CalledResult> called = find_result_call(name);
    if (!called || !called->is_integral()) continue;
    const std::string rate(called->call->rate_name);
    quadratures.push_back({name, rate.empty()
                                     ? add_terms_of(whole, called->call->rate)
                                     : model_.pool->symbol(rate + "(" + called->subject + ")")});
  }
}

void OutputExpressions::list_open_powers(const Equations& equations, const EnergyTerms& formal) {
  if (model_.unknowns.empty()) return;
  std::optional<ReactionForms> forms;
  for (const LoadEnergy& load : formal.loads) {
    if (!model_.pool->has_symbol_named("power(" + load.name + ")")) continue;
    if (!forms) forms.emplace(equations);
    if (std::optional<ResultForm> form = forms->make_load_power(load.name, load.power))
      open_powers_.emplace(load.name, *std::move(form));
  }
}

// Nothing for what is no result of forces that are solved for.
std::optional<ResultForm> OutputExpressions::make_result(const ReactionForms& forms,
                                                         const CalledResult& called) const {
  if (called.action()) return forms.make_unknown(called.is("power") ? 1 : 3);
  if (called.is("reaction")) return forms.make_reaction(called.subject);
  if (called.is("moment")) return forms.make_moment(called.subject);
  if (called.is("multiplier")) return forms.make_multiplier(called.subject);
  if (called.is("motor")) return forms.make_motor(called.subject);
  if (!called.is("power")) return {};
  const auto open = open_powers_.find(called.subject);
  return open == open_powers_.end() ? forms.make_motor_power(called.subject) : open->second;
}

// Results by name that are functions of the state and unknown forces.
Replacements OutputExpressions::list_known(const EnergyTerms& e) const {
  Replacements all;
  std::set<Ref> is_set;
  const auto set = [&](const std::string& name, const Expr& value) {
    if (!model_.pool->has_symbol_named(name)) return;
    const Expr symbol = model_.pool->symbol(name);
    if (is_set.insert(symbol.ref()).second) all.emplace_back(symbol, value);
  };
  for (const EnergyResult& r : energy_results()) {
    // Z itself stays: it is a quadrature.
    if (r.rate.empty()) set(std::string(r.name), compute_result(r, e, model_.pool->symbol("Z")));
  }
  Expr gravity = model_.pool->zero(), generalized_gravity = gravity;
  for (const LoadEnergy& load : e.loads) {
    if (!open_powers_.contains(load.name)) set("power(" + load.name + ")", load.power);
    set("generalized_power(" + load.name + ")", load.generalized_power);
    if (load.kind != Load::Kind::gravity) continue;
    gravity += load.power;
    generalized_gravity += load.generalized_power;
  }
  // Unless a force or a motor has that name.
  const auto is_motor = [&](const char* name) {
    return std::any_of(model_.specified.begin(), model_.specified.end(),
                       [&](const SpecifiedData& s) { return s.name == name; });
  };
  if (!is_motor("nonconservative")) set("power(nonconservative)", e.P_nonconservative);
  if (!is_motor("gravity")) set("power(gravity)", gravity);
  set("generalized_power(gravity)", generalized_gravity);
  return all;
}

// Forces and moments of interactions on parts, as far as their places are known.
Replacements OutputExpressions::list_actions(const Equations& equations) const {
  Replacements all;
  std::optional<Interactions> interactions;
  for (const std::string& name : list_names()) {
    const std::optional<CalledResult> called = find_result_call(name);
    const auto action = called ? called->action() : std::nullopt;
    if (!action) continue;
    if (!interactions) interactions.emplace(analyze_interactions(equations));
    if (const std::optional<Expr> value = interactions->find_component(name))
      all.emplace_back(model_.pool->symbol(name), *value);
  }
  return all;
}

// What is left of reactions and powers.
void OutputExpressions::list_results(const Equations& equations) {
  std::optional<ReactionForms> forms;
  std::set<std::string> done;
  for (const std::string& name : list_names()) {
    const std::optional<CalledResult> called = find_result_call(name);
    if (!called || called->is_integral()) continue;
    const std::string whole = name.substr(0, name.rfind(')') + 1);
    if (!done.insert(whole).second) continue;
    if (!forms) forms.emplace(equations);
    const std::optional<ResultForm> form = make_result(*forms, *called);
    if (!form) continue;
    for (Quadrature& q : quadratures) {
      if (q.rate == model_.pool->symbol(name)) q.result = static_cast<int>(results.size());
    }
    Result result{{}, *form};
    const bool is_vector = form->values.size() > 1;
    for (const char* axis : is_vector ? std::vector{".x", ".y", ".z"} : std::vector{""})
      result.symbols.push_back(model_.pool->symbol(whole + axis));
    results.push_back(std::move(result));
  }
  // An unknown force that drops out of the equations has no value.
  for (const UnknownData& u : model_.unknowns) {
    const std::vector<Expr>& solved = equations.unknowns;
    if (std::find(solved.begin(), solved.end(), u.symbol) != solved.end()) continue;
    const std::vector<std::string> names = list_names();
    if (std::find(names.begin(), names.end(), u.name) == names.end()) continue;
    if (!forms) forms.emplace(equations);
    results.push_back({{u.symbol}, forms->make_unknown(1)});
  }
}

}  // namespace visviva
