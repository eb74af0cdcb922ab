// Reads one column over another from a CSV file, for `table("force.csv", column 2, unit N)`, or a map over two.
//
// | in the file   | how it is read                                                               |
// |---------------|------------------------------------------------------------------------------|
// | lines         | end with LF, CRLF or CR; skipped are a BOM, blank lines and lines whose      |
// |               | first character is #                                                         |
// | separator     | the first of semicolon, tab, comma and runs of blanks that sets a number     |
// |               | apart in the time column of the second line left (the first may be a header) |
// | header        | the first line left, when no number begins in its time column                |
// | units         | "p [Pa]" or "p (Pa)" in the header is the column p; or a line of as many     |
// |               | units, after #, just above the header                                        |
// | cell          | without the blanks around it; perhaps in "double quotes", where "" means "   |
// | number        | decimal point, exponent with e or E, in every locale; no thousands           |
// |               | separators                                                                   |
// | other columns | may hold anything; rows may be longer than needed; the first 100,000 count   |
// | no table      | a file whose first thousand rows mostly have no number in the time column:   |
// |               | nothing of it is quoted                                                      |
//
// | code           | problem                                                                     |
// |----------------|-----------------------------------------------------------------------------|
// | E-table-file   | missing, unreadable, a directory or device, too large, not text, no table   |
// | E-table-column | no such column, a name that is missing or ambiguous, a row too short        |
// | E-table-number | a cell that is empty, not a number, not finite or out of range              |
// | E-table-time   | a time not greater than that of the row before                              |
// | E-table-rows   | fewer than two rows                                                         |
// | E-table-unit   | what stands in the brackets of a column is no unit, or not that of the line above |
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "visviva/base/error.h"

namespace visviva {

/// The column that is wanted. Columns count from 1.
struct CsvOptions {
  std::variant<int, std::string> column = 2;  ///< its number, or its name in the header
  int time_column = 1;                        ///< its number
  std::string abscissa = "time";              ///< what problems call it
  std::size_t max_bytes = 256'000'000;        ///< larger files are refused
  std::size_t max_problems = 10;              ///< after so many, one line counts the rest
};

/// A column and its times, or what is wrong with it: never both.
struct CsvColumn {
  std::string name;             ///< from the header; empty where there is none
  std::string unit, time_unit;  ///< likewise
  std::vector<double> times;
  std::vector<double> values;
  std::vector<Diagnostic> problems;  ///< in the CSV file; line 0: about the file as a whole

  bool ok() const { return problems.empty(); }
};

/// A map: its first row and its first column are the axes; what stands in their corner does not matter.
struct CsvMap {
  std::vector<double> rows, columns;        ///< the first column, the first row
  std::vector<std::vector<double>> values;  ///< a row of the file each
  std::vector<Diagnostic> problems;

  bool ok() const { return problems.empty(); }
};

/// A column of samples with strictly increasing times, two or more, all finite; or problems. `path`
/// is opened as it is and named so in every problem. Bad options, such as a column 0, are problems
/// too.
CsvColumn read_csv_column(const std::string& path, const CsvOptions& options = {});

/// A column from a text in memory; `file` is only what problems call it.
CsvColumn parse_csv_column(std::string_view text, const std::string& file,
                           const CsvOptions& options = {});

/// The names of a file's columns with their units; no names where there is no header.
struct CsvHeader {
  std::vector<std::string> names, units;
  std::vector<Diagnostic> problems;

  bool ok() const { return problems.empty(); }
};
CsvHeader read_csv_header(const std::string& path, const CsvOptions& options = {});

/// A map over two axes, both strictly increasing, of two rows and columns or more.
CsvMap read_csv_map(const std::string& path, const CsvOptions& options = {});
CsvMap parse_csv_map(std::string_view text, const std::string& file,
                     const CsvOptions& options = {});

}  // namespace visviva
