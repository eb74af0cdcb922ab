#include "visviva/text/syntax/check_syntax.h"

#include <algorithm>
#include <set>
#include <utility>

#include "visviva/base/unit.h"
#include "visviva/base/utf8.h"

namespace visviva {
namespace {

using Kind = Expression::Kind;

Diagnostic make_error(const SourceSpan& span, const char* code, std::string message,
                      std::string help) {
  return {Severity::error, code, std::move(message), std::move(help), span};
}

bool declares_scalars(StatementKind kind) {
  switch (kind) {
    case StatementKind::parameter:
    case StatementKind::specified:
    case StatementKind::input:
    case StatementKind::state:
    case StatementKind::count:
    case StatementKind::coordinate:
    case StatementKind::speed:
    case StatementKind::auxiliary:
    case StatementKind::unknown:
    case StatementKind::function:
    case StatementKind::field:
      return true;
    default:
      return false;
  }
}

// Every name a statement declares.
std::vector<SyntaxName> declared_names(const SyntaxStatement& statement) {
  std::vector<SyntaxName> names;
  if (!statement.name.text.empty()) names.push_back(statement.name);
  for (const SyntaxItem& item : statement.items) {
    if (!item.name.text.empty()) names.push_back(item.name);
  }
  return names;
}

void check_reserved(const SyntaxStatement& statement, const SyntaxName& name,
                    std::vector<Diagnostic>& found) {
  const bool output =
      statement.kind == StatementKind::output || statement.kind == StatementKind::plot;
  if (declares_scalars(statement.kind) || output) {
    const std::string_view meaning = reserved_scalar_meaning(name.text);
    if (meaning.empty()) return;
    found.push_back(make_error(name.span, "E-name-reserved",
                               "'" + name.text + "' is reserved: " + std::string(meaning),
                               "choose another name"));
  }
  const bool frame =
      statement.kind == StatementKind::frame || statement.kind == StatementKind::body;
  if (frame && name.text == "N") {
    found.push_back(make_error(name.span, "E-name-reserved", "'N' is reserved: the Newtonian frame",
                               "choose another name"));
  }
  const bool point = statement.kind == StatementKind::point ||
                     statement.kind == StatementKind::particle ||
                     statement.kind == StatementKind::joint;
  if (point && name.text == "No") {
    found.push_back(make_error(name.span, "E-name-reserved", "'No' is reserved: the origin of N",
                               "choose another name"));
  }
}

// ---- Functions in their places

class PlaceCheck {
 public:
  explicit PlaceCheck(std::vector<Diagnostic>& found) : found_(found) {}

  void check(const SyntaxStatement& statement) {
    kind_ = statement.kind;
    is_damaged_ = statement.damaged;
    if (statement.value) walk(*statement.value, false);
    for (const SyntaxItem& item : statement.items) {
      if (item.target) walk(*item.target, false);
      if (!item.value) continue;
      if (check_frame_value(*item.value)) walk(*item.value, true);
    }
    for (const SyntaxClause& clause : statement.clauses) walk(clause);
  }

  void check_change(const Expression& value) {
    kind_ = StatementKind::case_;
    is_damaged_ = false;
    walk(value, true);
  }

 private:
  void walk(const SyntaxClause& clause) {
    for (const Expression& value : clause.values) walk(value, false);
    for (const SyntaxClause& part : clause.clauses) walk(part);
  }

  // `whole`: the expression is all that stands after `=`.
  void walk(const Expression& e, bool whole) {
    const FunctionRule* rule = e.kind == Kind::call ? find_function(e.text) : nullptr;
    if (rule != nullptr) check_call(e, *rule, whole);
    for (const Expression& operand : e.operands) walk(operand, false);
  }

  bool check_frame_value(const Expression& value) {
    if (kind_ != StatementKind::frame) return true;
    if (is_damaged_ && value.kind == Kind::name)
      return true;  // such as `rotate` without its bracket
    const FunctionRule* rule = value.kind == Kind::call ? find_function(value.text) : nullptr;
    const bool unknown = value.kind == Kind::call && rule == nullptr;  // reported already
    if (unknown || (rule != nullptr && rule->place == FunctionPlace::frame_value)) return true;
    found_.push_back(make_error(value.span, "E-frame-value",
                                "a frame is given by how it is turned from another",
                                "use rotate, quaternion, rodrigues or spin: rotate(N, z, theta)"));
    return false;
  }

