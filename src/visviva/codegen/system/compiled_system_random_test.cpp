// Compiled systems of random mechanisms give what the solvers of expressions give: accelerations,
// multipliers, energies, and their derivatives by differences.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <functional>
#include <iostream>

#include "visviva/codegen/system/compile.h"
#include "visviva/codegen/system/compiled_system.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/energy_solver.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {
namespace {

using namespace mechanisms;

// Of the largest acceleration or energy: two ways of rounding, mass matrices of condition 1e5.
constexpr double solver_rounding = 1e-10;
// Differences of order 8: truncation h^8 times the ninth derivative, large near singular places;
// rounding 1e-16/h of accelerations up to 50, times the condition of M.
constexpr double difference_step = 5e-4;
constexpr double difference_tolerance = 1e-7;

struct Tally {
  int mechanisms = 0, constrained = 0, states = 0, derivatives = 0;
  int written = 0, doubtful = 0;  // constrained states: by the written-out solution, or as numbers
};

class SystemCheck {
 public:
  SystemCheck(const RandomMechanism& mechanism, const Kinematics& motion,
              const SystemOptions& options)
      : mechanism_(mechanism),
        motion_(motion),
        oracle_(motion),
        energies_(analyze_energy(derive(motion))),
        system_(compile(energies_.equations, energies_, options)),
        accelerate_(energies_.equations),
        energy_(energies_) {
    const ModelData& model = motion.model();
    // Hidden states only as the system has them.
    for (std::size_t i = 0; i < system_.configuration_count(); ++i)
      state_.push_back(model.pool->symbol(system_.state_names()[i]));
    for (const int first : system_.quaternions()) {
      const auto i = static_cast<std::size_t>(first);
      quaternions_.push_back({i, i + 1, i + 2, i + 3});
    }
    const auto rates = collect_rates(motion);
    std::vector<Expr> outputs;
    for (const Expr& q : state_) {
      for (const auto& [symbol, rate] : rates) {
        if (symbol == q) outputs.push_back(rate);
      }
    }
    configuration_rates_ = std::make_unique<Evaluator>(oracle_.symbols(), outputs);
    for (const Speed& s : motion.speeds()) state_.push_back(s.u);
    for (const SpecifiedData& s : model.specified) {
      if (!s.definition) inputs_.insert(inputs_.end(), s.derivatives.begin(), s.derivatives.end());
    }
    for (const std::string& name : system_.parameter_names())
      parameters_.push_back(model.pool->symbol(name));
  }

  void check(Tally* tally) {
    ++tally->mechanisms;
    if (!energies_.equations.rows.empty()) ++tally->constrained;
    for (std::uint64_t number = 1; number <= 2; ++number) {
      const auto values = mechanism_.make_state(motion_, oracle_, number);
      if (!values) continue;
      ++tally->states;
      check_state(std::vector<double>(values->begin(), values->end()), tally);
    }
  }

 private:
  std::vector<double> pick(const std::vector<Expr>& symbols, const std::vector<double>& all) const {
    std::vector<double> some;
    for (const Expr& s : symbols) some.push_back(all[oracle_.place(s)]);
    return some;
  }

  StartState to_state(const std::vector<double>& all) const {
    StartState state;
    state.symbols = oracle_.symbols();
    state.values = all;
    for (std::size_t i = 0; i < all.size(); ++i) state.known[state.symbols[i]] = all[i];
    return state;
  }

  // y', by expressions.
  std::vector<double> expected_rates(const std::vector<double>& all) const {
    std::vector<double> rates = (*configuration_rates_)(all);
    const SolvedMotion solved = accelerate_(to_state(all));
    rates.insert(rates.end(), solved.speed_rates.begin(), solved.speed_rates.end());
    return rates;
  }

