// The examples of the seeds over time, against an independent program.
//
// Models: examples/ (Mitiguy, chapter 34 34.2 and 34.3, the hoist and the positioning device in
// its eight cases; lecture notes on generalized forces, the rotating rod; MEEN 617, Handout 4a, a cart
// with Rayleigh dissipation). Values: an independent program that integrated with DOP853 at 1e-13,
// rounded to the digits shown. A rigid tube leaves wy alone, with a closed form:
//   I wy' = -b (wy - Omega),   Z = -K2 = -1/2 I wy^2,   I = 2/5 m r^2                         (1)
#include "running.h"

namespace visviva::validation {
namespace {

TEST(Trajectories, hoist_agrees_with_an_independent_program) {
  const Trajectory run = run_to(compile_example("hoist"), 10);
  expect_end(run, {{"theta", -0.2986547107168}, {"theta'", 1.801677426449}}, 1e-11);
  const auto& E = run.energies.at("E");
  EXPECT_NEAR(E.start, -8.4870489570875, 5e-14);
  EXPECT_LT(E.max_deviation, 1e-11);
}

TEST(Trajectories, hoist_stopped_and_taken_up_again_arrives_alike) {
  const CompiledSystem hoist = compile_example("hoist");
  const Trajectory first = run_to(hoist, 3.7);
  const std::vector<double> state(first.end_state.begin(),
                                  first.end_state.begin() + static_cast<int>(hoist.state_count()));
  const Trajectory second = simulate(hoist, {state, hoist.parameters(), hoist.inputs()},
                                     {.from = 3.7, .until = 10, .tolerance = tight});
  ASSERT_EQ(second.status, RunStatus::done) << why(second);
  expect_end(second, {{"theta", -0.2986547107168}, {"theta'", 1.801677426449}}, 1e-11);
}

Trajectory run_device(const std::string& case_name) {
  return run_to(compile_example("positioning_device", {.case_name = case_name}), 4);
}

TEST(Trajectories, positioning_device_with_a_flexible_tube_agrees_with_an_independent_program) {
  // Values in the order s, s', wy, Z, with twelve digits behind the leading zeros.
  const struct {
    const char* name;
    double s, ds, wy, Z;
  } cases[] = {
      {"constant_undamped", 0.0655758198204, 1.24616076508, 0, -1.5170604712},
      {"constant_damped", 0.122567983272, 0.00317951914895, 4, -1.53429812889},
      {"ramp_undamped", 0.0287547472978, 0.014944669078, 0, -0.0828398894095},
      {"ramp_damped", 0.017630149948, 0.0108375176069, 1.999, -0.0391564369704},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    expect_end(run_device(c.name), {{"s", c.s}, {"ds", c.ds}, {"wy", c.wy}, {"Z", c.Z}}, 1e-11);
  }
}

TEST(Trajectories, positioning_device_with_a_rigid_tube_has_its_closed_form) {
  const double constant = -0.5 * 0.004 * 16, ramp = -0.5 * 0.004 * 1.999 * 1.999;  // (1)
  const struct {
    const char* name;
    double wy, Z;
  } cases[] = {{"constant_rigid_undamped", 0, 0},
               {"constant_rigid_damped", 4, constant},
               {"ramp_rigid_undamped", 0, 0},
               {"ramp_rigid_damped", 1.999, ramp}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    expect_end(run_device(c.name), {{"s", 0}, {"ds", 0}, {"wy", c.wy}, {"Z", c.Z}}, 1e-11);
  }
}

// Mitiguy, chapter 34 34.3, where it is right: which of E_Z, E, H and C are constant; and the one
// case that it overlooks, a rigid tube turned steadily without damping.
TEST(Trajectories, positioning_device_keeps_the_energies_that_the_seed_says) {
  const struct {
    const char* name;
    bool E, H, C;
  } cases[] = {
      {"constant_undamped", false, true, false},     {"constant_damped", false, false, false},
      {"ramp_undamped", false, false, false},        {"ramp_damped", false, false, false},
      {"constant_rigid_undamped", true, true, true}, {"constant_rigid_damped", false, false, false},
      {"ramp_rigid_undamped", true, false, false},   {"ramp_rigid_damped", false, false, false}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const Trajectory run = run_device(c.name);
    const auto is_constant = [&](const char* name) {
      return run.energies.at(name).max_deviation < 1e-9;
    };
    EXPECT_TRUE(is_constant("E_Z"));
    EXPECT_EQ(is_constant("E"), c.E);
    EXPECT_EQ(is_constant("H"), c.H);
    EXPECT_EQ(is_constant("C"), c.C);
  }
  EXPECT_NEAR(run_device("constant_undamped").energies.at("H").start, -11.2, 1e-13);
}

TEST(Trajectories, rotating_rod_agrees_with_an_independent_program) {
  const CompiledSystem rod = compile_example("rotating_rod");
  expect_end(run_to(rod, 1),
             {{"q1", 1.90064162307}, {"q2", -4.89515218011}, {"q3", 0.591590407381}}, 1e-11);
}

TEST(Trajectories, cart_and_pendulum_agrees_with_an_independent_program) {
  const Trajectory run = run_to(compile_example("cart_and_pendulum"), 10);
  expect_end(run,
             {{"x", -0.053428547509},
              {"theta", -0.166941064647},
              {"x'", 0.0546810356278},
              {"theta'", 0.460466374142}},
             1e-11);
}

// The largest difference of two runs in any state of the device, at the same times.
double compare_states(const Trajectory& a, const Trajectory& b) {
  double largest = 0;
  for (const char* const name : {"s", "ds", "wx", "wy", "wz"})
    for (std::size_t i = 0; i < a[name].size(); ++i)
      largest = std::max(largest, std::abs(a[name][i] - b[name].at(i)));
  return largest;
}

// Mitiguy, chapter 34 34.3, "Checking numerical integration accuracy": two runs of 30 s with
// Omega = 0.5 t, k = 200 N/m, b = 2 N m s and tolerances of 1e-5 and 1e-2; E_Z shows that the
// second is less accurate.
TEST(Trajectories, the_energy_integral_shows_which_of_two_runs_is_less_accurate) {
  const CompiledSystem device = compile_example("positioning_device");
  constexpr double factor = 10;  // of the 1000 between the tolerances
  for (const char* const method : {"auto", "dopri5", "radau5"}) {
    SCOPED_TRACE(method);
    const auto run = [&](double tolerance) {
      Trajectory t =
          simulate(device, {.until = 30, .every = 0.1, .tolerance = tolerance, .method = method});
      EXPECT_EQ(t.status, RunStatus::done) << why(t);
      return t;
    };
    const Trajectory fine = run(1e-5), coarse = run(1e-2), reference = run(1e-10);
    EXPECT_GT(coarse.certificate.max_deviation, factor * fine.certificate.max_deviation);
    // E_Z is right about it.
    EXPECT_GT(compare_states(coarse, reference), factor * compare_states(fine, reference));
  }
}

}  // namespace
}  // namespace visviva::validation
