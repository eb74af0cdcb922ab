// Derivatives of the motion as expressions: of the configuration's rates directly, of accelerations by
// the residuals of AccelerationEquations (acceleration_equations.h (2)).
#pragma once

#include <utility>
#include <vector>

#include "visviva/codegen/system/acceleration_equations.h"

namespace visviva {

struct MotionDerivatives {
  int columns = 0;
  std::vector<Expr> entries;                 ///< derivatives that are not zero
  std::vector<EntryPlace> rates, residuals;  ///< where they go
  std::vector<int> solved;                   ///< columns in which a residual is not zero
};

/// Derivatives by the state, and by time in the last column; tables move with time.
MotionDerivatives differentiate_by_state(const RunExpressions& system,
                                         const AccelerationEquations& motion);
/// Derivatives by inputs, then parameters.
MotionDerivatives differentiate_by_values(const RunExpressions& system,
                                          const AccelerationEquations& motion);

/// Entries (row, column) of the derivatives of y' by the state that are not always zero, from those of the configuration's rates
/// and of the residuals.
std::vector<std::pair<int, int>> list_pattern(const std::vector<EntryPlace>& rates,
                                              const std::vector<EntryPlace>& residuals,
                                              const RunExpressions& system,
                                              const AccelerationEquations& motion);

}  // namespace visviva
