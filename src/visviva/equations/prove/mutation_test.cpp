// Wrong equations are caught: one candidate of a random mechanism is spoiled, compare_equations
// must say so.
//
// A comparison that never says "different" proves nothing. Each mutation is one that a wrong
// derivation makes: a sign, a lost reaction, exchanged indices, a Coriolis term with the wrong
// factor. A mutation that happens to change nothing (exchanged entries that are equal) is not
// counted.
#include <gtest/gtest.h>

#include <functional>
#include <iostream>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/prove/prove.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/kinematics/constraint_rows.h"
#include "visviva/kinematics/random_model_test.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {
namespace {

using namespace mechanisms;

constexpr std::uint64_t first_seed = 2001, last_seed = 2080;

// Unconstrained, so that every entry counts.
Features tree_features() {
  Features features;
  features.links = 5;
  features.motion_constraints = features.rolls = features.loops = features.locks = false;
  return features;
}

// Spoils equations; false when there is nothing to spoil.
using Mutation = std::function<bool(Equations&, Random&)>;

std::size_t any_index(std::size_t n, Random& r) {
  return static_cast<std::size_t>(r.below(static_cast<int>(n)));
}

struct Score {
  int tried = 0, caught = 0;
};

// Spoils the equations of one of the other methods in each of many mechanisms.
Score try_mutation(const Mutation& mutate, const Features& features) {
  Score score;
  for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) {
    const RandomMechanism mechanism(seed, features);
    const Kinematics motion = analyze_motion(mechanism.model);
    const Equations kane = derive(motion, Method::kane);
    Random r(seed);
    constexpr Method others[] = {Method::lagrange, Method::hamilton, Method::newton_euler};
    Equations spoiled = derive(motion, others[seed % 3]);
    if (!mutate(spoiled, r)) continue;
    ++score.tried;
    const Proof proof = compare_equations({kane, spoiled});
    if (proof.verdict == Verdict::different) ++score.caught;
    EXPECT_EQ(proof.verdict, Verdict::different) << "seed " << seed << "\n" << mechanism.text();
  }
  std::cout << "seeds " << first_seed << " to " << last_seed << ": " << score.caught << " of "
            << score.tried << " caught\n";
  EXPECT_GE(score.tried, 20);
  return score;
}

std::vector<Load> contributing_loads(const Kinematics& motion) {
  std::vector<Load> result;
  for (const Load& load : collect_loads(motion)) {
    for (const Expr& F : compute_generalized_forces(motion, load)) {
      if (F.is_zero()) continue;
      result.push_back(load);
      break;
    }
  }
  return result;
}

// f + factor F_r of one load.
void add_load(Equations& e, const Load& load, double factor) {
  const std::vector<Expr> F = compute_generalized_forces(e.motion, load);
  for (std::size_t r = 0; r < F.size(); ++r) e.forcing[r] += factor * F[r];
}

TEST(mutation, a_load_with_the_wrong_sign_is_caught) {
  try_mutation(
      [](Equations& e, Random& r) {
        const std::vector<Load> loads = contributing_loads(e.motion);
        if (loads.empty()) return false;
        add_load(e, loads[any_index(loads.size(), r)], -2);
        return true;
      },
      tree_features());
}

TEST(mutation, a_load_on_one_speed_only_with_the_wrong_sign_is_caught) {
  try_mutation(
      [](Equations& e, Random& r) {
        const std::vector<Load> loads = contributing_loads(e.motion);
        if (loads.empty()) return false;
        const std::vector<Expr> F =
            compute_generalized_forces(e.motion, loads[any_index(loads.size(), r)]);
        for (std::size_t k = 0; k < F.size(); ++k) {
          if (F[k].is_zero()) continue;
          e.forcing[k] -= 2 * F[k];
          return true;
        }
        return false;
      },
      tree_features());
}

TEST(mutation, a_lost_reaction_is_caught) {
  Features features = tree_features();
  features.gravity = false;
  try_mutation(
      [](Equations& e, Random&) {
        for (const Load& load : contributing_loads(e.motion)) {
          for (auto part : {&Load::forces, &Load::torques}) {
            if ((load.*part).size() < 2) continue;
            // What acts at the second place is left out.
            Load lost = load;
            lost.forces.clear();
            lost.torques.clear();
            lost.generalized.clear();
            (lost.*part) = {(load.*part).back()};
            bool counts = false;
            for (const Expr& F : compute_generalized_forces(e.motion, lost))
              counts = counts || !F.is_zero();
            if (!counts) continue;
            add_load(e, lost, -1);
            return true;
          }
        }
        return false;
      },
      features);
}

TEST(mutation, exchanged_forcing_entries_are_caught) {
  try_mutation(
      [](Equations& e, Random&) {
        for (std::size_t r = 1; r < e.forcing.size(); ++r) {
          if (e.forcing[r] == e.forcing[r - 1]) continue;
          std::swap(e.forcing[r], e.forcing[r - 1]);
          return true;
        }
        return false;
      },
      tree_features());
}

