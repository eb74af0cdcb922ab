// Forces written by hand: those that have a potential, which must be found, and those that have
// none.
//
// Sources: Landau & Lifshitz, Mechanics, §14, §15 (central field, Kepler), Goldstein, Poole & Safko,
// Classical Mechanics, 1.3 (curl F = 0), 1.5 (magnetic force), 3.2, 3.3; Bolotin, Nonconservative
// Problems of the Theory of Elastic Stability (follower forces); Mitiguy, chapter 34 (20), (24).
#include "expect_energy.h"

namespace visviva::validation {
namespace {

const char* const on_a_line = R"(
parameter  m = 2 kg
coordinate x = 0.3 m
particle   Q at No + x*N.x, mass m
output     K2_is = 1/2*m*x'^2
)";
const char* const in_the_plane = R"(
parameter  m = 2 kg
coordinate x = 0.3 m, y = 0.7 m, x' = 1 m/s
particle   Q at No + x*N.x + y*N.y, mass m
output     K2_is = 1/2*m*(x'^2 + y'^2)
)";
const char* const in_space = R"(
parameter  m = 2 kg
coordinate x = 0.3 m, y = 0.7 m, z = 0.2 m, x' = 1 m/s
particle   Q at No + x*N.x + y*N.y + z*N.z, mass m
output     K2_is = 1/2*m*(x'^2 + y'^2 + z'^2)
)";

void expect_conservative(EnergyMechanism& m, const char* force) {
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  EXPECT_EQ(m.load(force).role, LoadRole::conservative);
  EXPECT_FALSE(m.load(force).reasons.empty());
  EXPECT_EQ(m.integrals().potential_energy.scope, Scope::all_parameters);
}

void expect_conservative_within_a_turn(EnergyMechanism& m, const char* force) {
  expect_energies(m);
  expect_integrals(m, everything_but_a_potential_energy());
  EXPECT_EQ(m.load(force).role, LoadRole::conservative);
  EXPECT_FALSE(m.load(force).reasons.empty());
}

void expect_nonconservative(EnergyMechanism& m, const char* force) {
  expect_energies(m);
  expect_integrals(m, nothing_but_E_Z(true));
  EXPECT_EQ(m.load(force).role, LoadRole::nonconservative);
  EXPECT_FALSE(m.load(force).reasons.empty());
}

// ---- With a potential

TEST(WrittenForceEnergy, a_constant_force_has_the_potential_minus_f_x) {
  EnergyMechanism m(std::string(in_the_plane) + R"(
parameter f = 3 N
force     F on Q = f*N.x
output    U_is = -f*x, py = m*y'
)");
  expect_conservative(m, "F");
  // About No the force turns; along y nothing acts.
  expect_momenta(m, {"p_y", "linear_momentum.y"});
  expect_momentum(m, "p_y", "py");
  expect_momentum(m, "linear_momentum.y", "py");
}

TEST(WrittenForceEnergy, a_constant_torque_on_an_angle_has_the_potential_minus_tau_th) {
  EnergyMechanism m(R"(
parameter  I = 1 kg*m^2, tau = 0.4 N*m
coordinate th = 10 deg
frame      B = rotate(N, z, th)
body       B at No, mass 1 kg, inertia I, I, I
torque     T on B = tau*N.z
output     K2_is = 1/2*I*th'^2, U_is = -tau*th
)");
  expect_conservative_within_a_turn(m, "T");
  expect_momenta(m, {});
}

TEST(WrittenForceEnergy, a_cubic_spring_has_a_quartic_potential) {
  EnergyMechanism m(std::string(on_a_line) + R"(
parameter k3 = 30 N/m^3
force     F on Q = -k3*x^3*N.x
output    U_is = 1/4*k3*x^4
)");
  expect_conservative(m, "F");
}

