#include "visviva/text/build/csv.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "visviva/base/utf8.h"
#include "visviva/base/words.h"

namespace visviva {
namespace {

constexpr std::string_view blanks = " \t\f\v";
constexpr std::size_t no_limit = std::string_view::npos;
constexpr std::size_t most_columns = 100'000;  // a broken file may be one line of separators

// ---- What problems say

/// Text for a message: in quotes, without control characters or broken UTF-8, cut after `limit`
/// characters.
std::string shown(std::string_view text, std::size_t limit = 40) {
  std::string result = "\"";
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == limit) return result + "...\"";
    const std::size_t length = decode_utf8(text, 0).size;
    const bool printable = length > 1 || (length == 1 && text[0] >= ' ' && text[0] != 0x7F);
    result += printable ? text.substr(0, length) : "?";
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + "\"";
}

std::string shown_number(double value) {
  char number[32];
  return {number, std::to_chars(number, number + sizeof number, value).ptr};
}

std::string megabytes(std::uintmax_t bytes) {
  return bytes < 1'000'000 ? std::to_string(bytes) + " bytes"
                           : std::to_string(bytes / 1'000'000) + " MB";
}

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

// ---- Lines and cells

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

/// Just after the quoted text that begins at `begin`; begin itself where it is not closed.
std::size_t quoted_end(std::string_view line, std::size_t begin) {
  for (std::size_t i = begin + 1; i < line.size(); ++i) {
    if (line[i] != '"') continue;
    if (i + 1 == line.size() || line[i + 1] != '"') return i + 1;
    ++i;
  }
  return begin;
}

/// Splits `line` at `separator` (a blank: at runs of blanks), up to `limit` cells.
void split(std::string_view line, char separator, std::size_t limit, std::vector<Cell>& cells) {
  const std::string_view padding = separator == '\t' ? " \f\v" : blanks;
  const std::string_view stops = separator == ' ' ? blanks : std::string_view(&separator, 1);
  cells.clear();
  if (separator == ' ') line = line.substr(0, line.find_last_not_of(blanks) + 1);

  for (std::size_t at = 0; cells.size() < limit;) {
    const std::size_t begin = std::min(line.find_first_not_of(padding, at), line.size());
    const bool quote = begin < line.size() && line[begin] == '"';
    const std::size_t stop = line.find_first_of(stops, quote ? quoted_end(line, begin) : begin);
    const std::size_t last = stop == line.npos ? line.size() : stop;

    std::string_view text = line.substr(begin, last - begin);
    text = text.substr(0, text.find_last_not_of(padding) + 1);
    int column = static_cast<int>(begin) + 1;
    if (quote && text.size() > 1 && quoted_end(text, 0) == text.size()) {
      text = text.substr(1, text.size() - 2);
      ++column;
    }
    cells.push_back({text, column});

    if (stop == line.npos) return;
    at = stop + 1;
  }
}

/// A header name, its doubled quotes undone.
std::string unescaped(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    text += name[i];
    if (name.substr(i, 2) == "\"\"") ++i;
  }
  return text;
}

// ---- Numbers

enum class NumberStatus { good, malformed, out_of_range, not_finite };

NumberStatus read_number(std::string_view text, double& value) {
  if (text.substr(0, 1) == "+" && text.substr(1, 1) != "-") text.remove_prefix(1);
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc::invalid_argument || end != last) return NumberStatus::malformed;
  if (error == std::errc::result_out_of_range) return NumberStatus::out_of_range;
  return std::isfinite(value) ? NumberStatus::good : NumberStatus::not_finite;
}

bool is_number(std::string_view text) {
  double value = 0.0;
  return read_number(text, value) != NumberStatus::malformed;
}

/// True for what may have a decimal comma: no number to us, but one to whoever wrote it.
bool is_number_somewhere(std::string_view text) {
  std::string with_point(text);
  const std::size_t comma = text.find(',');
  if (comma < text.size() - 1) with_point[comma] = '.';
  return is_number(with_point);
}

/// True when a text starts like a number, however it goes on.
bool begins_number(std::string_view text) {
  return is_number(text) || text.substr(0, 1).find_first_of("+-.0123456789") == 0;
}

// ---- Where the columns are

struct Layout {
  char separator = ',';
  std::vector<std::string> names;  // of the columns; empty where there is no header
  Line header, first_row;          // line 0: there is none
  std::vector<Cell> first_cells;
  std::size_t time = 0, column = 0;  // from 0

