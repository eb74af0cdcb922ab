// Runs that are given a tolerance for E_Z in joules: no step may violate it, and a run that cannot
// hold it must say so.
//
// E_Z = K2 + U + Z is constant along every motion (Mitiguy, chapter 34 (1)), which is the answer
// from outside. It is looked at in three ways: the run's certificate, the deviation that the run
// tells after every step, and energies computed anew at steps where the run is stopped.
#include <iostream>

#include "energy_check.h"
#include "systems.h"

namespace visviva::validation {
namespace {

// Sees every step, and stops after some.
class StepWatcher : public RunWatcher {
 public:
  explicit StepWatcher(std::size_t most = std::numeric_limits<std::size_t>::max()) : most_(most) {}
  void begin(const std::vector<std::string>&) override { largest_ = 0, steps_ = 0; }
  bool take_progress(const Progress& progress) override {
    largest_ = std::max(largest_, std::abs(progress.deviation));
    return ++steps_ < most_;
  }
  double largest() const { return largest_; }
  std::size_t steps() const { return steps_; }

 private:
  std::size_t most_, steps_ = 0;
  double largest_ = 0;
};

struct Tally {
  int runs = 0, refusals = 0;
  double between = 0;  // largest deviation of samples between steps, in tolerances
};

Trajectory run_moderated(const CompiledSystem& system, double until, double energy,
                         StepWatcher* watcher) {
  return simulate(system, {.until = until, .energy = energy, .watcher = watcher});
}

// Energies computed anew at the last of so many steps.
void expect_steps_within(const CompiledSystem& system, const Trajectory& run, double energy) {
  const EnergyCheck check(system, run);
  EXPECT_LE(check.compute_deviation(run.t_end, run.end_state), energy);
  for (const double part : {0.05, 0.3, 0.7}) {
    const auto most = static_cast<std::size_t>(part * static_cast<double>(run.steps)) + 1;
    StepWatcher watcher(most);
    const Trajectory cut = run_moderated(system, run.t_end, energy, &watcher);
    EXPECT_LE(check.compute_deviation(cut.t_end, cut.end_state), energy) << cut.t_end;
  }
}

// Of samples: as good as steps.
constexpr double between_steps = 1;

void try_tolerance(const CompiledSystem& system, double until, double energy, Tally* tally) {
  StepWatcher watcher;
  const Trajectory run = run_moderated(system, until, energy, &watcher);
  ++tally->runs;
  EXPECT_LE(run.certificate.max_deviation, energy);
  EXPECT_LE(watcher.largest(), energy);
  EXPECT_EQ(watcher.steps(), run.steps);
  if (run.status == RunStatus::refused) {
    ++tally->refusals;
    EXPECT_TRUE(run.refusal == Refusal::below_rounding_floor ||
                run.refusal == Refusal::budget_exhausted);
    std::cout << energy << " J refused: " << why(run) << "\n";
    return;
  }
  EXPECT_EQ(run.status, RunStatus::done) << why(run);
  EXPECT_EQ(run.t_end, until);
  EXPECT_EQ(run.certificate.holds(), true);
  expect_steps_within(system, run, energy);
  const double between = EnergyCheck(system, run).compute_largest(run) / energy;
  EXPECT_LE(between, between_steps);
  tally->between = std::max(tally->between, between);
}

TEST(Moderation, no_step_violates_the_energy_tolerance_that_was_given) {
  Tally tally;
  for (const TriedSystem& tried : list_tried_systems()) {
    SCOPED_TRACE(tried.name);
    const CompiledSystem system = compile_text(tried.text);
    for (const double energy : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
      SCOPED_TRACE(energy);
      try_tolerance(system, tried.until, energy, &tally);
    }
  }
  std::cout << tally.runs << " runs, " << tally.refusals
            << " refusals; samples between steps up to " << tally.between << " tolerances\n";
}

TEST(Moderation, no_step_violates_the_energy_tolerance_whatever_the_method) {
  for (const TriedSystem& tried : list_tried_systems()) {
    SCOPED_TRACE(tried.name);
    const CompiledSystem system = compile_text(tried.text);
    for (const char* const method : {"dopri5", "dop853", "radau5"}) {
      SCOPED_TRACE(method);
      // Its drag, |v| v, has no derivative that can be computed at rest.
      if (tried.name == "cart with motor and drag" && std::string(method) == "radau5") continue;
      for (const double energy : {1e-3, 1e-5, 1e-7}) {
        const Trajectory run =
            simulate(system, {.until = tried.until, .energy = energy, .method = method});
        ASSERT_EQ(run.status, RunStatus::done) << why(run);
        EXPECT_EQ(run.method, method);
        EXPECT_LE(run.certificate.max_deviation, energy);
        EXPECT_LE(EnergyCheck(system, run).compute_deviation(run.t_end, run.end_state), energy);
      }
    }
  }
}

// Doubles have 16 digits: of energies of some joules, 1e-17 J cannot be told.
TEST(Moderation, a_tolerance_below_rounding_is_refused_by_name) {
  for (const TriedSystem& tried : list_tried_systems()) {
    SCOPED_TRACE(tried.name);
    const Trajectory run =
        simulate(compile_text(tried.text), {.until = tried.until, .energy = 1e-17});
    EXPECT_EQ(run.status, RunStatus::refused);
    EXPECT_EQ(run.refusal, Refusal::below_rounding_floor) << why(run);
    EXPECT_FALSE(why(run).empty());
  }
}

}  // namespace
}  // namespace visviva::validation
