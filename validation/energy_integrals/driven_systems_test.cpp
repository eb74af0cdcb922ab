// One degree of freedom carried by a prescribed motion: a bead on a turned hoop, a particle in a
// turned tube, pendulums with a moving pivot and of changing length.
//
// Sources: Goldstein, Poole & Safko, Classical Mechanics, 1.6 (a bead on a turned wire), 2.7 (Jacobi's
// integral, which need not be the energy) and ch. 2, exercises 18 and 21 (hoop, carriage with a
// spring); Landau & Lifshitz, Mechanics, §5 and §30 (moving pivots), §49 (a length that changes);
// Greenwood, Advanced Dynamics, ch. 2 (T2 - T0 + V).
#include "expect_energy.h"

namespace visviva::validation {
namespace {

const ExpectedIntegrals only_H = {Says::no, Says::always, Says::nothing, Says::no, Says::nothing};

// ---- Bead on a hoop. With A turned about N.y at w, A.x in the hoop's plane:
//   v_R = a th' (cos(th) A.x + sin(th) A.y),   v_t = -w a sin(th) A.z
//   dv_t/dt = -w^2 a sin(th) A.x - (w' a sin(th) + w a cos(th) th') A.z
// so that sigma_R = -m a^2 w^2 sin(th) cos(th) th' and sigma = m a^2 w w' sin(th)^2.

std::string hoop(const std::string& rate) {
  return rate + R"(
parameter  m = 0.2 kg, a = 0.5 m, g = 9.81 m/s^2
coordinate th = 40 deg
frame      A = spin(N, w*N.y)
particle   Q at No + a*sin(th)*A.x - a*cos(th)*A.y, mass m
gravity    -g*N.y
output     K0_is = 1/2*m*a^2*w^2*sin(th)^2, K2_is = 1/2*m*a^2*th'^2, U_is = -m*g*a*cos(th)
output     sigma_R_is = -m*a^2*w^2*sin(th)*cos(th)*th'
)";
}

TEST(BeadOnHoopEnergy, at_constant_rate_the_generalized_hamiltonian_alone_is_constant) {
  EnergyMechanism m(hoop("parameter w = 6 rad/s"));
  expect_energies(m);
  expect_integrals(m, only_H);
  expect_momenta(m, {});
}

TEST(BeadOnHoopEnergy, at_a_rate_that_is_constant_by_its_value_it_is_constant_for_that_value) {
  EnergyMechanism m(hoop("specified w(t) = 6 rad/s\noutput sigma_is = m*a^2*w*w'*sin(th)^2"));
  expect_energies(m);
  expect_integrals(m, {Says::no, Says::here, Says::nothing, Says::no, Says::nothing});
}

TEST(BeadOnHoopEnergy, at_any_rate_nothing_is_constant) {
  for (const char* rate : {"specified w(t)", "specified w(t) = 0.3 rad/s^2*t"}) {
    EnergyMechanism m(hoop(std::string(rate) + "\noutput sigma_is = m*a^2*w*w'*sin(th)^2"));
    expect_energies(m);
    expect_integrals(m, nothing_but_E_Z(false));
  }
}

// The motor's torque is the rate of the angular momentum m a^2 sin(th)^2 w about the axis.
TEST(BeadOnHoopEnergy, the_motor_gives_the_power_that_changes_the_angular_momentum) {
  EnergyMechanism m(hoop("parameter w = 6 rad/s\noutput motor = 2*m*a^2*w^2*sin(th)*cos(th)*th'"));
  EXPECT_TRUE(same(m.integrals().motor_power, m("motor")));
}

// The hoop as a free body: nothing prescribed, phi ignorable.
TEST(BeadOnHoopEnergy, of_a_free_hoop_is_constant_and_so_is_its_angular_momentum) {
  EnergyMechanism m(R"(
parameter  m = 0.2 kg, M = 1 kg, a = 0.5 m, g = 9.81 m/s^2, J = 0.1 kg*m^2
coordinate phi = 0 deg, th = 40 deg
frame      A = rotate(N, y, phi)
body       A at No, mass M, inertia J, J, J
particle   Q at No + a*sin(th)*A.x - a*cos(th)*A.y, mass m
gravity    -g*N.y
output     K2_is = 1/2*(J + m*a^2*sin(th)^2)*phi'^2 + 1/2*m*a^2*th'^2, U_is = -m*g*a*cos(th)
output     p = (J + m*a^2*sin(th)^2)*phi'
)");
  expect_energies(m);
  expect_integrals(m, everything(Says::always));
  expect_momenta(m, {"p_phi", "angular_momentum(No).y"});
  expect_momentum(m, "p_phi", "p");
  expect_momentum(m, "angular_momentum(No).y", "p");
  EXPECT_EQ(m.integrals().potential_energy.scope, Scope::all_parameters);
}

// ---- Particle in a tube that turns in a horizontal plane: v_R = r' A.x, v_t = w r A.y,
// dv_t/dt = (w' r + w r') A.y - w^2 r A.x.

std::string tube(const std::string& rate) {
  return rate + R"(
parameter  m = 0.2 kg
coordinate r = 0.3 m
frame      A = spin(N, w*N.z)
particle   Q at No + r*A.x, mass m
output     K0_is = 1/2*m*w^2*r^2, K2_is = 1/2*m*r'^2, sigma_R_is = -m*w^2*r*r'
)";
}

TEST(TubeEnergy, at_constant_rate_jacobis_integral_is_constant_and_is_not_the_energy) {
  EnergyMechanism m(tube("parameter w = 2 rad/s"));
  expect_energies(m);
  expect_integrals(m, only_H);
  expect_momenta(m, {});
}

