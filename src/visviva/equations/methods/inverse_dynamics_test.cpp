// Inverse dynamics along trees against M u' - f, which Kane's method makes by composite bodies.
#include "visviva/equations/methods/inverse_dynamics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/equations/methods/kane.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {
namespace {

// The largest difference to M u' - f at a state, of the terms of that sum.
long double difference(const Equations& equations, const std::vector<Expr>& forces,
                       const std::vector<Expr>& symbols, const std::vector<long double>& state) {
  const std::size_t n = forces.size();
  std::vector<Expr> all = forces, known = symbols;
  std::vector<long double> values = state;
  for (std::size_t r = 0; r < n; ++r) {
    known.push_back(equations.motion.speeds()[r].rate);
    values.push_back(-2.0L + std::fmod(1.6180339887L * static_cast<long double>(r + 1), 4.0L));
  }
  all.insert(all.end(), equations.forcing.begin(), equations.forcing.end());
  for (const auto& row : equations.mass_matrix) all.insert(all.end(), row.begin(), row.end());
  const std::vector<long double> v = Evaluator(known, all)(values);
  long double worst = 0;
  for (std::size_t r = 0; r < n; ++r) {
    long double sum = -v[n + r], size = std::abs(v[n + r]);
    for (std::size_t s = 0; s < n; ++s) {
      const long double term = v[2 * n + r * n + s] * values[state.size() + s];
      sum += term;
      size += std::abs(term);
    }
    const long double error = std::abs(v[r] - sum) / std::max(size, 1e-300L);
    worst = std::max(worst, std::isfinite(error) ? error : 1.0L);
  }
  return worst;
}

// All kinds of frames, prescribed motions, speeds of every kind, springs and loads; constraints do not matter here.
TEST(InverseDynamics, random_mechanisms_need_what_their_equations_say) {
  mechanisms::Features features;
  features.locks = false;
  int tried = 0;
  for (unsigned seed = 1; seed <= 500; ++seed) {
    const mechanisms::RandomMechanism mechanism(seed, features);
    const Equations equations = derive_kane(analyze_motion(mechanism.model));
    if (!equations.unknowns.empty()) continue;
    const mechanisms::MotionOracle oracle(equations.motion);
    const auto state = mechanism.make_state(equations.motion, oracle, 1);
    if (!state) continue;
    ++tried;
    EXPECT_LT(
        difference(equations, make_inverse_dynamics(equations.motion), oracle.symbols(), *state),
        1e-12L)
        << "seed " << seed;
  }
  EXPECT_GT(tried, 300);
}

}  // namespace
}  // namespace visviva
