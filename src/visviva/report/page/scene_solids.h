// Shapes of bodies in a scene, and stand-ins for those that have none.
//
// The solid ellipsoid with the mass m and principal moments I1, I2, I3 of a body has the semiaxes
//   a_i^2 = 5/(2 m) (I_j + I_k - I_i)                                                           (1)
// since I_1 = m/5 (a_2^2 + a_3^2), and so on.
#pragma once

#include <Eigen/Core>

#include "visviva/kinematics/start_state.h"
#include "visviva/report/page/scene.h"

namespace visviva {

struct EquivalentEllipsoid {
  std::array<double, 3> semiaxes;          ///< thin ones are at least 0.05 of the largest
  std::array<double, 4> turn{1, 0, 0, 0};  ///< quaternion w, x, y, z from principal axes
};
/// The ellipsoid (1); all semiaxes are zero for a body without mass or inertia.
EquivalentEllipsoid make_equivalent_ellipsoid(double mass, const Eigen::Matrix3d& inertia);

/// Kind, sizes, axis and turn of a body; the rest is left as it is.
void set_shape(const BodyData& body, const StartState& values, SceneObject* object);

/// Kind, sizes and axis of a solid; false where it gives none that can be drawn.
bool set_given_shape(const SolidData& solid, const StartState& values, SceneObject* object);

/// w, x, y, z of a rotation matrix.
std::array<double, 4> make_quaternion(const Eigen::Matrix3d& R);

/// The value of an expression, NaN when it has none.
double value_or_nan(const StartState& values, const Expr& e);

}  // namespace visviva
