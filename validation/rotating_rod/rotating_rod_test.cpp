// The lecture lecture notes on generalized forces' rod with two particles, in a plane turned at a given rate
// (Kane & Levinson, Dynamics: Theory and Applications, fig. 2.6.1): accelerations at the start,
// computed independently, and the kinetic energy (ibid., problem 10.1, as in SymPy's tests).
#include "../expect.h"
#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva::validation {
namespace {

const char* const rotating_rod = R"(
parameter  omega = 2 rad/s, L = 0.7 m, m1 = 1.5 kg, m2 = 0.8 kg, g = 9.81 m/s^2
coordinate q1 = 0.2 m, q2 = 0.1 m, q3 = 25 deg
start      q1' = 0.4 m/s, q2' = -0.3 m/s, q3' = 1.1 rad/s
frame      B = rotate(N, y, omega*t)
frame      E = rotate(B, z, q3)
particle   P1 at No + q1*B.x + q2*B.y, mass m1
particle   P2 at P1 + L*E.x, mass m2
gravity    -g*N.y
output     kinetic_energy = 1/2*m1*dot(velocity(P1), velocity(P1)) +
                            1/2*m2*dot(velocity(P2), velocity(P2))
output     expected_energy = L^2*m2*(omega^2*cos(q3)^2 + q3'^2)/2 + L*m2*omega^2*q1*cos(q3) -
                             L*m2*sin(q3)*q1'*q3' + L*m2*cos(q3)*q2'*q3' +
                             (m1 + m2)*(omega^2*q1^2 + q1'^2 + q2'^2)/2
)";

// Rates along the rod and across it.
const char* const speeds_of_case_2 = R"(
speed      u1 = q1'*cos(q3) + q2'*sin(q3)
speed      u2 = q2'*cos(q3) - q1'*sin(q3)
speed      u3 = q3'
)";

const std::vector<std::string> both_cases = {rotating_rod,
                                             std::string(rotating_rod) + speeds_of_case_2};

TEST(RotatingRod, starts_with_the_accelerations_computed_independently) {
  for (const std::string& text : both_cases) {
    const Mechanism rod(text);
    for (const Equations& e : derive_by(rod)) {
      SCOPED_TRACE(std::string(method_name(e.method)));
      const StartSolution start(e);
      // Half of the last digit given.
      EXPECT_NEAR(start.second_rate(rod.coordinate("q1")), 1.7920217, 5e-8);
      EXPECT_NEAR(start.second_rate(rod.coordinate("q2")), -9.34741269, 5e-9);
      EXPECT_NEAR(start.second_rate(rod.coordinate("q3")), -1.53208889, 5e-9);
    }
  }
}

TEST(RotatingRod, has_the_kinetic_energy_of_kane_and_levinson_10_1) {
  for (const std::string& text : both_cases) {
    const Mechanism rod(text);
    EXPECT_TRUE(same(rod("kinetic_energy"), rod("expected_energy")));
  }
}

TEST(RotatingRod, has_the_second_derivatives_of_its_kinetic_energy_as_mass_matrix) {
  for (const std::string& text : both_cases) {
    const Mechanism rod(text);
    std::vector<Expr> u;
    for (const Speed& s : rod.motion().speeds()) u.push_back(s.u);
    const auto hessian = jacobian(gradient(rod("expected_energy"), u), u);
    for (const Equations& e : derive_by(rod))
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          EXPECT_TRUE(same(e.mass_matrix[i][j], hessian[i][j])) << i << ", " << j;
  }
}

}  // namespace
}  // namespace visviva::validation
