// The table of units and the arithmetic of their scales.
#include "visviva/base/unit.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

#include "visviva/base/suggest.h"

namespace visviva {
namespace {

constexpr int largest_exponent = 60;  // of a base unit, of pi, and in the text

bool fits(const Unit& u) {
  for (int base = Dimension::length; base <= Dimension::luminosity; ++base) {
    const int twelfths = u.dimension.twelfths(static_cast<Dimension::Base>(base));
    if (std::abs(twelfths) > largest_exponent * Dimension::parts) return false;
  }
  return std::abs(u.pi_power) <= largest_exponent;
}

Dimension mechanical(int length, int mass, int time) {
  return Dimension::of(Dimension::length, length) * Dimension::of(Dimension::mass, mass) *
         Dimension::of(Dimension::time, time);
}

std::vector<UnitEntry> make_unit_table() {
  using D = Dimension;
  const D none{}, s = D::of(D::time), A = D::of(D::current);
  const D W = mechanical(2, 1, -3);
  return {
      {"m", {1, 1, 0, D::of(D::length)}, {"p", "n", "u", "m", "c", "d", "k", "M", "G"}, "metre"},
      {"kg", {1, 1, 0, D::of(D::mass)}, {}, "kilogram"},
      {"gram", {1, 1000, 0, D::of(D::mass)}, {"n", "u", "m"}, "gram (the name g stays free)"},
      {"s", {1, 1, 0, s}, {"p", "n", "u", "m"}, "second"},
      {"min", {60, 1, 0, s}, {}, "minute"},
      {"h", {3600, 1, 0, s}, {}, "hour"},
      {"Hz", {1, 1, 0, D::of(D::time, -1)}, {"m", "k", "M", "G", "T"}, "1/s, cycles a second"},
      {"rad", {1, 1, 0, none}, {"n", "u", "m"}, "radian, the pure number 1"},
      {"deg", {1, 180, 1, none}, {}, "degree, pi/180"},
      {"rev", {2, 1, 1, none}, {}, "revolution, 2 pi"},
      {"N", {1, 1, 0, mechanical(1, 1, -2)}, {"n", "u", "m", "k", "M", "G"}, "newton"},
      {"Pa", {1, 1, 0, mechanical(-1, 1, -2)}, {"u", "m", "h", "k", "M", "G"}, "pascal"},
      {"J", {1, 1, 0, mechanical(2, 1, -2)}, {"n", "u", "m", "k", "M", "G", "T"}, "joule"},
      {"W", {1, 1, 0, W}, {"n", "u", "m", "k", "M", "G", "T"}, "watt"},
      {"A", {1, 1, 0, A}, {"n", "u", "m", "k"}, "ampere"},
      {"V", {1, 1, 0, W / A}, {"n", "u", "m", "k", "M"}, "volt"},
      {"ohm", {1, 1, 0, W / A / A}, {"m", "k", "M", "G"}, "ohm"},
      {"K", {1, 1, 0, D::of(D::temperature)}, {"n", "u", "m"}, "kelvin"},
      {"mol", {1, 1, 0, D::of(D::amount)}, {"n", "u", "m", "k"}, "mole"},
      {"cd", {1, 1, 0, D::of(D::luminosity)}, {"m"}, "candela"},
  };
}

// Every unit with every prefix it takes.
std::map<std::string, Unit, std::less<>> make_unit_index() {
  std::map<std::string, Unit, std::less<>> index;
  for (const UnitEntry& entry : unit_table()) {
    index.emplace(entry.name, entry.unit);
    for (const UnitPrefix& prefix : unit_prefixes()) {
      const auto& taken = entry.prefixes;
      if (std::find(taken.begin(), taken.end(), prefix.name) == taken.end()) continue;
      Unit scaled{1, 1, 0, {}};
      std::int64_t& side = prefix.power_of_ten < 0 ? scaled.den : scaled.num;
      for (int i = 0; i < std::abs(prefix.power_of_ten); ++i) side *= 10;
      index.emplace(prefix.name + entry.name, *multiply(scaled, entry.unit));
      // The sign that SI prefers for micro, in both of its code points.
      if (prefix.name != "u") continue;
      index.emplace("\u00b5" + entry.name, *multiply(scaled, entry.unit));
      index.emplace("\u03bc" + entry.name, *multiply(scaled, entry.unit));
    }
  }
  return index;
}

const std::map<std::string, Unit, std::less<>>& unit_index() {
  static const auto index = make_unit_index();
  return index;
}

// Names that people write for units, and what they may mean.
const std::map<std::string, std::string, std::less<>>& foreign_units() {
  static const std::map<std::string, std::string, std::less<>> table = {
      {"g", "gram is written 'gram', because g is the acceleration of gravity"},
      {"mg", "milligram is written 'mgram'"},
      {"sec", "second is written 's'"},
      {"secs", "second is written 's'"},
      {"second", "second is written 's'"},
      {"seconds", "second is written 's'"},
      {"minute", "minute is written 'min'"},
      {"minutes", "minute is written 'min'"},
      {"hr", "hour is written 'h'"},
      {"hour", "hour is written 'h'"},
      {"hours", "hour is written 'h'"},
      {"meter", "metre is written 'm'"},
      {"meters", "metre is written 'm'"},
      {"metre", "metre is written 'm'"},
      {"metres", "metre is written 'm'"},
      {"newton", "newton is written 'N'"},
      {"newtons", "newton is written 'N'"},
      {"Nm", "newton metre is written 'N*m'"},
      {"Nms", "write 'N*m*s'"},
      {"joule", "joule is written 'J'"},
      {"joules", "joule is written 'J'"},
      {"watt", "watt is written 'W'"},
      {"watts", "watt is written 'W'"},
      {"degree", "degree is written 'deg'"},
      {"degrees", "degree is written 'deg'"},
      {"\u00b0", "degree is written 'deg'"},
      {"radian", "radian is written 'rad'"},
      {"radians", "radian is written 'rad'"},
      {"rpm", "write 'rev/min'"},
      {"kph", "write 'km/h'"},
      {"kmh", "write 'km/h'"},
      {"t", "tonne is no unit here; write 1000 kg"},
      {"tonne", "tonne is no unit here; write 1000 kg"},
      {"ft", "units are SI; 1 ft is 0.3048 m"},
      {"foot", "units are SI; 1 ft is 0.3048 m"},
      {"feet", "units are SI; 1 ft is 0.3048 m"},
      {"in", "units are SI; 1 in is 0.0254 m"},
      {"inch", "units are SI; 1 in is 0.0254 m"},
      {"inches", "units are SI; 1 in is 0.0254 m"},
      {"mile", "units are SI; 1 mile is 1609.344 m"},
      {"miles", "units are SI; 1 mile is 1609.344 m"},
      {"mph", "units are SI; 1 mph is 0.44704 m/s"},
      {"lb", "units are SI; 1 lb is 0.45359237 kg"},
      {"lbs", "units are SI; 1 lb is 0.45359237 kg"},
      {"pound", "units are SI; 1 lb is 0.45359237 kg"},
      {"pounds", "units are SI; 1 lb is 0.45359237 kg"},
      {"lbf", "units are SI; 1 lbf is 4.4482216152605 N"},
      {"bar", "units are SI; 1 bar is 100 kPa"},
  };
  return table;
}

std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return {};
  return product;
}

}  // namespace

