// Rolling and sliding without slip over time.
//
// Sources: SymPy, test_kane.py, test_rolling_disc (equations of the disc and the spin above which
// it rolls upright); Neimark & Fufaev, ch. II (Chaplygin's sleigh, here with the closed form of its
// equations); SymPy, test_lagrange.py (disc on an incline).
#include <fmt/format.h>

#include <array>
#include <numbers>

#include "running.h"

namespace visviva::validation {
namespace {

// ---- Rolling disc

constexpr double r = 0.3, g = 9.81;

const char* const disc = R"(
parameter  m = 2 kg, r = 0.3 m, g = 9.81 m/s^2
coordinate q1 = 20 deg, q2 = 15 deg, q3 = 40 deg
coordinate x = 0 m, y = 0 m
frame      Y = rotate(N, z, q1)
frame      L = rotate(Y, x, q2)
frame      R = rotate(L, y, q3)
speed      u1 = dot(angular_velocity(R), L.x)
speed      u2 = dot(angular_velocity(R), L.y)
speed      u3 = dot(angular_velocity(R), L.z)
start      u1 = 0.3 rad/s, u2 = 6 rad/s, u3 = -0.7 rad/s
dependent  x', y'
point      Contact = No + x*N.x + y*N.y
body       R at Contact + r*L.z, mass m, inertia m*r^2/4, m*r^2/2, m*r^2/4
roll       wheel: R on N at Contact
gravity    -g*N.z
)";

using State = std::array<double, 6>;  // q1 q2 q3 u1 u2 u3

State published_rates(const State& s) {
  const double q2 = s[1], u1 = s[3], u2 = s[4], u3 = s[5];
  return {u3 / std::cos(q2),
          u1,
          u2 - u3 * std::tan(q2),
          (6 * u2 * u3 * r - u3 * u3 * r * std::tan(q2) + 4 * g * std::sin(q2)) / (5 * r),
          -2 * u1 * u3 / 3,
          u1 * (-2 * u2 + u3 * std::tan(q2))};
}

// By the classical fourth-order method; steps of 1e-4 s leave 1e-12 over three seconds.
State integrate_published(State s, double until, int steps) {
  const double h = until / steps;
  const auto ahead = [&](const State& k, double by) {
    State moved = s;
    for (std::size_t i = 0; i < s.size(); ++i) moved[i] += by * k[i];
    return moved;
  };
  for (int n = 0; n < steps; ++n) {
    const State a = published_rates(s), b = published_rates(ahead(a, h / 2));
    const State c = published_rates(ahead(b, h / 2)), d = published_rates(ahead(c, h));
    for (std::size_t i = 0; i < s.size(); ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return s;
}

TEST(Trajectories, rolling_disc_follows_the_published_equations) {
  const double degree = std::numbers::pi / 180;
  const State end =
      integrate_published({20 * degree, 15 * degree, 40 * degree, 0.3, 6, -0.7}, 3, 30000);
  const Trajectory run = run_to(compile_text(disc), 3);
  expect_end(run,
             {{"q1", end[0]},
              {"q2", end[1]},
              {"q3", end[2]},
              {"u1", end[3]},
              {"u2", end[4]},
              {"u3", end[5]}},
             1e-11);
}

TEST(Trajectories, rolling_disc_keeps_its_energy) {
  const Trajectory run = run_to(compile_text(disc), 10);
  for (const char* const name : {"C", "H", "E", "E_Z"})
    EXPECT_LT(run.energies.at(name).max_deviation, 1e-10) << name;
  EXPECT_GT(run.energies.at("K").max_deviation, 0.1);
}

// Upright with a small u1 = e: q2'' = (12/5)(g/(3r) - u2^2) q2, hence q2 = e sin(k t)/k or e
// sinh(k t)/k. At most it leans by 7e-3 rad, whose square is what the linear equation leaves out.
TEST(Trajectories, rolling_disc_is_stable_above_the_spin_of_root_g_over_3r) {
  const double limit = std::sqrt(g / (3 * r)), e = 1e-7, until = 3;
  for (const double part : {0.5, 0.95, 1.05, 2.0}) {
    SCOPED_TRACE(part);
    const double spin = part * limit, k = std::sqrt(2.4 * std::abs(g / (3 * r) - spin * spin));
    const CompiledSystem system = compile_text(
        disc,
        {.settings = {{"q2", "0"}, {"u1", "1e-7"}, {"u2", fmt::format("{}", spin)}, {"u3", "0"}}});
    const double expected = e / k * (part > 1 ? std::sin(k * until) : std::sinh(k * until));
    EXPECT_NEAR(at_end(run_to(system, until), "q2"), expected, 1e-5 * std::abs(expected) + 1e-12);
  }
}

// ---- Chaplygin's sleigh

const char* const sleigh = R"(
parameter  m = 1 kg, I = 1 kg*m^2, a = 1 m
coordinate x = 0 m, y = 0 m, th = 0 deg
frame      A = rotate(N, z, th)
point      P = No + x*N.x + y*N.y
speed      v = dot(velocity(P), A.x), w = th', side = dot(velocity(P), A.y)
start      v = 1 m/s, w = 1 rad/s
body       A at P + a*A.x, mass m, inertia I, I, I
constraint blade: dot(velocity(P), A.y) = 0
)";

TEST(Trajectories, chaplygins_sleigh_is_where_its_equations_bring_it) {
  expect_end(run_to(compile_text(sleigh), 1),
             {{"v", 1.5752645644389054}, {"w", 0.5091863863179698}, {"th", 0.7446548358751749}},
             1e-12);
}

// The energy m v^2 + (I + m a^2) w^2 is constant, so that v' = a w^2 has the solution
// v = c tanh(n t + b), n = m a c/(I + m a^2), c^2 = v0^2 + (I + m a^2) w0^2/m.
TEST(Trajectories, chaplygins_sleigh_ends_up_going_straight_by_its_closed_form) {
  const double c = std::sqrt(3.0), n = c / 2, b = std::atanh(1 / c);
  const Trajectory run = run_to(compile_text(sleigh), 8);
  const double v = c * std::tanh(n * 8 + b), w = std::sqrt((3 - v * v) / 2);
  expect_end(run, {{"v", v}, {"w", w}, {"side", 0}}, 1e-11);
}

// ---- Disc on an incline: x = 1/3 g sin(alpha) t^2

TEST(Trajectories, disc_rolls_down_an_incline_with_two_thirds_of_the_sliding_acceleration) {
  const Trajectory run = run_to(compile_text(R"(
parameter  m = 2 kg, R = 0.3 m, g = 9.81 m/s^2, alpha = 20 deg
coordinate x = 0 m, th = 0 deg
frame      A = rotate(N, z, -alpha)
frame      D = rotate(A, z, -th)
body       D at No + x*A.x + R*A.y, mass m, disc radius R along z
roll       contact: D on N at Dcm - R*A.y
gravity    -g*N.y
)"),
                                5);
  const double a = 2.0 / 3 * g * std::sin(20 * std::numbers::pi / 180);
  expect_end(run, {{"x", a * 12.5}, {"x'", a * 5}, {"th", a * 12.5 / 0.3}, {"th'", a * 5 / 0.3}},
             1e-11);
}

}  // namespace
}  // namespace visviva::validation
