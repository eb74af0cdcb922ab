#include "visviva/text/build/read_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "visviva/base/unit.h"
#include "visviva/text/build/csv.h"
#include "visviva/text/build/read_source.h"

namespace visviva {
namespace {

TableRange read_range(const std::string& word, TableRange otherwise) {
  if (word == "hold") return TableRange::hold;
  if (word == "periodic") return TableRange::periodic;
  return word == "error" ? TableRange::error : otherwise;
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

void scale(std::vector<double>* values, const Unit& unit) {
  for (double& v : *values) v *= scale_of(unit);
}

// The scalars that a table is read over are named by them where they are names, else x and y.
bool is_plain_name(const Expression& e) {
  return e.kind == Expression::Kind::name && e.primes == 0;
}

// "gas" of "data/gas-2.csv": letters, digits and _ of the file's name.
std::string make_name(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  for (char& c : name) {
    const bool is_good = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (!is_good) c = '_';
  }
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0)
    name = "table_" + name;
  return name;
}

}  // namespace

/// What a table is read over.
struct TableReader::Axis {
  const Expression* at = nullptr;  // nothing: time
  std::optional<Unit> unit;
  TableRange range = TableRange::error;
};

struct TableReader::Options {
  CsvOptions csv;
  std::vector<Axis> axes;
  std::optional<Unit> unit;
  TableShape shape = TableShape::smooth;
};

/// A column in SI units, and its abscissas.
struct TableReader::Samples {
  std::vector<double> places, values;
  std::optional<Unit> place_unit, unit;
};

struct TableReader::Table {
  std::shared_ptr<const TableFunction> function;
  Dimension dimension;
  std::vector<std::optional<Dimension>> axes;
};

// A model from somebody else must not read what is none of its business.
std::string TableReader::find_path(const Expression& file) const {
  const auto folder = std::filesystem::path(draft_.source().file).parent_path();
  const std::string path = (folder / file.text).string();
  const auto holds = [&](const std::filesystem::path& f) { return lies_under(path, f); };
  if (holds(folder) || std::any_of(folders_.begin(), folders_.end(), holds)) return path;
  draft_.fail(file.span, "E-table-file",
              "\"" + file.text + "\" is not in the model's folder or below it",
              "move the table there, or allow its folder: --tables FOLDER");
}

TableReader::Options TableReader::read_options(const Expression& call) {
  if (draft_.has_syntax_error(call.span)) throw GivenUp();
  require_operands(call);
  Options options;
  TableRange range = TableRange::error;
  const auto unit_of = [](const Expression& e) {
    return e.unit.empty() ? std::nullopt : parse_unit(e.unit).unit;
  };
  for (std::size_t i = 1; i < call.operands.size(); ++i) {
    const Expression& option = call.operands[i];
    range = read_range(option.text, range);
    if (option.text == "unit") options.unit = unit_of(option);
    if (option.text == "linear") options.shape = TableShape::linear;
    if (option.text == "over") {
      for (const Expression& axis : option.operands)
        options.axes.push_back({&axis.operands[0], unit_of(axis), TableRange::error});
    }
    if (option.text != "column" || option.operands.empty()) continue;
    const Expression& which = option.operands[0];
    if (which.kind == Expression::Kind::text)
      options.csv.column = which.text;
    else
      options.csv.column = static_cast<int>(expressions_.read_constant(which, Dimension()));
  }
  if (options.axes.empty()) options.axes.emplace_back();
  const auto over = std::find_if(call.operands.begin(), call.operands.end(),
                                 [](const Expression& o) { return o.text == "over"; });
  for (std::size_t i = 0; i < options.axes.size(); ++i)
    options.axes[i].range =
        over == call.operands.end() ? range : read_range(over->operands[i].operators, range);
  return options;
}

TableReader::Samples TableReader::read_samples(const Expression& call, const Options& options) {
  const Expression& file = call.operands[0];
  const std::string path = find_path(file);
  CsvOptions csv = options.csv;
  if (options.axes[0].at != nullptr) csv.abscissa = "abscissa";
  CsvColumn column = read_csv_column(path, csv);
  if (!column.ok()) {
    for (const Diagnostic& d : column.problems) draft_.add(retell(d, path, file));
    throw GivenUp();
  }
  const auto choose = [&](const std::optional<Unit>& said, const std::string& in_file) {
    if (in_file.empty()) return said;
    const std::optional<Unit> there = parse_unit(in_file).unit;
    if (said && there && !(*said == *there))
      draft_.fail(
          call.span, "E-table-unit",
          "the table is told to be in another unit than its file says: " + in_file,
          "leave the unit out here, or correct the one in the header of \"" + file.text + "\"");
    return said ? said : there;
  };
  Samples s{std::move(column.times), std::move(column.values),
            choose(options.axes[0].unit, column.time_unit), choose(options.unit, column.unit)};
  if (s.place_unit) scale(&s.places, *s.place_unit);
  if (s.unit) scale(&s.values, *s.unit);
  draft_.stand_at(call.span);
  return s;
}

TableReader::Table TableReader::read_curve(const Expression& call, const Options& options) {
  Samples s = read_samples(call, options);
  Table table;
  table.dimension = s.unit ? s.unit->dimension : Dimension();
  table.axes = {s.place_unit ? std::optional(s.place_unit->dimension) : std::nullopt};
  Spline curve(std::move(s.places), std::move(s.values), options.axes[0].range, options.shape);
  warn_of_overshoot(curve, call);
  table.function = std::make_shared<const TableFunction>(std::move(curve));
  return table;
}

// A smooth curve through a jump swings far out on both sides of it.
void TableReader::warn_of_overshoot(const Spline& curve, const Expression& call) {
  constexpr double much = 0.5;  // of what samples are apart from one another
  if (curve.shape() == TableShape::linear) return;
  const auto [least, greatest] =
      std::minmax_element(curve.samples().begin(), curve.samples().end());
  const double range = *greatest - *least;
  const std::vector<double>& x = curve.knots();
  double worst = much * range, place = 0, value = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    for (const double part : {0.15, 0.3, 0.5, 0.7, 0.85}) {
      const double at = x[i] + part * (x[i + 1] - x[i]), y = curve.value(at);
      const double beyond = std::max(y - *greatest, *least - y);
      if (beyond > worst) worst = beyond, place = at, value = y;
    }
  }
  if (!(worst > much * range)) return;
  draft_.add({Severity::warning, "W-table-overshoot",
              fmt::format("between its samples, {:.4g} to {:.4g}, the smooth curve goes to {:.4g}, "
                          "at {:.4g} (SI units)",
                          *least, *greatest, value, place),
              "where the samples jump write `linear`, or give the jump more rows", call.span});
}

