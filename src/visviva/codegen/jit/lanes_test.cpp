#include "visviva/codegen/jit/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "visviva/codegen/jit/machine_code.h"
#include "visviva/codegen/jit/random_program.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva::jit {
namespace {

constexpr int joints = 5;

// Limbs of some joints each on a common body x: something like inertias goes in, sums go to the body, and rates out again.
struct Limbs {
  explicit Limbs(int count, unsigned seed) : random(seed) {
    const Expr x = input("x"), y = input("y");
    Expr mass = x * x + 2.0, load = y;
    std::vector<std::vector<Expr>> kept;
    std::vector<double> numbers;
    for (int k = 0; k < 40; ++k)
      numbers.push_back(0.2 + 0.01 * static_cast<double>(random() % 100));
    const Expr scale = parameter("scale");
    for (int l = 0; l < count; ++l) {
      const std::string name = std::to_string(l);
      const double side = l % 2 == 0 ? 1 : -1, end = l / 2 % 2 == 0 ? 1 : -1;
      Expr a = parameter("m" + name) * side, b = scale * parameter("n" + name), h = x * end;
      std::vector<Expr> own;
      for (int j = 0; j < joints; ++j) {
        const Expr q = input("q" + name + "_" + std::to_string(j)),
                   u = input("u" + name + "_" + std::to_string(j));
        const double c1 = side * numbers[4 * j], c2 = end * numbers[4 * j + 1],
                     c3 = numbers[4 * j + 2];
        const Expr s = sin(q), c = cos(q);
        const Expr A = s * s * a + c2 * s * c * b + c1 * h * u + 3.0,
                   B = c1 * b * c - c3 * a * s + u * u * x, H = h * c + c2 * y * s - c1 * u;
        const Expr D = A * A + B * B * x * x + 2.0;
        own.push_back(B / D);
        own.push_back(H / D);
        own.push_back(A / D);
        a = A - B * B / D + 0.1 * B * H / D;
        b = B - A * H / D;
        h = H - B * A / D + c1 * A;
      }
      mass += a * a + side * h;
      load += side * b + end * h * y;
      kept.push_back(own);
    }
    const Expr answer = load / mass;
    outputs.push_back(answer);
    for (int l = 0; l < count; ++l) {
      Expr value = answer;
      for (int j = joints; j-- > 0;) {
        value = kept[l][3 * j] - kept[l][3 * j + 1] * value + kept[l][3 * j + 2] * answer;
        outputs.push_back(value);
      }
    }
  }

  Expr input(const std::string& name) { return inputs.emplace_back(pool.symbol(name)); }
  Expr parameter(const std::string& name) {
    const Expr p = pool.symbol(name);
    if (std::find(parameters.begin(), parameters.end(), p) == parameters.end())
      parameters.push_back(p);
    return p;
  }

  ExprPool pool;
  std::vector<Expr> inputs, parameters, outputs;
  std::mt19937 random;
};

std::size_t count_arithmetic(const Program& program) { return program.arithmetic_count(); }

class LanesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (detect_instructions() == InstructionSet::none) GTEST_SKIP() << explain_no_instructions();
  }
};

// The interpreter runs the program without lanes.
void compare(const Limbs& limbs, double most_left) {
  const Program program = make_program(limbs.inputs, limbs.parameters, limbs.outputs);
  const StagedProgram plain = split_prologue(program);
  StagedProgram staged = plain;
  const std::optional<Program> lanes = find_lanes(&staged);
  ASSERT_TRUE(lanes.has_value());
  EXPECT_LT(static_cast<double>(count_arithmetic(*lanes)),
            most_left * static_cast<double>(count_arithmetic(plain.main)));
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const InstructionSet set : {InstructionSet::avx2, InstructionSet::avx512}) {
    if (set > detect_instructions()) continue;
    const MachineCode code(*lanes, 1, set);
    std::vector<double> scratch(code.scratch_size() + 16), values;
    auto* const aligned = reinterpret_cast<double*>(
        (reinterpret_cast<std::uintptr_t>(scratch.data()) + 63) / 64 * 64);
    for (int run = 0; run < 20; ++run) {
      std::vector<double> in(limbs.inputs.size()), given(limbs.parameters.size());
      for (double& v : in) v = uniform(random);
      for (double& v : given) v = 1 + 0.5 * uniform(random);
      std::vector<double> prepared(staged.prologue.outputs.size()), found(limbs.outputs.size()),
          expected(found.size());
      run_program(staged.prologue, given.data(), nullptr, prepared.data(), &values);
      run_program(program, in.data(), given.data(), expected.data(), &values);
      code(in.data(), prepared.data(), found.data(), aligned);
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k], expected[k], 1e-12 * (1 + std::abs(expected[k]))) << "output " << k;
    }
  }
}

TEST_F(LanesTest, four_limbs_are_four_lanes) {
  for (unsigned seed = 1; seed <= 10; ++seed) compare(Limbs(4, seed), 0.5);
}

TEST_F(LanesTest, two_limbs_are_two_lanes) {
  for (unsigned seed = 1; seed <= 10; ++seed) compare(Limbs(2, seed), 0.8);
}

TEST_F(LanesTest, any_number_of_limbs_gives_the_same_results) {
  for (const int count : {3, 5, 6, 7, 8}) compare(Limbs(count, 3), 0.85);
}

TEST_F(LanesTest, one_limb_has_no_lanes) {
  const Limbs limbs(1, 1);
  StagedProgram staged =
      split_prologue(make_program(limbs.inputs, limbs.parameters, limbs.outputs));
  const std::size_t before = staged.prologue.outputs.size();
  EXPECT_FALSE(find_lanes(&staged).has_value());
  EXPECT_EQ(staged.prologue.outputs.size(), before);
}

}  // namespace
}  // namespace visviva::jit
