// Rigid bodies without prescribed motion: tops, free bodies, and bodies that act on each other.
//
// Sources: Landau & Lifshitz, Mechanics, §9 (angular momentum), §35 (problem 1: heavy symmetric top)
// and §36; Goldstein, Poole & Safko, Classical Mechanics, 5.7, 2.6 (ignorable coordinates).
#include <fstream>
#include <sstream>

#include "expect_energy.h"

namespace visviva::validation {
namespace {

// ---- Heavy top, fixed at No

std::string top(const std::string& I2) {
  return R"(
parameter  m = 1 kg, l = 0.2 m, g = 9.81 m/s^2, I1 = 0.02 kg*m^2, I2 = 0.03 kg*m^2
parameter  I3 = 0.01 kg*m^2
coordinate phi = 0 deg, th = 30 deg, psi = 0 deg, psi' = 50 rad/s
frame      B = rotate(N, zxz, phi, th, psi)
body       B at No + l*B.z, mass m, inertia I1, )" +
         I2 + R"(, I3
gravity    -g*N.z
output     U_is = m*g*l*cos(th)
)";
}

TEST(HeavyTopEnergy, symmetric_keeps_energy_and_the_momenta_of_precession_and_spin) {
  EnergyMechanism m(top("I1") + R"(
output     K2_is = 1/2*(I1 + m*l^2)*(th'^2 + phi'^2*sin(th)^2) + 1/2*I3*(psi' + phi'*cos(th))^2
output     p3 = I3*(psi' + phi'*cos(th))
output     pz = ((I1 + m*l^2)*sin(th)^2 + I3*cos(th)^2)*phi' + I3*cos(th)*psi'
)");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {"p_phi", "p_psi", "angular_momentum(No).z"});
  expect_momentum(m, "p_psi", "p3");
  expect_momentum(m, "p_phi", "pz");
  expect_momentum(m, "angular_momentum(No).z", "pz");
}

TEST(HeavyTopEnergy, asymmetric_loses_the_momentum_of_spin) {
  EnergyMechanism m(top("I2") + R"(
let        w1 = phi'*sin(th)*sin(psi) + th'*cos(psi)
let        w2 = phi'*sin(th)*cos(psi) - th'*sin(psi)
output     K2_is = 1/2*(I1 + m*l^2)*w1^2 + 1/2*(I2 + m*l^2)*w2^2 + 1/2*I3*(psi' + phi'*cos(th))^2
)");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {"p_phi", "angular_momentum(No).z"});
}

std::string quaternion_top(const std::string& I2) {
  return R"(
parameter  m = 1 kg, l = 0.2 m, g = 9.81 m/s^2, I1 = 0.02 kg*m^2, I2 = 0.03 kg*m^2
parameter  I3 = 0.01 kg*m^2
coordinate e0 = 0.8, e1 = 0.6, e2 = 0, e3 = 0
start      B_wz = 50 rad/s
frame      B = quaternion(N, e0, e1, e2, e3)
body       B at No + l*B.z, mass m, inertia I1, )" +
         I2 + R"(, I3
gravity    -g*N.z
output     U_is = m*g*l*dot(B.z, N.z), spin = I3*B_wz
output     K2_is = 1/2*(I1 + m*l^2)*B_wx^2 + 1/2*()" +
         I2 + R"( + m*l^2)*B_wy^2 + 1/2*I3*B_wz^2
)";
}

TEST(HeavyTopEnergy, in_a_quaternion_keeps_the_same) {
  EnergyMechanism symmetric(quaternion_top("I1"));
  expect_energies(symmetric);
  expect_integrals(symmetric, everything(Says::always));
  expect_momenta(symmetric, {"p_B_wz", "angular_momentum(No).z"});
  expect_momentum(symmetric, "p_B_wz", "spin");
  EnergyMechanism asymmetric(quaternion_top("I2"));
  expect_energies(asymmetric);
  expect_integrals(asymmetric, everything(Says::always));
  expect_momenta(asymmetric, {"angular_momentum(No).z"});
}

