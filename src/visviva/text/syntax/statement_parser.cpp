#include "visviva/text/syntax/statement_parser.h"

#include <algorithm>
#include <utility>

#include "visviva/base/suggest.h"
#include "visviva/base/words.h"

namespace visviva {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool is_ground(StatementKind kind, const std::string& name) {
  return (kind == StatementKind::frame && name == "N") ||
         (kind == StatementKind::point && name == "No");
}

}  // namespace

void StatementParser::read() {
  const std::size_t place = cursor_.place();
  statement_ = SyntaxStatement();
  expressions_.set_at_is_clause(false);
  try {
    rule_ = find_rule();
    // A bracket that is never closed has been reported: all that follows it is its consequence.
    if (cursor_.has_open_bracket()) cursor_.set_quiet();
    if (rule_ != nullptr) {
      statement_.kind = rule_->kind;
      statement_.keyword = cursor_.span_of(cursor_.now());
      cursor_.set_syntax_help(first_line(rule_->syntax));
      cursor_.advance();
      read_form();
      read_documentation();
    }
  } catch (const Abandoned&) {
    cursor_.set_damaged();
  }
  while (!cursor_.at_end()) cursor_.advance();
  statement_.span = cursor_.span_from(place);
  statement_.damaged = cursor_.damaged();
  if (statement_.damaged) keep_unread_names(place);
  if (rule_ != nullptr) tree_.statements.push_back(std::move(statement_));
  cursor_.next_statement();
}

const StatementRule* StatementParser::find_rule() {
  const Token& token = cursor_.now();
  rule_ = nullptr;
  if (token.kind != TokenKind::name)
    cursor_.fail_expected("a statement",
                          "statements start with a word such as 'parameter' or 'frame'");
  const StatementRule* rule = token.primes == 0 ? find_statement(token.text) : nullptr;
  return rule != nullptr ? rule : report_unknown_statement();
}

// Says what was meant, and lets it be read as that, so that its names are known.
const StatementRule* StatementParser::report_unknown_statement() {
  const Token& token = cursor_.now();
  const std::string word(token.text);
  const SourceSpan span = cursor_.span_of(token);
  if (is_reserved_word(word)) {
    cursor_.fail(span, "E-reserved-word", "'" + word + "' is reserved for a later version", "");
  }
  const Token& next = cursor_.ahead(1);
  const bool assigns = next.is('=') || (next.is('(') && cursor_.ahead(4).is('='));
  if (assigns) {
    cursor_.fail(
        span, "E-statement-unknown", "expected a statement, found '" + word + "'",
        "say what it is: parameter " + word + " = ..., let " + word + " = ..., or another role");
  }
  const auto nearest = find_nearest(word, statement_keywords());
  cursor_.report(span, "E-statement-unknown", "there is no statement '" + word + "'",
                 nearest ? "did you mean '" + *nearest + "'?"
                         : "statements are " + list_words(statement_keywords()));
  if (!nearest) throw Abandoned();
  cursor_.set_quiet();
  return find_statement(*nearest);
}

void StatementParser::keep_unread_names(std::size_t place) {
  const std::size_t end = cursor_.place();
  for (std::size_t i = place; i < end; ++i) {
    const Token& token = cursor_.token(i);
    if (token.kind == TokenKind::name) tree_.unread_names.insert(std::string(token.text));
  }
}

