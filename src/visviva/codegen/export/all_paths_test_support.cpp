// AllPaths: the ways of getting numbers out of a model, one after another.
//
//   interpreter, also with a numerical solve     machine code for one state, of AVX-512 and of AVX2
//   batches of four (AVX2) and of eight (AVX-512)          exported C, Python and MATLAB
// The reference shares no code with them: MotionOracle's differences of positions. u' solves its
// equations; with e(s) the kinetic energy when independent speeds are multiplied by s and dependent
// ones follow from the constraints,
//   K0 = e(0),  K1 = (e(1) - e(-1))/2,  K2 = (e(1) + e(-1))/2 - e(0)                          (1)
//   d(K2 + U)/dt + Z' = 0 along the motion with the reference's u'                            (2)
#include "visviva/codegen/export/all_paths_test.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "visviva/codegen/jit/machine_code.h"
#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"

namespace visviva::paths {
namespace {

using mechanisms::RealMatrix;
using mechanisms::RealVector;

// Of the largest number: two ways of rounding, mass matrices of condition 1e5.
constexpr double rounding = 1e-10;
// Differences are right to 1e-13 of the largest term for motions of 1 rad/s; faster ones cost two
// digits, and the condition of M further ones.
constexpr double reference_tolerance = 1e-9;
// (2) is a difference of numbers that were rounded to double: 1e-16 of an energy over a step of
// 2e-4. A step as long as the oracle's own is too long near places where the dependent speeds no
// longer follow from the others.
constexpr double balance_tolerance = 1e-9;
constexpr Real balance_step = 1.0L / 16;  // of the oracle's

// More than a batch of eight, so that the last one is not full.
constexpr std::size_t batch_count = 11;

class AllPaths {
 public:
  /// Motion and oracle must outlive this.
  AllPaths(const Kinematics& motion, const MotionOracle& oracle, const Tools& tools)
      : motion_(motion),
        oracle_(oracle),
        tools_(tools),
        energies_(analyze_energy(derive(motion))),
        exported_(make_exported_system(energies_.equations, make_consistent_start(motion))) {
    const ModelData& model = motion.model();
    for (const CoordinateData& c : model.coordinates) state_.push_back(c.q);
    for (const FrameData& f : model.frames)
      state_.insert(state_.end(), f.hidden.begin(), f.hidden.end());
    for (const Speed& s : motion.speeds()) state_.push_back(s.u);
    for (const SpecifiedData& s : model.specified) {
      if (!s.definition) inputs_.insert(inputs_.end(), s.derivatives.begin(), s.derivatives.end());
    }
    for (const ParameterData& p : model.parameters) parameters_.push_back(p.symbol);
  }

  /// Every state through every path; constraints must hold in all of them.
  void check(const std::vector<std::vector<Real>>& states, PathTally* tally) {
    if (states.empty()) return;
    ++tally->models;
    if (!energies_.equations.rows.empty()) ++tally->constrained;
    std::vector<Numbers> numbers;
    for (const auto& state : states) numbers.emplace_back(state.begin(), state.end());

    const std::vector<PathValues> first =
        run_singles("interpreter", {.code = {.interpret = true}}, numbers);
    for (std::size_t k = 0; k < states.size(); ++k) {
      ++tally->states;
      if (first[k].is_determined) check_reference(states[k], first[k]);
    }
    const auto compare_all = [&](const std::vector<PathValues>& found) {
      for (std::size_t k = 0; k < found.size(); ++k)
        compare(found[k], first[k % first.size()], tally);
    };
    compare_all(run_singles("interpreter, solved numerically",
                            {.code = {.interpret = true}, .unrolled_operations = 0}, numbers));
    if (tools_.has_avx512) {
      compare_all(run_singles("avx512 x 1", {}, numbers));
      compare_all(run_batch("avx512 x 8", {}, numbers));
    }
    if (tools_.has_avx2) {
      compare_all(run_singles("avx2 x 1", {.code = {.avoid_avx512 = true}}, numbers));
      compare_all(run_batch("avx2 x 4", {.code = {.avoid_avx512 = true}}, numbers));
    }
    const ExportedPaths exported = make_exported(numbers);
    if (tools_.has_c) compare_all(exported.run_c());
    if (tools_.has_python) compare_all(exported.run_python());
    if (tools_.has_octave) compare_all(exported.run_octave());
  }

 private:
  // States are the values of the oracle's symbols.

