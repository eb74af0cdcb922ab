// Interaction: anything that acts in a model, on whom, and what invariance says about it (interactions.h).
#pragma once

#include <string>
#include <vector>

#include "visviva/equations/interactions/invariance.h"
#include "visviva/equations/interactions/time_dependence.h"

namespace visviva {

struct Interaction {
  enum class Kind {
    gravity,
    force,
    torque,
    spring,
    damper,
    potential,
    dissipation,
    constraint,
    roll,
    lock,
    motor
  };
  Kind kind;
  int index = 0;  ///< in the model's list of its kind; of gravity 0
  std::string name;
  Source source{};
  bool is_placed = true;      ///< false: where it acts is not known, and nothing below is
  bool is_one_sided = false;  ///< a force or torque that was given without what it comes from
  /// Force and moment on every part, in terms of the state and of results by name: multiplier(X), reaction(X).x of a roll,
  /// motor(x).
  std::vector<PartAction> actions;
  /// What the actions hold that the equations do not determine: an unknown force that drops out of them or that a
  /// constraint takes up, the multiplier that it shares.
  std::vector<Expr> open{};
  Invariance alone, with_ground;
  TimeDependence time;

  bool is_constraint() const {
    return kind == Kind::constraint || kind == Kind::roll || kind == Kind::lock;
  }
};

}  // namespace visviva
