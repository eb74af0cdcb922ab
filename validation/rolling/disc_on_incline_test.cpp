// A uniform disc that rolls down an incline: x'' = (2/3) g sin(alpha) (SymPy, test_lagrange.py,
// test_disc_on_an_incline_plane; any textbook).
#include "../expect.h"

namespace visviva::validation {
namespace {

TEST(DiscOnIncline, rolls_down_with_two_thirds_of_the_sliding_acceleration) {
  const Mechanism disc(R"(
parameter  m = 2 kg, R = 0.3 m, g = 9.81 m/s^2, alpha = 20 deg
coordinate x = 0 m, th = 0 deg
frame      A = rotate(N, z, -alpha)     # x down the incline
frame      D = rotate(A, z, -th)
body       D at No + x*A.x + R*A.y, mass m, disc radius R along z
roll       contact: D on N at Dcm - R*A.y
gravity    -g*N.y
output     ddx = 2*g*sin(alpha)/3, ddth = 2*g*sin(alpha)/(3*R)
)");
  expect_accelerations(disc, {{"x'", "ddx"}, {"th'", "ddth"}});
}

// The same by a constraint on the configuration, as the source has it.
TEST(DiscOnIncline, tied_to_its_angle_rolls_down_alike) {
  const Mechanism disc(R"(
parameter  m = 2 kg, R = 0.3 m, g = 9.81 m/s^2, alpha = 20 deg
coordinate x = 0 m, th = 0 deg
frame      A = rotate(N, z, -alpha)
frame      D = rotate(A, z, -th)
body       D at No + x*A.x + R*A.y, mass m, disc radius R along z
constraint rope: x - R*th = 0
gravity    -g*N.y
output     ddx = 2*g*sin(alpha)/3, ddth = 2*g*sin(alpha)/(3*R)
)");
  expect_accelerations(disc, {{"x'", "ddx"}, {"th'", "ddth"}});
}

}  // namespace
}  // namespace visviva::validation
