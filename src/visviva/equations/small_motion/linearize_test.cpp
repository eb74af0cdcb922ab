// Linearizations against closed forms, and against differences of the accelerations.
#include "visviva/equations/small_motion/linearize.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/small_motion/variations.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

#include "visviva/equations/small_motion/earth_test.h"
#include "visviva/equations/state/solve.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/kinematics/constraint_rows.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/kinematics/random_model_test.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/numeric/extrapolation.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using namespace units;
using Complex = std::complex<double>;

constexpr double tight = 1e-12;  // closed forms, numbers of size 1 to 100

Linearization linearize_start(const Model& model) {
  const Kinematics motion = analyze_motion(model);
  return linearize(derive(motion), make_consistent_start(motion));
}

void expect_matrix(const std::vector<std::vector<double>>& found,
                   const std::vector<std::vector<double>>& wanted, double tolerance = tight) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(found[i].size(), wanted[i].size());
    for (std::size_t j = 0; j < wanted[i].size(); ++j)
      EXPECT_NEAR(found[i][j], wanted[i][j], tolerance * (1 + std::abs(wanted[i][j])))
          << i << ", " << j;
  }
}

// The same numbers in any order.
void expect_eigenvalues(std::vector<Complex> found, const std::vector<Complex>& wanted,
                        double tolerance = 1e-11) {
  ASSERT_EQ(found.size(), wanted.size());
  for (const Complex& w : wanted) {
    const auto nearest = std::min_element(found.begin(), found.end(), [&](Complex a, Complex b) {
      return std::abs(a - w) < std::abs(b - w);
    });
    EXPECT_NEAR(std::abs(*nearest - w), 0, tolerance * (1 + std::abs(w)))
        << w << " against " << *nearest;
    found.erase(nearest);
  }
}

using Kind = SmallMotionReason::Kind;

bool mentions(const SmallMotionReasons& remarks, Kind kind) {
  return std::any_of(remarks.begin(), remarks.end(),
                     [&](const SmallMotionReason& r) { return r.kind == kind; });
}

// ---- Trees

