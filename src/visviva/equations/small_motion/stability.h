// Whether small motions about an equilibrium stay small: by eigenvalues, else by the energy.
//
// T spans the displacements that the constraints allow, and J_s are the slopes of the balance
// (static_balance.h) at constant multipliers. Where K2 - K0 + U does not grow, an equilibrium is
// stable with
//   T' J_s T > 0,     T' M T > 0                                                                (1)
// The equilibrium itself is known to within an error: a residual r along a direction whose
// stiffness is h leaves it open by
//   δ = (|r| + rounding)/|h|                                                                    (2)
// Where h changes its sign, or half of its size, within 2 δ, it says nothing.
#pragma once

#include "visviva/equations/small_motion/linearize.h"
#include "visviva/equations/small_motion/static_balance.h"

namespace visviva {

enum class Stability {
  asymptotically_stable,  ///< all eigenvalues have negative real parts
  stable,                 ///< strict minimum of a potential energy
  unstable,               ///< an eigenvalue has a positive real part
  undecided               ///< the linear terms do not tell
};

struct StabilityVerdict {
  Stability stability = Stability::undecided;
  SmallMotionReason reason;
};

/// An equilibrium as the search left it.
struct FoundBalance {
  const StaticBalance& balance;
  const Eigen::VectorXd& q;
  const Eigen::VectorXd& l;
  const BalanceNumbers& numbers;  ///< at these
};

/// Whether an equilibrium is stable, about which the equations are linearized and balance.
StabilityVerdict judge_stability(const Equations& equations, const ConsistentStart& at,
                                 const Linearization& linear, const FoundBalance& found);

}  // namespace visviva
