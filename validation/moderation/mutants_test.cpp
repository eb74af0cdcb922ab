// A certificate that cannot fail is worth nothing: energies that are wrong by one part in a hundred
// must be found, in every place where they can be wrong.
#include <functional>

#include "../trajectories/running.h"
#include "systems.h"

namespace visviva::validation {
namespace {

using Mutation = std::function<void(EnergyTerms*)>;

// The equations of a model with wrong energies.
CompiledSystem compile_mutant(const std::string& text, const Mutation& mutate) {
  const Equations equations =
      derive(analyze_motion(take_model(read_model({"mutant.viva", text}))), Method::kane);
  Energies energies = analyze_energy(equations);
  mutate(&energies.formal);
  return compile(equations, energies);
}

const TriedSystem& find(const std::vector<TriedSystem>& list, const std::string& name) {
  for (const TriedSystem& tried : list)
    if (tried.name == name) return tried;
  throw std::runtime_error("no system " + name);
}

// Refused before or on the way, for one of the two reasons that fit; without a certificate asked
// for the deviation is seen all the same.
void expect_found(const std::string& name, const Mutation& mutate) {
  SCOPED_TRACE(name);
  const std::vector<TriedSystem> all = list_tried_systems();
  const TriedSystem& tried = find(all, name);
  const CompiledSystem good = compile_mutant(tried.text, [](EnergyTerms*) {});
  const CompiledSystem mutant = compile_mutant(tried.text, mutate);
  for (const double energy : {1e-4, 1e-8}) {
    SCOPED_TRACE(energy);
    EXPECT_EQ(simulate(good, {.until = tried.until, .energy = energy}).status, RunStatus::done);
    const Trajectory run = simulate(mutant, {.until = tried.until, .energy = energy});
    EXPECT_EQ(run.status, RunStatus::refused);
    EXPECT_TRUE(run.refusal == Refusal::not_an_integral || run.refusal == Refusal::budget_exhausted)
        << why(run);
  }
  const double honest = simulate(good, {.until = tried.until}).certificate.max_deviation;
  const double wrong = simulate(mutant, {.until = tried.until}).certificate.max_deviation;
  EXPECT_GT(wrong, 1e3 * honest);
}

Mutation scale(Expr EnergyTerms::*term) {
  return [term](EnergyTerms* e) { e->*term = 1.01 * (e->*term); };
}

TEST(Moderation, a_dampers_power_that_is_one_percent_wrong_is_found) {
  for (const char* const name :
       {"damped driven pendulum", "cart with motor and drag", "stiff damped spring",
        "slider and crank", "positioning device, eigenvalue -500/s", "Van der Pol, stiff"})
    expect_found(name, scale(&EnergyTerms::P_nonconservative));
}

TEST(Moderation, a_motors_share_that_is_one_percent_wrong_is_found) {
  for (const char* const name : {"hoist, moved both ways", "Kapitza's pendulum, 400 rad/s",
                                 "bead held by moving constraints", "positioning device, undamped"})
    expect_found(name, scale(&EnergyTerms::sigma_R));
}

TEST(Moderation, kinetic_or_potential_energy_that_is_one_percent_wrong_is_found) {
  for (const char* const name :
       {"double pendulum, chaotic", "rolling disc", "slider and crank", "heavy top"}) {
    expect_found(name, scale(&EnergyTerms::K2));
    expect_found(name, scale(&EnergyTerms::U));
  }
}

}  // namespace
}  // namespace visviva::validation
