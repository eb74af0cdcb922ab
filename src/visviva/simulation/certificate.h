// Certificate: what a run can say about itself.
//
// E_Z = K2 + U + Z is constant along the exact solution of any system (seed energy_integrals), so its
// deviation shows how far the numbers are from the equations. It cannot show that a force law is the
// right one, nor errors of phase; the latter are what `state_error` is for.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace visviva {

/// Why a run did not reach its end, or was not begun.
enum class Refusal {
  none,
  bad_request,           ///< an option, or a value that is missing
  not_an_integral,       ///< dE_Z/dt is not zero at the start
  below_rounding_floor,  ///< the tolerance is smaller than what rounding does to E_Z
  not_finite,            ///< a rate or an energy is not finite
  budget_exhausted,      ///< E_Z would leave the tolerance however small the steps
  step_too_small,
  too_many_steps,
  constraints_lost,  ///< no projection onto the constraints was found
  interrupted,
};

struct Certificate {
  double start = 0.0;               ///< E_Z at the start, J
  double max_deviation = 0.0;       ///< largest |E_Z - start| over all accepted steps
  double max_time = 0.0;            ///< when
  double noise = 0.0;               ///< what rounding may do to E_Z
  double scale = 0.0;               ///< largest K2 + |U - U(start)|, J
  double smallest = 0.0;            ///< the smallest tolerance that could be certified
  std::optional<double> tolerance;  ///< J; nothing when none was asked for
  bool is_moderated = false;        ///< steps were chosen so that the tolerance holds
  bool is_refused = false;          ///< the run was: then no tolerance holds

  double position_drift = 0.0;   ///< largest |g| before a projection
  double velocity_drift = 0.0;   ///< largest |A u + c| before a projection
  int partition_changes = 0;     ///< times that other speeds became dependent: Z took up K2's jump
  double partition_jumps = 0.0;  ///< sum of the |jumps|, J

  std::optional<double> state_error;  ///< largest difference to the run at a tenth of the tolerance
  std::string state_error_name;       ///< of which state
  double state_error_time = 0.0;

  /// Nothing without a tolerance.
  std::optional<bool> holds() const {
    if (!tolerance) return std::nullopt;
    return !is_refused && max_deviation <= *tolerance;
  }
};

}  // namespace visviva
