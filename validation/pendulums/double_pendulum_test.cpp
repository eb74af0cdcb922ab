// The double pendulum with point masses: absolute angles under gravity (SymPy, test_lagrange.py,
// test_dub_pen, here with two masses and two lengths), and with a torsion spring and damper between
// the rods (Kane & Levinson, Dynamics: Theory and Applications, 4.7; SymPy, test_kane4.py).
#include "../expect.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/derive.h"

namespace visviva::validation {
namespace {

void expect_equations(const Mechanism& mechanism, const Equations& e) {
  SCOPED_TRACE("by " + std::string(method_name(e.method)));
  EXPECT_TRUE(same(e.mass_matrix[0][0], mechanism("M11")));
  EXPECT_TRUE(same(e.mass_matrix[0][1], mechanism("M12")));
  EXPECT_TRUE(same(e.mass_matrix[1][0], mechanism("M12")));
  EXPECT_TRUE(same(e.mass_matrix[1][1], mechanism("M22")));
  EXPECT_TRUE(same(e.forcing[0], mechanism("f1")));
  EXPECT_TRUE(same(e.forcing[1], mechanism("f2")));
}

const char* const absolute_angles = R"(
parameter  m1 = 1 kg, m2 = 1 kg, l1 = 1 m, l2 = 1 m, g = 9.81 m/s^2
coordinate q1 = 90 deg, q2 = 90 deg
frame      A = rotate(N, z, q1)
frame      B = rotate(N, z, q2)
particle   P at No + l1*A.x, mass m1
particle   Q at P + l2*B.x, mass m2
gravity    g*N.x
output     M11 = (m1 + m2)*l1^2, M12 = m2*l1*l2*cos(q1 - q2), M22 = m2*l2^2
output     f1 = -m2*l1*l2*sin(q1 - q2)*q2'^2 - (m1 + m2)*g*l1*sin(q1)
output     f2 = m2*l1*l2*sin(q1 - q2)*q1'^2 - m2*g*l2*sin(q2)
)";

TEST(DoublePendulumEquations, has_the_mass_matrix_and_forcing_of_the_textbooks) {
  const Mechanism pendulum(absolute_angles);
  for (const Equations& e : derive_by(pendulum)) expect_equations(pendulum, e);
}

// Horizontal and at rest: 2 q1'' + q2'' = -2 g, q1'' + q2'' = -g.
TEST(DoublePendulumEquations, released_horizontally_falls_as_one_rod_with_its_outer_half_unturned) {
  const Mechanism pendulum(absolute_angles);
  for (const Equations& e : derive_by(pendulum)) {
    const StartSolution start(e);
    EXPECT_NEAR(start.rate_of_speed("q1'"), -9.81, 1e-13);
    EXPECT_NEAR(start.rate_of_speed("q2'"), 0, 1e-13);
  }
}

// Kane & Levinson 4.7: q2 is the angle between the rods; no gravity.
std::string chapter_4_7(const std::string& speeds_and_forces) {
  return R"(
parameter  m = 1.5 kg, l = 0.7 m, sig = 3 N*m, delta = 0.4 N*m*s
coordinate q1 = 20 deg, q2 = 50 deg
frame      A = rotate(N, z, q1)
frame      B = rotate(A, z, q2)
particle   P at No + l*A.x, mass m
particle   Q at P + l*B.x, mass m
)" + speeds_and_forces;
}

const char* const spring_and_damper = R"(
spring     S on q2, stiffness sig, rest 0 deg
damper     D on q2, rate delta
)";

TEST(DoublePendulumEquations, with_absolute_rates_has_the_equations_of_kane_and_levinson_4_7) {
  const Mechanism pendulum(chapter_4_7(std::string(spring_and_damper) + R"(
speed      u1 = q1', u2 = q1' + q2'
output     M11 = 2*m*l^2, M12 = m*l^2*cos(q2), M22 = m*l^2
output     f1 = m*l^2*sin(q2)*u2^2 + sig*q2 + delta*(u2 - u1)
output     f2 = -m*l^2*sin(q2)*u1^2 - sig*q2 - delta*(u2 - u1)
)"));
  for (const Equations& e : derive_by(pendulum)) expect_equations(pendulum, e);
}

TEST(DoublePendulumEquations, active_forces_of_spring_and_damper_follow_the_speeds) {
  const Mechanism absolute(chapter_4_7(std::string(spring_and_damper) + R"(
speed      u1 = q1', u2 = q1' + q2'
output     F1 = sig*q2 + delta*(u2 - u1), F2 = -sig*q2 - delta*(u2 - u1)
)"));
  const Mechanism relative(chapter_4_7(std::string(spring_and_damper) + R"(
speed      u1 = q1', u2 = q2'
output     F2 = -(sig*q2 + delta*u2)
)"));
  const EmbeddedEquations a = embed_constraints(derive(absolute.motion()));
  EXPECT_TRUE(same(a.active_forces[0], absolute("F1")));
  EXPECT_TRUE(same(a.active_forces[1], absolute("F2")));
  const EmbeddedEquations r = embed_constraints(derive(relative.motion()));
  EXPECT_TRUE(same(r.active_forces[0], relative.zero()));
  EXPECT_TRUE(same(r.active_forces[1], relative("F2")));
}

// The source's cubic damper, as a torque between the rods; these carry no body of their own, so a
// massless one is given to each.
TEST(DoublePendulumEquations, a_cubic_damper_between_the_rods_is_replaced_by_speeds) {
  const char* const torque = R"(
parameter  cubic = 0.2 N*m*s^3
body       A at P, mass 0 kg, inertia 0, 0, 0
body       B at Q, mass 0 kg, inertia 0, 0, 0
torque     T on B from A = -(sig*q2 + cubic*q2'^3)*N.z
)";
  const Mechanism absolute(chapter_4_7(std::string(torque) + R"(
speed      u1 = q1', u2 = q1' + q2'
output     F1 = sig*q2 + cubic*(u2 - u1)^3, F2 = -sig*q2 - cubic*(u2 - u1)^3
)"));
  const EmbeddedEquations a = embed_constraints(derive(absolute.motion()));
  EXPECT_TRUE(same(a.active_forces[0], absolute("F1")));
  EXPECT_TRUE(same(a.active_forces[1], absolute("F2")));
}

}  // namespace
}  // namespace visviva::validation
