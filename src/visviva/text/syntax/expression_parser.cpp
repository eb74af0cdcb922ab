#include "visviva/text/syntax/expression_parser.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "visviva/base/suggest.h"
#include "visviva/base/unit.h"
#include "visviva/text/syntax/limits.h"

namespace visviva {
namespace {

// Words for what a table is outside of its samples.
bool is_range_word(const Token& token) {
  return token.is_word("hold") || token.is_word("periodic") || token.is_word("error");
}

using Kind = Expression::Kind;

}  // namespace

// One level deeper, as long as it lives.
class ExpressionParser::Nesting {
 public:
  explicit Nesting(ExpressionParser& parser) : parser_(parser) {
    if (parser.depth_ >= deepest_nesting) {
      parser.cursor_.fail(parser.cursor_.span_of(parser.cursor_.now()), "E-nesting-deep",
                          "brackets, signs and powers are nested more than " +
                              std::to_string(deepest_nesting) + " deep",
                          "name a part of the expression with 'let'");
    }
    ++parser_.depth_;
  }
  ~Nesting() { --parser_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  ExpressionParser& parser_;
};

Expression ExpressionParser::read() {
  depth_ = 0;
  brackets_ = 0;
  return read_sum();
}

// `about` that no value follows is a name.
Expression ExpressionParser::read_start_value() {
  const Token& next = cursor_.ahead(1);
  const bool value_follows = next.kind == TokenKind::number || next.kind == TokenKind::name ||
                             next.is('(') || next.is('-') || next.is('+');
  if (!cursor_.now().is_word("about") || !value_follows) return read();
  const std::size_t place = cursor_.place();
  cursor_.advance();
  Expression guess{Kind::phrase};
  guess.text = "about";
  guess.operands.push_back(read());
  guess.span = cursor_.span_from(place);
  return guess;
}

Expression ExpressionParser::read_sum() {
  const std::size_t place = cursor_.place();
  Expression first = read_placed();
  if (!cursor_.now().is('+') && !cursor_.now().is('-')) return first;
  Expression sum{Kind::sum};
  sum.operators = "+";
  sum.operands.push_back(std::move(first));
  while (cursor_.now().is('+') || cursor_.now().is('-')) {
    sum.operators += cursor_.now().text[0];
    cursor_.advance();
    sum.operands.push_back(read_placed());
  }
  sum.span = cursor_.span_from(place);
  return sum;
}

// EI*d(w, x, x) at L: the value of an expression in fields at a place.
Expression ExpressionParser::read_placed() {
  const std::size_t place = cursor_.place();
  Expression value = read_product();
  if ((at_is_clause_ && brackets_ == 0) || !cursor_.take_word("at")) return value;
  Expression placed{Kind::phrase};
  placed.text = "at";
  placed.operands.push_back(std::move(value));
  placed.operands.push_back(read_product());
  placed.span = cursor_.span_from(place);
  return placed;
}

Expression ExpressionParser::read_product() {
  const std::size_t place = cursor_.place();
  Expression first = read_signed();
  if (!cursor_.now().is('*') && !cursor_.now().is('/')) return first;
  Expression product{Kind::product};
  product.operators = "*";
  product.operands.push_back(std::move(first));
  while (cursor_.now().is('*') || cursor_.now().is('/')) {
    product.operators += cursor_.now().text[0];
    cursor_.advance();
    const bool bare = cursor_.now().kind == TokenKind::number;
    product.operands.push_back(read_signed());
    if (bare) warn_about_divisor(product);
  }
  product.span = cursor_.span_from(place);
  return product;
}

// 1/2 m reads as one divided by two metres, which is seldom meant.
void ExpressionParser::warn_about_divisor(const Expression& product) {
  if (product.operands.size() != 2 || product.operators.back() != '/') return;
  const Expression& above = product.operands[0];
  const Expression& below = product.operands[1];
  const bool numbers = above.kind == Kind::number && below.kind == Kind::number;
  if (!numbers || !above.unit.empty() || below.unit.empty()) return;
  cursor_.warn(below.span, "W-unit-divisor",
               "this is " + above.text + " divided by " + below.text + " " + below.unit +
                   ": the unit belongs to the divisor",
               "give a fraction of a unit as one number, such as 0.5 m");
}

Expression ExpressionParser::read_signed() {
  const bool minus = cursor_.now().is('-');
  if (!minus && !cursor_.now().is('+')) return read_power();
  const Nesting nesting(*this);
  const std::size_t place = cursor_.place();
  cursor_.advance();
  Expression operand = read_signed();
  if (!minus) return operand;
  Expression negative{Kind::negate};
  negative.operands.push_back(std::move(operand));
  negative.span = cursor_.span_from(place);
  return negative;
}

Expression ExpressionParser::read_power() {
  const std::size_t place = cursor_.place();
  Expression base = read_primary();
  if (!cursor_.take('^')) return base;
  const Nesting nesting(*this);
  Expression power{Kind::power};
  power.operands.push_back(std::move(base));
  power.operands.push_back(read_signed());
  power.span = cursor_.span_from(place);
  return power;
}

Expression ExpressionParser::read_primary() {
  const std::size_t place = cursor_.place();
  if (cursor_.now().is('(')) return read_component(read_bracket(), place);
  if (cursor_.now().kind == TokenKind::number) return read_number();
  if (cursor_.now().kind == TokenKind::name) {
    Expression name = read_name();
    return name.kind == Kind::call ? read_component(std::move(name), place) : name;
  }
  cursor_.fail_expected("an expression");
}

Expression ExpressionParser::read_bracket() {
  const Nesting nesting(*this);
  cursor_.advance();
  ++brackets_;
  Expression inside = read_sum();
  --brackets_;
  if (!cursor_.take(')')) cursor_.fail_expected("an operator or ')'");
  return inside;
}

Expression ExpressionParser::read_number() {
  const Token& token = cursor_.now();
  Expression number{Kind::number, cursor_.span_of(token), std::string(token.text),
                    std::string(token.unit)};
  double value = 0.0;
  const char* end = number.text.data() + number.text.size();
  if (std::from_chars(number.text.data(), end, value).ec != std::errc()) {
    cursor_.report(number.span, "E-number-range",
                   "this number is too large or too close to zero for double precision",
                   "numbers reach from about 1e-308 to 1e308");
  }
  cursor_.advance();
  return number;
}

Expression ExpressionParser::read_name() {
  const Token& token = cursor_.now();
  Expression name{Kind::name, cursor_.span_of(token), std::string(token.text)};
  name.primes = token.primes;
  cursor_.advance();
  if (cursor_.now().is('(')) return read_call(std::move(name));
  if (cursor_.now().is('.')) return read_axis(std::move(name));
  if (cursor_.now().is('[')) cursor_.fail_expected("an operator");
  return name;
}

Expression ExpressionParser::read_axis(Expression name) {
  const std::size_t place = cursor_.place() - 1;
  const Token& axis = cursor_.ahead(1);
  if (name.primes > 0 || axis.primes > 0) {
    cursor_.fail(cursor_.span_of(name.primes > 0 ? cursor_.before() : axis), "E-prime-place",
                 "frames and their axes have no rates", "see angular_velocity and velocity");
  }
  name.kind = Kind::axis;
  name.axis = read_axis_letter("the axes of a frame A are A.x, A.y and A.z");
  name.span = cursor_.span_from(place);
  return name;
}

// force(V, P).x: what stands before '.' is a vector, if there is one.
Expression ExpressionParser::read_component(Expression vector, std::size_t place) {
  if (!cursor_.now().is('.')) return vector;
  Expression component{Kind::component};
  component.axis = read_axis_letter("a component of a vector is along an axis of N: force(V, P).x");
  component.operands.push_back(std::move(vector));
  component.span = cursor_.span_from(place);
  return component;
}

// The axis after '.'.
char ExpressionParser::read_axis_letter(const char* help) {
  const Token& axis = cursor_.ahead(1);
  const bool joined = !cursor_.now().after_blank && !axis.after_blank;
  if (!joined || axis.kind != TokenKind::name) {
    cursor_.fail(cursor_.span_of(cursor_.now()), "E-axis-unknown",
                 "expected an axis directly after '.'", help);
  }
  if (axis.primes > 0 || (axis.text != "x" && axis.text != "y" && axis.text != "z")) {
    cursor_.fail(cursor_.span_of(axis), "E-axis-unknown",
                 "'" + with_primes(std::string(axis.text), axis.primes) + "' is no axis", help);
  }
  cursor_.advance();
  cursor_.advance();
  return axis.text[0];
}

Expression ExpressionParser::read_call(Expression name) {
  const Nesting nesting(*this);
  const std::size_t place = cursor_.place() - 1;
  if (name.primes > 0) {
    cursor_.fail(name.span, "E-prime-place", "a function has no prime",
                 "write the rate of what it depends on");
  }
  name.kind = Kind::call;
  cursor_.advance();
  ++brackets_;
  while (!cursor_.now().is(')')) {
    name.operands.push_back(read_argument(name.text));
    if (!cursor_.take(',')) break;
  }
  --brackets_;
  if (!cursor_.take(')')) cursor_.fail_expected("an operator, ',' or ')'");
  if (name.text == "d") read_place(&name);
  name.span = cursor_.span_from(place);
  check_function(name);
  return name;
}

// d(X, theta)(2*theta): the place at which a derivative is taken.
void ExpressionParser::read_place(Expression* derivative) {
  if (!cursor_.now().is('(') || cursor_.now().after_blank) return;
  const std::size_t place = cursor_.place();
  Expression at{Kind::phrase};
  at.text = "at";
  cursor_.advance();
  while (!cursor_.now().is(')')) {
    at.operands.push_back(read_sum());
    if (!cursor_.take(',')) break;
  }
  if (!cursor_.take(')')) cursor_.fail_expected("an operator, ',' or ')'");
  at.span = cursor_.span_from(place);
  derivative->operands.push_back(std::move(at));
}

void ExpressionParser::check_function(const Expression& call) {
  const FunctionRule* rule = find_function(call.text);
  if (rule == nullptr && cursor_.functions().contains(call.text)) return;
  SourceSpan name_span = call.span;
  name_span.length = std::min(name_span.length, static_cast<int>(call.text.size()));
  if (rule == nullptr) {
    if (is_reserved_word(call.text)) {
      return cursor_.report(name_span, "E-reserved-word",
                            "'" + call.text + "' is reserved for a later version", "");
    }
    const bool of_time = call.operands.size() == 1 && call.operands[0].kind == Kind::name &&
                         call.operands[0].text == "t";
    return cursor_.report(name_span, "E-function-unknown",
                          "there is no function '" + call.text + "'",
                          of_time ? "a specified function is used without (t): " + call.text
                                  : did_you_mean(call.text, function_names()));
  }
  const int count = static_cast<int>(call.operands.size());
  if (count >= rule->least && (rule->most < 0 || count <= rule->most)) return;
  std::string wanted = std::to_string(rule->least);
  if (rule->most < 0) wanted += " or more";
  if (rule->most > rule->least) wanted += " to " + std::to_string(rule->most);
  cursor_.report(call.span, "E-function-arguments",
                 "'" + call.text + "' takes " + wanted +
                     (wanted == "1" ? " argument" : " arguments") + ", found " +
                     std::to_string(count),
                 call.text + "(" + rule->arguments + ")");
}

// Most are expressions; a few functions have words inside their brackets.
Expression ExpressionParser::read_argument(const std::string& function) {
  const std::size_t place = cursor_.place();
  const bool word_follows = cursor_.ahead(1).kind == TokenKind::name;
  Expression phrase{Kind::phrase};
  if (function == "rotate" && cursor_.now().is_word("space") && word_follows) {
    cursor_.advance();
    phrase.text = "space";
    phrase.operands.push_back(read_name());
    phrase.span = cursor_.span_from(place);
    return phrase;
  }
  if (function == "table") return read_table_option();
  Expression argument = read_sum();
  if (function != "velocity" || !cursor_.take_word("on")) return argument;
  phrase.text = "on";
  phrase.operands.push_back(std::move(argument));
  phrase.operands.push_back(read_sum());
  phrase.span = cursor_.span_from(place);
  return phrase;
}

// "file", column n, over x in deg, unit u, hold
Expression ExpressionParser::read_table_option() {
  const std::size_t place = cursor_.place();
  const Token& token = cursor_.now();
  if (token.kind == TokenKind::text) {
    cursor_.advance();
    return {Kind::text, cursor_.span_of(token), std::string(token.text)};
  }
  Expression phrase{Kind::phrase, cursor_.span_of(token), std::string(token.text)};
  if (cursor_.take_word("column")) {
    phrase.operands.push_back(read_column());
  } else if (cursor_.take_word("unit")) {
    phrase.unit = read_table_unit();
  } else if (cursor_.take_word("over")) {
    return read_table_axes();
  } else if (is_range_word(cursor_.now())) {
    cursor_.advance();
  } else if (!cursor_.take_word("smooth") && !cursor_.take_word("linear")) {
    cursor_.fail_expected(
        "a file name in quotes, 'column', 'over', 'unit', 'linear', 'hold', 'periodic' or 'error'",
        "table(\"force.csv\", column 2, over x in mm, unit N)");
  }
  phrase.span = cursor_.span_from(place);
  return phrase;
}

// x in deg hold and y in 1/s: after `over`, an `axis` for each, with what it is outside if that is said.
Expression ExpressionParser::read_table_axes() {
  const std::size_t place = cursor_.place();
  Expression axes{Kind::phrase};
  axes.text = "over";
  do {
    const std::size_t start = cursor_.place();
    Expression axis{Kind::phrase};
    axis.text = "axis";
    axis.operands.push_back(read_sum());
    if (cursor_.take_word("in")) axis.unit = read_table_unit();
    if (is_range_word(cursor_.now())) axis.operators = read_name().text;
    axis.span = cursor_.span_from(start);
    axes.operands.push_back(std::move(axis));
  } while (cursor_.take_word("and"));
  axes.span = cursor_.span_from(place);
  return axes;
}

Expression ExpressionParser::read_column() {
  const Token& token = cursor_.now();
  if (token.kind == TokenKind::number) return read_number();
  const bool is_bare_name = token.kind == TokenKind::name && token.primes == 0;
  if (token.kind != TokenKind::text && !is_bare_name)
    cursor_.fail_expected("the number of a column, or its name in quotes");
  cursor_.advance();
  return {Kind::text, cursor_.span_of(token), std::string(token.text)};
}

// The tokens up to the next ',', ')' or word that is no part of a unit, as they stand.
std::string ExpressionParser::read_table_unit() {
  const std::size_t place = cursor_.place();
  std::string unit;
  while (!cursor_.at_end() && !cursor_.now().is(',') && !cursor_.now().is(')')) {
    const Token& token = cursor_.now();
    if (!unit.empty() && token.after_blank && (token.is_word("and") || is_range_word(token))) break;
    const bool readable =
        token.kind != TokenKind::broken && token.unit.empty() && token.primes == 0;
    if (!readable) cursor_.fail_expected("a unit");
    if (token.after_blank && !unit.empty())
      cursor_.fail_expected("',' or ')'", "a unit holds no blanks");
    cursor_.advance();
    unit += token.text;
  }
  const UnitReading reading = parse_unit(unit);
  if (reading.unit) return unit;
  cursor_.fail(cursor_.span_from(place), reading.problem.code, reading.problem.message,
               reading.problem.help);
}

}  // namespace visviva
