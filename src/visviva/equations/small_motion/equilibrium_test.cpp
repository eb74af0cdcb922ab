// Equilibria against statics by hand, and what is said about their stability.
#include "visviva/equations/small_motion/equilibrium.h"
#include "visviva/equations/methods/derive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/equations/small_motion/earth_test.h"

namespace visviva {
namespace {

using namespace units;

constexpr double settled = 1e-9;  // of a coordinate; residuals are below 1e-10

Equilibrium find(const Model& model) {
  const Kinematics motion = analyze_motion(model);
  return find_equilibrium(derive(motion), make_consistent_start(motion));
}

Model make_resting_pendulum(double start, bool is_damped) {
  Model model("pendulum");
  const Quantity q = model.coordinate("theta", {.start = start * rad, .start_rate = 1 * rad / s});
  const Frame N = model.newtonian(), B = model.frame("B", rotate(N, Axis::z, q));
  model.particle("Q", {.at = N.origin() - 0.5 * m * B.y(), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  if (is_damped) model.damper("D", {.on = q, .rate = 0.1 * units::N * m * s});
  return model;
}

TEST(Equilibrium, a_pendulum_hangs_or_stands) {
  const Equilibrium below = find(make_resting_pendulum(0.5, false));
  ASSERT_TRUE(below.is_found) << static_cast<int>(below.reason.kind);
  EXPECT_NEAR(below.state.coordinates[0], 0, settled);
  EXPECT_EQ(below.state.speeds[0], 0);
  EXPECT_EQ(below.stability, Stability::stable) << static_cast<int>(below.stability_reason.kind);
  EXPECT_LE(below.residual, equilibrium_tolerance);
  EXPECT_TRUE(below.free_coordinates.empty());

  const Equilibrium above = find(make_resting_pendulum(3, false));
  ASSERT_TRUE(above.is_found);
  EXPECT_NEAR(above.state.coordinates[0], M_PI, settled);
  EXPECT_EQ(above.stability, Stability::unstable);

  EXPECT_EQ(find(make_resting_pendulum(0.5, true)).stability, Stability::asymptotically_stable);
}

// Where the slope of the force vanishes, no step leads on.
TEST(Equilibrium, a_start_without_slope_is_left) {
  const Equilibrium found = find(make_resting_pendulum(M_PI / 2, false));
  ASSERT_TRUE(found.is_found) << static_cast<int>(found.reason.kind);
  EXPECT_NEAR(std::sin(found.state.coordinates[0]), 0, settled);
}

// cos q = g/(R w^2): the number, and the frequency, computed independently.
TEST(Equilibrium, a_bead_on_a_turning_hoop_rests_relative_to_it) {
  for (const bool with_speed : {false, true}) {
    Model model("hoop");
    const Frame N = model.newtonian();
    // From here Newton's method alone would go down to the unstable equilibrium at 0.
    const Quantity q = model.coordinate("theta", {.start = 0.5 * rad});
    const Quantity omega = model.parameter("omega", 5 * rad / s);
    const Frame H = model.frame("H", rotate(N, Axis::y, omega * model.time()));
    model.particle("Q",
                   {.at = N.origin() + 1 * m * (sin(q) * H.x() - cos(q) * H.y()), .mass = 2 * kg});
    model.gravity(-earth() * N.y());
    // A speed that is not zero at rest: u = theta' + 2 sin theta.
    if (with_speed) model.speed("u", model.rate(q) + 2 * rad / s * sin(q));
    const Equilibrium found = find(model);
    ASSERT_TRUE(found.is_found) << static_cast<int>(found.reason.kind);
    EXPECT_NEAR(found.state.coordinates[0], 1.1675569038050428, settled);
    EXPECT_NEAR(found.state.speeds[0], with_speed ? 2 * std::sin(1.1675569038050428) : 0, settled);
    ASSERT_EQ(found.linearization.modes.size(), 1u);
    EXPECT_NEAR(found.linearization.modes[0].frequency, 4.598973363697597, 1e-8);
    EXPECT_NEAR(found.linearization.modes[0].damping_ratio, 0, 1e-8);
    EXPECT_EQ(found.stability, Stability::stable) << static_cast<int>(found.stability_reason.kind);
    EXPECT_TRUE(found.linearization.is_steady);
  }
}

// k1 (x - l1) = k2 (d - x - l2) + m g along x.
TEST(Equilibrium, a_weight_between_two_springs_finds_its_place) {
  Model model("two_springs");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.3 * m});
  const Point end = model.point("end", N.origin() + 2 * m * N.x());
  const Point P = model.particle("P", {.at = N.origin() + x * N.x(), .mass = 2 * kg});
  model.spring("S1",
               {.from = N.origin(), .to = P, .stiffness = 300 * units::N / m, .rest = 0.6 * m});
  model.spring("S2", {.from = P, .to = end, .stiffness = 200 * units::N / m, .rest = 0.7 * m});
  model.gravity(earth() * N.x());
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found);
  EXPECT_NEAR(found.state.coordinates[0], (300 * 0.6 + 200 * (2 - 0.7) + 2 * g_value) / 500,
              settled);
  EXPECT_EQ(found.stability, Stability::stable);
}

// ---- Constraints and unknown forces

// x^2 + y^2 = L^2 with its multiplier: 2 y λ = m g at y = -L.
TEST(Equilibrium, a_rod_carries_the_weight) {
  Model model("rod");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.3 * m}),
                 y = model.coordinate("y", {.start = -0.4 * m});
  model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  model.constraint("rod", x * x + y * y - 0.25 * m * m);
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found) << static_cast<int>(found.reason.kind);
  EXPECT_NEAR(found.state.coordinates[0], 0, settled);
  EXPECT_NEAR(found.state.coordinates[1], -0.5, settled);
  EXPECT_NEAR(found.multipliers[0], -2 * g_value / (2 * 0.5), 1e-8);
  EXPECT_EQ(found.stability, Stability::stable) << static_cast<int>(found.stability_reason.kind);
}