// Mass on a rod, angle from the lowest position: L q'' = -g sin q.
Model make_pendulum(double start, double start_rate = 0) {
  Model model("pendulum");
  const Quantity q =
      model.coordinate("theta", {.start = start * rad, .start_rate = start_rate * rad / s});
  const Frame N = model.newtonian(), B = model.frame("B", rotate(N, Axis::z, q));
  model.particle("Q", {.at = N.origin() - 0.5 * m * B.y(), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  return model;
}

TEST(Linearize, a_pendulum_swings_below_and_falls_above) {
  const Linearization below = linearize_start(make_pendulum(0));
  EXPECT_EQ(below.states, (std::vector<std::string>{"theta", "theta'"}));
  EXPECT_TRUE(below.inputs.empty());
  expect_matrix(below.A, {{0, 1}, {-g_value / 0.5, 0}});
  const double w = std::sqrt(g_value / 0.5);
  expect_eigenvalues(below.eigenvalues, {{0, w}, {0, -w}});
  EXPECT_TRUE(below.is_steady);
  EXPECT_TRUE(below.remarks.empty());
  ASSERT_EQ(below.modes.size(), 1u);
  EXPECT_TRUE(below.modes[0].is_oscillatory);
  EXPECT_NEAR(below.modes[0].frequency, w, tight * w);
  EXPECT_NEAR(below.modes[0].frequency_hz, w / (2 * M_PI), tight * w);
  EXPECT_NEAR(below.modes[0].damping_ratio, 0, tight);
  // theta' = i w theta; the larger of the two is 1.
  EXPECT_NEAR(std::abs(below.modes[0].shape[0] - Complex(0, -1 / w)), 0, tight);
  EXPECT_NEAR(std::abs(below.modes[0].shape[1] - 1.0), 0, tight);

  const Linearization above = linearize_start(make_pendulum(M_PI));
  expect_eigenvalues(above.eigenvalues, {w, -w});
  EXPECT_GT(above.eigenvalues[0].real(), above.eigenvalues[1].real());
  EXPECT_TRUE(above.is_steady);
  EXPECT_EQ(above.modes.size(), 2u);
}

TEST(Linearize, a_state_that_does_not_last_is_not_steady) {
  const Linearization beside = linearize_start(make_pendulum(M_PI / 2));
  EXPECT_FALSE(beside.is_steady);
  expect_matrix(beside.A, {{0, 1}, {0, 0}});
  // The acceleration is zero at the lowest point, but for an instant only.
  const Linearization passing = linearize_start(make_pendulum(0, 3));
  EXPECT_FALSE(passing.is_steady);
  expect_matrix(passing.A, {{0, 1}, {-g_value / 0.5, 0}});
}

// Absolute angles, equal masses and rods: w^2 = (2 ± sqrt 2) g/L.
TEST(Linearize, a_double_pendulum_has_its_two_frequencies) {
  Model model("double_pendulum");
  const Frame N = model.newtonian();
  const Quantity q1 = model.coordinate("q1"), q2 = model.coordinate("q2");
  const Frame A = model.frame("A", rotate(N, Axis::z, q1)),
              B = model.frame("B", rotate(N, Axis::z, q2));
  const Point P = model.particle("P", {.at = N.origin() - 1 * m * A.y(), .mass = 1 * kg});
  model.particle("Q", {.at = P - 1 * m * B.y(), .mass = 1 * kg});
  model.gravity(-earth() * N.y());
  const double slow = std::sqrt((2 - std::sqrt(2.0)) * g_value),
               fast = std::sqrt((2 + std::sqrt(2.0)) * g_value);
  const Linearization result = linearize_start(model);
  expect_eigenvalues(result.eigenvalues, {{0, slow}, {0, -slow}, {0, fast}, {0, -fast}});
  // Both swing together in the slow mode, q2 = sqrt 2 q1, and against each other in the fast one.
  ASSERT_EQ(result.modes.size(), 2u);
  const auto ratio = [&](std::size_t i) {
    return result.modes[i].shape[1] / result.modes[i].shape[0];
  };
  EXPECT_NEAR(result.modes[0].frequency, slow, 1e-11);
  EXPECT_NEAR(std::abs(ratio(0) - std::sqrt(2.0)), 0, 1e-11);
  EXPECT_NEAR(std::abs(ratio(1) + std::sqrt(2.0)), 0, 1e-11);
}

// (M + m) x'' + m L q'' = F and x'' + L q'' + g q = 0 give x'' = (F + m g q)/M, q'' = -(F + (M + m)
// g q)/(M L).
TEST(Linearize, an_input_force_on_a_cart_is_a_column_of_b) {
  Model model("cart");
  const Frame N = model.newtonian();
  const Quantity F = model.input("F", 0 * units::N), x = model.coordinate("x", {.start = 0.4 * m}),
                 q = model.coordinate("theta");
  const Frame B = model.frame("B", rotate(N, Axis::z, q));
  const Point C = model.particle("C", {.at = N.origin() + x * N.x(), .mass = 3 * kg});
  model.particle("Q", {.at = C - 0.5 * m * B.y(), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  model.force("push", {.on = C, .value = F * N.x()});
  const Linearization result = linearize_start(model);
  EXPECT_EQ(result.states, (std::vector<std::string>{"x", "theta", "x'", "theta'"}));
  EXPECT_EQ(result.inputs, std::vector<std::string>{"F"});
  expect_matrix(result.A, {{0, 0, 1, 0},
                           {0, 0, 0, 1},
                           {0, 2 * g_value / 3, 0, 0},
                           {0, -5 * g_value / (3 * 0.5), 0, 0}});
  expect_matrix(result.B, {{0}, {0}, {1.0 / 3}, {-1 / (3 * 0.5)}});
  // The cart is free: two zeros, exactly, with one eigenvector between them.
  const double w = std::sqrt(5 * g_value / 1.5);
  expect_eigenvalues(result.eigenvalues, {{0, w}, {0, -w}, 0, 0});
  EXPECT_EQ(std::count(result.eigenvalues.begin(), result.eigenvalues.end(), Complex(0, 0)), 2);
  EXPECT_EQ(result.modes.size(), 2u);
}

// m x'' + c x' + (k1 + k2) x = 0.
TEST(Linearize, springs_on_both_sides_add_and_a_damper_gives_the_damping_ratio) {
  Model model("mass");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x");
  const Point left = model.point("left", N.origin() - 1 * m * N.x()),
              right = model.point("right", N.origin() + 1 * m * N.x());
  const Point P = model.particle("P", {.at = N.origin() + x * N.x(), .mass = 2 * kg});
  model.spring("S1", {.from = left, .to = P, .stiffness = 30 * units::N / m, .rest = 1 * m});
  model.spring("S2", {.from = P, .to = right, .stiffness = 20 * units::N / m, .rest = 1 * m});
  model.damper("D", {.on = x, .rate = 4 * units::N * s / m});
  const Linearization result = linearize_start(model);
  expect_matrix(result.A, {{0, 1}, {-25, -2}});
  ASSERT_EQ(result.modes.size(), 1u);
  EXPECT_NEAR(result.modes[0].natural_frequency, 5, tight);
  EXPECT_NEAR(result.modes[0].damping_ratio, 0.2, tight);
  EXPECT_NEAR(result.modes[0].frequency, std::sqrt(24.0), tight);
}

TEST(Linearize, a_slope_that_is_not_finite_is_a_failure_with_words) {
  Model model("no_length");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x"), y = model.coordinate("y");
  const Point P = model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 2 * kg});
  model.spring("S", {.from = N.origin(), .to = P, .stiffness = 30 * units::N / m, .rest = 1 * m});
  const Linearization result = linearize_start(model);
  EXPECT_TRUE(result.failure.kind == Kind::slope_not_finite ||
              result.failure.kind == Kind::term_not_finite);
  EXPECT_TRUE(result.A.empty());
  EXPECT_FALSE(result.is_steady);
}

// ---- Time

// A pivot moved by y = a cos(w t) has y''(0) = -a w^2: L q'' = -(g + y'') sin q.
TEST(Linearize, what_depends_on_time_is_taken_at_the_start_and_said) {
  Model model("Kapitza");
  const Frame N = model.newtonian();
  const Quantity y = model.specified("y", 0.1 * m * cos(7 * rad / s * model.time())),
                 q = model.coordinate("theta");
  const Frame B = model.frame("B", rotate(N, Axis::z, q));
  model.particle("Q", {.at = N.origin() + y * N.y() - 0.5 * m * B.y(), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  const Linearization result = linearize_start(model);
  expect_matrix(result.A, {{0, 1}, {-(g_value - 4.9) / 0.5, 0}});
  EXPECT_FALSE(result.is_steady);
  EXPECT_TRUE(mentions(result.remarks, Kind::changes_with_time));
}

// A hoop that turns steadily: w^2 = Omega^2 sin^2 q at cos q = g/(R Omega^2); numbers computed
// independently.
TEST(Linearize, a_steady_rotation_is_no_dependence_on_time) {
  Model model("hoop");
  const Frame N = model.newtonian();
  const Quantity turn = model.specified("turn", 5 * rad / s * model.time()),
                 q = model.coordinate("theta", {.start = 1.1675569038050428 * rad});
  const Frame H = model.frame("H", rotate(N, Axis::y, turn));
  model.particle("Q",
                 {.at = N.origin() + 1 * m * (sin(q) * H.x() - cos(q) * H.y()), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  const Linearization result = linearize_start(model);
  EXPECT_TRUE(result.is_steady);
  expect_eigenvalues(result.eigenvalues, {{0, 4.598973363697597}, {0, -4.598973363697597}});
}

// ---- Constraints

// x^2 + y^2 = L^2, said twice, is the pendulum in x.
TEST(Linearize, a_constraint_said_twice_changes_nothing) {
  Model model("pendulum_xy");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m}),
                 y = model.coordinate("y", {.start = -0.5 * m});
  const Point P = model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  model.constraint("rod", x * x + y * y - 0.25 * m * m);
  model.constraint("again", magnitude(P - N.origin()) - 0.5 * m);
  const Linearization result = linearize_start(model);
  EXPECT_EQ(result.states, (std::vector<std::string>{"x", "x'"}));
  expect_matrix(result.A, {{0, 1}, {-g_value / 0.5, 0}});
  EXPECT_TRUE(result.is_steady);
}

// Beside the rod's horizontal position y cannot be the dependent one, though it is declared last.
TEST(Linearize, states_are_chosen_where_the_constraints_determine_the_rest) {
  Model model("horizontal");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.5 * m}),
                 y = model.coordinate("y", {.start = 0 * m});
  model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 2 * kg});
  model.gravity(earth() * N.x());
  model.constraint("rod", x * x + y * y - 0.25 * m * m);
  const Linearization result = linearize_start(model);
  EXPECT_EQ(result.states, (std::vector<std::string>{"y", "y'"}));
  expect_matrix(result.A, {{0, 1}, {-g_value / 0.5, 0}});
}

