// Sine and cosine of emitted code against the C library's in 64-bit mantissas.
#include <gtest/gtest.h>

#include <cfloat>

#include "visviva/codegen/jit/random_program.h"

namespace visviva::jit {
namespace {

constexpr double pi = 3.14159265358979323846;

// Outputs are the sines, then the cosines, of the inputs.
Program make_sincos(std::uint32_t count) {
  Program p;
  p.input_count = count;
  for (std::uint32_t i = 0; i < count; ++i)
    p.operations.push_back({Code::input, Op::constant, 0, i});
  for (const Code code : {Code::sin, Code::cos}) {
    for (std::uint32_t i = 0; i < count; ++i) {
      p.outputs.push_back(static_cast<std::uint32_t>(p.operations.size()));
      p.operations.push_back({code, Op::constant, 0, i});
    }
  }
  return p;
}

// The distance of two neighbours at x.
long double unit(long double x) {
  const long double magnitude = std::max(std::fabs(x), static_cast<long double>(DBL_MIN));
  return std::ldexp(1.0L, std::ilogb(magnitude) - 52);
}

struct Errors {
  double units = 0, absolute = 0;
};

// Errors over all angles, however they are distributed over calls and lanes.
Errors measure(const std::vector<double>& angles, const Target& target) {
  constexpr std::uint32_t count = 13;
  const Program program = make_sincos(count);
  const MachineCode code(program, target.width, target.set);
  Errors worst;
  const std::size_t lanes = static_cast<std::size_t>(target.width);
  for (std::size_t begin = 0; begin < angles.size(); begin += count * lanes) {
    std::vector<std::vector<double>> inputs(lanes, std::vector<double>(count));
    for (std::size_t k = 0; k < count * lanes; ++k)
      inputs[k / count][k % count] = angles[(begin + k) % angles.size()];
    const auto results = run_code(code, program, inputs, {});
    EXPECT_EQ(results.size(), lanes);
    for (std::size_t k = 0; k < results.size() * count; ++k) {
      const long double x = inputs[k / count][k % count];
      const long double exact[] = {sinl(x), cosl(x)};
      for (std::size_t f = 0; f < 2; ++f) {
        const double found = results[k / count][f * count + k % count];
        const long double error = std::fabs(found - exact[f]);
        EXPECT_TRUE(std::isfinite(found)) << static_cast<double>(x);
        worst.absolute = std::max(worst.absolute, static_cast<double>(error));
        worst.units = std::max(worst.units, static_cast<double>(error / unit(exact[f])));
      }
    }
  }
  return worst;
}

class SincosTest : public testing::Test {
 protected:
  void SetUp() override {
    if (detect_instructions() == InstructionSet::none) GTEST_SKIP() << explain_no_instructions();
  }