  void check_state(const std::vector<double>& all, Tally* tally) {
    const std::vector<double> y = pick(state_, all), inputs = pick(inputs_, all);
    const PreparedParameters p = system_.prepare(pick(parameters_, all));
    const Instant at{all[0], y.data(), inputs.data()};
    const SolvedMotion solved = accelerate_(to_state(all));

    const SolvedSystem found = system_.solve(at, p);
    std::vector<double> rates(y.size());
    const MotionStatus status = system_.compute_rates(at, p, rates.data());
    const bool is_determined =
        std::all_of(solved.is_rate_determined.begin(), solved.is_rate_determined.end(),
                    [](bool known) { return known; });
    const MotionStatus expected_status = !solved.is_consistent ? MotionStatus::contradictory
                                         : is_determined       ? MotionStatus::ok
                                                               : MotionStatus::not_determined;
    EXPECT_EQ(status, expected_status);
    if (expected_status != MotionStatus::ok) return;
    if (!energies_.equations.rows.empty())
      ++(system_.holds_unrolled(at, p) ? tally->written : tally->doubtful);
    compare(rates, expected_rates(all), "rates");
    compare(found.speed_rates, solved.speed_rates, "accelerations");
    EXPECT_EQ(found.is_multiplier_determined, solved.is_multiplier_determined);
    compare(found.multipliers, solved.multipliers, "multipliers");

    check_energies(at, p, all, rates);
    check_rows(at, p, all);
    check_inverse(at, p, found);
    check_derivatives(at, p, all, solved.open_multipliers.empty(), tally);
  }