TEST(Linearize, a_locked_coordinate_is_no_state) {
  Model model("locked");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x"), q = model.coordinate("theta");
  const Frame B = model.frame("B", rotate(N, Axis::z, q));
  const Point C = model.particle("C", {.at = N.origin() + x * N.x(), .mass = 3 * kg});
  model.particle("Q", {.at = C - 0.5 * m * B.y(), .mass = 2 * kg});
  model.gravity(-earth() * N.y());
  model.lock(x);
  const Linearization result = linearize_start(model);
  EXPECT_EQ(result.states, (std::vector<std::string>{"theta", "theta'"}));
  expect_matrix(result.A, {{0, 1}, {-g_value / 0.5, 0}});
}

// Thin uniform disc: yaw q1, lean q2, spin q3. With u1 = q2', u2 = q3' = w: q2'' = (6 w u3 + 4
// (g/r) q2)/5, u3' = -2 w u1, so that q2''' = (4 g/r - 12 w^2)/5 q2'.
Linearization linearize_disc(double w) {
  Model model("disc");
  const Frame N = model.newtonian();
  const Quantity q1 = model.coordinate("q1", {.start = 0.3 * rad}), q2 = model.coordinate("q2"),
                 q3 = model.coordinate("q3", {.start_rate = w * rad / s});
  const Quantity x = model.coordinate("x"), y = model.coordinate("y");
  const Frame Y = model.frame("Y", rotate(N, Axis::z, q1)),
              L = model.frame("L", rotate(Y, Axis::x, q2)),
              D = model.frame("D", rotate(L, Axis::y, q3));
  const Quantity r = model.parameter("r", 0.5 * m), mass = model.parameter("mass", 2 * kg);
  const Point C =
      model.body(D, {.at = N.origin() + x * N.x() + y * N.y() + r * L.z(),
                     .mass = mass,
                     .inertia = {mass * r * r / 4, mass * r * r / 2, mass * r * r / 4}});
  model.gravity(-earth() * N.z());
  model.roll("contact", {.body = D, .on = N, .at = C - r * L.z()});
  return linearize_start(model);
}

