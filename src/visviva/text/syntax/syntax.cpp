#include "visviva/text/syntax/syntax.h"

#include <algorithm>

#include "visviva/base/render.h"
#include "visviva/base/words.h"

namespace visviva {
namespace {

using Kind = Expression::Kind;

const SyntaxClause* find_word(const std::vector<SyntaxClause>& clauses, std::string_view word) {
  const auto found = std::find_if(clauses.begin(), clauses.end(),
                                  [word](const SyntaxClause& c) { return c.word == word; });
  return found == clauses.end() ? nullptr : &*found;
}

std::string print_list(const std::vector<Expression>& operands, const std::string& separator) {
  std::vector<std::string> texts;
  for (const Expression& e : operands) texts.push_back(print_syntax(e));
  return join_words(texts, separator);
}

// ((a - b) + c): brackets as the reading from the left puts them.
std::string print_chain(const Expression& e) {
  std::string text = print_syntax(e.operands[0]);
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    text = "(" + text + " " + e.operators[i] + " " + print_syntax(e.operands[i]) + ")";
  }
  return text;
}

}  // namespace

namespace {

// over x in deg and y hold: what both ways of writing an expression share.
std::string write_table_axes(const Expression& over, std::string (*write)(const Expression&)) {
  return "over " + join_each(
                       over.operands,
                       [write](const Expression& axis) {
                         return write(axis.operands[0]) +
                                (axis.unit.empty() ? "" : " in " + axis.unit) +
                                (axis.operators.empty() ? "" : " " + axis.operators);
                       },
                       " and ");
}

}  // namespace

bool SyntaxTree::has_errors() const { return has_error(diagnostics); }

const SyntaxClause* find_clause(const SyntaxStatement& statement, std::string_view word) {
  return find_word(statement.clauses, word);
}

const SyntaxClause* find_clause(const SyntaxClause& clause, std::string_view word) {
  return find_word(clause.clauses, word);
}

std::string with_primes(const std::string& name, int primes) {
  return name + std::string(static_cast<std::size_t>(primes), '\'');
}

std::string print_syntax(const Expression& e) {
  switch (e.kind) {
    case Kind::number:
      return e.unit.empty() ? e.text : "[" + e.text + " " + e.unit + "]";
    case Kind::name:
      return with_primes(e.text, e.primes);
    case Kind::axis:
      return e.text + "." + e.axis;
    case Kind::component:
      return "(" + print_syntax(e.operands[0]) + ")." + e.axis;
    case Kind::call:
      return e.text + "(" + print_list(e.operands, ", ") + ")";
    case Kind::negate:
      return "(-" + print_syntax(e.operands[0]) + ")";
    case Kind::sum:
    case Kind::product:
      return print_chain(e);
    case Kind::power:
      return "(" + print_list(e.operands, " ^ ") + ")";
    case Kind::phrase:
      if (e.text == "over") return write_table_axes(e, print_syntax);
      if (e.operands.size() == 2) return print_list(e.operands, " " + e.text + " ");
      return e.text + " " + e.unit + print_list(e.operands, " ");
    case Kind::text:
      return "\"" + e.text + "\"";
  }
  return {};
}

namespace {

// How tightly an expression holds together: a sum least.
int binding_of(const Expression& e) {
  switch (e.kind) {
    case Kind::sum:
      return 0;
    case Kind::product:
      return 1;
    case Kind::negate:
      return 2;
    case Kind::power:
      return 3;
    case Kind::number:  // `2 m*x` would go on with the unit
      return e.unit.empty() ? 4 : 2;
    case Kind::phrase:  // `w at L` holds products on both sides
      return e.text == "at" ? 0 : 4;
    default:
      return 4;
  }
}

std::string write_operand(const Expression& e, int least) {
  return binding_of(e) < least ? "(" + write_syntax(e) + ")" : write_syntax(e);
}

std::string write_list(const std::vector<Expression>& operands, const std::string& separator) {
  return join_each(operands, write_syntax, separator);
}

std::string write_chain(const Expression& e) {
  const bool is_sum = e.kind == Kind::sum;
  std::string text = write_operand(e.operands[0], is_sum ? 1 : 3);
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const std::string sign(1, e.operators[i]);
    text += (is_sum ? " " + sign + " " : sign) + write_operand(e.operands[i], is_sum ? 1 : 3);
  }
  return text;
}

}  // namespace

std::string write_syntax(const Expression& e) {
  switch (e.kind) {
    case Kind::number:
      return e.unit.empty() ? e.text : e.text + " " + e.unit;
    case Kind::name:
      return with_primes(e.text, e.primes);
    case Kind::axis:
      return e.text + "." + e.axis;
    case Kind::component:  // `r.x` without brackets is an axis
      return (e.operands[0].kind == Kind::call ? write_syntax(e.operands[0])
                                               : "(" + write_syntax(e.operands[0]) + ")") +
             "." + e.axis;
    case Kind::call:
      return e.text + "(" + write_list(e.operands, ", ") + ")";
    case Kind::negate:
      return "-" + write_operand(e.operands[0], 3);
    case Kind::sum:
    case Kind::product:
      return write_chain(e);
    case Kind::power:
      return write_operand(e.operands[0], 4) + "^" + write_operand(e.operands[1], 4);
    case Kind::phrase:
      if (e.text == "at" && e.operands.size() == 2)
        return write_operand(e.operands[0], 1) + " at " + write_operand(e.operands[1], 1);
      if (e.text == "over") return write_table_axes(e, write_syntax);
      if (e.operands.size() == 2) return write_list(e.operands, " " + e.text + " ");
      return e.text + " " + e.unit + write_list(e.operands, " ");
    case Kind::text:
      return "\"" + e.text + "\"";
  }
  return {};
}

}  // namespace visviva
