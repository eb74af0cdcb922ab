// A mass on a spring, damped and driven, each written in several ways.
//
// Sources: Landau & Lifshitz, Mechanics, §21, §22, §25; MEEN 617, Handout 4a (Rayleigh's
// dissipation); Mitiguy, chapter 34 34.6 for what counts as conservative.
#include "expect_energy.h"

namespace visviva::validation {
namespace {

std::string oscillator(const std::string& b, const std::string& forces) {
  return "parameter  m = 2 kg, k = 50 N/m, b = " + b + R"( N*s/m
coordinate x = 0.1 m
particle   Q at No + x*N.x, mass m
output     K2_is = 1/2*m*x'^2, U_is = 1/2*k*x^2, P_nonconservative_is = -b*x'^2
)" + forces;
}

const char* const three_ways[] = {
    "spring S on x, stiffness k, rest 0 m\ndamper D on x, rate b\n",
    "potential V = 1/2*k*x^2\ndissipation D = 1/2*b*x'^2\n",
    "force F on Q = (-k*x - b*x')*N.x\n",
};

TEST(DampedOscillatorEnergy, has_a_potential_energy_and_the_power_of_the_damper) {
  for (const char* forces : three_ways) {
    SCOPED_TRACE(forces);
    EnergyMechanism m(oscillator("3", forces));
    expect_energies(m);
    expect_integrals(m, nothing_but_E_Z(true));
    expect_momenta(m, {});
    EXPECT_EQ(m.integrals().potential_energy.scope, Scope::all_parameters);
  }
}

TEST(DampedOscillatorEnergy, without_damping_is_constant_for_that_value) {
  for (const char* forces : three_ways) {
    SCOPED_TRACE(forces);
    EnergyMechanism m(oscillator("0", forces));
    expect_energies(m);
    expect_integrals(m, everything(Says::here));
    EXPECT_EQ(m.integrals().potential_energy.scope, Scope::all_parameters);
  }
}

TEST(DampedOscillatorEnergy, written_as_one_force_is_conservative_in_part) {
  EnergyMechanism m(oscillator("3", three_ways[2]));
  EXPECT_EQ(m.load("F").role, LoadRole::both);
}

// P = F x' is work from outside.
TEST(DrivenOscillatorEnergy, by_a_force_of_time_has_its_power) {
  EnergyMechanism m(R"(
parameter  m = 2 kg, k = 50 N/m
specified  F(t)
coordinate x = 0.1 m
particle   Q at No + x*N.x, mass m
spring     S on x, stiffness k, rest 0 m
force      drive on Q = F*N.x
output     K2_is = 1/2*m*x'^2, U_is = 1/2*k*x^2, P_nonconservative_is = F*x'
)");
  expect_energies(m);
  expect_integrals(m, nothing_but_E_Z(true));
  EXPECT_EQ(m.load("drive").role, LoadRole::nonconservative);
}

// A support at a(t): U = W = k/2 (x - a)^2, which changes with time at fixed x by -k a' (x - a): the power of the spring's
// force on the support, with the other sign.
std::string supported(const std::string& force) {
  return R"(
parameter  m = 2 kg, k = 50 N/m
specified  a(t) = 0.1 m*sin(3 rad/s*t)
coordinate x = 0.1 m
particle   Q at No + x*N.x, mass m
output     K2_is = 1/2*m*x'^2
)" + force;
}

const char* const spring_terms =
    "output U_is = 1/2*k*(x - a)^2, P_nonconservative_is = -k*a'*(x - a)\n";

TEST(DrivenOscillatorEnergy, by_a_moving_support_has_a_potential_that_depends_on_time) {
  for (const char* force : {
           "point S = No + a*N.x\nspring elastic from S to Q, stiffness k, rest 0 m\n",
           "point S = No + a*N.x\nforce F on Q = -k*(x - a)*N.x\n",
           "potential V = 1/2*k*(x - a)^2\n",
       }) {
    SCOPED_TRACE(force);
    EnergyMechanism m(supported(std::string(force) + spring_terms));
    expect_energies(m);
    expect_integrals(m, nothing_but_E_Z(false));
    EXPECT_FALSE(m.integrals().potential_energy.exists);
  }
}

// Where nothing says that a is a position, it is a force k a from outside.
TEST(DrivenOscillatorEnergy, by_a_function_that_no_position_contains_has_the_power_of_a_force) {
  EnergyMechanism m(supported(R"(
force  F on Q = -k*(x - a)*N.x
output U_is = 1/2*k*x^2, P_nonconservative_is = k*a*x'
)"));
  expect_energies(m);
  expect_integrals(m, nothing_but_E_Z(true));
  EXPECT_EQ(m.load("F").role, LoadRole::both);
}

// A stiffness that changes (Landau & Lifshitz §27) works at fixed x: P_nonconservative = k' x^2/2.
TEST(DrivenOscillatorEnergy, by_a_changing_stiffness_has_half_its_rate_times_x_squared) {
  for (const char* k : {"specified k(t)", "specified k(t) = 50 N/m + 5 N/m*cos(3 rad/s*t)"}) {
    EnergyMechanism m(std::string(k) + R"(
parameter  m = 2 kg
coordinate x = 0.1 m
particle   Q at No + x*N.x, mass m
potential  V = 1/2*k*x^2
output     K2_is = 1/2*m*x'^2, U_is = 1/2*k*x^2, P_nonconservative_is = 1/2*k'*x^2
)");
    expect_energies(m);
    expect_integrals(m, nothing_but_E_Z(false));
  }
}

}  // namespace
}  // namespace visviva::validation