TEST(Linearize, a_rolling_disc_stands_when_it_is_fast_enough) {
  const double limit = std::sqrt(g_value / (3 * 0.5));
  for (const double factor : {0.5, 0.9, 1.1, 2.0}) {
    const double w = factor * limit;
    const Linearization result = linearize_disc(w);
    EXPECT_EQ(result.states,
              (std::vector<std::string>{"q1", "q2", "q3", "x", "y", "q1'", "q2'", "q3'"}));
    EXPECT_TRUE(result.is_steady) << factor;
    const Complex root = std::sqrt(Complex((4 * g_value / 0.5 - 12 * w * w) / 5, 0));
    expect_eigenvalues(result.eigenvalues, {root, -root, 0, 0, 0, 0, 0, 0}, 1e-9);
    EXPECT_EQ(result.eigenvalues[0].real() > axis_tolerance(result.eigenvalues), factor < 1)
        << factor;
  }
}

// Absolute angles of crank, coupler, rocker; closure a e(q1) + b e(q2) = d + c e(q3) by Newton's
// method, here.
struct FourBar {
  Model model{"four_bar"};
  std::array<Quantity, 3> q;

  FourBar(const std::array<double, 3>& angles, double crank_rate) {
    const Frame N = model.newtonian();
    const std::array<double, 3> length{1, 2, 2};
    std::array<Frame, 3> F;
    for (std::size_t i = 0; i < 3; ++i) {
      CoordinateOptions options{.start = angles[i] * rad};
      if (i == 0) options.start_rate = crank_rate * rad / s;
      q[i] = model.coordinate("q" + std::to_string(i + 1), options);
      F[i] = model.frame("F" + std::to_string(i + 1), rotate(N, Axis::z, q[i]));
    }
    const Point P = model.point("P", N.origin() + length[0] * m * F[0].x());
    const Point R = model.point("R", N.origin() + 2.5 * m * N.x());
    const std::array<Point, 3> roots{N.origin(), P, R};
    for (std::size_t i = 0; i < 3; ++i) {
      const Quantity mass = (1.0 + static_cast<double>(i)) * kg;
      model.body(F[i], {.at = roots[i] + 0.5 * length[i] * m * F[i].x(),
                        .mass = mass,
                        .solid = rod(length[i] * m, Axis::x)});
    }
    const Point Q = model.point("Q", P + length[1] * m * F[1].x()),
                S = model.point("S", R + length[2] * m * F[2].x());
    model.constraint("pin", Q - S);
    model.gravity(-earth() * N.y());
  }
};

