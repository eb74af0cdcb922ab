#include "visviva/text/syntax/expand_loops.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "visviva/base/suggest.h"
#include "visviva/base/utf8.h"
#include "visviva/text/syntax/limits.h"
#include "visviva/text/syntax/scan.h"

namespace visviva {
namespace {

constexpr std::int64_t largest = 1'000'000'000;
constexpr std::size_t most_tokens = 1'000'000;  // that loops may make

using Numbers = Counts;

/// What is wrong with an index, a count or the bound of a loop.
struct WholeProblem {
  std::string message, help;
};

/// Whole numbers, names of them, + - * / and brackets.
class WholeNumber {
 public:
  WholeNumber(std::string_view text, const Numbers& numbers) : text_(text), numbers_(numbers) {}

  std::int64_t read() {
    const std::int64_t value = read_sum();
    skip();
    if (at_ < text_.size()) fail("'" + std::string(text_) + "' is no whole number", "");
    return value;
  }

 private:
  [[noreturn]] static void fail(std::string message, std::string help) {
    throw WholeProblem{std::move(message), std::move(help)};
  }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::int64_t bounded(std::int64_t value) const {
    if (value > largest || value < -largest) fail("'" + std::string(text_) + "' is too large", "");
    return value;
  }

  std::int64_t read_sum() {
    std::int64_t sum = read_product();
    while (true) {
      if (take('+'))
        sum = bounded(sum + read_product());
      else if (take('-'))
        sum = bounded(sum - read_product());
      else
        return sum;
    }
  }

  std::int64_t read_product() {
    std::int64_t product = read_factor();
    while (true) {
      if (take('*')) {
        product = bounded(product * read_factor());
      } else if (take('/')) {
        const std::int64_t by = read_factor();
        if (by == 0 || product % by != 0)
          fail("'" + std::string(text_) + "' is no whole number", "");
        product /= by;
      } else {
        return product;
      }
    }
  }

  std::int64_t read_factor() {
    if (take('-')) return -read_factor();
    if (take('(')) {
      const std::int64_t value = read_sum();
      if (!take(')')) fail("a ')' is missing in '" + std::string(text_) + "'", "");
      return value;
    }
    skip();
    const std::size_t end = scan_name(text_, at_);
    if (end > at_) return read_number_of(text_.substr(at_, end - at_), end);
    std::int64_t value = 0;
    const auto [rest, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value > largest)
      fail("'" + std::string(text_) + "' is no whole number", "");
    at_ = static_cast<std::size_t>(rest - text_.data());
    if (at_ < text_.size() && text_[at_] == '.')
      fail("'" + std::string(text_) + "' is no whole number", "");
    return value;
  }

  std::int64_t read_number_of(std::string_view name, std::size_t end) {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) {
      std::vector<std::string> names;
      for (const auto& n : numbers_) names.push_back(n.first);
      const std::string help = did_you_mean(std::string(name), names);
      fail("'" + std::string(name) + "' is no `count` and no variable of a `for` around this",
           help.empty() ? "whole numbers have names by `count " + std::string(name) + " = 3`"
                        : help);
    }
    at_ = end;
    return found->second;
  }

  std::string_view text_;
  const Numbers& numbers_;
  std::size_t at_ = 0;
};

class LoopExpander {
 public:
  LoopExpander(const SourceText& source, TokenList* list, const Counts& counts)
      : source_(source), list_(*list), numbers_(counts) {
    if (!list_.made) list_.made = std::make_shared<std::deque<std::string>>();
  }

  const Counts& counts() const { return counts_; }

  void expand() {
    if (!has_work()) return;
    std::vector<Token> tokens = std::move(list_.tokens);
    read_counts(tokens);
    counts_ = numbers_;
    for (std::size_t begin = 0; begin < tokens.size();) {
      std::size_t end = begin;
      while (end + 1 < tokens.size() && tokens[end].kind != TokenKind::end) ++end;
      write({tokens.data() + begin, end + 1 - begin});
      begin = end + 1;
    }
  }

 private:
  struct Statement {
    const Token* tokens;
    std::size_t size;  // the end of the statement is the last
    const Token& operator[](std::size_t i) const { return tokens[i]; }
    Statement from(std::size_t i) const { return {tokens + i, size - i}; }
  };

  bool has_work() const {
    return std::any_of(list_.tokens.begin(), list_.tokens.end(), [](const Token& t) {
      return t.kind == TokenKind::name &&
             (t.text == "for" || t.text == "count" || t.text.find('[') != std::string_view::npos);
    });
  }