  std::size_t width() const { return std::max(names.size(), first_cells.size()); }
};

char find_separator(std::string_view line, std::size_t time) {
  std::vector<Cell> cells;
  for (const char separator : {';', '\t', ',', ' '}) {
    split(line, separator, most_columns, cells);
    if (cells.size() > 1 && time < cells.size() && is_number_somewhere(cells[time].text))
      return separator;
  }
  // No number: the first that occurs at all.
  for (const char separator : {';', '\t', ','}) {
    if (line.find(separator) != line.npos) return separator;
  }
  return ' ';
}

/// Whether these cells name columns. The time cell decides; an empty one leaves it to the others.
bool is_header(const std::vector<Cell>& cells, std::size_t time) {
  const std::string_view text = cells[std::min(time, cells.size() - 1)].text;
  if (!text.empty()) return !begins_number(text);
  const auto is_name = [](const Cell& cell) {
    return !cell.text.empty() && !begins_number(cell.text);
  };
  return std::any_of(cells.begin(), cells.end(), is_name);
}

Layout find_layout(std::string_view text, std::size_t time) {
  Layout layout;
  layout.time = time;
  LineReader lines(text);
  const std::optional<Line> first = lines.next();
  const std::optional<Line> second = lines.next();
  if (!first) return layout;

  layout.separator = find_separator(second.value_or(*first).text, time);
  split(first->text, layout.separator, most_columns, layout.first_cells);
  layout.first_row = *first;
  if (!is_header(layout.first_cells, time)) return layout;

  layout.header = *first;
  for (const Cell& cell : layout.first_cells) layout.names.push_back(unescaped(cell.text));
  if (layout.names.back().empty()) layout.names.pop_back();  // the line ends with a separator
  layout.first_row = second.value_or(Line{});
  split(layout.first_row.text, layout.separator, most_columns, layout.first_cells);
  return layout;
}

/// For messages: it has 2 columns: 1 "t", 2 "F"
std::string describe_columns(const Layout& layout) {
  std::string text = "it has " + counted(layout.width(), "column");
  for (std::size_t i = 0; i < layout.names.size(); ++i) {
    text += i == 0 ? ": " : ", ";
    if (i == 20) return text + "...";
    text += std::to_string(i + 1) + " " + shown(layout.names[i]);
  }
  return text;
}

SourceSpan span_of(const Line& line) {
  return {{}, line.number, 1, static_cast<int>(line.text.size())};
}

SourceSpan span_of(const Line& line, const Cell& cell) {
  return {{}, line.number, cell.column, static_cast<int>(cell.text.size())};
}

SourceSpan header_span(const Layout& layout) {
  return span_of(layout.header.number > 0 ? layout.header : layout.first_row);
}

bool find_named_column(Layout& layout, const std::string& name, Problems& problems) {
  const auto refuse = [&](const std::string& message, const std::string& help) {
    problems.add("E-table-column", header_span(layout), message, help);
    return false;
  };

  const std::string wanted = "column " + shown(name);
  if (layout.names.empty()) {
    return refuse(wanted + " cannot be found: " + problems.file() + " has no header; " +
                      describe_columns(layout),
                  "give the column's number, or name the columns in the first line, without #");
  }
  const auto count = std::count(layout.names.begin(), layout.names.end(), name);
  if (count == 0)
    return refuse(problems.file() + " has no " + wanted + "; " + describe_columns(layout), {});
  if (count > 1) {
    return refuse(
        std::to_string(count) + " columns of " + problems.file() + " are called " + shown(name),
        "give the column's number");
  }

  // A header that does not match its rows, such as one with blanks in its names, would point to a
  // wrong column.
  const std::vector<Cell>& cells = layout.first_cells;
  const bool ends_empty = !cells.empty() && cells.back().text.empty();
  const std::size_t names = layout.names.size();
  if (layout.first_row.number > 0 && names != cells.size() &&
      !(ends_empty && names + 1 == cells.size())) {
    return refuse(
        "the header of " + problems.file() + " names " + counted(names, "column") + ", but line " +
            std::to_string(layout.first_row.number) + " has " + std::to_string(cells.size()),
        "give the column's number, or put names with separators in them into double quotes");
  }
  layout.column = static_cast<std::size_t>(
      std::find(layout.names.begin(), layout.names.end(), name) - layout.names.begin());
  return true;
}