void StatementParser::read_form() {
  switch (rule_->form) {
    case StatementForm::title:
      statement_.name = read_name("the model's name");
      return;
    case StatementForm::file:
      return read_file();
    case StatementForm::definitions:
      return read_list([this] { read_definition(); });
    case StatementForm::functions:
      return read_list([this] { read_function(); });
    case StatementForm::mappings:
      return read_mapping();
    case StatementForm::settings:
      return read_list([this] { read_setting(); });
    case StatementForm::names:
      return read_list([this] { read_listed_name(); });
    case StatementForm::outputs:
      return read_list([this] { read_output(); });
    case StatementForm::equations:
      return read_list([this] { read_equation(); });
    case StatementForm::object:
      return read_object();
    case StatementForm::fields:
      return read_fields();
    case StatementForm::expression:
      statement_.value = expressions_.read();
      return;
    case StatementForm::roll:
      return read_roll();
    case StatementForm::clauses:
      return read_clauses();
    case StatementForm::claims:
      return read_list([this] { read_claim(); });
    case StatementForm::sampling:
      return read_sampling();
    case StatementForm::loop:  // one that was not good, which has been told
      throw Abandoned();
    case StatementForm::changes:
      return read_case();
  }
}

void StatementParser::read_documentation() {
  const Token& token = cursor_.now();
  const bool text = token.kind == TokenKind::text;
  if (text && statement_.documentation.empty()) {
    statement_.documentation = std::string(token.text);
    cursor_.advance();
  }
  if (cursor_.at_end()) return;
  if (text)
    cursor_.fail_expected("the end of the line",
                          "the text documents the whole statement: put it last");
  cursor_.fail_expected("an operator or the end of the line");
}

// A broken item is left out and the next one is read.
template <class ReadItem>
void StatementParser::read_list(const ReadItem& read_item) {
  do {
    const std::size_t place = cursor_.place();
    try {
      statement_.items.emplace_back();
      read_item();
      statement_.items.back().span = cursor_.span_from(place);
      const bool complete =
          cursor_.at_end() || cursor_.now().is(',') || cursor_.now().kind == TokenKind::text;
      if (!complete) cursor_.fail_expected("an operator, ',' or the end of the line");
    } catch (const Abandoned&) {
      cursor_.set_damaged();
      cursor_.skip_item();
    }
  } while (cursor_.take(','));
}

SyntaxName StatementParser::read_name(const std::string& what, bool primes_allowed) {
  const Token& token = cursor_.now();
  if (token.kind != TokenKind::name) cursor_.fail_expected(what);
  SyntaxName name{std::string(token.text), token.primes, cursor_.span_of(token)};
  if (token.primes > 0 && !primes_allowed) {
    cursor_.report(name.span, "E-prime-place", "a rate cannot be declared here",
                   "write the name without a prime");
  }
  cursor_.advance();
  if (cursor_.now().is('[')) cursor_.fail_expected("a name");
  return name;
}

// NAME: before what is named; nothing is read when there is none.
SyntaxName StatementParser::read_label() {
  if (cursor_.now().kind != TokenKind::name || !cursor_.ahead(1).is(':')) return {};
  SyntaxName label = read_name("a name");
  cursor_.advance();
  return label;
}

void StatementParser::read_value(std::optional<Expression>& value, Presence presence) {
  if (presence == Presence::none) return;
  const bool is_start =
      rule_->kind == StatementKind::coordinate || rule_->kind == StatementKind::start;
  if (cursor_.take('=')) {
    value = is_start ? expressions_.read_start_value() : expressions_.read();
  } else if (presence == Presence::required) {
    cursor_.fail_expected("'='");
  }
}

// "FILE": its path is the name of the statement.
void StatementParser::read_file() {
  const Token& token = cursor_.now();
  if (token.kind != TokenKind::text) cursor_.fail_expected("the name of a file in quotes");
  statement_.name = {std::string(token.text), 0, cursor_.span_of(token)};
  cursor_.advance();
  if (!rule_->clauses.empty()) read_clauses();
}

void StatementParser::read_definition() {
  const bool rates =
      rule_->kind == StatementKind::coordinate || rule_->kind == StatementKind::state;
  statement_.items.back().name = read_name("a name", rates);
  // `frame N` alone: that the name is reserved says all.
  if (is_ground(rule_->kind, statement_.items.back().name.text) && !cursor_.now().is('='))
    throw Abandoned();
  if (rule_->kind == StatementKind::state && cursor_.take_word("held"))
    statement_.items.back().is_held = true;
  read_value(statement_.items.back().value, rule_->value);
}

