// Runs that cannot be: each is refused with its reason, none hangs, none gives numbers that are none.
#include <cmath>
#include <limits>

#include "../trajectories/running.h"

namespace visviva::validation {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void expect_finite(const Trajectory& run) {
  for (const double x : run.end_state) EXPECT_TRUE(std::isfinite(x));
  for (const auto& column : run.samples)
    for (const double x : column) EXPECT_TRUE(std::isfinite(x));
  EXPECT_TRUE(std::isfinite(run.t_end));
  EXPECT_TRUE(std::isfinite(run.certificate.max_deviation));
}

void expect_refused(const Trajectory& run, Refusal refusal, const std::string& words) {
  EXPECT_EQ(run.status, RunStatus::refused) << why(run);
  EXPECT_EQ(run.refusal, refusal) << why(run);
  EXPECT_NE(why(run).find(words), std::string::npos) << why(run);
  expect_finite(run);
  EXPECT_NE(run.certificate.holds(), true);
}

// A particle of 1 kg on the line N.x with the given force.
CompiledSystem make_pushed_particle(const std::string& start, const std::string& force,
                                    const std::string& more = "") {
  return compile_text("coordinate x = " + start + "\nparticle P at No + x*N.x, mass 1 kg\n" +
                      (force.empty() ? "" : "force F on P = " + force + "*N.x\n") + more);
}

CompiledSystem make_undamped() {
  return make_pushed_particle("1 m", "", "spring S on x, stiffness 1 N/m, rest 0 m\n");
}

TEST(Refusals, a_wrong_request_is_named) {
  const CompiledSystem system = make_undamped();
  const auto expect_bad = [&](const RunOptions& options, const std::string& words) {
    expect_refused(simulate(system, options), Refusal::bad_request, words);
  };
  for (const double tolerance : {0.0, -1e-9, nan, infinity, 1.0})
    expect_bad({.until = 1, .tolerance = tolerance}, "is not between 0 and 1");
  expect_bad({.until = 1, .tolerance = 1e-20}, "1e-15 is the smallest");
  expect_bad({.until = 1, .tolerance = 5e-15, .certify_state = true}, "1e-14 is the smallest");
  for (const double energy : {0.0, -1.0, nan, infinity})
    expect_bad({.until = 1, .energy = energy}, "must be positive");
  expect_bad({.from = 2, .until = 1}, "the end, t = 1 s, must be after the start, t = 2 s");
  expect_bad({.from = 1, .until = 1}, "must be after");
  expect_bad({.until = nan}, "must be numbers");
  expect_bad({.until = infinity}, "must be numbers");
  for (const double step : {0.0, -1.0, nan})
    expect_bad({.until = 1, .max_step = step}, "must be positive");
  for (const double every : {0.0, -1.0, nan}) expect_bad({.until = 1, .every = every}, "positive");
  expect_bad({.until = 1, .every = 1e-20}, "more than");
  expect_bad({.until = 1, .method = "rk4"}, "there is no method 'rk4'; there are auto, verner98");
}

TEST(Refusals, values_that_are_missing_are_named) {
  const CompiledSystem system = compile_text(R"(
parameter  k
input      f = 0 N
coordinate x = 1 m
particle   P at No + x*N.x, mass 1 kg
force      F on P = (f - k*x)*N.x
)");
  expect_refused(simulate(system, {.until = 1}), Refusal::bad_request, "parameter k has no value");
  const auto with = [&](double k, double f, double x) {
    return simulate(system, {{x, 0.0}, {k}, {f}}, {.until = 1});
  };
  expect_refused(with(1, nan, 0), Refusal::bad_request, "input f has no value");
  expect_refused(with(1, 0, infinity), Refusal::bad_request, "start value of x is not known");
  EXPECT_EQ(with(1, 0, 1).status, RunStatus::done);
  EXPECT_THROW(simulate(system, {{1.0}, {1.0}, {0.0}}, {.until = 1}), UsageError);
}

TEST(Refusals, a_force_that_is_not_finite_at_the_start_is_refused_there) {
  const CompiledSystem system = make_pushed_particle("0 m", "1 N*m/x");
  expect_refused(simulate(system, {.until = 1}), Refusal::not_finite, "at the start, t = 0");
}

// x = 1 - t^2/2 reaches 0, where sqrt(x) ends, at sqrt(2).
TEST(Refusals, a_root_of_a_negative_number_in_mid_run_is_told_with_time_and_component) {
  const CompiledSystem system = make_pushed_particle("1 m", "(-1 N - 1e-30 N*sqrt(x/1 m))");
  for (const char* method : {"auto", "dopri5", "radau5"}) {
    const Trajectory run = simulate(system, {.until = 10, .method = method});
    expect_refused(run, Refusal::not_finite, "x' is not finite");
    EXPECT_NEAR(run.t_end, std::sqrt(2.0), 1e-9) << method;
    EXPECT_LE(run.t_end, std::sqrt(2.0) * (1 + 1e-15));
  }
}

// x'' = 2 x^3 from x = x' = 1 is x = 1/(1 - t).
TEST(Refusals, a_motion_that_blows_up_is_refused_where_it_does) {
  const CompiledSystem system = make_pushed_particle("1 m, x' = 1 m/s", "2 N*(x/1 m)^3");
  const Trajectory run = simulate(system, {.until = 3});
  EXPECT_EQ(run.status, RunStatus::refused);
  EXPECT_TRUE(run.refusal == Refusal::step_too_small || run.refusal == Refusal::not_finite);
  EXPECT_NEAR(run.t_end, 1.0, 1e-6);
  expect_finite(run);
  const Trajectory moderated = simulate(system, {.until = 3, .energy = 1e-3});
  EXPECT_EQ(moderated.status, RunStatus::refused);
  EXPECT_EQ(moderated.certificate.holds(), false);
  EXPECT_LE(moderated.t_end, 1.0);
  expect_finite(moderated);
}

TEST(Refusals, a_coordinate_without_mass_is_refused_at_the_start) {
  const CompiledSystem system = compile_text(R"(
parameter  m = 0 kg
coordinate x = 1 m
particle   P at No + x*N.x, mass m
force      F on P = -1 N*N.x
)");
  const Trajectory run = simulate(system, {.until = 1});
  expect_refused(run, Refusal::not_finite, "a force acts where the mass matrix is singular");
}

TEST(Refusals, a_run_ends_after_as_many_steps_as_it_may_make) {
  const CompiledSystem system = make_undamped();
  const Trajectory run = simulate(system, {.until = 1e6, .max_steps = 50});
  expect_refused(run, Refusal::too_many_steps, "50 steps were made");
  EXPECT_LE(run.steps + run.rejected, 50u);
}

TEST(Refusals, a_tolerance_below_rounding_is_refused_with_the_smallest_that_works) {
  const CompiledSystem system = make_undamped();
  const Trajectory run = simulate(system, {.until = 10, .energy = 1e-18});
  expect_refused(run, Refusal::below_rounding_floor, "the smallest that can be certified");
  ASSERT_GT(run.certificate.smallest, 1e-18);
  const Trajectory second =
      simulate(system, {.until = 10, .energy = 1.01 * run.certificate.smallest});
  EXPECT_EQ(second.status, RunStatus::done) << why(second);
  EXPECT_EQ(second.certificate.holds(), true);
  EXPECT_LE(second.certificate.max_deviation, 1.01 * run.certificate.smallest);
  EXPECT_NEAR(second.end_state[0], std::cos(10.0), 1e-11);
}

// The energies given are not those of the equations: half of the potential is forgotten.
TEST(Refusals, energies_of_another_system_are_found_out_before_the_run) {
  const Model model = take_model(read_model({"validation.viva", R"(
coordinate x = 1 m, x' = 0.5 m/s
particle   P at No + x*N.x, mass 1 kg
spring     S on x, stiffness 1 N/m, rest 0 m
)"}));
  const Equations equations = derive(analyze_motion(model));
  const VelocitySplit split(equations);
  EnergyTerms terms = analyze_formal_energy(equations, split, nullptr);
  const auto compile_with = [&] {
    return compile(equations, split, terms, choose_dependent_speeds(equations));
  };
  EXPECT_EQ(simulate(compile_with(), {.until = 10, .energy = 1e-8}).status, RunStatus::done);
  terms.U = terms.U / 2;
  const CompiledSystem wrong = compile_with();
  const Trajectory run = simulate(wrong, {.until = 10, .energy = 1e-8});
  expect_refused(run, Refusal::not_an_integral, "E_Z is not an integral of these equations");
  EXPECT_EQ(run.steps, 0u);
  // Without a tolerance the run is not plainly done: |x^2 - 1|/4 + ... > 0.1 J is more than errors of
  // steps explain.
  const Trajectory plain = simulate(wrong, {.until = 10});
  EXPECT_NE(plain.status, RunStatus::done);
  EXPECT_GT(plain.certificate.max_deviation, 0.1);
}

// The end of a rod of 1 m is on the line y = d + t 0.1 m/s: its angle's rate grows without bound.
const char* const reaching_rod = R"(
parameter  d = 0.9 m
coordinate q = 1.1197695149986342
specified  h(t) = 0.1 m/s*t
frame      A = rotate(N, z, q)
particle   P at No + 1 m*A.x, mass 1 kg
constraint dot(P - No, N.y) = d + h
)";

TEST(Refusals, a_mechanism_driven_beyond_its_reach_does_not_get_there) {
  const CompiledSystem system = compile_text(reaching_rod);
  const Trajectory run = simulate(system, {.until = 2, .max_steps = 3000});
  EXPECT_EQ(run.status, RunStatus::refused) << why(run);
  EXPECT_NEAR(run.t_end, 1.0, 1e-3);
  EXPECT_LE(run.t_end, 1.0);
  EXPECT_NEAR(std::sin(run.end_state[0]), 0.9 + 0.1 * run.t_end, 1e-12);
  expect_finite(run);
}

TEST(Refusals, a_start_that_no_projection_brings_onto_the_constraints_is_lost) {
  const CompiledSystem system = compile_text(reaching_rod);
  const Trajectory run = simulate(system, {system.start(), {1.5}, {}}, {.until = 1});
  expect_refused(run, Refusal::constraints_lost,
                 "no state was found that satisfies the constraints");
  EXPECT_EQ(run.steps, 0u);
}

}  // namespace
}  // namespace visviva::validation
