// Corners and jumps in prescribed motions and places: velocities jump by impulses that follow by hand, or
// the run is refused with the place. No corner is lost, whenever it comes and however steps fall.
#include <algorithm>
#include <cmath>

#include "../trajectories/running.h"
#include "visviva/kinematics/check_model.h"

namespace visviva::validation {
namespace {

constexpr double g = 9.81;

std::string in_tenths(int k) { return std::to_string(k / 10) + "." + std::to_string(k % 10); }

void expect_refused(const std::string& text, const std::string& words) {
  const Trajectory run = simulate(compile_text(text), {.until = 2});
  EXPECT_EQ(run.status, RunStatus::refused) << text;
  EXPECT_EQ(run.refusal, Refusal::jump) << why(run);
  EXPECT_NE(why(run).find(words), std::string::npos) << why(run);
}

// The bob of 1 kg hangs at rest below a pivot that moves at -1 m/s, then at 1 m/s. No impulse reaches it: q' = -2/s, and
// from then on q'^2/2 - g cos q = 2 - g in the pivot's frame.
TEST(Jumps, a_pivot_that_turns_back_is_seen_at_every_time) {
  for (int k = 1; k < 20; ++k) {
    const CompiledSystem system = compile_text("specified x(t) = 1 m/s*abs(t - " + in_tenths(k) +
                                               " s)\n"
                                               R"(
coordinate q
frame A = rotate(N, z, q)
particle Q at No + x*N.x - 1 m*A.y, mass 1 kg
gravity -9.81 m/s^2*N.y
)");
    for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
      const Trajectory run = simulate(system, {.until = 2, .tolerance = tolerance});
      ASSERT_EQ(run.status, RunStatus::done) << why(run);
      ASSERT_EQ(run.impulses.size(), 1u) << k << " " << tolerance;
      EXPECT_NEAR(run.impulses[0].time, 0.1 * k, 1e-13);
      EXPECT_NEAR(run.energies.at("E").end, 2 - g, 1e2 * tolerance);
    }
  }
}

// A table that begins to turn: by a step of its rate, or by a corner of its angle. Both are one mechanism, and the
// momentum that the body keeps says by how much its rates jump.
TEST(Jumps, a_rate_that_jumps_is_an_angle_with_a_corner) {
  const std::string body = R"(
coordinate e0 = 1, e1, e2, e3
frame B = quaternion(S, e0, e1, e2, e3)
body B at No + 0.4 m*S.x + 0.2 m*B.x + 0.1 m*B.z, mass 2 kg, inertia 0.05 kg*m^2, 0.08 kg*m^2, 0.1 kg*m^2
gravity -9.81 m/s^2*N.z
)";
  for (int k = 1; k < 20; ++k) {
    const std::string T = in_tenths(k) + " s";
    const CompiledSystem by_rate =
        compile_text("specified w(t) = 2 rad/s*step(t - " + T +
                     ") + 0.6 rad/s*cos(2 rad/s*t)\nframe S = spin(N, w*N.z)\n" + body);
    const CompiledSystem by_angle =
        compile_text("specified a(t) = 2 rad/s*max(0 s, t - " + T +
                     ") + 0.3 rad*sin(2 rad/s*t)\nframe S = rotate(N, z, a)\n" + body);
    const Trajectory first = simulate(by_rate, {.until = 2, .tolerance = 1e-9});
    const Trajectory second = simulate(by_angle, {.until = 2, .tolerance = 1e-9});
    ASSERT_EQ(first.impulses.size(), 1u) << k;
    ASSERT_EQ(second.impulses.size(), 1u) << k;
    EXPECT_NEAR(first.impulses[0].energy, second.impulses[0].energy, 1e-7);
    for (const char* name : {"B_wx", "B_wy", "B_wz"})
      EXPECT_NEAR(at_end(first, name), at_end(second, name), 1e-6) << k << name;
  }
}

