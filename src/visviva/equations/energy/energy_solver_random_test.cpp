// Random mechanisms balance their energy: d(K2 + U)/dt + sigma_R - P_nonconservative = 0 at random
// states, and the numbers are those of the constraints solved symbolically.
//
// y is all that changes (time, specified functions, configuration, speeds) and y' its rate, u' from
// the equations of motion. Along the line y + h y' every function changes at h = 0 as along the
// motion.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>

#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/energy_solver.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/kinematics/constraint_rows.h"
#include "visviva/kinematics/random_model_test.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {
namespace {

using namespace mechanisms;

// Over the largest rate. The line leaves the configuration constraints by h^2, which redundant rows
// notice.
constexpr double largest_change = 2e-3;
// Rounding 1e-15/h of energies of order 10; rows solved with pivots down to 1e-2.
constexpr double balance_tolerance = 1e-8;
constexpr double embedded_tolerance = 1e-9;

struct Tally {
  int mechanisms = 0, driven = 0, states = 0;
};

class EnergyCheck {
 public:
  EnergyCheck(const RandomMechanism& mechanism, const Kinematics& motion)
      : mechanism_(mechanism),
        motion_(motion),
        oracle_(motion),
        energies_(analyze_energy(derive(motion))),
        solve_(energies_),
        accelerate_(energies_.equations) {
    for (const auto& [symbol, rate] : collect_rates(motion)) {
      changing_.push_back(symbol);
      rates_.push_back(rate);
    }
    for (const Speed& s : motion.speeds()) changing_.push_back(s.u);
    rate_values_ = std::make_unique<Evaluator>(oracle_.symbols(), rates_);
  }

  void check(Tally* tally) {
    ++tally->mechanisms;
    for (const ConstraintRow& row : energies_.equations.rows) {
      if (row.velocity.remainder.is_zero()) continue;
      ++tally->driven;
      break;
    }
    for (std::uint64_t number = 1; number <= 3; ++number) {
      const auto values = mechanism_.make_state(motion_, oracle_, number);
      if (values && check_state(*values)) ++tally->states;
    }
  }

 private:
  bool check_state(const std::vector<Real>& values) {
    std::vector<double> numbers;
    for (const Real x : values) numbers.push_back(static_cast<double>(x));
    StartState state;
    state.symbols = oracle_.symbols();
    state.values = numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i) state.known[state.symbols[i]] = numbers[i];
    const SolvedMotion solved = accelerate_(state);
    for (const bool known : solved.is_rate_determined) {
      if (!known) return false;
    }
    if (!solved.is_consistent) return false;

    const EnergyValues e = solve_(state);
    if (!e.is_determined || e.is_singular) {
      ADD_FAILURE() << "not determined";
      return false;
    }
    std::vector<double> rates = (*rate_values_)(numbers);
    rates.insert(rates.end(), solved.speed_rates.begin(), solved.speed_rates.end());
    check_balance(state, e, rates);
    if (e.dependent == energies_.embedded.dependent) check_embedded(state, e);
    return true;
  }

  void check_balance(const StartState& state, const EnergyValues& e,
                     const std::vector<double>& rates) const {
    constexpr std::array<double, 4> weights = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    double largest_rate = 10;
    for (const double r : rates) largest_rate = std::max(largest_rate, std::abs(r));
    const double step = largest_change / largest_rate;
    double E_rate = 0, H_rate = 0, E_size = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      for (const int sign : {-1, 1}) {
        const double h = sign * step * static_cast<double>(k + 1);
        StartState there = state;
        for (std::size_t i = 0; i < changing_.size(); ++i)
          there.known.at(changing_[i]) += h * rates[i];
        const EnergyValues moved = solve_(there, e.dependent);
        ASSERT_EQ(moved.dependent, e.dependent);
        E_rate += sign * weights[k] * moved.E / step;
        H_rate += sign * weights[k] * moved.H / step;
        E_size = std::max(E_size, std::abs(moved.K2) + std::abs(moved.K0) + std::abs(moved.U));
      }
    }
    const double size =
        1 + E_size + std::abs(e.P_nonconservative) + std::abs(e.sigma_R) + std::abs(e.sigma);
    EXPECT_NEAR(E_rate, e.P_nonconservative - e.sigma_R, balance_tolerance * size);
    EXPECT_NEAR(H_rate, e.P_nonconservative - e.sigma, balance_tolerance * size);
    EXPECT_NEAR(e.K0 + e.K1 + e.K2, e.K, balance_tolerance * size);
  }

  void check_embedded(const StartState& state, const EnergyValues& e) const {
    const auto compare = [&](double found, const Expr& expected, const char* what) {
      const double x = state.value(expected);
      EXPECT_NEAR(found, x, embedded_tolerance * (1 + e.K + std::abs(x))) << what;
    };
    compare(e.K0, energies_.K0, "K0");
    compare(e.K1, energies_.K1, "K1");
    compare(e.K2, energies_.K2, "K2");
    compare(e.U, energies_.U, "U");
    compare(e.sigma, energies_.sigma, "sigma");
    compare(e.sigma_R, energies_.sigma_R, "sigma_R");
    compare(e.P_nonconservative, energies_.P_nonconservative, "P_nonconservative");
  }

  const RandomMechanism& mechanism_;
  const Kinematics& motion_;
  MotionOracle oracle_;
  Energies energies_;
  EnergySolver solve_;
  MotionSolver accelerate_;
  std::vector<Expr> changing_, rates_;
  std::unique_ptr<Evaluator> rate_values_;
};

TEST(EnergySolver, random_mechanisms_balance_their_energy) {
  Features features;
  features.links = 4;
  features.speeds = 5;
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const RandomMechanism mechanism(seed, features);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Kinematics motion = analyze_motion(mechanism.model);
    if (motion.speeds().empty()) continue;
    EnergyCheck(mechanism, motion).check(&tally);
    if (HasFailure()) {
      std::cout << "seed " << seed << '\n' << mechanism.text();
      break;
    }
  }
  std::cout << tally.mechanisms << " mechanisms, " << tally.driven << " with driven constraints, "
            << tally.states << " states\n";
  EXPECT_GT(tally.mechanisms, 80);
  EXPECT_GT(tally.driven, 10);
  EXPECT_GT(tally.states, 150);
}

}  // namespace
}  // namespace visviva
