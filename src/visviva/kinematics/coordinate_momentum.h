// The momentum of a coordinate: the slope of the kinetic energy by its rate.
//
// v, w are velocities of mass centers and angular velocities, v_r, w_r their partial velocities, h = I_B · w;
// speeds are u = Y(q, t) q' + Z(q, t):
//   p_q = dK/dq' = sum_r p_r du_r/dq',    p_r = sum_B (m v · v_r + h · w_r)                  (1)
// Constraints are not looked at: all rates vary by themselves, and free speeds are held.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "visviva/kinematics/motion_engine.h"

namespace visviva {

/// (1) in coordinates, speeds and time.
Expr compute_coordinate_momentum(MotionEngine& engine, const CoordinateData& coordinate);

/// (1) of many coordinates: m v and h of each body are formed once.
class CoordinateMomenta {
 public:
  explicit CoordinateMomenta(MotionEngine& engine);
  Expr operator()(const CoordinateData& coordinate);

 private:
  struct Part {
    const VectorMotion* motion;
    Matrix3 inertia;
    std::optional<Column3> momentum{};  // inertia · motion, once it is asked for
  };
  Expr speed_slope(std::size_t r, const CoordinateData& coordinate) const;

  MotionEngine& engine_;
  std::vector<Part> parts_;  // of each body its velocity, then its angular velocity
  std::vector<std::vector<std::pair<std::size_t, const Column3*>>>
      columns_;                                   // of each speed: part, and v_r or w_r
  std::vector<std::optional<Expr>> definitions_;  // of each speed
};

}  // namespace visviva
