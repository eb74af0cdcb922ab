// Every path from a model to numbers gives the same numbers; and numbers that are none, or hardly,
// pass through every path of a function in the same way.
#include "visviva/codegen/export/all_paths_test.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>

#include "visviva/codegen/jit/compiled_function.h"
#include "visviva/codegen/jit/machine_code.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/symbolic/core/random_expression.h"

namespace visviva::paths {
namespace {

// ---- Models

void report_missing(const Tools& tools) {
  if (!tools.has_avx2) std::cout << "skipped: machine code, " << explain_no_instructions() << '\n';
  if (!tools.has_avx512) std::cout << "skipped: avx512, which this processor lacks\n";
  if (!tools.has_c) std::cout << "skipped: exported C, there is no C compiler here (Debian: gcc)\n";
  if (!tools.has_python)
    std::cout << "skipped: exported Python, there is no NumPy here (Debian: python3-numpy)\n";
  if (!tools.has_octave)
    std::cout << "skipped: exported MATLAB, there is no Octave here (Debian: octave)\n";
}

TEST(AllPaths, of_random_mechanisms_agree_with_one_another_and_with_differences_of_positions) {
  const Tools tools;
  report_missing(tools);
  mechanisms::Features features;
  features.links = 5;
  features.speeds = 6;
  PathTally tally;
  for (std::uint64_t seed = 301; seed <= 312; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const mechanisms::RandomMechanism mechanism(seed, features);
    const Kinematics motion = analyze_motion(mechanism.model);
    if (motion.speeds().empty()) continue;
    const MotionOracle oracle(motion);
    std::vector<std::vector<Real>> states;
    for (std::uint64_t number = 1; number <= 3; ++number) {
      auto state = mechanism.make_state(motion, oracle, number);
      if (state) states.push_back(std::move(*state));
    }
    check_all_paths(motion, oracle, tools, states, &tally);
    if (HasFailure()) {
      std::cout << mechanism.text();
      break;
    }
  }
  std::cout << tally.models << " models, " << tally.constrained << " constrained, " << tally.states
            << " states, " << tally.paths << " comparisons, " << tally.energies
            << " with energies\n";
  EXPECT_GE(tally.models, 10);
  EXPECT_GE(tally.constrained, 3);
  EXPECT_GT(tally.energies, tally.paths / 2);
}

// ---- Functions

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> special = {0.0,   -0.0,   1.0,   -2.5,     0.7, 5e-324, -3e-310, 1e-300,
                                     1e300, -1e300, 1e308, -1.7e308, inf, -inf,   nan,     12345.6};

// Sine and cosine of machine code are right to one unit in the last place, the C library's as well;
// a product or quotient of two of them adds the units.
constexpr double units_of_sines = 4;

enum class Exactness {
  bits,   ///< the interpreter's bits, NaN for NaN
  units,  ///< within units_of_sines; a denormal within as many smallest numbers
  kind    ///< both NaN, the same infinity, or both finite
};

bool is_equal(double a, double b, Exactness exactness) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (exactness == Exactness::bits)
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  if (exactness == Exactness::kind) return true;
  const double unit = std::max(std::numeric_limits<double>::epsilon() * std::abs(b),
                               std::numeric_limits<double>::denorm_min());
  return std::abs(a - b) <= units_of_sines * unit;
}

// x, y, z of every special value, as a structure of arrays.
struct SpecialStates {
  SpecialStates() : count(special.size() * special.size() * special.size()), inputs(3 * count) {
    const std::size_t m = special.size();
    for (std::size_t k = 0; k < count; ++k) {
      inputs[k] = special[k % m];
      inputs[count + k] = special[k / m % m];
      inputs[2 * count + k] = special[k / m / m];
    }
  }
  std::size_t count;
  std::vector<double> inputs;
};

std::vector<double> run_one_by_one(const CompiledFunction& f, const SpecialStates& states,
                                   const std::vector<double>& prepared) {
  std::vector<double> outputs(f.output_count() * states.count), one(f.output_count());
  for (std::size_t k = 0; k < states.count; ++k) {
    const double state[] = {states.inputs[k], states.inputs[states.count + k],
                            states.inputs[2 * states.count + k]};
    f(state, prepared.data(), one.data());
    for (std::size_t i = 0; i < one.size(); ++i) outputs[i * states.count + k] = one[i];
  }
  return outputs;
}

std::vector<double> run_together(const CompiledFunction& f, const SpecialStates& states,
                                 const std::vector<double>& prepared) {
  std::vector<double> outputs(f.output_count() * states.count);
  f.evaluate_batch(states.inputs.data(), states.count, states.count, prepared.data(),
                   outputs.data());
  return outputs;
}

struct Function {
  std::vector<Expr> inputs;  // x, y, z
  Expr parameter;
  std::vector<Expr> outputs;
};

struct KindTally {
  long finite = 0, infinite = 0, nans = 0;
  void count(const std::vector<double>& values) {
    for (const double x : values) ++(std::isfinite(x) ? finite : std::isinf(x) ? infinite : nans);
  }
};

// The interpreter against machine code for one, four and eight states.
void check_function(const Function& f, double parameter, Exactness exactness, KindTally* tally) {
  static const SpecialStates states;
  const auto compile = [&](const CompileOptions& options) {
    return CompiledFunction(f.inputs, {f.parameter}, f.outputs, options);
  };
  const CompiledFunction interpreter = compile({.interpret = true});
  const std::vector<double> prepared = interpreter.prepare({parameter});
  const std::vector<double> expected = run_one_by_one(interpreter, states, prepared);
  tally->count(expected);
  const auto compare = [&](const std::vector<double>& found, const std::string& path) {
    for (std::size_t n = 0; n < found.size(); ++n) {
      const std::size_t i = n / states.count, k = n % states.count;
      ASSERT_TRUE(is_equal(found[n], expected[n], exactness))
          << path << ", output " << i << " of x = " << states.inputs[k]
          << ", y = " << states.inputs[states.count + k]
          << ", z = " << states.inputs[2 * states.count + k] << ", parameter " << parameter << ": "
          << found[n] << " is not " << expected[n];
    }
  };
  compare(run_together(interpreter, states, prepared), "interpreted batch");
  const Tools tools;
  for (const bool avoids_avx512 : {false, true}) {
    if (!(avoids_avx512 ? tools.has_avx2 : tools.has_avx512)) continue;
    const CompiledFunction code = compile({.avoid_avx512 = avoids_avx512});
    EXPECT_EQ(code.prepare({parameter}).size(), prepared.size());
    compare(run_one_by_one(code, states, prepared), code.backend() + " x 1");
    compare(run_together(code, states, prepared),
            code.backend() + (avoids_avx512 ? " x 4" : " x 8"));
  }
}

const std::vector<double> parameters = {2.5, 5e-324, -1e300, inf, nan};

TEST(AllPaths, arithmetic_and_functions_of_special_numbers_give_the_interpreters_bits) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z"), a = pool.symbol("a");
  const Function f{{x, y, z},
                   a,
                   {x + y,
                    x - y,
                    x * y,
                    x / y,
                    x * y + z,
                    x * y - z,
                    z - x * y,
                    -(x * y) - z,
                    a * x + y,
                    a / x,
                    x / a,
                    a * a * x,
                    x + y + z + a,
                    x * y * z,
                    sqrt(x),
                    sqrt(x * y),
                    abs(x - y),
                    sign(x),
                    sign(x * y),
                    step(x),
                    step(x - y),
                    min(x, y),
                    max(x, y),
                    min(x * y, z),
                    max(a, x),
                    exp(x),
                    log(x),
                    tan(x),
                    atan(x),
                    atan2(x, y),
                    asin(x),
                    acos(x),
                    sinh(x),
                    cosh(x),
                    tanh(x),
                    pow(x, y),
                    pow(x, 3),
                    pow(x, -2),
                    (x + y) / (x - y),
                    sqrt(x * x + y * y + z * z),
                    x / sqrt(x * x + a)}};
  KindTally tally;
  for (const double parameter : parameters) check_function(f, parameter, Exactness::bits, &tally);
  EXPECT_GT(tally.finite, 10000);
  EXPECT_GT(tally.infinite, 10000);
  EXPECT_GT(tally.nans, 10000);
}

