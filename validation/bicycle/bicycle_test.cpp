// The Whipple bicycle with the benchmark values of Meijaard, Papadopoulos, Ruina & Schwab,
// Proceedings of the Royal Society A 463 (2007), 1955-1982: its linearized lean and steer at
// forward speeds of 0 to 5 m/s, as SymPy's test_kane3.py has them.
//
// Yaw q1, lean q2, rear wheel q3, pitch q4, steer q5, front wheel q6; z points up, x forward. The
// steering axis is Frame.x; inertias are given in frames that stand upright.
#include <algorithm>

#include "../expect.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/small_motion/linearize.h"

namespace visviva::validation {
namespace {

const char* const bicycle = R"(
parameter  v = 0 m/s, g = 9.81 m/s^2
parameter  rR = 0.3 m, rF = 0.35 m, hta = 72 deg, trail = 0.08 m, base = 1.02 m
parameter  xB = 0.3 m, zB = 0.9 m, xH = 0.9 m, zH = 0.7 m
let        rake = rF*cos(hta) - trail*sin(hta)
let        frame_length = base*sin(hta) - (rake - (rF - rR)*cos(hta))
let        fork_length = base*cos(hta) - (rF - rR)*sin(hta)

coordinate q1 = 0 rad, q2 = 0 rad, q3 = 0 rad, q4 = 0 rad, q5 = 0 rad, q6 = 0 rad, x = 0 m, y = 0 m
start      q2' = 0 rad/s, q5' = 0 rad/s, q3' = v/rR
dependent  q1', q4', q6', x', y'
frame      Y = rotate(N, z, q1)
frame      R = rotate(Y, x, q2)
frame      Frame = rotate(R, y, q4 + hta)
frame      Fork = rotate(Frame, x, q5)
frame      Rear = rotate(Frame, y, q3)
frame      Front = rotate(Fork, y, q6)
frame      B = rotate(Frame, y, -hta)
frame      H = rotate(Fork, y, -hta)

point      RearContact = No + x*N.x + y*N.y
body       Rear at RearContact + rR*R.z, mass 2 kg,
                inertia 0.0603 kg*m^2, 0.12 kg*m^2, 0.0603 kg*m^2
point      Steer = Rearcm + frame_length*Frame.z
body       Front at Steer + fork_length*Fork.x + rake*Fork.z, mass 3 kg,
                inertia 0.1405 kg*m^2, 0.28 kg*m^2, 0.1405 kg*m^2
body       B at Rearcm + xB*B.x + (zB - rR)*B.z, mass 85 kg,
                inertia 9.2 kg*m^2, 11 kg*m^2, 2.8 kg*m^2, 0, 0, -2.4 kg*m^2
body       H at Frontcm + (xH - base)*H.x + (zH - rF)*H.z, mass 4 kg,
                inertia 0.05892 kg*m^2, 0.06 kg*m^2, 0.00708 kg*m^2, 0, 0, 0.00756 kg*m^2
point      FrontContact = Frontcm + rF*unit(dot(Fork.y, N.z)*Fork.y - N.z)
gravity    -g*N.z

constraint ground: dot(FrontContact - No, N.z) = 0
)";

// Rolling as conditions in the plane; that the front wheel stays on the ground is `ground`.
const char* const in_the_plane = R"(
constraint dot(velocity(RearContact on Rear), N.x) = 0
constraint dot(velocity(RearContact on Rear), N.y) = 0
constraint dot(velocity(FrontContact on Front), N.x) = 0
constraint dot(velocity(FrontContact on Front), N.y) = 0
)";

// The front wheel's roll says once more, as a condition on motion, what `ground` says.
const char* const with_a_redundant_row = R"(
roll       rear: Rear on N at RearContact
roll       front: Front on N at FrontContact
)";

void expect_benchmark(const std::string& text) {
  for (int v = 0; v <= 5; ++v) {
    SCOPED_TRACE(v);
    const Mechanism mechanism(text, {.settings = {{"v", std::to_string(v)}}});
    const Linearization linear =
        linearize(derive(mechanism.motion()), make_consistent_start(mechanism.motion()));
    ASSERT_FALSE(linear.failure) << static_cast<int>(linear.failure.kind);
    EXPECT_TRUE(linear.is_steady);
    // Its place and the turn of its wheels grow evenly: those modes coincide.
    for (const SmallMotionReason& r : linear.remarks)
      EXPECT_EQ(static_cast<int>(r.kind),
                static_cast<int>(SmallMotionReason::Kind::modes_coincide));
    const auto entry = [&](const std::string& row, const std::string& column) {
      const auto place = [&](const std::string& name) {
        const auto found = std::find(linear.states.begin(), linear.states.end(), name);
        if (found == linear.states.end()) throw std::runtime_error("no state " + name);
        return static_cast<std::size_t>(found - linear.states.begin());
      };
      return linear.A[place(row)][place(column)];
    };
    const double tolerance = 1e-11;  // of numbers up to 50
    EXPECT_NEAR(entry("q2'", "q2"), 9.48977444677355, tolerance);
    EXPECT_NEAR(entry("q2'", "q5"), -0.891197738059089 * v * v - 0.571523173729245, tolerance);
    EXPECT_NEAR(entry("q2'", "q2'"), -0.105522449805691 * v, tolerance);
    EXPECT_NEAR(entry("q2'", "q5'"), -0.330515398992311 * v, tolerance);
    EXPECT_NEAR(entry("q5'", "q2"), 11.7194768719633, tolerance);
    EXPECT_NEAR(entry("q5'", "q5"), -1.97171508499972 * v * v + 30.9087533932407, tolerance);
    EXPECT_NEAR(entry("q5'", "q2'"), 3.67680523332152 * v, tolerance);
    EXPECT_NEAR(entry("q5'", "q5'"), -3.08486552743311 * v, tolerance);
  }
}

TEST(Bicycle, leans_and_steers_as_the_benchmark_does) {
  expect_benchmark(std::string(bicycle) + in_the_plane);
}

TEST(Bicycle, leans_and_steers_alike_on_rolling_wheels_with_a_redundant_row) {
  expect_benchmark(std::string(bicycle) + with_a_redundant_row);
}

// Upright and straight at constant speed is a motion without acceleration.
TEST(Bicycle, straight_ahead_it_keeps_its_speed) {
  const Mechanism mechanism(std::string(bicycle) + in_the_plane, {.settings = {{"v", "4"}}});
  for (const Equations& e : derive_by(mechanism)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    const StartSolution start(e);
    EXPECT_EQ(start.solved().constraint_rank, 5);
    EXPECT_NEAR(start.value(mechanism.speed("x'").u), 4, 1e-12);
    EXPECT_NEAR(start.value(mechanism.speed("q6'").u), 4 / 0.35, 1e-11);
    for (const double rate : start.solved().speed_rates) EXPECT_NEAR(rate, 0, 1e-10);
  }
}

}  // namespace
}  // namespace visviva::validation
