#include "visviva/text/build/field_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "visviva/base/suggest.h"
#include "visviva/model/declare.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/text/build/start_guess.h"

namespace visviva {
namespace {

using Kind = Expression::Kind;

// A call of a line anywhere in an expression: what it means is no polynomial in the place.
bool mentions_line(const Expression& e, FieldTable& fields) {
  if (e.kind == Kind::call && fields.find_line(e.text) != nullptr) return true;
  for (const Expression& operand : e.operands)
    if (mentions_line(operand, fields)) return true;
  return false;
}

// Something of the degree that a vector has in the place.
Expr sum_of(const Vector& v, ExprPool& pool) {
  Expr sum = pool.zero();
  for (const Vector::Part& part : v.parts())
    for (std::size_t i = 0; i < 3; ++i)
      sum = sum + pool.rational(static_cast<std::int64_t>(i) + 2) * part.column[i];
  return sum;
}

// Some frame between this one and N is not turned by a constant angle.
bool is_turning(const ModelData& data, int frame) {
  for (int F = frame; F > 0; F = data.frames[static_cast<std::size_t>(F)].parent) {
    const FrameData& f = data.frames[static_cast<std::size_t>(F)];
    if (!f.hidden.empty()) return true;
    for (const Column3& column : f.R_PB)
      for (const Expr& e : column)
        for (const Expr& s : free_symbols(e))
          if (data.role(s) == nullptr || data.role(s)->role != Role::parameter) return true;
  }
  return false;
}

// A position has the values of a field, and no products of them.
bool is_linear_in(const ModelData& data, const Vector& offset, const FieldData& field) {
  std::vector<Expr> values;
  for (const auto& node : field.nodes)
    for (const FieldValue& value : node)
      if (value.value.is_symbol()) values.push_back(value.value);
  for (const StandInData& s : field.stand_ins)
    values.push_back(data.coordinates[static_cast<std::size_t>(s.coordinate)].q);
  bool depends = false;
  for (const Vector::Part& part : offset.parts()) {
    for (const Expr& e : part.column) {
      if (!depend_on_any({e}, values)[0]) continue;
      depends = true;
      if (!find_linear_form(e, values)) return false;
    }
  }
  return depends;
}

}  // namespace

// A law as a function of the place.
template <class Read>
auto FieldReader::at_places(const Read& read) {
  return [this, read](const FieldPlace& place) {
    const auto scope = expressions_.stand_at_place(place);
    return read();
  };
}

void FieldReader::reserve_names() {
  std::set<std::string> variables;
  draft_.for_each(StatementKind::field, [&](const SyntaxStatement& s) {
    for (const SyntaxItem& item : s.items) {
      names_.scalars().reserve(item, s);
      SyntaxItem variable;
      variable.name = item.parameters[0];
      if (variables.insert(variable.name.text).second) names_.scalars().reserve(variable, s);
    }
  });
}

// ---- Fields

void FieldReader::declare() {
  draft_.for_each(StatementKind::field, [&](const SyntaxStatement& s) {
    for (const SyntaxItem& item : s.items) declare_field(s, item);
  });
  for (const SyntaxStatement& s : draft_.tree().statements) {
    if (s.kind != StatementKind::fix) continue;
    for (const SyntaxItem& item : s.items)
      if (item.target && item.value)
        draft_.attempt(item.span, s.documentation, [&] { read_fix(item); });
  }
  draft_.for_each(StatementKind::discretize, [&](const SyntaxStatement& s) { read_discretize(s); });
  if (options_.elements == 0 || options_.stay_whole) return;
  for (auto& [name, field] : names_.fields().fields()) {
    if (field.field.index < 0) continue;
    if (draft_.data().fields[static_cast<std::size_t>(field.field.index)].elements == 0)
      draft_.attempt(field.item->span, "",
                     [&, &f = field] { cut(f.field, options_.elements, false); });
  }
}

void FieldReader::declare_field(const SyntaxStatement& s, const SyntaxItem& item) {
  FieldDeclaration& declaration = *names_.fields().find_field(item.name.text);
  if (declaration.item != &item) return;  // declared twice, which has been complained about
  if (names_.scalars().has(item.parameters[0].text)) throw GivenUp();  // declared twice
  const auto end = [&](const char* word) {
    return expressions_.read_scalar(find_clause(s, word)->values[0]);
  };
  FieldOptions options{.variable = item.parameters[0].text, .from = end("from"), .to = end("to")};
  options.slopes = names_.fields().count_slopes(draft_.tree(), item.name.text);
  for (const auto& [name, line] : names_.fields().lines()) {
    if (find_clause(*line.statement, "moving") != nullptr &&
        expressions_.read_line_variable(*line.statement) == options.variable)
      options.is_passed = true;
  }
  draft_.stand_at(item.span);
  declaration.field = draft_.model().field(item.name.text, options);
}

FieldDeclaration& FieldReader::find_field(const SyntaxName& name) {
  FieldDeclaration* field = names_.fields().find_field(name.text);
  if (field == nullptr) {
    std::vector<std::string> candidates;
    for (const auto& f : names_.fields().fields()) candidates.push_back(f.first);
    draft_.fail_unknown(name, "field", candidates);
  }
  if (field->field.index < 0) throw GivenUp();
  return *field;
}

// w at 0 m = 0 m, d(w, x) at 0 m = 0
void FieldReader::read_fix(const SyntaxItem& item) {
  const Expression& target = *item.target;
  const bool placed = target.kind == Kind::phrase && target.text == "at";
  const Expression& what = placed ? target.operands[0] : target;
  const bool is_slope = what.kind == Kind::call && what.text == "d" && !what.operands.empty();
  const Expression& named = is_slope ? what.operands[0] : what;
  if (!placed || named.kind != Kind::name || named.primes > 0)
    draft_.fail(target.span, "E-fix-form",
                "expected a field or its slope at a place, found '" + draft_.written(target) + "'",
                "write: fix w at 0 m = 0 m, d(w, x) at 0 m = 0");
  FieldDeclaration& field = find_field({named.text, 0, named.span});
  const std::string& variable = names_.fields().variable_of(field);
  for (std::size_t i = 1; is_slope && i < what.operands.size(); ++i)
    if (what.operands[i].text != variable)
      draft_.fail(what.operands[i].span, "E-field-variable",
                  "'" + named.text + "' is a field of '" + variable + "'",
                  "its slope is d(" + named.text + ", " + variable + ")");
  const Quantity place = expressions_.read_scalar(target.operands[1]);
  const Quantity value = expressions_.read_scalar(*item.value);
  draft_.stand_at(item.span);
  draft_.model().fix(field.field, is_slope ? static_cast<int>(what.operands.size()) - 1 : 0, place,
                     value);
}

void FieldReader::read_discretize(const SyntaxStatement& s) {
  FieldDeclaration& field = find_field(s.name);
  const Expression& count = find_clause(s, "elements")->values[0];
  const double n = expressions_.read_constant(count, Dimension());
  if (!(n >= 1.0 && n <= 100'000.0) || n != static_cast<int>(n))
    draft_.fail(count.span, "E-field-elements",
                "expected a whole number of elements, found " + draft_.written(count),
                "write: discretize " + s.name.text + ", elements 20");
  draft_.stand_at(s.span);
  if (options_.stay_whole) return;
  // What it could not be cut into has been complained about: nothing more is said of the field then.
  const Field whole = std::exchange(field.field, Field());
  const int elements = std::max(1, static_cast<int>(std::round(n * options_.refinement)));
  cut(whole, elements, find_clause(s, "linear") != nullptr);
  field.field = whole;
}

void FieldReader::cut(const Field& field, int elements, bool is_linear) {
  const std::size_t first = draft_.data().coordinates.size();
  draft_.model().discretize(field, {.elements = elements, .is_linear = is_linear});
  const auto& coordinates = draft_.data().coordinates;
  for (std::size_t i = first; i < coordinates.size(); ++i)
    names_.scalars().add(coordinates[i].name, Quantity(coordinates[i].q, coordinates[i].dimension));
}

// ---- Lines

void FieldReader::read_lines() {
  for (auto& [name, line] : names_.fields().lines()) {
    try {
      make_line(line, line.statement->name.span);
    } catch (const GivenUp&) {
    }
  }
}

void FieldReader::make_line(LineDeclaration& line, const SourceSpan& place) {
  using State = LineDeclaration::State;
  if (line.state == State::done) return;
  if (line.state == State::failed) throw GivenUp();
  const SyntaxStatement& s = *line.statement;
  if (line.state == State::busy)
    draft_.fail(place, "E-definition-cycle",
                "the line '" + s.name.text + "' is defined by itself, perhaps through others");
  line.state = State::busy;
  const bool good = draft_.attempt_amid(s.span, s.documentation, [&] { read_line(s); });
  line.state = good ? State::done : State::failed;
  if (!good) throw GivenUp();
}

void FieldReader::read_line(const SyntaxStatement& s) {
  if (names_.has_point(s.name.text))
    draft_.fail(s.name.span, "E-name-twice", "'" + s.name.text + "' is the name of a point, too",
                "rename one of them");
  LineOptions options{.variable = expressions_.read_line_variable(s)};
  require_fields(options.variable);
  const auto scalar_at = [&](const Expression& e) {
    return at_places([this, &e] { return expressions_.read_scalar(e); });
  };
  options.at =
      at_places([this, &s] { return expressions_.read_position(find_clause(s, "at")->values[0]); });
  options.mass = scalar_at(find_clause(s, "mass")->values[0]);
  for (const SyntaxClause& clause : s.clauses) {
    if (clause.word != "rotary" || clause.values.size() != 3) continue;
    const Expression& axis = clause.values[1];
    options.rotaries.push_back(
        {.inertia = scalar_at(clause.values[0]),
         .axis = at_places([this, &axis] { return expressions_.read_vector(axis); }),
         .angle = scalar_at(clause.values[2])});
  }
  if (const SyntaxClause* moving = find_clause(s, "moving"))
    options.moving = expressions_.read_scalar(moving->values[0]);
  draft_.stand_at(s.span);
  draft_.model().line(s.name.text, options);
}

void FieldReader::read_start(const SyntaxItem& item) {
  const Expression& target = *item.target;
  const FieldDeclaration& declaration = find_field({target.text, 0, target.span});
  if (target.primes > 1)
    draft_.fail(target.span, "E-start-target", "an acceleration has no start value");
  const FieldData& field = draft_.data().fields[static_cast<std::size_t>(declaration.field.index)];
  const FieldVariableData& x =
      draft_.data().field_variables[static_cast<std::size_t>(field.variable)];
  ExprPool& pool = *draft_.data().pool;
  const Expr symbol = pool.scratch_symbol("start " + x.name);
  const FieldPlace anywhere{x.name, {symbol, x.dimension}, 1, 0, pool.zero(), false};
  const bool is_guessed = is_guess(*item.value);
  const auto scope = expressions_.stand_at_place(anywhere);
  const Quantity value = expressions_.read_scalar(without_about(*item.value));
  const Expr f = value.expr(pool), slope = differentiate(f, symbol);
  const auto steps = static_cast<std::int64_t>(field.nodes.size()) - 1;
  for (std::int64_t node = 0; node <= steps; ++node) {
    const Expr place = x.from + (x.to - x.from) * pool.rational(node, steps);
    const auto& values = field.nodes[static_cast<std::size_t>(node)];
    for (std::size_t k = 0; k < values.size(); ++k) {
      const SymbolRole* role =
          values[k].value.is_symbol() ? draft_.data().role(values[k].value) : nullptr;
      if (role == nullptr || role->role != Role::coordinate) continue;  // fixed
      const Dimension d =
          value.is_plain_zero() ? per_second(field.dimension, target.primes) : value.dimension();
      const Expr here = substitute(k == 0 ? f : slope, {{symbol, place}});
      const Expr& coordinate = target.primes == 0 ? values[k].value : values[k].rate;
      const Dimension own =
          per_second(field.dimension, target.primes) / x.dimension.power(static_cast<int>(k));
      draft_.stand_at(item.value->span);
      draft_.model().start({coordinate, own}, {here, d / x.dimension.power(static_cast<int>(k))},
                           {.is_guess = is_guessed});
    }
  }
}

void FieldReader::check() {
  if (draft_.has_error()) return;
  for (const FieldData& field : draft_.data().fields) {
    if (field.is_weighed) continue;
    draft_.report(
        {Severity::error, "E-field-weight",
         "no line has a mass or a rotary inertia that moves with the field '" + field.name + "'",
         "declare the material: line " + field.name + "_line at No + ..., mass ...",
         field.source.span});
  }
  if (!draft_.has_error()) warn_of_lost_stiffening();
}

// A beam that turns, whose points stay where they are along it however much it bends, lengthens: centrifugal forces then do
// not stiffen it. What it draws in is of second order, but its work is not.
void FieldReader::warn_of_lost_stiffening() {
  const ModelData& data = draft_.data();
  for (const LineData& line : data.lines) {
    if (line.points.empty()) continue;
    // Between the ends, where a field may be held.
    const int middle = line.points[line.points.size() / 2];
    const Vector& offset = data.points[static_cast<std::size_t>(middle)].offset;
    const bool turns =
        std::any_of(offset.parts().begin(), offset.parts().end(),
                    [&](const Vector::Part& part) { return is_turning(data, part.frame); });
    if (!turns) continue;
    for (const auto& [name, field] : names_.fields().fields()) {
      const FieldData& f = data.fields[static_cast<std::size_t>(field.field.index)];
      if (f.variable != line.variable || f.slopes < 2 || !is_linear_in(data, offset, f)) continue;
      if (names_.fields().has_slope_law(draft_.tree(), name)) continue;
      const std::string& x = names_.fields().variable_of(field);
      draft_.report({Severity::warning, "W-line-stiffening",
                     "the line '" + line.name + "' turns and is linear in '" + name +
                         "': centrifugal forces that stiffen it are missed",
                     "bending draws its points in: give the work of centrifugal forces on that, a "
                     "`potential ... over " +
                         x + "` of d(" + name + ", " + x +
                         ")^2, or write positions that keep its length",
                     line.source.span});
    }
  }
}

// ---- Laws per length

std::string FieldReader::read_variable(const SyntaxStatement& s) {
  const Expression& over = find_clause(s, "over")->values[0];
  if (!names_.fields().has_variable(over.text))
    draft_.fail(over.span, "E-field-variable", "no field has the variable '" + over.text + "'",
                "declare one: field w(" + over.text + ") from 0 m to L");
  require_fields(over.text);
  return over.text;
}

// Nothing is said of what depends on a field that could not be read.
void FieldReader::require_fields(const std::string& variable) {
  for (const auto& [name, field] : names_.fields().fields())
    if (field.field.index < 0 && names_.fields().variable_of(field) == variable) throw GivenUp();
}

const SyntaxStatement& FieldReader::find_line(const SyntaxStatement& s) {
  const Expression& on = find_clause(s, "on")->values[0];
  LineDeclaration* line =
      on.kind == Kind::name && on.primes == 0 ? names_.fields().find_line(on.text) : nullptr;
  if (line == nullptr) {
    std::vector<std::string> candidates;
    for (const auto& l : names_.fields().lines()) candidates.push_back(l.first);
    draft_.fail(
        on.span, "E-line-unknown",
        "what is per length acts on a line; there is none called '" + draft_.written(on) + "'",
        did_you_mean(on.text, candidates));
  }
  make_line(*line, on.span);
  return *line->statement;
}

void FieldReader::read_energy(const SyntaxStatement& s) {
  const std::string variable = read_variable(s);
  const auto density = at_places([&] {
    const Quantity value = expressions_.read_scalar(*s.value);
    draft_.stand_at(s.value->span);
    return value;
  });
  draft_.stand_at(s.value->span);
  if (s.kind == StatementKind::potential)
    draft_.model().potential_over(s.name.text, variable, density);
  else
    draft_.model().dissipation_over(s.name.text, variable, density);
}

// Nodes where the line has points already, as far as the force is no more crooked than its mass.
void FieldReader::read_force(const SyntaxStatement& s) {
  const std::string variable = read_variable(s);
  const SyntaxStatement& line = find_line(s);
  ExprPool& pool = *draft_.data().pool;
  const bool has_motion = mentions_line(*s.value, names_.fields());
  const auto value = at_places([&] { return expressions_.read_vector(*s.value); });
  const auto measure = [&](const FieldPlace& place) -> Quantity {
    if (has_motion) return {pow(place.xi, pool.rational(8)), Dimension()};
    const Expr position = sum_of(expressions_.read_line_position(line, place).offset, pool);
    return {position * position * (pool.one() + sum_of(value(place), pool)), Dimension()};
  };
  draft_.stand_at(s.span);
  const auto nodes = draft_.model().field_nodes(variable, measure, true);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const FieldPlace& place = nodes[i].place;
    const auto known = draft_.model().find_line_point(line.name.text, place);
    const Point P = known ? *known
                          : draft_.model().line_point(line.name.text, place,
                                                      expressions_.read_line_position(line, place));
    const Vector density = value(place);
    draft_.stand_at(s.span);
    if (i == 0 && !density.is_plain_zero())
      require_dimension(density.dimension(), dimensions::force / nodes[i].weight.dimension(),
                        "Model::force", "the force '" + s.name.text + "' over " + variable,
                        "E-dimension-density");
    const std::string name =
        nodes.size() == 1 ? s.name.text : s.name.text + "_" + std::to_string(i);
    draft_.model().force(name, {.on = P, .value = density * nodes[i].weight});
    names.push_back(name);
  }
  if (names.size() > 1) draft_.model().distribute(s.name.text, names);
}

// On the sections of a line, which turn by one angle.
void FieldReader::read_torque(const SyntaxStatement& s) {
  const std::string variable = read_variable(s);
  const SyntaxStatement& statement = find_line(s);
  const auto find_data = [&]() -> const LineData& {
    for (const LineData& line : draft_.data().lines)
      if (line.name == statement.name.text) return line;
    throw GivenUp();
  };
  const bool has_one = !find_data().sections.empty() && find_data().sections.back().rotary == 0;
  if (!has_one)
    draft_.fail(find_clause(s, "on")->values[0].span, "E-line-rotary",
                "a torque per length turns sections by an angle; '" + statement.name.text +
                    "' has " + (find_data().sections.empty() ? "none" : "several"),
                "say by which angle sections turn: line " + statement.name.text +
                    " at ..., mass ..., rotary rhoJ about A.z by d(w, x)");
  ExprPool& pool = *draft_.data().pool;
  const SyntaxClause& rotary = *find_clause(statement, "rotary");
  const auto value = at_places([&] { return expressions_.read_vector(*s.value); });
  const auto angle = at_places([&] { return expressions_.read_scalar(rotary.values[2]); });
  const auto inertia = at_places([&] { return expressions_.read_scalar(rotary.values[0]); });
  const auto measure = [&](const FieldPlace& place) -> Quantity {
    const Expr turn = angle(place).expr(pool);
    return {turn * turn * inertia(place).expr(pool), Dimension()};
  };
  draft_.stand_at(s.span);
  const auto nodes = draft_.model().field_nodes(variable, measure, true);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vector density = value(nodes[i].place);
    draft_.stand_at(s.span);
    if (i == 0 && !density.is_plain_zero())
      require_dimension(density.dimension(), dimensions::torque / nodes[i].weight.dimension(),
                        "Model::torque", "the torque '" + s.name.text + "' over " + variable,
                        "E-dimension-density");
    const std::string name =
        nodes.size() == 1 ? s.name.text : s.name.text + "_" + std::to_string(i);
    const Frame S(draft_.data(), find_data().sections[i].frame);
    draft_.model().torque(name, {.on = S, .value = density * nodes[i].weight});
    names.push_back(name);
  }
  if (names.size() > 1) draft_.model().distribute(s.name.text, names);
}

}  // namespace visviva
