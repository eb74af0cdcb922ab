// The simple pendulum: by its angle (SymPy, test_kane.py, test_pend and test_lagrange.py,
// test_simp_pen), and by x and y with a multiplier (SymPy, test_lagrange.py,
// test_nonminimal_pendulum; IFToMM multibody benchmark A01).
#include "../expect.h"

namespace visviva::validation {
namespace {

TEST(SimplePendulum, falls_back_with_g_over_l_times_sine) {
  const Mechanism pendulum(R"(
parameter  m = 1 kg, l = 1 m, g = 9.81 m/s^2
coordinate q = 20 deg
speed      u = q'
frame      A = rotate(N, z, q)
particle   P at No + l*A.x, mass m
gravity    g*N.x
output     du = -g/l*sin(q)
)");
  expect_accelerations(pendulum, {{"u", "du"}});
}

// x and y are q1 (down) and q2. The source's multiplier has the opposite sign of ours.
const char* const in_x_and_y = R"(
parameter  m = 2 kg, L = 1 m, g = 9.8 m/s^2
coordinate q1 = 0.6 m, q2 = 0.8 m
particle   P at No + q1*N.x + q2*N.y, mass m
gravity    g*N.x
constraint rod: q1^2 + q2^2 - L^2 = 0
let        v2 = q1'^2 + q2'^2
output     lambda = -(2*g*q1 + 2*v2)/(4*q1^2/m + 4*q2^2/m)
output     dq1 = g - q1*(v2 + g*q1)/(q1^2 + q2^2), dq2 = -q2*(v2 + g*q1)/(q1^2 + q2^2)
output     weight = m*g, mass = m, row1 = 2*q1, row2 = 2*q2
)";

TEST(SimplePendulum, in_x_and_y_it_has_the_accelerations_of_the_angle) {
  expect_accelerations(Mechanism(in_x_and_y), {{"q1'", "dq1"}, {"q2'", "dq2"}});
}

TEST(SimplePendulum, in_x_and_y_its_multiplier_is_that_of_sympy) {
  const Mechanism pendulum(in_x_and_y);
  const Expr zero = pendulum.zero(), m = pendulum("mass"), lambda = pendulum("lambda");
  const Expr row1 = pendulum("row1"), row2 = pendulum("row2");
  for (const Equations& e : derive_by(pendulum)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    ASSERT_EQ(e.rows.size(), 1u);
    ASSERT_EQ(e.rows[0].velocity.coefficients.size(), 2u);
    EXPECT_TRUE(same(e.rows[0].velocity.coefficients[0].second, row1));
    EXPECT_TRUE(same(e.rows[0].velocity.coefficients[1].second, row2));
    EXPECT_TRUE(same(e.mass_matrix[0][0], m));
    EXPECT_TRUE(same(e.mass_matrix[1][1], m));
    EXPECT_TRUE(same(e.mass_matrix[0][1], zero));
    EXPECT_TRUE(same(e.forcing[0], pendulum("weight")));
    EXPECT_TRUE(same(e.forcing[1], zero));
    EXPECT_TRUE(same(m * pendulum("dq1"), e.forcing[0] + row1 * lambda));
    EXPECT_TRUE(same(m * pendulum("dq2"), e.forcing[1] + row2 * lambda));
  }
}

// IFToMM A01: 1 kg on 1 m, released at rest from (-1, 0).
const char* const iftomm_a01 = R"(
parameter  m = 1 kg, L = 1 m, g = 9.81 m/s^2
coordinate x = -1 m, y = 0 m
particle   P at No + x*N.x + y*N.y, mass m
gravity    -g*N.y
constraint rod: x^2 + y^2 - L^2 = 0
)";

TEST(SimplePendulum, starts_to_fall_freely_from_the_horizontal) {
  const Mechanism pendulum(iftomm_a01);
  for (const Equations& e : derive_by(pendulum)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    const StartSolution start(e);
    EXPECT_NEAR(start.rate_of_speed("x'"), 0, 1e-14);
    EXPECT_NEAR(start.rate_of_speed("y'"), -9.81, 1e-14);
    EXPECT_NEAR(start.solved().multipliers.at(0), 0, 1e-14);
    EXPECT_TRUE(start.solved().is_consistent);
    EXPECT_EQ(start.solved().constraint_rank, 1);
  }
}

// Energy gives v^2 = 2 g L at the bottom; y'' = v^2/L, and the rod pulls with m g + m v^2/L = 3 m g
// = -2 L lambda.
TEST(SimplePendulum, pulls_with_three_weights_at_the_bottom) {
  const double g = 9.81, v = std::sqrt(2 * g);
  const std::string speed = std::to_string(v);
  const Mechanism pendulum(iftomm_a01, {.settings = {{"x", "0"}, {"y", "-1"}, {"x'", speed}}});
  const double v2 = std::stod(speed) * std::stod(speed);
  const StartSolution start(derive(pendulum.motion(), Method::kane));
  EXPECT_NEAR(start.rate_of_speed("x'"), 0, 1e-13);
  EXPECT_NEAR(start.rate_of_speed("y'"), v2, 1e-13);
  EXPECT_NEAR(start.solved().multipliers.at(0), -(g + v2) / 2, 1e-13);
  EXPECT_NEAR(g + v2, 3 * g, 1e-5);  // six decimals of v
}

}  // namespace
}  // namespace visviva::validation
