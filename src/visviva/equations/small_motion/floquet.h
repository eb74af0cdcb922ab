// Floquet multipliers of a periodic motion: linearize.h (2).
//
// With dX' = F_X dX along the motion and the maps of variations.h at its start and end, the states
// after a period are
//   x(T) = S_X(T) Φ_X(T) Q_T(0) x(0),     Φ_X' = F_X Φ_X,     Φ_X(0) = 1                        (1)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/small_motion/motion_system.h"
#include "visviva/equations/small_motion/multipliers.h"
#include "visviva/equations/small_motion/variations.h"

namespace visviva {

/// The smallest period that all functions of time in the equations share, as far as it follows from
/// sines and cosines of t and periodic tables.
std::optional<double> find_common_period(const MotionSystem& system, const StartState& state);
/// Whether nothing in the equations has a corner, a jump or a table behind it.
bool is_smooth(const MotionSystem& system);
/// Whether the equations are the same a time T later, found at some times and states.
bool has_period(const MotionSystem& system, const StartState& state, double T);

/// The multipliers, of a motion that returns or of equations whose slopes are functions of t alone; or a reason why there are none: `verdict` then has no multipliers with it.
Floquet compute_floquet(const MotionSystem& system, const MotionNumbers& start,
                        const VariationPlan& plan, double period);

}  // namespace visviva