std::array<double, 3> close(double q1, std::array<double, 3> q) {
  q[0] = q1;
  for (int i = 0; i < 30; ++i) {
    const double gx = std::cos(q[0]) + 2 * std::cos(q[1]) - 2.5 - 2 * std::cos(q[2]),
                 gy = std::sin(q[0]) + 2 * std::sin(q[1]) - 2 * std::sin(q[2]);
    const double a = -2 * std::sin(q[1]), b = 2 * std::sin(q[2]), c = 2 * std::cos(q[1]),
                 d = -2 * std::cos(q[2]);
    q[1] -= (d * gx - b * gy) / (a * d - b * c);
    q[2] -= (a * gy - c * gx) / (a * d - b * c);
  }
  return q;
}

TEST(Linearize, a_four_bar_agrees_with_differences_along_its_motion) {
  const std::array<double, 3> q0 = close(0.8, {0.8, 0.5, 1.4});
  const double w = 2.5;
  const FourBar bar(q0, w);
  const Kinematics motion = analyze_motion(bar.model);
  const Equations equations = derive(motion);
  const ConsistentStart start = make_consistent_start(motion);
  const Linearization result = linearize(equations, start);
  EXPECT_EQ(result.states, (std::vector<std::string>{"q1", "q1'"}));

  const MotionSolver solver(equations);
  const auto acceleration = [&](double q1, double u1) {
    ConsistentStart there = start;
    const std::array<double, 3> q = close(q1, q0);
    there.coordinates.assign(q.begin(), q.end());
    // -sin q1 u1 - 2 sin q2 u2 + 2 sin q3 u3 = 0, the same with cos
    const double s1 = std::sin(q[0]), s2 = std::sin(q[1]), s3 = std::sin(q[2]), c1 = std::cos(q[0]),
                 c2 = std::cos(q[1]), c3 = std::cos(q[2]), det = -4 * s2 * c3 + 4 * s3 * c2;
    there.speeds = {u1, u1 * (2 * c3 * s1 - 2 * s3 * c1) / det,
                    u1 * (2 * c2 * s1 - 2 * s2 * c1) / det};
    return solver(make_state(motion, there)).speed_rates[0];
  };
  // Differences of fourth order: errors about h^4 and 1e-14/h.
  constexpr double h = 1e-3, difference_tolerance = 1e-8;
  const auto slope = [&](const std::function<double(double)>& f) {
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
  };
  const double by_q = slope([&](double e) { return acceleration(0.8 + e, w); });
  const double by_u = slope([&](double e) { return acceleration(0.8, w + e); });
  EXPECT_GT(std::abs(by_q), 1);
  EXPECT_GT(std::abs(by_u), 0.1);
  expect_matrix(result.A, {{0, 1}, {by_q, by_u}}, difference_tolerance);
}

// ---- Rotations

// I1 w1' = (I2 - I3) W w3, I3 w3' = (I1 - I2) W w1 about the axis 2.
TEST(Linearize, a_free_body_turning_about_its_intermediate_axis_is_unstable) {
  Model model("free_body");
  const Frame N = model.newtonian();
  const auto e = model.quaternion({"e0", "e1", "e2", "e3"});
  const Frame B = model.frame("B", quaternion(N, e));
  const Quantity J = 1 * kg * m * m;
  model.body(B, {.at = N.origin(), .mass = 1 * kg, .inertia = {1 * J, 2 * J, 2.5 * J}});
  const Kinematics motion = analyze_motion(model);
  ConsistentStart start = make_consistent_start(motion);
  const double W = 3;
  start.speeds = {0, W, 0};
  const Linearization result = linearize(derive(motion), start);
  EXPECT_EQ(result.states,
            (std::vector<std::string>{"B_rx", "B_ry", "B_rz", "B_rx'", "B_ry'", "B_rz'"}));
  EXPECT_TRUE(result.is_steady);
  ASSERT_EQ(result.frames.size(), 1u);
  EXPECT_EQ(result.frames[0].frame, "B");
  // A rotation that stays in N is seen to turn at -W in the body.
  const double growth = W * std::sqrt(0.5 * 1 / 2.5);
  expect_eigenvalues(result.eigenvalues, {growth, -growth, 0, 0, {0, W}, {0, -W}}, 1e-7);
  EXPECT_NEAR(result.eigenvalues[0].real(), growth, 1e-11);
  EXPECT_NEAR(result.eigenvalues[0].imag(), 0, 1e-11);
}