  static void compare(const std::vector<double>& found, const std::vector<double>& expected,
                      const char* what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    double size = 1;
    for (const double x : expected) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], solver_rounding * size) << what << " " << i;
  }

  void check_energies(const Instant& at, const PreparedParameters& p,
                      const std::vector<double>& all, const std::vector<double>& rates) const {
    const SystemEnergies found = system_.compute_energies(at, p);
    const EnergyValues e = energy_(to_state(all));
    EXPECT_EQ(found.dependent, e.dependent);
    EXPECT_EQ(found.is_singular, e.is_singular);
    EXPECT_EQ(found.is_determined, e.is_determined);
    if (!e.is_determined) return;
    compare({found.K, found.K0, found.K1, found.K2, found.U, found.sigma, found.sigma_R, found.P,
             found.P_nonconservative, found.Z_rate},
            {e.K, e.K0, e.K1, e.K2, e.U, e.sigma, e.sigma_R, e.P, e.P_nonconservative, e.Z_rate},
            "energies");
    std::vector<double> both(rates.size() + 1);
    EXPECT_EQ(system_.compute_rates_and_quadratures(at, p, both.data()), MotionStatus::ok);
    std::vector<double> expected = rates;
    expected.push_back(e.Z_rate);
    compare(both, expected, "rates and Z'");
  }

  void check_rows(const Instant& at, const PreparedParameters& p,
                  const std::vector<double>& all) const {
    const std::vector<Real> state(all.begin(), all.end());
    std::vector<double> positions(system_.position_count()), velocities(system_.row_count());
    system_.compute_residuals(at, p, positions.data(), velocities.data());
    const RealVector g = oracle_.position_errors(state), v = oracle_.velocity_errors(state);
    compare(positions, std::vector<double>(g.data(), g.data() + g.size()), "positions");
    if (system_.row_count() > 0)
      compare(velocities, std::vector<double>(v.data(), v.data() + v.size()), "velocities");
  }

  // Along a motion M u' - f is what the constraints do; of other rates, M times the difference more.
  void check_inverse(const Instant& at, const PreparedParameters& p,
                     const SolvedSystem& found) const {
    if (!system_.has_inverse_dynamics()) return;
    const Eigen::MatrixXd M = system_.compute_mass_matrix(at, p), A = system_.compute_rows(at, p);
    const auto as_vector = [](const std::vector<double>& v) {
      return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
    };
    const Eigen::VectorXd motion = as_vector(found.speed_rates),
                          other = motion + Eigen::VectorXd::LinSpaced(motion.size(), -1, 2);
    Eigen::VectorXd needed(motion.size());
    for (const Eigen::VectorXd& rates : {motion, other}) {
      EXPECT_EQ(system_.compute_inverse_dynamics(at, p, rates.data(), needed.data()),
                MotionStatus::ok);
      const Eigen::VectorXd expected =
          M * (rates - motion) + A.transpose() * as_vector(found.multipliers);
      const double size = 1 + (M.cwiseAbs() * rates.cwiseAbs()).maxCoeff();
      EXPECT_LT((needed - expected).cwiseAbs().maxCoeff(), solver_rounding * size);
    }
  }

  // ---- Derivatives

  std::vector<double> difference(const std::function<std::vector<double>(double)>& f) const {
    constexpr std::array<double, 4> weights = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    std::vector<double> sum(system_.state_count());
    for (std::size_t k = 0; k < 4; ++k) {
      const double h = difference_step * static_cast<double>(k + 1);
      const std::vector<double> after = f(h), before = f(-h);
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += weights[k] * (after[i] - before[i]) / difference_step;
    }
    return sum;
  }

  void compare_column(const Eigen::VectorXd& found, const std::vector<double>& expected,
                      const std::string& what) const {
    double size = 1;
    for (const double x : expected) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(found(static_cast<Eigen::Index>(i)), expected[i], difference_tolerance * size)
          << system_.state_names()[i] << "' by " << what;
  }

  // Accelerations that grow fast with a step are near a singular place: differences say nothing.
  bool is_smooth(const std::vector<double>& all) const {
    for (const double x : expected_rates(all)) {
      if (!(std::abs(x) < 50)) return false;
    }
    return true;
  }

  void check_derivatives(const Instant& at, const PreparedParameters& p,
                         const std::vector<double>& all, bool is_regular, Tally* tally) const {
    SystemJacobian J;
    EXPECT_EQ(system_.compute_jacobian(at, p, &J), MotionStatus::ok);
    EXPECT_EQ(system_.compute_sensitivities(at, p, &J), MotionStatus::ok);
    check_pattern(J);
    if (!is_regular || !is_smooth(all)) return;
    ++tally->derivatives;
    const auto check = [&](const Eigen::MatrixXd& found, const std::vector<Expr>& symbols) {
      for (std::size_t j = 0; j < symbols.size(); ++j) {
        const auto moved = [&](double h) {
          std::vector<double> there = all;
          there[oracle_.place(symbols[j])] += h;
          return expected_rates(there);
        };
        compare_column(found.col(static_cast<Eigen::Index>(j)), difference(moved),
                       symbols[j].home().symbol_name(symbols[j].ref()));
      }
    };
    check_states(J, all);
    check(J.by_inputs, inputs_);
    check(J.by_parameters, parameters_);
    compare_column(J.by_time, difference([&](double h) { return rates_later(all, h); }), "t");
  }

  // Euler parameters move on their sphere only: beside it, forms of one function differ.
  void check_states(const SystemJacobian& J, const std::vector<double>& all) const {
    std::vector<bool> is_done(state_.size());
    for (const std::array<std::size_t, 4>& e : quaternions_) {
      std::array<double, 4> x{};
      for (std::size_t k = 0; k < 4; ++k) x[k] = all[oracle_.place(state_[e[k]])];
      const std::array<std::array<double, 4>, 3> tangents = {
          {{-x[1], x[0], -x[3], x[2]}, {-x[2], x[3], x[0], -x[1]}, {-x[3], -x[2], x[1], x[0]}}};
      for (const auto& d : tangents) {
        Eigen::VectorXd found = Eigen::VectorXd::Zero(J.by_state.rows());
        for (std::size_t k = 0; k < 4; ++k)
          found += d[k] * J.by_state.col(static_cast<Eigen::Index>(e[k]));
        const auto moved = [&](double h) {
          std::vector<double> there = all;
          for (std::size_t k = 0; k < 4; ++k)
            there[oracle_.place(state_[e[k]])] = std::cos(h) * x[k] + std::sin(h) * d[k];
          return expected_rates(there);
        };
        compare_column(found, difference(moved), "a turn");
      }
      for (const std::size_t i : e) is_done[i] = true;
    }
    for (std::size_t j = 0; j < state_.size(); ++j) {
      if (is_done[j]) continue;
      const auto moved = [&](double h) {
        std::vector<double> there = all;
        there[oracle_.place(state_[j])] += h;
        return expected_rates(there);
      };
      compare_column(J.by_state.col(static_cast<Eigen::Index>(j)), difference(moved),
                     system_.state_names()[j]);
    }
  }

  // Time moves, and the specified functions with it.
  std::vector<double> rates_later(std::vector<double> all, double h) const {
    const ModelData& model = motion_.model();
    all[0] += h;
    for (const SpecifiedData& s : model.specified) {
      if (!s.definition) continue;
      Expr value = *s.definition;
      for (const Expr& x : s.derivatives) {
        all[oracle_.place(x)] = evaluate(value, {model.time}, {all[0]});
        value = differentiate(value, model.time);
      }
    }
    return expected_rates(all);
  }

  void check_pattern(const SystemJacobian& J) const {
    std::vector<std::vector<bool>> may(system_.state_count(),
                                       std::vector<bool>(system_.state_count()));
    for (const auto& [i, j] : system_.jacobian_pattern())
      may[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = true;
    for (std::size_t i = 0; i < may.size(); ++i) {
      for (std::size_t j = 0; j < may.size(); ++j) {
        if (may[i][j]) continue;
        EXPECT_NEAR(J.by_state(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)), 0.0,
                    1e-11 * (1 + J.by_state.cwiseAbs().maxCoeff()));
      }
    }
  }

  const RandomMechanism& mechanism_;
  const Kinematics& motion_;
  MotionOracle oracle_;
  Energies energies_;
  CompiledSystem system_;
  MotionSolver accelerate_;
  EnergySolver energy_;
  std::vector<Expr> state_, inputs_, parameters_;
  std::vector<std::array<std::size_t, 4>> quaternions_;  // in the state
  std::unique_ptr<Evaluator> configuration_rates_;
};