// Kepler in Cartesian coordinates: U = -G M m/r.
TEST(KeplerEnergy, in_the_plane_keeps_energy_and_angular_momentum) {
  EnergyMechanism m(std::string(in_the_plane) + R"(
parameter GM = 2 m^3/s^2
let       r = magnitude(Q - No)
force     F on Q = -GM*m/r^2*unit(Q - No)
output    U_is = -GM*m/sqrt(x^2 + y^2), Lz = m*(x*y' - y*x')
)");
  expect_conservative(m, "F");
  expect_momenta(m, {"angular_momentum(No).z"});
  expect_momentum(m, "angular_momentum(No).z", "Lz");
}

TEST(KeplerEnergy, in_space_keeps_energy_and_angular_momentum) {
  EnergyMechanism m(std::string(in_space) + R"(
parameter G = 6.6743e-11 m^3/kg/s^2, M = 5.972e24 kg
force     F on Q = -G*M*m/(x^2 + y^2 + z^2)^(3/2)*(Q - No)
output    U_is = -G*M*m/sqrt(x^2 + y^2 + z^2)
output    Lx = m*(y*z' - z*y'), Ly = m*(z*x' - x*z'), Lz = m*(x*y' - y*x')
)");
  expect_conservative(m, "F");
  expect_momenta(m, {"angular_momentum(No).x", "angular_momentum(No).y", "angular_momentum(No).z"});
  expect_momentum(m, "angular_momentum(No).x", "Lx");
  expect_momentum(m, "angular_momentum(No).y", "Ly");
  expect_momentum(m, "angular_momentum(No).z", "Lz");
}

TEST(KeplerEnergy, in_polar_coordinates_has_an_ignorable_angle) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, GM = 2 m^3/s^2
coordinate r = 1 m, ph = 0 deg, ph' = 1 rad/s
frame      A = rotate(N, z, ph)
particle   Q at No + r*A.x, mass m
force      F on Q = -GM*m/r^2*A.x
output     K2_is = 1/2*m*(r'^2 + r^2*ph'^2), U_is = -GM*m/r, Lz = m*r^2*ph'
)");
  expect_conservative(m, "F");
  expect_momenta(m, {"p_ph", "angular_momentum(No).z"});
  expect_momentum(m, "p_ph", "Lz");
  expect_momentum(m, "angular_momentum(No).z", "Lz");
}

// W = k/2 (x2 - x1 - l0)^2, whatever constant the integration leaves.
TEST(WrittenForceEnergy, a_spring_written_as_a_pair_of_forces_has_its_potential) {
  EnergyMechanism m(R"(
parameter  m1 = 1 kg, m2 = 2 kg, k = 50 N/m, l0 = 0.2 m
coordinate x1 = 0 m, x2 = 0.3 m
particle   P1 at No + x1*N.x, mass m1
particle   P2 at No + x2*N.x, mass m2
force      F on P2 from P1 = -k*(x2 - x1 - l0)*N.x
output     W = 1/2*k*(x2 - x1 - l0)^2, px = m1*x1' + m2*x2'
)");
  EXPECT_TRUE(same_but_for_a_constant(m, m.energies().U, m("W")));
  EXPECT_TRUE(m.energies().P_nonconservative.is_zero());
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {"linear_momentum.x"});
  expect_momentum(m, "linear_momentum.x", "px");
}

// Speeds along the body's axes, as Kane & Levinson choose them: the same potential.
TEST(WrittenForceEnergy, has_its_potential_in_speeds_that_are_the_rate_of_no_coordinate) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, I = 0.1 kg*m^2, k = 50 N/m
coordinate q1 = 0.1 m, q2 = 0.2 m, q3 = 20 deg
speed      u1 = q1'*cos(q3) + q2'*sin(q3), u2 = -q1'*sin(q3) + q2'*cos(q3), u3 = q3'
start      u1 = 1 m/s, u3 = 2 rad/s
frame      B = rotate(N, z, q3)
body       B at No + q1*N.x + q2*N.y, mass m, inertia I, I, I
force      F on Bcm = -k*q1*N.x - k*q2*N.y
output     K2_is = 1/2*m*(u1^2 + u2^2) + 1/2*I*u3^2, U_is = 1/2*k*(q1^2 + q2^2)
output     spin = I*u3, Lz = I*u3 + m*(q1*q2' - q2*q1')
)");
  expect_conservative(m, "F");
  expect_momenta(m, {"p_q3", "angular_momentum(No).z", "angular_momentum(mass center).z"});
  expect_momentum(m, "p_q3", "spin");
  expect_momentum(m, "angular_momentum(mass center).z", "spin");
  expect_momentum(m, "angular_momentum(No).z", "Lz");
}