TableReader::Table TableReader::read_map(const Expression& call, const Options& options) {
  const Expression& file = call.operands[0];
  const std::string path = find_path(file);
  CsvMap map = read_csv_map(path, options.csv);
  if (!map.ok()) {
    for (const Diagnostic& d : map.problems) draft_.add(retell(d, path, file));
    throw GivenUp();
  }
  Table table;
  table.dimension = options.unit ? options.unit->dimension : Dimension();
  std::vector<double>* const places[] = {&map.rows, &map.columns};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::optional<Unit>& unit = options.axes[i].unit;
    if (unit) scale(places[i], *unit);
    table.axes.push_back(unit ? std::optional(unit->dimension) : std::nullopt);
  }
  if (options.unit)
    for (std::vector<double>& row : map.values) scale(&row, *options.unit);
  draft_.stand_at(call.span);
  table.function = std::make_shared<const TableFunction>(
      TableAxis{std::move(map.rows), options.axes[0].range},
      TableAxis{std::move(map.columns), options.axes[1].range}, map.values, options.shape);
  return table;
}

// ---- Functions of time

bool TableReader::is_signal(const Quantity& scalar, const Expression& value) const {
  if (value.kind != Expression::Kind::call || value.text != "table" || scalar.is_literal())
    return false;
  const SymbolRole* role = scalar.expr().is_symbol() ? draft_.data().role(scalar.expr()) : nullptr;
  return role != nullptr && role->role == Role::specified &&
         std::none_of(value.operands.begin(), value.operands.end(),
                      [](const Expression& o) { return o.text == "over" || o.text == "linear"; });
}

