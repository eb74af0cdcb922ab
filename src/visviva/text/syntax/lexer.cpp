#include "visviva/text/syntax/lexer.h"

#include <algorithm>
#include <utility>

#include "visviva/base/unit.h"
#include "visviva/base/utf8.h"
#include "visviva/text/syntax/limits.h"
#include "visviva/text/syntax/scan.h"

namespace visviva {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Signs that people copy from documents, or bring from other languages.
std::string help_for_character(char32_t c) {
  switch (c) {
    case 0x2212:
    case 0x2013:
    case 0x2014:
      return "use '-'";
    case 0xb7:
    case 0xd7:
    case 0x22c5:
      return "use '*'";
    case 0xf7:
      return "use '/'";
    case 0xb2:
    case 0xb3:
      return "powers are written x^2";
    case 0xb0:
      return "degree is written 'deg'";
    case 0xa0:
      return "this is a no-break blank: use a plain one";
    case '\'':
    case 0x2032:
    case 0x2019:
      return "a rate is written with ' directly after a name: x'";
    case 0x201c:
    case 0x201d:
    case 0x201e:
      return "a text stands between two plain quotes: \"text\"";
    case ';':
      return "one statement a line, without ';'";
    case ']':
    case '{':
    case '}':
      return "brackets are '(' and ')'";
    case '<':
    case '>':
    case '!':
    case '&':
    case '|':
      return "the language has no comparisons; see min, max, abs, sign and step";
    default:
      return is_control(c) ? "this character cannot be seen: remove it" : "";
  }
}

class Lexer {
 public:
  explicit Lexer(const SourceText& source) : source_(source), text_(source.text) {}

  TokenList read() {
    if (!check_file()) return finish();
    if (text_.substr(0, byte_order_mark.size()) == byte_order_mark) {
      at_ = line_begin_ = byte_order_mark.size();
    }
    while (at_ < text_.size()) read_one();
    report_open_bracket();
    end_statement();
    return finish();
  }

 private:
  TokenList finish() {
    if (list_.tokens.empty() || list_.tokens.back().kind != TokenKind::end)
      add(TokenKind::end, at_, at_);
    return std::move(list_);
  }

  // What makes the whole file unreadable.
  bool check_file() {
    if (text_.size() > largest_file) {
      report(0, 0, "E-file-large",
             "the file has " + std::to_string(text_.size()) + " bytes; at most " +
                 std::to_string(largest_file) + " are read",
             "");
      return false;
    }
    const bool wide = text_.substr(0, 2) == "\xff\xfe" || text_.substr(0, 2) == "\xfe\xff";
    const std::size_t invalid = find_invalid_utf8(text_);
    const std::size_t zero = text_.find('\0');
    if (wide || zero < invalid) {
      const std::size_t place = wide ? 0 : zero;
      report_place_of_byte(place, "E-file-binary",
                           "this is not a text: a zero byte or a UTF-16 mark is in it",
                           "save the model as plain text in UTF-8");
      return false;
    }
    if (invalid != std::string_view::npos) {
      report_place_of_byte(invalid, "E-file-utf8", "this byte is not valid UTF-8",
                           "save the model as UTF-8");
      return false;
    }
    return true;
  }

  void report_place_of_byte(std::size_t offset, const char* code, const char* message,
                            const char* help) {
    const std::string_view before = text_.substr(0, offset);
    for (std::size_t i = 0; i < offset; ++i) {
      if (text_[i] == '\n' || (text_[i] == '\r' && text_.substr(i + 1, 1) != "\n")) {
        ++line_;
        line_begin_ = i + 1;
      }
    }
    if (line_ == 1 && before.substr(0, 3) == byte_order_mark) line_begin_ = 3;
    report(offset, offset, code, message, help);
  }

  void read_one() {
    const char c = text_[at_];
    if (c == ' ' || c == '\t') return advance_blank();
    if (c == '\n' || c == '\r') return read_line_end();
    if (c == '#') return skip_comment();
    if (c == '"') return read_text();
    if (!is_dot_after_name() && scan_number(text_, at_).end != at_) return read_number();
    if (scan_name(text_, at_) != at_) return read_name();
    if (std::string_view("+-*/^=()[,.:").find(c) != std::string_view::npos) return read_symbol();
    read_unknown();
  }

  // A.3 is a wrong axis, not a name and a number.
  bool is_dot_after_name() const {
    return text_[at_] == '.' && !blank_ && list_.tokens.back().kind == TokenKind::name;
  }

  void advance_blank() {
    ++at_;
    blank_ = true;
  }

  void skip_comment() {
    const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
    check_controls(at_, end);
    at_ = end;
  }

  void read_line_end() {
    const std::size_t end_of_line = at_;
    at_ += text_.substr(at_, 2) == "\r\n" ? 2 : 1;
    blank_ = true;
    if (!line_goes_on(end_of_line)) end_statement();
    ++line_;
    line_begin_ = at_;
  }

