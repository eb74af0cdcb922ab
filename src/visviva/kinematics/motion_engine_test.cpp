// What the engine gives to equations: coefficients of u' and the part without u'.
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/core/workspace.h"

#include <gtest/gtest.h>

#include "visviva/kinematics/random_model_test.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {
namespace {

using mechanisms::Mechanism;

// Default and free speeds only, so that the engine needs no definitions.
template <class Claim>
void for_random_engines(std::uint64_t seed, const Claim& claim) {
  for (int i = 0; i < 30; ++i, ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Mechanism m(seed, {.frames = 5, .points = 4, .speeds = false, .exact_axes = true});
    const ModelData& model = m.model.data();
    const Kinematics motion = analyze_motion(m.model);
    const Workspace work(motion.pool());
    MotionEngine engine(m.model.share(),
                        make_speeds(model, std::vector<std::optional<Expr>>(model.speeds.size())),
                        work.pool());
    claim(m, motion, engine);
    if (testing::Test::HasFailure()) return;
  }
}

Vector with_speed_rates(const MotionEngine& engine, const VectorMotion& v, const Vector& like) {
  Column3 sum = zero_column(*engine.model().pool);
  for (const auto& [r, c] : v.coefficients) {
    sum = sum + engine.table().speeds[static_cast<std::size_t>(r)].rate * c;
  }
  return Vector(*like.model(), {{v.frame, sum}}, like.dimension());
}

TEST(MotionEngine, an_acceleration_is_partial_velocities_times_speed_rates_plus_the_remainder) {
  for_random_engines(1, [](const Mechanism& m, const Kinematics& motion, MotionEngine& engine) {
    for (const Point& P : m.points) {
      const Vector a = motion.acceleration(P);
      const int home = m.model.data().points[static_cast<std::size_t>(P.index())].home_frame;
      const Vector rest(*a.model(), {{home, engine.acceleration_remainder(P.index())}},
                        a.dimension());
      EXPECT_EQ(a, with_speed_rates(engine, engine.velocity(P.index()), a) + rest) << P.name();
    }
  });
}

TEST(MotionEngine, an_angular_acceleration_likewise) {
  for_random_engines(100, [](const Mechanism& m, const Kinematics& motion, MotionEngine& engine) {
    for (const Frame& B : m.frames) {
      const Vector alpha = motion.angular_acceleration(B);
      const Vector rest(*alpha.model(),
                        {{B.index(), engine.angular_acceleration_remainder(B.index())}},
                        alpha.dimension());
      const VectorMotion& w = engine.angular_velocity(B.index());
      const VectorMotion& w_B = engine.angular_velocity_in_frame(B.index());
      EXPECT_EQ(w_B.frame, B.index());
      EXPECT_EQ(alpha, with_speed_rates(engine, w, alpha) + rest) << B.name();
      EXPECT_EQ(alpha, with_speed_rates(engine, w_B, alpha) + rest) << B.name();
    }
  });
}

TEST(MotionEngine, parts_without_speed_rates_are_what_is_left_when_these_are_zero) {
  for_random_engines(200, [](const Mechanism& m, const Kinematics& motion, MotionEngine& engine) {
    Replacements still;
    for (const Speed& s : engine.table().speeds) {
      still.emplace_back(s.rate, m.model.data().pool->zero());
    }
    const Frame& N = m.frames[0];
    for (const Expr& e : motion.velocity(m.points.back()).in(N)) {
      EXPECT_EQ(engine.time_derivative_without_speed_rates(e),
                substitute(engine.time_derivative(e), still));
    }
    for (const Expr& e : (m.points.back() - m.points[0]).in(N)) {
      EXPECT_EQ(total(engine.rate_of(e), engine.table().symbols), engine.time_derivative(e));
    }
  });
}

}  // namespace
}  // namespace visviva
