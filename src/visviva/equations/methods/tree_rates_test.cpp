// The recursions against M u' = f, solved in numbers.
#include "visviva/equations/methods/tree_rates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "visviva/equations/methods/kane.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using namespace units;

// The largest residual of M u' - f at a state, relative to the terms of its sum.
long double residual(const Equations& equations, const std::vector<Expr>& rates,
                     const std::vector<Expr>& symbols, const std::vector<long double>& state) {
  std::vector<Expr> all = rates;
  const std::size_t n = rates.size();
  all.insert(all.end(), equations.forcing.begin(), equations.forcing.end());
  for (const auto& row : equations.mass_matrix) all.insert(all.end(), row.begin(), row.end());
  const std::vector<long double> v = Evaluator(symbols, all)(state);
  long double worst = 0;
  for (std::size_t r = 0; r < n; ++r) {
    long double sum = -v[n + r], size = std::abs(v[n + r]);
    for (std::size_t s = 0; s < n; ++s) {
      const long double term = v[2 * n + r * n + s] * v[s];
      sum += term;
      size += std::abs(term);
    }
    worst = std::max(worst, std::isfinite(sum) ? std::abs(sum) / std::max(size, 1e-300L) : 1.0L);
  }
  return worst;
}

// Every symbol a number between 0.3 and 1.3, irrational steps.
long double residual(const Equations& equations, const std::vector<Expr>& rates) {
  std::vector<Expr> all = rates;
  for (const auto& row : equations.mass_matrix) all.insert(all.end(), row.begin(), row.end());
  all.insert(all.end(), equations.forcing.begin(), equations.forcing.end());
  const std::vector<Expr> symbols = free_symbols(all);
  std::vector<long double> state;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    state.push_back(0.3L + std::fmod(0.6180339887498949L * static_cast<long double>(i + 1), 1.0L));
  return residual(equations, rates, symbols, state);
}

// The largest M_rr over its bound.
long double excess(const Equations& equations, const std::vector<Expr>& sizes,
                   const std::vector<Expr>& symbols, const std::vector<long double>& state) {
  std::vector<Expr> all = sizes;
  for (std::size_t r = 0; r < sizes.size(); ++r) all.push_back(equations.mass_matrix[r][r]);
  const std::vector<long double> v = Evaluator(symbols, all)(state);
  long double most = 0;
  for (std::size_t r = 0; r < sizes.size(); ++r) most = std::max(most, v[sizes.size() + r] / v[r]);
  return most;
}

enum class Angles { absolute, relative };

Model make_chain(int n, Angles angles) {
  Model model("chain");
  const Frame N = model.newtonian();
  model.gravity(-model.parameter("g") * N.y());
  Frame A = N;
  Point P = N.origin();
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    A = model.frame("A" + k,
                    rotate(angles == Angles::absolute ? N : A, Axis::z, model.coordinate("q" + k)));
    P = model.particle(
        "P" + k, {.at = P + model.parameter("l" + k) * A.x(), .mass = model.parameter("m" + k)});
  }
  return model;
}

TEST(TreeRates, a_chain_has_the_rates_of_its_mass_matrix) {
  for (const Angles angles : {Angles::absolute, Angles::relative}) {
    const Equations equations = derive_kane(analyze_motion(make_chain(6, angles)));
    const auto tree = solve_along_trees(equations.motion);
    ASSERT_TRUE(tree.has_value());
    EXPECT_LT(residual(equations, tree->rates), 1e-12);
  }
}

// Without joints that couple everything a link costs the same however many there are.
TEST(TreeRates, operations_grow_with_the_number_of_links) {
  const auto operations = [](int n, Angles angles) {
    const Kinematics motion = analyze_motion(make_chain(n, angles));
    return static_cast<double>(count_operations(solve_along_trees(motion)->rates).total());
  };
  for (const Angles angles : {Angles::absolute, Angles::relative}) {
    const double ten = operations(20, angles) - operations(10, angles);
    EXPECT_NEAR(operations(50, angles) - operations(40, angles), ten, 0.05 * ten);
  }
}

