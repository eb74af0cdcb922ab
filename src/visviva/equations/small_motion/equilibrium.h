// Equilibria by the principle of virtual work (MEEN 617, Handout 4a (15) to (24)).
//
// Virtual displacements are δq = Y δs at constant time, compatible with the constraints when
// A δs = 0. At an equilibrium the loads, and the inertia forces of what is prescribed, do no work on
// any of them:
//   δW = sum_r (F_r + F_r*) δs_r = 0  for every δs with A δs = 0                                (1)
// which is the same as the existence of multipliers with
//   f + A'λ = M u_e',     A u_e' = b,     A u_e + c = 0,     g(q) = 0                           (2)
// u_e(q, t) are the speeds at q' = 0, zero unless a definition has a part without rates; so a bead
// on a hoop that is kept turning has an equilibrium relative to the hoop. (2) is solved for q, λ
// and unknown forces by damped Gauss-Newton steps
//   min |r + J_s ds + J_l dl|^2 + μ |ds|^2,     q changes by Y ds                                (3)
// with exact slopes, each row against the size of its terms. Quaternions stay on their sphere, and
// directions without slope do not move.
#pragma once

#include <string>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/equations/small_motion/linearize.h"
#include "visviva/equations/small_motion/stability.h"
#include "visviva/equations/small_motion/virtual_work.h"

namespace visviva {

struct Equilibrium {
  bool is_found = false;
  SmallMotionReason reason;  ///< why none was found
  /// The start with coordinates and speeds of the equilibrium, or of the nearest to one.
  ConsistentStart state;
  std::vector<double> multipliers;  ///< of Equations::rows; the smallest where they are not unique
  std::vector<double> unknowns;     ///< of Equations::unknowns
  double residual = 0;              ///< largest of (2), each row against the size of its terms
  std::vector<std::string>
      free_coordinates;  ///< that could move without leaving equilibrium, to first order
  Stability stability = Stability::undecided;
  SmallMotionReason stability_reason;
  Linearization linearization;  ///< about the equilibrium
  SmallMotionReasons remarks;
};

/// `residual` of an equilibrium is not above this.
inline constexpr double equilibrium_tolerance = 1e-10;

/// The equilibrium to which steps from the start lead, or from one of some fixed places around it.
/// Where forces lead away from that one, it counts only when it is less than half as far as the one
/// to which they lead. Hidden states of spin frames stay as they start.
Equilibrium find_equilibrium(const Equations& equations, const ConsistentStart& start,
                             const SmallMotionOptions& options = {});

}  // namespace visviva
