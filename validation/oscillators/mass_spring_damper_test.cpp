// Masses on springs and dampers (SymPy, test_kane.py, test_one_dof and test_two_dof).
#include "../expect.h"

namespace visviva::validation {
namespace {

TEST(MassSpringDamper, one_mass_has_the_equation_that_sympy_expects) {
  const Mechanism mass(R"(
parameter  m = 2 kg, k = 30 N/m, c = 0.5 N*s/m
coordinate q = 0.1 m
speed      u = q'
particle   P at No + q*N.x, mass m
spring     S on q, stiffness k, rest 0 m
damper     D on q, rate c
output     du = -(k*q + c*u)/m
)");
  expect_accelerations(mass, {{"u", "du"}});
}

const char* const two_masses = R"(
parameter  m = 2 kg, k1 = 30 N/m, k2 = 20 N/m, c1 = 0.5 N*s/m, c2 = 0.3 N*s/m
coordinate q1 = 0.1 m, q2 = 0.2 m
speed      u1 = q1', u2 = q2'
particle   P1 at No + q1*N.x, mass m
particle   P2 at P1 + q2*N.x, mass m
output     du1 = (-k1*q1 - c1*u1 + k2*q2 + c2*u2)/m
output     du2 = (k1*q1 + c1*u1 - 2*k2*q2 - 2*c2*u2)/m
)";

TEST(MassSpringDamper, two_masses_in_relative_coordinates_have_the_equations_that_sympy_expects) {
  const Mechanism masses(std::string(two_masses) + R"(
spring     S1 on q1, stiffness k1, rest 0 m
damper     D1 on q1, rate c1
spring     S2 on q2, stiffness k2, rest 0 m
damper     D2 on q2, rate c2
)");
  expect_accelerations(masses, {{"u1", "du1"}, {"u2", "du2"}});
}

TEST(MassSpringDamper, forces_at_points_potentials_and_dissipation_give_the_same_equations) {
  const Mechanism forces(std::string(two_masses) + R"(
force      F1 on P1 = (-k1*q1 - c1*u1)*N.x
force      F2 on P2 from P1 = (-k2*q2 - c2*u2)*N.x
)");
  expect_accelerations(forces, {{"u1", "du1"}, {"u2", "du2"}});
  const Mechanism energies(std::string(two_masses) + R"(
potential   V = 1/2*k1*q1^2 + 1/2*k2*q2^2
dissipation D = 1/2*c1*q1'^2 + 1/2*c2*q2'^2
)");
  expect_accelerations(energies, {{"u1", "du1"}, {"u2", "du2"}});
}

}  // namespace
}  // namespace visviva::validation