// A body hung from a point, turned by 130 degrees about the vertical: I q'' = -m g l q about both
// horizontal axes, and free about the vertical.
TEST(Linearize, a_hanging_body_in_quaternions_swings_about_both_axes) {
  Model model("hanging_body");
  const Frame N = model.newtonian();
  const double half = 65 * M_PI / 180;
  const auto e = model.quaternion({"e0", "e1", "e2", "e3"}, {std::cos(half), 0, std::sin(half), 0});
  const Frame B = model.frame("B", quaternion(N, e));
  const Quantity J = 1 * kg * m * m;
  model.body(
      B,
      {.at = N.origin() - 0.5 * m * B.y(), .mass = 2 * kg, .inertia = {0.3 * J, 0.2 * J, 0.7 * J}});
  model.gravity(-earth() * N.y());
  const Linearization result = linearize_start(model);
  EXPECT_EQ(result.states,
            (std::vector<std::string>{"B_rx", "B_ry", "B_rz", "B_rx'", "B_ry'", "B_rz'"}));
  EXPECT_TRUE(result.is_steady);
  ASSERT_EQ(result.frames.size(), 1u);
  EXPECT_EQ(result.frames[0].frame, "N");
  const double wx = std::sqrt(g_value / (0.3 + 0.5)), wz = std::sqrt(g_value / (0.7 + 0.5));
  expect_eigenvalues(result.eigenvalues, {{0, wx}, {0, -wx}, {0, wz}, {0, -wz}, 0, 0}, 1e-9);
}

// A pendulum known by its angular velocity only: its hidden angle is a state, since gravity depends
// on it.
TEST(Linearize, hidden_states_are_states_where_something_depends_on_them) {
  for (const bool with_gravity : {true, false}) {
    Model model("spin");
    const Frame N = model.newtonian();
    const Quantity w = model.speed("w", Hz.dimension());
    const Frame B = model.frame("B", spin(N, w * N.z()));
    model.particle("Q", {.at = N.origin() - 0.5 * m * B.y(), .mass = 2 * kg});
    if (with_gravity) model.gravity(-earth() * N.y());
    const Linearization result = linearize_start(model);
    ASSERT_EQ(result.states.size(), with_gravity ? 2u : 1u);
    EXPECT_EQ(result.states.back(), "w");
    if (with_gravity)
      expect_matrix(result.A, {{0, 1}, {-g_value / 0.5, 0}});
    else
      expect_matrix(result.A, {{0}});
  }
}

// ---- Random mechanisms: A against differences of the motion along the constraints

using mechanisms::Real;

