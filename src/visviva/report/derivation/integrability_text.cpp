#include "visviva/report/derivation/integrability_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "visviva/base/words.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

// "dx" of a coordinate x, "d(turn B.z)" of other directions.
std::string differential(const std::string& direction) {
  return direction.find(' ') == std::string::npos ? "d" + direction : "d(" + direction + ")";
}

std::string write_form(const std::vector<std::pair<std::string, Expr>>& form) {
  std::vector<Expr> coefficients;
  std::vector<std::string> names;
  for (const auto& [direction, value] : form) {
    coefficients.push_back(value);
    names.push_back(differential(direction));
  }
  return coefficients.empty() ? "0" : print_combination(coefficients, names);
}

std::string write_component(const FormWitness& witness) {
  return print_combination({witness.value}, {join_each(witness.directions, differential, " ^ ")});
}

std::string write_constant(const std::optional<Expr>& factor, const std::optional<Expr>& integral) {
  const bool is_exact = factor && factor->is_one();
  const std::string how =
      factor && !is_exact ? " with the factor " + print(*factor) : std::string();
  if (integral) return how + ": " + print(*integral) + " is constant";
  return how + (factor ? ", its integral not found in closed form"
                       : ", its factor and integral not found in closed form");
}

// What is longer is left to the JSON.
bool is_short(const std::string& text) { return text.size() <= 120; }

// "omega = ..., omega ^ d omega = ...".
std::string write_witness(const RowIntegrability& row) {
  const std::string form = write_form(row.form);
  const std::string omega = is_short(form) ? "omega = " + form + ", " : "";
  if (!row.witness) return omega;
  const std::string component = write_component(*row.witness);
  const std::string more = row.witness->is_only ? "" : " + ...";
  const bool is_wedge = row.witness->directions.size() == 3;
  const std::string what =
      is_wedge ? "omega ^ d omega" : "where omega and the spins allow, d omega";
  if (is_short(component)) return omega + what + " = " + component + more;
  return omega + what + " has a component along " +
         join_each(row.witness->directions, differential, " ^ ");
}

json decision_json(Decision d) {
  if (d == Decision::undecided) return "undecided";
  return d == Decision::yes;
}

json expression_json(const std::optional<Expr>& e) { return e ? json(print(*e)) : json(nullptr); }

json witness_json(const std::optional<FormWitness>& witness) {
  if (!witness) return nullptr;
  std::vector<std::string> names;
  for (const std::string& d : witness->directions) names.push_back(differential(d));
  return {{"directions", names}, {"value", print(witness->value)}};
}

json row_json(const RowIntegrability& row) {
  return {{"form", write_form(row.form)},
          {"integrable", decision_json(row.integrable)},
          {"factor", expression_json(row.factor)},
          {"integral", expression_json(row.integral)},
          {"holonomic", decision_json(row.holonomic)},
          {"with", row.with},
          {"joint_integral", expression_json(row.joint_integral)},
          {"witness", witness_json(row.witness)},
          {"obstruction", witness_json(row.obstruction)}};
}

const char* kind_name(ConstraintData::Kind kind) {
  switch (kind) {
    case ConstraintData::Kind::configuration:
      return "configuration";
    case ConstraintData::Kind::motion:
      return "motion";
    case ConstraintData::Kind::roll:
      return "roll";
    case ConstraintData::Kind::lock:
      return "lock";
  }
  return "";
}

// What names a row: its constraint, and the direction where there are several.
std::string row_name(const ConstraintIntegrability& c, const RowIntegrability& row,
                     const ModelData& model) {
  if (c.rows.size() < 2) return c.name;
  return fmt::format("{} along {}.{}", c.name, model.frames[row.frame].name, "xyz"[row.component]);
}

void add_line(const std::string& name, const std::string& verdict, std::string* text) {
  *text += fmt::format("  {:<20}{}{}\n", name, name.size() < 20 ? "" : " ", verdict);
}

}  // namespace

std::string write_integrability(const RowIntegrability& row) {
  if (row.integrable == Decision::yes)
    return "integrable" + write_constant(row.factor, row.integral);
  if (row.holonomic == Decision::yes)
    return "holonomic together with " + list_words(row.with) +
           (row.joint_integral ? ": " + print(*row.joint_integral) + " is constant" : "") +
           "; alone not: " + write_witness(row);
  if (row.holonomic == Decision::no) return "nonholonomic: " + write_witness(row);
  return "undecided: is it zero or not? " + write_witness(row);
}

std::string write_integrability_text(const Integrability& found, const ModelData& model) {
  std::string text;
  for (const ConstraintIntegrability& c : found.constraints) {
    if (is_of_configuration(model.constraints[c.constraint])) continue;
    for (const RowIntegrability& row : c.rows)
      add_line(row_name(c, row, model), write_integrability(row), &text);
    const bool is_more = c.integrable == Decision::yes &&
                         std::any_of(c.rows.begin(), c.rows.end(), [](const RowIntegrability& r) {
                           return r.integrable != Decision::yes;
                         });
    if (is_more) add_line(c.name, "integrable: its rows together", &text);
  }
  for (const IntegrableCombination& c : found.combinations) {
    add_line("combined",
             "of " + list_words(c.constraints) + ": " + write_form(c.form) + " = 0 is integrable" +
                 write_constant(c.factor, c.integral),
             &text);
  }
  return text;
}

json make_integrability_json(const ConstraintIntegrability& c, const ModelData& model) {
  json rows = json::array(), factors = json::array(), integrals = json::array();
  for (const RowIntegrability& row : c.rows) {
    rows.push_back(row_json(row));
    factors.push_back(expression_json(row.factor));
    integrals.push_back(expression_json(row.integral));
  }
  const bool is_single = c.rows.size() == 1;
  return {{"name", c.name},
          {"kind", kind_name(model.constraints[c.constraint].kind)},
          {"integrable", decision_json(c.integrable)},
          {"factor", is_single ? factors[0] : factors},
          {"integral", is_single ? integrals[0] : integrals},
          {"holonomic", decision_json(c.holonomic)},
          {"with", c.with},
          {"rows", rows}};
}

json make_integrability_json(const Integrability& found, const ModelData& model) {
  json constraints = json::array(), combinations = json::array();
  for (const ConstraintIntegrability& c : found.constraints)
    constraints.push_back(make_integrability_json(c, model));
  for (const IntegrableCombination& c : found.combinations)
    combinations.push_back({{"constraints", c.constraints},
                            {"form", write_form(c.form)},
                            {"factor", expression_json(c.factor)},
                            {"integral", expression_json(c.integral)}});
  return {{"constraints", constraints}, {"combinations", combinations}};
}

}  // namespace visviva
