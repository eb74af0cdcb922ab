// The syntax of exported Python with NumPy; templates/system.py.in is the file around it.
#include <fmt/format.h>

#include "visviva/base/words.h"
#include "visviva/codegen/export/export_names.h"
#include "visviva/codegen/export/export_syntax.h"

namespace visviva {
namespace {

constexpr SyntaxTable python_table = {
    .indent = "    ",
    .declare = "",
    .end = "\n",
    .open = '[',
    .close = ']',
    .first_index = 0,
    .not_a_number = "np.nan",
    .infinity = "np.inf",
    .starts_at_zero = true,
    .part_cost =
        5000,  // CPython's time and memory are those of the text: shorter parts would only repeat more names
    .samples = {6, ",\n     "},
    .parts = {5, ",\n                 "},
};

class PythonSyntax final : public ExportSyntax {
 public:
  explicit PythonSyntax(const ExportedSystem& system) : ExportSyntax(system, python_table, "_") {}

  std::string sample(const ExportedSample& sample) const override {
    return fmt::format("_table_value(_TABLE_{}, {}, \"{}\", t, {})", sample.table,
                       quote(system_.tables[sample.table].name),
                       name_of(system_.tables[sample.table].spline->range()), sample.derivative);
  }

  std::string quote(std::string_view text) const override { return python_string(text); }

  std::string text_list(const std::vector<std::string>& literals) const override {
    return "(" + join_words(literals) + (literals.size() == 1 ? ",)" : ")");
  }
  std::string number_list(const std::vector<std::string>& literals) const override {
    return "[" + join_words(literals) + "]";
  }

 private:
  std::string opening(Op function) const override {
    switch (function) {
      case Op::asin:
        return "np.arcsin(";
      case Op::acos:
        return "np.arccos(";
      case Op::atan:
        return "np.arctan(";
      case Op::atan2:
        return "np.arctan2(";
      case Op::min:
        return "np.minimum(";
      case Op::max:
        return "np.maximum(";
      case Op::power:
        return "np.power(";
      case Op::step:
        return "_step(";
      default:
        return "np." + std::string(function_name(function)) + "(";
    }
  }
};

}  // namespace

std::unique_ptr<ExportSyntax> make_python_syntax(const ExportedSystem& system) {
  return std::make_unique<PythonSyntax>(system);
}

}  // namespace visviva
