// `visviva check MODEL`: is the model sound, and what is in it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/base/render.h"
#include "visviva/base/unit.h"
#include "visviva/base/words.h"
#include "visviva/equations/energy/load_energy.h"
#include "visviva/equations/interactions/integrability.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/kinematics/check_model.h"
#include "visviva/report/derivation/integrability_text.h"
#include "visviva/report/derivation/outline_text.h"
#include "visviva/report/energy/energy_json.h"
#include "visviva/report/energy/ledger_text.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

std::string with_unit(const std::string& value, const Dimension& d) {
  return d.is_dimensionless() || !d.is_known() ? value : value + " " + print_dimension(d);
}

// Numbers as decimals, as they were typed; what depends on other parameters as an expression.
std::string parameter_text(const ParameterData& p) {
  if (!p.value) return p.name + " (no value)";
  const std::string value =
      p.value->is_constant() ? fmt::format("{}", evaluate(*p.value, {}, {})) : print(*p.value);
  return p.name + " = " + with_unit(value, p.dimension);
}

struct Summary {
  std::string name, documentation;
  std::vector<std::string> bodies, coordinates, speeds, states, specified, constant, inputs,
      constraints, forces, cases;
  std::vector<JointData> joints;
  int degrees_of_freedom = 0;
  int accessible_dimension = 0;
};

Summary summarize(const Kinematics& motion, const ConsistentStart& start,
                  const Integrability& integrability) {
  const ModelData& m = motion.model();
  Summary s;
  s.name = m.name;
  s.documentation = m.documentation;
  s.degrees_of_freedom = start.degrees_of_freedom;
  s.accessible_dimension = accessible_dimension(integrability, start);
  for (const LineData& line : m.lines)
    s.bodies.push_back(line.name + " (line, " + counted(line.points.size(), "place") + ")");
  for (const BodyData& b : m.bodies)
    if (b.line < 0) s.bodies.push_back(b.frame < 0 ? b.name + " (particle)" : b.name);
  for (const CoordinateData& c : m.coordinates) s.coordinates.push_back(c.name);
  for (const Speed& u : motion.speeds()) s.speeds.push_back(u.name);
  for (const SpecifiedData& x : m.specified) {
    const std::string how = x.table != nullptr ? " from a table"
                            : x.definition     ? " = " + print(*x.definition)
                                               : " (no value)";
    // A definition's numbers are in SI units: which, they do not tell.
    const bool has_unit = x.definition && !x.dimension.is_dimensionless();
    s.specified.push_back(x.name + "(t)" + how +
                          (has_unit ? " in " + print_dimension(x.dimension) : ""));
  }
  for (const ParameterData& p : m.parameters) s.constant.push_back(parameter_text(p));
  for (const StateData& x : m.states) s.states.push_back(x.name);
  for (const InputData& i : m.inputs) s.inputs.push_back(i.name);
  for (const ConstraintData& c : m.constraints)
    s.constraints.push_back((c.kind == ConstraintData::Kind::lock ? "lock " : "") + c.name);
  if (m.gravity) s.forces.push_back("gravity");
  for (const ForceData& f : m.forces) s.forces.push_back(f.name);
  for (const SpringData& f : m.springs) s.forces.push_back(f.name);
  for (const EnergyData& e : m.energies) s.forces.push_back(e.name);
  s.joints = m.joints;
  for (const CaseData& c : m.cases) s.cases.push_back(c.name);
  return s;
}

constexpr const char* no_bodies =
    "none: nothing has mass yet; add a `particle` or a `body`, and a `coordinate` by which it "
    "moves";

void print_summary(const Summary& s, const ModelData& model, std::ostream& out) {
  out << s.name << (s.documentation.empty() ? "" : ": " + s.documentation) << '\n';
  if (!model.case_name.empty()) out << "case " << model.case_name << '\n';
  const auto line = [&out](const char* head, const std::vector<std::string>& words) {
    if (words.empty()) return;
    constexpr std::size_t most = 40;
    const std::vector<std::string> shown(
        words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(most, words.size())));
    const std::string rest =
        words.size() > most ? fmt::format(", and {} more", words.size() - most) : "";
    out << fmt::format("  {:<20}{}{}\n", head, join_words(shown), rest);
  };
  line("bodies", s.bodies.empty() ? std::vector<std::string>{no_bodies} : s.bodies);
  out << fmt::format("  {:<20}{}\n", "degrees of freedom", s.degrees_of_freedom);
  out << fmt::format("  {:<20}{}\n", "accessible space",
                     counted(static_cast<std::size_t>(s.accessible_dimension), "dimension"));
  line("coordinates", s.coordinates);
  line("speeds", s.speeds);
  line("states", s.states);
  line("specified motions", s.specified);
  line("inputs", s.inputs);
  line("constraints", s.constraints);
  line("forces", s.forces);
  line("constant", s.constant);
  line("cases", s.cases);
  if (!s.joints.empty()) out << "\nJoints, and what they stand for\n";
  for (const JointData& j : s.joints) {
    out << fmt::format("  {} ({})\n", j.name, j.kind);
    for (const std::string& statement : j.statements) out << "    " << statement << '\n';
  }
}

json joints_json(const std::vector<JointData>& joints) {
  json list = json::array();
  for (const JointData& j : joints)
    list.push_back({{"name", j.name}, {"kind", j.kind}, {"statements", j.statements}});
  return list;
}

json summary_json(const Summary& s) {
  return {{"model", s.name},
          {"bodies", s.bodies},
          {"degrees_of_freedom", s.degrees_of_freedom},
          {"accessible_dimension", s.accessible_dimension},
          {"coordinates", s.coordinates},
          {"speeds", s.speeds},
          {"states", s.states},
          {"specified", s.specified},
          {"inputs", s.inputs},
          {"constraints", s.constraints},
          {"forces", s.forces},
          {"constant", s.constant},
          {"joints", joints_json(s.joints)},
          {"cases", s.cases}};
}

