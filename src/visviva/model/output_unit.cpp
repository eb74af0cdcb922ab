#include "visviva/model/output_unit.h"

#include "visviva/base/result_table.h"
#include "visviva/base/unit.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

// The unit of a result that is an energy, or an integral over time; nothing for other symbols.
std::optional<ResultUnit> find_energy_unit(const std::string& name) {
  if (const EnergyResult* energy = find_energy_result(name)) return energy->unit;
  const std::optional<CalledResult> called = find_result_call(name);
  if (called && called->is_integral()) return called->call->unit;
  return {};
}

}  // namespace

std::string unit_of(const OutputData& output) {
  if (!output.is_vector) {
    for (const Expr& symbol : free_symbols(output.scalar)) {
      const auto unit = find_energy_unit(symbol.home().symbol_name(symbol.ref()));
      if (unit && dimension_of(*unit) == output.dimension) return unit_name(*unit);
    }
  }
  return print_dimension(output.dimension);
}

}  // namespace visviva
