// A body hanging from a hoist with a given motion, and the other cases of Mitiguy, chapter 34
// 34.2; the same hoist held to its motion by a constraint.
#include "expect_energy.h"

namespace visviva::validation {
namespace {

std::string hoist(const std::string& motion) {
  return R"(
parameter  mQ = 1 kg, mB = 2 kg, L = 0.5 m, g = 9.8 m/s^2
parameter  I = mB*L^2/12
coordinate theta = 30 deg
specified  x(t))" +
         motion + R"(
frame      B = rotate(N, x, theta)
particle   Q at No + x*N.x, mass mQ
body       B at Q - L*B.y, mass mB, inertia I, 0 kg*m^2, I
gravity    -g*N.y
output     K0_is = 1/2*(mB + mQ)*x'^2, K2_is = 1/2*(I + mB*L^2)*theta'^2
output     U_is = -mB*g*L*cos(theta), sigma_is = (mB + mQ)*x'*x''
)";
}

// 34.2: "E is constant whereas C and H are not constant"; "this system does not possess a potential
// energy". sigma_R and P_nonconservative vanish whatever x is.
TEST(HoistEnergy, generalized_energy_is_constant_for_every_motion_of_the_hoist) {
  for (const char* motion : {" = 3 m * cos(1 rad/s * t)", ""}) {
    SCOPED_TRACE(motion);
    EnergyMechanism m(hoist(motion));
    expect_energies(m);
    expect_integrals(m, {Says::always, Says::no, Says::nothing, Says::no, Says::nothing});
    expect_momenta(m, {});
    EXPECT_FALSE(m.integrals().potential_energy.exists);
  }
}

// 34.2, last paragraph: with x'' = 0 the hoist's force (mQ + mB) x'' vanishes, a potential energy
// exists, and the Hamiltonian and the mechanical energy are constant too.
TEST(HoistEnergy, at_constant_speed_everything_is_constant_and_a_potential_energy_exists) {
  EnergyMechanism m(hoist(" = 2 m/s * t"));
  expect_energies(m);
  expect_integrals(m, {Says::always, Says::here, Says::here, Says::here, Says::here});
  EXPECT_TRUE(m.integrals().potential_energy.exists);
  EXPECT_EQ(m.integrals().potential_energy.scope, Scope::these_values);
}

// The motor's force is (mQ + mB) x'' (34.2), its power that times x'.
TEST(HoistEnergy, the_power_of_the_motor_is_its_force_times_the_speed_of_the_hoist) {
  EnergyMechanism m(hoist("") + "output motor = (mQ + mB)*x''*x'\n");
  EXPECT_TRUE(same(m.integrals().motor_power, m("motor")));
}

// The hoist as a coordinate that a constraint makes follow x: gravity has no power through it, so
// that everything is as above.
TEST(HoistEnergy, a_constraint_that_moves_the_hoist_gives_the_same_as_a_specified_position) {
  EnergyMechanism m(R"(
parameter  mQ = 1 kg, mB = 2 kg, L = 0.5 m, g = 9.8 m/s^2
parameter  I = mB*L^2/12
coordinate theta = 30 deg, h = 3 m
specified  x(t) = 3 m * cos(1 rad/s * t)
frame      B = rotate(N, x, theta)
particle   Q at No + h*N.x, mass mQ
body       B at Q - L*B.y, mass mB, inertia I, 0 kg*m^2, I
gravity    -g*N.y
constraint drive: dot(Q - No, N.x) = x
dependent  h'
output     K0_is = 1/2*(mB + mQ)*x'^2, K2_is = 1/2*(I + mB*L^2)*theta'^2
output     U_is = -mB*g*L*cos(theta), sigma_is = (mB + mQ)*x'*x''
output     motor = (mQ + mB)*x''*x'
)");
  expect_energies(m);
  expect_integrals(m, {Says::always, Says::no, Says::nothing, Says::no, Says::nothing});
  EXPECT_TRUE(same(m.integrals().motor_power, m("motor")));
}

// Up and down by y(t), as a position and as a constraint on a coordinate h: v_t = y' N.y,
// v_R = l th' A.x, hence K0 = m y'^2/2, K1 = m l y' sin(th) th', sigma_R = m l y'' sin(th) th'.
// m g y is a function of time alone, and so is m g h where the constraint holds: U leaves out both.
const char* const lifted_terms = R"(
output     K0_is = 1/2*m*y'^2, K1_is = m*l*y'*sin(th)*th', K2_is = 1/2*m*l^2*th'^2
output     sigma_R_is = m*l*y''*sin(th)*th', sigma_is = m*l*y''*sin(th)*th' + m*y'*y''
)";
const char* const lifted_parts = R"(
parameter  m = 1 kg, l = 0.3 m, g = 9.81 m/s^2
specified  y(t)
coordinate th = 20 deg
frame      A = rotate(N, z, th)
particle   P at Pivot - l*A.y, mass m
gravity    -g*N.y
)";

TEST(RheonomicEnergy, a_moving_constraint_splits_velocities_as_a_specified_position_does) {
  EnergyMechanism given(std::string(lifted_parts) + lifted_terms + R"(
point      Pivot = No + y*N.y
output     U_is = -m*g*l*cos(th)
)");
  expect_energies(given);
  expect_integrals(given, nothing_but_E_Z(false));
  EnergyMechanism held(std::string(lifted_parts) + lifted_terms + R"(
coordinate h = 0 m
point      Pivot = No + h*N.y
constraint dot(Pivot - No, N.y) = y
dependent  h'
output     U_is = -m*g*l*cos(th)
)");
  expect_energies(held);
  expect_integrals(held, nothing_but_E_Z(false));
}

}  // namespace
}  // namespace visviva::validation
