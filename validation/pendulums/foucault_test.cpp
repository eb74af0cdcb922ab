// Foucault's pendulum (Landau & Lifshitz, Mechanics, §39, problem 3): small motions in the
// horizontal plane at latitude lat of an earth that turns at Om. With x east and y north,
//   x'' = -k x/m + 2 Om sin(lat) y' + Om^2 x,   y'' = -k y/m - 2 Om sin(lat) x' + Om^2 sin^2(lat)
//   y,
// where the last terms, usually neglected, come from w x (w x r). In axes that turn at -Om sin(lat)
// about the vertical the rates drop out: that is the precession.
#include "../expect.h"
#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva::validation {
namespace {

const char* const earth = R"(
parameter  m = 28 kg, k = 4.1 N/m, Om = 7.292e-5 rad/s, lat = 48.85 deg
coordinate x = 3 m, y = 0 m
frame      E = rotate(N, z, Om*t)          # z is the earth's axis
frame      S = rotate(E, z, 90 deg)
frame      L = rotate(S, x, 90 deg - lat)  # east, north, up
potential  V = 1/2*k*(x^2 + y^2)
output     coriolis = 2*m*Om*sin(lat)
)";

TEST(Foucault, has_the_equations_of_the_textbooks) {
  const Mechanism pendulum(std::string(earth) + R"(
particle   P at No + x*L.x + y*L.y, mass m
output     ddx = -k/m*x + 2*Om*sin(lat)*y' + Om^2*x
output     ddy = -k/m*y - 2*Om*sin(lat)*x' + Om^2*sin(lat)^2*y
)");
  expect_accelerations(pendulum, {{"x'", "ddx"}, {"y'", "ddy"}});
}

TEST(Foucault, precesses_at_the_earths_rate_times_the_sine_of_the_latitude) {
  const Mechanism fixed(std::string(earth) + "particle P at No + x*L.x + y*L.y, mass m\n");
  const Mechanism turning(std::string(earth) + R"(
frame      F = rotate(L, z, -Om*sin(lat)*t)
particle   P at No + x*F.x + y*F.y, mass m
)");
  const auto rates = [](const Mechanism& mechanism, const Equations& e) {
    return jacobian(e.forcing, {mechanism.speed("x'").u, mechanism.speed("y'").u});
  };
  for (const Equations& e : derive_by(fixed)) {
    const auto d = rates(fixed, e);
    EXPECT_TRUE(d[0][0].is_zero() && d[1][1].is_zero());
    EXPECT_TRUE(same(d[0][1], fixed("coriolis")));
    EXPECT_TRUE(same(d[1][0], -fixed("coriolis")));
  }
  for (const Equations& e : derive_by(turning)) {
    const auto d = rates(turning, e);
    EXPECT_TRUE(d[0][0].is_zero() && d[0][1].is_zero() && d[1][0].is_zero() && d[1][1].is_zero());
  }
}

}  // namespace
}  // namespace visviva::validation