// A ladder between a floor and a wall without friction, 4 m, at 60 degrees, its foot held by a rope
// of unknown force: the floor carries the weight, rope and wall the moment, F L sin a = m g (L/2)
// cos a. Any angle will do, so it stays.
TEST(Equilibrium, a_ladder_stands_on_its_weight_and_stays_where_it_is) {
  Model model("ladder");
  const Frame N = model.newtonian();
  const double a = M_PI / 3;
  const Quantity x = model.coordinate("x", {.start = 2 * std::cos(a) * m}),
                 y = model.coordinate("y", {.start = 2 * std::sin(a) * m}),
                 q = model.coordinate("q", {.start = (M_PI - a) * rad});
  const Quantity F = model.unknown("F");
  const Frame B = model.frame("B", rotate(N, Axis::z, q));
  const Point C = model.body(
      B, {.at = N.origin() + x * N.x() + y * N.y(), .mass = 20 * kg, .solid = rod(4 * m, Axis::x)});
  const Point foot = model.point("foot", C - 2 * m * B.x()),
              top = model.point("top", C + 2 * m * B.x());
  model.gravity(-earth() * N.y());
  model.force("rope", {.on = foot, .value = -F * N.x()});
  model.constraint("floor", dot(foot - N.origin(), N.y()));
  model.constraint("wall", dot(top - N.origin(), N.x()));
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found) << static_cast<int>(found.reason.kind);
  const double rope = 20 * g_value / (2 * std::tan(a));
  EXPECT_NEAR(found.multipliers[0], 20 * g_value, 1e-7);
  EXPECT_NEAR(found.multipliers[1], rope, 1e-7);
  ASSERT_EQ(found.unknowns.size(), 1u);
  EXPECT_NEAR(found.unknowns[0], rope, 1e-7);
  EXPECT_NEAR(found.state.coordinates[2], M_PI - a, settled);
  EXPECT_EQ(found.stability, Stability::undecided);
}