  static void check(const char* what, const std::vector<double>& angles) {
    for (const Target& target : all_targets()) {
      const Errors e = measure(angles, target);
      std::cout << what << ", " << target.name() << ": " << e.units << " units, " << e.absolute
                << "\n";
      EXPECT_LE(e.units, 1.0) << what << ", " << target.name();
      EXPECT_LE(e.absolute, 2e-16) << what << ", " << target.name();
    }
  }
};

TEST_F(SincosTest, ErrorsAreBelowOneUnitForAnglesOfAllMagnitudes) {
  RandomPrograms random(1);
  std::vector<double> angles;
  for (int exponent = -60; exponent <= 16; ++exponent) {
    for (int k = 0; k < 1000; ++k) {
      const double x = std::ldexp(random.uniform(0.5, 1), exponent);
      angles.push_back(k % 2 == 0 ? x : -x);
    }
  }
  for (int k = 0; k < 200000; ++k) angles.push_back(random.uniform(-10, 10));
  for (int k = 0; k < 200000; ++k) angles.push_back(random.uniform(-1e5, 1e5));
  check("all magnitudes", angles);
}

TEST_F(SincosTest, ErrorsAreBelowOneUnitBesideMultiplesOfAQuarterTurn) {
  std::vector<double> angles;
  for (int n = 0; n < 127324; ++n) {  // up to 1e5 in steps of pi/4
    double x =
        static_cast<double>(static_cast<long double>(n) * 0.785398163397448309615660845819876L);
    angles.push_back(x);
    angles.push_back(-std::nextafter(x, 1e9));
    angles.push_back(std::nextafter(x, -1e9));
  }
  check("beside multiples of pi/4", angles);
}

TEST_F(SincosTest, AnglesBeyondTheLimitAreTheCLibrarys) {
  const double beyond = std::nextafter(1e5, 1e6);
  const std::vector<double> angles = {beyond, -beyond, 1e6,  -1e15, 1e22, 1e300, DBL_MAX,
                                      3.5e5,  2e5,     -7e7, 4e9,   5e12, -6e18};
  const Program program = make_sincos(static_cast<std::uint32_t>(angles.size()));
  for (const Target& target : all_targets()) {
    const MachineCode code(program, target.width, target.set);
    const std::vector<std::vector<double>> lanes(static_cast<std::size_t>(target.width), angles);
    for (const auto& r : run_code(code, program, lanes, {})) {
      for (std::size_t i = 0; i < angles.size(); ++i) {
        EXPECT_EQ(r[i], std::sin(angles[i])) << angles[i] << ", " << target.name();
        EXPECT_EQ(r[angles.size() + i], std::cos(angles[i])) << angles[i] << ", " << target.name();
      }
    }
  }
}

// What the library changes must be put back: registers, pointers, the stack.
TEST_F(SincosTest, ValuesSurviveTheFallBackWithAndWithoutOtherCalls) {
  for (const bool calls : {false, true}) {
    Program p;
    p.input_count = 2;
    p.parameter_count = 1;
    p.constants = {3.0};
    const auto push = [&](Code code, std::uint32_t a, std::uint32_t b = 0) {
      p.operations.push_back({code, Op::exp, 0, a, b});
      return static_cast<std::uint32_t>(p.operations.size() - 1);
    };
    const std::uint32_t x = push(Code::input, 0), y = push(Code::input, 1);
    const std::uint32_t parameter = push(Code::parameter, 0), three = push(Code::constant, 0);
    const std::uint32_t product = push(Code::multiply, x, y), sine = push(Code::sin, product);
    const std::uint32_t cosine = push(Code::cos, x);
    const std::uint32_t other = calls ? push(Code::call, y) : y;
    const std::uint32_t a = push(Code::add, sine, cosine),
                        b = push(Code::multiply, parameter, three);
    const std::uint32_t c = push(Code::add, a, b), d = push(Code::multiply, c, product);
    p.outputs = {push(Code::add, d, other), push(Code::sin, d), a};
    for (const Target& target : all_targets()) {
      const MachineCode code(p, target.width, target.set);
      const std::vector<std::vector<double>> lanes(static_cast<std::size_t>(target.width),
                                                   {1.5e7, 3.25});
      const auto results = run_code(code, p, lanes, {0.75});
      ASSERT_EQ(results.size(), lanes.size());
      for (const auto& r : results) EXPECT_EQ(r, interpret(p, lanes[0], {0.75})) << target.name();
    }
  }
}

TEST_F(SincosTest, OneAngleWithoutASineLeavesItsNeighboursAlone) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Program program = make_sincos(8);
  for (const Target& target : all_targets()) {
    const MachineCode code(program, target.width, target.set);
    for (const double bad : {inf, -inf, nan, 1e40}) {
      for (std::size_t at = 0; at < 8; ++at) {
        std::vector<double> angles = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
        angles[at] = bad;
        const std::vector<std::vector<double>> lanes(static_cast<std::size_t>(target.width),
                                                     angles);
        for (const auto& r : run_code(code, program, lanes, {})) {
          for (std::size_t i = 0; i < 8; ++i) {
            if (i == at) {
              EXPECT_TRUE(is_same(r[i], std::sin(bad)) && is_same(r[8 + i], std::cos(bad)));
            } else {
              EXPECT_NEAR(r[i], std::sin(angles[i]), 2e-16);
              EXPECT_NEAR(r[8 + i], std::cos(angles[i]), 2e-16);
            }
          }
        }
      }
    }
  }
}

TEST_F(SincosTest, ZerosKeepTheirSignAndDenormalsTheirValue) {
  const std::vector<double> angles = {0.0, -0.0, 5e-324, -5e-324, 1e-310, -2e-308, 1e-200, -1e-9};
  const Program program = make_sincos(8);
  for (const Target& target : all_targets()) {
    const MachineCode code(program, target.width, target.set);
    const std::vector<std::vector<double>> lanes(static_cast<std::size_t>(target.width), angles);
    for (const auto& r : run_code(code, program, lanes, {})) {
      for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_TRUE(is_same(r[i], angles[i])) << angles[i] << ", " << target.name();
        EXPECT_EQ(r[8 + i], 1.0);
      }
    }
  }
}

// What does not depend on a library's sine.
TEST_F(SincosTest, KnownAnglesHaveTheirKnownSines) {
  const std::vector<double> angles = {pi / 6, pi / 4,     pi / 3, pi / 2,
                                      pi,     3 * pi / 2, 2 * pi, 100 * pi};
  const double sines[] = {0.5, std::sqrt(0.5), std::sqrt(0.75), 1, 0, -1, 0, 0};
  const double cosines[] = {std::sqrt(0.75), std::sqrt(0.5), 0.5, 0, -1, 0, 1, 1};
  const Program program = make_sincos(8);
  for (const Target& target : all_targets()) {
    const MachineCode code(program, target.width, target.set);
    const std::vector<std::vector<double>> lanes(static_cast<std::size_t>(target.width), angles);
    for (const auto& r : run_code(code, program, lanes, {})) {
      for (std::size_t i = 0; i < 8; ++i) {
        // The angle itself is rounded by half a unit.
        const double tolerance = 2e-16 + 1.2e-16 * angles[i];
        EXPECT_NEAR(r[i], sines[i], tolerance);
        EXPECT_NEAR(r[8 + i], cosines[i], tolerance);
      }
    }
  }
}

}  // namespace
}  // namespace visviva::jit
