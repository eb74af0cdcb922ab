// The table of results: what evaluations, runs and pages tell about energy, each with its name, unit and
// definition.
//
// K0, K1, K2, U, sigma, sigma_R and P_nonconservative come from bodies and loads (equations/energy). The
// others are defined here, once (Mitiguy, Advanced Dynamics and Motion Simulation, ch. 34 (1) to (8)):
//   E_Z = K2 + U + Z,   E = K2 + U,   H = K2 - K0 + U,   C = K + U                              (1)
//   Z' = sigma_R - P_nonconservative,   action()' = K - V, V being U with terms of t alone; zero at first  (2)
//   work(X)' = power(X),   generalized_work(X)' = generalized_power(X), likewise                (3)
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "visviva/base/dimension.h"

namespace visviva {

/// The parts that definitions are made of.
enum class EnergyPart { K, K0, K1, K2, U, Z, sigma, sigma_R, P_nonconservative };

/// A part, added or taken away.
struct EnergyTerm {
  EnergyPart part;
  bool is_negative = false;
};

enum class ResultUnit { joule, watt, joule_second, newton, newton_metre };

/// A result with a name of its own.
struct EnergyResult {
  std::string_view name;
  ResultUnit unit;
  std::string_view meaning;  ///< for people, without the definition
  EnergyPart part{};         ///< which one it is, where it has no definition
  std::span<const EnergyTerm> definition{};
  std::span<const EnergyTerm> rate{};  ///< of an integral over time
};

/// A result that is asked for like a function: "power(spring)", "action()".
struct ResultCall {
  std::string_view name;
  ResultUnit unit;                     ///< of a multiplier and a motor, that of a force
  std::string_view rate_name{};        ///< (3): the call that an integral over time integrates
  std::span<const EnergyTerm> rate{};  ///< (2)
};

namespace result_definitions {

inline constexpr EnergyTerm E_Z[] = {{EnergyPart::K2}, {EnergyPart::U}, {EnergyPart::Z}};
inline constexpr EnergyTerm E[] = {{EnergyPart::K2}, {EnergyPart::U}};
inline constexpr EnergyTerm H[] = {{EnergyPart::K2}, {EnergyPart::K0, true}, {EnergyPart::U}};
inline constexpr EnergyTerm C[] = {{EnergyPart::K}, {EnergyPart::U}};
inline constexpr EnergyTerm Z_rate[] = {{EnergyPart::sigma_R},
                                        {EnergyPart::P_nonconservative, true}};
inline constexpr EnergyTerm action_rate[] = {{EnergyPart::K}, {EnergyPart::U, true}};

}  // namespace result_definitions

/// All results, in the order in which they are shown: energies, then powers.
std::span<const EnergyResult> energy_results();
/// The results of energy_results() that are energies.
std::span<const EnergyResult> energies_in_joules();
std::span<const ResultCall> result_calls();

/// The result of that name; nullptr when there is none.
const EnergyResult* find_energy_result(std::string_view name);

/// "power(spring)" taken apart; a component such as ".x" may follow.
struct CalledResult {
  const ResultCall* call;
  std::string subject;  ///< "spring"; empty for "action()"

  bool is(std::string_view name) const { return call->name == name; }
  /// The subjects of force(X, B), moment(X, B) and power(X, B): what acts, and on which part. Nothing for other calls.
  std::optional<std::pair<std::string, std::string>> action() const;
  bool is_integral() const { return !call->rate_name.empty() || !call->rate.empty(); }
};
/// The result that a name calls; nothing for other names.
std::optional<CalledResult> find_result_call(std::string_view name);

std::string unit_name(ResultUnit unit);  ///< "J", "W", "J*s", "N", "N*m"
Dimension dimension_of(ResultUnit unit);

/// "K2 - K0 + U".
std::string write_terms(std::span<const EnergyTerm> terms);

/// The part of a struct that has members of these names: energies as expressions or as numbers. Z is
/// what the motion has added up.
template <class Energies, class Number>
Number take_part(const Energies& e, const Number& Z, EnergyPart part) {
  switch (part) {
    case EnergyPart::K:
      return e.K;
    case EnergyPart::K0:
      return e.K0;
    case EnergyPart::K1:
      return e.K1;
    case EnergyPart::K2:
      return e.K2;
    case EnergyPart::U:
      return e.U;
    case EnergyPart::Z:
      return Z;
    case EnergyPart::sigma:
      return e.sigma;
    case EnergyPart::sigma_R:
      return e.sigma_R;
    case EnergyPart::P_nonconservative:
      break;
  }
  return e.P_nonconservative;
}

/// The sum of terms, in their order; `take` gives a part. The first term is never negative.
template <class Take>
auto add_terms(std::span<const EnergyTerm> terms, const Take& take) {
  auto sum = take(terms[0].part);
  for (const EnergyTerm& term : terms.subspan(1))
    sum = term.is_negative ? sum - take(term.part) : sum + take(term.part);
  return sum;
}

/// The sum of terms, none of which is Z.
template <class Energies>
auto add_terms_of(const Energies& e, std::span<const EnergyTerm> terms) {
  const std::remove_cvref_t<decltype(e.K)> no_Z{};
  return add_terms(terms, [&](EnergyPart part) { return take_part(e, no_Z, part); });
}

/// A result by its definition, or the part that it is.
template <class Energies, class Number>
Number compute_result(const EnergyResult& result, const Energies& e, const Number& Z) {
  if (result.definition.empty()) return take_part(e, Z, result.part);
  return add_terms(result.definition, [&](EnergyPart part) { return take_part(e, Z, part); });
}

}  // namespace visviva
