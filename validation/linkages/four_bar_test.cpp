// A four-bar linkage in relative angles, closed by a constraint (SymPy, test_jointsmethod.py,
// test_four_bar_linkage_with_manual_constraints): its accelerations satisfy the numbers given
// there.
#include "../expect.h"

namespace visviva::validation {
namespace {

TEST(FourBar, has_the_accelerations_that_the_numbers_of_sympy_imply) {
  const Mechanism linkage(R"(
parameter  l1 = 0.13 m, l2 = 0.24 m, l3 = 0.21 m, l4 = 0.34 m, rho = 997 kg/m
coordinate q1 = 2.1 rad, q2 = 0.6655470375077588 rad, q3 = 2.527408138024188 rad
start      q1' = 0.2 rad/s, q2' = -0.17963733938852067 rad/s, q3' = 0.1309060540601612 rad/s
frame      B2 = rotate(N, z, q1)
frame      B3 = rotate(B2, z, q2)
frame      B4 = rotate(B3, z, q3)
point      J1 = No + l1/2*N.x
point      J2 = J1 + l2*B2.x
point      J3 = J2 + l3*B3.x
body       B2 at J1 + l2/2*B2.x, mass rho*l2, rod length l2 along x
body       B3 at J2 + l3/2*B3.x, mass rho*l3, rod length l3 along x
body       B4 at J3 + l4/2*B4.x, mass rho*l4, rod length l4 along x
constraint loop: J3 + l4*B4.x - (No - l1/2*N.x) = 0
)");
  // One dynamical equation and the two constraints' second derivatives.
  const double mass[3][3] = {
      {3.452709815256506e+01, 7.003948798374735e+00, -4.939690970641498e+00},
      {-2.203792703880936e-14, 2.071702479957077e-01, 2.842917573033711e-01},
      {-1.300000000000123e-01, -8.836934896046506e-03, 1.864891330060847e-01}};
  const double forcing[3] = {-0.031211821321648, -0.00066022608181, 0.001813559741243};
  for (const Equations& e : derive_by(linkage)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    const StartSolution start(e);
    const double rates[3] = {start.rate_of_speed("q1'"), start.rate_of_speed("q2'"),
                             start.rate_of_speed("q3'")};
    // The source's own tolerance of an entry.
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(mass[i][0] * rates[0] + mass[i][1] * rates[1] + mass[i][2] * rates[2], forcing[i],
                  1e-10)
          << "row " << i;
  }
}

}  // namespace
}  // namespace visviva::validation
