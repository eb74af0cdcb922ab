// Rotations with three degrees of freedom, however they are written: by Euler parameters, Rodrigues
// parameters, three angles in one statement or in a chain of frames, or by an angular velocity.
//
// P is the carrying frame, B the frame that is turned, R_PB and w_PB its orientation and angular
// velocity. A small rotation r of B in P, with components in B, changes the variables p by
//   r_B = J dp,     J_i = vee(R_PB' dR_PB/dp_i)                                                 (1)
#pragma once

#include <string>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

struct RotationGroup {
  int carrier = 0;             ///< the frame P
  int frame = 0;               ///< the frame B
  std::vector<int> variables;  ///< places in the configuration; four are Euler parameters
  /// Frames between P and B serve other things too: their angles are coordinates in their own right.
  bool has_joints = false;
  Matrix3 R_PB;
  Column3 w_PB_B;      ///< in the speeds
  Column3 alpha_PB_B;  ///< d(w_PB)/dt, in the speeds and their rates
  std::string name;    ///< of B

  bool is_quaternion() const { return variables.size() == 4; }
};

/// The groups among coordinates and hidden states; no variable is in two of them.
std::vector<RotationGroup> find_rotation_groups(const Kinematics& motion,
                                                const std::vector<Expr>& configuration);

}  // namespace visviva
