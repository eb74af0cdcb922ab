// Corners of forces: surfaces such as x = 0 of a potential |x| on which a state lies, so that the equations have one slope, or
// one value, on either side and none there.
#pragma once

#include "visviva/equations/small_motion/motion_system.h"
#include "visviva/equations/small_motion/small_motion_reason.h"

namespace visviva {

/// A surface within `distance` of the state, relative to 1 + |X|, at which rates or their slopes jump: a reason of the kind
/// forces_have_corner, forces_push_back, forces_stop or forces_lead_away; of several surfaces the one that is worst for a rest on it.
/// Its names are the surface, as printed, then the coordinates and speeds in all of them. None where everything is smooth
/// enough for small motions.
SmallMotionReason find_corner(const MotionSystem& system, const StartState& state,
                              double distance = 1e-12);

/// Whether it is one of these.
bool is_corner(const SmallMotionReason& reason);

}  // namespace visviva
