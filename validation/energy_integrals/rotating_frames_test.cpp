// Motion described in a turning frame, and what stays constant although the conditions that suffice
// for it do not all hold.
//
// With A turned at w about N.z and a particle at x A.x + y A.y (Landau & Lifshitz, Mechanics, §39):
//   v_R = x' A.x + y' A.y,   v_t = w (-y A.x + x A.y)
//   K0 = m w^2 (x^2 + y^2)/2,   K1 = m w (x y' - y x'),   K2 = m (x'^2 + y'^2)/2
//   sigma_R = -m w^2 (x x' + y y') + m w' (x y' - y x'),   sigma = that at w' + m w w' (x^2 + y^2)
// where sigma's terms of w^2 cancel.
#include "expect_energy.h"

namespace visviva::validation {
namespace {

std::string turning(const std::string& rate, const std::string& forces) {
  return rate + R"(
parameter  m = 2 kg
coordinate x = 0.3 m, y = 0.7 m, x' = 1 m/s
frame      A = spin(N, w*N.z)
particle   Q at No + x*A.x + y*A.y, mass m
output     K0_is = 1/2*m*w^2*(x^2 + y^2), K1_is = m*w*(x*y' - y*x'), K2_is = 1/2*m*(x'^2 + y'^2)
)" + forces;
}

const char* const constant_terms = "output sigma_R_is = -m*w^2*(x*x' + y*y')\n";
const char* const changing_terms = R"(
output sigma_R_is = -m*w^2*(x*x' + y*y') + m*w'*(x*y' - y*x')
output sigma_is = m*w'*(x*y' - y*x') + m*w*w'*(x^2 + y^2)
)";

// Jacobi's integral of the restricted three-body problem (Goldstein, Poole & Safko, 3.12): primaries
// fixed in A at -a and b on A.x.
TEST(RotatingFrameEnergy, jacobis_integral_of_three_bodies_is_constant_and_nothing_else) {
  EnergyMechanism m(turning("parameter w = 2 rad/s", R"(
parameter  a = 0.2 m, b = 0.9 m, mu1 = 3 m^3/s^2, mu2 = 1 m^3/s^2
force      F1 on Q = -m*mu1/((x + a)^2 + y^2)^(3/2)*((x + a)*A.x + y*A.y)
force      F2 on Q = -m*mu2/((x - b)^2 + y^2)^(3/2)*((x - b)*A.x + y*A.y)
output     U_is = -m*mu1/sqrt((x + a)^2 + y^2) - m*mu2/sqrt((x - b)^2 + y^2)
)") + constant_terms);
  expect_energies(m);
  expect_integrals(m, {Says::no, Says::always, Says::nothing, Says::no, Says::nothing});
  expect_momenta(m, {});
}

// A free particle: the description turns, nothing else does. C is its energy, H = C - w L; no motor
// does work.
TEST(RotatingFrameEnergy, of_a_free_particle_is_its_kinetic_energy) {
  EnergyMechanism m(turning("parameter w = 2 rad/s", constant_terms));
  expect_energies(m);
  expect_integrals(m, {Says::no, Says::always, Says::always, Says::always, Says::always});
  expect_momenta(m, {"linear_momentum.x", "linear_momentum.y", "angular_momentum(No).z"});
  EXPECT_TRUE(m.integrals().motor_power.is_zero());
}

// At any rate C is constant, and neither H nor E.
TEST(RotatingFrameEnergy, of_a_free_particle_in_a_frame_that_turns_anyhow_is_constant) {
  EnergyMechanism m(turning("specified w(t)", changing_terms));
  expect_energies(m);
  expect_integrals(m, {Says::no, Says::no, Says::no, Says::always, Says::always});
  expect_momenta(m, {"linear_momentum.x", "linear_momentum.y", "angular_momentum(No).z"});
}

// A spring to the axis: its force has no power through v_t.
TEST(RotatingFrameEnergy, of_a_central_spring_is_constant_with_and_without_the_turning) {
  EnergyMechanism m(turning("parameter w = 2 rad/s", R"(
parameter  k = 30 N/m
spring     S from No to Q, stiffness k, rest 0 m
output     U_is = 1/2*k*(x^2 + y^2), Lz = m*(x*y' - y*x') + m*w*(x^2 + y^2)
)") + constant_terms);
  expect_energies(m);
  expect_integrals(m, {Says::no, Says::always, Says::always, Says::always, Says::always});
  expect_momenta(m, {"angular_momentum(No).z"});
  expect_momentum(m, "angular_momentum(No).z", "Lz");
}

// A hoist at constant speed v that also stretches a spring: U leaves out k (v t)^2/2, all three
// energies are constant, and none is a mechanical energy: the motor works against the spring.
TEST(RotatingFrameEnergy, of_a_hoist_that_stretches_a_spring_is_no_mechanical_energy) {
  EnergyMechanism m(R"(
parameter  mQ = 1 kg, mB = 2 kg, L = 0.5 m, g = 9.8 m/s^2, k = 30 N/m, v = 2 m/s
coordinate theta = 30 deg
frame      B = rotate(N, x, theta)
particle   Q at No + v*t*N.x, mass mQ
particle   P at Q - L*B.y, mass mB
gravity    -g*N.y
spring     S from No to Q, stiffness k, rest 0 m
output     K0_is = 1/2*(mB + mQ)*v^2, K2_is = 1/2*mB*L^2*theta'^2, U_is = -mB*g*L*cos(theta)
output     motor = k*v^2*t
)");
  expect_energies(m);
  expect_integrals(m, {Says::always, Says::always, Says::nothing, Says::always, Says::nothing});
  EXPECT_TRUE(same(m.integrals().motor_power, m("motor")));
}

}  // namespace
}  // namespace visviva::validation