  // ---- Counts

  // Wherever they stand: declarations are free in order, those of counts by
  // other counts too.
  void read_counts(std::vector<Token>& tokens) {
    for (bool is_new = true; is_new;) {
      is_new = false;
      for_each_count(tokens, [&](Token& name, const std::string& text, std::size_t) {
        if (numbers_.contains(name.text)) return;
        try {
          const std::int64_t value = WholeNumber(text, numbers_).read();
          is_new = numbers_.emplace(std::string(name.text), value).second || is_new;
        } catch (const WholeProblem&) {
        }
      });
    }
    for_each_count(tokens, [&](Token& name, const std::string& text, std::size_t value) {
      try {
        if (!numbers_.contains(name.text)) WholeNumber(text, numbers_).read();
      } catch (const WholeProblem& problem) {
        report(tokens[value], "E-count-value", problem);
      }
    });
  }

  // count NAME = VALUE, ...
  template <class Work>
  void for_each_count(std::vector<Token>& tokens, const Work& work) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const bool starts = i == 0 || tokens[i - 1].kind == TokenKind::end;
      if (!starts || !tokens[i].is_word("count")) continue;
      for (++i; tokens[i].kind == TokenKind::name && tokens[i + 1].is('=');) {
        const std::size_t name = i, value = i + 2;
        std::string text;
        for (i = value; !is_end_of_value(tokens[i]); ++i)
          text += (i > value ? " " : "") + word_of(tokens[i]);
        if (i > value) work(tokens[name], text, value);
        if (!tokens[i].is(',')) break;
        ++i;
      }
      while (tokens[i].kind != TokenKind::end) ++i;
    }
  }

  static bool is_end_of_value(const Token& t) {
    return t.kind == TokenKind::end || t.kind == TokenKind::text || t.is(',') || t.is(':');
  }

  static std::string word_of(const Token& t) {
    return std::string(t.text) + (t.unit.empty() ? "" : " " + std::string(t.unit)) +
           std::string(static_cast<std::size_t>(t.primes), '\'');
  }

  // ---- Statements

  void write(const Statement& s) {
    if (s[0].is_word("for")) return write_loop(s);
    if (s[0].is_word("count")) return write_count(s);
    for (std::size_t i = 0; i < s.size; ++i) {
      const bool is_letter_of_frame = i > 0 && s[i - 1].is('.');
      write_token(s[i], is_letter_of_frame || i + 1 >= s.size || s[i + 1].is('('));
    }
  }

  // Its values as numbers: they are scalars, too.
  void write_count(const Statement& s) {
    for (std::size_t i = 0; i < s.size; ++i) {
      add(s[i]);
      const bool is_value = s[i].is('=') && i > 0 && numbers_.contains(s[i - 1].text);
      if (!is_value) continue;
      Token number = s[i + 1];
      set_number(&number, numbers_.find(s[i - 1].text)->second);
      while (!is_end_of_value(s[i + 1])) ++i;
      add(number);
    }
  }

  // for NAME in FIRST to LAST: STATEMENT
  void write_loop(const Statement& s) {
    const auto expect = [&](std::size_t i, const std::string& what) {
      if (i >= s.size) i = s.size - 1;
      report(s[i], "E-loop-form", {"expected " + what, "for i in 1 to n: STATEMENT"});
    };
    if (s[1].kind != TokenKind::name || s[1].primes > 0) return expect(1, "a name to count by");
    if (!s[2].is_word("in")) return expect(2, "'in'");
    std::size_t to = 3, colon = 3;
    while (to < s.size && !s[to].is_word("to") && !s[to].is(':')) ++to;
    if (to + 1 >= s.size || !s[to].is_word("to")) return expect(to, "'to' and the last number");
    for (colon = to; colon < s.size && !s[colon].is(':');) ++colon;
    if (colon + 1 >= s.size) return expect(colon, "':' and a statement");
    if (s[colon + 1].kind == TokenKind::end) return expect(colon + 1, "a statement");
    const auto first = read_bound(s, 3, to), last = read_bound(s, to + 1, colon);
    if (!first || !last) return;
    repeat(s[1], *first, *last, s.from(colon + 1));
  }

  std::optional<std::int64_t> read_bound(const Statement& s, std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) text += (i > begin ? " " : "") + word_of(s[i]);
    try {
      return WholeNumber(text, numbers_).read();
    } catch (const WholeProblem& problem) {
      report(s[begin], "E-loop-form", problem);
      return {};
    }
  }

  void repeat(const Token& variable, std::int64_t first, std::int64_t last, const Statement& s) {
    const std::string name(variable.text);
    if (numbers_.contains(name))
      return report(variable, "E-name-twice",
                    {"'" + name + "' is a `count` or the variable of a `for` around this already",
                     "choose another name"});
    const std::string* const outer = pass_;
    variables_.push_back(name);
    const std::size_t begin = list_.tokens.size();
    for (std::int64_t i = first; i <= last; ++i) {
      if (list_.tokens.size() > most_tokens) {
        report(variable, "E-loop-size",
               {"the loops of this text make too many statements",
                "let the last number of a loop be smaller"});
        list_.tokens.resize(begin);
        break;
      }
      numbers_[name] = i;
      const std::string here = name + " = " + std::to_string(i);
      pass_ = &list_.made->emplace_back(outer == nullptr ? here : *outer + ", " + here);
      write(s);
    }
    pass_ = outer;
    variables_.pop_back();
    numbers_.erase(name);
  }

  // ---- Tokens

  void add(Token t) {
    t.pass = pass_;
    list_.tokens.push_back(t);
  }

  void set_number(Token* t, std::int64_t value) {
    t->kind = TokenKind::number;
    t->text = list_.made->emplace_back(std::to_string(std::abs(value)));
    t->unit = {};
    t->primes = 0;
  }

  // The variable of a loop as a number, save where it is another name's part or
  // a function.
  void write_token(Token t, bool is_no_scalar) {
    if (t.kind != TokenKind::name) return add(t);
    if (t.text.find('[') != std::string_view::npos) return write_indexed(t);
    const bool is_variable =
        !is_no_scalar && t.primes == 0 &&
        std::find(variables_.begin(), variables_.end(), t.text) != variables_.end();
    if (!is_variable) return add(t);
    const std::int64_t value = numbers_.find(t.text)->second;
    if (value < 0) {
      Token sign = t;
      sign.kind = TokenKind::symbol;
      sign.text = list_.made->emplace_back("(");
      add(sign);
      sign.text = list_.made->emplace_back("-");
      add(sign);
    }
    Token number = t;
    set_number(&number, value);
    add(number);
    if (value >= 0) return;
    number.kind = TokenKind::symbol;
    number.text = list_.made->emplace_back(")");
    add(number);
  }

  // Q[i - 1]cm is the name Q[0]cm, M[i, j] the name M[1][2].
  void write_indexed(Token t) {
    std::string name;
    std::string_view rest = t.text;
    try {
      while (true) {
        const std::size_t open = rest.find('[');
        name += rest.substr(0, open);
        if (open == std::string_view::npos) break;
        const std::size_t close = rest.find(']', open);
        std::string_view indices = rest.substr(open + 1, close - open - 1);
        for (std::size_t comma = 0; comma != std::string_view::npos;) {
          comma = indices.find(',');
          name += "[" + read_index(indices.substr(0, comma), t.text) + "]";
          if (comma != std::string_view::npos) indices.remove_prefix(comma + 1);
        }
        rest.remove_prefix(close + 1);
      }
      t.text = list_.made->emplace_back(std::move(name));
    } catch (const WholeProblem& problem) {
      report(t, "E-index", problem);
      t.kind = TokenKind::broken;
    }
    add(t);
  }

  std::string read_index(std::string_view text, std::string_view name) const {
    if (text.find_first_not_of(' ') == std::string_view::npos)
      throw WholeProblem{"'" + std::string(name) + "' has an index without a number", ""};
    const std::int64_t value = WholeNumber(text, numbers_).read();
    if (value < 0)
      throw WholeProblem{"the index of '" + std::string(name) + "' is " + std::to_string(value),
                         "indices are whole numbers from 0"};
    return std::to_string(value);
  }

  void report(const Token& t, const char* code, const WholeProblem& problem) {
    if (list_.diagnostics.size() >= most_problems) return;
    Token here = t;
    here.pass = pass_;
    list_.diagnostics.push_back(
        {Severity::error, code, problem.message, problem.help, make_span(source_, here, here)});
  }

  const SourceText& source_;
  TokenList& list_;
  Counts counts_;                       // without variables of loops
  Numbers numbers_;                     // counts, and the variables of the loops around
  std::vector<std::string> variables_;  // of the loops around
  const std::string* pass_ = nullptr;
};

}  // namespace

void expand_loops(const SourceText& source, TokenList* list, Counts* counts) {
  LoopExpander expander(source, list, *counts);
  expander.expand();
  counts->insert(expander.counts().begin(), expander.counts().end());
}

}  // namespace visviva
