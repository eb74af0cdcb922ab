// A start state that satisfies the constraints: values the user gave are held, defaults move first,
// then everything moves by the least change in the mass metric.
//
//   position:  A(q) dq = -g(q), repeated;   velocity:  A(q) u + b(q) = 0 (1) least change in the
//   metric M:  x = M^-1 A' (A M^-1 A')^+ r                                                  (2)
#pragma once

#include <string>
#include <vector>

#include "visviva/kinematics/constraint_rows.h"

namespace visviva {

struct StartChange {
  std::string name;
  double from;
  double to;
  bool was_given;  ///< a value of the user's had to move
};

struct ConsistentStart {
  /// Values of all coordinates and speeds, in the order of the model and of the speed table.
  std::vector<double> coordinates;
  std::vector<double> speeds;
  std::vector<StartChange> changes;
  /// Names of a smallest set of constraints that cannot hold together; empty when the start is
  /// consistent.
  std::vector<std::string> contradiction;
  int degrees_of_freedom = 0;
  int rank = 0;                        ///< of the constraint rows, near the start
  bool is_singular = false;            ///< the rank at the start itself is smaller
  bool is_start_impossible = false;    ///< a start condition contradicts the constraints
  bool is_dependent_singular = false;  ///< the constraints do not determine the dependent speeds
  std::vector<std::string> redundant;  ///< constraints that add nothing to those before them
  std::vector<std::string>
      massless;  ///< speeds in a direction without inertia that the constraints leave free
  std::vector<std::string>
      missing;  ///< parameters and functions without a value, with stand-ins here
};

ConsistentStart make_consistent_start(const Kinematics& motion);

}  // namespace visviva
