// Chaplygin's sleigh: a body on a plane that a blade keeps from sliding sideways at P; the mass
// center is a distance a ahead of P (Neimark & Fufaev, Dynamics of Nonholonomic Systems, ch. II).
// With the speed v along the blade and the yaw rate w:
//   v' = a w^2,   w' = -(m a/(I + m a^2)) v w
#include "../expect.h"

namespace visviva::validation {
namespace {

const char* const parts = R"(
parameter  m = 1 kg, I = 1 kg*m^2, a = 1 m
coordinate x = 0 m, y = 0 m, th = 0 deg
frame      A = rotate(N, z, th)
point      P = No + x*N.x + y*N.y
body       A at P + a*A.x, mass m, inertia I, I, I
constraint blade: dot(velocity(P), A.y) = 0
)";

TEST(ChaplyginSleigh, along_the_blade_has_the_published_equations) {
  const Mechanism sleigh(std::string(parts) + R"(
speed      v = dot(velocity(P), A.x), w = th', side = dot(velocity(P), A.y)
start      v = 1 m/s, w = 1 rad/s
output     dv = a*w^2, dw = -m*a/(I + m*a^2)*v*w
)");
  expect_accelerations(sleigh, {{"v", "dv"}, {"w", "dw"}});
  for (const Equations& e : derive_by(sleigh)) {
    const StartSolution start(e);
    EXPECT_NEAR(start.rate_of_speed("v"), 1, 1e-14);
    EXPECT_NEAR(start.rate_of_speed("w"), -0.5, 1e-14);
    EXPECT_NEAR(start.rate_of_speed("side"), 0, 1e-14);
  }
}

// The same with default speeds: x'' = v' cos th - v w sin th, y'' = v' sin th + v w cos th.
TEST(ChaplyginSleigh, in_coordinates_has_the_same_accelerations) {
  const Mechanism sleigh(std::string(parts) + R"(
start      x' = 0.8 m/s, th' = 1.3 rad/s
let        v = x'*cos(th) + y'*sin(th)
output     ddx = a*th'^2*cos(th) - v*th'*sin(th)
output     ddy = a*th'^2*sin(th) + v*th'*cos(th)
output     ddth = -m*a/(I + m*a^2)*v*th'
dependent  y'
)");
  expect_accelerations(sleigh, {{"x'", "ddx"}, {"y'", "ddy"}, {"th'", "ddth"}});
}

}  // namespace
}  // namespace visviva::validation