// The fixed point as a constraint on a free body.
TEST(HeavyTopEnergy, held_at_its_tip_by_a_constraint_keeps_the_same) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, l = 0.2 m, g = 9.81 m/s^2, I1 = 0.02 kg*m^2, I3 = 0.01 kg*m^2
coordinate x = 0 m, y = 0 m, z = 0.2 m, e0 = 1, e1 = 0, e2 = 0, e3 = 0
start      B_wx = 1 rad/s, B_wz = 50 rad/s
frame      B = quaternion(N, e0, e1, e2, e3)
body       B at No + x*N.x + y*N.y + z*N.z, mass m, inertia I1, I1, I3
point      Tip = Bcm - l*B.z
constraint tip: Tip - No = 0
dependent  x', y', z'
gravity    -g*N.z
output     U_is = m*g*z, spin = I3*B_wz
)");
  EXPECT_TRUE(same(m.energies().U, m("U_is")));
  expect_integrals(m, everything(Says::always));
  expect_momentum(m, "p_B_wz", "spin");
  const std::vector<std::string> names = m.momentum_names();
  EXPECT_TRUE(std::find(names.begin(), names.end(), "angular_momentum(No).z") != names.end());
}

// ---- Free body

const char* const free_body = R"(
parameter  m = 2 kg, I1 = 1 kg*m^2, I2 = 2 kg*m^2, I3 = 2.5 kg*m^2, g = 9.81 m/s^2
coordinate x = 0 m, y = 0 m, z = 0 m, x' = 1 m/s
coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0
start      B_wx = 0.1 rad/s, B_wy = 3 rad/s
frame      B = quaternion(N, e0, e1, e2, e3)
body       B at No + x*N.x + y*N.y + z*N.z, mass m, inertia I1, I2, I3
output     K2_is = 1/2*m*(x'^2 + y'^2 + z'^2) + 1/2*I1*B_wx^2 + 1/2*I2*B_wy^2 + 1/2*I3*B_wz^2
output     px = m*x', Lcm = dot(angular_momentum(B, Bcm), N.z), Lo = dot(angular_momentum(B, No), N.z)
)";

TEST(FreeBodyEnergy, alone_keeps_energy_linear_and_angular_momentum) {
  EnergyMechanism m(free_body);
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {"p_x", "p_y", "p_z", "linear_momentum.x", "linear_momentum.y",
                     "linear_momentum.z", "angular_momentum(No).x", "angular_momentum(No).y",
                     "angular_momentum(No).z", "angular_momentum(mass center).x",
                     "angular_momentum(mass center).y", "angular_momentum(mass center).z"});
  expect_momentum(m, "linear_momentum.x", "px");
  expect_momentum(m, "angular_momentum(mass center).z", "Lcm");
  expect_momentum(m, "angular_momentum(No).z", "Lo");
}

// The weight acts at the mass center and along N.z.
TEST(FreeBodyEnergy, in_gravity_keeps_what_the_weight_does_not_change) {
  EnergyMechanism m(std::string(free_body) + "gravity -g*N.z\noutput U_is = m*g*z\n");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {"p_x", "p_y", "linear_momentum.x", "linear_momentum.y",
                     "angular_momentum(No).z", "angular_momentum(mass center).x",
                     "angular_momentum(mass center).y", "angular_momentum(mass center).z"});
}

// Euler's top with two equal moments: the rate about the axis is constant too.
TEST(FreeBodyEnergy, symmetric_keeps_its_spin_about_the_axis) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, I1 = 1 kg*m^2, I3 = 2.5 kg*m^2
coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0
start      B_wx = 0.1 rad/s, B_wz = 3 rad/s
frame      B = quaternion(N, e0, e1, e2, e3)
body       B at No, mass m, inertia I1, I1, I3
output     K2_is = 1/2*I1*(B_wx^2 + B_wy^2) + 1/2*I3*B_wz^2, spin = I3*B_wz
)");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  expect_momenta(
      m, {"p_B_wz", "angular_momentum(No).x", "angular_momentum(No).y", "angular_momentum(No).z"});
  expect_momentum(m, "p_B_wz", "spin");
}

// ---- Two bodies that act on each other

