// What tests of energies and integrals share: a mechanism with its energies, closed forms that stand
// in it as outputs, and verdicts about integrals.
//
// Expected forms are outputs called after what they are: `output K2_is = 1/2*m*x'^2`. A quantity
// without such an output is expected to be zero. Every mechanism is also held to (seed
// energy_integrals)
//   K = K0 + K1 + K2                                                                           (10)
//   P = sum_r F_r u_r, independent speeds                                                      (25)
//   (K2 + U)' = P_nonconservative - sigma_R along the motion                              (1), (2)
//   (K2 - K0 + U)' = P_nonconservative - sigma                                                 (5)
// the last two by the accelerations that Kane's equations give.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "../expect.h"
#include "visviva/equations/energy/along_motion.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/find_integrals.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/report/energy/reason_text.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva::validation {

class EnergyMechanism : public Mechanism {
 public:
  explicit EnergyMechanism(const std::string& text, const ReadOptions& options = {})
      : Mechanism(text, options),
        energies_(analyze_energy(derive(motion()))),
        integrals_(find_integrals(energies_)),
        embedding_(energies_.equations, energies_.embedded, energies_.split) {
    check_identities();
  }

  const Energies& energies() const { return energies_; }
  const Integrals& integrals() const { return integrals_; }

  bool has(const std::string& output) const {
    return std::any_of(data().outputs.begin(), data().outputs.end(),
                       [&](const OutputData& o) { return o.name == output; });
  }
  /// An output in terms of independent speeds.
  Expr embedded(const std::string& output) { return embedding_((*this)(output)); }

  const Integral& energy(const std::string& name) const { return find(integrals_.energies, name); }
  const Integral& momentum(const std::string& name) const { return find(integrals_.momenta, name); }
  std::vector<std::string> momentum_names() const {
    std::vector<std::string> names;
    for (const Integral& i : integrals_.momenta) names.push_back(i.name);
    std::sort(names.begin(), names.end());
    return names;
  }
  const LoadEnergy& load(const std::string& name) const { return find(energies_.loads, name); }

 private:
  template <class List>
  static const typename List::value_type& find(const List& list, const std::string& name) {
    for (const auto& item : list)
      if (item.name == name) return item;
    throw std::runtime_error("nothing is called " + name);
  }

  void check_identities() {
    const Energies& e = energies_;
    EXPECT_TRUE(same(e.K0 + e.K1 + e.K2, e.K));  // (10)
    Expr power = zero();
    for (std::size_t i = 0; i < e.embedded.independent.size(); ++i) {
      const auto r = static_cast<std::size_t>(e.embedded.independent[i]);
      power += e.embedded.active_forces[i] * motion().speeds()[r].u;
    }
    EXPECT_TRUE(same(e.P, power));  // (25)
    AlongMotion along(e, {});
    const std::optional<Expr> E_rate = along.derivative(e.K2 + e.U);
    const std::optional<Expr> H_rate = along.derivative(e.K2 - e.K0 + e.U);
    ASSERT_TRUE(E_rate && H_rate);
    EXPECT_TRUE(is_proved_zero(along.put_values(*E_rate + e.sigma_R - e.P_nonconservative)))
        << "(2)";
    EXPECT_TRUE(is_proved_zero(along.put_values(*H_rate + e.sigma - e.P_nonconservative))) << "(5)";
  }

  Energies energies_;
  Integrals integrals_;
  Embedding embedding_;
};

/// Each of the seven is what the output `NAME_is` says, or zero where there is none.
inline void expect_energies(EnergyMechanism& mechanism) {
  const Energies& e = mechanism.energies();
  const std::pair<const char*, Expr> all[] = {{"K0", e.K0},
                                              {"K1", e.K1},
                                              {"K2", e.K2},
                                              {"U", e.U},
                                              {"sigma", e.sigma},
                                              {"sigma_R", e.sigma_R},
                                              {"P_nonconservative", e.P_nonconservative}};
  for (const auto& [name, found] : all) {
    const std::string output = std::string(name) + "_is";
    const Expr expected = mechanism.has(output) ? mechanism.embedded(output) : mechanism.zero();
    EXPECT_TRUE(same(found, expected)) << name;
  }
}

/// What is said about an energy.
enum class Says {
  always,   ///< constant for all parameters and functions
  here,     ///< constant for these values
  no,       ///< not constant
  nothing,  ///< not defined
};