// The rates of all states near a state, the dependent ones found by Newton's method from the
// constraints themselves.
class Nearby {
 public:
  Nearby(const Equations& equations, const StartState& state, const std::vector<std::string>& names)
      : motion_(equations.motion), state_(state), solver_(equations) {
    const ModelData& model = motion_.model();
    std::vector<Expr> u;
    for (const Speed& s : motion_.speeds()) u.push_back(s.u);
    for (const CoordinateData& c : model.coordinates)
      add(c.name, c.q, total(motion_.rate_of(c.q), u));
    for (const auto& e : model.quaternions) squares_.push_back({e.begin(), e.end()});
    for (std::size_t F = 0; F < model.frames.size(); ++F) {
      const std::vector<Expr>& hidden = model.frames[F].hidden;
      std::vector<int> square;
      for (std::size_t k = 0; k < hidden.size(); ++k) {
        square.push_back(static_cast<int>(X_.size()));
        add(hidden[k].home().symbol_name(hidden[k].ref()), hidden[k],
            total(engine_of(motion_).hidden_rate(static_cast<int>(F), k), u));
      }
      if (square.size() == 4) squares_.push_back(square);
    }
    configuration_ = X_.size();
    for (const Speed& s : motion_.speeds()) add(s.name, s.u, model.pool->zero());
    for (const std::string& name : names)
      states_.push_back(
          static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin()));
    for (const ConstraintRow& row : equations.rows) {
      velocity_.push_back(total(row.velocity, u));
      if (row.position) position_.push_back(*row.position);
    }
  }

  /// x' where one state differs by h from the given one.
  Eigen::VectorXd operator()(std::size_t which, double h) const {
    std::vector<double> X;
    for (const Expr& x : X_) X.push_back(state_.value(x));
    X[states_[which]] += h;
    project(0, configuration_, position_, squares_, &X);
    project(configuration_, X_.size(), velocity_, {}, &X);
    const StartState there = at(X);
    const std::vector<double> udot = solver_(there).speed_rates;
    Eigen::VectorXd result(static_cast<Eigen::Index>(states_.size()));
    for (std::size_t i = 0; i < states_.size(); ++i)
      result(static_cast<Eigen::Index>(i)) = states_[i] < configuration_
                                                 ? there.value(rates_[states_[i]])
                                                 : udot[states_[i] - configuration_];
    return result;
  }

  Eigen::MatrixXd differences(Real step) const {
    const auto n = static_cast<Eigen::Index>(states_.size());
    Eigen::MatrixXd A(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto rates = [&](Real h) {
        return mechanisms::RealVector(
            (*this)(static_cast<std::size_t>(j), static_cast<double>(h)).cast<Real>());
      };
      A.col(j) = mechanisms::first_difference(rates, step).cast<double>();
    }
    return A;
  }

 private:
  void add(const std::string& name, const Expr& x, const Expr& rate) {
    names_.push_back(name);
    X_.push_back(x);
    rates_.push_back(rate);
  }

  StartState at(const std::vector<double>& X) const {
    StartState there = state_;
    for (std::size_t i = 0; i < X.size(); ++i) there.known[X_[i]] = X[i];
    return there;
  }

  // The unknowns among X[first..last) that are no states, by Newton's method.
  void project(std::size_t first, std::size_t last, const std::vector<Expr>& rows,
               const std::vector<std::vector<int>>& squares, std::vector<double>* X) const {
    std::vector<std::size_t> free;
    std::vector<Expr> symbols;
    for (std::size_t i = first; i < last; ++i) {
      if (std::find(states_.begin(), states_.end(), i) != states_.end()) continue;
      free.push_back(i);
      symbols.push_back(X_[i]);
    }
    const auto n = static_cast<Eigen::Index>(free.size()),
               m = static_cast<Eigen::Index>(rows.size() + squares.size());
    if (n == 0 || m == 0) return;
    const std::vector<std::vector<Expr>> slopes = jacobian(rows, symbols);
    for (int pass = 0; pass < 6; ++pass) {
      const StartState there = at(*X);
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(m, n);
      Eigen::VectorXd r(m);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        r(static_cast<Eigen::Index>(i)) = there.value(rows[i]);
        for (std::size_t j = 0; j < free.size(); ++j)
          J(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = there.value(slopes[i][j]);
      }
      for (std::size_t i = 0; i < squares.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(rows.size() + i);
        r(row) = -1;
        for (const int c : squares[i]) {
          const double e = (*X)[static_cast<std::size_t>(c)];
          r(row) += e * e;
          const auto place = std::find(free.begin(), free.end(), static_cast<std::size_t>(c));
          if (place != free.end()) J(row, place - free.begin()) = 2 * e;
        }
      }
      const Eigen::VectorXd change = J.completeOrthogonalDecomposition().solve(r);
      for (std::size_t j = 0; j < free.size(); ++j)
        (*X)[free[j]] -= change(static_cast<Eigen::Index>(j));
    }
  }

  const Kinematics& motion_;
  const StartState& state_;
  MotionSolver solver_;
  std::vector<std::string> names_;
  std::vector<Expr> X_, rates_, velocity_, position_;
  std::vector<std::vector<int>> squares_;
  std::vector<std::size_t> states_;
  std::size_t configuration_ = 0;
};

// Variations of one kind at the start of a motion, and later.
struct Variation {
  Variation(const MotionSystem& system, RotationChoice::Frame frame)
      : start(*system.compute_slopes(system.start_time(), system.start())),
        plan(make_variation_plan(system, start,
                                 RotationChoices(system.rotations().size(), {frame}))),
        at_start(compute_state_matrices(system, start, plan)) {}

  MotionNumbers start;
  VariationPlan plan;
  StateMatrices at_start;
};

// Whether all that the model specifies is defined: a random state gives functions that nobody defines
// values and rates that do not belong together, and then there is no motion to follow.
bool defines_all_functions(const ModelData& model) {
  return std::all_of(model.specified.begin(), model.specified.end(),
                     [](const SpecifiedData& s) { return s.definition.has_value(); });
}

