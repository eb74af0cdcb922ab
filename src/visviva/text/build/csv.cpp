#include "visviva/text/build/csv.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "visviva/base/unit.h"
#include "visviva/base/words.h"
#include "visviva/text/build/csv_lines.h"

namespace visviva {

namespace {

using csv::begins_number;
using csv::blanks;
using csv::Cell;
using csv::check_text;
using csv::find_separator;
using csv::is_number_somewhere;
using csv::Line;
using csv::LineReader;
using csv::most_columns;
using csv::Problems;
using csv::read_cell;
using csv::read_file;
using csv::shown;
using csv::shown_number;
using csv::span_of;
using csv::split;
using csv::unescaped;

// ---- Where the columns are

struct Layout {
  char separator = ',';
  std::vector<std::string> names;  // of the columns; empty where there is no header
  std::vector<std::string>
      units;  // that the header tells, or the line of units above it; may be empty
  std::vector<std::string> unit_problems;  // of each column; empty where there is none
  Line header, first_row;                  // line 0: there is none
  std::vector<Cell> first_cells;
  std::size_t time = 0, column = 0;  // from 0

  std::size_t width() const { return std::max(names.size(), first_cells.size()); }
};

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

/// "p [Pa]" and "p (Pa)" are the column p, in Pa; "q[1]" has an index.
std::pair<std::string, std::string> split_unit(const std::string& name) {
  const bool has_brackets = name.ends_with(']') || name.ends_with(')');
  const std::size_t open = name.rfind(name.ends_with(']') ? '[' : '(');
  if (!has_brackets || open == std::string::npos) return {name, ""};
  const std::string unit = name.substr(open + 1, name.size() - open - 2);
  const std::size_t end = name.find_last_not_of(blanks, open == 0 ? 0 : open - 1);
  const bool is_index = end + 1 == open && begins_number(unit);
  if (is_index) return {name, ""};
  if (unit.empty() || !parse_unit(unit).unit || open == 0 || end == std::string::npos)
    return {name, ""};
  return {name.substr(0, end + 1), unit};
}

/// The line above the header, where it is a comment of as many units: "# s,rad,N*m".
std::vector<std::string> read_unit_line(std::string_view text, const Layout& layout) {
  std::string_view before =
      text.substr(0, static_cast<std::size_t>(layout.header.text.data() - text.data()));
  while (!before.empty() && (before.back() == '\n' || before.back() == '\r'))
    before.remove_suffix(1);
  const std::size_t begin = before.find_last_of("\r\n");
  std::string_view line = before.substr(begin == before.npos ? 0 : begin + 1);
  if (line.substr(0, 3) == "\xEF\xBB\xBF") line.remove_prefix(3);
  if (line.substr(0, 1) != "#") return {};
  line.remove_prefix(1);
  std::vector<Cell> cells;
  split(line, layout.separator, most_columns, cells);
  if (cells.size() != layout.names.size()) return {};
  std::vector<std::string> units;
  for (const Cell& cell : cells) {
    if (!parse_unit(cell.text).unit) return {};
    units.emplace_back(cell.text);
  }
  return units;
}

/// What stands in square brackets behind a name is meant as a unit.
std::string find_unknown_unit(const std::string& name) {
  const std::size_t open = name.rfind(" [");
  if (!name.ends_with(']') || open == std::string::npos || open == 0) return "";
  return name.substr(open + 2, name.size() - open - 3);
}

/// Takes the units out of the names of columns.
void find_units(std::string_view text, Layout* layout) {
  if (layout->names.empty()) return;
  layout->units = read_unit_line(text, *layout);
  layout->units.resize(layout->names.size());
  layout->unit_problems.resize(layout->names.size());
  for (std::size_t i = 0; i < layout->names.size(); ++i) {
    auto [name, unit] = split_unit(layout->names[i]);
    if (unit.empty()) {
      const std::string unknown = find_unknown_unit(name);
      if (!unknown.empty()) layout->unit_problems[i] = shown(unknown) + " is not a unit";
      continue;
    }
    const std::string& above = layout->units[i];
    if (!above.empty() && !(*parse_unit(above).unit == *parse_unit(unit).unit))
      layout->unit_problems[i] = "the line above the header says that column " + shown(name) +
                                 " is in " + above + ", and the header says " + unit;
    layout->names[i] = std::move(name);
    layout->units[i] = std::move(unit);
  }
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

SourceSpan header_span(const Layout& layout) {
  return span_of(layout.header.number > 0 ? layout.header : layout.first_row);
}

bool find_named_column(Layout& layout, const std::string& written, Problems& problems) {
  const std::string name = split_unit(written).first;
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

/// Appends samples to a column, row by row.
class RowReader {
 public:
  RowReader(const Layout& layout, std::string noun, CsvColumn& result, Problems& problems)
      : layout_(layout), noun_(std::move(noun)), result_(result), problems_(problems) {}

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
          noun_ + " " + shown_number(time) + " follows " + shown_number(previous_time_) +
              " in line " + std::to_string(previous_line_) + "; " + noun_ + "s must increase",
          (time == previous_time_ ? "keep one row for each " : "sort the rows by ") + noun_);
    }
    previous_time_ = time;
    previous_line_ = line.number;
  }

  const Layout& layout_;
  const std::string noun_;  // of the first column
  CsvColumn& result_;
  Problems& problems_;
  std::vector<Cell> cells_;
  std::size_t count_ = 0;
  double previous_time_ = 0.0;
  int previous_line_ = 0;  // 0: none yet
};

void read_rows(std::string_view text, const Layout& layout, const std::string& noun,
               CsvColumn& result, Problems& problems) {
  LineReader lines(text);
  if (layout.header.number > 0) lines.next();
  RowReader rows(layout, noun, result, problems);
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

CsvColumn parse(std::string_view text, const CsvOptions& options, Problems& problems) {
  CsvColumn result;
  if (!check_options(options, problems) || !check_text(text, problems)) return result;

  Layout layout = find_layout(text, static_cast<std::size_t>(options.time_column) - 1);
  find_units(text, &layout);
  const bool has_lines = layout.width() > 0;
  if (has_lines && layout.first_row.number == 0) {
    read_rows(text, layout, options.abscissa, result, problems);  // there are none
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
  for (const std::size_t i : {layout.time, layout.column}) {
    if (i >= layout.unit_problems.size() || layout.unit_problems[i].empty()) continue;
    problems.add("E-table-unit", header_span(layout), layout.unit_problems[i],
                 "units are written as in models, such as \"p [kPa]\"");
    return result;
  }
  if (layout.column < layout.names.size()) {
    result.name = layout.names[layout.column];
    result.unit = layout.units[layout.column];
    result.time_unit = layout.units[layout.time];
  }
  read_rows(text, layout, options.abscissa, result, problems);
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

CsvHeader read_csv_header(const std::string& path, const CsvOptions& options) {
  Problems problems(path, options.max_problems);
  const std::optional<std::string> text = read_file(path, options.max_bytes, problems);
  CsvHeader header;
  if (text && check_options(options, problems) && check_text(*text, problems)) {
    Layout layout = find_layout(*text, static_cast<std::size_t>(options.time_column) - 1);
    find_units(*text, &layout);
    header.names = std::move(layout.names);
    header.units = std::move(layout.units);
  }
  header.problems = problems.take();
  return header;
}

CsvColumn parse_csv_column(std::string_view text, const std::string& file,
                           const CsvOptions& options) {
  Problems problems(file, options.max_problems);
  return finish(parse(text, options, problems), problems);
}

}  // namespace visviva
