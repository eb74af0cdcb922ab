// ExportSyntax: how a language writes numbers, texts, calls and assignments, which templates cannot say.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/codegen/export/exported_system.h"

namespace visviva {

/// How a long list is broken: so many items in a line, and what stands before the next line's first.
struct ListLayout {
  std::size_t items_in_line;
  const char* line_break;
};

/// The words in which languages differ.
struct SyntaxTable {
  const char* indent;                   ///< of a function's statements
  const char* declare;                  ///< before a name that gets its value: "const double "
  const char* end;                      ///< of a statement: ";\n"
  char open, close;                     ///< around an index
  std::size_t first_index;              ///< of an array
  const char *not_a_number, *infinity;  ///< as literals
  bool starts_at_zero;                  ///< arrays are zero at first: zeros need no assignment
  std::size_t part_cost;      ///< operations in a part; a program of half as many more stays whole
  ListLayout samples, parts;  ///< lists of a table's samples, of the names of parts
};

class ExportSyntax {
 public:
  virtual ~ExportSyntax() = default;

  const SyntaxTable& table() const { return table_; }
  /// The prefix of names of the file's own functions.
  const std::string& prefix() const { return prefix_; }

  std::string literal(double value) const;
  /// A function of the model language: sin(a), atan2(a, b); b is empty where there is one argument.
  std::string call(Op function, const std::string& a, const std::string& b) const;
  /// Characters of a call that the model's name has beyond five: which expressions get a name of their own must not
  /// depend on it.
  virtual std::ptrdiff_t name_surplus(Op) const { return 0; }
  /// state[2]
  std::string element(const char* array, std::size_t index) const;
  /// An entry of what a block fills: out.M[0, 1].
  virtual std::string target(const ExportedTarget& target) const;
  /// A table's value at t.
  virtual std::string sample(const ExportedSample& sample) const = 0;
  /// What a program asks of a table at x and, of a map, y.
  std::string lookup(const BoundTable& table, const std::string& x, const std::string& y) const;
  /// A literal that holds the text, whatever is in it.
  virtual std::string quote(std::string_view text) const = 0;
  /// Constants, from literals of texts and of numbers.
  virtual std::string text_list(const std::vector<std::string>& literals) const = 0;
  virtual std::string number_list(const std::vector<std::string>& literals) const = 0;

 protected:
  /// The value of table number `table` at a place, and of map number `map`.
  virtual std::string table_value(std::size_t table, const std::string& at, int order) const = 0;
  virtual std::string map_value(std::size_t map, const std::string& arguments) const = 0;

  ExportSyntax(const ExportedSystem& system, const SyntaxTable& table, std::string prefix)
      : system_(system), table_(table), prefix_(std::move(prefix)) {}

  /// A call up to its arguments: "sin(", "real_or_nan(sqrt(".
  virtual std::string opening(Op function) const = 0;

  const ExportedSystem& system_;

 private:
  const SyntaxTable& table_;
  std::string prefix_;
};

/// The syntax of each language, which refers to the system.
std::unique_ptr<ExportSyntax> make_c_syntax(const ExportedSystem& system);
std::unique_ptr<ExportSyntax> make_python_syntax(const ExportedSystem& system);
std::unique_ptr<ExportSyntax> make_matlab_syntax(const ExportedSystem& system);

}  // namespace visviva
