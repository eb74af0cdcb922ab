// The syntax of exported MATLAB; templates/system.m.in is the file around it.
#include <fmt/format.h>

#include "visviva/base/words.h"
#include "visviva/codegen/export/export_names.h"
#include "visviva/codegen/export/export_syntax.h"

namespace visviva {
namespace {

constexpr SyntaxTable matlab_table = {
    .indent = "",
    .declare = "",
    .end = ";\n",
    .open = '(',
    .close = ')',
    .first_index = 1,
    .not_a_number = "NaN",
    .infinity = "Inf",
    .starts_at_zero = true,
    .part_cost =
        5000,  // Octave's time is that of the text; parts bound what a just-in-time compiler has to take at once
    .samples = {8, ", ...\n    "},
    .parts = {1, ", ...\n    "},
};

class MatlabSyntax final : public ExportSyntax {
 public:
  explicit MatlabSyntax(const ExportedSystem& system)
      : ExportSyntax(system, matlab_table, "local_") {}

  std::string sample(const ExportedSample& sample) const override {
    return fmt::format("table_value(local_table_{}(), {}, '{}', t, {})", sample.table + 1,
                       quote(system_.tables[sample.table].name),
                       name_of(system_.tables[sample.table].spline->range()), sample.derivative);
  }

  std::string quote(std::string_view text) const override { return matlab_string(text); }

  std::string text_list(const std::vector<std::string>& literals) const override {
    return "{" + join_words(literals) + "}";
  }
  std::string number_list(const std::vector<std::string>& literals) const override {
    return literals.empty() ? "zeros(0, 1)" : "[" + join_words(literals, "; ") + "]";
  }

 private:
  // Where MATLAB would go on with complex numbers, or leave NaN out, functions of our own do not.
  std::string opening(Op function) const override {
    const std::string name(function_name(function));
    switch (function) {
      case Op::sqrt:
      case Op::log:
      case Op::asin:
      case Op::acos:
        return "real_or_nan(" + name + "(";
      case Op::power:
        return "real_or_nan(power(";
      case Op::step:
        return "step_of(";
      case Op::min:
        return "least(";
      case Op::max:
        return "greatest(";
      default:
        return name + "(";
    }
  }
};

}  // namespace

std::unique_ptr<ExportSyntax> make_matlab_syntax(const ExportedSystem& system) {
  return std::make_unique<MatlabSyntax>(system);
}

}  // namespace visviva