// Trees of every kind of frame, prescribed motions, speeds of every kind, springs and loads.
TEST(TreeRates, random_mechanisms_have_the_rates_of_their_mass_matrices) {
  mechanisms::Features trees;
  trees.motion_constraints = trees.rolls = trees.loops = trees.locks = false;
  int tried = 0;
  const char* wanted = std::getenv("VISVIVA_RANDOM_TREES");
  const unsigned count = wanted == nullptr ? 500 : static_cast<unsigned>(std::atoi(wanted));
  for (unsigned seed = 1; seed <= count; ++seed) {
    const mechanisms::RandomMechanism mechanism(seed, trees);
    const Equations equations = derive_kane(analyze_motion(mechanism.model));
    const auto tree = solve_along_trees(equations.motion);
    if (!tree) continue;
    const mechanisms::MotionOracle oracle(equations.motion);
    const auto state = mechanism.make_state(equations.motion, oracle, 1);
    if (!state) continue;
    ++tried;
    EXPECT_LT(residual(equations, tree->rates, oracle.symbols(), *state), 1e-12L)
        << "seed " << seed;
    EXPECT_LT(excess(equations, tree->sizes, oracle.symbols(), *state), 1 + 1e-12L)
        << "seed " << seed;
  }
  EXPECT_GT(tried, 0.9 * count);
}

// An arm of one body with more bodies and a particle that are fixed to it in frames of their own.
Model make_arm(int parts) {
  Model model("arm");
  const Frame N = model.newtonian();
  model.gravity(-9.81 * m / (s * s) * N.y());
  const Frame A = model.frame("A", rotate(N, Axis::y, model.coordinate("a")));
  const Frame B = model.frame("B", rotate(A, Axis::x, model.coordinate("b")));
  const Quantity I = kg * m * m;
  const auto add = [&](const Frame& frame, double mass, const Vector& c) {
    model.body(frame,
               {.at = N.origin() + m * c,
                .mass = mass * kg,
                .inertia = {.xx = 0.5 * mass * I, .yy = 0.7 * mass * I, .zz = 0.9 * mass * I}});
  };
  add(B, 2.0, 0.3 * B.z() - 0.5 * B.x() + 0.2 * B.y());
  for (int i = 1; i <= parts; ++i) {
    const Frame fixed =
        model.frame("C" + std::to_string(i), rotate(B, Axis::z, i * std::numbers::pi / 2));
    add(fixed, 1.0 + 0.1 * i, 0.7 * fixed.x() + 0.4 * i * B.y() + 0.6 * B.z());
  }
  model.particle("P", {.at = N.origin() + m * (1.1 * B.z() - 0.1 * B.y()), .mass = 0.25 * kg});
  return model;
}

TEST(TreeRates, bodies_fixed_to_one_another_are_one) {
  const Equations equations = derive_kane(analyze_motion(make_arm(3)));
  const auto tree = solve_along_trees(equations.motion);
  ASSERT_TRUE(tree.has_value());
  EXPECT_LT(residual(equations, tree->rates), 1e-12);
  const auto operations = [](int parts) {
    const Kinematics motion = analyze_motion(make_arm(parts));
    return static_cast<double>(count_operations(solve_along_trees(motion)->rates).total());
  };
  EXPECT_NEAR(operations(3), operations(1), 0.05 * operations(1));
}

TEST(TreeRates, a_speed_that_moves_no_mass_has_none) {
  Model model("idle");
  const Frame N = model.newtonian();
  model.particle("P",
                 {.at = N.origin() + model.coordinate("x") * N.x(), .mass = model.parameter("m")});
  model.point("Q", N.origin() + model.coordinate("y") * N.x());
  EXPECT_FALSE(solve_along_trees(analyze_motion(model)).has_value());
}

}  // namespace
}  // namespace visviva