void TableReader::define(const Quantity& specified, const Expression& call) {
  try {
    const Options options = read_options(call);
    Samples s = read_samples(call, options);
    if (s.place_unit)
      require_dimension(s.place_unit->dimension, Dimension::of(Dimension::time), "table",
                        "the first column", "E-dimension-table");
    auto curve = std::make_shared<const Spline>(std::move(s.places), std::move(s.values),
                                                options.axes[0].range);
    warn_of_overshoot(*curve, call);
    draft_.model().define(specified, std::move(curve), s.unit ? s.unit->dimension : Dimension());
  } catch (const UsageError& refusal) {
    draft_.fail(call.span, refusal, "E-table-values");
  }
}

void TableReader::check(const Quantity& specified, const Expression& call) {
  try {
    const Table table = read_curve(call, read_options(call));
    require_dimension(table.dimension, specified.dimension(), "case", "the table",
                      "E-dimension-table");
  } catch (const UsageError& refusal) {
    draft_.fail(call.span, refusal, "E-table-values");
  }
}

// ---- Functions of scalars

Quantity TableReader::read(const Expression& call) {
  const std::string name = declare(call);
  std::vector<Quantity> arguments;
  for (const Expression& option : call.operands) {
    if (option.text != "over" || option.kind != Expression::Kind::phrase) continue;
    for (const Expression& axis : option.operands)
      arguments.push_back(expressions_.read_scalar(axis.operands[0]));
  }
  if (arguments.empty()) arguments.push_back(draft_.model().time());
  draft_.stand_at(call.span);
  return draft_.model().call(name, arguments);
}

// A call that is read more than once, such as one in a function that is used twice, is one function.
std::string TableReader::declare(const Expression& call) {
  if (const auto known = functions_.find(&call); known != functions_.end()) return known->second;
  try {
    const Options options = read_options(call);
    Table table = options.axes.size() == 1 ? read_curve(call, options) : read_map(call, options);
    if (options.axes[0].at == nullptr) table.axes[0] = Dimension::of(Dimension::time);
    const std::string name = name_of(call);
    draft_.model().function(name, name_arguments(options.axes), std::move(table.function),
                            table.dimension, table.axes, call.operands[0].text);
    functions_.emplace(&call, name);
    return name;
  } catch (const UsageError& refusal) {
    draft_.fail(call.span, refusal, "E-table-values");
  }
}

// What the table is all of, such as the `let` p of `let p = table(...)`; else the file's name.
std::string TableReader::name_of(const Expression& call) const {
  std::string name = make_name(call.operands[0].text);
  for (const SyntaxStatement& s : draft_.tree().statements) {
    for (const SyntaxItem& item : s.items)
      if (item.value && &*item.value == &call && !item.name.text.empty()) name = item.name.text;
  }
  const auto is_taken = [&](const std::string& n) {
    const auto& list = draft_.data().functions;
    const auto mine = names_.functions().find(n);
    const bool is_other = mine != names_.functions().end() &&
                          !(mine->second.item->value && &*mine->second.item->value == &call);
    return is_other || std::any_of(list.begin(), list.end(),
                                   [&](const FunctionData& f) { return f.name == n; });
  };
  std::string free = name;
  for (int i = 2; is_taken(free); ++i) free = name + "_" + std::to_string(i);
  return free;
}

std::vector<std::string> TableReader::name_arguments(const std::vector<Axis>& axes) const {
  const char* const otherwise[] = {"x", "y"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool is_named = axes[i].at == nullptr || is_plain_name(*axes[i].at);
    std::string name = axes[i].at == nullptr ? "t" : is_named ? axes[i].at->text : otherwise[i];
    if (i > 0 && name == names[0]) name += "_2";
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace visviva
