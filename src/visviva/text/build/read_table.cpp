#include "visviva/text/build/read_table.h"

#include <filesystem>

#include "visviva/base/unit.h"
#include "visviva/text/build/csv.h"

namespace visviva {
namespace {

struct TableOptions {
  CsvOptions csv;
  Unit unit;
};

TableOptions read_table_options(ExpressionReader& expressions, const Expression& call) {
  TableOptions options;
  for (std::size_t i = 1; i < call.operands.size(); ++i) {
    const Expression& option = call.operands[i];
    if (option.text == "unit") options.unit = *parse_unit(option.unit).unit;
    if (option.text != "column" || option.operands.empty()) continue;
    const Expression& which = option.operands[0];
    if (which.kind == Expression::Kind::text)
      options.csv.column = which.text;
    else
      options.csv.column = static_cast<int>(expressions.read_constant(which, Dimension()));
  }
  return options;
}

// A problem of a table, with its place there in the message and the file called as in the model.
Diagnostic retell(Diagnostic d, const std::string& path, const Expression& file) {
  const bool same = path == file.text;
  for (std::size_t i; (i = d.message.find(path)) != std::string::npos && !same;)
    d.message.replace(i, path.size(), file.text);
  if (d.span.line > 0)
    d.message = "line " + std::to_string(d.span.line) + " of the table: " + d.message;
  d.span = file.span;
  return d;
}

double scale_of(const Unit& unit) {
  double scale = static_cast<double>(unit.num) / static_cast<double>(unit.den);
  for (int i = 0; i < unit.pi_power; ++i) scale *= 3.14159265358979323846;
  return scale;
}

}  // namespace

void define_table(ModelDraft& draft, ExpressionReader& expressions, const Quantity& specified,
                  const Expression& call) {
  require_operands(call);
  const Expression& file = call.operands[0];
  const TableOptions options = read_table_options(expressions, call);
  const std::filesystem::path folder = std::filesystem::path(draft.source().file).parent_path();
  const std::string path = (folder / file.text).string();
  CsvColumn column = read_csv_column(path, options.csv);
  if (!column.ok()) {
    for (const Diagnostic& d : column.problems) draft.add(retell(d, path, file));
    throw GivenUp();
  }
  const double scale = scale_of(options.unit);
  for (double& v : column.values) v *= scale;
  const auto spline =
      std::make_shared<const Spline>(std::move(column.times), std::move(column.values));
  draft.stand_at(call.span);
  draft.model().define(specified, spline, options.unit.dimension);
}

}  // namespace visviva