// The same in the plane: W = k/2 (|d| - l0)^2.
TEST(WrittenForceEnergy, a_spring_with_a_length_written_as_a_pair_of_forces_has_its_potential) {
  EnergyMechanism m(R"(
parameter  m1 = 1 kg, m2 = 2 kg, k = 50 N/m, l0 = 0.2 m
coordinate x1 = 0 m, y1 = 0 m, x2 = 0.3 m, y2 = 0.1 m
particle   P1 at No + x1*N.x + y1*N.y, mass m1
particle   P2 at No + x2*N.x + y2*N.y, mass m2
force      F on P2 from P1 = -k*(magnitude(P2 - P1) - l0)*unit(P2 - P1)
output     W = 1/2*k*(sqrt((x2 - x1)^2 + (y2 - y1)^2) - l0)^2
)");
  EXPECT_TRUE(same_but_for_a_constant(m, m.energies().U, m("W")));
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {"linear_momentum.x", "linear_momentum.y", "angular_momentum(No).z",
                     "angular_momentum(mass center).z"});
}

// -c/x has the potential c log(x), -tau sin(3 th) has -tau cos(3 th)/3, -f exp(-x/l) has -f l exp(-x/l).
TEST(WrittenForceEnergy, of_elementary_functions_is_found) {
  for (const char* force : {
           "parameter c = 2 N*m\nforce F on Q = -c/x*N.x\noutput W = c*log(x/(1 m))\n",
           "parameter f = 2 N, l = 3 m\nforce F on Q = -f*exp(-x/l)*N.x\n"
           "output W = -f*l*exp(-x/l)\n",
           "parameter f = 2 N, l = 3 m\nforce F on Q = -f*sin(3*x/l)*N.x\n"
           "output W = -f*l/3*cos(3*x/l)\n",
           "parameter f = 2 N, l = 3 m\nforce F on Q = f/(1 + (x/l)^2)*N.x\n"
           "output W = -f*l*atan(x/l)\n",
       }) {
    SCOPED_TRACE(force);
    EnergyMechanism m(std::string(on_a_line) + force);
    EXPECT_TRUE(same_but_for_a_constant(m, m.energies().U, m("W")));
    expect_integrals(m, everything(Says::always));
  }
}

// Away from the mass center: U = -f (x - a sin(th)).
TEST(WrittenForceEnergy, a_constant_force_anywhere_on_a_body_has_a_potential) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, I = 0.1 kg*m^2, f = 3 N, a = 0.2 m
coordinate x = 0 m, y = 0 m, th = 20 deg
frame      B = rotate(N, z, th)
body       B at No + x*N.x + y*N.y, mass m, inertia I, I, I
point      P = Bcm + a*B.y
force      F on P = f*N.x
output     K2_is = 1/2*m*(x'^2 + y'^2) + 1/2*I*th'^2, U_is = -f*(x - a*sin(th))
)");
  expect_conservative(m, "F");
  expect_momenta(m, {"p_y", "linear_momentum.y"});
}

