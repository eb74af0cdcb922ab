// Reason: why an energy or a momentum is constant or not, why a load has a potential or none, as
// data. Sentences are made of it in report/energy/reason_text.h alone.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/equations/energy/energy_claim.h"
#include "visviva/symbolic/calculus/attempt.h"

namespace visviva {

/// The models for which a statement holds.
enum class Scope { all_parameters, these_values };

/// The motions in which a quantity is constant.
enum class Extent {
  every_motion,    ///< in every one if it is constant, in none in particular if it is not
  on_constraints,  ///< where the configuration constraints hold, by virtue of these
  this_start       ///< it is not constant, but in the motion from the start state it is
};

/// A quantity whose vanishing a verdict rests on.
enum class Ingredient {
  none,
  P_nonconservative,
  sigma,
  sigma_R,
  K0_rate,                 ///< dK0/dt
  K1_rate,                 ///< dK1/dt
  motor_power,             ///< of motors and moving constraints, integrals.h (10)
  power_beyond_potential,  ///< of the loads with a potential, beyond -dU/dt
  potential_time_rate,     ///< dU/dt at fixed configuration
  turn_change              ///< of U, by a full turn of names[0]
};

struct Reason {
  enum class Kind {
    // Of an ingredient:
    is_zero,              ///< for all parameters; in the motions of `extent`
    vanishes_for_values,  ///< for those of `condition`, or for all of these where it is empty
    is_not_zero,          ///< where `extent` is this_start: but in that motion, which keeps `names`
    is_undecided,
    // Of an energy or a momentum:
    always_constant,        ///< E_Z
    identity_not_proved,    ///< of E_Z: `claim`
    derivative_vanishes,    ///< along the motion
    conditions_not_needed,  ///< it vanishes although some sufficient condition does not hold
    holds_on_constraints,   ///< where the constraints hold
    holds_for_values,       ///< for those of `condition`
    constant_from_start,    ///< only in the motion from the start, which keeps `names`
    neither_proved_nor_refuted,
    ignorable,    ///< names[0] is an ignorable coordinate
    same_as,      ///< as the integral names[0]
    negative_of,  ///< minus the integral names[0]
    // Of the potential energy, and of what needs one:
    potential_energy_complete,  ///< no motor does work, U is free of time, -dU/dt the whole power
    no_potential_energy,        ///< only a generalized one
    changes_by_turn,            ///< U is not the same after a full turn of names[0]
    work_of_turn,               ///< `number` J, in a full turn of names[0]
    as_with_potential_energy,   ///< U is a potential energy, so that it is names[0]
    // What was not examined:
    values_not_put_in,  ///< since something is `undefined` with them
    start_too_large,    ///< the motion from the start: more than `count` degrees of freedom
    start_singular,     ///< the motion from the start: the equations are singular there
    // Why a load has a potential:
    uniform_gravity,
    elastic,
    given_by_potential,
    same_everywhere,
    central,  ///< along the line between two points, by their distance
    integrable,
    integrable_for_values,
    integrable_on_constraints,
    integrable_at_every_instant,
    integrable_together,        ///< only the loads `names` together
    potential_depends_on_time,  ///< through the specified functions `names`
    rest_depends_on_speeds,     ///< what has no potential
    // Why a load has none:
    no_value_at_rest,
    potential_jumps,
    potential_switches,  ///< a sign or a step is in its potential
    depends_on_speeds,
    depends_on_prescribed_rates,  ///< of the prescribed motion names[0]
    given_from_outside,           ///< by `names`
    acts_on_no_coordinate,        ///< on the speed names[0], which is the rate of none
    potential_without_value,      ///< `expression` has no value for these parameters
    not_integrable,               ///< the forces on names[0] and names[1] differ in cross slopes
    no_closed_form,
    no_generalized_force,
    no_generalized_power,
    // What a source of energy does:
    no_power,
    no_power_with_values,
    power_at_some_states,  ///< none of those tried
    prescribed_motions_only,
    while_rate_positive,
    damper_rate_positive,
    nowhere_positive,    ///< the power
    nowhere_negative,    ///< the power
    own_rate_takes_out,  ///< what it damps; the rest goes through prescribed motions
    keeps_specified_motion,
    keeps_motion_of_time,
    does_not_move,
    moves_without_power,  ///< it is moved by `names`, specified functions and t, and its forces have no power
    moved_by,             ///< `names`: specified functions, and t
    rest_through_prescribed_motions  ///< the power that is not -dU/dt
  };

  Kind kind = Kind::is_undecided;
  Ingredient of = Ingredient::none;
  std::vector<std::string> names{};  ///< of the model
  Expr expression{};                 ///< of the ingredient; not valid where it is not known
  std::vector<std::pair<Expr, Expr>> condition{};  ///< parameters and the values that matter
  Extent extent = Extent::every_motion;
  bool is_numeric = false;     ///< found by numbers at some states, and not proved
  bool is_about_rest = false;  ///< of the part of a load that has no potential
  std::size_t count = 0;
  double number = 0.0;
  std::optional<Undefined> undefined{};
  std::optional<EnergyClaim> claim{};

  /// Whether two reasons agree in kind, names and numbers; expressions are not compared.
  bool is_like(const Reason& other) const {
    return kind == other.kind && of == other.of && names == other.names && extent == other.extent &&
           is_numeric == other.is_numeric && is_about_rest == other.is_about_rest &&
           count == other.count && claim == other.claim;
  }
};

using Reasons = std::vector<Reason>;

}  // namespace visviva
