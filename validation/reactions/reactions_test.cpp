// Reactions known from textbooks: the pull of a pendulum's rod, the force of a hoop on its bead and
// the motor that turns it, friction and normal force under a rolling disc.
#include "visviva/equations/reactions/reactions.h"
#include "visviva/equations/methods/derive.h"

#include <array>

#include "../expect.h"

namespace visviva::validation {
namespace {

constexpr double g = 9.81;
constexpr double rounding = 1e-12;  // of forces of some tens of newtons

Reactions solve_reactions(const Equations& equations) {
  const StartState state = make_state(equations.motion, make_consistent_start(equations.motion));
  const SolvedMotion solved = MotionSolver(equations)(state);
  return ReactionSolver(equations)(state, solved);
}

Reaction find_reaction(const Reactions& all, const std::string& name) {
  for (const Reaction& r : all.reactions)
    if (r.name == name) return r;
  throw std::runtime_error("no reaction " + name);
}

void expect_near(const std::array<double, 3>& found, const std::array<double, 3>& expected) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], rounding) << "xyz"[i];
}

// m g cos q + m l u^2, along the rod.
TEST(Reactions, a_pendulums_rod_pulls_with_weight_and_centripetal_force) {
  const Mechanism pendulum(R"(
parameter  m = 2 kg, l = 0.7 m, g = 9.81 m/s^2
coordinate q = 0.4 rad, q' = 1.3 rad/s
frame      A = rotate(N, z, q)
point      H = No
particle   P at H + l*A.x, mass m
gravity    g*N.x
)");
  const double pull = 2 * (g * std::cos(0.4) + 0.7 * 1.3 * 1.3);
  const Reaction r = find_reaction(solve_reactions(derive(pendulum.motion())), "H");
  expect_near(r.wrench.force, {-pull * std::cos(0.4), -pull * std::sin(0.4), 0});
  expect_near(r.wrench.moment, {0, 0, 0});
}

// The same force through a multiplier.
TEST(Reactions, a_rod_as_a_constraint_pulls_alike) {
  const Mechanism pendulum(R"(
parameter  m = 2 kg, l = 0.7 m, g = 9.81 m/s^2, q = 0.4
coordinate x = l*cos(q), y = l*sin(q)
start      x' = -1.3 rad/s*l*sin(q), y' = 1.3 rad/s*l*cos(q)
particle   P at No + x*N.x + y*N.y, mass m
gravity    g*N.x
constraint rod: dot(P - No, P - No) = l^2
)");
  const double pull = 2 * (g * std::cos(0.4) + 0.7 * 1.3 * 1.3);
  for (const Equations& e : derive_by(pendulum)) {
    const Reaction r = find_reaction(solve_reactions(e), "rod");
    expect_near(r.wrench.force, {-pull * std::cos(0.4), -pull * std::sin(0.4), 0});
  }
}

// Let go horizontally, both bobs fall freely (accelerations -g, 0): no rod pulls.
TEST(Reactions, a_double_pendulum_let_go_horizontally_hangs_on_nothing) {
  const Mechanism pendulum(R"(
parameter  m = 1 kg, l = 1 m, g = 9.81 m/s^2
coordinate q1 = 90 deg, q2 = 90 deg
frame      A = rotate(N, z, q1)
frame      B = rotate(N, z, q2)
point      H = No
particle   P at H + l*A.x, mass m
particle   Q at P + l*B.x, mass m
gravity    g*N.x
)");
  const Reactions all = solve_reactions(derive(pendulum.motion()));
  expect_near(find_reaction(all, "H").wrench.force, {0, 0, 0});
}

// With w the rate of the hoop, in hoop axes (x outward, y up, z across) and e_r = (sin th, -cos
// th),
//   force on the bead = -m (R th'^2 + w^2 R sin^2 th + g cos th) e_r - 2 m w R cos(th) th' z,
//   torque of the motor = 2 m w R^2 sin th cos th th'.
TEST(Reactions, a_hoop_presses_on_its_bead_and_needs_a_motor) {
  const Mechanism bead(R"(
parameter  m = 1.5 kg, R = 0.8 m, g = 9.81 m/s^2
specified  w(t) = 5 rad/s
coordinate th = 0.6 rad, th' = 1.1 rad/s
frame      A = spin(N, w*N.y)
frame      B = rotate(A, z, th)
point      H = No
particle   P at H - R*B.y, mass m
gravity    -g*N.y
)");
  const double s = std::sin(0.6), c = std::cos(0.6), m = 1.5, R = 0.8, w = 5, rate = 1.1;
  const double inward = m * (R * rate * rate + w * w * R * s * s + g * c);
  const double across = -2 * m * w * R * c * rate, torque = 2 * m * w * R * R * s * c * rate;
  const Reactions all = solve_reactions(derive(bead.motion()));
  const Reaction r = find_reaction(all, "H");
  expect_near(r.wrench.force, {-inward * s, inward * c, across});
  EXPECT_NEAR(r.wrench.moment[1], torque, rounding);
  ASSERT_EQ(all.motors.size(), 1u);
  EXPECT_NEAR(all.motors[0].force, torque, rounding);
  EXPECT_NEAR(all.motors[0].power, torque * w, 5 * rounding);
}

// Friction m g sin(alpha)/3 up the incline, normal force m g cos(alpha).
TEST(Reactions, a_disc_rolling_down_an_incline_needs_a_third_of_the_driving_force_as_friction) {
  const Mechanism disc(R"(
parameter  m = 2 kg, R = 0.3 m, g = 9.81 m/s^2, alpha = 0.35
coordinate x = 0 m, y = R, th = 0 rad
frame      A = rotate(N, z, -alpha)     # x down the incline
frame      D = rotate(A, z, -th)
body       D at No + x*A.x + y*A.y, mass m, disc radius R along z
roll       contact: D on N at Dcm - R*A.y
gravity    -g*N.y
)");
  const double s = std::sin(0.35), c = std::cos(0.35);
  const double friction = 2 * g * s / 3, normal = 2 * g * c;
  for (const Equations& e : derive_by(disc)) {
    const Reaction r = find_reaction(solve_reactions(e), "contact");
    EXPECT_NEAR(r.wrench.force[0], -friction * c + normal * s, rounding);
    EXPECT_NEAR(r.wrench.force[1], friction * s + normal * c, rounding);
  }
}

}  // namespace
}  // namespace visviva::validation
