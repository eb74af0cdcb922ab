// Which coordinates can follow a motion that is given for some of them: a set that the constraints leave
// independent. What the constraints determine from them is not driven again.
#pragma once

#include <string>
#include <vector>

#include "visviva/kinematics/consistent_start.h"
#include "visviva/kinematics/kinematics.h"

namespace visviva {

struct MotionPlan {
  std::vector<std::string> driven;  ///< coordinates, in the order in which they were offered
  std::vector<std::string>
      determined;      ///< of the others those that constraints and driven ones determine
  int free_count = 0;  ///< degrees of freedom that move by themselves
};

/// The plan for coordinates of these names, judged at a state.
MotionPlan plan_motion(const Kinematics& motion, const ConsistentStart& at,
                       const std::vector<std::string>& coordinates);

}  // namespace visviva