  // True when the statement continues; reports a loose end before a line that clearly starts
  // another statement.
  bool line_goes_on(std::size_t end_of_line) {
    if (list_.tokens.empty() || list_.tokens.back().kind == TokenKind::end) return true;
    const Token last = list_.tokens.back();
    const bool loose = last.kind == TokenKind::symbol &&
                       std::string_view("+-*/^=,").find(last.text[0]) != std::string_view::npos;
    if (!loose && open_.empty()) return false;
    // Blank lines and comments before the next line change nothing.
    if (end_of_line < next_line_) return true;
    next_line_ = scan_next_line(text_, end_of_line);
    // After a whole operand no name can follow, so that a keyword starts a statement whatever comes
    // after it.
    const std::string_view keyword = ends_operand(last) ? scan_leading_keyword(text_, next_line_)
                                                        : scan_statement_keyword(text_, next_line_);
    const bool locks_in_case =
        keyword == "lock" && list_.tokens[statement_].is_word("case") && last.is(',');
    if (keyword.empty() || locks_in_case) return true;
    if (!open_.empty()) {
      report_open_bracket();
    } else {
      report_token(last, "E-line-continues",
                   "the line ends in '" + std::string(last.text) +
                       "' but the next one starts with '" + std::string(keyword) + "'",
                   "remove the '" + std::string(last.text) + "', or finish the statement");
      add(TokenKind::broken, last.end, last.end);
    }
    return false;
  }

  static bool ends_operand(const Token& token) {
    return token.kind == TokenKind::name || token.kind == TokenKind::number ||
           token.kind == TokenKind::text || token.is(')');
  }

  void report_open_bracket() {
    if (open_.empty()) return;
    report_token(list_.tokens[open_.back()], "E-bracket-open", "this bracket is never closed",
                 "add ')'");
    add(TokenKind::broken, at_, at_);
    open_.clear();
  }

  void end_statement() {
    open_.clear();
    if (list_.tokens.empty() || list_.tokens.back().kind == TokenKind::end) return;
    Token end = list_.tokens.back();
    end.column += static_cast<int>(count_characters(text_.substr(end.begin, end.end - end.begin)));
    end = {TokenKind::end, {}, {}, 0, end.end, end.end, end.line, end.column, false};
    list_.tokens.push_back(end);
    statement_ = list_.tokens.size();
  }

  void read_text() {
    const std::size_t begin = at_;
    const std::size_t end = std::min(text_.find_first_of("\"\r\n", at_ + 1), text_.size());
    const bool closed = end < text_.size() && text_[end] == '"';
    at_ = closed ? end + 1 : end;
    if (!closed) {
      report(begin, end, "E-text-open", "this text has no closing quote",
             "a text ends on its line with '\"'");
      return add(TokenKind::broken, begin, end);
    }
    if (!check_controls(begin + 1, end)) return add(TokenKind::broken, begin, at_);
    add(TokenKind::text, begin, at_);
    list_.tokens.back().text = text_.substr(begin + 1, end - begin - 1);
  }

  // Characters that cannot be seen have no place, not even in comments and texts.
  bool check_controls(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      const Character c = decode_utf8(text_, i);
      if (is_control(c.code)) {
        report(i, i + c.size, "E-character",
               "the invisible character " + describe_character(c.code, text_.substr(i, c.size)) +
                   " is not allowed",
               "remove it");
        return false;
      }
      i += c.size;
    }
    return true;
  }

  void read_number() {
    const std::size_t begin = at_;
    const NumberScan number = scan_number(text_, begin);
    const std::size_t word = scan_name(text_, number.end);
    const bool again = text_.substr(number.end, 1) == ".";
    at_ = number.end;
    if (!number.complete || word != number.end || again)
      return read_broken_number(begin, number, word);
    add(TokenKind::number, begin, number.end);
    // Exactly one blank, then a unit.
    if (text_.substr(number.end, 1) != " ") return;
    const std::size_t unit = number.end + 1;
    const std::size_t end = scan_unit(text_, unit);
    if (end == unit) return;
    Token& token = list_.tokens.back();
    token.unit = text_.substr(unit, end - unit);
    token.end = at_ = end;
    check_unit(unit, token.unit);
  }

  void check_unit(std::size_t begin, std::string_view unit) {
    const UnitReading reading = parse_unit(unit);
    const std::size_t end = begin + unit.size();
    if (!reading.unit) {
      report(begin, end, reading.problem.code.c_str(), reading.problem.message,
             reading.problem.help);
      list_.tokens.back().kind = TokenKind::broken;
    } else if (text_.substr(end, 1) == "^") {
      report(begin, end + 1, "E-unit-power",
             "the power of a unit is a whole number, such as m^2 or s^-1",
             "for a power of the whole quantity put it in brackets: (2 m)^x");
      list_.tokens.back().kind = TokenKind::broken;
    }
  }

