// Where words, numbers and units end: questions about the text from a place onward, without reading
// it.
#pragma once

#include <cstddef>
#include <string_view>

namespace visviva {

/// The end of the name that starts at `at`; `at` itself when none does.
/// The end of a name with its indices, such as Q[i - 1]cm.
std::size_t scan_indexed_name(std::string_view text, std::size_t at);
std::size_t scan_name(std::string_view text, std::size_t at);

/// The end of a number in a text.
struct NumberScan {
  std::size_t end;       ///< `at` when no number starts there
  bool complete = true;  ///< false: "2." or "1e", with no digits where some must be
};
/// The end of a number: digits [. digits] [e [sign] digits], or . digits
NumberScan scan_number(std::string_view text, std::size_t at);

/// The end of the longest unit that starts at `at`; `at` itself when none does.
std::size_t scan_unit(std::string_view text, std::size_t at);

/// The start of the next line that holds more than blanks and comments; npos when there is none.
std::size_t scan_next_line(std::string_view text, std::size_t line_end);

/// The statement keyword that a line starts with; empty for none.
std::string_view scan_leading_keyword(std::string_view text, std::size_t line_begin);

/// The statement keyword that a line starts with, when something follows that makes it a statement:
/// a name or a text.
std::string_view scan_statement_keyword(std::string_view text, std::size_t line_begin);

}  // namespace visviva
