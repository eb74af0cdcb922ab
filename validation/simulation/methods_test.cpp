// Methods: stiff motions, other people's integrators, moving constraints, and quaternions.
#include <cmath>
#include <string>

#include "../trajectories/running.h"

namespace visviva::validation {
namespace {

// ---- Stiff motions

// A particle on a spring and a damper so strong that one eigenvalue is about -c, the other -1/s:
// x'' + (c + 1) x' + c x = 0 has x = (c e^(-t) - e^(-c t))/(c - 1) from x = 1, x' = 0.
CompiledSystem make_overdamped(double c) {
  return compile_text("parameter c = " + std::to_string(c) + R"( N/m
coordinate x = 1 m
particle   P at No + x*N.x, mass 1 kg
force      F on P = (-(c*1 s + 1 N*s/m)*x' - c*x)*N.x
)");
}

TEST(Stiffness, automatic_runs_go_over_to_radau5_and_follow_the_closed_form) {
  for (const double c : {500.0, 1e4, 1e6}) {
    const CompiledSystem system = make_overdamped(c);
    const double until = 5.0;
    const Trajectory run = simulate(system, {.until = until, .tolerance = 1e-8});
    ASSERT_EQ(run.status, RunStatus::done) << why(run);
    EXPECT_NEAR(run.end_state[0], c * std::exp(-until) / (c - 1), 1e-7) << c;
    // An explicit method of 16 stages is stable up to h c = 5 or so.
    const double explicit_cost = 16 * c * until / 5;
    if (c > 1e3) {
      EXPECT_NE(run.method.find("radau5"), std::string::npos) << c;
      EXPECT_LT(static_cast<double>(run.evaluations), 0.2 * explicit_cost) << c;
    }
    EXPECT_LT(static_cast<double>(run.evaluations), 3 * explicit_cost) << c;
  }
}

TEST(Stiffness, energy_is_kept_across_the_change_of_method) {
  const CompiledSystem system = make_overdamped(1e5);
  const Trajectory run = simulate(system, {.until = 5, .energy = 1e-4});
  EXPECT_EQ(run.status, RunStatus::done) << why(run);
  EXPECT_EQ(run.certificate.holds(), true);
  EXPECT_NEAR(run.end_state[0], 1e5 * std::exp(-5.0) / (1e5 - 1), 1e-4);
}

// The damper acts until t = 1 s; then the motion is free, and nothing is stiff.
TEST(Stiffness, the_explicit_method_comes_back_when_the_stiffness_is_over) {
  const CompiledSystem system = compile_text(R"(
coordinate x = 1 m, y = 1 m
particle   P at No + x*N.x, mass 1 kg
particle   Q at No + y*N.y, mass 1 kg
force      F on P = -(1e5 N*s/m*x' + 1e5 N/m*x)*step(1 s - t)*N.x
spring     S on y, stiffness 100 N/m, rest 0 m
)");
  const Trajectory run = simulate(system, {.until = 101, .tolerance = 1e-10});
  ASSERT_EQ(run.status, RunStatus::done) << why(run);
  EXPECT_NE(run.method.find("radau5"), std::string::npos);
  EXPECT_NEAR(at_end(run, "y"), std::cos(1010.0), 1e-5);
  const auto count = [&](double from, double until, const char* method) {
    return simulate(system, {.from = from, .until = until, .tolerance = 1e-10, .method = method})
        .evaluations;
  };
  // As much as the stiff part and an explicit run over the rest; radau5 needs ten times as much there.
  EXPECT_LT(10 * run.evaluations, 11 * (count(0, 1, "auto") + count(1.1, 101, "verner98")));
  EXPECT_LT(5 * run.evaluations, count(1.1, 101, "radau5"));
}

// ---- Others' integrators

const char* const double_pendulum = R"(
coordinate q1 = 60 deg, q2 = 30 deg
frame      A = rotate(N, z, q1)
frame      B = rotate(N, z, q2)
particle   P at No - 1 m*A.y, mass 1 kg
particle   Q at P - 0.7 m*B.y, mass 2 kg
gravity    -9.81 m/s^2*N.y
damper     D on q1, rate 0.1 N*m*s
)";

TEST(Methods, own_steppers_and_those_of_sundials_agree) {
  const CompiledSystem system = compile_text(double_pendulum);
  const Trajectory reference = run_to(system, 3);
  for (const char* method : {"dop853", "dopri5", "radau5", "cvode", "cvode-bdf", "ida"}) {
    const Trajectory run = simulate(system, {.until = 3, .tolerance = 1e-12, .method = method});
    ASSERT_EQ(run.status, RunStatus::done) << method << ": " << why(run);
    for (std::size_t i = 0; i < reference.end_state.size(); ++i)
      EXPECT_NEAR(run.end_state[i], reference.end_state[i], 1e-8) << method << ' ' << i;
  }
}

TEST(Methods, all_keep_the_energy_that_is_asked_for) {
  const CompiledSystem system = compile_text(double_pendulum);
  for (const char* method : {"auto", "dop853", "dopri5", "radau5", "cvode", "cvode-bdf", "ida"}) {
    const Trajectory run = simulate(system, {.until = 3, .energy = 1e-6, .method = method});
    EXPECT_EQ(run.status, RunStatus::done) << method << ": " << why(run);
    EXPECT_EQ(run.certificate.holds(), true) << method;
    EXPECT_LE(run.certificate.max_deviation, 1e-6) << method;
  }
}

TEST(Methods, a_relative_tolerance_is_a_part_of_the_energy_that_moves) {
  const CompiledSystem system = compile_text(double_pendulum);
  const Trajectory run = simulate(system, {.until = 3, .energy = 1e-7, .is_energy_relative = true});
  EXPECT_EQ(run.status, RunStatus::done) << why(run);
  // At rest at the start: what falls is at most 3 g (1 - cos 60 deg) + 2 g 0.7 (1 - cos 30 deg) = 16.6 J,
  // and K2 + |U - U(start)| at most twice that.
  ASSERT_TRUE(run.certificate.tolerance.has_value());
  EXPECT_GT(*run.certificate.tolerance, 1e-7 * 16);
  EXPECT_LT(*run.certificate.tolerance, 1e-7 * 34);
  EXPECT_LE(run.certificate.max_deviation, *run.certificate.tolerance);
}

// ---- Moving constraints

// A particle on a circle whose centre moves along N.x with 1 m/s, without forces: seen from the centre it
// goes round with constant speed, and each coordinate in turn is a bad one to depend on.
TEST(Partition, other_speeds_become_dependent_as_a_motion_goes_round) {
  const CompiledSystem system = compile_text(R"(
coordinate x = 1 m, y = 0 m, x' = 1 m/s, y' = 2 m/s
specified  c(t) = 1 m/s*t
particle   P at No + x*N.x + y*N.y, mass 1 kg
constraint circle: (x - c)^2 + y^2 = 1 m^2
)");
  const Trajectory run = simulate(system, {.until = 10, .tolerance = 1e-12, .energy = 1e-8});
  ASSERT_EQ(run.status, RunStatus::done) << why(run);
  EXPECT_NEAR(at_end(run, "x"), 10 + std::cos(20.0), 1e-8);
  EXPECT_NEAR(at_end(run, "y"), std::sin(20.0), 1e-8);
  EXPECT_EQ(run.certificate.holds(), true);
  EXPECT_GE(run.certificate.partition_changes, 6);  // 3.2 turns, four quarters each
  EXPECT_GT(run.certificate.partition_jumps, 0.0);
  EXPECT_GE(run.restarts, static_cast<std::size_t>(run.certificate.partition_changes));
}

// ---- Quaternions

double norm_of(const Trajectory& run, std::size_t first) {
  double sum = 0.0;
  for (std::size_t i = first; i < first + 4; ++i) sum += run.end_state[i] * run.end_state[i];
  return std::sqrt(sum);
}

// A symmetric body without torque: in body axes the rates turn about z with (C - A)/A wz. With A = 2, C = 1,
// wz = 3: wx = cos(1.5 t), wy = -sin(1.5 t).
TEST(Quaternions, stay_unit_over_many_turns_of_a_free_body) {
  const CompiledSystem system = compile_text(R"(
coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0
frame      B = quaternion(N, e0, e1, e2, e3)
body       B at No, mass 1 kg, inertia 2 kg*m^2, 2 kg*m^2, 1 kg*m^2
start      B_wx = 1 rad/s, B_wy = 0 rad/s, B_wz = 3 rad/s
)");
  const double until = 1000;
  const Trajectory run = run_to(system, until);
  ASSERT_EQ(system.quaternions().size(), 1u);
  EXPECT_NEAR(norm_of(run, static_cast<std::size_t>(system.quaternions()[0])), 1.0, 1e-14);
  expect_end(run,
             {{"B_wx", std::cos(1.5 * until)}, {"B_wy", -std::sin(1.5 * until)}, {"B_wz", 3.0}},
             1e-9);
}

// A frame known by its angular velocity: the attitude is hidden. The angular momentum in N, which takes the
// attitude to compute, is what it was at the start and what the torque has added.
TEST(Quaternions, the_hidden_one_of_a_spin_stays_unit_too) {
  const CompiledSystem system = compile_text(R"(
speed      wx, wy, wz
frame      B = spin(N, wx*N.x + wy*N.y + wz*N.z)
body       B at No, mass 1 kg, inertia 2 kg*m^2, 3 kg*m^2, 1 kg*m^2
torque     T on B = 0.01 N*m*N.z
start      wx = 1 rad/s, wy = 0.5 rad/s, wz = 3 rad/s
output     Hx = dot(angular_momentum(B, Bcm), N.x), Hy = dot(angular_momentum(B, Bcm), N.y)
output     Hz = dot(angular_momentum(B, Bcm), N.z)
)");
  ASSERT_EQ(system.quaternions().size(), 1u);
  const Trajectory run = simulate(system, {.until = 200, .tolerance = 1e-13, .energy = 1e-6});
  ASSERT_EQ(run.status, RunStatus::done) << why(run);
  EXPECT_NEAR(norm_of(run, static_cast<std::size_t>(system.quaternions()[0])), 1.0, 1e-14);
  expect_last_row(run, {{"Hx", 2.0}, {"Hy", 1.5}, {"Hz", 3.0 + 0.01 * 200}}, 1e-9);
  for (const std::string& column : run.columns)
    EXPECT_EQ(column.find('.'), std::string::npos) << column;
}

}  // namespace
}  // namespace visviva::validation
