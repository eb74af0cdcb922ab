// Machine code as a resource: threads, memory, rights, errors of use.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "visviva/base/error.h"
#include "visviva/codegen/jit/machine_code.h"
#include "visviva/codegen/jit/random_program.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace visviva::jit {
namespace {

class MachineMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (detect_instructions() == InstructionSet::none) GTEST_SKIP() << explain_no_instructions();
  }
};

TEST_F(MachineMemoryTest, FourThreadsMayCallOneCodeAndCompileAnother) {
  RandomPrograms random(11);
  const Program program = random.make({.size = 2000,
                                       .reach = 100,
                                       .keeps_all = true,
                                       .calls = true,
                                       .is_tame = true,
                                       .trigonometric = true});
  for (const Target& target : all_targets()) {
    const MachineCode code(program, target.width, target.set);
    std::vector<std::vector<std::vector<double>>> lanes, alone;
    const auto parameters = random.numbers(program.parameter_count, true);
    for (int t = 0; t < 4; ++t) {
      lanes.push_back(make_lanes(random, program, target.width, true));
      alone.push_back(run_code(code, program, lanes.back(), parameters));
    }
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const MachineCode own(program, target.width, target.set);
        wrong[t] += run_code(own, program, lanes[t], parameters) != alone[t];
        for (int run = 0; run < 200; ++run)
          wrong[t] += run_code(code, program, lanes[t], parameters) != alone[t];
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(4, 0)) << target.name();
  }
}

TEST_F(MachineMemoryTest, WidthsAndSetsThatDoNotExistAreUsageErrors) {
  const Program program;
  EXPECT_THROW(MachineCode(program, 1, InstructionSet::none), UsageError);
  EXPECT_THROW(MachineCode(program, 2, InstructionSet::avx2), UsageError);
  EXPECT_THROW(MachineCode(program, 8, InstructionSet::avx2), UsageError);
}

TEST_F(MachineMemoryTest, CodeCanBeMovedAndStillRuns) {
  Program p;
  p.input_count = 1;
  p.operations = {{Code::input, Op::constant, 0, 0}, {Code::multiply, Op::constant, 0, 0, 0}};
  p.outputs = {1};
  MachineCode first(p, 1, InstructionSet::avx2);
  MachineCode second(std::move(first));
  first = std::move(second);
  const double x = 3;
  double y = 0;
  first(&x, nullptr, &y, nullptr);
  EXPECT_EQ(y, 9);
}

#if defined(__linux__)

// The address sanitizer keeps what is freed for a while; it looks for leaks itself.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif

long resident_pages() {
  std::ifstream file("/proc/self/statm");
  long total = 0, resident = 0;
  file >> total >> resident;
  return resident;
}

struct Mapping {
  std::string line, rights;
  bool has(char right) const { return rights.find(right) != std::string::npos; }
};

std::vector<Mapping> list_mappings() {
  std::vector<Mapping> mappings;
  std::ifstream file("/proc/self/maps");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string range, rights;
    words >> range >> rights;
    mappings.push_back({line, rights});
  }
  return mappings;
}

long count_executable() {
  long count = 0;
  for (const Mapping& m : list_mappings()) count += m.has('x');
  return count;
}

TEST_F(MachineMemoryTest, AHundredThousandCompilationsLeaveNoMemoryBehind) {
  RandomPrograms random(3);
  const Program program = random.make({.size = 4, .reach = 4});
  const auto compile = [&](int n) {
    for (int k = 0; k < n; ++k) const MachineCode code(program, 1, InstructionSet::avx2);
  };
  compile(1000);
  const long pages = resident_pages(), executable = count_executable();
  compile(100'000);
  EXPECT_EQ(count_executable(), executable);
  // The allocator's own wavering is a few pages; twenty bytes a compilation would be 500.
  if (!is_sanitized) {
    EXPECT_LT(resident_pages() - pages, 500);
  }
}

TEST_F(MachineMemoryTest, NoMemoryIsWritableAndExecutable) {
  RandomPrograms random(3);
  const Program program = random.make({.size = 200, .reach = 20});
  const long before = count_executable();
  const MachineCode code(program, 1, InstructionSet::avx2);
  EXPECT_EQ(count_executable(), before + 1);
  for (const Mapping& m : list_mappings()) EXPECT_FALSE(m.has('w') && m.has('x')) << m.line;
}

// Angles are read eight or four at a time, but not beyond the last input.
TEST_F(MachineMemoryTest, NothingIsReadBeyondTheInputs) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(mprotect(static_cast<char*>(memory) + page, page, PROT_NONE), 0);
  double* const end = reinterpret_cast<double*>(static_cast<char*>(memory) + page);
  for (std::uint32_t n = 1; n <= 20; ++n) {
    Program p;
    p.input_count = n;
    for (std::uint32_t i = 0; i < n; ++i) p.operations.push_back({Code::input, Op::constant, 0, i});
    for (std::uint32_t i = 0; i < n; ++i) {
      p.operations.push_back({i % 3 == 0 ? Code::cos : Code::sin, Op::constant, 0, i});
      p.outputs.push_back(n + i);
    }
    for (const Target& target : all_targets()) {
      const MachineCode code(p, target.width, target.set);
      const auto width = static_cast<std::size_t>(target.width);
      double* const inputs = end - n * width;
      for (std::size_t i = 0; i < n * width; ++i) inputs[i] = 0.1 * static_cast<double>(i);
      GuardedArray out(n * width), scratch(code.scratch_size());
      call_code(code, p, inputs, nullptr, out.data(), scratch.data());
      ASSERT_TRUE(out.is_intact() && scratch.is_intact());
      for (std::size_t i = 0; i < n * width; ++i) {
        const double x = inputs[i];
        ASSERT_NEAR(out[i], i / width % 3 == 0 ? std::cos(x) : std::sin(x), 2e-16);
      }
    }
  }
  munmap(memory, 2 * page);
}

#endif

}  // namespace
}  // namespace visviva::jit
