#include "visviva/codegen/jit/machine_code.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "visviva/codegen/jit/random_program.h"
#include "visviva/symbolic/core/random_expression.h"

namespace visviva::jit {
namespace {

// How many results of `compare` were numbers, how many not, over a test.
struct Tally {
  long numbers = 0, others = 0;
};

struct Comparison {
  bool is_exact = true;  ///< the same bits
  bool is_tame = false;  ///< inputs and parameters in [-1, 1]
  Tally* tally = nullptr;
};

// Compares all lanes with the interpreter: the largest |difference| / (1 + |value|), infinite where
// only one of the two is a number.
double compare(RandomPrograms& random, const Program& program, const Target& target,
               const Comparison& options) {
  const MachineCode code(program, target.width, target.set);
  double worst = 0;
  for (int run = 0; run < 4; ++run) {
    const auto lanes = make_lanes(random, program, target.width, options.is_tame);
    const auto parameters = random.numbers(program.parameter_count, options.is_tame);
    const auto results = run_code(code, program, lanes, parameters);
    EXPECT_EQ(results.size(), lanes.size()) << "memory beside the arrays was written";
    for (std::size_t k = 0; k < results.size(); ++k) {
      const std::vector<double> expected = interpret(program, lanes[k], parameters);
      for (std::size_t j = 0; j < expected.size(); ++j) {
        const double a = results[k][j], b = expected[j];
        if (options.tally != nullptr)
          ++(std::isfinite(b) ? options.tally->numbers : options.tally->others);
        if (is_same(a, b)) continue;
        EXPECT_FALSE(options.is_exact) << a << " is not " << b << ", output " << j;
        const double error = std::fabs(a - b) / (1 + std::fabs(b));
        worst = std::max(worst, std::isfinite(error) ? error : HUGE_VAL);
      }
    }
  }
  return worst;
}

class MachineCodeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (detect_instructions() == InstructionSet::none) GTEST_SKIP() << explain_no_instructions();
  }
};

TEST_F(MachineCodeTest, ProgramsWithoutFunctionsGiveTheInterpretersBits) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomPrograms random(seed);
    const Program program = random.make({.size = 20 + random.below(200),
                                         .reach = 5 + random.below(60),
                                         .keeps_all = random.below(4) != 0});
    for (const Target& target : all_targets()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + target.name());
      compare(random, program, target, {.tally = &tally});
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(tally.numbers, tally.others);
  EXPECT_GT(tally.others, 0);
}

// Every operation on a, b, c, which are inputs in memory, or products with one in registers.
Program make_all_operations(bool in_registers) {
  Program p;
  p.input_count = 3;
  p.constants = {1.0};
  for (std::uint32_t i = 0; i < 3; ++i) p.operations.push_back({Code::input, Op::constant, 0, i});
  p.operations.push_back({Code::constant, Op::constant, 0, 0});
  for (std::uint32_t i = 0; i < 3; ++i)
    p.operations.push_back({Code::multiply, Op::constant, 0, i, 3});
  const std::uint32_t a = in_registers ? 4 : 0, b = a + 1, c = a + 2;
  for (const Code code : {Code::negate, Code::square_root, Code::absolute, Code::sign, Code::step})
    p.operations.push_back({code, Op::constant, 0, a});
  for (const Code code : {Code::multiply, Code::divide, Code::min, Code::max})
    p.operations.push_back({code, Op::constant, 0, a, b});
  for (std::uint8_t signs = 0; signs < 3; ++signs)
    p.operations.push_back({Code::add, Op::constant, signs, a, b});
  for (std::uint8_t signs = 0; signs < 4; ++signs)
    p.operations.push_back({Code::multiply_add, Op::constant, signs, a, b, c});
  for (std::uint32_t i = 7; i < p.operations.size(); ++i) p.outputs.push_back(i);
  return p;
}