const std::vector<UnitEntry>& unit_table() {
  static const std::vector<UnitEntry> table = make_unit_table();
  return table;
}

const std::vector<UnitPrefix>& unit_prefixes() {
  static const std::vector<UnitPrefix> prefixes = {{"p", -12}, {"n", -9}, {"u", -6}, {"m", -3},
                                                   {"c", -2},  {"d", -1}, {"h", 2},  {"k", 3},
                                                   {"M", 6},   {"G", 9},  {"T", 12}};
  return prefixes;
}

std::optional<Unit> find_unit(std::string_view name) {
  const auto found = unit_index().find(name);
  if (found == unit_index().end()) return {};
  return found->second;
}

std::string suggest_unit(std::string_view name) {
  const auto known = foreign_units().find(name);
  if (known != foreign_units().end()) return known->second;
  std::vector<std::string> names;
  for (const UnitEntry& entry : unit_table()) names.push_back(entry.name);
  for (const auto& [full, unit] : unit_index()) names.push_back(full);
  return did_you_mean(name, names);
}

std::optional<Unit> multiply(const Unit& a, const Unit& b) {
  // Cross-cancel first, so that only what cannot fit fails.
  const std::int64_t left = std::gcd(a.num, b.den), right = std::gcd(b.num, a.den);
  const auto num = checked_product(a.num / left, b.num / right);
  const auto den = checked_product(a.den / right, b.den / left);
  if (!num || !den || !fits(a) || !fits(b)) return {};
  const Unit product{*num, *den, a.pi_power + b.pi_power, a.dimension * b.dimension};
  if (!fits(product)) return {};
  return product;
}

std::optional<Unit> power(const Unit& a, int exponent) {
  if (exponent > largest_exponent || exponent < -largest_exponent) return {};
  Unit base = a;
  if (exponent < 0) {
    std::swap(base.num, base.den);
    base.pi_power = -base.pi_power;
    base.dimension = base.dimension.power(-1);
  }
  std::optional<Unit> product = Unit{};
  for (int i = 0; i < std::abs(exponent) && product; ++i) product = multiply(*product, base);
  return product;
}

}  // namespace visviva