TEST(AllPaths, sines_and_cosines_of_special_numbers_differ_by_few_units_in_the_last_place) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z"), a = pool.symbol("a");
  const Function f{{x, y, z},
                   a,
                   {sin(x), cos(x), sin(x * y), cos(x + y), sin(a * x), cos(a / x), z * sin(x),
                    cos(y) / z, sin(x) * cos(y), sin(x) / cos(y), sin(x) * sin(x)}};
  KindTally tally;
  for (const double parameter : parameters) check_function(f, parameter, Exactness::units, &tally);
  EXPECT_GT(tally.finite, 10000);
  EXPECT_GT(tally.nans, 10000);
}

bool has_sines(const Program& program) {
  return std::any_of(program.operations.begin(), program.operations.end(),
                     [](const Operation& o) { return o.code == Code::sin || o.code == Code::cos; });
}

TEST(AllPaths, random_expressions_of_special_numbers_are_nan_and_infinite_alike) {
  KindTally tally;
  int exact = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    trees::RandomTrees random(seed, true);
    ExprPool pool;
    const std::vector<Expr> s = trees::make_symbols(pool);
    Function f{{s[0], s[1], s[2]}, s[3], {}};
    for (int i = 0; i < 3; ++i) f.outputs.push_back(trees::build(random.make(3), pool));
    const bool is_exact = !has_sines(make_program(f.inputs, {f.parameter}, f.outputs));
    exact += is_exact ? 1 : 0;
    const double parameter = parameters[seed % parameters.size()];
    check_function(f, parameter, is_exact ? Exactness::bits : Exactness::kind, &tally);
    if (HasFailure()) break;
  }
  EXPECT_GT(exact, 5);
  EXPECT_GT(tally.finite, 10000);
  EXPECT_GT(tally.infinite, 1000);
  EXPECT_GT(tally.nans, 10000);
}

}  // namespace
}  // namespace visviva::paths