void StatementParser::read_function() {
  SyntaxItem& item = statement_.items.back();
  item.name = read_name("a name");
  const bool of_time =
      cursor_.now().is('(') && cursor_.ahead(1).is_word("t") && cursor_.ahead(2).is(')');
  if (!of_time) {
    cursor_.fail_expected("'(t)' after the name of a specified function",
                          "write " + item.name.text + "(t)");
  }
  for (int i = 0; i < 3; ++i) cursor_.advance();
  read_value(item.value, rule_->value);
}

// NAME(ARGUMENT, ...) [= EXPRESSION]; one a statement, since commas separate arguments.
void StatementParser::read_mapping() {
  const std::size_t place = cursor_.place();
  SyntaxItem item;
  item.name = read_name("a name for the function");
  if (!cursor_.take('('))
    cursor_.fail_expected("'(' and the function's arguments",
                          "write function " + item.name.text + "(x)");
  do {
    item.parameters.push_back(read_name("a name for an argument"));
  } while (cursor_.take(','));
  cursor_.expect(')');
  read_value(item.value, rule_->value);
  item.span = cursor_.span_from(place);
  statement_.items.push_back(std::move(item));
}

// NAME(VARIABLE), ... and the clauses of all of them.
void StatementParser::read_fields() {
  do {
    const std::size_t place = cursor_.place();
    SyntaxItem item;
    item.name = read_name("a name for the field");
    if (!cursor_.take('('))
      cursor_.fail_expected("'(' and the field's variable",
                            "write field " + item.name.text + "(x)");
    item.parameters.push_back(read_name("a name for the variable"));
    cursor_.expect(')');
    item.span = cursor_.span_from(place);
    statement_.items.push_back(std::move(item));
  } while (cursor_.take(','));
  read_clauses();
}

// NAME(t) stands for NAME where a value is set.
Expression StatementParser::read_target() {
  const bool of_time = cursor_.now().kind == TokenKind::name && cursor_.ahead(1).is('(') &&
                       cursor_.ahead(2).is_word("t") && cursor_.ahead(3).is(')');
  if (!of_time) return expressions_.read();
  const SyntaxName name = read_name("a name");
  for (int i = 0; i < 3; ++i) cursor_.advance();
  return {Expression::Kind::name, name.span, name.text};
}

void StatementParser::read_setting() {
  SyntaxItem& item = statement_.items.back();
  item.target = read_target();
  read_value(item.value, Presence::required);
}

// every TIME: NAME = VALUE, ...
void StatementParser::read_sampling() {
  if (!cursor_.take_word("every"))
    cursor_.fail_expected("'every' and the time between two samples");
  statement_.value = expressions_.read();
  cursor_.expect(':');
  read_list([this] { read_setting(); });
}

void StatementParser::read_listed_name() {
  const bool speeds =
      rule_->kind == StatementKind::dependent;  // q1' is the name of a default speed
  statement_.items.back().name = read_name("a name", speeds);
  if (cursor_.now().is('=')) {
    cursor_.fail_expected("',' or the end of the line",
                          "'" + rule_->keyword + "' takes names without values");
  }
}

void StatementParser::read_output() {
  const std::size_t place = cursor_.place();
  SyntaxItem& item = statement_.items.back();
  if (cursor_.now().kind == TokenKind::name && cursor_.ahead(1).is('=')) {
    item.name = read_name("a name");
    cursor_.advance();
  }
  item.target = expressions_.read();
  if (rule_->kind != StatementKind::plot || !cursor_.now().is_word("over")) return;
  item.span = cursor_.span_from(place);
  read_abscissa();
}

