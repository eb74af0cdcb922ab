// The energy ledger: what every load, motor and constraint does with the energy of the system.
//
// B are bodies (mass m, acceleration a of the mass center, H the central angular momentum), F loads,
// λ multipliers of rows A u + c = 0; v = sum_r v_r u_r + v_0. At one state
//   dK/dt = sum_B m a · v + dH/dt · w                                                           (1)
//         = sum_loads F · v + P_prescribed                                                      (2)
//   P_prescribed = sum_B (m a · v_0 + dH/dt · w_0) - sum_loads F · v_0 - sum λ c                (3)
// (3) is the power of all that moves as it is told: of the motors of specified functions, each known
// by itself (reactions.h), and of what depends on t directly. A constraint whose condition does not
// move has no power.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/energy/energies.h"
#include "visviva/kinematics/consistent_start.h"

namespace visviva {

enum class EnergyEffect {
  none,
  stores,           ///< it has a potential
  takes_out,        ///< its power is never positive
  brings_in,        ///< its power is never negative
  exchanges,        ///< now this, now that
  stores_and_more,  ///< a part of it has a potential
  stores_and_takes_out,
  stores_and_brings_in,
  counted  ///< its power is counted with what moves it
};

struct LedgerEntry {
  std::string source;  ///< name of the load, specified function or constraint
  std::string kind;    ///< "gravity", "damper", "motor", "roll", ...; "time" for what t moves
  EnergyEffect effect = EnergyEffect::none;
  Reasons reasons{};
  std::optional<double> power{};  ///< at the start state, W
};

/// Why powers are missing from a ledger.
struct LedgerRemark {
  enum Kind {
    none,
    not_known,           ///< there are no equations: `message` says why
    no_value_at_start,   ///< the equations have no value at the start: `message` says why
    values_missing,      ///< the model does not give all values
    accelerations_open,  ///< the accelerations at the start are not determined
    shares_open  ///< of the `power` of what is prescribed, each one's share is not determined
  };
  Kind kind = none;
  std::string message{};
  double power = 0.0;  ///< W
};

struct Ledger {
  std::vector<LedgerEntry> entries;
  std::optional<double> total;                ///< of the powers
  std::optional<double> kinetic_energy_rate;  ///< (1)
  LedgerRemark remark;
};

/// `loads` in terms of all speeds, as analyze_loads gives them; `embedded` where the constraints can be (nullptr: not).
Ledger make_ledger(const Equations& equations, const std::vector<LoadEnergy>& loads,
                   const ConsistentStart& start, const EmbeddedEquations* embedded);

}  // namespace visviva
