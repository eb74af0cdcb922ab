// A body that nothing holds over time: the closed form of an axisymmetric one (Landau & Lifshitz,
// Mechanics, §36), by Euler angles and by quaternion.
//
// With the inertia I across the axis and J about it, s = (I - J)/I wz:
//   wx = wx0 cos st + wy0 sin st,   wy = -wx0 sin st + wy0 cos st,   wz = wz0
#include "running.h"

namespace visviva::validation {
namespace {

void expect_free_body(const std::string& text, const std::vector<std::string>& names) {
  const double wx = 0.4, wy = -0.9, wz = 3, s = (2 - 0.7) / 2 * wz, t = 10;
  const Trajectory run = run_to(compile_text(text), t);
  const double expected[] = {wx * std::cos(s * t) + wy * std::sin(s * t),
                             -wx * std::sin(s * t) + wy * std::cos(s * t), wz};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(at_end(run, names[i]), expected[i], 1e-11) << names[i];
}

TEST(Trajectories, free_axisymmetric_body_precesses_by_its_closed_form) {
  const std::string body = R"(
parameter  I = 2 kg*m^2, J = 0.7 kg*m^2
body       B at No, mass 1 kg, inertia I, I, J
)";
  expect_free_body(body + R"(
coordinate q1 = 10 deg, q2 = 40 deg, q3 = 20 deg
frame      B = rotate(N, zxz, q1, q2, q3)
speed      wx = dot(angular_velocity(B), B.x)
speed      wy = dot(angular_velocity(B), B.y)
speed      wz = dot(angular_velocity(B), B.z)
start      wx = 0.4 rad/s, wy = -0.9 rad/s, wz = 3 rad/s
)",
                   {"wx", "wy", "wz"});
  expect_free_body(body + R"(
coordinate e0 = 0.5, e1 = 0.5, e2 = -0.5, e3 = 0.5
frame      B = quaternion(N, e0, e1, e2, e3)
start      B_wx = 0.4 rad/s, B_wy = -0.9 rad/s, B_wz = 3 rad/s
)",
                   {"B_wx", "B_wy", "B_wz"});
}

}  // namespace
}  // namespace visviva::validation
