#include "visviva/report/derivation/field_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "visviva/report/derivation/outline_latex.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

std::string name_of(const Expr& symbol) { return symbol.home().symbol_name(symbol.ref()); }

std::size_t count_of(const std::string& text, char c) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

// Where the words for a place begin in the name of a value.
std::size_t find_place(const std::string& name) {
  const std::size_t bracket = name.starts_with("d(") ? name.find(')') : 0;
  return name.find(' ', bracket);
}

// d(w', x, x) at L as w_xx' for LaTeX; the place stands behind the whole equation.
std::string subscripted(const std::string& name) {
  const std::string value = name.substr(0, find_place(name));
  if (!value.starts_with("d(")) return value;
  const std::size_t comma = value.find(',');
  std::string field = value.substr(2, comma - 2);
  const std::string primes(count_of(field, '\''), '\'');
  field.erase(field.find_last_not_of('\'') + 1);
  std::string slopes;
  for (const char c : value.substr(comma))
    if (c != ',' && c != ' ' && c != ')') slopes += c;
  return field + "_" + slopes + primes;
}

class FieldWriter {
 public:
  FieldWriter(const FieldEquations& equations, const ModelData& model, Notation notation)
      : equations_(equations), model_(model), work_(equations.pool), notation_(notation) {}

  std::string field_equation(const FieldEquation& e) { return both(e.inertia, e.forces); }

  std::string condition(const BoundaryCondition& b) {
    if (b.is_natural) return sum(b.left, true) + " = 0";
    return both(b.left, b.right);
  }

  std::string place(const BoundaryCondition& b) { return print(b.place, notation_); }

  // integral(..., x, 0, L) + ... = 0
  std::string integral(const IntegralEquation& e) {
    std::string text;
    for (const auto& [index, density] : e.densities) {
      const FieldVariableData& x = model_.field_variables[static_cast<std::size_t>(index)];
      const std::string from = print(x.from, notation_), to = print(x.to, notation_);
      const std::string inside = sum(density, false);
      text += text.empty() ? "" : " + ";
      text += notation_ == Notation::latex
                  ? "\\int_{" + from + "}^{" + to + "} \\left(" + inside + "\\right) d" + x.name
                  : "integral(" + inside + ", " + x.name + ", " + from + ", " + to + ")";
    }
    if (!(e.rest == equations_.pool->zero())) {
      const std::string rest = sum(e.rest, false);
      text += text.empty() ? rest : rest.front() == '-' ? " - " + rest.substr(1) : " + " + rest;
    }
    return (text.empty() ? "0" : text) + " = 0";
  }

 private:
  std::string both(const Expr& left, const Expr& right) {
    return sum(left, false) + " = " + sum(right, false);
  }

  // Values of fields that an expression has: accelerations first, then by slopes.
  std::vector<Expr> values_in(const Expr& e) const {
    std::vector<Expr> found;
    for (const FieldSymbol& value : equations_.values)
      if (depends_on(e, value.symbol)) found.push_back(value.symbol);
    const auto order = [](const Expr& a, const Expr& b) {
      const std::string m = name_of(a), n = name_of(b);
      const auto rates_m = count_of(m, '\''), rates_n = count_of(n, '\'');
      return rates_m != rates_n ? rates_m > rates_n : count_of(m, ',') > count_of(n, ',');
    };
    std::stable_sort(found.begin(), found.end(), order);
    return found;
  }