TEST(TwoBodyEnergy, particles_on_a_spring_keep_momentum_and_angular_momentum) {
  EnergyMechanism m(R"(
parameter  m1 = 1 kg, m2 = 2 kg, k = 50 N/m, l0 = 0.2 m
coordinate x1 = 0 m, y1 = 0 m, x2 = 0.3 m, y2 = 0.1 m, y2' = 1 m/s
particle   P1 at No + x1*N.x + y1*N.y, mass m1
particle   P2 at No + x2*N.x + y2*N.y, mass m2
spring     S from P1 to P2, stiffness k, rest l0
output     K2_is = 1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2)
output     U_is = 1/2*k*(sqrt((x2 - x1)^2 + (y2 - y1)^2) - l0)^2
output     px = m1*x1' + m2*x2', py = m1*y1' + m2*y2'
output     Lz = m1*(x1*y1' - y1*x1') + m2*(x2*y2' - y2*x2')
output     Lr = m1*m2/(m1 + m2)*((x2 - x1)*(y2' - y1') - (y2 - y1)*(x2' - x1'))
)");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {"linear_momentum.x", "linear_momentum.y", "angular_momentum(No).z",
                     "angular_momentum(mass center).z"});
  expect_momentum(m, "linear_momentum.x", "px");
  expect_momentum(m, "linear_momentum.y", "py");
  expect_momentum(m, "angular_momentum(No).z", "Lz");
  expect_momentum(m, "angular_momentum(mass center).z", "Lr");
}

std::string read_example(const std::string& name) {
  std::ifstream file(std::string(VISVIVA_SOURCE_DIR) + "/examples/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(TwoBodyEnergy, joined_by_a_ball_joint_and_a_spring_keep_energy_and_linear_momentum) {
  EnergyMechanism m(read_example("two_bodies_ball_joint.viva") + R"(
output px = m1*x1' + m2*x2', py = m1*y1' + m2*y2', pz = m1*z1' + m2*z2'
)");
  expect_integrals(m, everything(Says::always));
  expect_momentum(m, "linear_momentum.x", "px");
  expect_momentum(m, "linear_momentum.y", "py");
  expect_momentum(m, "linear_momentum.z", "pz");
}

// The joint's forces act at two points that coincide where the constraint holds, and only there.
TEST(TwoBodyEnergy, joined_by_a_ball_joint_and_a_spring_keep_angular_momentum) {
  EnergyMechanism m(read_example("two_bodies_ball_joint.viva"));
  const std::vector<std::string> names = m.momentum_names();
  for (const char* point : {"No", "mass center"}) {
    for (const char* axis : {"x", "y", "z"}) {
      const std::string name = std::string("angular_momentum(") + point + ")." + axis;
      EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
    }
  }
}

// The same in the plane, without quaternions: two rods with a pin.
TEST(TwoBodyEnergy, joined_by_a_pin_keep_angular_momentum) {
  EnergyMechanism m(R"(
parameter  m1 = 1 kg, m2 = 2 kg, I1 = 0.1 kg*m^2, I2 = 0.2 kg*m^2, l = 0.5 m
coordinate x1 = 0 m, y1 = 0 m, a = 0 deg, x2 = 1 m, y2 = 0 m, b = 0 deg, a' = 1 rad/s
frame      A = rotate(N, z, a)
frame      B = rotate(N, z, b)
body       A at No + x1*N.x + y1*N.y, mass m1, inertia I1, I1, I1
body       B at No + x2*N.x + y2*N.y, mass m2, inertia I2, I2, I2
point      PA = Acm + l*A.x
point      PB = Bcm - l*B.x
constraint pin: dot(PA - PB, N.x) = 0
constraint dot(PA - PB, N.y) = 0
dependent  x2', b'
output     px = m1*x1' + m2*x2', py = m1*y1' + m2*y2'
output     Lz = I1*a' + I2*b' + m1*(x1*y1' - y1*x1') + m2*(x2*y2' - y2*x2')
)");
  expect_integrals(m, everything(Says::always));
  // x1' moves both bodies along N.x.
  expect_momenta(m, {"p_x1_R", "linear_momentum.x", "linear_momentum.y", "angular_momentum(No).z",
                     "angular_momentum(mass center).z"});
  expect_momentum(m, "p_x1_R", "px");
  expect_momentum(m, "linear_momentum.y", "py");
  expect_momentum(m, "angular_momentum(No).z", "Lz");
  EXPECT_EQ(m.momentum("angular_momentum(No).z").extent, Extent::on_constraints);
}

// "The potential of gravity is zero at No", also of a body that stays at one height.
TEST(GravityEnergy, is_measured_from_no_at_constant_height_too) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, h = 2 m, g = 9.81 m/s^2
coordinate x = 0 m
particle   Q at No + x*N.x + h*N.y, mass m
gravity    -g*N.y
output     K2_is = 1/2*m*x'^2, U_is = m*g*h
)");
  expect_energies(m);
}

}  // namespace
}  // namespace visviva::validation
