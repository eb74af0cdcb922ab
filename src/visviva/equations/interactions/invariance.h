// Invariance of an interaction under superposed rigid motions: the sums of interactions.h (2), and the law that turns with the parts.
//
// A rigid motion is superposed on a set of parts: points move by s + e x p, p from No, frames turn by e, velocities by e x v and, for
// motions that change in time, by s' + e' x p. A law L of poses and velocities is invariant when
//   ∂L/∂s = 0,   ∂L/∂e_k + sum_m ∂L/∂v_m · (e_k x v_m) = e_k x L    (zero on the right for a scalar)              (1)
// and a law of force also when
//   sum_m ∂L/∂v_m = 0,   sum_m ∂L/∂v_m · (e_k x p_m) + ∂L/∂w_m · e_k = 0                                           (2)
// The contact of a roll is a place: ∂p/∂s_k = e_k, ∂p/∂e_k = e_k x p.
// The points that a law names are taken anywhere, and its velocities as any, not only as the coordinates allow: so the verdict is
// one about the law, and a mechanism in a plane gives the same as one in space.
#pragma once

#include "visviva/equations/interactions/decision.h"
#include "visviva/equations/interactions/parts.h"

namespace visviva {

/// What a superposed rigid motion of a set of parts changes.
struct Invariance {
  bool breaks_translation = false, breaks_rotation = false, breaks_time = false;
  bool is_undecided =
      false;             ///< nothing breaks as far as is known, but something could not be decided
  Vector force, moment;  ///< the sums (2); the moment about No
  /// Of a scalar condition on the configuration: what a unit of its multiplier leaves of (2), force and moment along N, with the
  /// points that it names displaced.
  std::vector<Expr> displaced{};
  /// The law itself does not turn with the parts, though (2) may hold.
  bool is_law_fixed = false;

  Decision decision() const {
    if (breaks_translation || breaks_rotation || breaks_time) return Decision::no;
    return is_undecided ? Decision::undecided : Decision::yes;
  }
};

/// What an interaction depends on, as its text says.
struct InteractionLaw {
  enum class Kind {
    function,  ///< a potential or a condition on configuration: (1)
    form,      ///< a condition on motion, or a dissipation: (1)
    force,     ///< a force or torque: (1) and (2)
    place,     ///< the contact of a roll
    given      ///< nothing to displace: locks, motors, what acts on a coordinate alone
  };
  Kind kind = Kind::given;
  const Displaced* displaced = nullptr;
  /// Of a vector condition L = 0 with multipliers lambda: L x lambda, the moment that vanishes with the condition.
  Vector vanishing_moment{};
  bool is_explicit_in_time = false;  ///< known without its text
};

/// Judges a rigid motion of all parts, or of all but the ground.
Invariance judge_invariance(const Kinematics& motion, PartTable& parts,
                            const std::vector<PartAction>& actions, const InteractionLaw& law,
                            bool counts_ground);

}  // namespace visviva
