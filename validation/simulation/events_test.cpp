// Events and switches against closed forms.
#include <algorithm>
#include <cmath>
#include <fstream>

#include "../trajectories/running.h"
#include "visviva/base/spline.h"

namespace visviva::validation {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double event_accuracy = 1e-12;   // of times that are roots of polynomials
constexpr double switch_accuracy = 1e-10;  // of states behind several switches

// A particle of 1 kg on the line N.x.
CompiledSystem make_particle(const std::string& start, const std::string& more) {
  return compile_text("coordinate x = " + start + "\nparticle P at No + x*N.x, mass 1 kg\n" + more);
}

RunOptions run_until(double until) { return {.until = until, .tolerance = 1e-12}; }

// ---- Events

// x = 5 t - 5 t^2 + 1: x = 2 at (5 -+ sqrt(5))/10, x = 0 at (5 + sqrt(45))/10.
TEST(Events, crossings_of_a_free_fall_have_the_times_and_directions_of_its_parabola) {
  const CompiledSystem system = make_particle("1 m, x' = 5 m/s", R"(
gravity -10 m/s^2*N.x
event level when x = 2 m
event ground when x = 0 m, stop
event never when x = 3 m
)");
  for (const char* method : {"auto", "dopri5", "dop853", "radau5", "cvode", "ida", "variational"}) {
    RunOptions options = run_until(10);
    options.method = method;
    // Those that go by many small steps add their roundings up.
    const bool is_own = std::string(method) != "cvode" && std::string(method) != "ida";
    const double accuracy = is_own ? event_accuracy : 1e-9;
    const Trajectory run = simulate(system, options);
    EXPECT_EQ(run.status, RunStatus::done) << why(run);
    EXPECT_EQ(why(run), "event ground");
    ASSERT_EQ(run.events.size(), 3u) << method;
    EXPECT_NEAR(run.events[0].time, (5 - std::sqrt(5.0)) / 10, accuracy);
    EXPECT_NEAR(run.events[1].time, (5 + std::sqrt(5.0)) / 10, accuracy);
    EXPECT_NEAR(run.events[2].time, (5 + std::sqrt(45.0)) / 10, accuracy);
    EXPECT_TRUE(run.events[0].is_rising);
    EXPECT_FALSE(run.events[1].is_rising);
    EXPECT_FALSE(run.events[2].is_rising);
    EXPECT_TRUE(run.events[2].is_stop);
    EXPECT_NEAR(run.t_end, (5 + std::sqrt(45.0)) / 10, accuracy);
    EXPECT_NEAR(run.end_state[0], 0.0, accuracy);
    EXPECT_NEAR(run["t"].back(), run.t_end, 0);
    EXPECT_NEAR(run["x"].back(), 0.0, accuracy);
  }
}

// x = 1 m*t/(1 s) - 1 m is touched by its square and by its size, once, at 1 s.
TEST(Events, roots_that_are_touched_are_found_and_stop_runs) {
  for (const char* touch : {"(x - 1 m)^2 = 0", "abs(x - 1 m) = 0", "1 - cos(x/(1 m) - 1) = 0",
                            "(t - 1 s)^2 = 0", "1 - sin(pi/2*t/(1 s)) = 0"}) {
    const CompiledSystem system =
        make_particle("0 m, x' = 1 m/s", std::string("event e when ") + touch + ", stop\n");
    const Trajectory run = simulate(system, run_until(1.9));
    ASSERT_EQ(run.events.size(), 1u) << touch;
    EXPECT_TRUE(run.events[0].is_touch) << touch;
    EXPECT_NEAR(run.events[0].time, 1.0, 1e-7) << touch;
    EXPECT_NEAR(run.t_end, 1.0, 1e-7) << touch;
  }
  const CompiledSystem beside =
      make_particle("0 m, x' = 1 m/s", "event e when (x - 1 m)^2 + 1e-11 m^2 = 0\n");
  const Trajectory run = simulate(beside, run_until(1.9));
  EXPECT_TRUE(run.events.empty());
  ASSERT_EQ(run.event_doubts.size(), 1u);
  EXPECT_EQ(run.event_doubts[0].near, 1u);
}

// cos t = 0 at (k + 1/2) pi, in turn falling and rising.
TEST(Events, all_zeros_of_an_oscillation_are_found) {
  const CompiledSystem system = make_particle("1 m", R"(
spring S on x, stiffness 1 N/m, rest 0 m
event zero when x = 0 m
)");
  const Trajectory run = simulate(system, run_until(100));
  ASSERT_EQ(run.events.size(), 32u);  // 31.5 pi < 100 < 32.5 pi
  for (std::size_t k = 0; k < run.events.size(); ++k) {
    EXPECT_NEAR(run.events[k].time, (static_cast<double>(k) + 0.5) * pi, 1e-9);
    EXPECT_EQ(run.events[k].is_rising, k % 2 == 1);
  }
}

TEST(Events, a_start_on_the_surface_is_none_but_the_return_is) {
  const CompiledSystem system = make_particle("0 m, x' = 5 m/s", R"(
gravity -10 m/s^2*N.x
event ground when x = 0 m, stop
)");
  const Trajectory run = simulate(system, run_until(10));
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(run.t_end, 1.0, event_accuracy);
}

TEST(Events, an_event_at_the_end_of_a_step_counts_once) {
  // x = t - 1/2 is 0 at the end of the second step of 1/4 to the last bit.
  const CompiledSystem system = make_particle("-0.5 m, x' = 1 m/s", "event zero when x = 0 m\n");
  const Trajectory run = simulate(system, {.until = 1, .max_step = 0.25});
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(run.events[0].time, 0.5, event_accuracy);
  EXPECT_TRUE(run.events[0].is_rising);
}

TEST(Events, an_event_at_the_end_of_the_run_is_recorded) {
  const CompiledSystem system =
      make_particle("-1 m, x' = 1 m/s", "event zero when x = 0 m, stop\n");
  const Trajectory run = simulate(system, run_until(1));
  EXPECT_EQ(run.status, RunStatus::done);
  EXPECT_NEAR(run.t_end, 1.0, event_accuracy);
  EXPECT_LE(run.events.size(), 1u);  // the last bit decides
}

TEST(Events, times_before_zero_are_like_others) {
  const CompiledSystem system = make_particle("-1 m, x' = 1 m/s", R"(
event first when x = 1 m
event last when x = 2 m, stop
)");
  RunOptions options = run_until(-1);
  options.from = -10;
  const Trajectory run = simulate(system, options);
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_NEAR(run.events[0].time, -8.0, 1e-11);
  EXPECT_NEAR(run.t_end, -7.0, 1e-11);
  EXPECT_EQ(run.events[1].time, run.events.back().time);
}

// The wall is where the force switches: the event must not be lost in the switching.
TEST(Events, an_event_on_the_surface_of_a_switch_is_found) {
  const CompiledSystem system = make_particle("-1 m, x' = 1 m/s", R"(
force F on P = -4 N/m*max(x, 0 m)*N.x
event hit when x = 0 m
event middle when x = -0.5 m
)");
  const Trajectory run = simulate(system, run_until(2 + pi / 2));
  ASSERT_EQ(run.events.size(), 4u);
  const double times[] = {0.5, 1.0, 1 + pi / 2, 1.5 + pi / 2};
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(run.events[i].time, times[i], 1e-10) << run.events[i].name;
}

// ---- Switches

// One-sided spring of 4 N/m, then free flight: half a period pi/2 in the wall, back at the speed it had.
TEST(Switches, a_one_sided_spring_gives_back_what_it_took) {
  const CompiledSystem system =
      make_particle("-1 m, x' = 1 m/s", "force F on P = -4 N/m*max(x, 0 m)*N.x\n");
  for (const bool is_moderated : {false, true}) {
    RunOptions options = run_until(2 + pi / 2);
    if (is_moderated) options.energy = 1e-9;
    const Trajectory run = simulate(system, options);
    EXPECT_EQ(run.status, RunStatus::done) << why(run);
    EXPECT_NEAR(run.end_state[0], -1.0, switch_accuracy);
    EXPECT_NEAR(run.end_state[1], -1.0, switch_accuracy);
    EXPECT_EQ(run.restarts, 2u);
    EXPECT_LE(run.certificate.max_deviation, 1e-9);
    EXPECT_NE(run.certificate.verdict(), false);
  }
}

// x'' = -sign(x) from rest at 1: a quarter of the period is sqrt(2).
TEST(Switches, a_force_that_jumps_with_the_side_gives_parabolas) {
  for (const char* force : {"-1 N*sign(x)", "(1 N - 2 N*step(x))", "-1 N*abs(x)/x"}) {
    const CompiledSystem system =
        make_particle("1 m", std::string("force F on P = ") + force + "*N.x\n");
    const Trajectory run = simulate(system, run_until(8 * std::sqrt(2.0) + 1));
    EXPECT_EQ(run.status, RunStatus::done) << why(run);
    EXPECT_NEAR(run.end_state[0], 0.5, switch_accuracy) << force;
    EXPECT_NEAR(run.end_state[1], -1.0, switch_accuracy) << force;
    EXPECT_EQ(run.restarts, 4u) << force;
    EXPECT_LE(run.certificate.max_deviation, 1e-10) << force;
  }
}

// Stiffness 1 N/m on the left, 9 N/m on the right: half periods pi and pi/3.
TEST(Switches, an_oscillator_with_two_stiffnesses_has_the_sum_of_both_half_periods) {
  const char* const forces[] = {"-(min(x, 0 m)*1 N/m + max(x, 0 m)*9 N/m)",
                                "-(5 N/m*x + 4 N/m*abs(x))", "-x*(1 N/m + 8 N/m*step(x))"};
  for (const char* force : forces) {
    const CompiledSystem system =
        make_particle("0 m, x' = 3 m/s", std::string("force F on P = ") + force + "*N.x\n");
    const double period = pi + pi / 3;
    const Trajectory run = simulate(system, run_until(5 * period + pi / 6));
    EXPECT_EQ(run.status, RunStatus::done) << why(run);
    EXPECT_NEAR(run.end_state[0], 1.0, switch_accuracy) << force;
    EXPECT_NEAR(run.end_state[1], 0.0, switch_accuracy) << force;
  }
}

// A block with 2 m/s and friction of 1 N stops after 2 s; sign() cannot hold it there.
TEST(Switches, a_block_slides_to_its_stop_and_sticking_is_refused_in_words) {
  const CompiledSystem system = make_particle("0 m, x' = 2 m/s", R"(
force F on P = -1 N*sign(x')*N.x
event rest when x' = 0 m/s
)");
  const Trajectory sliding = simulate(system, run_until(1.5));
  EXPECT_NEAR(sliding.end_state[0], 2 * 1.5 - 0.5 * 1.5 * 1.5, switch_accuracy);
  EXPECT_NEAR(sliding.energies.at("Z").end, sliding.end_state[0], switch_accuracy);
  const Trajectory run = simulate(system, run_until(10));
  EXPECT_EQ(run.status, RunStatus::refused);
  EXPECT_EQ(run.refusal, Refusal::step_too_small);
  EXPECT_NE(why(run).find("dry friction that sticks"), std::string::npos) << why(run);
  EXPECT_NE(why(run).find("tanh(v/v0)"), std::string::npos);
  EXPECT_NEAR(run.t_end, 2.0, 1e-6);
  EXPECT_NEAR(run.end_state[0], 2.0, 1e-6);
  ASSERT_FALSE(run.events.empty());
  EXPECT_NEAR(run.events[0].time, 2.0, 1e-10);
}

// A pulse of 100 N over 0.01 s while nothing else happens: 1 m/s from then on.
TEST(Switches, a_short_pulse_in_a_long_run_is_not_stepped_over) {
  const CompiledSystem system =
      make_particle("0 m", "force F on P = 100 N*step(t/1 s - 70.3)*step(70.31 - t/1 s)*N.x\n");
  for (const bool is_moderated : {false, true}) {
    RunOptions options = run_until(100);
    if (is_moderated) options.energy = 1e-9;
    const Trajectory run = simulate(system, options);
    EXPECT_EQ(run.status, RunStatus::done) << why(run);
    EXPECT_NEAR(run.end_state[1], 1.0, 1e-9);
    EXPECT_NEAR(run.end_state[0], 100 - 70.305, 1e-9);
    EXPECT_LE(run.certificate.max_deviation, 1e-9);
  }
}

TEST(Switches, a_stop_in_a_step_that_would_cross_a_switch_ends_the_run) {
  const CompiledSystem system = make_particle("-1 m, x' = 1 m/s", R"(
force F on P = -4 N/m*max(x, 0 m)*N.x
event near when x = -1e-3 m, stop
)");
  const Trajectory run = simulate(system, run_until(5));
  EXPECT_EQ(why(run), "event near");
  EXPECT_NEAR(run.t_end, 0.999, event_accuracy);
  EXPECT_EQ(run.events.size(), 1u);
}

// ---- Tables

// A force that is 100 N at one sample of a thousand and 0 at all others. The spline is cubic in each piece,
// so that Gauss's formula with three points, exact to degree 5, gives the integrals of F and (T - t) F.
TEST(Tables, a_bump_in_a_long_table_is_not_stepped_over) {
  std::vector<double> times, forces;
  const std::string folder = testing::TempDir();
  std::ofstream file(folder + "bump.csv");
  file << "t,F\n";
  for (int i = 0; i <= 1000; ++i) {
    times.push_back(i / 10.0);
    forces.push_back(i == 703 ? 100.0 : 0.0);
    file << times.back() << ',' << forces.back() << '\n';
  }
  file.close();
  const Spline spline(times, forces);
  const double node = std::sqrt(0.6), nodes[] = {-node, 0, node}, weights[] = {5, 8, 5};
  double speed = 0.0, place = 0.0;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const double t = 0.5 * (times[i] + times[i + 1] + nodes[k] * (times[i + 1] - times[i]));
      const double impulse = weights[k] / 18 * (times[i + 1] - times[i]) * spline.value(t);
      speed += impulse;
      place += impulse * (100 - t);
    }
  }
  const CompiledSystem system = compile_model(take_model(read_model({folder + "bump.viva", R"(
specified  F(t) = table("bump.csv", column 2, unit N)
coordinate x = 0 m
particle   P at No + x*N.x, mass 1 kg
force      G on P = F*N.x
)"})));
  EXPECT_EQ(system.knots().size(), 1001u);
  const Trajectory run = simulate(system, run_until(100));
  ASSERT_EQ(run.status, RunStatus::done) << why(run);
  EXPECT_NEAR(run.end_state[0], place, 1e-9);
  EXPECT_NEAR(run.end_state[1], speed, 1e-9);
  EXPECT_LE(run.certificate.max_deviation, 1e-9);
  // Beyond the table there is no force: the run is refused where it ends.
  const Trajectory longer = simulate(system, run_until(101));
  EXPECT_EQ(longer.status, RunStatus::refused);
  EXPECT_EQ(longer.refusal, Refusal::outside_table) << why(longer);
  EXPECT_EQ(longer.t_end, 100.0);
}

}  // namespace
}  // namespace visviva::validation
