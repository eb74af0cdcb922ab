#include "visviva/base/result_table.h"

#include <algorithm>
#include <iterator>

namespace visviva {
namespace {

using Part = EnergyPart;  // short, for the table
using enum ResultUnit;

constexpr EnergyResult energy_result_table[] = {
    {"K", joule, "kinetic energy", Part::K},
    {"K0", joule, "the part of K of degree 0 in the speeds", Part::K0},
    {"K1", joule, "the part of K of degree 1 in the speeds", Part::K1},
    {"K2", joule, "the part of K of degree 2 in the speeds", Part::K2},
    {"U", joule, "generalized potential energy", Part::U},
    {"Z",
     joule,
     "the integral that makes K2 + U + Z constant",
     Part::Z,
     {},
     result_definitions::Z_rate},
    {"E_Z", joule, "generalized dissipative energy integral", {}, result_definitions::E_Z},
    {"E", joule, "generalized energy", {}, result_definitions::E},
    {"H", joule, "generalized Hamiltonian", {}, result_definitions::H},
    {"C", joule, "kinetic and generalized potential energy", {}, result_definitions::C},
    {"sigma", watt, "sum of m v . dv_t/dt, v_t the part of a velocity that no speed makes",
     Part::sigma},
    {"sigma_R", watt, "the same with v_R, the part of v that the independent speeds make",
     Part::sigma_R},
    {"P_nonconservative", watt, "power of the forces that no potential covers",
     Part::P_nonconservative},
};

constexpr ResultCall result_call_table[] = {
    {"reaction", newton},
    {"moment", newton_metre},
    {"force", newton},
    {"multiplier", newton},
    {"motor", newton},
    {"power", watt},
    {"work", joule, "power"},
    {"generalized_power", watt},
    {"generalized_work", joule, "generalized_power"},
    {"action", joule_second, {}, result_definitions::action_rate},
};

std::string_view name_of_part(EnergyPart part) {
  const auto found =
      std::find_if(std::begin(energy_result_table), std::end(energy_result_table),
                   [&](const auto& r) { return r.definition.empty() && r.part == part; });
  return found->name;
}

}  // namespace

std::span<const EnergyResult> energy_results() { return energy_result_table; }

std::span<const EnergyResult> energies_in_joules() {
  const auto end = std::find_if(std::begin(energy_result_table), std::end(energy_result_table),
                                [](const EnergyResult& r) { return r.unit != joule; });
  return {std::begin(energy_result_table), end};
}

std::span<const ResultCall> result_calls() { return result_call_table; }

const EnergyResult* find_energy_result(std::string_view name) {
  const auto found = std::find_if(std::begin(energy_result_table), std::end(energy_result_table),
                                  [&](const EnergyResult& r) { return r.name == name; });
  return found == std::end(energy_result_table) ? nullptr : found;
}

std::optional<CalledResult> find_result_call(std::string_view name) {
  const std::size_t open = name.find('('), close = name.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  const std::string_view verb = name.substr(0, open);
  const auto found = std::find_if(std::begin(result_call_table), std::end(result_call_table),
                                  [&](const ResultCall& c) { return c.name == verb; });
  if (found == std::end(result_call_table)) return {};
  return CalledResult{found, std::string(name.substr(open + 1, close - open - 1))};
}

std::optional<std::pair<std::string, std::string>> CalledResult::action() const {
  const std::size_t comma = subject.find(", ");
  if ((!is("force") && !is("moment") && !is("power")) || comma == std::string::npos) return {};
  return std::pair(subject.substr(0, comma), subject.substr(comma + 2));
}

std::string unit_name(ResultUnit unit) {
  switch (unit) {
    case joule:
      return "J";
    case watt:
      return "W";
    case joule_second:
      return "J*s";
    case newton_metre:
      return "N*m";
    case newton:
      break;
  }
  return "N";
}

Dimension dimension_of(ResultUnit unit) {
  const Dimension second = Dimension::of(Dimension::time), meter = Dimension::of(Dimension::length);
  const Dimension force = Dimension::of(Dimension::mass) * meter / (second * second);
  switch (unit) {
    case joule:
    case newton_metre:
      return force * meter;
    case watt:
      return force * meter / second;
    case joule_second:
      return force * meter * second;
    case newton:
      break;
  }
  return force;
}

std::string write_terms(std::span<const EnergyTerm> terms) {
  std::string text;
  for (const EnergyTerm& term : terms) {
    if (!text.empty()) text += term.is_negative ? " - " : " + ";
    text += name_of_part(term.part);
  }
  return text;
}

}  // namespace visviva
