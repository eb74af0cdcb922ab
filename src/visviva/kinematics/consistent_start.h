// A start state that satisfies the constraints: values the user gave are held, guesses and defaults
// move first, then everything moves by the least change in the mass metric (start_positions.h,
// start_speeds.h).
#pragma once

#include <string>
#include <vector>

#include "visviva/kinematics/constraint_rows.h"

namespace visviva {

struct StartChange {
  /// Why the value moved.
  enum class Cause {
    constraints,
    quaternion,  ///< its quaternion is normalised, or stays so
    overruled    ///< a case or the command line gave another value
  };
  std::string name;
  double from;
  double to;
  bool was_given;          ///< a value of the user's had to move
  bool was_guess = false;  ///< the user said `about`
  Cause cause = Cause::constraints;
  SourceSpan span{};  ///< of the value, or of what has it
};

struct ConsistentStart {
  /// Values of all coordinates and speeds, in the order of the model and of the speed table.
  std::vector<double> coordinates;
  std::vector<double> speeds;
  /// Values of first-order states, where they are not those that the model gives.
  std::vector<double> states{};
  std::vector<StartChange> changes;
  /// Names of a smallest set of constraints that cannot hold together; empty when the start is
  /// consistent.
  std::vector<std::string> contradiction;
  int degrees_of_freedom = 0;
  int rank = 0;                        ///< of the constraint rows, near the start
  bool is_singular = false;            ///< the rank at the start itself is smaller
  bool is_dependent_singular = false;  ///< the constraints do not determine the dependent speeds
  /// Rates, speeds and velocities whose start values contradict each other, and where the first is.
  std::vector<std::string> start_contradiction;
  SourceSpan start_contradiction_span{};
  std::vector<std::string> redundant;  ///< constraints that add nothing to those before them
  std::vector<std::string>
      massless;  ///< speeds in a direction without inertia that the constraints leave free
  std::vector<std::string> poles;  ///< likewise, where there is inertia beside the start
  std::vector<std::string>
      missing;  ///< parameters and functions without a value, with stand-ins here
};

ConsistentStart make_consistent_start(const Kinematics& motion);

}  // namespace visviva
