// dE_Z/dt = 0 can fail: a term changed in the equations but not in the power, or in the energies but
// not in the equations, is caught. A change that no identity depends on (a force without power) is
// not counted.
#include <gtest/gtest.h>

#include <functional>
#include <iostream>

#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/energy_identities.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/testing/random_mechanism_test.h"

namespace visviva {
namespace {

using namespace mechanisms;

constexpr std::uint64_t first_seed = 3001, last_seed = 3060;

// What of a mechanism may be spoiled.
struct Subject {
  Equations equations;
  VelocitySplit split;
  EnergyTerms energy;

  explicit Subject(const Model& model)
      : equations(derive(analyze_motion(model))),
        split(equations),
        energy(analyze_formal_energy(equations, split, nullptr)) {}

  ExprPool& pool() const { return *equations.motion.model().pool; }

  bool holds() const {
    std::vector<EnergyIdentity> all = make_energy_identities(equations.motion, energy, split);
    for (EnergyIdentity& i : make_energy_identities(equations, energy, split, nullptr))
      all.push_back(std::move(i));
    for (const EnergyIdentity& i : all) {
      if (!(i.left == i.right)) return false;
    }
    return true;
  }
};

// Spoils something; false when there is nothing to spoil.
using Mutation = std::function<bool(Subject&)>;

void expect_caught(const Mutation& mutate) {
  int tried = 0, caught = 0;
  for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) {
    Features features;
    features.links = 4;
    const RandomMechanism mechanism(seed, features);
    Subject subject(mechanism.model);
    ASSERT_TRUE(subject.holds()) << "seed " << seed << "\n" << mechanism.text();
    if (!mutate(subject)) continue;
    ++tried;
    const bool holds = subject.holds();
    EXPECT_FALSE(holds) << "seed " << seed << "\n" << mechanism.text();
    caught += holds ? 0 : 1;
  }
  std::cout << "seeds " << first_seed << " to " << last_seed << ": " << caught << " of " << tried
            << " caught\n";
  EXPECT_GE(tried, 20);
}

// f + factor F_r of the first load with power.
bool change_load_in_equations(Subject& s, double factor) {
  for (const Load& load : collect_loads(s.equations.motion)) {
    const std::vector<Expr> F = compute_generalized_forces(s.equations.motion, load);
    Expr power = s.pool().zero();
    for (std::size_t r = 0; r < F.size(); ++r) power += F[r] * s.split.moved_speeds()[r];
    if (power.is_zero()) continue;
    for (std::size_t r = 0; r < F.size(); ++r) s.equations.forcing[r] += factor * F[r];
    return true;
  }
  return false;
}

TEST(energy_mutation, a_load_left_out_of_the_equations_is_caught) {
  expect_caught([](Subject& s) { return change_load_in_equations(s, -1); });
}

TEST(energy_mutation, a_load_with_the_wrong_sign_in_the_equations_is_caught) {
  expect_caught([](Subject& s) { return change_load_in_equations(s, -2); });
}

TEST(energy_mutation, a_load_with_a_thousandth_too_much_in_the_equations_is_caught) {
  expect_caught([](Subject& s) { return change_load_in_equations(s, 0.001); });
}

TEST(energy_mutation, a_mass_matrix_entry_is_caught) {
  expect_caught([](Subject& s) {
    for (std::size_t r = 0; r < s.equations.mass_matrix.size(); ++r) {
      if (s.equations.mass_matrix[r][r].is_zero()) continue;
      s.equations.mass_matrix[r][r] *= s.pool().rational(101, 100);
      return true;
    }
    return false;
  });
}

// The inertia terms of f: all of f but the loads.
TEST(energy_mutation, inertia_terms_with_the_wrong_sign_in_the_equations_are_caught) {
  expect_caught([](Subject& s) {
    std::vector<Expr> inertia = s.equations.forcing;
    for (const Load& load : collect_loads(s.equations.motion)) {
      const std::vector<Expr> F = compute_generalized_forces(s.equations.motion, load);
      for (std::size_t r = 0; r < F.size(); ++r) inertia[r] -= F[r];
    }
    Expr power = s.pool().zero();
    for (std::size_t r = 0; r < inertia.size(); ++r)
      power += inertia[r] * s.split.moved_speeds()[r];
    if (power.is_zero()) return false;  // constant inertia, nothing prescribed
    for (std::size_t r = 0; r < inertia.size(); ++r) s.equations.forcing[r] -= 2.0 * inertia[r];
    return true;
  });
}

TEST(energy_mutation, power_that_a_load_does_not_have_is_caught) {
  expect_caught([](Subject& s) {
    for (const LoadEnergy& load : s.energy.loads) {
      if (load.nonconservative_power.is_zero()) continue;
      s.energy.P_nonconservative -= load.nonconservative_power;
      return true;
    }
    return false;
  });
}

TEST(energy_mutation, nonconservative_power_with_the_wrong_sign_is_caught) {
  expect_caught([](Subject& s) {
    if (s.energy.P_nonconservative.is_zero()) return false;
    s.energy.P_nonconservative = -s.energy.P_nonconservative;
    return true;
  });
}

TEST(energy_mutation, a_potential_left_out_is_caught) {
  expect_caught([](Subject& s) {
    for (const LoadEnergy& load : s.energy.loads) {
      if (s.split.rate(load.potential).is_zero()) continue;
      s.energy.U -= load.potential;
      return true;
    }
    return false;
  });
}

TEST(energy_mutation, sigma_R_with_the_wrong_sign_is_caught) {
  expect_caught([](Subject& s) {
    if (s.energy.sigma_R.is_zero()) return false;
    s.energy.sigma_R = -s.energy.sigma_R;
    return true;
  });
}

TEST(energy_mutation, sigma_for_sigma_R_is_caught) {
  expect_caught([](Subject& s) {
    if (s.energy.sigma == s.energy.sigma_R) return false;
    s.energy.sigma_R = s.energy.sigma;
    return true;
  });
}

TEST(energy_mutation, K_for_K2_is_caught) {
  expect_caught([](Subject& s) {
    if (s.energy.K == s.energy.K2) return false;
    s.energy.K2 = s.energy.K;
    return true;
  });
}

TEST(energy_mutation, a_body_left_out_of_K2_is_caught) {
  expect_caught([](Subject& s) {
    for (const BodyEnergy& b : s.energy.bodies) {
      if (b.K2.is_zero()) continue;
      s.energy.K2 -= b.K2;
      return true;
    }
    return false;
  });
}

TEST(energy_mutation, a_body_left_out_of_sigma_R_is_caught) {
  expect_caught([](Subject& s) {
    for (const BodyEnergy& b : s.energy.bodies) {
      if (b.sigma_R.is_zero()) continue;
      s.energy.sigma_R -= b.sigma_R;
      return true;
    }
    return false;
  });
}

}  // namespace
}  // namespace visviva
