#include "visviva/kinematics/coordinate_momentum.h"

#include <gtest/gtest.h>

#include "visviva/kinematics/kinematics.h"

namespace visviva {
namespace {

using namespace units;

// A particle at (X + r cos phi, r sin phi) with the speeds u = r' + a phi', v = r phi': by hand
//   p_r = m (r' + X' cos phi),   p_phi = m (r^2 phi' - X' r sin phi),   r' = u - a v/r,  phi' = v/r
TEST(CoordinateMomentum, is_that_of_the_rates_whatever_the_speeds_are) {
  Model model("planar");
  const Frame N = model.newtonian();
  const Quantity mass = model.parameter("mass", 2 * kg), a = model.parameter("a", 0.3 * m);
  const Quantity X = model.specified("X", m.dimension());
  const Quantity r = model.coordinate("r", {.start = 1 * m}), phi = model.coordinate("phi");
  const Quantity u = model.speed("u", model.rate(r) + a * model.rate(phi));
  const Quantity v = model.speed("v", r * model.rate(phi));
  const Frame A = model.frame("A", rotate(N, Axis::z, phi));
  model.particle("Q", {.at = N.origin() + X * N.x() + r * A.x(), .mass = mass});
  const Quantity p_r = model.momentum("r"), p_phi = model.momentum("phi"), X_rate = model.rate(X);
  const Kinematics motion = analyze_motion(model);
  const Quantity r_rate = u - a * v / r, phi_rate = v / r;
  EXPECT_EQ(motion.resolve(p_r).expr(), (mass * (r_rate + X_rate * cos(phi))).expr());
  EXPECT_EQ(motion.resolve(2 * p_phi).expr(),
            (2 * mass * (r * r * phi_rate - X_rate * r * sin(phi))).expr());
}

TEST(CoordinateMomentum, of_an_euler_parameter_is_refused) {
  Model model("body");
  const Frame N = model.newtonian();
  model.frame("B", quaternion(N, model.quaternion({"e0", "e1", "e2", "e3"})));
  EXPECT_THROW(model.momentum("e1"), UsageError);
  EXPECT_THROW(model.momentum("x"), UsageError);
}

}  // namespace
}  // namespace visviva