TEST(WrittenForceEnergy, a_constant_force_on_a_body_without_angles_has_a_potential) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, I1 = 1 kg*m^2, I2 = 2 kg*m^2, I3 = 2.5 kg*m^2, f = 3 N, a = 0.2 m
coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0
start      B_wx = 0.1 rad/s, B_wy = 3 rad/s
frame      B = quaternion(N, e0, e1, e2, e3)
body       B at No, mass m, inertia I1, I2, I3
point      P = No + a*B.y
force      F on P = f*N.x
output     K2_is = 1/2*I1*B_wx^2 + 1/2*I2*B_wy^2 + 1/2*I3*B_wz^2, U_is = -f*a*dot(B.y, N.x)
)");
  expect_conservative(m, "F");
  expect_momenta(m, {"angular_momentum(No).x"});
}

// A torsion spring between two bodies, as a pair of torques.
TEST(WrittenForceEnergy, a_torsion_spring_written_as_a_pair_of_torques_has_its_potential) {
  EnergyMechanism m(R"(
parameter  I1 = 0.1 kg*m^2, I2 = 0.2 kg*m^2, kt = 3 N*m
coordinate a = 20 deg, b = 5 deg
frame      A = rotate(N, z, a)
frame      B = rotate(N, z, b)
body       A at No, mass 1 kg, inertia I1, I1, I1
body       B at No, mass 1 kg, inertia I2, I2, I2
torque     T on B from A = -kt*(b - a)*N.z
output     K2_is = 1/2*I1*a'^2 + 1/2*I2*b'^2, U_is = 1/2*kt*(b - a)^2, Lz = I1*a' + I2*b'
)");
  expect_conservative_within_a_turn(m, "T");
  expect_momenta(m, {"angular_momentum(No).z"});
  expect_momentum(m, "angular_momentum(No).z", "Lz");
}

// Neither of two forces has a potential, their sum does: k y on x and k x on y.
TEST(WrittenForceEnergy, two_forces_may_have_a_potential_together) {
  EnergyMechanism m(std::string(in_the_plane) + R"(
parameter k = 5 N/m
force     F1 on Q = k*y*N.x
force     F2 on Q = k*x*N.y
output    U_is = -k*x*y
)");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {});
}

// ---- Without

// curl F = 2 k N.z.
TEST(WrittenForceEnergy, a_force_with_a_curl_has_no_potential) {
  EnergyMechanism m(std::string(in_the_plane) + R"(
parameter k = 5 N/m
force     F on Q = -k*y*N.x + k*x*N.y
output    P_nonconservative_is = k*(x*y' - y*x')
)");
  expect_nonconservative(m, "F");
  expect_momenta(m, {});
}

TEST(WrittenForceEnergy, a_force_along_x_that_grows_with_y_has_no_potential) {
  EnergyMechanism m(std::string(in_the_plane) + R"(
parameter k = 5 N/m^2
force     F on Q = k*x*y*N.x
output    P_nonconservative_is = k*x*y*x', py = m*y'
)");
  expect_nonconservative(m, "F");
  expect_momenta(m, {"p_y", "linear_momentum.y"});
}

// A force that turns with the body.
TEST(WrittenForceEnergy, a_follower_force_has_no_potential) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, I = 0.1 kg*m^2, f = 3 N
coordinate x = 0 m, y = 0 m, th = 20 deg, th' = 1 rad/s
frame      B = rotate(N, z, th)
body       B at No + x*N.x + y*N.y, mass m, inertia I, I, I
force      F on Bcm = f*B.x
output     K2_is = 1/2*m*(x'^2 + y'^2) + 1/2*I*th'^2, spin = I*th'
output     P_nonconservative_is = f*(cos(th)*x' + sin(th)*y')
)");
  expect_nonconservative(m, "F");
  expect_momenta(m, {"p_th", "angular_momentum(mass center).z"});
}

// Ziegler's pendulum: -f l sin(b) acts on a, and nothing on b.
TEST(WrittenForceEnergy, a_follower_force_on_two_rods_has_no_potential) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, l = 0.5 m, f = 3 N
coordinate a = 20 deg, b = 5 deg
frame      A = rotate(N, z, a)
frame      B = rotate(A, z, b)
particle   P at No + l*A.x, mass m
particle   Q at P + l*B.x, mass m
force      F on Q = -f*B.x
output     K2_is = 1/2*m*l^2*a'^2 + 1/2*m*l^2*(a'^2 + (a' + b')^2 + 2*a'*(a' + b')*cos(b))
output     P_nonconservative_is = -f*l*sin(b)*a'
)");
  expect_nonconservative(m, "F");
}

