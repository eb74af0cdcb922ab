#include "visviva/text/syntax/scan.h"

#include <string>

#include "visviva/base/unit.h"
#include "visviva/base/utf8.h"
#include "visviva/text/grammar/grammar.h"

namespace visviva {
namespace {

bool is_digit(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

std::size_t scan_digits(std::string_view text, std::size_t at) {
  while (is_digit(text, at)) ++at;
  return at;
}

bool is_one_of(std::string_view text, std::size_t at, std::string_view signs) {
  return at < text.size() && signs.find(text[at]) != std::string_view::npos;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (is_one_of(text, at, " \t")) ++at;
  return at;
}

// ^n or ^-n; `at` itself when what follows '^' is no whole number.
std::size_t scan_unit_power(std::string_view text, std::size_t at) {
  if (!is_one_of(text, at, "^")) return at;
  const std::size_t digits = at + (is_one_of(text, at + 1, "-") ? 2 : 1);
  const std::size_t end = scan_digits(text, digits);
  const bool goes_on =
      is_one_of(text, end, "._") || (end < text.size() && scan_name(text, end) != end);
  return end == digits || goes_on ? at : end;
}

}  // namespace

std::size_t scan_name(std::string_view text, std::size_t at) {
  bool first = true;
  while (at < text.size()) {
    const Character c = decode_utf8(text, at);
    const bool fits = first ? is_letter(c.code) || c.code == '_' : is_name_character(c.code);
    if (c.size == 0 || !fits) break;
    at += c.size;
    first = false;
  }
  return at;
}

std::size_t scan_indexed_name(std::string_view text, std::size_t at) {
  std::size_t end = scan_name(text, at);
  while (end > at && is_one_of(text, end, "[")) {
    const std::size_t close = text.find_first_of("]\r\n#\"", end);
    if (close == std::string_view::npos || text[close] != ']') break;
    end = close + 1;
    while (end < text.size()) {
      const Character c = decode_utf8(text, end);
      if (c.size == 0 || !is_name_character(c.code)) break;
      end += c.size;
    }
  }
  return end;
}

NumberScan scan_number(std::string_view text, std::size_t at) {
  const std::size_t whole = scan_digits(text, at);
  if (whole == at && !(is_one_of(text, at, ".") && is_digit(text, at + 1))) return {at};
  std::size_t end = whole;
  if (is_one_of(text, end, ".")) {
    if (!is_digit(text, end + 1)) return {end + 1, false};
    end = scan_digits(text, end + 1);
  }
  if (!is_one_of(text, end, "eE")) return {end};
  const std::size_t digits = end + (is_one_of(text, end + 1, "+-") ? 2 : 1);
  if (is_digit(text, digits)) return {scan_digits(text, digits)};
  // "1e" and "1e+" are numbers gone wrong; "1em" is a number stuck to a word.
  if (scan_name(text, end) == end + 1) return {digits, false};
  return {end};
}

std::size_t scan_unit(std::string_view text, std::size_t at) {
  std::size_t end = at;
  std::size_t name = at;
  while (true) {
    const std::size_t name_end = scan_name(text, name);
    if (name_end == name || is_one_of(text, name_end, ".('[")) break;
    if (!find_unit(text.substr(name, name_end - name))) break;
    end = scan_unit_power(text, name_end);
    if (!is_one_of(text, end, "*/")) break;
    name = end + 1;
  }
  return end;
}

std::size_t scan_next_line(std::string_view text, std::size_t line_end) {
  std::size_t at = line_end;
  while (at < text.size()) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string_view::npos || text[at] != '#') break;
    at = text.find_first_of("\r\n", at);
  }
  return at < text.size() ? at : std::string_view::npos;
}

std::string_view scan_leading_keyword(std::string_view text, std::size_t line_begin) {
  if (line_begin == std::string_view::npos) return {};
  const std::size_t begin = skip_blanks(text, line_begin);
  const std::size_t end = scan_name(text, begin);
  const std::string_view word = text.substr(begin, end - begin);
  return find_statement(word) != nullptr ? word : std::string_view();
}

std::string_view scan_statement_keyword(std::string_view text, std::size_t line_begin) {
  const std::string_view word = scan_leading_keyword(text, line_begin);
  if (word.empty()) return {};
  const std::size_t end = skip_blanks(text, line_begin) + word.size();
  const std::size_t next = skip_blanks(text, end);
  if (next == end || next >= text.size()) return {};
  return text[next] == '"' || scan_name(text, next) != next ? word : std::string_view();
}

}  // namespace visviva