// With x = P c, the same variations by rotation vectors and by coordinates: A_x = (P A_c + P') P^-1,
// where P' comes from differences along the motion. True when there are rotation vectors.
bool expect_rotations_agree(const MotionSystem& system, const Variation& by_coordinates) {
  bool is_turned = false;
  for (const auto frame : {RotationChoice::Frame::carrier, RotationChoice::Frame::body}) {
    const Variation turned(system, frame);
    if (turned.plan.states == by_coordinates.plan.states) continue;
    is_turned = true;
    const RateFunction rates = [&](double t, const Eigen::VectorXd& X, Eigen::VectorXd* rate) {
      return system.compute_rates(t, X, rate);
    };
    constexpr double h = 1e-3;
    std::vector<Eigen::MatrixXd> P;
    for (int k = 0; k <= 5; ++k) {
      const double t = system.start_time() + k * h;
      const FollowedMotion there =
          k == 0 ? FollowedMotion{t, system.start(), true}
                 : follow_motion(rates, system.start_time(), system.start(), t);
      const std::optional<MotionNumbers> n = system.compute_slopes(t, there.y);
      if (!there.has_arrived || !n) return false;
      P.push_back(compute_state_matrices(system, *n, turned.plan).S_X *
                  compute_state_matrices(system, *n, by_coordinates.plan).Q_T);
    }
    const Eigen::MatrixXd rate =
        (-137.0 / 60 * P[0] + 5 * P[1] - 5 * P[2] + 10.0 / 3 * P[3] - 1.25 * P[4] + 0.2 * P[5]) / h;
    const Eigen::MatrixXd left = turned.at_start.A * P[0],
                          right = P[0] * by_coordinates.at_start.A + rate;
    EXPECT_LT((left - right).norm(), 1e-6 * (1 + left.norm() + rate.norm()));
  }
  return is_turned;
}

TEST(Linearize, random_mechanisms_agree_with_differences_along_their_constraints) {
  // Differences of order 8: rounding of 1e-13/h in accelerations whose condition may reach 1e3.
  constexpr double difference_tolerance = 1e-7;
  constexpr Real step = 1.0L / 2048;
  int compared = 0, constrained = 0, hidden = 0, turned = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const mechanisms::RandomMechanism mechanism(
        seed, {.links = 4, .speeds = 6, .specified = seed % 4 == 0});
    const Kinematics motion = analyze_motion(mechanism.model);
    const mechanisms::MotionOracle oracle(motion);
    const std::optional<std::vector<Real>> values = mechanism.make_state(motion, oracle, 1);
    if (!values) continue;
    StartState state;
    state.symbols = oracle.symbols();
    for (std::size_t i = 0; i < values->size(); ++i) {
      state.values.push_back(static_cast<double>((*values)[i]));
      state.known[state.symbols[i]] = state.values.back();
    }
    const Equations equations = derive(motion);
    const Linearization result = linearize(equations, state);
    if (mentions(result.remarks, Kind::constraints_singular) ||
        result.failure.kind == Kind::rates_not_determined ||
        result.failure.kind == Kind::coordinates_singular)
      continue;
    ASSERT_FALSE(result.failure) << static_cast<int>(result.failure.kind);
    const Workspace work(equations.pool());
    const MotionSystem system(equations, state);
    const Variation by_coordinates(system, RotationChoice::Frame::coordinates);
    const Nearby nearby(equations, state, by_coordinates.plan.states);
    const Eigen::MatrixXd A = nearby.differences(step), B = nearby.differences(step / 2);
    const double size = A.size() == 0 ? 0.0 : A.cwiseAbs().maxCoeff();
    // Near a place where the constraints are singular, differences do not tell.
    if (!((A - B).norm() <= 0.1 * difference_tolerance * (1 + size))) continue;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      for (Eigen::Index j = 0; j < A.cols(); ++j)
        EXPECT_NEAR(by_coordinates.at_start.A(i, j), A(i, j), difference_tolerance * (1 + size))
            << by_coordinates.plan.states[static_cast<std::size_t>(i)] << ", "
            << by_coordinates.plan.states[static_cast<std::size_t>(j)];
    }
    if (defines_all_functions(motion.model()))
      turned += expect_rotations_agree(system, by_coordinates);
    ++compared;
    constrained += equations.rows.empty() ? 0 : 1;
    for (const FrameData& f : motion.model().frames) hidden += f.hidden.empty() ? 0 : 1;
  }
  EXPECT_GE(compared, 25);
  EXPECT_GE(constrained, 10);
  EXPECT_GE(hidden, 5);
  EXPECT_GE(turned, 10);
}

}  // namespace
}  // namespace visviva
