// The spherical pendulum: in two angles, with the conical pendulum as its steady motion (Landau &
// Lifshitz, Mechanics, §14, problem 1), and in three angles with body-axis rates, where the spin
// carries no inertia (the spherical pendulum of SymPy's tests of physics.mechanics).
#include "../expect.h"

namespace visviva::validation {
namespace {

const char* const two_angles = R"(
parameter  m = 2 kg, l = 0.7 m, g = 9.81 m/s^2
coordinate th = 40 deg, ph = 10 deg
frame      A = rotate(N, y, ph)
frame      B = rotate(A, z, th)
particle   P at No - l*B.y, mass m
gravity    -g*N.y
output     ddth = sin(th)*cos(th)*ph'^2 - g/l*sin(th), ddph = -2*th'*ph'*cos(th)/sin(th)
output     g_of_steady_motion = ph'^2*l*cos(th)
)";

TEST(SphericalPendulum, has_the_equations_of_the_textbooks) {
  expect_accelerations(Mechanism(two_angles), {{"th'", "ddth"}, {"ph'", "ddph"}});
}

TEST(SphericalPendulum, moves_on_a_cone_when_the_rate_squared_is_g_over_l_cosine) {
  const Mechanism pendulum(two_angles);
  for (const Equations& e : derive_by(pendulum)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    const Replacements steady = {
        {pendulum.parameter("g"), pendulum("g_of_steady_motion")},
        {pendulum.speed("th'").u, pendulum.zero()},
    };
    ASSERT_FALSE(e.forcing[0].is_zero());
    EXPECT_TRUE(substitute(e.forcing[0], steady).is_zero());
    EXPECT_TRUE(substitute(e.forcing[1], steady).is_zero());
  }
}

// v = w x (-l B.y) = l (u3 B.x - u1 B.z), and in the same axes a = l (u3' - u1 u2, u1^2 + u3^2,
// -u1' - u2 u3).
const char* const three_angles = R"(
parameter  m = 2 kg, l = 0.7 m, g = 9.81 m/s^2
coordinate q1 = 10 deg, q2 = 20 deg, q3 = 30 deg
frame      B = rotate(N, zxy, q1, q2, q3)
speed      u1 = dot(angular_velocity(B), B.x)
speed      u2 = dot(angular_velocity(B), B.y)
speed      u3 = dot(angular_velocity(B), B.z)
start      u1 = 0.3 rad/s, u2 = 0.2 rad/s, u3 = -0.5 rad/s
particle   P at No - l*B.y, mass m
gravity    -g*N.y
output     M = m*l^2
output     f1 = m*l*(g*dot(N.y, B.z) - l*u2*u3), f3 = m*l*(l*u1*u2 - g*dot(N.y, B.x))
output     du1 = g/l*dot(N.y, B.z) - u2*u3, du3 = u1*u2 - g/l*dot(N.y, B.x)
)";

TEST(SphericalPendulum, in_three_angles_the_mass_matrix_has_a_zero_for_the_spin) {
  const Mechanism pendulum(three_angles);
  for (const Equations& e : derive_by(pendulum)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        EXPECT_TRUE(same(e.mass_matrix[i][j], i == j && i != 1 ? pendulum("M") : pendulum.zero()));
    EXPECT_TRUE(same(e.forcing[0], pendulum("f1")));
    EXPECT_TRUE(same(e.forcing[1], pendulum.zero()));
    EXPECT_TRUE(same(e.forcing[2], pendulum("f3")));
  }
}

TEST(SphericalPendulum, in_three_angles_only_the_rate_of_the_spin_stays_open) {
  const Mechanism pendulum(three_angles);
  const StartSolution start(derive(pendulum.motion()));
  EXPECT_EQ(start.solved().is_rate_determined, (std::vector<bool>{true, false, true}));
  EXPECT_TRUE(start.solved().is_consistent);
  EXPECT_NEAR(start.rate_of_speed("u1"), start.value(pendulum("du1")), 1e-13);
  EXPECT_NEAR(start.rate_of_speed("u3"), start.value(pendulum("du3")), 1e-13);
  EXPECT_TRUE(std::isfinite(start.rate_of_speed("u2")));
}

}  // namespace
}  // namespace visviva::validation
