// A cart on two wheels and a caster, on an inclined plane (Kane & Levinson, Dynamics: Theory and
// Applications, exercises 8.12 and 8.17; SymPy, test_kane2.py, test_non_central_inertia and
// test_sub_qdot).
//
// A is the cart, B and C its wheels on the axle A.z, D the axle's middle; u1 is the yaw rate, u2
// the speed of D along A.y. The weight M acts at S, the plane's force Q1, Q2, Q3 at the caster.
#include "../expect.h"

namespace visviva::validation {
namespace {

std::string cart(const std::string& constraints) {
  return R"(
parameter  theta = 20 deg, R = 0.3 m, a = 0.4 m, b = 0.5 m, e = 0.45 m, f = 0.9 m, g = 9.81 m/s^2
parameter  M = 14 kg, mA = 10 kg, mB = 2 kg, IA = 1.1 kg*m^2, J = 0.2 kg*m^2, Kw = 0.12 kg*m^2
parameter  IA22 = 0.7 kg*m^2, IA33 = 0.9 kg*m^2, IA23 = 0.1 kg*m^2
input      Q1 = 1 N, Q2 = 2 N, Q3 = 3 N
coordinate q1 = 25 deg, y = 0 m, z = 0 m, q2 = 10 deg, q3 = 20 deg
frame      P = rotate(N, y, -theta)     # x is the plane's normal
frame      A = rotate(P, x, q1)
frame      B = rotate(A, z, q2)
frame      C = rotate(A, z, q3)
point      D = No + R*P.x + y*P.y + z*P.z
speed      u1 = q1', u2 = dot(velocity(D), A.y), u3 = dot(velocity(D), A.z)
start      u1 = 0.4 rad/s, u2 = 1.2 m/s
body       A at D + a*A.y, mass mA, inertia IA, IA22, IA33, 0, IA23, 0
body       B at D + b*A.z, mass mB, inertia Kw, Kw, J
body       C at D - b*A.z, mass mB, inertia Kw, Kw, J
point      S = D + e*A.y
point      Caster = D + f*A.y - R*A.x
force      weight on S = -M*g*N.x
force      plane on Caster = Q1*A.x + Q2*A.y + Q3*A.z
dependent  u3, q2', q3'
output     F1 = f*Q3 + M*g*e*sin(theta)*cos(q1), F2 = Q2 + M*g*sin(theta)*sin(q1)
output     F1star = -(IA + 2*J*b^2/R^2 + 2*Kw + mA*a^2 + 2*mB*b^2)*u1' - mA*a*u1*u2
output     F2star = -(mA + 2*mB + 2*J/R^2)*u2' + mA*a*u1^2
)" + constraints;
}

void expect_forces(const Mechanism& mechanism) {
  for (const Equations& e : derive_by(mechanism)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    const EmbeddedEquations embedded = embed_constraints(e);
    ASSERT_EQ(independent_names(embedded, mechanism), (std::vector<std::string>{"u1", "u2"}));
    EXPECT_TRUE(same(embedded.active_forces[0], mechanism("F1")));
    EXPECT_TRUE(same(embedded.active_forces[1], mechanism("F2")));
    EXPECT_TRUE(same(embedded.inertia_forces[0], mechanism("F1star")));
    EXPECT_TRUE(same(embedded.inertia_forces[1], mechanism("F2star")));
  }
}

TEST(ThreeWheelCart, has_the_active_and_inertia_forces_of_kane_and_levinson) {
  expect_forces(Mechanism(cart(R"(
constraint dot(velocity(D), A.z) = 0
constraint dot(velocity(Bcm) + cross(angular_velocity(B), -R*A.x), A.y) = 0
constraint dot(velocity(Ccm) + cross(angular_velocity(C), -R*A.x), A.y) = 0
)")));
}

// Two rolling wheels say twice that D does not slip along the axle: one row too many.
TEST(ThreeWheelCart, on_rolling_wheels_has_the_same_forces_in_spite_of_a_redundant_row) {
  const Mechanism mechanism(cart(R"(
roll       left: B on N at Bcm - R*A.x
roll       right: C on N at Ccm - R*A.x
)"));
  expect_forces(mechanism);
  const StartSolution start(derive(mechanism.motion()));
  EXPECT_EQ(start.solved().constraint_rank, 3);
  EXPECT_GT(start.solved().multipliers.size(), 3u);
  EXPECT_TRUE(start.solved().is_consistent);
}

}  // namespace
}  // namespace visviva::validation
