#include "visviva/text/build/field_table.h"

#include <algorithm>

namespace visviva {
namespace {

using Kind = Expression::Kind;

// How often an expression differentiates a field.
int slopes_in(const Expression& e, const std::string& field) {
  int slopes = 0;
  if (e.kind == Kind::call && e.text == "d" && !e.operands.empty() && e.operands[0].text == field)
    slopes = static_cast<int>(e.operands.size()) - 1;
  for (const Expression& operand : e.operands) slopes = std::max(slopes, slopes_in(operand, field));
  return slopes;
}

bool has_first_slope(const Expression& e, const std::string& field) {
  if (e.kind == Kind::call && e.text == "d" && e.operands.size() == 2 &&
      e.operands[0].text == field && e.operands[0].primes == 0)
    return true;
  return std::any_of(e.operands.begin(), e.operands.end(),
                     [&](const Expression& operand) { return has_first_slope(operand, field); });
}

// Laws per length, lines, and definitions that those may use.
bool counts(const SyntaxStatement& s) {
  return find_clause(s, "over") != nullptr || s.kind == StatementKind::line ||
         s.kind == StatementKind::let || s.kind == StatementKind::function;
}

}  // namespace

bool FieldTable::has_slope_law(const SyntaxTree& tree, const std::string& field) const {
  return std::any_of(tree.statements.begin(), tree.statements.end(), [&](const SyntaxStatement& s) {
    const bool is_definition = s.kind == StatementKind::let || s.kind == StatementKind::function;
    if (find_clause(s, "over") != nullptr && s.value && has_first_slope(*s.value, field))
      return true;
    return is_definition &&
           std::any_of(s.items.begin(), s.items.end(), [&](const SyntaxItem& item) {
             return item.value && has_first_slope(*item.value, field);
           });
  });
}

FieldTable::FieldTable(const SyntaxTree& tree) {
  for (const SyntaxStatement& s : tree.statements) {
    if (s.damaged) continue;
    if (s.kind == StatementKind::line) lines_.emplace(s.name.text, LineDeclaration{&s});
    if (s.kind != StatementKind::field) continue;
    for (const SyntaxItem& item : s.items) {
      fields_.emplace(item.name.text, FieldDeclaration{&s, &item});
      variables_.emplace(item.parameters[0].text, item.parameters[0].span);
    }
  }
}

FieldDeclaration* FieldTable::find_field(const std::string& name) {
  const auto found = fields_.find(name);
  return found == fields_.end() ? nullptr : &found->second;
}

LineDeclaration* FieldTable::find_line(const std::string& name) {
  const auto found = lines_.find(name);
  return found == lines_.end() ? nullptr : &found->second;
}

std::optional<std::string> FieldTable::find_variable(const Expression& e) const {
  if (e.kind == Kind::name) {
    if (const auto field = fields_.find(e.text); field != fields_.end())
      return variable_of(field->second);
    if (has_variable(e.text)) return e.text;
  }
  if (e.kind == Kind::phrase && e.text == "at") return std::nullopt;  // it has its own place
  for (const Expression& operand : e.operands)
    if (const auto found = find_variable(operand)) return found;
  return std::nullopt;
}

int FieldTable::count_slopes(const SyntaxTree& tree, const std::string& field) const {
  int slopes = 1;
  for (const SyntaxStatement& s : tree.statements) {
    if (!counts(s)) continue;
    if (s.value) slopes = std::max(slopes, slopes_in(*s.value, field));
    for (const SyntaxItem& item : s.items)
      if (item.value) slopes = std::max(slopes, slopes_in(*item.value, field));
    for (const SyntaxClause& clause : s.clauses)
      for (const Expression& value : clause.values)
        slopes = std::max(slopes, slopes_in(value, field));
  }
  return slopes;
}

}  // namespace visviva
