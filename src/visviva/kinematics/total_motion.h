// Positions, velocities and accelerations of points and frames with all speeds in their values, by recursion from parent to
// child: as long as the mechanism, where coefficients of every speed would be as long as its square.
//
//   p_NQ = p_NP + c                                         (1)  c: the offset of Q from its parent P, in frame F
//   v_NQ = v_NP + w_NF x c + c'                             (2)
//   a_NQ = a_NP + alpha_NF x c + w_NF x (w_NF x c + 2 c') + c''   (3)
//   alpha_NF = alpha_NP + alpha_PF                          (4)
//
// Columns are in N.
#pragma once

#include <optional>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

class TotalMotion {
 public:
  /// `motion` has to stay.
  explicit TotalMotion(const Kinematics& motion);

  const Column3& position(int Q);
  const Column3& velocity(int Q);
  const Column3& acceleration(int Q);
  Column3 angular_velocity(int F) const;
  Column3 angular_acceleration(int F);
  /// The same with columns in F itself.
  const Column3& angular_acceleration_in_frame(int F);

 private:
  using Columns = std::vector<std::optional<Column3>>;
  template <class Own>
  const Column3& climb(int Q, Columns* known, const Own& own);
  Column3 in_N(const Column3& column, int frame) const;

  const Kinematics& motion_;
  const ModelData& model_;
  Columns positions_, velocities_, accelerations_;  // of points
  Columns alphas_;                                  // of frames
};

}  // namespace visviva
