// SmallMotionReason: what is to be said about equilibria and small motions, as data. Sentences are
// made of it in report/small_motion/small_motion_text.h alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace visviva {

struct SmallMotionReason {
  enum class Kind {
    none,
    // Why there is no linearization:
    term_not_finite,       ///< of the equations, at the state
    slope_not_finite,      ///< of the equations, at the state
    no_accelerations,      ///< satisfy the equations
    rates_not_determined,  ///< of the speeds `names`
    coordinates_singular,  ///< the mass matrix vanishes here, not beside; speeds `names`
    forces_have_corner,  ///< where names[0] vanishes, on which the state lies; the other names are what moves there
    forces_push_back,      ///< the same, and to it from both sides
    forces_stop,           ///< the same, where names[0] is of speeds, as with dry friction
    forces_lead_away,      ///< the same, and from it on both sides
    samples_not_combined,  ///< several samples, or one together with constraints or free rotations
    // What a linearization holds for:
    sampled,                   ///< every `number` seconds
    nothing_moves,             ///< freely: there are no states
    constraints_singular,      ///< they determine `count` speeds here, `other_count` nearby
    directions_without_slope,  ///< without inertia, or where constraints are singular
    changes_along_motion,      ///< A, whatever frame of `names` rotations are perturbed in
    changes_with_time,         ///< the equations, through `names`
    jumps_with_time,           ///< the equations, once, through `names`
    speeds_change,             ///< and A is the same along the motion
    rows_change,               ///< of the states `names`, on which no eigenvalue depends
    inputs_change,             ///< B, along the motion
    modes_coincide,            ///< of `other_count` eigenvalues, `count` have no mode of their own
    // Floquet multipliers:
    period_of_functions,    ///< `number`, shared by the functions of time
    no_common_period,       ///< of `names`
    functions_lack_period,  ///< `number`, which was asked for
    motion_lacks_period,    ///< `number`: the state is another one then
    motion_not_followed,    ///< over the period `number`, only to `other_number`
    // Why no equilibrium was found:
    rest_not_finite,     ///< a term, at rest
    growing_samples,     ///< an eigenvalue of the discrete system has a modulus above 1
    decaying_samples,    ///< all have moduli below 1
    samples_on_circle,   ///< the largest modulus is 1
    remains,             ///< `number` of the terms of the equation of names[0]
    constraint_remains,  ///< `number` of the terms of a constraint
    state_remains,       ///< `number` of the terms of the law of the state names[0]
    rests_on_corner,  ///< where names[0] vanishes: forces push to it from both sides, and have no value there
    // What an equilibrium holds for:
    equilibrium_at_start_time,
    // Why it is stable, unstable or neither:
    no_motion_left,          ///< by the constraints
    growing,                 ///< an eigenvalue with a positive real part
    decaying,                ///< all real parts are negative
    minimum_of_potential,    ///< strict, of U
    minimum_with_rotation,   ///< strict, of U - K0
    minimum_with_inertia,    ///< strict, of U and the work of the inertia forces of what is
                             ///< prescribed
    on_axis,                 ///< eigenvalues on the imaginary axis and no minimum known
    stiffness_within_error,  ///< of `names`: it changes its sign or half its size within the
                             ///< error of the equilibrium
    depends_on_time,
    growing_multiplier,    ///< of modulus above 1
    decaying_multipliers,  ///< all of modulus below 1
    multipliers_on_circle
  };

  Kind kind = Kind::none;
  std::vector<std::string> names{};  ///< of the model
  std::size_t count = 0, other_count = 0;
  double number = 0, other_number = 0;

  explicit operator bool() const { return kind != Kind::none; }
};

using SmallMotionReasons = std::vector<SmallMotionReason>;

}  // namespace visviva
