// Recursions against the sums over coefficients, which positions along a path have confirmed (position_oracle_test.cpp).
#include "visviva/kinematics/total_motion.h"

#include <gtest/gtest.h>

#include "visviva/kinematics/random_model_test.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

constexpr double rounding = 1e-10;  // of columns of size 1 to 100, at random values

class RandomTotal : public testing::TestWithParam<int> {};

TEST_P(RandomTotal, motion_is_that_of_all_coefficients) {
  mechanisms::Mechanism m(static_cast<std::uint64_t>(GetParam()), mechanisms::Options{});
  const Kinematics motion = analyze_motion(m.model);
  const Workspace work = Workspace::continued(*motion.pool());
  TotalMotion whole(motion);
  std::vector<Expr> ours, expected;
  const auto add = [&](const Column3& a, const Vector& b) {
    const Column3 c = b.is_zero() ? zero_column(work.pool()) : b.in(motion.frames()[0]);
    ours.insert(ours.end(), a.begin(), a.end());
    expected.insert(expected.end(), c.begin(), c.end());
  };
  for (const Point& P : motion.points()) {
    add(whole.position(P.index()), P - motion.points()[0]);
    add(whole.velocity(P.index()), motion.velocity(P));
    add(whole.acceleration(P.index()), motion.acceleration(P));
  }
  for (const Frame& F : motion.frames()) {
    add(whole.angular_velocity(F.index()), motion.angular_velocity(F));
    add(whole.angular_acceleration(F.index()), motion.angular_acceleration(F));
  }
  std::vector<Expr> all = ours;
  all.insert(all.end(), expected.begin(), expected.end());
  const std::vector<Expr> symbols = free_symbols(all);
  mechanisms::Random random(static_cast<std::uint64_t>(GetParam()) + 100);
  std::vector<double> values;
  for (std::size_t i = 0; i < symbols.size(); ++i) values.push_back(random.uniform(0.2, 0.9));
  const std::vector<double> found = Evaluator(symbols, all)(values);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double right = found[ours.size() + i];
    EXPECT_NEAR(found[i], right, rounding * (1 + std::abs(right))) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomTotal, testing::Range(0, 8));

}  // namespace
}  // namespace visviva
