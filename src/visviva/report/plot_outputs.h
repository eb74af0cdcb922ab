// Names of the extra outputs that plots are made from.
#pragma once

#include <string>

namespace visviva {

inline std::string energy_output(const std::string& name) { return "energy " + name; }
inline std::string power_output(const std::string& source) { return "power " + source; }
inline std::string position_output(std::size_t row) {
  return "position residual " + std::to_string(row);
}
inline std::string velocity_output(std::size_t row) {
  return "velocity residual " + std::to_string(row);
}

/// All gravity is one source of power.
constexpr const char* gravity_prefix = "gravity on ";

}  // namespace visviva