  Numbers pick(const std::vector<Expr>& symbols, const Numbers& all) const {
    Numbers some;
    for (const Expr& s : symbols) some.push_back(all[oracle_.place(s)]);
    return some;
  }

  // Values in an exported file's order, by name: the file knows no symbols.
  Numbers pick(const std::vector<ExportedVariable>& variables, const Numbers& all) const {
    Numbers some;
    for (const ExportedVariable& v : variables)
      some.push_back(all[oracle_.place(motion_.model().pool->symbol(v.name))]);
    return some;
  }

  Numbers speed_part(const Numbers& rates) const {
    return {rates.end() - oracle_.speed_count(), rates.end()};
  }

  // ---- Compiled systems

  CompiledSystem make_system(SystemOptions options) const {
    options.jacobian = options.sensitivities = false;
    return compile(energies_.equations, energies_, options);
  }

  // Energies as functions of all symbols.
  CompiledFunction make_energies(const CompileOptions& options) const {
    const EnergyTerms& e = energies_;
    return CompiledFunction(
        oracle_.symbols(), {},
        {e.K0, e.K1, e.K2, e.U, e.sigma_R, e.P_nonconservative, e.sigma_R - e.P_nonconservative},
        options);
  }

  std::vector<PathValues> run_singles(const std::string& path, const SystemOptions& options,
                                      const std::vector<Numbers>& states) const {
    const CompiledSystem system = make_system(options);
    std::vector<PathValues> found;
    for (const Numbers& all : states) {
      const Numbers y = pick(state_, all), inputs = pick(inputs_, all);
      const PreparedParameters p = system.prepare(pick(parameters_, all));
      const Instant at{all[0], y.data(), inputs.data()};
      Numbers rates(y.size());
      const MotionStatus status = system.compute_rates(at, p, rates.data());
      PathValues values{path, status == MotionStatus::ok, speed_part(rates)};
      const std::vector<int>& dependent = energies_.embedded.dependent;
      const SystemEnergies e = system.compute_energies(at, p, dependent);
      if (e.is_determined && e.dependent == dependent)
        values.energies = {e.K0, e.K1, e.K2, e.U, e.sigma_R, e.P_nonconservative, e.Z_rate};
      found.push_back(std::move(values));
    }
    return found;
  }

  // States repeat until there are batch_count of them. Parameters are the same in all.
  std::vector<PathValues> run_batch(const std::string& path, const SystemOptions& options,
                                    const std::vector<Numbers>& states) const {
    const CompiledSystem system = make_system(options);
    const CompiledFunction energies = make_energies(options.code);
    const std::size_t n = batch_count, outputs = energies.output_count();
    Numbers times(n), y(state_.size() * n), inputs(inputs_.size() * n), rates(y.size());
    Numbers symbols(oracle_.symbols().size() * n), results(outputs * n);
    std::vector<MotionStatus> statuses(n);
    const auto spread = [](const Numbers& values, std::size_t k, Numbers* to) {
      for (std::size_t i = 0; i < values.size(); ++i) (*to)[i * n + k] = values[i];
    };
    const auto gather = [](const Numbers& from, std::size_t k) {
      Numbers values;
      for (std::size_t i = k; i < from.size(); i += n) values.push_back(from[i]);
      return values;
    };
    for (std::size_t k = 0; k < n; ++k) {
      const Numbers& all = states[k % states.size()];
      times[k] = all[0];
      spread(pick(state_, all), k, &y);
      spread(pick(inputs_, all), k, &inputs);
      spread(all, k, &symbols);
    }
    const PreparedParameters p = system.prepare(pick(parameters_, states.front()));
    system.compute_rates_batch(times.data(), y.data(), inputs.data(), n, n, p, rates.data(),
                               statuses.data());
    energies.evaluate_batch(symbols.data(), n, n, energies.prepare({}).data(), results.data());
    std::vector<PathValues> found;
    for (std::size_t k = 0; k < n; ++k)
      found.push_back({path, statuses[k] == MotionStatus::ok, speed_part(gather(rates, k)),
                       gather(results, k)});
    return found;
  }

  // ---- Exported files

  ExportedPaths make_exported(const std::vector<Numbers>& states) const {
    std::vector<ExportedState> picked;
    for (const Numbers& all : states)
      picked.push_back({all[0], pick(exported_.states, all), pick(exported_.inputs, all),
                        pick(exported_.parameters, all)});
    return {exported_, picked};
  }

  // ---- Comparisons