// over [NAME =] EXPRESSION: for the whole statement.
void StatementParser::read_abscissa() {
  cursor_.advance();
  statement_.items.emplace_back();
  SyntaxItem& item = statement_.items.back();
  item.is_abscissa = true;
  if (cursor_.now().kind == TokenKind::name && cursor_.ahead(1).is('=')) {
    item.name = read_name("a name");
    cursor_.advance();
  }
  item.target = expressions_.read();
  if (cursor_.now().is(',') || cursor_.now().is_word("over"))
    cursor_.fail_expected("the end of the line",
                          "`over` comes last and holds for the whole statement; write another "
                          "`plot` for other quantities");
}

void StatementParser::read_equation() {
  SyntaxItem& item = statement_.items.back();
  item.name = read_label();
  item.target = expressions_.read();
  read_value(item.value, Presence::required);
}

void StatementParser::read_object() {
  const Token& token = cursor_.now();
  const bool nameless = token.kind == TokenKind::name &&
                        find_clause(*rule_, token.text) != nullptr &&
                        cursor_.ahead(1).kind == TokenKind::name &&
                        find_clause(*rule_, cursor_.ahead(1).text) == nullptr;
  if (nameless) cursor_.fail_expected("a name for the " + rule_->keyword);
  statement_.name = read_name("a name for the " + rule_->keyword);
  read_clauses();
  read_value(statement_.value, rule_->value);
}

void StatementParser::read_roll() {
  statement_.name = read_label();
  statement_.items.emplace_back();
  statement_.items.back().target = expressions_.read();
  statement_.items.back().span = statement_.items.back().target->span;
  read_clauses();
}

// WORD NAME, or constant EXPRESSION [for these values]
void StatementParser::read_claim() {
  static const std::vector<std::string> words = {"invariant", "third_law", "constant", "holonomic",
                                                 "nonholonomic"};
  SyntaxItem& item = statement_.items.back();
  const SyntaxName word = read_name("what is claimed: " + list_words(words));
  if (std::find(words.begin(), words.end(), word.text) == words.end())
    cursor_.fail(word.span, "E-claim-word", "'" + word.text + "' is nothing that can be claimed",
                 "write " + list_words(words) + ", and a name");
  item.claim = word.text;
  if (word.text == "constant")
    item.target = expressions_.read();
  else
    item.name = read_name("the name of what is " + word.text);
  if (!cursor_.now().is_word("for")) return;
  cursor_.advance();
  for (const char* next : {"these", "values"}) {
    if (!cursor_.now().is_word(next)) cursor_.fail_expected("'for these values'");
    cursor_.advance();
  }
  item.is_for_these_values = true;
  if (word.text != "constant")
    cursor_.fail(word.span, "E-claim-word", "only `constant` can be claimed for these values",
                 "leave `for these values` out");
}

void StatementParser::read_case() {
  statement_.name = read_name("the name of the case");
  if (cursor_.now().kind == TokenKind::text) {
    statement_.documentation = std::string(cursor_.now().text);
    cursor_.advance();
  }
  cursor_.expect(':');
  if (cursor_.at_end()) {
    cursor_.fail(cursor_.span_of(cursor_.before()), "E-case-empty", "this case changes nothing",
                 "what it changes stands on the same line, or on the next after a ','");
  }
  read_list([this] { read_change(); });
}

void StatementParser::read_change() {
  SyntaxItem& item = statement_.items.back();
  if (cursor_.now().is_word("lock") && cursor_.ahead(1).kind == TokenKind::name) {
    cursor_.advance();
    item.is_lock = true;
    item.name = read_name("a coordinate");
    return;
  }
  item.target = read_target();
  if (cursor_.take('=')) {
    item.value = expressions_.read_start_value();
    return;
  }
  const bool bare = item.target->kind == Expression::Kind::name;
  cursor_.fail_expected("'='", bare ? "to lock a coordinate write: lock " + item.target->text : "");
}

}  // namespace visviva
