#include "visviva/report/trajectory/trajectory_columns.h"

#include <map>

#include "visviva/base/error.h"
#include "visviva/base/result_table.h"
#include "visviva/base/unit.h"
#include "visviva/base/words.h"
#include "visviva/model/output_unit.h"

namespace visviva {
namespace {

// What stands first keeps its unit: an output may have the name of a coordinate.
std::map<std::string, std::string> list_units(const Kinematics& motion) {
  const ModelData& model = motion.model();
  const Dimension time = Dimension::of(Dimension::time);
  std::map<std::string, std::string> units = {{"t", "s"}};
  for (const CoordinateData& c : model.coordinates) {
    units.emplace(c.name, print_dimension(c.dimension));
    units.emplace(c.name + "'", print_dimension(c.dimension / time));
  }
  for (const StateData& s : model.states) units.emplace(s.name, print_dimension(s.dimension));
  for (const Speed& s : motion.speeds()) units.emplace(s.name, print_dimension(s.dimension));
  for (const EnergyResult& r : energies_in_joules()) units.emplace(r.name, unit_name(r.unit));
  for (const OutputData& o : model.outputs) {
    const std::string unit = unit_of(o);
    if (!o.is_vector) units.emplace(o.name, unit);
    for (const char* axis : {".x", ".y", ".z"})
      if (o.is_vector) units.emplace(o.name + axis, unit);
  }
  return units;
}

// Integrals over time are energies: "J" and not "N*m", which a dimension alone would give. Empty for
// anything else.
std::string unit_of_integral(const std::string& name) {
  const std::optional<CalledResult> called = find_result_call(name);
  return called && called->is_integral() ? unit_name(called->call->unit) : "";
}

}  // namespace

std::vector<TrajectoryColumn> make_trajectory_columns(const std::vector<std::string>& names,
                                                      const Kinematics& motion) {
  const std::map<std::string, std::string> units = list_units(motion);
  std::vector<TrajectoryColumn> columns;
  for (const std::string& name : names) {
    std::string unit = unit_of_integral(name);
    const auto found = units.find(name);
    // What has no dimension of its own is a hidden state, an angle or a quaternion.
    if (unit.empty()) unit = found == units.end() ? "1" : found->second;
    columns.push_back({name, unit});
  }
  return columns;
}

void require_whole_sample(std::span<const double> values, std::size_t column_count,
                          const char* function) {
  if (values.size() == column_count) return;
  throw UsageError(function, "a sample has " + counted(values.size(), "value") + ", the file " +
                                 counted(column_count, "column"));
}

}  // namespace visviva