TEST_F(MachineCodeTest, EveryOperationOnZerosInfinitiesNanAndDenormalsGivesTheInterpretersBits) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> special = {0.0, -0.0,   1.0,     -2.5,   inf,   -inf,
                                       nan, 5e-324, -5e-324, 3e-310, 1e308, -1.7e308};
  for (const bool in_registers : {false, true}) {
    const Program program = make_all_operations(in_registers);
    for (const Target& target : all_targets()) {
      const MachineCode code(program, target.width, target.set);
      const auto width = static_cast<std::size_t>(target.width);
      std::vector<std::vector<double>> lanes;
      for (std::size_t n = 0; n < 12 * 12 * 12; ++n) {
        lanes.push_back({special[n % 12], special[n / 12 % 12], special[n / 144]});
        if (lanes.size() < width) continue;
        const auto results = run_code(code, program, lanes, {});
        ASSERT_EQ(results.size(), width);
        for (std::size_t k = 0; k < width; ++k) {
          const auto expected = interpret(program, lanes[k], {});
          for (std::size_t j = 0; j < expected.size(); ++j)
            ASSERT_TRUE(is_same(results[k][j], expected[j]))
                << target.name() << ", operation " << j << " on " << lanes[k][0] << ", "
                << lanes[k][1] << ", " << lanes[k][2] << ": " << results[k][j] << " is not "
                << expected[j];
        }
        lanes.clear();
      }
    }
  }
}

TEST_F(MachineCodeTest, CallsOfTheCLibraryGiveTheInterpretersBits) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    RandomPrograms random(seed);
    const Program program = random.make({.size = 20 + random.below(120),
                                         .reach = 5 + random.below(40),
                                         .keeps_all = true,
                                         .calls = true});
    for (const Target& target : all_targets()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + target.name());
      compare(random, program, target, {.tally = &tally});
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(tally.numbers, tally.others);
  EXPECT_GT(tally.others, 0);
}

// `live` products, and then sums of products of them in an order that has nothing to do with theirs.
Program make_pressure(RandomPrograms& random, std::uint32_t live) {
  Program p;
  p.input_count = live;
  for (std::uint32_t i = 0; i < live; ++i)
    p.operations.push_back({Code::input, Op::constant, 0, i});
  for (std::uint32_t i = 0; i < live; ++i)
    p.operations.push_back({Code::multiply, Op::constant, 0, i, random.below(live)});
  std::uint32_t sum = live;
  for (std::uint32_t k = 0; k < 5 * live; ++k) {
    const auto signs = static_cast<std::uint8_t>(random.below(4));
    const std::uint32_t a = live + random.below(live), b = live + random.below(live);
    p.operations.push_back({Code::multiply_add, Op::constant, signs, a, b, sum});
    sum = static_cast<std::uint32_t>(p.operations.size() - 1);
  }
  p.outputs = {sum};
  return p;
}

TEST_F(MachineCodeTest, TwoHundredLiveValuesGiveTheInterpretersBits) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomPrograms random(seed);
    const Program program = make_pressure(random, 200);
    for (const Target& target : all_targets()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + target.name());
      const MachineCode code(program, target.width, target.set);
      EXPECT_GT(code.scratch_size(), 160u * static_cast<std::size_t>(target.width));
      compare(random, program, target, {.is_tame = true});
      if (HasFailure()) return;
    }
  }
}

// No operation of these programs enlarges a difference: each sine adds at most two units.

TEST_F(MachineCodeTest, SinesOfSinesAgreeWithTheInterpreterUpToRounding) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomPrograms random(seed);
    const std::size_t size = 20 + random.below(300);
    const Program program = random.make({.size = size,
                                         .reach = 5 + random.below(60),
                                         .keeps_all = random.below(4) != 0,
                                         .calls = random.below(2) == 0,
                                         .is_tame = true,
                                         .trigonometric = true});
    for (const Target& target : all_targets()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + target.name());
      const double error = compare(random, program, target, {.is_exact = false, .is_tame = true});
      worst = std::max(worst, error);
      ASSERT_LE(error, 2 * std::numeric_limits<double>::epsilon() * static_cast<double>(size));
    }
  }
  RecordProperty("largest_difference", std::to_string(worst));
  EXPECT_LT(worst, 1e-14);
}

