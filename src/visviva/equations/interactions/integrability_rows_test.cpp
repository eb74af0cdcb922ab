// Integrated rows: what they add, and what they leave as it is.
#include "visviva/equations/interactions/integrability_rows.h"

#include <gtest/gtest.h>

#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/text/build/read_model.h"

namespace visviva {
namespace {

// y*z is constant with the factor z; the blade has no integral.
const std::string text =
    "model m\n"
    "coordinate x = 0 m, y = 1 m, z = 2 m, q = 0.3 rad\n"
    "particle P at No + x*N.x + y*N.y + z*N.z, mass 2 kg\n"
    "frame A = rotate(N, z, q)\n"
    "body A at No, mass 1 kg, sphere radius 0.1 m\n"
    "force F on P = 3 N*N.y + 1 N*N.x\n"
    "constraint c: y' + (y/z)*z' = 0\n"
    "constraint blade: x'*sin(q) - y'*cos(q) = 0\n";

struct Integrated {
  ModelReading reading = read_model({"model.viva", text});
  Kinematics motion = analyze_motion(reading.model.value());
  ConsistentStart start = make_consistent_start(motion);
  Kinematics integrated = integrate_constraints(motion, analyze_integrability(motion), start);
};

TEST(integrated_rows, an_integrable_row_has_a_position_and_others_have_none) {
  const Integrated i;
  EXPECT_FALSE(make_constraint_rows(i.motion)[0].position);
  const auto rows = make_constraint_rows(i.integrated);
  ASSERT_EQ(rows.size(), 2);
  ASSERT_TRUE(rows[0].position);
  EXPECT_FALSE(rows[1].position);
  // (y*z - 2)/z at y = 1.5, z = 2.
  EXPECT_EQ(make_state(i.integrated, i.start).value(*rows[0].position), 0);
  const auto& q = i.motion.model().coordinates;
  EXPECT_EQ(evaluate(*rows[0].position, {q[1].q, q[2].q}, {1.5, 2}), 0.5);
}

TEST(integrated_rows, the_rate_of_the_position_is_the_row_where_it_vanishes) {
  const Integrated i;
  const auto rows = make_constraint_rows(i.integrated);
  const StartState state = make_state(i.integrated, i.start);
  const ScalarMotion rate = i.integrated.rate_of(*rows[0].position);
  ASSERT_EQ(rate.coefficients.size(), rows[0].velocity.coefficients.size());
  for (std::size_t k = 0; k < rate.coefficients.size(); ++k) {
    EXPECT_EQ(rate.coefficients[k].first, rows[0].velocity.coefficients[k].first);
    EXPECT_DOUBLE_EQ(state.value(rate.coefficients[k].second),
                     state.value(rows[0].velocity.coefficients[k].second));
  }
}

TEST(integrated_rows, accelerations_and_multipliers_stay) {
  const Integrated i;
  const Equations before = derive(i.motion), after = derive(i.integrated);
  const SolvedMotion a = MotionSolver(before)(make_state(i.motion, i.start));
  const SolvedMotion b =
      MotionSolver(after)(make_state(i.integrated, make_consistent_start(i.integrated)));
  for (std::size_t r = 0; r < a.speed_rates.size(); ++r)
    EXPECT_NEAR(a.speed_rates[r], b.speed_rates[r], 1e-14);
  for (std::size_t r = 0; r < a.multipliers.size(); ++r)
    EXPECT_NEAR(a.multipliers[r], b.multipliers[r], 1e-14);
}

}  // namespace
}  // namespace visviva
