// A rigid body that nothing holds: Euler's equations and their closed form for an axisymmetric body
// (Landau & Lifshitz, Mechanics, §36), by Euler angles and by quaternion; q' = 1/2 Omega q (SymPy,
// test_kane.py, test_implicit_kinematics).
#include "../expect.h"

namespace visviva::validation {
namespace {

// The closed form w_x = w_x0 cos st + w_y0 sin st, w_y = -w_x0 sin st + w_y0 cos st has the rates
// w_x' = s w_y, w_y' = -s w_x, with s = (I - J)/I w_z.
TEST(FreeBody, axisymmetric_its_angular_velocity_turns_about_its_axis) {
  const Mechanism body(R"(
parameter  m = 1 kg, I = 2 kg*m^2, J = 0.7 kg*m^2
coordinate q1 = 10 deg, q2 = 40 deg, q3 = 20 deg
frame      B = rotate(N, zxz, q1, q2, q3)
speed      wx = dot(angular_velocity(B), B.x)
speed      wy = dot(angular_velocity(B), B.y)
speed      wz = dot(angular_velocity(B), B.z)
body       B at No, mass m, inertia I, I, J
let        s = (I - J)/I*wz
output     dwx = s*wy, dwy = -s*wx, dwz = 0*wz*wz
)");
  expect_accelerations(body, {{"wx", "dwx"}, {"wy", "dwy"}, {"wz", "dwz"}});
}

const char* const by_quaternion = R"(
parameter  m = 1 kg, Ix = 2 kg*m^2, Iy = 1.5 kg*m^2, Iz = 0.7 kg*m^2
coordinate e0 = 0.5, e1 = 0.5, e2 = -0.1, e3 = 0.7
frame      B = quaternion(N, e0, e1, e2, e3)
body       B at No, mass m, inertia Ix, Iy, Iz
let        wx = dot(angular_velocity(B), B.x)
let        wy = dot(angular_velocity(B), B.y)
let        wz = dot(angular_velocity(B), B.z)
output     dwx = (Iy - Iz)/Ix*wy*wz, dwy = (Iz - Ix)/Iy*wz*wx, dwz = (Ix - Iy)/Iz*wx*wy
output     de0 = 1/2*(-wx*e1 - wy*e2 - wz*e3), de1 = 1/2*(wx*e0 + wz*e2 - wy*e3)
output     de2 = 1/2*(wy*e0 - wz*e1 + wx*e3), de3 = 1/2*(wz*e0 + wy*e1 - wx*e2)
)";

TEST(FreeBody, by_quaternion_has_eulers_equations) {
  expect_accelerations(Mechanism(by_quaternion),
                       {{"B_wx", "dwx"}, {"B_wy", "dwy"}, {"B_wz", "dwz"}});
}

TEST(FreeBody, quaternion_rates_are_half_of_omega_times_the_quaternion) {
  const Mechanism body(by_quaternion);
  for (const char* e : {"e0", "e1", "e2", "e3"})
    EXPECT_TRUE(same(body.rate(e), body("d" + std::string(e)))) << e;
}

}  // namespace
}  // namespace visviva::validation