/// Settles layout.column and checks that it and the time are there.
bool find_columns(Layout& layout, const CsvOptions& options, Problems& problems) {
  if (const auto* name = std::get_if<std::string>(&options.column)) {
    if (!find_named_column(layout, *name, problems)) return false;
  } else {
    layout.column = static_cast<std::size_t>(std::get<int>(options.column)) - 1;
  }

  for (const std::size_t i : {layout.time, layout.column}) {
    if (i < layout.width()) continue;
    problems.add("E-table-column", header_span(layout),
                 problems.file() + " has no column " + std::to_string(i + 1) + "; " +
                     describe_columns(layout));
    return false;
  }
  if (layout.time == layout.column) {
    problems.add(
        "E-table-column", header_span(layout),
        "column " + std::to_string(layout.column + 1) + " of " + problems.file() + " is the time",
        "columns count from 1, and the time's is one of them");
    return false;
  }
  return true;
}

// ---- Rows

/// Reads the number in a cell; false, and a problem, where there is none.
bool read_cell(const Line& line, const Cell& cell, Problems& problems, double& value) {
  const char* no_data = "leave out rows without data";
  const char* not_data = "a line that is not data begins with #";
  const auto refuse = [&](const std::string& message, const char* help) {
    problems.add("E-table-number", span_of(line, cell), message, help);
    return false;
  };

  if (cell.text.empty()) return refuse("this cell is empty; a number is needed", no_data);
  switch (read_number(cell.text, value)) {
    case NumberStatus::good:
      return true;
    case NumberStatus::not_finite:
      return refuse(shown(cell.text) + " is not a finite number", no_data);
    case NumberStatus::out_of_range:
      return refuse(shown(cell.text) + " is too large or too small for double precision", "");
    case NumberStatus::malformed:
      break;
  }
  const bool comma = is_number_somewhere(cell.text);
  return refuse(shown(cell.text) + " is not a number",
                comma ? "write a decimal point, not a comma" : not_data);
}

/// Appends samples to a column, row by row.
class RowReader {
 public:
  RowReader(const Layout& layout, CsvColumn& result, Problems& problems)
      : layout_(layout), result_(result), problems_(problems) {}

  void read(const Line& line) {
    ++count_;
    const std::size_t needed = std::max(layout_.time, layout_.column) + 1;
    split(line.text, layout_.separator, needed, cells_);
    if (cells_.size() < needed) {
      problems_.add("E-table-column", span_of(line),
                    "this row has only " + counted(cells_.size(), "column") + "; column " +
                        std::to_string(needed) + " is needed");
      return;
    }

    double time = 0.0, value = 0.0;
    const bool has_time = read_cell(line, cells_[layout_.time], problems_, time);
    const bool has_value = read_cell(line, cells_[layout_.column], problems_, value);
    if (has_time) check_time(line, time);
    if (has_time && has_value) {
      result_.times.push_back(time);
      result_.values.push_back(value);
    }
  }

  std::size_t count() const { return count_; }

 private:
  /// Compares with the row before, so that one wild time is one problem.
  void check_time(const Line& line, double time) {
    if (previous_line_ > 0 && time <= previous_time_) {
      problems_.add(
          "E-table-time", span_of(line, cells_[layout_.time]),
          "time " + shown_number(time) + " follows " + shown_number(previous_time_) + " in line " +
              std::to_string(previous_line_) + "; times must increase",
          time == previous_time_ ? "keep one row for each time" : "sort the rows by time");
    }
    previous_time_ = time;
    previous_line_ = line.number;
  }

  const Layout& layout_;
  CsvColumn& result_;
  Problems& problems_;
  std::vector<Cell> cells_;
  std::size_t count_ = 0;
  double previous_time_ = 0.0;
  int previous_line_ = 0;  // 0: none yet
};

void read_rows(std::string_view text, const Layout& layout, CsvColumn& result, Problems& problems) {
  LineReader lines(text);
  if (layout.header.number > 0) lines.next();
  RowReader rows(layout, result, problems);
  while (const std::optional<Line> line = lines.next()) rows.read(*line);

  if (rows.count() < 2) {
    problems.add("E-table-rows", {},
                 "a table needs at least 2 rows of numbers; " + problems.file() + " has " +
                     std::to_string(rows.count()));
  }
}

