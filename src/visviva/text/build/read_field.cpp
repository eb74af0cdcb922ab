// What a text says of fields: their values, slopes and rates where a place is known, and points of lines.
#include "visviva/base/suggest.h"
#include "visviva/text/build/expression_reader.h"

namespace visviva {
namespace {

std::string with_slopes(const std::string& field, int primes, const std::string& variable,
                        int slopes) {
  const std::string name = with_primes(field, primes);
  if (slopes == 0) return name;
  std::string text = "d(" + name;
  for (int i = 0; i < slopes; ++i) text += ", " + variable;
  return text + ")";
}

}  // namespace

Quantity ExpressionReader::read_field(const Expression& e, const FieldDeclaration& field,
                                      int primes, int slopes) {
  const std::string& name = field.item->name.text;
  const std::string& variable = names_.fields().variable_of(field);
  const std::string written = with_slopes(name, primes, variable, slopes);
  if (place_ == nullptr)
    draft_.fail(e.span, "E-field-place",
                "'" + name + "' is a field, which has a value at every " + variable,
                "say where: " + written + " at 0 m; laws of every place are written `over " +
                    variable + "`");
  if (place_->variable != variable)
    draft_.fail(
        e.span, "E-field-variable",
        "'" + name + "' is a field of '" + variable + "', not of '" + place_->variable + "'",
        "say where: " + written + " at ...");
  if (field.field.index < 0) throw GivenUp();
  draft_.stand_at(e.span);
  return draft_.model().value(field.field, *place_, slopes, primes);
}

// The name of a field or of its variable; nothing for another.
std::optional<Quantity> ExpressionReader::read_field_name(const Expression& e) {
  FieldTable& fields = names_.fields();
  if (const FieldDeclaration* field = fields.find_field(e.text))
    return read_field(e, *field, e.primes, 0);
  if (!fields.has_variable(e.text)) return std::nullopt;
  if (e.primes > 0)
    draft_.fail(e.span, "E-field-variable",
                "'" + e.text + "' is the variable of fields and has no rate",
                "places stay where they are; material that passes them has a speed: moving v");
  if (place_ == nullptr || place_->variable != e.text)
    draft_.fail(e.span, "E-field-variable",
                "'" + e.text + "' is the variable of fields: it has no value here",
                "it stands in lines, in laws `over " + e.text + "`, and before `at`");
  return place_->x;
}

// d(w, x), d(w', x, x)
Quantity ExpressionReader::read_slope(const Expression& e, const FieldDeclaration& field) {
  const std::string& variable = names_.fields().variable_of(field);
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const Expression& by = e.operands[i];
    if (by.kind == Expression::Kind::name && by.primes == 0 && by.text == variable) continue;
    draft_.fail(by.span, "E-field-variable",
                "'" + e.operands[0].text + "' is a field of '" + variable + "'; found '" +
                    draft_.written(by) + "'",
                "its slope is d(" + e.operands[0].text + ", " + variable + "), its rate " +
                    e.operands[0].text + "'");
  }
  return read_field(e, field, e.operands[0].primes, static_cast<int>(e.operands.size()) - 1);
}

// EI*d(w, x, x) at L
Value ExpressionReader::read_placed(const Expression& e) {
  const auto variable = names_.fields().find_variable(e.operands[0]);
  if (!variable)
    draft_.fail(e.span, "E-field-place",
                "'" + draft_.written(e.operands[0]) + "' contains no field: it has no place",
                "leave `at` out");
  const Quantity x = read_scalar(e.operands[1]);
  draft_.stand_at(e.operands[1].span);
  const FieldPlace place = draft_.model().place(*variable, x);
  const auto scope = stand_at_place(place);
  return read(e.operands[0]);
}

// ---- Lines

FieldPlace ExpressionReader::read_line_place(const Expression& call) {
  const SyntaxStatement& line = *names_.fields().find_line(call.text)->statement;
  if (call.operands.size() != 1)
    draft_.fail(
        call.span, "E-function-arguments",
        "the line '" + call.text + "' takes 1 place, found " + std::to_string(call.operands.size()),
        call.text + "(PLACE) is its material point there");
  const std::string variable = read_line_variable(line);
  const Expression& where = call.operands[0];
  if (place_ != nullptr && where.kind == Expression::Kind::name && where.text == variable)
    return *place_;
  const Quantity x = read_scalar(where);
  draft_.stand_at(where.span);
  return draft_.model().place(variable, x);
}

std::string ExpressionReader::read_line_variable(const SyntaxStatement& line) {
  for (const SyntaxClause& clause : line.clauses)
    for (const Expression& value : clause.values)
      if (const auto found = names_.fields().find_variable(value)) return *found;
  draft_.fail(line.name.span, "E-line-mass",
              "the line '" + line.name.text + "' mentions no field and no variable of one",
              "its position depends on the place: No + x*A.x + w*A.y");
}

Position ExpressionReader::read_line_position(const SyntaxStatement& line,
                                              const FieldPlace& place) {
  const auto scope = stand_at_place(place);
  return read_position(find_clause(line, "at")->values[0]);
}

// The material point at a place of a line.
Point ExpressionReader::read_line_point(const Expression& call) {
  LineDeclaration& line = *names_.fields().find_line(call.text);
  const FieldPlace place = read_line_place(call);
  make_line_(line, call.span);
  if (const auto known = draft_.model().find_line_point(call.text, place)) return *known;
  const Position here = read_line_position(*line.statement, place);
  draft_.stand_at(call.span);
  return draft_.model().line_point(call.text, place, here);
}

Point ExpressionReader::find_point(const Expression& e) {
  if (e.kind == Expression::Kind::call && names_.fields().find_line(e.text) != nullptr)
    return read_line_point(e);
  return names_.find_point(e);
}

}  // namespace visviva
