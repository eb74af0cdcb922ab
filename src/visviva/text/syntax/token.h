// Tokens: the words, numbers and signs of a model's text, each with its place.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/base/source_text.h"

namespace visviva {

/// The kind of a token.
enum class TokenKind {
  name,
  number,
  text,    ///< "..."
  symbol,  ///< one of + - * / ^ = ( ) [ , . :
  broken,  ///< something already reported; what holds it cannot be read
  end      ///< of a statement
};

/// A word, number or sign, and where it stands.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view
      text;  ///< a name without primes, with its indices; a number without unit, a text without quotes
  std::string_view unit;  ///< of a number, as typed; empty when it has none
  int primes = 0;         ///< of a name
  std::size_t begin = 0;  ///< bytes from the start of the file
  std::size_t end = 0;
  int line = 1;
  int column = 1;                     ///< in characters
  bool after_blank = false;           ///< something separates it from the token before
  const std::string* pass = nullptr;  ///< of a statement that a `for` repeats: "i = 3"

  bool is(char sign) const { return kind == TokenKind::symbol && text[0] == sign; }
  bool is_word(std::string_view word) const {
    return kind == TokenKind::name && primes == 0 && text == word;
  }
};

/// The tokens of a text, and what is wrong with them.
struct TokenList {
  std::vector<Token> tokens;  ///< the last one ends a statement; views into the source's text
  std::vector<Diagnostic> diagnostics;
  std::shared_ptr<std::deque<std::string>>
      made;  ///< texts of tokens that do not stand in the source
};

/// The place from the start of one token to the end of another, cut at the first line's end.
SourceSpan make_span(const SourceText& source, const Token& first, const Token& last);

}  // namespace visviva
