#include "visviva/text/build/csv_lines.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "visviva/base/utf8.h"
#include "visviva/base/words.h"

namespace visviva::csv {

// ---- What problems say

/// Text for a message: in quotes, without control characters or broken UTF-8, cut after `limit`
/// characters.
std::string shown(std::string_view text, std::size_t limit) {
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

// ---- Lines and cells

namespace {

/// Just after the quoted text that begins at `begin`; begin itself where it is not closed.
std::size_t quoted_end(std::string_view line, std::size_t begin) {
  for (std::size_t i = begin + 1; i < line.size(); ++i) {
    if (line[i] != '"') continue;
    if (i + 1 == line.size() || line[i + 1] != '"') return i + 1;
    ++i;
  }
  return begin;
}

}  // namespace

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

SourceSpan span_of(const Line& line) {
  return {{}, line.number, 1, static_cast<int>(line.text.size())};
}

SourceSpan span_of(const Line& line, const Cell& cell) {
  return {{}, line.number, cell.column, static_cast<int>(cell.text.size())};
}

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

}  // namespace visviva::csv
