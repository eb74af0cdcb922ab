// Writing dimensions the way a person would: newtons where there is a force.
#include <array>
#include <cstdlib>
#include <utility>

#include "visviva/base/exponent_text.h"
#include "visviva/base/unit.h"

namespace visviva {
namespace {

struct Familiar {
  std::array<int, 4> exponents;  // length, mass, time, current
  const char* text;
  const char* noun;  // "" when there is no single one
};

// Looked up before any rule. A torque and an energy have the same dimension; a mechanician reads
// N*m as either.
constexpr std::array familiar = {
    Familiar{{0, 0, 0, 0}, "1", ""},
    Familiar{{1, 0, 0, 0}, "m", "a length"},
    Familiar{{2, 0, 0, 0}, "m^2", "an area"},
    Familiar{{3, 0, 0, 0}, "m^3", "a volume"},
    Familiar{{-1, 0, 0, 0}, "1/m", "a curvature"},
    Familiar{{0, 1, 0, 0}, "kg", "a mass"},
    Familiar{{0, 0, 1, 0}, "s", "a time"},
    Familiar{{0, 0, -1, 0}, "1/s", "a rate"},
    Familiar{{0, 0, -2, 0}, "1/s^2", "an angular acceleration"},
    Familiar{{1, 0, -1, 0}, "m/s", "a velocity"},
    Familiar{{1, 0, -2, 0}, "m/s^2", "an acceleration"},
    Familiar{{2, 1, 0, 0}, "kg*m^2", "a moment of inertia"},
    Familiar{{-3, 1, 0, 0}, "kg/m^3", "a density"},
    Familiar{{1, 1, -2, 0}, "N", "a force"},
    Familiar{{2, 1, -2, 0}, "N*m", "a torque or energy"},
    Familiar{{0, 1, -2, 0}, "N/m", "a stiffness"},
    Familiar{{0, 1, -1, 0}, "N*s/m", "a damping rate"},
    Familiar{{2, 1, -1, 0}, "N*m*s", "an angular momentum or a torque's damping rate"},
    Familiar{{1, 1, -1, 0}, "kg*m/s", "a momentum"},
    Familiar{{2, 1, -3, 0}, "W", "a power"},
    Familiar{{-1, 1, -2, 0}, "Pa", "a pressure"},
    Familiar{{2, 1, -3, -1}, "V", "a voltage"},
    Familiar{{2, 1, -3, -2}, "ohm", "a resistance"},
    Familiar{{0, 0, 0, 1}, "A", "a current"},
};

bool is_plain(const Dimension& d) {
  for (const auto base : {Dimension::temperature, Dimension::amount, Dimension::luminosity}) {
    if (d.twelfths(base) != 0) return false;
  }
  return true;
}

const Familiar* find_familiar(const Dimension& d) {
  if (!is_plain(d)) return nullptr;
  for (const Familiar& f : familiar) {
    bool same = true;
    for (std::size_t i = 0; i < f.exponents.size(); ++i) {
      const auto base =
          std::array{Dimension::length, Dimension::mass, Dimension::time, Dimension::current}[i];
      same = same && d.twelfths(base) == f.exponents[i] * Dimension::parts;
    }
    if (same) return &f;
  }
  return nullptr;
}

// A product of powers, in twelfths: what is multiplied first, then what is divided by.
std::string print_product(const std::vector<std::pair<const char*, int>>& factors) {
  std::string above, below;
  for (const auto& [name, twelfths] : factors) {
    if (twelfths == 0) continue;
    std::string& side = twelfths > 0 ? above : below;
    side += twelfths < 0 ? "/" : side.empty() ? "" : "*";
    side += name + exponent_text(std::abs(twelfths), Dimension::parts);
  }
  return (above.empty() ? "1" : above) + below;
}

}  // namespace

std::string print_dimension(const Dimension& d) {
  if (!d.is_known()) return d.str();
  if (const Familiar* known = find_familiar(d)) return known->text;
  int mass = d.twelfths(Dimension::mass), length = d.twelfths(Dimension::length),
      time = d.twelfths(Dimension::time);
  // N^k holds kg^k*m^k/s^2k: worth it where the masses all come with such times.
  int force = 0;
  const int wanted = -2 * mass;
  if (mass != 0 && (wanted < 0 ? time <= wanted : time >= wanted)) {
    force = mass;
    length -= mass;
    time -= wanted;
    mass = 0;
  }
  return print_product({{"N", force},
                        {"kg", mass},
                        {"m", length},
                        {"s", time},
                        {"A", d.twelfths(Dimension::current)},
                        {"K", d.twelfths(Dimension::temperature)},
                        {"mol", d.twelfths(Dimension::amount)},
                        {"cd", d.twelfths(Dimension::luminosity)}});
}

std::string describe_dimension(const Dimension& d) {
  if (d.is_dimensionless()) return "a pure number";
  const Familiar* known = find_familiar(d);
  if (known == nullptr) return print_dimension(d);
  return std::string(known->noun) + " (" + known->text + ")";
}

}  // namespace visviva
