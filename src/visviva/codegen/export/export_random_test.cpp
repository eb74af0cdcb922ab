// Exported C of random mechanisms, compiled by the C compiler, gives the accelerations and energies of
// the solvers of expressions, which share none of its code.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "visviva/codegen/export/export.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/energy_solver.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {
namespace {

using namespace mechanisms;

// Of the largest number: two ways of rounding, mass matrices of condition 1e5.
constexpr double rounding = 1e-9;

using Function = int (*)(double, const double*, const double*, const double*, double*);

class CompiledSource {
 public:
  CompiledSource(const std::string& text, const std::string& name)
      : folder_(std::filesystem::temp_directory_path() /
                ("visviva_export_" + std::to_string(getpid()) + "_" + name)) {
    std::filesystem::create_directories(folder_);
    const std::string source = (folder_ / "model.c").string(),
                      library = (folder_ / "model.so").string();
    std::ofstream(source) << text;
    const std::string command = "cc -std=c99 -Wall -Wextra -Werror -pedantic -O0 -shared -fPIC '" +
                                source + "' -o '" + library + "' -lm";
    if (std::system(command.c_str()) == 0) handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  ~CompiledSource() {
    if (handle_ != nullptr) dlclose(handle_);
    std::filesystem::remove_all(folder_);
  }
  CompiledSource(const CompiledSource&) = delete;
  CompiledSource& operator=(const CompiledSource&) = delete;

  bool is_good() const { return handle_ != nullptr; }
  Function function(const char* name) const {
    return reinterpret_cast<Function>(dlsym(handle_, name));
  }

 private:
  std::filesystem::path folder_;
  void* handle_ = nullptr;
};

struct Tally {
  int mechanisms = 0, constrained = 0, states = 0, energies = 0;
};

void compare(const double* found, const std::vector<double>& expected, const char* what) {
  double size = 1.0;
  for (const double x : expected) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], rounding * size) << what << " " << i;
}

// Nothing when the constraints cannot be embedded.
std::unique_ptr<const Energies> find_energies(const Equations& equations) {
  try {
    return std::make_unique<const Energies>(analyze_energy(equations));
  } catch (const UsageError&) {
    return nullptr;
  }
}

struct Exported {
  const Equations& equations;
  const Energies* terms;  // nullptr when there are none
  const ExportedSystem& system;
  Function rates, energies;
};

// Values in the file's order, by name: the file knows no symbols.
std::vector<double> pick(const std::vector<ExportedVariable>& variables, const StartState& state,
                         ExprPool& pool) {
  std::vector<double> numbers;
  for (const ExportedVariable& v : variables) numbers.push_back(state.value(pool.symbol(v.name)));
  numbers.push_back(0.0);  // so that there is an array
  return numbers;
}

void check_state(const Exported& e, const StartState& state, Tally* tally) {
  const ModelData& model = e.equations.motion.model();
  const std::vector<double> y = pick(e.system.states, state, *model.pool),
                            inputs = pick(e.system.inputs, state, *model.pool),
                            parameters = pick(e.system.parameters, state, *model.pool);
  const double t = state.value(model.time);
  const SolvedMotion solved = MotionSolver(e.equations)(state);
  const std::vector<bool>& known = solved.is_rate_determined;
  const bool is_determined =
      solved.is_consistent && std::find(known.begin(), known.end(), false) == known.end();
  std::vector<double> found(y.size());
  const int status = e.rates(t, y.data(), inputs.data(), parameters.data(), found.data());
  EXPECT_EQ(status >= 0, is_determined) << status;
  if (!is_determined) return;
  ++tally->states;
  compare(found.data() + e.system.configuration_count, solved.speed_rates, "acceleration");

  // Energies belong to the speeds that are dependent at the start.
  if (e.terms == nullptr) return;
  const EnergyValues v = EnergySolver(*e.terms)(state);
  if (!v.is_determined || v.dependent != e.terms->embedded.dependent) return;
  double numbers[7];
  if (e.energies(t, y.data(), inputs.data(), parameters.data(), numbers) != 0) return;
  ++tally->energies;
  compare(numbers, {v.K0, v.K1, v.K2, v.U, v.sigma_R, v.P_nonconservative, v.Z_rate}, "energy");
}

void check_mechanism(std::uint64_t seed, Tally* tally) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const RandomMechanism mechanism(seed);
  const Kinematics motion = analyze_motion(mechanism.model);
  const Equations equations = derive(motion);
  const MotionOracle oracle(motion);
  const std::unique_ptr<const Energies> terms = find_energies(equations);
  const ExportedSystem system = make_exported_system(equations, make_consistent_start(motion));
  const CompiledSource code(write_export(system, ExportLanguage::c), std::to_string(seed));
  ASSERT_TRUE(code.is_good()) << mechanism.text();
  ++tally->mechanisms;
  if (system.row_count > 0) ++tally->constrained;
  const Exported exported{equations, terms.get(), system, code.function("random_rates"),
                          code.function("random_energies")};
  ASSERT_NE(exported.rates, nullptr);
  ASSERT_EQ(exported.energies != nullptr, terms != nullptr);

  for (std::uint64_t number = 1; number <= 2; ++number) {
    const auto values = mechanism.make_state(motion, oracle, number);
    if (!values) continue;
    StartState state;
    state.symbols = oracle.symbols();
    state.values.assign(values->begin(), values->end());
    for (std::size_t i = 0; i < state.values.size(); ++i)
      state.known[state.symbols[i]] = state.values[i];
    check_state(exported, state, tally);
  }
}

TEST(export_random, compiled_files_agree_with_the_solvers) {
  if (std::system("cc --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "there is no C compiler here (Debian: gcc)";
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) check_mechanism(seed, &tally);
  EXPECT_EQ(tally.mechanisms, 16);
  EXPECT_GT(tally.constrained, 3);
  EXPECT_GT(tally.states, 20);
  EXPECT_GT(tally.energies, 12);
}

}  // namespace
}  // namespace visviva
