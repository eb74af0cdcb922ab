// A bead on a hoop that turns at a given rate about its vertical diameter (Goldstein, Poole &
// Safko, Classical Mechanics, 3rd ed., ch. 2, exercise on the rotating hoop): th'' = sin th (w^2
// cos th - g/R), equilibrium cos th = g/(R w^2), small oscillation about it w sin th.
#include "../expect.h"
#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva::validation {
namespace {

const char* const bead_on_hoop = R"(
parameter  m = 1 kg, R = 1 m, w = 5 rad/s, g = 9.81 m/s^2
coordinate th = 30 deg
frame      A = rotate(N, y, w*t)
frame      B = rotate(A, z, th)
particle   P at No - R*B.y, mass m
gravity    -g*N.y
output     ddth = sin(th)*(w^2*cos(th) - g/R)
)";

TEST(BeadOnHoop, has_the_equation_of_the_textbooks) {
  expect_accelerations(Mechanism(bead_on_hoop), {{"th'", "ddth"}});
}

// The angle is given to its last digit; beside it the bead accelerates by 21.2 rad/s^2 a radian.
constexpr double rounding = 1e-14;

TEST(BeadOnHoop, rests_where_the_cosine_is_g_over_R_w_squared) {
  const Mechanism bead(bead_on_hoop, {.settings = {{"th", "1.1675569038050428"}}});
  for (const Equations& e : derive_by(bead))
    EXPECT_NEAR(StartSolution(e).rate_of_speed("th'"), 0, rounding);
}

TEST(BeadOnHoop, oscillates_about_its_rest_at_w_times_the_sine) {
  const Mechanism bead(bead_on_hoop, {.settings = {{"th", "1.1675569038050428"}}});
  for (const Equations& e : derive_by(bead)) {
    const StartSolution start(e);
    const double slope = start.value(differentiate(e.forcing[0], bead.coordinate("th").q));
    const double mass = start.value(e.mass_matrix[0][0]);
    EXPECT_NEAR(std::sqrt(-slope / mass), 4.598973363697597, rounding);
  }
}

}  // namespace
}  // namespace visviva::validation
