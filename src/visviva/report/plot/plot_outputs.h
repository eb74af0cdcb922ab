// The extra outputs that plots are made from.
//
// Their names begin with a word and a blank: two names beside one another are no expression, so that no
// model text has an output called like that. A name that C++ gives may be any: compile() refuses an extra
// output with the name of another.
#pragma once

#include <string>
#include <vector>

#include "visviva/codegen/system/output_expressions.h"
#include "visviva/equations/equations.h"

namespace visviva {

/// Names of outputs. A specified function may have the name of a load, and is a motor.
inline std::string energy_output(const std::string& name) { return "energy " + name; }
inline std::string power_output(const std::string& load) { return "power " + load; }
/// The power of all gravity, which is one source.
inline std::string gravity_output() { return "gravity power"; }
inline std::string motor_output(const std::string& specified) { return "motor " + specified; }
inline std::string position_output(std::size_t row) {
  return "position residual " + std::to_string(row);
}
inline std::string velocity_output(std::size_t row) {
  return "velocity residual " + std::to_string(row);
}

/// Energies, powers and residuals.
std::vector<ExtraOutput> list_plot_outputs(const Equations& equations);

/// The motors of prescribed motions by name.
std::vector<std::string> list_motors(const Equations& equations);

/// Motors without a column: power(NAME) is that of a load.
std::vector<std::string> list_nameless_motors(const Equations& equations);

}  // namespace visviva
