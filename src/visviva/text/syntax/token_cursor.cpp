#include "visviva/text/syntax/token_cursor.h"

#include <algorithm>

#include "visviva/base/unit.h"
#include "visviva/text/grammar/grammar.h"
#include "visviva/text/syntax/limits.h"

namespace visviva {
namespace {

constexpr std::size_t longest_quoted = 60;  // bytes of a token repeated in a message

std::string clip(std::string_view text) {
  if (text.size() <= longest_quoted) return std::string(text);
  std::size_t end = longest_quoted;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace

const Token& TokenCursor::ahead(std::size_t n) const {
  std::size_t i = at_;
  while (n > 0 && tokens_[i].kind != TokenKind::end) {
    ++i;
    --n;
  }
  return tokens_[i];
}

const Token& TokenCursor::before() const { return tokens_[at_ > statement_ ? at_ - 1 : at_]; }

void TokenCursor::advance() {
  if (at_end()) return;
  if (now().is('(')) ++brackets_;
  if (now().is(')')) --brackets_;
  ++at_;
}

bool TokenCursor::take(char sign) {
  if (!now().is(sign)) return false;
  advance();
  return true;
}

bool TokenCursor::take_word(std::string_view word) {
  if (!now().is_word(word)) return false;
  advance();
  return true;
}

void TokenCursor::skip_item() {
  const bool enough = diagnostics_.size() >= most_problems;
  while (!at_end() && (enough || !(now().is(',') && brackets_ == 0))) advance();
}

bool TokenCursor::has_open_bracket() const {
  int open = 0;
  std::size_t i = statement_;
  for (; tokens_[i].kind != TokenKind::end; ++i) {
    if (tokens_[i].is('(')) ++open;
    if (tokens_[i].is(')')) --open;
  }
  return open > 0 && tokens_[i - 1].kind == TokenKind::broken;
}

void TokenCursor::next_statement() {
  while (!at_end()) advance();
  ++at_;
  statement_ = at_;
  brackets_ = 0;
  syntax_help_.clear();
  quiet_ = damaged_ = false;
}

SourceSpan TokenCursor::span_from(std::size_t place) const {
  const Token& first = tokens_[place];
  return make_span(source_, first, at_ > place ? tokens_[at_ - 1] : first);
}

void TokenCursor::report(const SourceSpan& span, const std::string& code,
                         const std::string& message, const std::string& help) {
  damaged_ = true;
  if (quiet_ || diagnostics_.size() >= most_problems) return;
  diagnostics_.push_back({Severity::error, code, message, help, span});
}

void TokenCursor::warn(const SourceSpan& span, const std::string& code, const std::string& message,
                       const std::string& help) {
  if (quiet_ || diagnostics_.size() >= most_problems) return;
  diagnostics_.push_back({Severity::warning, code, message, help, span});
}

void TokenCursor::fail(const SourceSpan& span, const std::string& code, const std::string& message,
                       const std::string& help) {
  report(span, code, message, help);
  throw Abandoned();
}

// What is better explained by more than "expected, found".
void TokenCursor::fail_special(const std::string& expected) {
  const Token& token = now();
  if (token.is('[')) {
    fail(span_of(token), "E-reserved-index",
         "an index follows its name directly, and is closed on the same line",
         "write q[1], without a blank");
  }
  if (at_ == statement_) return;
  if (before().kind == TokenKind::number && before().unit.empty() && token.kind == TokenKind::name)
    fail_after_number();
  // The word that starts a statement may be a function's too: `force`.
  if (at_ > statement_ + 1 && before().kind == TokenKind::name && before().primes == 0 &&
      (token.kind == TokenKind::name || token.kind == TokenKind::number) &&
      find_function(before().text) != nullptr) {
    report(
        span_of(token), "E-syntax-expected",
        "expected '(' after '" + std::string(before().text) + "', found " + describe_token(token),
        "arguments stand in brackets: " + std::string(before().text) + "(...)");
    set_quiet();
    throw Abandoned();
  }
  if (token.is('=') && before().is('=')) {
    fail(span_of(token), "E-syntax-expected", "expected " + expected + ", found a second '='",
         "write a single '='");
  }
  if (token.is('*') && before().is('*')) {
    fail(span_of(token), "E-syntax-expected", "expected " + expected + ", found a second '*'",
         "powers are written x^2");
  }
}

// A word after a number was meant as a unit, or as a factor.
void TokenCursor::fail_after_number() {
  const Token& token = now();
  const std::string number = clip(before().text), name = clip(token.text);
  const bool one_blank = token.begin == before().end + 1 && source_.text[before().end] == ' ';
  const bool is_unit = token.primes == 0 && find_unit(token.text).has_value();
  if (is_unit && !one_blank) {
    fail(span_of(token), "E-unit-blank", "a unit stands exactly one blank after its number",
         "write " + number + " " + name);
  }
  const std::string product = "for a product write " + number + "*" + name;
  // Followed by '.', '(' or a prime it is no unit, whatever its name.
  if (is_unit || token.primes > 0 || ahead(1).is('.') || ahead(1).is('(')) {
    fail(span_of(token), "E-syntax-expected",
         "expected an operator after a number, found " + describe_token(token), product);
  }
  const std::string help = suggest_unit(token.text);
  fail(span_of(token), "E-unit-unknown", "'" + name + "' is not a unit",
       help.empty() ? product : help);
}

void TokenCursor::fail_expected(const std::string& expected, const std::string& help) {
  // What is broken has been reported where it was read.
  if (now().kind == TokenKind::broken) {
    damaged_ = true;
    throw Abandoned();
  }
  fail_special(expected);
  fail(span_of(now()), "E-syntax-expected",
       "expected " + expected + ", found " + describe_token(now()),
       help.empty() ? syntax_help_ : help);
}

void TokenCursor::expect(char sign) {
  if (!take(sign)) fail_expected(std::string("'") + sign + "'");
}

std::string describe_token(const Token& token) {
  switch (token.kind) {
    case TokenKind::number:
      return "the number " + clip(token.text) + (token.unit.empty() ? "" : " " + clip(token.unit));
    case TokenKind::text:
      return "the text \"" + clip(token.text) + "\"";
    case TokenKind::end:
      return "the end of the line";
    case TokenKind::name:
      return "'" + clip(token.text) + std::string(static_cast<std::size_t>(token.primes), '\'') +
             "'";
    default:
      return "'" + clip(token.text) + "'";
  }
}

}  // namespace visviva
