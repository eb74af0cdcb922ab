// TokenCursor: the parser's place among the tokens, and how it says what it found and what it
// expected.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/text/syntax/token.h"

namespace visviva {

/// Thrown and caught inside the parser: what is being read cannot be read on, and why has been
/// reported.
struct Abandoned {};

class TokenCursor {
 public:
  TokenCursor(const SourceText& source, const std::vector<Token>& tokens,
              std::vector<Diagnostic>& diagnostics)
      : source_(source), tokens_(tokens), diagnostics_(diagnostics) {}

  /// The functions that the text declares, wherever it does.
  void set_functions(const std::set<std::string>& names) { functions_ = names; }
  const std::set<std::string>& functions() const { return functions_; }

  bool done() const { return at_ >= tokens_.size(); }
  const Token& now() const { return tokens_[at_]; }
  /// The token n further on; the end of the statement when it ends before.
  const Token& ahead(std::size_t n) const;
  /// The last token that was read in this statement (the current one when there is none).
  const Token& before() const;

  const Token& token(std::size_t place) const { return tokens_[place]; }

  void advance();
  bool take(char sign);
  bool take_word(std::string_view word);
  bool at_end() const { return now().kind == TokenKind::end; }
  /// Goes to the next ',' outside brackets, or to the end of the statement.
  void skip_item();
  /// Goes past the end of the statement; `help` of expectations falls back to `syntax` until the
  /// next one.
  void next_statement();
  void set_syntax_help(const std::string& syntax) { syntax_help_ = syntax; }
  /// Silences further reports in this statement: it is read as what it probably was meant to be.
  void set_quiet() { quiet_ = true; }

  /// True when a bracket of this statement is never closed, which has been reported.
  bool has_open_bracket() const;

  std::size_t place() const { return at_; }
  /// The span from the token at a place() to the last token read.
  SourceSpan span_from(std::size_t place) const;
  SourceSpan span_of(const Token& token) const { return make_span(source_, token, token); }

  /// Reports an error; the caller goes on.
  void report(const SourceSpan& span, const std::string& code, const std::string& message,
              const std::string& help);
  void warn(const SourceSpan& span, const std::string& code, const std::string& message,
            const std::string& help);
  [[noreturn]] void fail(const SourceSpan& span, const std::string& code,
                         const std::string& message, const std::string& help);
  /// Fails with "expected X, found Y" at the current token.
  [[noreturn]] void fail_expected(const std::string& expected, const std::string& help = "");
  void expect(char sign);
  /// True when something was reported in this statement.
  bool damaged() const { return damaged_; }
  void set_damaged() { damaged_ = true; }

 private:
  void fail_special(const std::string& expected);
  [[noreturn]] void fail_after_number();

  const SourceText& source_;
  const std::vector<Token>& tokens_;
  std::vector<Diagnostic>& diagnostics_;
  std::size_t at_ = 0;
  std::size_t statement_ = 0;
  int brackets_ = 0;
  std::string syntax_help_;
  std::set<std::string> functions_;
  bool quiet_ = false;
  bool damaged_ = false;
};

/// A token in words: "'x'", "the number 2 m", "the end of the line".
std::string describe_token(const Token& token);

}  // namespace visviva
