#include "visviva/codegen/export/export_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visviva/base/error.h"

namespace visviva {

std::string ExportSyntax::literal(double value) const {
  if (std::isnan(value)) return table_.not_a_number;
  if (std::isinf(value)) return (value > 0 ? "" : "-") + std::string(table_.infinity);
  // It reads back as the same double and as no integer: "2.0", "1e-05".
  std::string s = fmt::format("{}", value);
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

std::string ExportSyntax::call(Op function, const std::string& a, const std::string& b) const {
  const std::string begin = opening(function);
  const auto depth = std::count(begin.begin(), begin.end(), '(');
  return begin + a + (b.empty() ? "" : ", " + b) +
         std::string(static_cast<std::size_t>(depth), ')');
}

std::string ExportSyntax::lookup(const BoundTable& table, const std::string& x,
                                 const std::string& y) const {
  for (std::size_t k = 0; k < system_.tables.size(); ++k)
    if (system_.tables[k].function == table.table.get()) return table_value(k, x, table.orders[0]);
  for (std::size_t k = 0; k < system_.maps.size(); ++k) {
    if (system_.maps[k].function == table.table)
      return map_value(k + table_.first_index,
                       fmt::format("{}, {}, {}, {}", x, y, table.orders[0], table.orders[1]));
  }
  throw InternalError("ExportSyntax::lookup: a table that the system does not list");
}

std::string ExportSyntax::element(const char* array, std::size_t index) const {
  return fmt::format("{}{}{}{}", array, table_.open, index + table_.first_index, table_.close);
}

std::string ExportSyntax::target(const ExportedTarget& t) const {
  const std::string array = std::string("out.") + t.array;
  if (!t.column) return element(array.c_str(), t.row);
  return fmt::format("{}{}{}, {}{}", array, table_.open, t.row + table_.first_index,
                     *t.column + table_.first_index, table_.close);
}

}  // namespace visviva