TEST(mutation, exchanged_rows_and_columns_of_the_mass_matrix_are_caught) {
  try_mutation(
      [](Equations& e, Random&) {
        for (std::size_t r = 1; r < e.mass_matrix.size(); ++r) {
          if (e.mass_matrix[r][r] == e.mass_matrix[r - 1][r - 1]) continue;
          std::swap(e.mass_matrix[r], e.mass_matrix[r - 1]);
          for (auto& row : e.mass_matrix) std::swap(row[r], row[r - 1]);
          return true;
        }
        return false;
      },
      tree_features());
}

TEST(mutation, a_mass_matrix_entry_with_the_wrong_sign_is_caught) {
  try_mutation(
      [](Equations& e, Random&) {
        for (std::size_t r = 1; r < e.mass_matrix.size(); ++r) {
          if (e.mass_matrix[r][r - 1].is_zero()) continue;
          e.mass_matrix[r][r - 1] = e.mass_matrix[r - 1][r] = -e.mass_matrix[r][r - 1];
          return true;
        }
        return false;
      },
      tree_features());
}

// What is quadratic in the speeds, by 1 %: f(u) + f(-u) - 2 f(0) is twice that part when no load is
// of higher order, and changes f in any case.
TEST(mutation, a_coriolis_term_with_the_wrong_factor_is_caught) {
  Features features = tree_features();
  features.forces = features.reactions = features.body_forces = false;
  try_mutation(
      [](Equations& e, Random&) {
        Replacements at_rest, reversed;
        for (const Speed& u : e.motion.speeds()) {
          at_rest.emplace_back(u.u, u.u.pool().zero());
          reversed.emplace_back(u.u, -u.u);
        }
        for (Expr& f : e.forcing) {
          const Expr quadratic = 0.5 * (f + substitute(f, reversed)) - substitute(f, at_rest);
          if (quadratic.is_zero()) continue;
          f += 0.01 * quadratic;
          return true;
        }
        return false;
      },
      features);
}

TEST(mutation, the_sign_of_one_constraint_coefficient_is_caught) {
  Features features;
  features.links = 5;
  try_mutation(
      [](Equations& e, Random& r) {
        for (ConstraintRow& row : e.rows) {
          if (row.velocity.coefficients.size() < 2) continue;
          Expr& a =
              row.velocity.coefficients[any_index(row.velocity.coefficients.size(), r)].second;
          a = -a;
          return true;
        }
        return false;
      },
      features);
}

TEST(mutation, a_lost_term_of_a_constraints_right_side_is_caught) {
  Features features;
  features.links = 5;
  try_mutation(
      [](Equations& e, Random&) {
        for (Expr& b : e.row_forcing) {
          if (b.is_zero()) continue;
          b = b.pool().zero();
          return true;
        }
        return false;
      },
      features);
}

// Methods fed with different models: the second lacks the reaction of a force. Both models declare
// the same symbols in the same order, so that the second's terms can be rebuilt in the first.
TEST(mutation, a_model_without_the_reaction_of_a_force_is_caught) {
  using namespace units;
  const auto build = [](Model& model, bool has_reaction) {
    const Frame N = model.newtonian();
    const Quantity k = model.parameter("k", 3 * units::N / m),
                   q1 = model.coordinate("q1", {.start = 0.3}),
                   q2 = model.coordinate("q2", {.start = 0.4});
    const Frame A = model.frame("A", rotate(N, Axis::z, q1)),
                B = model.frame("B", rotate(A, Axis::y, q2));
    const Point P = model.particle("P", {.at = N.origin() + 0.7 * m * A.x(), .mass = 2 * kg});
    const Point Q =
        model.particle("Q", {.at = P + (0.5 * m * B.x() + 0.1 * m * B.y()), .mass = 1 * kg});
    ForceOptions force{.on = Q, .value = k * (N.origin() - Q)};
    if (has_reaction) force.from = P;
    model.force("pull", force);
  };
  Model right("right"), wrong("wrong");
  build(right, true);
  build(wrong, false);
  const Kinematics motion = analyze_motion(right), other = analyze_motion(wrong);
  const Equations good = derive(motion, Method::kane);
  Equations bad = derive(motion, Method::lagrange);
  EXPECT_EQ(compare_equations({good, bad}).verdict, Verdict::equal);

  // F_r of the wrong model: the same law on the same point, without its partner.
  const std::vector<Load> loads = collect_loads(motion), lacking = collect_loads(other);
  ASSERT_EQ(loads.size(), 1u);
  ASSERT_EQ(lacking.size(), 1u);
  ASSERT_EQ(lacking[0].forces.size(), 1u);
  Load without = loads[0];
  std::erase_if(without.forces,
                [&](const auto& f) { return f.first != lacking[0].forces[0].first; });
  add_load(bad, loads[0], -1);
  add_load(bad, without, 1);
  const Proof proof = compare_equations({good, bad});
  EXPECT_EQ(proof.verdict, Verdict::different);
  bool is_named = false;
  for (const ProofStep& step : proof.steps) {
    for (const DifferenceTerm& term : step.terms) is_named = is_named || term.name == "pull";
  }
  EXPECT_TRUE(is_named) << "the step that differs does not name the force";
}

}  // namespace
}  // namespace visviva