  void read_broken_number(std::size_t begin, const NumberScan& number, std::size_t word) {
    const std::string digits(text_.substr(begin, number.end - begin));
    const std::string stuck(text_.substr(number.end, word - number.end));
    at_ = std::max(word, number.end);
    if (!stuck.empty() && number.complete && find_unit(stuck)) {
      report(begin, word, "E-unit-blank", "between a number and its unit stands one blank",
             "write " + digits + " " + stuck);
    } else if (!stuck.empty() && number.complete) {
      report(begin, word, "E-number-form",
             "'" + digits + stuck + "' is neither a number nor a name",
             "write " + digits + "*" + stuck + " for a product");
    } else {
      while (scan_number(text_, at_).end != at_) at_ = scan_number(text_, at_).end;
      report(begin, at_, "E-number-form",
             "'" + std::string(text_.substr(begin, at_ - begin)) + "' is not a number",
             "numbers are written 2, 0.5 or 1e-3");
    }
    add(TokenKind::broken, begin, at_);
  }

  void read_name() {
    const std::size_t begin = at_;
    const std::size_t end = at_ = scan_indexed_name(text_, at_);
    while (at_ < text_.size() && text_[at_] == '\'') ++at_;
    add(TokenKind::name, begin, at_);
    Token& token = list_.tokens.back();
    token.text = text_.substr(begin, end - begin);
    token.primes = static_cast<int>(std::min<std::size_t>(at_ - end, 3));
    if (token.primes > 2) {
      report(begin, at_, "E-prime-count", "a name has at most two primes",
             "x' is the rate of x and x'' its second rate");
      list_.tokens.back().kind = TokenKind::broken;
    } else if (end - begin > longest_name && count_characters(token.text) > longest_name) {
      report(begin, end, "E-name-long",
             "this name has more than " + std::to_string(longest_name) + " characters", "");
      list_.tokens.back().kind = TokenKind::broken;
    }
  }

  void read_symbol() {
    const char c = text_[at_];
    add(TokenKind::symbol, at_, at_ + 1);
    ++at_;
    if (c == '(' || c == '[') open_.push_back(list_.tokens.size() - 1);
    if (c != ')') return;
    if (!open_.empty()) return open_.pop_back();
    report(at_ - 1, at_, "E-bracket-extra", "this bracket closes nothing",
           "remove it, or open one before");
    list_.tokens.back().kind = TokenKind::broken;
  }

  void read_unknown() {
    const Character c = decode_utf8(text_, at_);
    const std::string_view bytes = text_.substr(at_, c.size);
    const bool closes = c.code == ']' && !open_.empty() && list_.tokens[open_.back()].is('[');
    if (closes) open_.pop_back();
    // The '[' it closes is an error of its own.
    if (!closes) {
      report(at_, at_ + c.size, "E-character",
             describe_character(c.code, bytes) + " has no meaning in the language",
             help_for_character(c.code));
    }
    add(TokenKind::broken, at_, at_ + c.size);
    at_ += c.size;
  }

  void add(TokenKind kind, std::size_t begin, std::size_t end) {
    Token token{kind,  text_.substr(begin, end - begin), {}, 0, begin, end, line_, column_of(begin),
                blank_};
    blank_ = false;
    list_.tokens.push_back(token);
  }

  int column_of(std::size_t offset) {
    // Columns are asked for from left to right: count on from the last one.
    if (counted_line_ != line_ || counted_offset_ > offset) {
      counted_line_ = line_;
      counted_offset_ = std::min(line_begin_, offset);
      counted_column_ = 1;
    }
    counted_column_ +=
        static_cast<int>(count_characters(text_.substr(counted_offset_, offset - counted_offset_)));
    counted_offset_ = offset;
    return counted_column_;
  }

  void report(std::size_t begin, std::size_t end, const char* code, std::string message,
              std::string help) {
    if (list_.diagnostics.size() >= most_problems) return;
    const int length = static_cast<int>(count_characters(text_.substr(begin, end - begin)));
    list_.diagnostics.push_back({Severity::error,
                                 code,
                                 std::move(message),
                                 std::move(help),
                                 {source_.file, line_, column_of(begin), std::max(length, 1)}});
  }

  void report_token(const Token& token, const char* code, std::string message, std::string help) {
    if (list_.diagnostics.size() >= most_problems) return;
    list_.diagnostics.push_back({Severity::error, code, std::move(message), std::move(help),
                                 make_span(source_, token, token)});
  }

  const SourceText& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t line_begin_ = 0;
  bool blank_ = true;
  std::vector<std::size_t> open_;  // tokens of the open brackets
  std::size_t statement_ = 0;      // first token of the current statement
  std::size_t next_line_ = 0;      // where a continued line goes on, once looked for
  int counted_line_ = 0;
  std::size_t counted_offset_ = 0;
  int counted_column_ = 1;
  TokenList list_;
};

}  // namespace

TokenList make_tokens(const SourceText& source) { return Lexer(source).read(); }

SourceSpan make_span(const SourceText& source, const Token& first, const Token& last) {
  const std::size_t end = std::max(last.end, first.end);
  std::string_view covered = std::string_view(source.text).substr(first.begin, end - first.begin);
  covered = covered.substr(0, covered.find_first_of("\r\n"));
  const int length = static_cast<int>(count_characters(covered));
  return {source.file, first.line, first.column, std::max(length, 1),
          first.pass == nullptr ? "" : *first.pass};
}

}  // namespace visviva
