#include "visviva/text/syntax/colour_text.h"

#include <algorithm>

#include "visviva/text/grammar/grammar.h"
#include "visviva/text/syntax/lexer.h"

namespace visviva {
namespace {

class Colouring {
 public:
  explicit Colouring(const SourceText& source) : text_(source.text), list_(make_tokens(source)) {}

  std::vector<TextSpan> colour() {
    std::size_t done = 0;
    bool is_first = true;
    for (std::size_t i = 0; i < list_.tokens.size(); ++i) {
      const Token& token = list_.tokens[i];
      add_comments(done, token.begin);
      if (token.kind == TokenKind::end) {
        is_first = true;
        continue;
      }
      if (is_first) rule_ = find_statement(token.text);
      add_token(token, is_first, is_call(i));
      is_first = false;
      done = std::max(done, token.end);
    }
    add_comments(done, text_.size());
    return std::move(spans_);
  }

 private:
  void add(std::size_t begin, std::size_t end, TextKind kind) {
    if (begin < end) spans_.push_back({begin, end, kind});
  }

  // Between tokens there are blanks, ends of lines and comments.
  void add_comments(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end;) {
      at = text_.find('#', at);
      if (at >= end) return;
      const std::size_t line_end = std::min(text_.find_first_of("\r\n", at), text_.size());
      add(at, line_end, TextKind::comment);
      at = line_end;
    }
  }

  bool is_call(std::size_t i) const {
    return i + 1 < list_.tokens.size() && list_.tokens[i + 1].is('(') &&
           find_function(list_.tokens[i].text) != nullptr;
  }

  void add_token(const Token& token, bool is_first, bool is_function) {
    switch (token.kind) {
      case TokenKind::text:
        return add(token.begin, token.end, TextKind::text);
      case TokenKind::number: {
        const std::size_t number_end = token.end - token.unit.size();
        add(token.begin, token.unit.empty() ? token.end : number_end - 1, TextKind::number);
        return add(number_end, token.end, TextKind::unit);
      }
      case TokenKind::name:
        if (is_first && rule_ != nullptr) return add(token.begin, token.end, TextKind::keyword);
        if (!is_first && is_clause(token)) return add(token.begin, token.end, TextKind::clause);
        if (is_function) return add(token.begin, token.end, TextKind::function);
        return;
      default:
        return;
    }
  }

  bool is_clause(const Token& token) const {
    return rule_ != nullptr && token.primes == 0 && find_clause(*rule_, token.text) != nullptr;
  }

  std::string_view text_;
  TokenList list_;
  const StatementRule* rule_ = nullptr;
  std::vector<TextSpan> spans_;
};

}  // namespace

std::vector<TextSpan> colour_text(const SourceText& source) { return Colouring(source).colour(); }

}  // namespace visviva