Tally check_mechanisms(std::uint64_t first, std::uint64_t last, const Features& features,
                       const SystemOptions& options) {
  Tally tally;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const RandomMechanism mechanism(seed, features);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Kinematics motion = analyze_motion(mechanism.model);
    if (motion.speeds().empty()) continue;
    SystemCheck(mechanism, motion, options).check(&tally);
    if (testing::Test::HasFailure()) {
      std::cout << "seed " << seed << '\n' << mechanism.text();
      break;
    }
  }
  std::cout << tally.mechanisms << " mechanisms, " << tally.constrained << " constrained, "
            << tally.states << " states, " << tally.derivatives << " with derivatives, "
            << tally.written << " under constraints by code, " << tally.doubtful << " as numbers\n";
  return tally;
}

Features small_mechanisms() {
  Features features;
  features.links = 4;
  features.speeds = 5;
  return features;
}

TEST(RandomSystems, agree_with_the_solvers_of_expressions) {
  const Tally tally = check_mechanisms(1, 80, small_mechanisms(), {});
  EXPECT_GT(tally.mechanisms, 60);
  EXPECT_GT(tally.constrained, 20);
  EXPECT_GT(tally.states, 100);
  EXPECT_GT(tally.derivatives, 40);
  // Neither is always taken: some rows are redundant, most are not.
  EXPECT_GT(tally.written, tally.doubtful);
  EXPECT_GT(tally.doubtful, 0);
}

TEST(RandomSystems, agree_when_interpreted_and_solved_numerically) {
  SystemOptions options;
  options.code.interpret = true;
  options.unrolled_operations = 0;
  const Tally tally = check_mechanisms(101, 130, small_mechanisms(), options);
  EXPECT_GT(tally.states, 30);
}

}  // namespace
}  // namespace visviva