inline const char* say(const Integral& i) {
  if (i.constancy == Constancy::not_defined) return "not defined";
  if (i.constancy == Constancy::not_constant) return "not constant";
  if (i.constancy == Constancy::undecided) return "undecided";
  return i.scope == Scope::all_parameters ? "constant for all parameters"
                                          : "constant for these values";
}

inline const char* say(Says s) {
  return s == Says::always ? "constant for all parameters"
         : s == Says::here ? "constant for these values"
         : s == Says::no   ? "not constant"
                           : "not defined";
}

struct ExpectedIntegrals {
  Says E, H, hamiltonian, C, mechanical_energy;
  Extent extent = Extent::every_motion;  ///< of all that is constant, or from this start
};

inline std::string list_reasons(const Integral& i) {
  std::string text;
  for (const std::string& r : write_reasons(i.reasons)) text += "\n  " + r;
  return text;
}

/// Every verdict has a reason, and names what it claims.
inline void expect_integrals(const EnergyMechanism& mechanism, const ExpectedIntegrals& expected) {
  const std::pair<const char*, Says> all[] = {
      {"E_Z", Says::always}, {"E", expected.E},
      {"H", expected.H},     {"hamiltonian", expected.hamiltonian},
      {"C", expected.C},     {"mechanical_energy", expected.mechanical_energy}};
  EXPECT_EQ(mechanism.integrals().energies.size(), std::size(all));
  for (const auto& [name, says] : all) {
    const Integral& i = mechanism.energy(name);
    EXPECT_STREQ(say(i), say(says)) << name << list_reasons(i);
    EXPECT_FALSE(i.reasons.empty()) << name;
    const bool is_told = i.constancy == Constancy::constant ||
                         (expected.extent == Extent::this_start && says == Says::no);
    if (!is_told || i.name == "E_Z") continue;
    EXPECT_EQ(i.extent, expected.extent) << name << list_reasons(i);
  }
  const Energies& e = mechanism.energies();
  EXPECT_TRUE(same(mechanism.energy("E").value, e.K2 + e.U));
  EXPECT_TRUE(same(mechanism.energy("H").value, e.K2 - e.K0 + e.U));
  EXPECT_TRUE(same(mechanism.energy("C").value, e.K + e.U));
  // What is not defined is so because there is no potential energy, and only then.
  EXPECT_EQ(mechanism.integrals().potential_energy.exists, expected.hamiltonian != Says::nothing);
  EXPECT_EQ(mechanism.integrals().potential_energy.exists,
            expected.mechanical_energy != Says::nothing);
}

/// No motor, no time in U: every energy is constant for all parameters, or for these values.
inline ExpectedIntegrals everything(Says says) { return {says, says, says, says, says}; }
/// U has the terms of all forces, but is not the same after a full turn: no potential energy exists.
inline ExpectedIntegrals everything_but_a_potential_energy() {
  return {Says::always, Says::always, Says::nothing, Says::always, Says::nothing};
}
/// Nothing but E_Z; with a potential energy, or without.
inline ExpectedIntegrals nothing_but_E_Z(bool has_potential_energy) {
  const Says s = has_potential_energy ? Says::no : Says::nothing;
  return {Says::no, Says::no, s, Says::no, s};
}

/// These momenta are found and no other.
inline void expect_momenta(const EnergyMechanism& mechanism, std::vector<std::string> expected) {
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(mechanism.momentum_names(), expected);
}

/// A momentum that is found and is what an output says.
inline void expect_momentum(EnergyMechanism& mechanism, const std::string& name,
                            const std::string& output, Scope scope = Scope::all_parameters) {
  SCOPED_TRACE(name);
  const std::vector<std::string> names = mechanism.momentum_names();
  ASSERT_TRUE(std::find(names.begin(), names.end(), name) != names.end());
  const Integral& i = mechanism.momentum(name);
  EXPECT_TRUE(same(i.value, mechanism.embedded(output)));
  EXPECT_EQ(i.constancy, Constancy::constant);
  EXPECT_EQ(i.scope, scope);
}

/// Equal but for what depends on no coordinate: constants of integration.
inline testing::AssertionResult same_but_for_a_constant(const EnergyMechanism& mechanism,
                                                        const Expr& found, const Expr& expected) {
  for (const CoordinateData& c : mechanism.data().coordinates) {
    if (is_proved_zero(differentiate(found - expected, c.q))) continue;
    return testing::AssertionFailure()
           << "found    " << print(found) << "\nexpected " << print(expected);
  }
  return testing::AssertionSuccess();
}

}  // namespace visviva::validation
