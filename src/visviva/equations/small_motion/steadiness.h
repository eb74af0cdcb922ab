// Whether A stays the same along a motion, and in which frames: linearize.h (1).
#pragma once

#include <string>
#include <vector>

#include "visviva/equations/small_motion/motion_system.h"
#include "visviva/equations/small_motion/variations.h"

namespace visviva {

struct Steadiness {
  VariationPlan plan;
  StateMatrices at_start;
  bool is_constant = false;
  bool is_followed = true;             ///< the motion could be computed
  std::vector<std::string> free_rows;  ///< states whose rows change while no eigenvalue does
  bool is_input_constant = true;       ///< B stays the same too
};

/// Follows the motion for about a radian of its fastest rotation and compares A there.
Steadiness judge_steadiness(const MotionSystem& system, const MotionNumbers& start);

/// Whether A is the same at moments of a whole period of the functions of time, which are smooth: then these change nothing but
/// where the motion is, as a frame does that turns with a body whose rotation is told in N.
bool is_steady_over(const MotionSystem& system, const MotionNumbers& start,
                    const RotationChoices& choices, double period);

}  // namespace visviva
