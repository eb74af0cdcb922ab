// Sentences about equilibria and small motions: the one place where their reasons become English.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "visviva/equations/small_motion/equilibrium.h"

namespace visviva {

/// One reason as a clause, without a full stop; empty for none.
std::string write_small_motion_reason(const SmallMotionReason& reason);
/// One clause for each.
std::vector<std::string> write_small_motion_reasons(const SmallMotionReasons& reasons);

/// "asymptotically stable", "stable", "unstable", "not decided by the linear terms".
std::string_view stability_name(Stability stability);

/// The frame in which a body's rotation is varied: "N", "B", or "N turning at [0, 0, 3] rad/s".
std::string write_rotation_frame(const RotationFrame& frame);

}  // namespace visviva