TEST(Equilibrium, a_block_is_held_by_a_force_of_its_weight) {
  Model model("block");
  const Frame N = model.newtonian();
  const Quantity y = model.coordinate("y", {.start = 0.7 * m}), F = model.unknown("F");
  const Point P = model.particle("P", {.at = N.origin() + y * N.y(), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  model.force("hand", {.on = P, .value = F * N.y()});
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found) << static_cast<int>(found.reason.kind);
  EXPECT_NEAR(found.unknowns[0], 2 * g_value, 1e-8);
  EXPECT_EQ(found.state.coordinates[0], 0.7);
  EXPECT_EQ(found.free_coordinates, std::vector<std::string>{"y"});
}

TEST(Equilibrium, what_falls_freely_has_none_and_that_is_said) {
  Model model("fall");
  const Frame N = model.newtonian();
  const Quantity y = model.coordinate("y");
  model.particle("P", {.at = N.origin() + y * N.y(), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  const Equilibrium found = find(model);
  EXPECT_FALSE(found.is_found);
  EXPECT_EQ(found.reason.kind, SmallMotionReason::Kind::remains);
  EXPECT_EQ(found.reason.names, std::vector<std::string>{"y'"});
  EXPECT_NEAR(found.reason.number, 1, 1e-9);
  EXPECT_NEAR(found.residual, 1, 1e-9);
}

TEST(Equilibrium, a_coordinate_that_may_be_anywhere_stays) {
  Model model("cart");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.7 * m}),
                 q = model.coordinate("theta", {.start = 0.4 * rad});
  const Frame B = model.frame("B", rotate(N, Axis::z, q));
  const Point C = model.particle("C", {.at = N.origin() + x * N.x(), .mass = 3 * kg});
  model.particle("Q", {.at = C - 0.5 * m * B.y(), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found);
  EXPECT_EQ(found.state.coordinates[0], 0.7);
  EXPECT_NEAR(found.state.coordinates[1], 0, settled);
  EXPECT_EQ(found.free_coordinates, std::vector<std::string>{"x"});
  EXPECT_EQ(found.stability, Stability::undecided);
}

// A body hung from a point, in quaternions: the mass center comes to rest below, B.y up, which
// leaves e0 and e2.
TEST(Equilibrium, a_body_in_quaternions_turns_until_it_hangs) {
  Model model("hanging_body");
  const Frame N = model.newtonian();
  const auto e = model.quaternion({"e0", "e1", "e2", "e3"}, {0.8, 0.2, -0.4, 0.4});
  const Frame B = model.frame("B", quaternion(N, e));
  const Quantity J = 1 * kg * m * m;
  model.body(
      B,
      {.at = N.origin() - 0.5 * m * B.y(), .mass = 2 * kg, .inertia = {0.3 * J, 0.2 * J, 0.7 * J}});
  model.gravity(-earth() * N.y());
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found) << static_cast<int>(found.reason.kind);
  const std::vector<double>& q = found.state.coordinates;
  EXPECT_NEAR(q[1], 0, settled);
  EXPECT_NEAR(q[3], 0, settled);
  EXPECT_NEAR(q[0] * q[0] + q[2] * q[2], 1, 1e-14);
}

// Twelve bars of 1 m and 1 kg between pins 6 m apart, at one height: by symmetry each pin carries
// half of the weight, and the bars to the right are the mirror images of those to the left. At the start they go down and
// up, too far to the right.
TEST(Equilibrium, a_chain_of_bars_hangs_as_a_symmetric_arc) {
  Model model("chain");
  const Frame N = model.newtonian();
  Point end = N.origin();
  for (int i = 1; i <= 12; ++i) {
    const std::string number = std::to_string(i);
    const Quantity q = model.coordinate("q" + number, {.start = (i <= 6 ? 0.5 : 2.0) * rad});
    const Frame A = model.frame("A" + number, rotate(N, Axis::z, q));
    model.body(A, {.at = end - 0.5 * m * A.y(), .mass = 1 * kg, .solid = rod(1 * m, Axis::y)});
    end = model.point("E" + number, end - 1 * m * A.y());
  }
  model.gravity(-earth() * N.y());
  model.constraint("pin", end - (N.origin() + 6 * m * N.x()));
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found) << static_cast<int>(found.reason.kind);
  EXPECT_NEAR(found.multipliers[1], 6 * g_value, 1e-7);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(std::cos(found.state.coordinates[i] + found.state.coordinates[11 - i]), -1, settled)
        << i;
  EXPECT_EQ(found.stability, Stability::stable) << static_cast<int>(found.stability_reason.kind);
}

