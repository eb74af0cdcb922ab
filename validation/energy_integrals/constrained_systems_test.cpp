// Rolling, sliding and closed linkages: constraints that do no work, and constraints that move.
//
// Sources: Kane & Levinson, Dynamics: Theory and Applications, ch. 7 (integrals of
// the equations of motion); Neimark & Fufaev, Dynamics of Nonholonomic Systems, ch. II; Pars, A
// Treatise on Analytical Dynamics, and Weltner, American Journal of Physics 47 (1979) 984, for the
// sphere on a turntable.
#include "expect_energy.h"

namespace visviva::validation {
namespace {

// ---- Rolling disc: rates of the disc along its lean frame; moments m r^2 (5/4, 3/2, 1/4) about the
// contact (SymPy, test_kane.py).
TEST(RollingDiscEnergy, is_constant) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, r = 0.3 m, g = 9.81 m/s^2
coordinate q1 = 20 deg, q2 = 15 deg, q3 = 40 deg
coordinate x = 0 m, y = 0 m
frame      Y = rotate(N, z, q1)
frame      L = rotate(Y, x, q2)
frame      R = rotate(L, y, q3)
speed      u1 = dot(angular_velocity(R), L.x)
speed      u2 = dot(angular_velocity(R), L.y)
speed      u3 = dot(angular_velocity(R), L.z)
start      u1 = 0.3 rad/s, u2 = 2 rad/s, u3 = -0.7 rad/s
dependent  x', y'
point      Contact = No + x*N.x + y*N.y
body       R at Contact + r*L.z, mass m, inertia m*r^2/4, m*r^2/2, m*r^2/4
roll       wheel: R on N at Contact
gravity    -g*N.z
output     K2_is = 1/2*m*r^2*(5/4*u1^2 + 3/2*u2^2 + 1/4*u3^2), U_is = m*g*r*cos(q2)
)");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {});
}

TEST(ChaplyginSleighEnergy, is_constant) {
  EnergyMechanism m(R"(
parameter  m = 1 kg, I = 1 kg*m^2, a = 1 m
coordinate x = 0 m, y = 0 m, th = 0 deg
frame      A = rotate(N, z, th)
point      P = No + x*N.x + y*N.y
body       A at P + a*A.x, mass m, inertia I, I, I
constraint blade: dot(velocity(P), A.y) = 0
speed      v = dot(velocity(P), A.x), w = th', side = dot(velocity(P), A.y)
start      v = 1 m/s, w = 1 rad/s
output     K2_is = 1/2*m*v^2 + 1/2*(I + m*a^2)*w^2
)");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {});
}

// ---- Sphere (radius r, moment I) on a table that turns at W about N.z. Rolling gives, with the
// center's velocity v = (X', Y', 0),
//   w_R = (-Y'/r, X'/r, wz),   w_t = (W X/r, W Y/r, 0)
// hence K0 = I W^2 (X^2 + Y^2)/(2 r^2), K1 = I W (Y X' - X Y')/r^2 and, since I is the same about
// every axis, sigma_R = I w_R · w_t' and sigma = I w · w_t':
//   sigma_R = I W' (Y X' - X Y')/r^2
//   sigma = sigma_R + I W W' (X^2 + Y^2)/r^2 + I W^2 (X X' + Y Y')/r^2
// and J W W' of the table. For constant W the center circles, v' = c W N.z x v with
// c = I/(I + m r^2), 2/7 for a solid sphere (Pars; Weltner): |v| and wz are constant, hence E; K0
// and K1 are not, nor H, nor C. The friction f has m v' = f and I w' = -r N.z x f, so that at any
// rate of the table
//   (m + I/r^2) X' + I W Y/r^2,   (m + I/r^2) Y' - I W X/r^2,   I wz
// are constant: the first two fix the circle's center, and r times them are the angular momenta
// about No along N.y and -N.x.
std::string turntable(const std::string& rate) {
  return rate + R"(
parameter  m = 1 kg, M = 5 kg, J = 2 kg*m^2, r = 0.1 m
let        I = 2/5*m*r^2
coordinate X = 0.3 m, Y = 0 m, X' = 0.2 m/s
speed      wx, wy, wz
frame      T = spin(N, W*N.z)
frame      B = spin(N, wx*N.x + wy*N.y + wz*N.z)
body       T at No, mass M, inertia J, J, J
body       B at No + X*N.x + Y*N.y + r*N.z, mass m, sphere radius r
roll       B on T at Bcm - r*N.z
dependent  wx, wy
output     K0_is = 1/2*J*W^2 + 1/2*I*W^2*(X^2 + Y^2)/r^2, K1_is = I*W*(Y*X' - X*Y')/r^2
output     K2_is = 1/2*(m + I/r^2)*(X'^2 + Y'^2) + 1/2*I*wz^2
output     px = (m + I/r^2)*X' + I*W*Y/r^2, py = (m + I/r^2)*Y' - I*W*X/r^2, spin = I*wz
output     Lx = I*wx - m*r*Y', Ly = I*wy + m*r*X'
)";
}

void expect_table_momenta(EnergyMechanism& m) {
  expect_momenta(m, {"p_X_R", "p_Y_R", "p_wz", "angular_momentum(No).x", "angular_momentum(No).y"});
  expect_momentum(m, "p_X_R", "px");
  expect_momentum(m, "p_Y_R", "py");
  expect_momentum(m, "p_wz", "spin");
  expect_momentum(m, "angular_momentum(No).x", "Lx");
  expect_momentum(m, "angular_momentum(No).y", "Ly");
}

