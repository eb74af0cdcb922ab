// The N four-bar mechanism over time (IFToMM multibody benchmark A02): 2N+1 uniform links of 1 kg
// and 1 m, N+1 vertical cranks on the ground and N couplers on top. It passes through flat
// positions, where the degree of freedom jumps from 1 to N+1, twice a turn. All cranks stay
// parallel, so that the benchmark's answer is known to all digits: one equivalent crank with
// u' = 3 (3N+1)/(2 (4N+1)) (g/l) sin q.
#include "running.h"

namespace visviva::validation {
namespace {

std::string n_four_bar(int N) {
  std::string text = "parameter m = 1 kg, l = 1 m, g = 9.81 m/s^2\ngravity -g*N.y\n";
  for (int i = 0; i <= N; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "coordinate q" + n + " = 0 rad\n";
    text += "frame A" + n + " = rotate(N, z, -q" + n + ")\n";
    text += "point G" + n + " = No + " + n + "*l*N.x\n";
    text += "point T" + n + " = G" + n + " + l*A" + n + ".y\n";
    text += "body A" + n + " at G" + n + " + l/2*A" + n + ".y, mass m, rod length l along y\n";
    if (i == 0) continue;
    text += "coordinate p" + n + " = 0 rad\n";
    text += "frame B" + n + " = rotate(N, z, p" + n + ")\n";
    text += "body B" + n + " at T" + before + " + l/2*B" + n + ".x, mass m, rod length l along x\n";
    text +=
        "constraint loop" + n + ": dot(T" + before + " + l*B" + n + ".x - T" + n + ", N.x) = 0\n";
    text +=
        "constraint side" + n + ": dot(T" + before + " + l*B" + n + ".x - T" + n + ", N.y) = 0\n";
  }
  return text + R"(
start  q0' = 1 rad/s
output x = dot(T0 - No, N.x), y = dot(T0 - No, N.y)
output vx = dot(velocity(T0), N.x), vy = dot(velocity(T0), N.y)
)";
}

TEST(Trajectories, one_four_bar_turns_through_its_flat_positions_as_the_benchmark_does) {
  const Trajectory run = run_to(compile_text(n_four_bar(1)), 10, 1e-12);
  expect_last_row(run,
                  {{"x", 0.4783850577609706},
                   {"y", 0.8781501787912093},
                   {"vx", 1.727264075547154},
                   {"vy", -0.9409521793715156}},
                  1e-9);
}

// 81 bodies, 80 constraints.
TEST(Trajectories, forty_four_bars_turn_through_their_flat_positions_as_the_benchmark_does) {
  const Trajectory run = run_to(compile_text(n_four_bar(40)), 4, 1e-10);
  expect_last_row(run,
                  {{"x", 0.06934203222799917},
                   {"y", 0.9975929443247336},
                   {"vx", 1.023804387987769},
                   {"vy", -0.07116397251092174}},
                  1e-8);
  for (int i = 1; i <= 40; ++i)
    EXPECT_NEAR(at_end(run, "q" + std::to_string(i)), at_end(run, "q0"), 1e-8) << i;
}

}  // namespace
}  // namespace visviva::validation
