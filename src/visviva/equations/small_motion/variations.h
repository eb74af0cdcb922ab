// Variations of a motion that the constraints allow, and how they change: A and B of x' = A x + B w.
//
// dX are variations of all coordinates, hidden states and speeds. A rotation group (rotation_groups.h)
// is varied by its rotation vector r with components in a frame F, which turns at W in the carrying
// frame P, and by its rate. With a = d(w_PB) in B's components,
//   r_F = R_FB J dp,     r_F' = R_FB a - W x r_F                                                (1)
//   r_F'' = R_FB (w_FB x a + a') - W' x r_F - W x r_F'                                          (2)
// F is P (W = 0), B (W = w_PB), or a frame that turns evenly in P. With (1) for groups, z = (c, v)
// are all variables, dX = Q z. Constraints on them,
//   g_q dq = 0,     A du + v_q dq + v_w dw = 0                                                  (3)
// leave independent ones, z = T x + P w; and with the slopes of y from K dy = -(R_X dX + R_w dw),
//   A = S D Q T,     B = S (D Q P + D_w),     z' = D dX + D_w dw                                (4)
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "visviva/equations/small_motion/motion_system.h"

namespace visviva {

/// How a rotation group is varied.
struct RotationChoice {
  enum class Frame { coordinates, carrier, body, turning };
  Frame frame = Frame::carrier;
  Eigen::Vector3d turning = Eigen::Vector3d::Zero();  ///< W of a frame that turns evenly, in P
};
using RotationChoices = std::vector<RotationChoice>;  ///< for each group

/// The variables of variations, and which of them are states; chosen at one state of a motion.
struct VariationPlan {
  struct Variable {
    int place = -1;             ///< in the configuration, or the speed
    int group = -1, axis = -1;  ///< of a rotation vector or its rate; `place` is the speed it
                                ///< stands for
  };
  RotationChoices choices;
  std::vector<Variable> configuration, speeds;
  std::vector<int> dependent_configuration, independent_configuration, dependent_speeds,
      independent_speeds;
  std::vector<std::string> states;
};

struct StateMatrices {
  Eigen::MatrixXd A, B;
  Eigen::MatrixXd A_size;  ///< of the terms of each entry
  Eigen::MatrixXd Q_T;     ///< dX of each state
  Eigen::MatrixXd Q_P;     ///< dX of each input, states held
  Eigen::MatrixXd S_X;     ///< the states of a dX
  bool is_solved = true;   ///< false where K is singular in a way that matters
};

VariationPlan make_variation_plan(const MotionSystem& system, const MotionNumbers& numbers,
                                  const RotationChoices& choices);
StateMatrices compute_state_matrices(const MotionSystem& system, const MotionNumbers& numbers,
                                     const VariationPlan& plan);
/// d(u')/dX along the equations: the slopes of all rates X' in X.
Eigen::MatrixXd compute_full_slopes(const MotionSystem& system, const MotionNumbers& numbers);

}  // namespace visviva
