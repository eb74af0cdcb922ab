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

  std::vector<FieldLine> list() {
    using Kind = FieldLine::Kind;
    for (const FieldEquation& e : equations_.fields) {
      const std::string& name = model_.fields[static_cast<std::size_t>(e.field)].name;
      add(Kind::equation, name, sum(e.inertia, false), sum(e.forces, false));
      add_terms(e.terms);
      for (const BoundaryCondition& b : e.boundary) {
        if (b.is_natural)
          add(Kind::natural, name, sum(b.left, true), "0");
        else
          add(Kind::geometric, name, sum(b.left, false), sum(b.right, false));
        add_terms(b.terms);
        lines_.back().place = print(b.place, notation_);
      }
    }
    for (const IntegralEquation& e : equations_.integrals)
      add(Kind::coordinate, e.speed, integral(e), "0");
    for (const FieldConstraint& c : equations_.constraints)
      add(Kind::constraint, c.name, sum(c.condition, false), "0");
    for (const PowerBalance& b : equations_.balances) list_balance(b);
    return std::move(lines_);
  }

  std::string sum(const Expr& e) { return sum(e, false); }
  std::string place(const Expr& e) { return print(e, notation_); }

 private:
  void add(FieldLine::Kind kind, const std::string& head, const std::string& left,
           const std::string& right) {
    lines_.push_back({kind, head, left, right});
  }

  void add_terms(const std::vector<FieldTerm>& terms) {
    for (const FieldTerm& term : terms)
      lines_.back().terms.emplace_back(term.from, sum(term.value, false));
  }

  void list_balance(const PowerBalance& b) {
    using Kind = FieldLine::Kind;
    const std::string& x = model_.field_variables[static_cast<std::size_t>(b.variable)].name;
    const auto name = [&](const char* letter) { return print_name(letter, notation_); };
    add(Kind::energy, x, name("e"), sum(b.energy, false));
    add(Kind::flux, x, name("S"), sum(b.flux, false));
    add(Kind::power, x, name("p"), sum(b.power + b.given, false));
    for (const auto& [place, flux] : b.through) {
      add(Kind::through, x, name("S"), sum(flux, false));
      lines_.back().place = print(place, notation_);
    }
  }

  // integral(..., x, 0, L) + ...
  std::string integral(const IntegralEquation& e) {
    std::string text;
    for (const auto& [index, density] : e.densities) {
      const FieldVariableData& x = model_.field_variables[static_cast<std::size_t>(index)];
      const std::string from = print(x.from, notation_), to = print(x.to, notation_);
      const std::string inside = sum(density, false);
      text += text.empty() ? "" : plus();
      text += integral_of(inside, x.name, from, to);
    }
    if (!(e.rest == equations_.pool->zero())) {
      const std::string rest = sum(e.rest, false);
      if (text.empty())
        text = rest;
      else if (notation_ == Notation::mathml)
        text += plus() + rest;
      else
        text += rest.front() == '-' ? " - " + rest.substr(1) : " + " + rest;
    }
    return text.empty() ? (notation_ == Notation::mathml ? "<mn>0</mn>" : "0") : text;
  }

  std::string plus() const { return notation_ == Notation::mathml ? "<mo>+</mo>" : " + "; }

  std::string integral_of(const std::string& inside, const std::string& x, const std::string& from,
                          const std::string& to) const {
    if (notation_ == Notation::latex)
      return "\\int_{" + from + "}^{" + to + "} \\left(" + inside + "\\right) d" + x;
    if (notation_ == Notation::mathml)
      return "<mrow><msubsup><mo>&#x222B;</mo><mrow>" + from + "</mrow><mrow>" + to +
             "</mrow></msubsup><mo>(</mo>" + inside + "<mo>)</mo><mi>d</mi>" +
             print_name(x, notation_) + "</mrow>";
    return "integral(" + inside + ", " + x + ", " + from + ", " + to + ")";
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
    const std::string nothing = notation_ == Notation::mathml ? "<mn>0</mn>" : "0";
    if (form->remainder == e.pool().zero()) return text.empty() ? nothing : text;
    const std::string rest = print(form->remainder, notation_);
    if (text.empty()) return rest;
    if (notation_ == Notation::mathml) return text + plus() + rest;
    return rest.front() == '-' ? text + " - " + rest.substr(1) : text + " + " + rest;
  }

  std::string written_name(const std::string& name) const {
    return notation_ == Notation::language ? name : subscripted(name);
  }

  // In products and powers a value at a place needs brackets around it.
  Expr with_names(const Expr& e, const std::vector<Expr>& values) {
    Replacements named;
    for (const Expr& value : values) {
      const std::string name = name_of(value);
      if (notation_ != Notation::language)
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
  std::vector<FieldLine> lines_;
};

std::string balance_text(const PowerBalance& b, FieldWriter& writer, const ModelData& model) {
  const std::string& x = model.field_variables[static_cast<std::size_t>(b.variable)].name;
  std::string text = "Work and energy along " + x + ": d/dt e + d/d" + x + " S = p" +
                     (b.is_proved ? ", proved" : ", NOT proved") + "\n";
  text += "  e, energy per length        " + writer.sum(b.energy) + "\n";
  text += "  S, power that passes        " + writer.sum(b.flux) + "\n";
  text += "  p, power of other loads     " + writer.sum(b.power) + "\n";
  if (!b.given.is_zero()) text += "     and of given motions     " + writer.sum(b.given) + "\n";
  for (const auto& [place, flux] : b.through)
    text += "  S at " + x + " = " + writer.place(place) + "    " + writer.sum(flux) + "\n";
  return text + "\n";
}

json terms_json(const FieldLine& line) {
  json terms = json::array();
  for (const auto& [from, term] : line.terms) terms.push_back({{"from", from}, {"term", term}});
  return terms;
}

}  // namespace