  static void compare(const Numbers& found, const Numbers& expected, double tolerance,
                      const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    double size = 1.0;
    for (const double x : expected) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], tolerance * size) << what << " " << i;
  }

  static void compare(const PathValues& found, const PathValues& expected, PathTally* tally) {
    ++tally->paths;
    EXPECT_EQ(found.is_determined, expected.is_determined) << found.path;
    if (!found.is_determined || !expected.is_determined) return;
    compare(found.accelerations, expected.accelerations, rounding, found.path + ": acceleration");
    if (found.energies.empty() || expected.energies.empty()) return;
    ++tally->energies;
    compare(found.energies, expected.energies, rounding, found.path + ": energy");
  }

  void check_reference(const std::vector<Real>& state, const PathValues& found) const {
    const MotionOracle::Numbers numbers = oracle_.assemble(state);
    const RealVector udot = oracle_.solve(numbers).head(oracle_.speed_count());
    compare(found.accelerations, Numbers(udot.data(), udot.data() + udot.size()),
            reference_tolerance, "differences of positions: acceleration");
    if (found.energies.empty()) return;

    // (1)
    const Real none = oracle_.kinetic_energy(scale_speeds(state, numbers.A, 0)),
               forth = oracle_.kinetic_energy(scale_speeds(state, numbers.A, 1)),
               back = oracle_.kinetic_energy(scale_speeds(state, numbers.A, -1));
    compare({found.energies[0], found.energies[1], found.energies[2]},
            {static_cast<double>(none), static_cast<double>((forth - back) / 2),
             static_cast<double>((forth + back) / 2 - none)},
            reference_tolerance, "differences of positions: K");

    // (2)
    const CompiledFunction energies = make_energies({.interpret = true});
    const auto stored = [&](Real h) {
      const std::vector<Real> moved = oracle_.move(state, udot, h);
      const Numbers e = energies(Numbers(moved.begin(), moved.end()), {});
      return Real(e[2]) + Real(e[3]);
    };
    const Real rate =
        mechanisms::first_difference(stored, balance_step * oracle_.step(state, udot));
    const double size = std::max({1.0, std::abs(found.energies[2]), std::abs(found.energies[3]),
                                  std::abs(found.energies[4]), std::abs(found.energies[5])});
    EXPECT_NEAR(static_cast<double>(rate), -found.energies[6], balance_tolerance * size)
        << "power balance";
  }

  // Independent speeds times `factor`; the others as the constraints want them.
  std::vector<Real> scale_speeds(std::vector<Real> state, const RealMatrix& A, Real factor) const {
    const std::vector<int>& dependent = energies_.embedded.dependent;
    const auto speed = [&](int r) -> Real& {
      return state[oracle_.first_speed() + static_cast<std::size_t>(r)];
    };
    for (int r = 0; r < oracle_.speed_count(); ++r) speed(r) *= factor;
    if (dependent.empty()) return state;
    RealMatrix A_d(A.rows(), static_cast<Eigen::Index>(dependent.size()));
    for (std::size_t i = 0; i < dependent.size(); ++i) {
      speed(dependent[i]) = 0;
      A_d.col(static_cast<Eigen::Index>(i)) = A.col(dependent[i]);
    }
    const RealVector u_d =
        A_d.completeOrthogonalDecomposition().solve(-oracle_.velocity_errors(state));
    for (std::size_t i = 0; i < dependent.size(); ++i)
      speed(dependent[i]) = u_d(static_cast<Eigen::Index>(i));
    return state;
  }

  const Kinematics& motion_;
  const MotionOracle& oracle_;
  Tools tools_;
  Energies energies_;
  ExportedSystem exported_;
  std::vector<Expr> state_, inputs_, parameters_;
};

}  // namespace

Tools::Tools()
    : has_avx2(detect_instructions() >= InstructionSet::avx2),
      has_avx512(detect_instructions() >= InstructionSet::avx512),
      has_c(std::system("cc --version > /dev/null 2>&1") == 0),
      has_python(std::system(VISVIVA_PYTHON " -c 'import numpy' > /dev/null 2>&1") == 0),
      has_octave(std::system("octave-cli --version > /dev/null 2>&1") == 0) {}

void check_all_paths(const Kinematics& motion, const MotionOracle& oracle, const Tools& tools,
                     const std::vector<std::vector<Real>>& states, PathTally* tally) {
  AllPaths(motion, oracle, tools).check(states, tally);
}

}  // namespace visviva::paths