TEST(TubeEnergy, that_turns_faster_and_faster_is_not_constant) {
  EnergyMechanism m(tube("specified w(t) = 0.7 rad/s^2*t\noutput sigma_is = m*w*w'*r^2"));
  expect_energies(m);
  expect_integrals(m, nothing_but_E_Z(false));
}

TEST(TubeEnergy, with_a_spring_keeps_jacobis_integral) {
  EnergyMechanism m(tube("parameter w = 2 rad/s") + R"(
parameter  k = 20 N/m, l0 = 0.25 m
spring     S on r, stiffness k, rest l0
output     U_is = 1/2*k*(r - l0)^2
)");
  expect_energies(m);
  expect_integrals(m, only_H);
}

// Between points instead of on the coordinate: |r| is the length, and r enters squared.
TEST(TubeEnergy, with_a_spring_between_points_keeps_jacobis_integral) {
  EnergyMechanism m(tube("parameter w = 2 rad/s") + R"(
parameter  k = 20 N/m
spring     S from No to Q, stiffness k, rest 0 m
output     U_is = 1/2*k*r^2
)");
  expect_energies(m);
  expect_integrals(m, only_H);
}

// ---- Pendulum whose pivot moves: with th from straight down, v_R = l th' A.x, v_t the pivot's
// velocity, K1 = m v_t · v_R, sigma_R = m l th' A.x · dv_t/dt.

std::string pivot(const std::string& motion) {
  return R"(
parameter  m = 1 kg, l = 0.3 m, g = 9.81 m/s^2
coordinate th = 20 deg
frame      A = rotate(N, z, th)
particle   P at Pivot - l*A.y, mass m
gravity    -g*N.y
output     K2_is = 1/2*m*l^2*th'^2, U_is = -m*g*l*cos(th)
)" + motion;
}

const char* const up_and_down = R"(
point      Pivot = No + y*N.y
output     K0_is = 1/2*m*y'^2, K1_is = m*l*y'*sin(th)*th'
output     sigma_R_is = m*l*y''*sin(th)*th', sigma_is = m*l*y''*sin(th)*th' + m*y'*y''
)";

TEST(KapitzaEnergy, with_a_pivot_that_vibrates_nothing_is_constant_and_u_has_no_term_of_time) {
  for (const char* y : {"specified y(t)", "specified y(t) = 0.02 m*cos(200 rad/s*t)"}) {
    EnergyMechanism m(pivot(std::string(y) + up_and_down));
    expect_energies(m);
    expect_integrals(m, nothing_but_E_Z(false));
    expect_momenta(m, {});
  }
}

// At constant speed the pivot's frame is inertial: there the energy K2 + U is constant, and K0 is
// constant too. C is not: in N the pivot's force has the power K1' - m g · v_t, which is also why
// there is no potential energy.
TEST(KapitzaEnergy, with_a_pivot_at_constant_speed_the_energy_seen_from_it_is_constant) {
  EnergyMechanism m(pivot(std::string("specified y(t) = 2 m/s*t") + up_and_down));
  expect_energies(m);
  expect_integrals(m, {Says::here, Says::here, Says::nothing, Says::no, Says::nothing});
}

TEST(KapitzaEnergy, with_a_pivot_at_constant_speed_sideways_likewise) {
  EnergyMechanism m(pivot(R"(
parameter  v = 2 m/s
point      Pivot = No + v*t*N.x
output     K0_is = 1/2*m*v^2, K1_is = m*l*v*cos(th)*th'
)"));
  expect_energies(m);
  expect_integrals(m, {Says::always, Says::always, Says::nothing, Says::no, Says::nothing});
}

// Landau & Lifshitz §5, problem 3a: a pivot on a circle, v_t = a w (-sin(w t), cos(w t)).
TEST(KapitzaEnergy, with_a_pivot_on_a_circle_is_not_constant) {
  EnergyMechanism m(pivot(R"(
parameter  a = 0.1 m, w = 3 rad/s
point      Pivot = No + a*cos(w*t)*N.x + a*sin(w*t)*N.y
output     K0_is = 1/2*m*a^2*w^2, K1_is = m*l*a*w*sin(th - w*t)*th'
output     sigma_R_is = -m*l*a*w^2*cos(th - w*t)*th', sigma_is = -m*l*a*w^2*cos(th - w*t)*th'
)"));
  expect_energies(m);
  expect_integrals(m, nothing_but_E_Z(false));
}

// ---- Pendulum of length l(t): v_R = l th' A.x, v_t = -l' A.y, dv_t/dt = l' th' A.x - l'' A.y. The
// weight's U depends on time: U_t = -m g l' cos(th).
TEST(PulledPendulumEnergy, has_the_power_of_pulling_as_what_is_not_conservative) {
  for (const char* l : {"specified l(t)", "specified l(t) = 1 m + 0.1 m/s*t"}) {
    EnergyMechanism m(std::string(l) + R"(
parameter  m = 1 kg, g = 9.81 m/s^2
coordinate th = 20 deg
frame      A = rotate(N, z, th)
particle   P at No - l*A.y, mass m
gravity    -g*N.y
output     K0_is = 1/2*m*l'^2, K2_is = 1/2*m*l^2*th'^2, U_is = -m*g*l*cos(th)
output     sigma_R_is = m*l*l'*th'^2, sigma_is = m*l*l'*th'^2 + m*l'*l''
output     P_nonconservative_is = -m*g*l'*cos(th)
)");
    expect_energies(m);
    expect_integrals(m, nothing_but_E_Z(false));
    expect_momenta(m, {});
  }
}

}  // namespace
}  // namespace visviva::validation