std::vector<FieldLine> list_field_lines(const FieldEquations& equations, const ModelData& model,
                                        Notation notation) {
  return FieldWriter(equations, model, notation).list();
}

std::string write_field_equations(const FieldEquations& equations, const ModelData& model) {
  using Kind = FieldLine::Kind;
  std::string text, group;
  const auto begin = [&](const std::string& head) {
    if (head == group) return;
    text += (text.empty() ? "" : "\n") + head + "\n";
    group = head;
  };
  for (const FieldLine& line : list_field_lines(equations, model, Notation::language)) {
    const std::string equation = line.left + " = " + line.right;
    if (line.kind == Kind::equation) {
      begin("Field " + line.head);
      text += "  " + equation + "\n";
      for (const auto& [from, term] : line.terms) text += "    from " + from + ": " + term + "\n";
    } else if (line.kind == Kind::natural || line.kind == Kind::geometric) {
      text += std::string("  ") + (line.kind == Kind::natural ? "natural    " : "geometric  ") +
              equation + "\n";
    } else if (line.kind == Kind::coordinate) {
      begin("Other coordinates");
      text += "  " + line.head + ":  " + equation + "\n";
    } else if (line.kind == Kind::constraint) {
      begin("Constraints");
      text += "  " + line.head + ":  " + equation + "\n";
    }
  }
  text += "\n";
  FieldWriter writer(equations, model, Notation::language);
  for (const PowerBalance& b : equations.balances) text += balance_text(b, writer, model);
  return text;
}

std::string write_field_equations_latex(const FieldEquations& equations, const ModelData& model) {
  using Kind = FieldLine::Kind;
  std::vector<OutlineEquation> all;
  for (const FieldLine& line : list_field_lines(equations, model, Notation::latex)) {
    OutlineEquation equation{.left = line.left, .right = line.right};
    if (!line.place.empty()) {
      std::string variable = line.head;
      for (const FieldData& field : model.fields)
        if (field.name == line.head && line.kind != Kind::through)
          variable = model.field_variables[static_cast<std::size_t>(field.variable)].name;
      equation.note = "at $" + variable + " = " + line.place + "$";
    }
    all.push_back(std::move(equation));
  }
  return write_equations_latex(all);
}

json make_field_equations_json(const FieldEquations& equations, const ModelData& model) {
  using Kind = FieldLine::Kind;
  json result = json::object();
  for (const FieldLine& line : list_field_lines(equations, model, Notation::language)) {
    const std::string equation = line.left + " = " + line.right;
    if (line.kind == Kind::equation)
      result[line.head] = {
          {"equation", equation}, {"terms", terms_json(line)}, {"boundary", json::array()}};
    if (line.kind == Kind::natural || line.kind == Kind::geometric)
      result[line.head]["boundary"].push_back(
          {{"at", line.place},
           {"kind", line.kind == Kind::natural ? "natural" : "geometric"},
           {"equation", equation},
           {"terms", terms_json(line)}});
  }
  return result;
}

json make_integral_equations_json(const FieldEquations& equations, const ModelData& model) {
  json result = json::object();
  for (const FieldLine& line : list_field_lines(equations, model, Notation::language))
    if (line.kind == FieldLine::Kind::coordinate)
      result[line.head] = line.left + " = " + line.right;
  return result;
}

json make_power_balance_json(const FieldEquations& equations, const ModelData& model) {
  FieldWriter writer(equations, model, Notation::language);
  json result = json::object();
  for (const PowerBalance& b : equations.balances) {
    json through = json::array();
    for (const auto& [place, flux] : b.through)
      through.push_back({{"at", writer.place(place)}, {"flux", writer.sum(flux)}});
    result[model.field_variables[static_cast<std::size_t>(b.variable)].name] = {
        {"energy", writer.sum(b.energy)},
        {"flux", writer.sum(b.flux)},
        {"power", writer.sum(b.power)},
        {"given", writer.sum(b.given)},
        {"through", through},
        {"proved", b.is_proved}};
  }
  return result;
}

}  // namespace visviva