// A torque that keeps its direction in space, on a body that turns in space: on the angles it is
// tau (1, 0, cos(th)), which no potential has (Ziegler, Principles of Structural Stability).
TEST(WrittenForceEnergy, a_torque_of_constant_direction_has_no_potential_in_space) {
  for (const char* axis : {"N.z", "B.z"}) {
    EnergyMechanism m(std::string(R"(
parameter  I1 = 1 kg*m^2, I2 = 2 kg*m^2, I3 = 2.5 kg*m^2, tau = 0.4 N*m
coordinate phi = 0 deg, th = 30 deg, psi = 10 deg, psi' = 5 rad/s
frame      B = rotate(N, zxz, phi, th, psi)
body       B at No, mass 1 kg, inertia I1, I2, I3
output     P_space = tau*(phi' + psi'*cos(th)), P_body = tau*(psi' + phi'*cos(th))
torque     T on B = tau*)") +
                      axis + "\n");
    EXPECT_TRUE(m.energies().U.is_zero());
    EXPECT_TRUE(
        same(m.energies().P_nonconservative, m(std::string(axis) == "N.z" ? "P_space" : "P_body")));
    expect_integrals(m, nothing_but_E_Z(true));
    EXPECT_EQ(m.load("T").role, LoadRole::nonconservative);
  }
}

// What a controller gives is work from outside, even while it is constant.
TEST(WrittenForceEnergy, an_input_has_no_potential) {
  EnergyMechanism m(std::string(on_a_line) + R"(
input     f = 3 N
force     F on Q = f*N.x
output    P_nonconservative_is = f*x'
)");
  expect_nonconservative(m, "F");
}

// Dry friction along x, -c sign(x').
TEST(WrittenForceEnergy, dry_friction_has_no_potential) {
  EnergyMechanism m(std::string(in_the_plane) + R"(
parameter c = 3 N
force     F on Q = -c*sign(x')*N.x
output    P_nonconservative_is = -c*sign(x')*x'
)");
  expect_nonconservative(m, "F");
}

// A magnetic force has no power: what is constant without it stays so, the momentum does not.
TEST(WrittenForceEnergy, a_magnetic_force_does_nothing_to_energy) {
  EnergyMechanism m(std::string(in_the_plane) + R"(
parameter qB = 3 kg/s
force     F on Q = qB*cross(velocity(Q), N.z)
)");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  EXPECT_EQ(m.load("F").role, LoadRole::none);
  expect_momenta(m, {});
}

// Air drag: it depends on speed and has no value to speak of at rest.
TEST(WrittenForceEnergy, quadratic_drag_takes_the_cube_of_speed) {
  EnergyMechanism m(std::string(in_the_plane) + R"(
parameter c = 0.1 kg/m
force     F on Q = -c*magnitude(velocity(Q))*velocity(Q)
output    P_nonconservative_is = -c*sqrt(x'^2 + y'^2)*(x'^2 + y'^2), Lz = m*(x*y' - y*x')
)");
  expect_nonconservative(m, "F");
  expect_momenta(m, {});
}

// ---- What holds only for a start, or only where the constraints hold

// y starts at rest at 0 and nothing moves it: the damper never acts.
TEST(StartEnergy, is_constant_only_in_the_motion_that_never_moves_the_damper) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, k = 50 N/m, b = 3 N*s/m
coordinate x = 0.1 m, y = 0 m
particle   Q at No + x*N.x + y*N.y, mass m
spring     S from No to Q, stiffness k, rest 0 m
damper     D on y, rate b
output     K2_is = 1/2*m*(x'^2 + y'^2), U_is = 1/2*k*(x^2 + y^2), P_nonconservative_is = -b*y'^2
)");
  expect_energies(m);
  ExpectedIntegrals expected = nothing_but_E_Z(true);
  expected.extent = Extent::this_start;
  expect_integrals(m, expected);
  for (const char* name : {"E", "H", "C"}) {
    EXPECT_NE(list_reasons(m.energy(name)).find("start"), std::string::npos) << name;
    EXPECT_NE(list_reasons(m.energy(name)).find("y"), std::string::npos) << name;
  }
}

