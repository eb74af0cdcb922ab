// Units of the model language: exact scales to SI, and dimensions written the way a person would.
//
// A unit is a name of the table, with a prefix where the table allows one, or a product, quotient
// and whole powers of such names without blanks: kg*m^2, m^3/kg/s^2, s^-1. Angles are pure numbers:
// deg is pi/180, rad is 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/base/dimension.h"

namespace visviva {

/// A unit: num/den * pi^pi_power in SI units of the dimension; num/den in lowest terms, both
/// positive.
struct Unit {
  std::int64_t num = 1;
  std::int64_t den = 1;
  int pi_power = 0;
  Dimension dimension{};
  friend bool operator==(const Unit&, const Unit&) = default;
};

/// One row of the table of units.
struct UnitEntry {
  std::string name;
  Unit unit;
  std::vector<std::string> prefixes;  ///< those it takes: "m", "k", ...
  std::string meaning;
};
const std::vector<UnitEntry>& unit_table();

/// A prefix of units, such as k.
struct UnitPrefix {
  std::string name;
  int power_of_ten;
};
const std::vector<UnitPrefix>& unit_prefixes();

/// A single unit by its name, prefix included: "mm", "kg", "deg".
std::optional<Unit> find_unit(std::string_view name);

/// A hint for a word that is no unit: "did you mean 'gram'?"; "" when nothing comes to mind.
std::string suggest_unit(std::string_view name);

/// A product or power of units; nothing when the scale or an exponent does not fit.
std::optional<Unit> multiply(const Unit& a, const Unit& b);
std::optional<Unit> power(const Unit& a, int exponent);

/// What is wrong with a unit, and where in its text (in characters from 0).
struct UnitProblem {
  std::string code;
  std::string message;
  std::string help;
  std::size_t offset = 0;
  std::size_t length = 0;
};

/// A unit, or the first problem of its text.
struct UnitReading {
  std::optional<Unit> unit;
  UnitProblem problem;
};

/// Reads a unit from a whole text such as "kg*m^2", "1/s" or "1".
UnitReading parse_unit(std::string_view text);

/// The names in a unit's text and where each begins (in bytes): "N*m" has N at 0 and m at 2.
struct UnitName {
  std::string name;
  std::size_t offset;
};
std::vector<UnitName> unit_names(std::string_view text);

/// A dimension as a person writes it: "N*m", "N*s/m", "kg*m^2", "m/s^2"; "1" for a pure number.
/// parse_unit reads it back when all exponents are whole.
std::string print_dimension(const Dimension& dimension);
/// A dimension for messages: "a length (m)", "a pure number", "kg^2*m".
std::string describe_dimension(const Dimension& dimension);

}  // namespace visviva
