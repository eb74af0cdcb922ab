// Five hundred random mechanisms: all methods agree exactly, and their equations are those that
// positions alone give.
//
// A failure prints its seed and the mechanism in the model language; switch off Features that it
// does not need to make it small.
#include <gtest/gtest.h>

#include <iostream>

#include "visviva/equations/testing/mechanism_checks_test.h"

namespace visviva {
namespace {

using namespace mechanisms;

struct Tally {
  int mechanisms = 0, constrained = 0, states = 0, four_methods = 0, speeds = 0;
};

Tally check_seeds(std::uint64_t first, std::uint64_t last, const Features& features = {}) {
  Tally tally;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    try {
      const MechanismReport report = check_mechanism(seed, features);
      ++tally.mechanisms;
      tally.constrained += report.rows > 0 ? 1 : 0;
      tally.states += report.states;
      tally.four_methods += report.methods == 4 ? 1 : 0;
      tally.speeds += report.speeds;
      if (report.failures.empty()) continue;
      std::string all;
      for (const std::string& failure : report.failures) all += failure + "\n";
      ADD_FAILURE() << "seed " << seed << "\n" << all << RandomMechanism(seed, features).text();
    } catch (const std::exception& e) {
      ADD_FAILURE() << "seed " << seed << ": " << e.what() << "\n"
                    << RandomMechanism(seed, features).text();
    }
  }
  std::cout << "seeds " << first << " to " << last << ": " << tally.constrained
            << " with constraints, " << tally.states << " states, " << tally.speeds << " speeds, "
            << tally.four_methods << " by all four methods\n";
  return tally;
}

// Of a hundred mechanisms, so that the checks cannot pass by not being made.
void expect_variety(const Tally& tally) {
  EXPECT_EQ(tally.mechanisms, 100);
  EXPECT_GT(tally.constrained, 25);
  EXPECT_GT(tally.states, 80);
  EXPECT_GT(tally.four_methods, 95);
}

TEST(random_mechanisms, methods_agree_and_power_balances_from_seed_1) {
  expect_variety(check_seeds(1, 100));
}
TEST(random_mechanisms, methods_agree_and_power_balances_from_seed_101) {
  expect_variety(check_seeds(101, 200));
}
TEST(random_mechanisms, methods_agree_and_power_balances_from_seed_201) {
  expect_variety(check_seeds(201, 300));
}
TEST(random_mechanisms, methods_agree_and_power_balances_from_seed_301) {
  expect_variety(check_seeds(301, 400));
}
TEST(random_mechanisms, methods_agree_and_power_balances_from_seed_401) {
  expect_variety(check_seeds(401, 500));
}

TEST(random_mechanisms, prove_itself_says_equal) {
  for (std::uint64_t seed = 501; seed <= 520; ++seed) {
    const RandomMechanism mechanism(seed);
    const Proof proof = prove(analyze_motion(mechanism.model));
    EXPECT_EQ(proof.verdict, Verdict::equal) << "seed " << seed << "\n" << mechanism.text();
    EXPECT_EQ(proof.methods.size(), 4u) << "seed " << seed;
    // The bound grows with the degrees of all entries compared; a user is told it.
    EXPECT_LT(proof.error_probability, 1e-6) << "seed " << seed;
  }
}

// ---- The oracle itself, against equations that every textbook has

// A cart of mass M on a rail, a bob of mass m on a rod of length L:
//   (M + m) x'' + m L cos(q) q'' = m L sin(q) q'^2 + F
//   m L cos(q) x'' + m L^2 q'' = -m g L sin(q)
TEST(motion_oracle, gives_the_equations_of_a_pendulum_on_a_cart) {
  using namespace units;
  Model model("cart");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.3 * m}),
                 q = model.coordinate("q", {.start = 0.7});
  const Frame A = model.frame("A", rotate(N, Axis::z, q));
  const Point C = model.particle("C", {.at = N.origin() + x * N.x(), .mass = 3 * kg});
  model.particle("P", {.at = C + -0.5 * m * A.y(), .mass = 2 * kg});
  model.gravity(-9.81 * units::m / (s * s) * N.y());
  model.force("F", {.on = C, .value = 4 * units::N * N.x()});
  const MotionOracle oracle(analyze_motion(model));
  const Real sine = std::sin(0.7L), cosine = std::cos(0.7L);
  const MotionOracle::Numbers e = oracle.assemble({0, 0.3L, 0.7L, -0.2L, 1.5L});
  const double tolerance = 1e-13;  // of the differences
  EXPECT_NEAR(static_cast<double>(e.M(0, 0)), 5.0, tolerance);
  EXPECT_NEAR(static_cast<double>(e.M(0, 1) - cosine), 0.0, tolerance);
  EXPECT_NEAR(static_cast<double>(e.M(1, 1)), 0.5, tolerance);
  EXPECT_NEAR(static_cast<double>(e.f(0) - (sine * 2.25L + 4)), 0.0, tolerance);
  EXPECT_NEAR(static_cast<double>(e.f(1) + 9.81L * sine), 0.0, tolerance);
}

// A bead pulled along a plane by a knife edge that turns at q' (Chaplygin's sleigh with the blade
// at the mass center): -sin(q) x' + cos(q) y' = 0, so that b = cos(q) q' x' + sin(q) q' y'.
TEST(motion_oracle, gives_the_rows_of_a_knife_edge) {
  using namespace units;
  Model model("sleigh");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m}),
                 y = model.coordinate("y", {.start = 0 * m}),
                 q = model.coordinate("q", {.start = 0.4});
  const Frame B = model.frame("B", rotate(N, Axis::z, q));
  const Quantity I = 0.1 * kg * m * m;
  const Point P = model.body(
      B, {.at = N.origin() + x * N.x() + y * N.y(), .mass = 2 * kg, .inertia = {I, I, I}});
  model.constraint("edge", dot(velocity(P), B.y()));
  const MotionOracle oracle(analyze_motion(model));
  const Real c = std::cos(0.4L), s_ = std::sin(0.4L);
  const MotionOracle::Numbers e = oracle.assemble({0, 0, 0, 0.4L, c, s_, 1.1L});
  const double tolerance = 1e-13;  // of the differences
  EXPECT_NEAR(static_cast<double>(e.A(0, 0) + s_), 0.0, tolerance);
  EXPECT_NEAR(static_cast<double>(e.A(0, 1) - c), 0.0, tolerance);
  EXPECT_NEAR(static_cast<double>(e.A(0, 2)), 0.0, tolerance);
  EXPECT_NEAR(static_cast<double>(e.b(0) - 1.1L), 0.0, tolerance);
}

}  // namespace
}  // namespace visviva
