// A stiff motion with an energy tolerance near rounding: implicit steps cannot hold it, explicit ones can.
//
// The example of the Mitiguy, chapter 34 with friction: its fast motion decays with about -500/s. The
// end is compared with CVODE's (A. C. Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005)).
#include <gtest/gtest.h>

#include "../trajectories/running.h"
#include "visviva/simulation/integrators/sundials_runner.h"

namespace visviva::validation {
namespace {

constexpr double energy = 1e-10;  // J; K2 grows to 183 J
// Of 1 + |y|. E_Z hardly sees the part of the motion that decays fast, so that its error may be far larger
// than that of E_Z.
constexpr double allowed = 1e-6;

TEST(Moderation, a_tolerance_that_implicit_steps_cannot_hold_is_held_by_explicit_ones) {
  const CompiledSystem system = compile_example("positioning_device");
  const Trajectory run = simulate(system, {.until = 20, .every = 20, .energy = energy});
  ASSERT_EQ(run.status, RunStatus::done) << why(run);
  EXPECT_LE(run.certificate.max_deviation, energy);
  EXPECT_EQ(run.method, "verner98");
  if (!has_sundials()) GTEST_SKIP() << "built without SUNDIALS (Debian: libsundials-dev)";
  const Trajectory other =
      simulate(system, {.until = 20, .every = 20, .tolerance = 1e-11, .method = "cvode-bdf"});
  ASSERT_EQ(other.status, RunStatus::done) << why(other);
  for (std::size_t i = 0; i < system.state_count(); ++i)
    EXPECT_NEAR(run.end_state[i], other.end_state[i], allowed * (1 + std::abs(run.end_state[i])))
        << run.state_names[i];
}

}  // namespace
}  // namespace visviva::validation