// Start values that moved until the constraints held.
void print_start_changes(const ConsistentStart& start, std::ostream& out) {
  std::vector<std::string> words;
  for (const StartChange& c : start.changes)
    words.push_back(fmt::format("{} = {:.6g} ({} {:.6g})", c.name, c.to,
                                c.was_guess ? "about" : "not", c.from));
  if (!words.empty()) out << fmt::format("  {:<20}{}\n", "moved at the start", join_words(words));
}

json start_changes_json(const ConsistentStart& start) {
  json list = json::array();
  for (const StartChange& c : start.changes)
    list.push_back({{"name", c.name},
                    {"from", c.from},
                    {"to", c.to},
                    {"given", c.was_given},
                    {"guess", c.was_guess}});
  return list;
}

// Where energy enters and leaves; with a remark instead where the equations cannot be made: a check
// is no worse for that.
Ledger account(const CheckedModel& checked) {
  Ledger none;
  if (checked.motion->model().bodies.empty()) return none;
  try {
    const Equations equations = derive(*checked.motion);
    // Where nothing is constrained there is nothing to embed: its forces are as many as all speeds and bodies make.
    const bool is_constrained = !equations.rows.empty() || !equations.unknowns.empty();
    std::optional<EmbeddedEquations> embedded;
    if (is_constrained) {
      if (auto tried = try_embed_constraints(equations)) embedded = *std::move(tried);
    }
    const EmbeddedEquations* found = embedded ? &*embedded : nullptr;
    return make_ledger(equations, analyze_loads(equations, VelocitySplit(equations), found),
                       checked.start, found);
  } catch (const ModelError& error) {
    none.remark = {.kind = LedgerRemark::not_known, .message = error.diagnostics().front().message};
  } catch (const UsageError& error) {
    none.remark = {.kind = LedgerRemark::not_known, .message = error.what()};
  }
  return none;
}

// Fields that nobody cut into elements: only their field equations can be derived.
void print_fields(const ModelData& model, std::ostream& out) {
  out << model.name << (model.documentation.empty() ? "" : ": " + model.documentation) << '\n';
  for (const FieldData& field : model.fields) {
    const FieldVariableData& x = model.field_variables[static_cast<std::size_t>(field.variable)];
    out << fmt::format("  field {}({}) from {} to {}{}\n", field.name, x.name, print(x.from),
                       print(x.to), field.elements == 0 ? ", continuous" : "");
  }
  out << "`derive` shows the field equations; for other commands write `discretize NAME, elements "
         "20`\n";
}

json fields_json(const ModelData& model) {
  json list = json::array();
  for (const FieldData& field : model.fields) {
    const FieldVariableData& x = model.field_variables[static_cast<std::size_t>(field.variable)];
    list.push_back({{"name", field.name},
                    {"variable", x.name},
                    {"from", print(x.from)},
                    {"to", print(x.to)},
                    {"elements", field.elements}});
  }
  return list;
}

void print_integrability(const Integrability& found, const ModelData& model, std::ostream& out) {
  const std::string text = write_integrability_text(found, model);
  if (!text.empty()) out << "\nIntegrability of constraints\n" << text;
}

void print_ledger(const Ledger& ledger, std::ostream& out) {
  const std::string text = write_ledger_text(ledger);
  if (!text.empty()) out << "\nWhere energy enters and leaves\n" << text;
}

void add_ledger(const Ledger& ledger, json* result) {
  const auto& rate = ledger.kinetic_energy_rate;
  (*result)["ledger"] = make_ledger_json(ledger);
  (*result)["ledger_remark"] = remark_text(ledger.remark);
  (*result)["kinetic_energy_rate"] = rate ? json(*rate) : json(nullptr);
}

}  // namespace

int run_check(const CommandOptions& options, std::ostream& out, std::ostream& err) {
  CheckedModel checked = check_given(options);
  judge_claims(&checked, options.strict);
  const std::vector<Diagnostic>& found = checked.diagnostics;
  if (checked.has_error()) {
    if (options.json) {
      print_json({{"errors", diagnostics_json(found, Severity::error)},
                  {"warnings", diagnostics_json(found, Severity::warning)}},
                 out);
    } else {
      err << render_diagnostics(found, checked.source, {.colour = options.colour});
    }
    return exit_wrong_model;
  }
  const ModelData& model = checked.motion->model();
  if (model.is_continuous()) {
    if (options.json)
      print_json({{"model", model.name},
                  {"fields", fields_json(model)},
                  {"warnings", diagnostics_json(found, Severity::warning)}},
                 out);
    else
      print_fields(model, out);
    return exit_good;
  }
  const Integrability integrability = analyze_integrability(*checked.motion);
  const Summary summary = summarize(*checked.motion, checked.start, integrability);
  if (options.json) {
    json result = summary_json(summary);
    if (!model.fields.empty()) result["fields"] = fields_json(model);
    result["integrability"] = make_integrability_json(integrability, model);
    result["start_changes"] = start_changes_json(checked.start);
    add_ledger(account(checked), &result);
    result["warnings"] = diagnostics_json(found, Severity::warning);
    print_json(result, out);
    return exit_good;
  }
  err << render_diagnostics(found, checked.source, {.colour = options.colour});
  print_summary(summary, model, out);
  print_start_changes(checked.start, out);
  print_integrability(integrability, model, out);
  print_ledger(account(checked), out);
  return exit_good;
}

}  // namespace visviva