TEST(TurntableEnergy, of_a_sphere_is_constant_as_generalized_energy_alone) {
  EnergyMechanism m(turntable("parameter W = 2 rad/s") +
                    "output sigma_is = I*W^2*(X*X' + Y*Y')/r^2\n");
  expect_energies(m);
  expect_integrals(m, {Says::always, Says::no, Says::nothing, Says::no, Says::nothing});
  expect_table_momenta(m);
}

TEST(TurntableEnergy, at_a_changing_rate_is_not_constant) {
  EnergyMechanism m(turntable("specified W(t)") + R"(
output sigma_R_is = I*W'*(Y*X' - X*Y')/r^2
output sigma_is = I*W'*(Y*X' - X*Y')/r^2 + I*W*W'*(X^2 + Y^2)/r^2 + I*W^2*(X*X' + Y*Y')/r^2 + J*W*W'
)");
  expect_energies(m);
  expect_integrals(m, nothing_but_E_Z(false));
  expect_table_momenta(m);
}

// ---- Four bars: a, b, c from No around to D, absolute angles. Equal components along b give
// q3' = a sin(q1 - q2)/(c sin(q3 - q2)) q1'.
const char* const bars = R"(
parameter  a = 0.3 m, b = 0.8 m, c = 0.6 m, d = 0.9 m, m1 = 1 kg, m2 = 2 kg, g = 9.81 m/s^2
frame      A = rotate(N, z, q1)
frame      B = rotate(N, z, q2)
frame      C = rotate(N, z, q3)
point      D = No + d*N.x
particle   P1 at No + a*A.x, mass m1
particle   P2 at D + c*C.x, mass m2
constraint loop: P1 + b*B.x - P2 = 0
gravity    -g*N.y
)";

TEST(FourBarEnergy, of_a_free_linkage_is_constant) {
  EnergyMechanism m(std::string(bars) + R"(
coordinate q1 = 60 deg, q2 = 20 deg, q3 = 100 deg
dependent  q2', q3'
output     K2_is = 1/2*(m1 + m2*(sin(q1 - q2)/sin(q3 - q2))^2)*a^2*q1'^2
output     U_is = m1*g*a*sin(q1) + m2*g*c*sin(q3)
)");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
}

// Nothing is left to move freely: K2 = 0, K = K0, and Z' = -U'. The weight of P1 has a potential of
// time alone, which is left out; that of P2 changes as the constraints carry q3.
TEST(FourBarEnergy, of_a_driven_linkage_leaves_e_z_alone) {
  EnergyMechanism m(std::string(bars) + R"(
specified  q1(t) = 60 deg + 1 rad/s*t
coordinate q2 = 20 deg, q3 = 100 deg
output     K0_is = 1/2*(m1 + m2*(sin(q1 - q2)/sin(q3 - q2))^2)*a^2*q1'^2
output     U_is = m2*g*c*sin(q3), dU = m2*g*a*sin(q1 - q2)/sin(q3 - q2)*cos(q3)*q1'
)");
  const Energies& e = m.energies();
  EXPECT_TRUE(e.embedded.independent.empty());
  EXPECT_TRUE(same(e.K, m("K0_is")));
  EXPECT_TRUE(same(e.K0, m("K0_is")));
  EXPECT_TRUE(same(e.U, m("U_is")));
  EXPECT_TRUE(same(e.P_nonconservative, m("dU")));
  EXPECT_TRUE(e.K2.is_zero() && e.sigma_R.is_zero() && e.P.is_zero());
  expect_integrals(m, nothing_but_E_Z(false));
  expect_momenta(m, {});
}

// ---- Potentials that exist only because of constraints

// A disc that rolls along N.x, pulled by a force that depends on its angle: on x alone -k r th is not
// integrable, along x' = r th' it is, to k r^2 th^2/2.
TEST(RollingForceEnergy, has_a_potential_where_rolling_ties_place_to_angle) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, r = 0.3 m, k = 50 N/m
coordinate th = 0.4 rad, x = 0 m
frame      D = rotate(N, z, -th)
body       D at No + x*N.x + r*N.y, mass m, disc radius r along z
roll       D on N at Dcm - r*N.y
dependent  x'
force      F on Dcm = -k*r*th*N.x
output     K2_is = 3/4*m*r^2*th'^2, U_is = 1/2*k*r^2*th^2
)");
  expect_energies(m);
  expect_integrals(m, everything_but_a_potential_energy());  // th + 2 pi is another U
  EXPECT_TRUE(m.load("F").needs_constraints);
}

// On the sleigh a constant force has the potential -f x, and one along the blade has none.
TEST(ChaplyginSleighEnergy, of_a_force_depends_on_whether_it_turns_with_the_sleigh) {
  const std::string sleigh = R"(
parameter  m = 1 kg, I = 1 kg*m^2, a = 1 m, f = 2 N
coordinate x = 0 m, y = 0 m, th = 0 deg
frame      A = rotate(N, z, th)
point      P = No + x*N.x + y*N.y
body       A at P + a*A.x, mass m, inertia I, I, I
constraint blade: dot(velocity(P), A.y) = 0
speed      v = dot(velocity(P), A.x), w = th', side = dot(velocity(P), A.y)
start      v = 1 m/s, w = 1 rad/s
output     K2_is = 1/2*m*v^2 + 1/2*(I + m*a^2)*w^2
)";
  EnergyMechanism constant(sleigh + "force F on A at P = f*N.x\noutput U_is = -f*x\n");
  expect_energies(constant);
  expect_integrals(constant, everything(Says::always));
  EnergyMechanism follower(sleigh +
                           "force F on A at P = f*A.x\noutput P_nonconservative_is = f*v\n");
  expect_energies(follower);
  expect_integrals(follower, nothing_but_E_Z(true));
}

}  // namespace
}  // namespace visviva::validation
