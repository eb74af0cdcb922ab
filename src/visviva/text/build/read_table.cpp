#include "visviva/text/build/read_table.h"

#include <algorithm>
#include <filesystem>

#include "visviva/base/unit.h"
#include "visviva/text/build/csv.h"
#include "visviva/text/build/read_source.h"

namespace visviva {
namespace {

struct TableOptions {
  CsvOptions csv;
  Unit unit;
  TableRange range = TableRange::error;
};

TableOptions read_table_options(ExpressionReader& expressions, const Expression& call) {
  TableOptions options;
  for (std::size_t i = 1; i < call.operands.size(); ++i) {
    const Expression& option = call.operands[i];
    if (option.text == "unit") options.unit = *parse_unit(option.unit).unit;
    if (option.text == "hold") options.range = TableRange::hold;
    if (option.text == "periodic") options.range = TableRange::periodic;
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

struct TableReader::Table {
  std::shared_ptr<const Spline> spline;
  Dimension dimension;
};

// A model from somebody else must not read what is none of its business.
void TableReader::require_folder(const std::string& path, const Expression& file) const {
  const auto folder = std::filesystem::path(draft_.source().file).parent_path();
  const auto holds = [&](const std::filesystem::path& f) { return lies_under(path, f); };
  if (holds(folder) || std::any_of(folders_.begin(), folders_.end(), holds)) return;
  draft_.fail(file.span, "E-table-file",
              "\"" + file.text + "\" is not in the model's folder or below it",
              "move the table there, or allow its folder: --tables FOLDER");
}

TableReader::Table TableReader::read(const Quantity& scalar, const Expression& call) {
  const SymbolRole* role = scalar.expr().is_symbol() ? draft_.data().role(scalar.expr()) : nullptr;
  if (role == nullptr || role->role != Role::specified) {
    if (draft_.has_syntax_error(call.span)) throw GivenUp();
    draft_.fail(call.span, "E-function-place",
                "'table' stands only as the whole value of a specified function");
  }
  require_operands(call);
  const Expression& file = call.operands[0];
  const TableOptions options = read_table_options(expressions_, call);
  const std::filesystem::path folder = std::filesystem::path(draft_.source().file).parent_path();
  const std::string path = (folder / file.text).string();
  require_folder(path, file);
  CsvColumn column = read_csv_column(path, options.csv);
  if (!column.ok()) {
    for (const Diagnostic& d : column.problems) draft_.add(retell(d, path, file));
    throw GivenUp();
  }
  const double scale = scale_of(options.unit);
  for (double& v : column.values) v *= scale;
  draft_.stand_at(call.span);
  try {
    return {std::make_shared<const Spline>(std::move(column.times), std::move(column.values),
                                           options.range),
            options.unit.dimension};
  } catch (const UsageError& refusal) {
    draft_.fail(call.span, "E-table-values", refusal.problem());
  }
}

void TableReader::define(const Quantity& scalar, const Expression& call) {
  const Table table = read(scalar, call);
  draft_.model().define(scalar, table.spline, table.dimension);
}

void TableReader::check(const Quantity& scalar, const Expression& call) {
  const Table table = read(scalar, call);
  require_dimension(table.dimension, scalar.dimension(), "case", "the table", "E-dimension-table");
}

}  // namespace visviva
