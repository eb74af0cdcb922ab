// The syntax of exported C99; templates/system.c.in is the file around it.
#include <fmt/format.h>

#include "visviva/base/words.h"
#include "visviva/codegen/export/export_names.h"
#include "visviva/codegen/export/export_syntax.h"

namespace visviva {
namespace {

constexpr SyntaxTable c_table = {
    .indent = "    ",
    .declare = "const double ",
    .end = ";\n",
    .open = '[',
    .close = ']',
    .first_index = 0,
    .not_a_number = "NAN",
    .infinity = "INFINITY",
    .starts_at_zero = false,
    .part_cost = 1000,  // gcc and clang take more than twice as long for a function twice as long
    .samples = {6, ",\n    "},
    .parts = {4, ",\n        "},
};

class CSyntax final : public ExportSyntax {
 public:
  explicit CSyntax(const ExportedSystem& system)
      : ExportSyntax(system, c_table, system.identifier + "_") {}

  std::ptrdiff_t name_surplus(Op function) const override {
    return is_own(function) ? static_cast<std::ptrdiff_t>(prefix().size()) - 5 : 0;
  }

  // Matrices are stored row after row.
  std::string target(const ExportedTarget& t) const override {
    const std::size_t width = *t.array == 'W' || *t.array == 'V' ? system_.unknown_count
                              : *t.array == 'L'                  ? system_.row_count
                                                                 : system_.speed_count;
    return fmt::format("out->{}[{}]", t.array, t.column ? t.row * width + *t.column : t.row);
  }

  std::string sample(const ExportedSample& sample) const override {
    return table_value(sample.table, "t", sample.derivative);
  }

  std::string quote(std::string_view text) const override { return c_string(text); }

  // C has no arrays without entries.
  std::string text_list(const std::vector<std::string>& literals) const override {
    return "{ " + (literals.empty() ? "\"\"" : join_words(literals)) + " }";
  }
  std::string number_list(const std::vector<std::string>& literals) const override {
    return "{ " + (literals.empty() ? "0.0" : join_words(literals)) + " }";
  }

 private:
  std::string table_value(std::size_t table, const std::string& at, int order) const override {
    return fmt::format(
        "{0}table_value({1}, {0}table_{2}_times, {0}table_{2}_values,\n"
        "                         {0}table_{2}_curvatures, {4}, {5}, {3})",
        prefix(), system_.tables[table].spline->knots().size(), table, order,
        static_cast<int>(system_.tables[table].spline->range()), at);
  }
  std::string map_value(std::size_t map, const std::string& arguments) const override {
    return fmt::format("{}map_{}_value({})", prefix(), map, arguments);
  }

  // Functions that C does not have.
  static bool is_own(Op f) {
    return f == Op::sign || f == Op::step || f == Op::min || f == Op::max;
  }

  std::string opening(Op function) const override {
    if (function == Op::abs) return "fabs(";
    if (function == Op::power) return "pow(";
    return (is_own(function) ? prefix() : "") + std::string(function_name(function)) + "(";
  }
};

}  // namespace

std::unique_ptr<ExportSyntax> make_c_syntax(const ExportedSystem& system) {
  return std::make_unique<CSyntax>(system);
}

}  // namespace visviva
