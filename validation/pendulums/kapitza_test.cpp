// Kapitza's pendulum: its pivot moves up and down by y(t) (Landau & Lifshitz, Mechanics, §5,
// problem 3 and §30): l th'' + (g + y'') sin th = 0, th from straight down.
#include "../expect.h"

namespace visviva::validation {
namespace {

const char* const parts = R"(
parameter  m = 1 kg, l = 0.3 m, g = 9.81 m/s^2, a = 0.02 m, w = 200 rad/s
coordinate th = 170 deg
frame      A = rotate(N, z, th)
particle   P at Pivot - l*A.y, mass m
gravity    -g*N.y
)";

TEST(Kapitza, a_pivot_that_follows_any_function_adds_its_acceleration_to_gravity) {
  const Mechanism pendulum(std::string(parts) + R"(
specified  y(t)
point      Pivot = No + y*N.y
output     ddth = -(g + y'')/l*sin(th)
)");
  expect_accelerations(pendulum, {{"th'", "ddth"}});
}

TEST(Kapitza, a_pivot_that_oscillates_makes_gravity_swing) {
  const Mechanism pendulum(std::string(parts) + R"(
point      Pivot = No + a*cos(w*t)*N.y
output     ddth = -(g - a*w^2*cos(w*t))/l*sin(th)
)");
  expect_accelerations(pendulum, {{"th'", "ddth"}});
}

// Landau & Lifshitz §5, problem 3 (a) and (b): a pivot on a circle, and one that moves sideways.
TEST(Kapitza, a_pivot_on_a_circle_or_sideways_has_the_equations_of_landau_and_lifshitz) {
  const Mechanism circle(std::string(parts) + R"(
point      Pivot = No + a*cos(w*t)*N.x + a*sin(w*t)*N.y
output     ddth = (a*w^2*cos(th - w*t) - g*sin(th))/l
)");
  expect_accelerations(circle, {{"th'", "ddth"}});
  const Mechanism sideways(std::string(parts) + R"(
point      Pivot = No + a*cos(w*t)*N.x
output     ddth = (a*w^2*cos(w*t)*cos(th) - g*sin(th))/l
)");
  expect_accelerations(sideways, {{"th'", "ddth"}});
}

}  // namespace
}  // namespace visviva::validation
