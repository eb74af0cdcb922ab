#include "visviva/codegen/jit/schedule.h"

#include <gtest/gtest.h>

#include "visviva/base/error.h"
#include "visviva/codegen/jit/random_program.h"
#include "visviva/codegen/jit/registers.h"

namespace visviva::jit {
namespace {

Operation make(Code code, std::uint32_t a, std::uint32_t b = 0) {
  return {code, Op::constant, 0, a, b};
}

// x, y inputs; sin(x + y), cos(x + y), sin(sin(x + y)), x*y, sin(sin(x + y)) + x*y
Program make_nested() {
  Program p;
  p.input_count = 2;
  p.operations = {make(Code::input, 0),  make(Code::input, 1),  make(Code::multiply, 0, 1),
                  make(Code::add, 0, 1), make(Code::sin, 3),    make(Code::cos, 3),
                  make(Code::sin, 4),    make(Code::add, 6, 2), make(Code::negate, 7)};
  p.outputs = {5, 7};
  return p;
}

TEST(ScheduleTest, BlocksFollowTheDepthOfFunctions) {
  const Schedule s = make_schedule(make_nested());
  ASSERT_EQ(s.blocks.size(), 2u);
  EXPECT_EQ(s.blocks[0].angles, std::vector<std::uint32_t>{3});  // once for sine and cosine
  EXPECT_EQ(s.blocks[0].trigonometric, (std::vector<std::uint32_t>{4, 5}));
  EXPECT_EQ(s.blocks[1].angles, std::vector<std::uint32_t>{4});
}

TEST(ScheduleTest, OnlyWhatABlockNeedsComesBeforeItAndDeadOperationsNowhere) {
  const Schedule s = make_schedule(make_nested());
  EXPECT_EQ(s.order, (std::vector<std::uint32_t>{3, 2, 7}));
  EXPECT_EQ(s.phase_ends, (std::vector<std::size_t>{1, 1, 3}));
}

// Steps: 0 is x + y, 1 the first block, 2 the second, 3 is x*y, 4 the last sum.
TEST(ScheduleTest, UsesAreCountedInStepsOverAllPhases) {
  const Schedule s = make_schedule(make_nested());
  EXPECT_EQ(s.first_uses,
            (std::vector<std::uint32_t>{0, 0, 4, 1, 2, nothing, 4, nothing, nothing}));
  EXPECT_EQ(s.later_uses, (std::vector<std::uint32_t>{3, 3, nothing, nothing, nothing, nothing,
                                                      nothing, nothing}));
}

// Two chains, one written after the other; each quotient waits for the one before it.
TEST(ScheduleTest, ChainsThatDoNotWaitForOneAnotherGoSideBySide) {
  Program p;
  p.input_count = 3;
  p.operations = {make(Code::input, 0), make(Code::input, 1), make(Code::input, 2)};
  for (std::uint32_t chain = 1; chain <= 2; ++chain) {
    std::uint32_t last = chain;
    for (int k = 0; k < 10; ++k) {
      p.operations.push_back(make(Code::divide, last, 0));
      last = static_cast<std::uint32_t>(p.operations.size()) - 1;
    }
    p.outputs.push_back(last);
  }
  const std::vector<std::uint32_t> order = make_schedule(p).order;
  ASSERT_EQ(order.size(), 20u);
  int changes = 0;
  for (std::size_t k = 1; k < order.size(); ++k)
    changes += (order[k] < 13) != (order[k - 1] < 13) ? 1 : 0;
  EXPECT_GE(changes, 9);
}

TEST(ScheduleTest, AnOperandUsedTwiceByOneOperationIsNextUsedByALaterOne) {
  Program p;
  p.input_count = 1;
  p.operations = {make(Code::input, 0), make(Code::multiply, 0, 0), make(Code::add, 0, 1)};
  p.outputs = {2};
  EXPECT_EQ(make_schedule(p).later_uses, (std::vector<std::uint32_t>{1, 1, nothing, nothing}));
}

TEST(ScheduleTest, OperandsAndOutputsThatDoNotExistAreRefused) {
  Program p;
  p.input_count = 1;
  p.operations = {make(Code::input, 0), make(Code::negate, 1)};
  EXPECT_THROW(make_schedule(p), InternalError);
  p.operations[1].a = 0;
  p.outputs = {2};
  EXPECT_THROW(make_schedule(p), InternalError);
}

TEST(ScheduleTest, CountsOfOperandsAgreeWithTheProgramsOwn) {
  for (int k = 0; k <= static_cast<int>(Code::call); ++k) {
    for (const Op op : {Op::exp, Op::atan2}) {
      const Operation o{static_cast<Code>(k), op};
      EXPECT_EQ(count_operands(o), operand_count(o)) << k;
    }
  }
}

TEST(ScheduleTest, InRandomProgramsOperandsComeBeforeTheirUse) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    RandomPrograms random(seed);
    const Program p = random.make(
        {.size = 400, .reach = 60, .calls = true, .is_tame = true, .trigonometric = true});
    const Schedule s = make_schedule(p);
    std::vector<bool> is_known(p.operations.size());
    for (std::size_t i = 0; i < is_known.size(); ++i) is_known[i] = is_leaf(p.operations[i].code);
    const auto check = [&](std::uint32_t v) { ASSERT_TRUE(is_known[v]) << "seed " << seed; };
    std::size_t k = 0;
    for (std::size_t phase = 0; phase < s.phase_ends.size(); ++phase) {
      for (; k < s.phase_ends[phase]; ++k) {
        for_each_use(p.operations[s.order[k]], check);
        is_known[s.order[k]] = true;
      }
      if (phase == s.blocks.size()) break;
      for_each_use(p, s.blocks[phase], check);
      for (const std::uint32_t i : s.blocks[phase].trigonometric) is_known[i] = true;
      for (const std::uint32_t i : s.blocks[phase].calls) is_known[i] = true;
    }
    for (const std::uint32_t v : p.outputs) check(v);
  }
}

TEST(RegistersTest, TheValueNeededLastIsEvictedUnlessItIsPinned) {
  Registers registers(16);
  for (std::uint32_t v = 0; v < 16; ++v)
    registers.assign(registers.take_free(), v, v == 5 ? 1000 : v == 9 ? 500 : v);
  EXPECT_FALSE(registers.has_free());
  EXPECT_EQ(registers.owner(registers.find_farthest(0)), 5u);
  EXPECT_EQ(registers.owner(registers.find_farthest(Registers::bit(5))), 9u);
  registers.release(3);
  EXPECT_EQ(registers.take_free(), 3);
}

}  // namespace
}  // namespace visviva::jit
