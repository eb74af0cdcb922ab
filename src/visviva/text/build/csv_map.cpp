// Maps over two axes; csv.h says how they are read.
#include <cmath>
#include <optional>
#include <utility>

#include "visviva/base/words.h"
#include "visviva/text/build/csv.h"
#include "visviva/text/build/csv_lines.h"

namespace visviva {
namespace {

class MapReader {
 public:
  explicit MapReader(csv::Problems& problems) : problems_(problems) {}

  CsvMap read(std::string_view text) {
    csv::LineReader lines(text);
    const std::optional<csv::Line> first = lines.next();
    if (!first) {
      problems_.add("E-table-rows", {}, problems_.file() + " is empty");
      return {};
    }
    csv::LineReader ahead(text);
    ahead.next();
    separator_ = csv::find_separator(ahead.next().value_or(*first).text, 0);
    read_columns(*first);
    while (const std::optional<csv::Line> line = lines.next()) read_row(*line);
    const bool is_small = map_.rows.size() < 2 || map_.columns.size() < 2;
    if (is_small)
      problems_.add("E-table-rows", {},
                    "a map needs at least 2 rows and 2 columns of numbers besides its axes; " +
                        problems_.file() + " has " + std::to_string(map_.rows.size()) + " and " +
                        std::to_string(map_.columns.size()));
    return std::move(map_);
  }

 private:
  void read_columns(const csv::Line& line) {
    csv::split(line.text, separator_, csv::most_columns, cells_);
    for (std::size_t j = 1; j < cells_.size(); ++j) {
      double value = 0.0;
      const bool is_end = j + 1 == cells_.size() && cells_[j].text.empty();
      if (is_end || !csv::read_cell(line, cells_[j], problems_, value)) continue;
      if (!map_.columns.empty() && !(value > map_.columns.back()))
        complain_of_order(line, cells_[j], value, map_.columns.back(), "row");
      map_.columns.push_back(value);
    }
  }

  void read_row(const csv::Line& line) {
    csv::split(line.text, separator_, csv::most_columns, cells_);
    if (cells_.size() <= map_.columns.size()) {
      problems_.add("E-table-column", csv::span_of(line),
                    "this row has only " + counted(cells_.size(), "column") + "; the first has " +
                        std::to_string(map_.columns.size() + 1));
      return;
    }
    std::vector<double> numbers(map_.columns.size() + 1);
    bool is_good = true;
    for (std::size_t j = 0; j < numbers.size(); ++j)
      is_good = csv::read_cell(line, cells_[j], problems_, numbers[j]) && is_good;
    if (!is_good) return;
    if (!map_.rows.empty() && !(numbers[0] > map_.rows.back()))
      complain_of_order(line, cells_[0], numbers[0], map_.rows.back(), "column");
    map_.rows.push_back(numbers[0]);
    map_.values.emplace_back(numbers.begin() + 1, numbers.end());
  }

  void complain_of_order(const csv::Line& line, const csv::Cell& cell, double value, double before,
                         const char* where) {
    problems_.add("E-table-time", csv::span_of(line, cell),
                  csv::shown_number(value) + " follows " + csv::shown_number(before) +
                      "; the first " + where + " of a map is an axis and must increase");
  }

  csv::Problems& problems_;
  char separator_ = ',';
  std::vector<csv::Cell> cells_;
  CsvMap map_;
};

CsvMap finish_map(CsvMap map, csv::Problems& problems) {
  map.problems = problems.take();
  return map;
}

}  // namespace

CsvMap parse_csv_map(std::string_view text, const std::string& file, const CsvOptions& options) {
  csv::Problems problems(file, options.max_problems);
  if (!csv::check_text(text, problems)) return finish_map({}, problems);
  return finish_map(MapReader(problems).read(text), problems);
}

CsvMap read_csv_map(const std::string& path, const CsvOptions& options) {
  csv::Problems problems(path, options.max_problems);
  const std::optional<std::string> text = csv::read_file(path, options.max_bytes, problems);
  if (!text || !csv::check_text(*text, problems)) return finish_map({}, problems);
  return finish_map(MapReader(problems).read(*text), problems);
}

}  // namespace visviva
