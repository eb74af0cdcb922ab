// Changes of E_Z that the tolerance of a step explains, and those that it does not: K2 of a free particle.
#include "visviva/simulation/run/energy_watch.h"

#include <gtest/gtest.h>

#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"

namespace visviva {
namespace {

using namespace units;

class FreeParticle : public testing::Test {
 protected:
  static CompiledSystem make_system() {
    Model model("free");
    const Frame N = model.newtonian();
    const Quantity x = model.coordinate("x", {.start = 0 * m});
    model.particle("P", {.at = N.origin() + x * N.x(), .mass = 2 * kg});
    const Equations equations = derive(analyze_motion(model));
    return compile(equations, analyze_energy(equations));
  }

  // The velocity goes from 1 m/s to `v` in a step whose error was within `tolerance`.
  Certificate watch_step(double v, double tolerance) {
    SystemRates rates(system_, {}, {});
    EnergyWatch watch(rates);
    const double before[] = {0.0, 1.0, 0.0}, after[] = {0.1, v, 0.0};
    EXPECT_TRUE(watch.begin(0.0, before));
    watch.compute_deviation(0.1, after);
    watch.take(0.1);
    watch.judge_change(0.1, after, tolerance);
    Trajectory run;
    watch.write(&run);
    return run.certificate;
  }

  const CompiledSystem system_ = make_system();
};

TEST_F(FreeParticle, what_the_error_of_a_step_does_to_energy_is_explained) {
  EXPECT_EQ(watch_step(1 + 1e-9, 1e-9).unexplained, 0.0);
  EXPECT_EQ(watch_step(1 + 1e-3, 1e-3).unexplained, 0.0);
}

// K2 = m v^2/2 grows by v^2 - 1 J.
TEST_F(FreeParticle, more_than_that_is_summed_up_and_no_plain_end) {
  const Certificate c = watch_step(1.001, 1e-9);
  EXPECT_NEAR(c.unexplained, 1.001 * 1.001 - 1, 1e-14);
  EXPECT_EQ(c.unexplained_time, 0.1);
  EXPECT_TRUE(c.has_wandered());
  EXPECT_TRUE(std::holds_alternative<reason::EnergyWandered>(c.reason()));
}

TEST_F(FreeParticle, a_row_counts_like_a_step) {
  SystemRates rates(system_, {}, {});
  EnergyWatch watch(rates);
  const double y[] = {0.0, 1.0, 0.0};
  ASSERT_TRUE(watch.begin(0.0, y));
  watch.note_row(0.25, -3e-5);
  Trajectory run;
  watch.write(&run);
  EXPECT_EQ(run.certificate.max_deviation, 3e-5);
  EXPECT_EQ(run.certificate.max_time, 0.25);
}

}  // namespace
}  // namespace visviva