// Expressions may enlarge the last bit of a sine by their condition: about a thousand here.
TEST_F(MachineCodeTest, ExpressionsAgreeWithTheInterpreter) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    ExprPool pool;
    trees::RandomTrees random(seed, true);
    const std::vector<Expr> symbols = trees::make_symbols(pool);
    std::vector<Expr> outputs;
    for (int k = 0; k < 5; ++k) outputs.push_back(trees::build(random.make(4), pool));
    const Program program =
        make_program({symbols[0], symbols[1], symbols[2]}, {symbols[3]}, outputs);
    RandomPrograms numbers(seed);
    for (const Target& target : all_targets()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + target.name());
      EXPECT_LE(compare(numbers, program, target, {.is_exact = false, .is_tame = true}), 1e-12);
    }
  }
}

TEST_F(MachineCodeTest, OutputsMayBeLeavesRepeatedOrNone) {
  Program p;
  p.input_count = 2;
  p.parameter_count = 1;
  p.constants = {2.5};
  p.operations = {{Code::input, Op::constant, 0, 1},    {Code::parameter, Op::constant, 0, 0},
                  {Code::constant, Op::constant, 0, 0}, {Code::add, Op::constant, 2, 0, 1},
                  {Code::negate, Op::constant, 0, 2},   {Code::cos, Op::constant, 0, 2}};
  p.outputs = {0, 1, 2, 3, 3, 5, 0};
  for (const Target& target : all_targets()) {
    SCOPED_TRACE(target.name());
    const MachineCode code(p, target.width, target.set);
    const std::vector<std::vector<double>> lanes(static_cast<std::size_t>(target.width), {7, 3});
    const auto results = run_code(code, p, lanes, {0.25});
    ASSERT_EQ(results.size(), lanes.size());
    for (const auto& r : results) {
      EXPECT_EQ((std::vector<double>{r[0], r[1], r[2], r[3], r[4], r[6]}),
                (std::vector<double>{3, 0.25, 2.5, 2.75, 2.75, 3}));
      EXPECT_NEAR(r[5], std::cos(2.5), 2e-16);
    }
  }
  p.outputs.clear();
  for (const Target& target : all_targets()) {
    const MachineCode code(p, target.width, target.set);
    if (target.width == 1) {
      EXPECT_EQ(code.scratch_size(), 0u);
    }
    std::vector<double> inputs(p.input_count * static_cast<std::size_t>(target.width), 1.0);
    GuardedArray scratch(code.scratch_size());
    call_code(code, p, inputs.data(), nullptr, nullptr, scratch.data());
  }
}

TEST_F(MachineCodeTest, AMillionOperationsCompileAndGiveTheInterpretersBits) {
  RandomPrograms random(5);
  const Program program =
      random.make({.size = 1'000'000, .reach = 100, .keeps_all = true, .is_tame = true});
  for (const Target& target : all_targets()) {
    SCOPED_TRACE(target.name());
    const auto start = std::chrono::steady_clock::now();
    const MachineCode code(program, target.width, target.set);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    const auto key = "ns_per_operation_" + target.name();
    RecordProperty(key, std::to_string(elapsed.count() * 1e3));
    std::cout << target.name() << ": " << elapsed.count() * 1e3 << " ns an operation, "
              << static_cast<double>(code.code_size()) * 1e-6 << " bytes\n";
    EXPECT_LT(elapsed.count(), 5.0) << "seconds";
    const auto lanes = make_lanes(random, program, target.width, true);
    const auto parameters = random.numbers(program.parameter_count, true);
    const auto results = run_code(code, program, lanes, parameters);
    ASSERT_EQ(results.size(), lanes.size());
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      const auto expected = interpret(program, lanes[k], parameters);
      for (std::size_t j = 0; j < expected.size(); ++j)
        ASSERT_TRUE(is_same(results[k][j], expected[j]));
    }
  }
}

}  // namespace
}  // namespace visviva::jit
