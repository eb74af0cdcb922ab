// Colours of figures as numbers.
#pragma once

#include <array>
#include <cstdlib>
#include <string>

namespace visviva {

/// Red, green and blue, 0 to 255, of "#rrggbb".
inline std::array<int, 3> read_colour(const char* colour) {
  const long value = std::strtol(colour + 1, nullptr, 16);
  return {int(value >> 16 & 255), int(value >> 8 & 255), int(value & 255)};
}

}  // namespace visviva