// The same with a push along y.
TEST(StartEnergy, is_not_constant_for_another_start) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, k = 50 N/m, b = 3 N*s/m
coordinate x = 0.1 m, y = 0 m, y' = 1 m/s
particle   Q at No + x*N.x + y*N.y, mass m
spring     S from No to Q, stiffness k, rest 0 m
damper     D on y, rate b
)");
  expect_integrals(m, nothing_but_E_Z(true));
}

// Two equal oscillators pulled apart: x1 + x2 stays 0, and the damper on it never moves.
TEST(StartEnergy, is_constant_only_for_a_start_that_symmetry_keeps) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, k = 50 N/m, b = 3 N*s/m
coordinate x1 = 0.1 m, x2 = -0.1 m
particle   P1 at No + x1*N.x, mass m
particle   P2 at No + x2*N.x, mass m
spring     S1 on x1, stiffness k, rest 0 m
spring     S2 on x2, stiffness k, rest 0 m
damper     D on x1 + x2, rate b
)");
  ExpectedIntegrals expected = nothing_but_E_Z(true);
  expected.extent = Extent::this_start;
  expect_integrals(m, expected);
}

// A pendulum in space that starts in a plane: the damper out of the plane never moves.
TEST(StartEnergy, is_constant_only_in_a_motion_that_stays_in_a_plane) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, g = 9.81 m/s^2, l = 1 m, b = 1 N*m*s
coordinate a = 40 deg, c = 0 deg
frame      A = rotate(N, z, a)
frame      B = rotate(A, x, c)
particle   P at No - l*B.y, mass m
gravity    -g*N.y
damper     D on c, rate b
output     K2_is = 1/2*m*l^2*(a'^2*cos(c)^2 + c'^2), U_is = -m*g*l*cos(a)*cos(c)
output     P_nonconservative_is = -b*c'^2
)");
  expect_energies(m);
  ExpectedIntegrals expected = nothing_but_E_Z(true);
  expected.extent = Extent::this_start;
  expect_integrals(m, expected);
}

// A bead on a circle with a drag that grows with the distance from the circle.
TEST(ConstraintEnergy, is_constant_where_the_constraint_makes_a_force_vanish) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, g = 9.81 m/s^2, l = 1 m, c = 3 N*s/m^3
coordinate x = 0.6 m, y = -0.8 m, x' = 1 m/s
particle   Q at No + x*N.x + y*N.y, mass m
gravity    -g*N.y
constraint circle: x^2 + y^2 = l^2
force      F on Q = -c*(x^2 + y^2 - l^2)*velocity(Q)
)");
  ExpectedIntegrals expected = everything(Says::here);
  expected.extent = Extent::on_constraints;
  expect_integrals(m, expected);
  EXPECT_NE(list_reasons(m.energy("E")).find("constraints"), std::string::npos);
}

// A drag that grows with the distance from another circle does not vanish.
TEST(ConstraintEnergy, is_not_constant_where_it_does_not) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, g = 9.81 m/s^2, l = 1 m, c = 3 N*s/m^3
coordinate x = 0.6 m, y = -0.8 m, x' = 1 m/s
particle   Q at No + x*N.x + y*N.y, mass m
gravity    -g*N.y
constraint circle: x^2 + y^2 = l^2
force      F on Q = -c*(x^2 + 2*y^2 - l^2)*velocity(Q)
)");
  expect_integrals(m, nothing_but_E_Z(true));
}

}  // namespace
}  // namespace visviva::validation