  void check_call(const Expression& call, const FunctionRule& rule, bool whole) {
    const bool outputs = kind_ == StatementKind::output || kind_ == StatementKind::plot ||
                         kind_ == StatementKind::event || kind_ == StatementKind::claim;
    if (rule.place == FunctionPlace::frame_value) {
      if (!whole || kind_ != StatementKind::frame)
        return misplaced(call, "as the value of a frame");
      if (call.text == "rotate") check_rotation(call);
    }
    if (call.text == "table") check_table(call);
    if (rule.place == FunctionPlace::output && !outputs)
      misplaced(call, "in 'output', 'plot', 'event' and 'claim'");
  }

  void misplaced(const Expression& call, const std::string& where) {
    found_.push_back(
        make_error(call.span, "E-function-place", "'" + call.text + "' stands only " + where, ""));
  }

  // rotate(N, z, q), or rotate(N, [space] zxz, q1, q2, q3)
  void check_rotation(const Expression& call) {
    const std::size_t count = call.operands.size();
    if (count != 3 && count != 5) {
      if (count == 4)
        bad_rotation(call.span, "E-function-arguments",
                     "'rotate' takes an axis and an angle, or three axes and three angles");
      return;
    }
    const Expression& second = call.operands[1];
    const bool space = second.kind == Kind::phrase;
    if (count == 3) {
      if (space)
        bad_rotation(second.span, "E-rotation-sequence", "a sequence of axes needs three angles");
      return;
    }
    const Expression& sequence = space ? second.operands[0] : second;
    const std::string& axes = sequence.text;
    bool good = sequence.kind == Kind::name && sequence.primes == 0 && axes.size() == 3 &&
                axes.find_first_not_of("xyz") == std::string::npos;
    good = good && axes[0] != axes[1] && axes[1] != axes[2];
    if (!good)
      bad_rotation(sequence.span, "E-rotation-sequence",
                   "expected three axes of which no neighbours are equal, such as zxz or xyz");
  }

  void bad_rotation(const SourceSpan& span, const char* code, std::string message) {
    found_.push_back(make_error(span, code, std::move(message),
                                "rotate(N, z, theta) or rotate(N, zxz, q1, q2, q3)"));
  }

  void check_table(const Expression& call) {
    std::set<std::string> seen;
    bool is_map = false;
    for (std::size_t i = 0; i < call.operands.size(); ++i) {
      const Expression& option = call.operands[i];
      const bool file = option.kind == Kind::text;
      if (file != (i == 0))
        return bad_table(option.span, "a table starts with one file name in quotes");
      if (file) continue;
      const bool is_shape = option.text == "smooth" || option.text == "linear";
      const bool is_range = option.operands.empty() && option.text != "unit" && !is_shape;
      if (!seen.insert(is_range ? "range" : is_shape ? "shape" : option.text).second)
        return bad_table(option.span, is_range
                                          ? "what the table is outside of its rows is said twice"
                                      : is_shape ? "a table is smooth or linear"
                                                 : "'" + option.text + "' is given twice");
      if (option.text == "over" && option.operands.size() > 2)
        return bad_table(option.span, "a table has one axis or two");
      if (option.text == "over" && option.operands.size() == 2) is_map = true;
      if (option.text == "column" && !is_column(option.operands[0])) {
        return bad_table(option.span, "a column is a whole number from 1");
      }
    }
    if (is_map && seen.contains("column"))
      bad_table(call.span, "a map over two axes has no columns to choose from");
  }

  // A name in the file's header, or a number.
  static bool is_column(const Expression& number) {
    if (number.kind == Kind::text) return !number.text.empty();
    const std::string& digits = number.text;
    return number.unit.empty() && digits.size() < 6 && digits[0] != '0' &&
           digits.find_first_not_of("0123456789") == std::string::npos;
  }

