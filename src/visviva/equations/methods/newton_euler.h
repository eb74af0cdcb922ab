// Newton-Euler: every body free, with all its forces, moments and reactions, and the joints as
// constraints between the bodies.
//
// x holds the accelerations of all mass centers and the angular accelerations, f what acts on
// each body besides reactions:
//   D x = f + r           D = diag(m, I), r the resultant reactions on each body              (1)
//   x = J u' + g          what joints allow: J the partial velocities, g what has no u'       (2)
//   J' r = A' λ           reactions of joints do no work, those of constraints none together  (3)
//   A u' = b                                                                                    (4)
// r are the multipliers of (2). For comparison with the other methods r is eliminated: J'DJ u' =
// J'(f - D g) + A'λ.
#pragma once

#include <array>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {

/// J'DJ and J'(f - D g), summed body by body.
Equations derive_newton_euler(const Kinematics& motion);

/// The numbers that (1) to (4) give together at one state.
struct FreeBodyMotion {
  /// The motion of each body of the model: acceleration of the mass center in N, angular
  /// acceleration in the body's frame; resultant reaction in N, its moment about the mass center in
  /// the body's frame. Particles have no second half.
  struct Body {
    std::array<double, 3> acceleration{}, angular_acceleration{}, force{}, moment{};
  };
  std::vector<Body> bodies;
  std::vector<double> speed_rates;
  std::vector<double> multipliers;
  bool is_consistent = true;
};

/// `state` holds values of unknown forces too, where the model has them (add_solution in
/// reactions.h).
FreeBodyMotion solve_free_bodies(const Equations& equations, const StartState& state);

}  // namespace visviva
