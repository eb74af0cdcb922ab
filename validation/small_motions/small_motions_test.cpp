// Small motions about equilibria and steady motions: state matrices and eigenvalues from outside.
#include "../expect.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/small_motion/equilibrium.h"
#include "visviva/equations/small_motion/linearize.h"

namespace visviva::validation {
namespace {

// SymPy, test_kane.py, test_one_dof: A = [[0, 1], [-k/m, -c/m]].
TEST(SmallMotions, of_a_mass_on_a_spring_and_damper_are_those_of_sympy) {
  const Mechanism mass(R"(
parameter  m = 2 kg, k = 30 N/m, c = 0.5 N*s/m
coordinate q = 0 m
speed      u = q'
particle   P at No + q*N.x, mass m
spring     S on q, stiffness k, rest 0 m
damper     D on q, rate c
)");
  for (const Equations& e : derive_by(mass)) {
    const Linearization linear = linearize(e, make_consistent_start(mass.motion()));
    ASSERT_EQ(linear.states, (std::vector<std::string>{"q", "u"}));
    EXPECT_NEAR(linear.A[0][0], 0, 1e-15);
    EXPECT_NEAR(linear.A[0][1], 1, 1e-15);
    EXPECT_NEAR(linear.A[1][0], -15, 1e-13);
    EXPECT_NEAR(linear.A[1][1], -0.25, 1e-15);
  }
}

// The bead on a hoop of radius 1 m that turns at 5 rad/s rests at cos th = g/(R w^2) and oscillates
// about that at w sin th.
TEST(SmallMotions, of_a_bead_on_a_turning_hoop_are_about_its_tilted_rest) {
  const Mechanism bead(R"(
parameter  m = 1 kg, R = 1 m, w = 5 rad/s, g = 9.81 m/s^2
coordinate th = 60 deg
frame      A = rotate(N, y, w*t)
frame      B = rotate(A, z, th)
particle   P at No - R*B.y, mass m
gravity    -g*N.y
)");
  for (const Equations& e : derive_by(bead)) {
    const Equilibrium rest = find_equilibrium(e, make_consistent_start(bead.motion()));
    ASSERT_TRUE(rest.is_found) << static_cast<int>(rest.reason.kind);
    EXPECT_NEAR(rest.state.coordinates.at(0), 1.1675569038050428, 1e-10);
    ASSERT_EQ(rest.linearization.eigenvalues.size(), 2u);
    for (const auto& eigenvalue : rest.linearization.eigenvalues) {
      EXPECT_NEAR(eigenvalue.real(), 0, 1e-8);
      EXPECT_NEAR(std::abs(eigenvalue.imag()), 4.598973363697597, 1e-8);
    }
  }
}

// A thin disc rolling upright at the spin u2 leans with u1'' = (4 g/(5 r) - 12/5 u2^2) u1: it falls
// below u2^2 = g/(3 r) and wobbles above (SymPy, test_kane.py, test_rolling_disc).
TEST(SmallMotions, of_an_upright_rolling_disc_grow_below_the_critical_spin_and_wobble_above) {
  const double r = 0.3, g = 9.81, critical = std::sqrt(g / (3 * r));
  for (const double u2 : {0.5 * critical, 2 * critical}) {
    const Mechanism disc(R"(
parameter  m = 2 kg, r = 0.3 m, g = 9.81 m/s^2
coordinate q1 = 0 deg, q2 = 0 deg, q3 = 0 deg
frame      Y = rotate(N, z, q1)
frame      L = rotate(Y, x, q2)
frame      R = rotate(L, y, q3)
speed      u1 = dot(angular_velocity(R), L.x)
speed      u2 = dot(angular_velocity(R), L.y)
speed      u3 = dot(angular_velocity(R), L.z)
start      u2 = 1 rad/s
coordinate x = 0 m, y = 0 m
dependent  x', y'
point      Contact = No + x*N.x + y*N.y
body       R at Contact + r*L.z, mass m, inertia m*r^2/4, m*r^2/2, m*r^2/4
roll       wheel: R on N at Contact
gravity    -g*N.z
)",
                         {.settings = {{"u2", std::to_string(u2)}}});
    const double spin = std::stod(std::to_string(u2));
    const double square = 4 * g / (5 * r) - 12 * spin * spin / 5;
    const Linearization linear =
        linearize(derive(disc.motion()), make_consistent_start(disc.motion()));
    ASSERT_FALSE(linear.eigenvalues.empty()) << static_cast<int>(linear.failure.kind);
    // The eigenvalues that are not zero are a pair whose square is known.
    int found = 0;
    for (const auto& eigenvalue : linear.eigenvalues) {
      if (std::abs(eigenvalue) < 1e-3 * std::sqrt(std::abs(square))) continue;
      EXPECT_NEAR((eigenvalue * eigenvalue).real(), square, 1e-9 * std::abs(square));
      EXPECT_NEAR((eigenvalue * eigenvalue).imag(), 0, 1e-9 * std::abs(square));
      ++found;
    }
    EXPECT_EQ(found, 2);
  }
}

}  // namespace
}  // namespace visviva::validation
