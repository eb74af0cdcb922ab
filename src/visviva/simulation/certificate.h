// Certificate: what a run can say about itself.
//
// E_Z = K2 + U + Z is constant along the exact solution of any system (docs/theory/energy.md (12)), so
// its deviation shows how far the numbers are from the equations. It cannot show that a force law is the
// right one, nor errors of phase; the latter are what `state_error` is for.
#pragma once

#include <optional>
#include <string>

#include "visviva/simulation/reason.h"

namespace visviva {

/// Why a run has no estimate of the error of its states.
enum class NoStateError {
  not_asked,         ///< or the run to compare with was stopped from outside
  run_not_done,      ///< the run itself did not reach its end
  runs_are_equal,    ///< both runs are the same to the last bit: nothing is shown
  companion_refused  ///< the run to compare with; `companion_reason` says why
};

struct Certificate {
  double start = 0.0;               ///< E_Z at the start, J
  double max_deviation = 0.0;       ///< largest |E_Z - start| over all accepted steps and all rows
  double max_time = 0.0;            ///< the time of that deviation
  double noise = 0.0;               ///< what rounding may do to E_Z
  double scale = 0.0;               ///< largest K2 + |U - U(start)|, J
  double moving = 0.0;              ///< largest of K2 and of |U - U(start)|, J
  double smallest = 0.0;            ///< the smallest tolerance that could be certified
  std::optional<double> tolerance;  ///< J; nothing when none was asked for
  bool is_moderated = false;        ///< steps were chosen so that the tolerance holds
  bool is_refused = false;          ///< the run was refused: then no tolerance holds
  RunReason refusal_reason{};       ///< why it was

  /// Changes of E_Z in steps that the tolerance of the local error does not explain, in sum, J.
  double unexplained = 0.0;
  double unexplained_time = 0.0;  ///< the first of them

  double position_drift = 0.0;   ///< largest |g| before a projection
  double velocity_drift = 0.0;   ///< largest |A u + c| before a projection
  int partition_changes = 0;     ///< times that other speeds became dependent: Z took up K2's jump
  double partition_jumps = 0.0;  ///< sum of the |jumps|, J

  std::optional<double> state_error;  ///< largest difference to the run at a tenth of the tolerance
  std::string state_error_name;       ///< the state that has it; empty when there is none
  double state_error_time = 0.0;      ///< when it has it
  NoStateError no_state_error = NoStateError::not_asked;  ///< why `state_error` is nothing
  RunReason companion_reason{};

  /// Whether the tolerance is so large beside the energies that move that to hold it means little.
  bool says_little() const {
    constexpr double part = 1e-3;
    return tolerance && moving > 0.0 && *tolerance >= part * moving;
  }
  /// Whether E_Z, for which no tolerance was asked, changed by more than errors of steps explain.
  bool has_wandered() const { return !tolerance && unexplained > 0.0; }
  /// Whether E_Z stayed within a tolerance that was asked for.
  bool holds() const { return verdict() == true; }
  /// Whether the certificate holds; nothing when no tolerance was asked for.
  std::optional<bool> verdict() const {
    if (!tolerance) return std::nullopt;
    return !is_refused && max_deviation <= *tolerance;
  }
  /// Why it does not hold; empty when it does.
  RunReason reason() const {
    if (holds()) return {};
    if (is_refused) return refusal_reason;
    if (has_wandered()) return reason::EnergyWandered{unexplained, unexplained_time};
    if (!tolerance) return reason::NoToleranceAsked{};
    return reason::CertificateFailed{max_deviation, *tolerance};
  }
};

}  // namespace visviva