  // Coefficients times values, where that is what it is.
  std::string sum(const Expr& e, bool is_condition) {
    std::vector<Expr> values = values_in(e);
    // What the line itself does at its end comes before what hangs there.
    if (is_condition)
      std::stable_sort(values.begin(), values.end(), [](const Expr& a, const Expr& b) {
        return count_of(name_of(a), '\'') < count_of(name_of(b), '\'');
      });
    const auto form = find_linear_form(e, values);
    if (!form || values.empty()) return print(with_names(e, values), notation_);
    std::vector<Expr> coefficients;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (form->coefficients[i] == e.pool().zero()) continue;
      coefficients.push_back(form->coefficients[i]);
      names.push_back(written_name(name_of(values[i])));
    }
    std::string text =
        coefficients.empty() ? "" : print_combination(coefficients, names, notation_);
    if (form->remainder == e.pool().zero()) return text.empty() ? "0" : text;
    const std::string rest = print(form->remainder, notation_);
    if (text.empty()) return rest;
    return rest.front() == '-' ? text + " - " + rest.substr(1) : text + " + " + rest;
  }

  std::string written_name(const std::string& name) const {
    return notation_ == Notation::latex ? subscripted(name) : name;
  }

  // In products and powers a value at a place needs brackets around it.
  Expr with_names(const Expr& e, const std::vector<Expr>& values) {
    Replacements named;
    for (const Expr& value : values) {
      const std::string name = name_of(value);
      if (notation_ == Notation::latex)
        named.emplace_back(value, work_.pool().symbol(subscripted(name)));
      else if (find_place(name) != std::string::npos)
        named.emplace_back(value, work_.pool().symbol("(" + name + ")"));
    }
    return named.empty() ? e : substitute(e, named);
  }

  const FieldEquations& equations_;
  const ModelData& model_;
  Workspace work_;
  Notation notation_;
};

const std::string& field_name(const ModelData& model, const FieldEquation& e) {
  return model.fields[static_cast<std::size_t>(e.field)].name;
}

}  // namespace

std::string write_field_equations(const FieldEquations& equations, const ModelData& model) {
  FieldWriter writer(equations, model, Notation::language);
  std::string text;
  for (const FieldEquation& e : equations.fields) {
    text += "Field " + field_name(model, e) + "\n  " + writer.field_equation(e) + "\n";
    for (const BoundaryCondition& b : e.boundary)
      text += std::string("  ") + (b.is_natural ? "natural    " : "geometric  ") +
              writer.condition(b) + "\n";
    text += "\n";
  }
  if (equations.integrals.empty()) return text;
  text += "Other coordinates\n";
  for (const IntegralEquation& e : equations.integrals)
    text += "  " + e.speed + ":  " + writer.integral(e) + "\n";
  return text + "\n";
}

std::string write_field_equations_latex(const FieldEquations& equations, const ModelData& model) {
  FieldWriter writer(equations, model, Notation::latex);
  std::vector<OutlineEquation> all;
  const auto add = [&all](const std::string& equation, const std::string& note) {
    const std::size_t relation = equation.find(" = ");
    all.push_back({.left = equation.substr(0, relation),
                   .right = equation.substr(relation + 3),
                   .note = note});
  };
  for (const FieldEquation& e : equations.fields) {
    add(writer.field_equation(e), "");
    const FieldData& field = model.fields[static_cast<std::size_t>(e.field)];
    const std::string& variable =
        model.field_variables[static_cast<std::size_t>(field.variable)].name;
    for (const BoundaryCondition& b : e.boundary)
      add(writer.condition(b), "at $" + variable + " = " + writer.place(b) + "$");
  }
  for (const IntegralEquation& e : equations.integrals) add(writer.integral(e), "");
  return write_equations_latex(all);
}

json make_field_equations_json(const FieldEquations& equations, const ModelData& model) {
  FieldWriter writer(equations, model, Notation::language);
  json result = json::object();
  for (const FieldEquation& e : equations.fields) {
    json entry = {{"equation", writer.field_equation(e)}, {"boundary", json::array()}};
    for (const BoundaryCondition& b : e.boundary)
      entry["boundary"].push_back({{"at", writer.place(b)},
                                   {"kind", b.is_natural ? "natural" : "geometric"},
                                   {"equation", writer.condition(b)}});
    result[field_name(model, e)] = entry;
  }
  return result;
}

json make_integral_equations_json(const FieldEquations& equations, const ModelData& model) {
  FieldWriter writer(equations, model, Notation::language);
  json result = json::object();
  for (const IntegralEquation& e : equations.integrals) result[e.speed] = writer.integral(e);
  return result;
}

}  // namespace visviva