  void bad_table(const SourceSpan& span, std::string message) {
    found_.push_back(make_error(span, "E-table-option", std::move(message),
                                "table(\"force.csv\", column 2, unit N)"));
  }

  std::vector<Diagnostic>& found_;
  StatementKind kind_ = StatementKind::model;
  bool is_damaged_ = false;
};

// ---- Units that hide names

std::set<std::string> declared_scalars(const SyntaxTree& tree) {
  std::set<std::string> names;
  for (const SyntaxStatement& statement : tree.statements) {
    if (!declares_scalars(statement.kind) && statement.kind != StatementKind::let) continue;
    for (const SyntaxName& name : declared_names(statement)) names.insert(name.text);
  }
  return names;
}

// Statements whose values are usually plain numbers: there a unit that stands alone is no surprise.
bool holds_plain_values(const Token& keyword) {
  static const std::set<std::string_view> words = {
      "parameter", "specified", "input",  "coordinate", "state", "count", "start",
      "particle",  "body",      "spring", "damper",     "case",  "study"};
  return words.count(keyword.text) > 0;
}

bool is_factor_sign(const Token& token) { return token.is('*') || token.is('/'); }

// The number is a factor of a product written without blanks, so that the eye cannot tell where its
// unit ends.
bool is_inside_product(const Token& before, const Token& number, const Token& after) {
  return (is_factor_sign(after) && !after.after_blank) ||
         (is_factor_sign(before) && !number.after_blank);
}

}  // namespace

std::vector<Diagnostic> check_reserved_names(const SyntaxTree& tree) {
  std::vector<Diagnostic> found;
  for (const SyntaxStatement& statement : tree.statements) {
    for (const SyntaxName& name : declared_names(statement)) check_reserved(statement, name, found);
    const SyntaxClause* of =
        statement.kind == StatementKind::joint ? find_clause(statement, "of") : nullptr;
    if (of != nullptr && !of->values.empty() && of->values[0].text == "N")
      found.push_back(make_error(of->values[0].span, "E-name-reserved",
                                 "'N' is reserved: the Newtonian frame",
                                 "a joint carries something else on N"));
  }
  return found;
}

std::vector<Diagnostic> check_function_places(const SyntaxTree& tree) {
  std::vector<Diagnostic> found;
  PlaceCheck check(found);
  for (const SyntaxStatement& statement : tree.statements) check.check(statement);
  return found;
}

std::vector<Diagnostic> check_function_places(const Expression& value) {
  std::vector<Diagnostic> found;
  PlaceCheck(found).check_change(value);
  return found;
}

std::vector<Diagnostic> check_hidden_names(const SyntaxTree& tree, const SourceText& source,
                                           const std::vector<Token>& tokens) {
  std::vector<Diagnostic> found;
  std::set<std::string> hidden = declared_scalars(tree);
  std::size_t statement = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const Token& number = tokens[i];
    if (number.kind == TokenKind::end) statement = i + 1;
    if (number.kind != TokenKind::number || number.unit.empty() || i == statement) continue;
    if (holds_plain_values(tokens[statement]) &&
        !is_inside_product(tokens[i - 1], number, tokens[i + 1]))
      continue;
    // The first name after a number can only be a unit.
    const auto names = unit_names(number.unit);
    for (std::size_t n = 1; n < names.size(); ++n) {
      if (hidden.erase(names[n].name) == 0) continue;
      SourceSpan span = make_span(source, number, number);
      const std::size_t unit =
          static_cast<std::size_t>(number.unit.data() - source.text.data()) + names[n].offset;
      span.column +=
          static_cast<int>(count_characters(source.text.substr(number.begin, unit - number.begin)));
      span.length = static_cast<int>(count_characters(names[n].name));
      found.push_back(
          {Severity::warning, "W-unit-hides-name",
           "'" + names[n].name + "' is read as a unit here, not as the scalar of that name",
           "for the scalar put blanks around the operator, for the unit leave it or rename the "
           "scalar",
           span});
    }
  }
  return found;
}

}  // namespace visviva
