// The sign of a power over all states: proved by the structure of its formula, else tried at many states.
#pragma once

#include <optional>

#include "visviva/equations/energy/reason.h"
#include "visviva/kinematics/kinematics.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/find_signs.h"

namespace visviva {

struct PowerSign {
  SignSet signs;                   ///< both: now this, now that
  std::optional<Reason> reason{};  ///< why it has no other
};

class PowerSigns {
 public:
  /// Parameters have the values of a start state; model and state outlive it.
  PowerSigns(const ModelData& model, const StartState& start) : model_(model), start_(start) {}

  /// The signs that the structure of a formula shows.
  SignSet find_shown(const Expr& e) const;
  /// By the structure of a form that has the sign of the power, or else by trial.
  PowerSign find(const Expr& power, const Expr& form) const;

 private:
  PowerSign try_states(const Expr& power) const;
  bool is_zero_with_values(const Expr& power) const;

  const ModelData& model_;
  const StartState& start_;
};

}  // namespace visviva