/// Whether at least half of the rows, of the first thousand, have something like a number for the time. Messages
/// about a file that is no table must not show what is in it.
bool is_table(std::string_view text, const Layout& layout) {
  constexpr std::size_t most_rows = 1000;
  LineReader lines(text);
  if (layout.header.number > 0) lines.next();
  std::vector<Cell> cells;
  std::size_t rows = 0, good = 0;
  for (std::optional<Line> line; rows < most_rows && (line = lines.next()); ++rows) {
    split(line->text, layout.separator, layout.time + 1, cells);
    if (layout.time < cells.size() && is_number_somewhere(cells[layout.time].text)) ++good;
  }
  return good > 0 && 2 * good >= rows;
}

// ---- The file

bool check_options(const CsvOptions& options, Problems& problems) {
  const int* column = std::get_if<int>(&options.column);
  for (const int number : {options.time_column, column ? *column : 1}) {
    if (number > 0) continue;
    problems.add("E-table-column", {}, "there is no column " + std::to_string(number),
                 "columns count from 1");
    return false;
  }
  return true;
}

bool check_text(std::string_view text, Problems& problems) {
  const std::string_view mark = text.substr(0, 2);
  if (mark == "\xFF\xFE" || mark == "\xFE\xFF") {
    problems.add("E-table-file", {}, problems.file() + " is UTF-16 text", "save it as UTF-8");
    return false;
  }
  const auto is_binary = [](char c) {
    return static_cast<unsigned char>(c) < ' ' && !(c >= '\t' && c <= '\r');
  };
  if (std::any_of(text.begin(), text.end(), is_binary)) {
    problems.add("E-table-file", {},
                 problems.file() + " is not text: it contains control characters",
                 "export the table as CSV");
    return false;
  }
  return true;
}

/// The file's bytes; nothing, and a problem, where that fails.
std::optional<std::string> read_file(const std::string& path, std::size_t max_bytes,
                                     Problems& problems) {
  const auto refuse = [&](const std::string& message, const std::string& help = {}) {
    problems.add("E-table-file", {}, message, help);
    return std::nullopt;
  };
  const std::string name = problems.file();

  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return refuse("there is no file " + name);
  if (std::filesystem::is_directory(status)) return refuse(name + " is a directory, not a file");
  if (std::filesystem::is_other(status)) return refuse(name + " is not an ordinary file");

  const auto too_large = [&](const std::string& size) {
    return refuse(name + " is too large: " + size + ", and the limit is " + megabytes(max_bytes),
                  "leave out rows and columns that are not needed");
  };
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > max_bytes) return too_large(megabytes(size));

  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) return refuse(name + " cannot be opened: " + std::generic_category().message(errno));

  // The size is only a hint: the file may grow meanwhile.
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, count);
    if (text.size() > max_bytes) return too_large("it grows");
  }
  if (std::ferror(file.get()))
    return refuse(name + " cannot be read: " + std::generic_category().message(errno));
  return text;
}

CsvColumn parse(std::string_view text, const CsvOptions& options, Problems& problems) {
  CsvColumn result;
  if (!check_options(options, problems) || !check_text(text, problems)) return result;

  Layout layout = find_layout(text, static_cast<std::size_t>(options.time_column) - 1);
  const bool has_lines = layout.width() > 0;
  if (has_lines && layout.first_row.number == 0) {
    read_rows(text, layout, result, problems);  // there are none
    return result;
  }
  if (layout.time < layout.width() && !is_table(text, layout)) {
    problems.add("E-table-file", {},
                 problems.file() + " is not a table: its column " +
                     std::to_string(options.time_column) + " holds no numbers",
                 "a table is a CSV file with a column of times and columns of numbers");
    return result;
  }
  if (has_lines && !find_columns(layout, options, problems)) return result;
  if (layout.column < layout.names.size()) result.name = layout.names[layout.column];
  read_rows(text, layout, result, problems);
  return result;
}

/// Samples or problems, never both.
CsvColumn finish(CsvColumn result, Problems& problems) {
  result.problems = problems.take();
  if (!result.ok()) {
    result.times.clear();
    result.values.clear();
  }
  return result;
}

}  // namespace

CsvColumn read_csv_column(const std::string& path, const CsvOptions& options) {
  Problems problems(path, options.max_problems);
  const std::optional<std::string> text = read_file(path, options.max_bytes, problems);
  return finish(text ? parse(*text, options, problems) : CsvColumn{}, problems);
}

CsvColumn parse_csv_column(std::string_view text, const std::string& file,
                           const CsvOptions& options) {
  Problems problems(file, options.max_problems);
  return finish(parse(text, options, problems), problems);
}

}  // namespace visviva
