// How the exponent of a unit is written: "", "^2", "^(1/2)".
#pragma once

#include <numeric>
#include <string>

namespace visviva {

/// The exponent above/below.
inline std::string exponent_text(int above, int below) {
  const int common = std::gcd(above, below);
  const std::string number = std::to_string(above / common);
  if (common == below) return number == "1" ? "" : "^" + number;
  return "^(" + number + "/" + std::to_string(below / common) + ")";
}

}  // namespace visviva