// Three equal cranks, their ends pinned together: as one pendulum, I q'' = -m g (L/2) q with I = m
// L^2/3. Hanging straight down, one component of each pin vanishes.
TEST(Equilibrium, parallel_cranks_hang_where_half_of_their_constraints_vanish) {
  Model model("parallel_cranks");
  const Frame N = model.newtonian();
  std::vector<Vector> arms;
  for (const char* name : {"a", "b", "c"}) {
    const Quantity q = model.coordinate(name, {.start = 0.5 * rad});
    const Frame A = model.frame(std::string("F") + name, rotate(N, Axis::z, q));
    model.body(A,
               {.at = N.origin() - 0.5 * m * A.y(), .mass = 1 * kg, .solid = rod(1 * m, Axis::y)});
    arms.push_back(1 * m * A.y());
  }
  model.constraint("ab", arms[0] - arms[1]);
  model.constraint("bc", arms[1] - arms[2]);
  model.gravity(-earth() * N.y());
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found) << static_cast<int>(found.reason.kind);
  for (const double q : found.state.coordinates) EXPECT_NEAR(q, 0, settled);
  ASSERT_EQ(found.linearization.modes.size(), 1u)
      << static_cast<int>(found.linearization.failure.kind);
  EXPECT_NEAR(found.linearization.modes[0].frequency, std::sqrt(1.5 * g_value), 1e-9);
  EXPECT_EQ(found.stability, Stability::stable) << static_cast<int>(found.stability_reason.kind);
  EXPECT_TRUE(found.free_coordinates.empty());
}

// A disc at rest balances upright wherever it stands and whatever its heading.
TEST(Equilibrium, a_disc_that_may_roll_balances_where_it_is) {
  Model model("disc");
  const Frame N = model.newtonian();
  const Quantity q1 = model.coordinate("q1", {.start = 0.3 * rad}),
                 q2 = model.coordinate("q2", {.start = 0.2 * rad}),
                 q3 = model.coordinate("q3", {.start = 0.7 * rad});
  const Quantity x = model.coordinate("x"), y = model.coordinate("y");
  const Frame Y = model.frame("Y", rotate(N, Axis::z, q1)),
              L = model.frame("L", rotate(Y, Axis::x, q2)),
              D = model.frame("D", rotate(L, Axis::y, q3));
  const Point C = model.body(D, {.at = N.origin() + x * N.x() + y * N.y() + 0.5 * m * L.z(),
                                 .mass = 2 * kg,
                                 .solid = disc(0.5 * m, Axis::y)});
  model.gravity(-earth() * N.z());
  model.roll("contact", {.body = D, .on = N, .at = C - 0.5 * m * L.z()});
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found) << static_cast<int>(found.reason.kind);
  EXPECT_NEAR(found.state.coordinates[1], 0, settled);
  for (const std::size_t i : {0, 2})
    EXPECT_NEAR(found.state.coordinates[i], i == 0 ? 0.3 : 0.7, 1e-12);
  EXPECT_EQ(found.free_coordinates, (std::vector<std::string>{"q1", "q3", "x", "y"}));
  // 5/4 m r^2 q2'' = m g r q2
  EXPECT_NEAR(found.linearization.eigenvalues[0].real(), std::sqrt(0.8 * g_value / 0.5), 1e-9);
  EXPECT_EQ(found.stability, Stability::unstable);
}

TEST(Equilibrium, a_force_along_the_velocity_has_no_value_at_rest) {
  Model model("friction");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x"), y = model.coordinate("y");
  const Point P = model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
  const Quantity vx = model.rate(x), vy = model.rate(y);
  model.force(
      "F", {.on = P, .value = -2 * units::N * (vx * N.x() + vy * N.y()) / sqrt(vx * vx + vy * vy)});
  const Equilibrium found = find(model);
  EXPECT_FALSE(found.is_found);
  EXPECT_EQ(found.reason.kind, SmallMotionReason::Kind::rest_not_finite);
}

