// Recursions against the sums over coefficients, which positions along a path have confirmed (position_oracle_test.cpp).
#include "visviva/kinematics/total_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "visviva/kinematics/random_model_test.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

constexpr double rounding = 1e-10;  // of columns of size 1 to 100, at random values

// Orientations by four parameters are rotations where those have length 1.
void normalize_quaternions(const ModelData& model, const std::vector<Expr>& symbols,
                           std::vector<double>* values) {
  std::vector<std::vector<Expr>> groups;
  for (const auto& four : model.quaternions) {
    groups.emplace_back();
    for (const int i : four) groups.back().push_back(model.coordinates[i].q);
  }
  for (const FrameData& f : model.frames) {
    if (f.hidden.size() == 4) groups.push_back(f.hidden);
  }
  for (const std::vector<Expr>& four : groups) {
    std::vector<std::size_t> places;
    double square = 0;
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      if (std::find(four.begin(), four.end(), symbols[k]) == four.end()) continue;
      places.push_back(k);
      square += (*values)[k] * (*values)[k];
    }
    for (const std::size_t k : places) (*values)[k] /= std::sqrt(square);
  }
}

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
  normalize_quaternions(motion.model(), symbols, &values);
  const std::vector<double> found = Evaluator(symbols, all)(values);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double right = found[ours.size() + i];
    EXPECT_NEAR(found[i], right, rounding * (1 + std::abs(right))) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomTotal, testing::Range(0, 8));

}  // namespace
}  // namespace visviva
