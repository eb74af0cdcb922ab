// Lines, cells and numbers of CSV files, and what is said about them; csv.h says how they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/base/error.h"

namespace visviva::csv {

inline constexpr std::size_t most_columns = 100'000;  // a broken file may be one line of separators

/// Text for a message: in quotes, without control characters or broken UTF-8, cut after `limit`
/// characters.
std::string shown(std::string_view text, std::size_t limit = 40);
std::string shown_number(double value);
std::string megabytes(std::uintmax_t bytes);

inline constexpr std::string_view blanks = " \t\f\v";
inline constexpr std::size_t no_limit = std::string_view::npos;

/// Collects problems up to a limit and counts the rest.
class Problems {
 public:
  Problems(std::string file, std::size_t limit) : file_(std::move(file)), limit_(limit) {}

  void add(const char* code, SourceSpan span, std::string message, std::string help = {}) {
    ++count_;
    if (list_.size() > limit_) return;
    span.file = file_;
    list_.push_back({Severity::error, code, std::move(message), std::move(help), std::move(span)});
  }

  /// The file's name for messages, so that they make sense beside a line of the model too.
  std::string file() const { return shown(file_, no_limit); }

  /// All problems; where there are too many, the last one tells how many follow.
  std::vector<Diagnostic> take() {
    if (count_ > list_.size()) {
      list_.back().message =
          "from here on " + std::to_string(count_ - limit_) + " more problems in this file";
      list_.back().help.clear();
    }
    return std::move(list_);
  }

 private:
  std::string file_;
  std::size_t limit_;
  std::size_t count_ = 0;
  std::vector<Diagnostic> list_;
};

struct Line {
  std::string_view text;
  int number = 0;  // from 1
};

/// Hands out the lines that are neither blank nor comments.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {
    if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);
  }

  std::optional<Line> next() {
    while (!rest_.empty()) {
      const std::string_view text = take_line();
      const std::size_t begin = text.find_first_not_of(blanks);
      if (begin != text.npos && text[begin] != '#') return Line{text, number_};
    }
    return std::nullopt;
  }

 private:
  std::string_view take_line() {
    ++number_;
    std::size_t end = 0;
    while (end < rest_.size() && rest_[end] != '\n' && rest_[end] != '\r') ++end;
    const std::string_view text = rest_.substr(0, end);
    const bool two = rest_.substr(end, 2) == "\r\n";
    rest_.remove_prefix(std::min(rest_.size(), end + (two ? 2 : 1)));
    return text;
  }

  std::string_view rest_;
  int number_ = 0;
};

struct Cell {
  std::string_view text;  // without blanks and quotes around it
  int column = 1;         // of its text in the line, from 1
};

/// Splits `line` at `separator` (a blank: at runs of blanks), up to `limit` cells.
void split(std::string_view line, char separator, std::size_t limit, std::vector<Cell>& cells);

/// A header name, its doubled quotes undone.
std::string unescaped(std::string_view name);

enum class NumberStatus { good, malformed, out_of_range, not_finite };
NumberStatus read_number(std::string_view text, double& value);
bool is_number(std::string_view text);
/// True for what may have a decimal comma: no number to us, but one to whoever wrote it.
bool is_number_somewhere(std::string_view text);
/// True when a text starts like a number, however it goes on.
bool begins_number(std::string_view text);
/// The separator of a line: the first of semicolon, tab, comma and runs of blanks that sets a number apart in a cell.
char find_separator(std::string_view line, std::size_t cell);

/// Reads the number in a cell; false, and a problem, where there is none.
bool read_cell(const Line& line, const Cell& cell, Problems& problems, double& value);
SourceSpan span_of(const Line& line);
SourceSpan span_of(const Line& line, const Cell& cell);

/// False, and a problem, for what is no text.
bool check_text(std::string_view text, Problems& problems);
/// The file's bytes; nothing, and a problem, where that fails.
std::optional<std::string> read_file(const std::string& path, std::size_t max_bytes,
                                     Problems& problems);

}  // namespace visviva::csv