// ---- Stability

// F = (-k x + a y, -k y - a x): m λ^2 = -k ± i a, which no potential gives and which grows.
TEST(Equilibrium, a_force_without_potential_can_destroy_a_minimum) {
  for (const double a : {0.0, 0.5}) {
    Model model("circulating");
    const Frame N = model.newtonian();
    const Quantity x = model.coordinate("x", {.start = 0.1 * m}),
                   y = model.coordinate("y", {.start = 0.2 * m});
    const Point P = model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
    const Quantity k = 2 * units::N / m, c = a * units::N / m;
    model.force("F", {.on = P, .value = (-k * x + c * y) * N.x() + (-k * y - c * x) * N.y()});
    const Equilibrium found = find(model);
    ASSERT_TRUE(found.is_found);
    EXPECT_EQ(found.stability, a == 0 ? Stability::stable : Stability::unstable)
        << static_cast<int>(found.stability_reason.kind);
  }
}

TEST(Equilibrium, a_potential_without_second_variation_is_not_decided) {
  Model model("flat");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m});
  model.particle("P", {.at = N.origin() + x * N.x(), .mass = 1 * kg});
  model.potential("V", 3 * J / (m * m * m * m) * x * x * x * x);
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found);
  EXPECT_EQ(found.stability, Stability::undecided);
  EXPECT_EQ(found.stability_reason.kind, SmallMotionReason::Kind::on_axis);
}

// A charged particle on a saddle, kept by the force c (y', -x') across its velocity: eigenvalues on
// the axis, no minimum.
TEST(Equilibrium, what_only_gyroscopic_forces_hold_is_not_decided) {
  Model model("saddle");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.1 * m}),
                 y = model.coordinate("y", {.start = 0.1 * m});
  const Point P = model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
  model.potential("V", -0.5 * units::N / m * (x * x + y * y));
  const Quantity c = 3 * units::N * s / m;
  model.force("F", {.on = P, .value = c * model.rate(y) * N.x() - c * model.rate(x) * N.y()});
  const Equilibrium found = find(model);
  ASSERT_TRUE(found.is_found);
  for (const auto& v : found.linearization.eigenvalues) EXPECT_NEAR(v.real(), 0, 1e-9);
  EXPECT_EQ(found.stability, Stability::undecided);
}

// ---- Virtual work

// δW = -m g L sin θ δθ, and the mass moves along B.x: δp = L B.x δθ.
TEST(Equilibrium, the_virtual_work_of_a_weight_is_told) {
  Model model("pendulum");
  const Quantity q = model.coordinate("theta", {.start = 0.5 * rad}),
                 L = model.parameter("L", 0.5 * m), mass = model.parameter("mass", 2 * kg);
  const Frame N = model.newtonian(), B = model.frame("B", rotate(N, Axis::z, q));
  model.particle("Q", {.at = N.origin() - L * B.y(), .mass = mass});
  model.gravity(-earth() * N.y());
  const Kinematics motion = analyze_motion(model);
  const Equations equations = derive(motion);
  const VirtualMotion found = analyze_virtual_work(equations, make_consistent_start(motion));
  const std::vector<VirtualWork>& works = found.works;
  ASSERT_EQ(works.size(), 1u);
  EXPECT_EQ(works[0].load, "gravity on Q");
  ASSERT_EQ(works[0].terms.size(), 1u);
  EXPECT_EQ(works[0].terms[0].speed, "theta'");
  EXPECT_EQ(works[0].terms[0].force, (-mass * earth() * L * sin(q)).expr(*model.data().pool));
  EXPECT_NEAR(works[0].terms[0].value, -2 * g_value * 0.5 * std::sin(0.5), 1e-12);
  const std::vector<VirtualDisplacement>& moves = found.displacements;
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].name, "Q");
  ASSERT_EQ(moves[0].terms.size(), 1u);
  EXPECT_EQ(moves[0].terms[0].second, L * B.x());
}

}  // namespace
}  // namespace visviva
