// Full turns: angles after whose full turn the mechanism is where it was.
//
// A potential energy is a function of the configuration: where U(q + 2 pi) differs from U(q) although every body is back in its
// place, U is a function of the angle as a number, and no potential energy.
#pragma once

#include <string>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// An angle by which a frame is turned, and how much a function changes by a full turn of it.
struct TurnChange {
  std::string name;
  Expr change;
};

/// The changes of a function of the configuration that are not zero identically.
std::vector<TurnChange> find_turn_changes(const Kinematics& motion, const Expr& U);

}  // namespace visviva