// Nothing else moves: 2 kg from -1 m/s to 1 m/s take 4 N s and no energy, from 0 to 1 m/s 2 N s and 1 J.
TEST(Jumps, what_is_driven_takes_its_impulse_from_its_motor) {
  const auto strike = [](const std::string& x) {
    const Trajectory run = simulate(compile_text("specified x(t) = " + x + R"(
coordinate y, y' = 1 m/s
particle P at No + x*N.x, mass 2 kg
particle Q at No + y*N.y, mass 1 kg
)"),
                                    {.until = 2});
    EXPECT_EQ(run.impulses.size(), 1u) << why(run);
    EXPECT_EQ(at_end(run, "y'"), 1.0);
    return run.impulses.empty() ? ImpulseRecord{} : run.impulses[0];
  };
  const ImpulseRecord back = strike("1 m/s*abs(t - 1 s)"), off = strike("1 m/s*max(0 s, t - 1 s)");
  EXPECT_NEAR(back.impulse[0], 4.0, 1e-12);
  EXPECT_NEAR(back.energy, 0.0, 1e-12);
  EXPECT_NEAR(off.impulse[0], 2.0, 1e-12);
  EXPECT_NEAR(off.energy, 1.0, 1e-12);
  // A flywheel about N.z, I = 3 kg m^2.
  const Trajectory wheel = simulate(compile_text(R"(
specified a(t) = 2 rad/s*max(0 s, t - 1 s)
frame A = rotate(N, z, a)
body A at No, mass 1 kg, inertia 2 kg*m^2, 2 kg*m^2, 3 kg*m^2
)"),
                                    {.until = 2});
  ASSERT_EQ(wheel.impulses.size(), 1u);
  EXPECT_NEAR(wheel.impulses[0].moment[2], 6.0, 1e-12);
}

// Forces that jump, drives that bend without a corner and turning points are no blows.
TEST(Jumps, what_is_finite_gives_no_impulse) {
  for (const char* text :
       {"force F on Q = 5 N*step(t - 1 s)*N.x", "force F on Q = -1 N*sign(x')*N.x",
        "force F on Q = 20 N*step(t - 0.3 s)*sign(1 s - t)*N.x"}) {
    for (const char* drive : {"0 m", "1 m/s^2*max(0 s, t - 1 s)^2", "1 m*cos(pi*t/(1 s))"}) {
      const Trajectory run = simulate(compile_text(std::string("specified d(t) = ") + drive + R"(
coordinate x
particle P at No + d*N.y, mass 2 kg
particle Q at No + x*N.x, mass 1 kg
)" + text + "\n"),
                                      {.until = 2});
      EXPECT_EQ(run.status, RunStatus::done) << why(run);
      EXPECT_TRUE(run.impulses.empty()) << text << drive;
    }
  }
}

TEST(Jumps, places_that_jump_through_inverse_functions_are_refused) {
  const std::string on =
      "coordinate q\nframe A = rotate(N, z, q)\n"
      "particle Q at No + x*N.x - 1 m*A.y, mass 1 kg\n";
  expect_refused("specified x(t) = 1 m*atan(tan(2 rad/s*t))\n" + on, "jumps");
  expect_refused("specified x(t) = 1 m*atan2(sin(2 rad/s*t), cos(2 rad/s*t))\n" + on, "jumps");
  expect_refused("specified x(t) = 1 m*atan(1 s/(t - 1 s))\n" + on, "jumps");
  expect_refused("specified x(t) = 1 m*tanh(1 s/(t - 1 s))\n" + on, "jumps");
}

// A triangle wave by inverse functions: its velocity has no value where it turns.
TEST(Jumps, corners_of_inverse_functions_are_not_passed) {
  for (const char* wave : {"asin(sin(2 rad/s*t))", "acos(cos(2 rad/s*t + 0.1 rad))"}) {
    const Trajectory run = simulate(compile_text(std::string("specified x(t) = 1 m*") + wave + R"(
coordinate q
frame A = rotate(N, z, q)
particle Q at No + x*N.x - 1 m*A.y, mass 1 kg
)"),
                                    {.until = 2});
    EXPECT_EQ(run.status, RunStatus::refused) << wave;
    EXPECT_LT(run.t_end, 1.6) << wave;
  }
}

// A fold in a place: the particle's velocity is turned round there, and no force does it.
TEST(Jumps, a_corner_of_a_place_is_refused_where_it_is_met) {
  expect_refused("coordinate q = -1 m, q' = 1 m/s\nparticle P at No + abs(q)*N.x, mass 1 kg\n",
                 "corner");
}

TEST(Jumps, a_potential_that_jumps_through_an_inverse_function_is_none) {
  for (const char* V : {"atan(tan(q))", "atan(1/(q - 2))", "tanh(1/sin(q))*q"}) {
    const ModelReading reading =
        read_model({"validation.viva", std::string("coordinate q = 1 rad, q' = 3 rad/s\n"
                                                   "frame A = rotate(N, z, q)\n"
                                                   "body A at No, mass 1 kg, inertia 1 kg*m^2, "
                                                   "1 kg*m^2, 1 kg*m^2\npotential V = 1 J*") +
                                           V + "\n"},
                   {});
    ASSERT_TRUE(reading.model);
    const Kinematics motion = analyze_motion(*reading.model);
    const std::vector<Diagnostic> found = check_model(motion, make_consistent_start(motion));
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const Diagnostic& d) {
      return d.code == "E-potential-jump";
    })) << V;
  }
}

}  // namespace
}  // namespace visviva::validation
