// Whether small motions about an equilibrium stay small: by eigenvalues, else by the energy.
//
// T spans the displacements that the constraints allow, and J_s are the slopes of the balance
// (static_balance.h) at constant multipliers. Where K2 - K0 + U does not grow, an equilibrium is
// stable with
//   T' J_s T > 0,     T' M T > 0                                                                (1)
#pragma once

#include <string>
#include <string_view>

#include "visviva/equations/small_motion/linearize.h"

namespace visviva {

struct BalanceNumbers;

enum class Stability {
  asymptotically_stable,  ///< all eigenvalues have negative real parts
  stable,                 ///< strict minimum of the potential energy
  unstable,               ///< an eigenvalue has a positive real part
  undecided               ///< the linear terms do not tell
};
/// "asymptotically stable", "stable", "unstable", "not decided by the linear terms".
std::string_view stability_name(Stability stability);

struct StabilityVerdict {
  Stability stability = Stability::undecided;
  std::string reason;
};

/// Whether an equilibrium is stable, about which the equations are linearized and balance.
StabilityVerdict judge_stability(const Equations& equations, const ConsistentStart& at,
                                 const Linearization& linear, const BalanceNumbers& balance);

}  // namespace visviva
