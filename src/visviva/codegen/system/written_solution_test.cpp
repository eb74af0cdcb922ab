// Accelerations under constraints by machine code: where it holds it gives what the equations give when
// they are solved as numbers; where rows are redundant, or nearly so, they are.
#include "visviva/codegen/system/written_solution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <random>

#include "visviva/codegen/system/compiled_system_test.h"

namespace {
std::size_t allocations = 0;  // of this thread and all others
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace visviva {
namespace {

using namespace units;

constexpr double constrained_rounding =
    1e-10;  // of the largest acceleration, not near singular places

// Three rods and the ground; a and c turn about fixed points, b couples them.
class FourBar : public testing::Test {
 protected:
  FourBar() {
    const Frame N = model_.newtonian();
    model_.gravity(-9.81 * m / (s * s) * N.y());
    const Quantity a = model_.parameter("a", 0.4 * m), b = model_.parameter("b", 1.0 * m),
                   c = model_.parameter("c", 0.8 * m), d = model_.parameter("d", 1.0 * m);
    const Quantity q1 = model_.coordinate("q1", {.start = 1.2 * rad}),
                   q2 = model_.coordinate("q2", {.start = 0.2 * rad}),
                   q3 = model_.coordinate("q3", {.start = 1.4 * rad});
    const Frame A = model_.frame("A", rotate(N, Axis::z, q1)),
                B = model_.frame("B", rotate(N, Axis::z, q2)),
                C = model_.frame("C", rotate(N, Axis::z, q3));
    const Point P = model_.particle("P", {.at = N.origin() + a * A.x(), .mass = 1.0 * kg});
    model_.particle("Q", {.at = P + b / 2 * B.x(), .mass = 2.0 * kg});
    model_.particle("R", {.at = N.origin() + d * N.x() + c / 2 * C.x(), .mass = 1.5 * kg});
    model_.constraint("x", a * cos(q1) + b * cos(q2) - c * cos(q3) - d);
    model_.constraint("y", a * sin(q1) + b * sin(q2) - c * sin(q3));
  }

  // By the code against the pivoted solve.
  static void compare(const CompiledSystem& system, const PreparedParameters& p,
                      const std::vector<double>& y) {
    const Instant at{0, y.data(), nullptr};
    const SolvedSystem solved = system.solve(at, p);
    std::vector<double> rates(system.state_count() + system.quadrature_names().size());
    ASSERT_EQ(system.compute_rates_and_quadratures(at, p, rates.data()), solved.status);
    double size = 1;
    for (const double x : solved.speed_rates) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < solved.speed_rates.size(); ++i)
      EXPECT_NEAR(rates[system.configuration_count() + i], solved.speed_rates[i],
                  constrained_rounding * size);
  }

  Model model_{"four_bar"};
};

TEST_F(FourBar, is_solved_in_machine_code_wherever_its_rows_are_independent) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-3, 3);
  for (const SystemOptions& options : all_ways()) {
    const CompiledSystem system = compile_model(model_, options);
    EXPECT_EQ(system.is_unrolled(), options.unrolled_operations > 0);
    const PreparedParameters p = system.prepare(system.parameters().values());
    int held = 0;
    for (int k = 0; k < 100; ++k) {
      std::vector<double> y(6);
      for (double& value : y) value = uniform(random);
      held += system.holds_unrolled({0, y.data(), nullptr}, p) ? 1 : 0;
      compare(system, p, y);
    }
    EXPECT_GE(held, options.unrolled_operations > 0 ? 95 : 0);
  }
}

// All rods in one line: both rows are the same direction.
TEST_F(FourBar, is_solved_as_numbers_where_it_is_flat) {
  const CompiledSystem system = compile_model(model_);
  const PreparedParameters p = system.prepare({1.0, 0.8, 1.0, 0.8});
  std::vector<double> y = {0, 0, 0, 1, 0, 1};
  EXPECT_FALSE(system.holds_unrolled({0, y.data(), nullptr}, p));
  compare(system, p, y);
  y = {0.5, 0.5001, 0.5, 1, 0, 1};  // nearly
  EXPECT_FALSE(system.holds_unrolled({0, y.data(), nullptr}, p));
  compare(system, p, y);
  y = {0.5, 0.1, 0.5, 1, 0, 1};
  EXPECT_TRUE(system.holds_unrolled({0, y.data(), nullptr}, p));
  compare(system, p, y);
}

TEST_F(FourBar, takes_no_memory_for_an_evaluation) {
  const CompiledSystem system = compile_model(model_);
  const PreparedParameters p = system.prepare(system.parameters().values());
  const std::vector<double> y = system.start().values();
  std::vector<double> rates(system.state_count() + system.quadrature_names().size());
  const Instant at{0, y.data(), nullptr};
  system.compute_rates(at, p, rates.data());  // the first call of a function emits its code
  system.compute_rates_and_quadratures(at, p, rates.data());
  const std::size_t before = allocations;
  for (int k = 0; k < 10; ++k) {
    system.compute_rates(at, p, rates.data());
    system.compute_rates_and_quadratures(at, p, rates.data());
  }
  EXPECT_EQ(allocations, before);
}

TEST_F(FourBar, a_batch_gives_what_single_calls_give) {
  const CompiledSystem system = compile_model(model_);
  const PreparedParameters p = system.prepare({1.0, 0.8, 1.0, 0.8});
  constexpr std::size_t count = 71;
  std::vector<double> times(count), states(6 * count), rates(6 * count), one(6), y(6);
  for (std::size_t k = 0; k < count; ++k) {
    // every seventh is flat
    for (std::size_t i = 0; i < 6; ++i)
      states[i * count + k] = k % 7 == 0 && i < 3 ? 0.0 : std::sin(static_cast<double>(3 * i + k));
  }
  std::vector<MotionStatus> statuses(count);
  system.compute_rates_batch(times.data(), states.data(), nullptr, count, count, p, rates.data(),
                             statuses.data());
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < 6; ++i) y[i] = states[i * count + k];
    EXPECT_EQ(system.compute_rates({0, y.data(), nullptr}, p, one.data()), statuses[k]);
    double size = 1;
    for (const double x : one) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(rates[i * count + k], one[i], constrained_rounding * size) << k << " " << i;
  }
}

// A particle on a rod, in closed form, and the same with the constraint twice.
TEST(WrittenSolution, of_a_constraint_that_is_there_twice_never_holds) {
  for (const bool is_twice : {false, true}) {
    Model model("rod");
    const Frame N = model.newtonian();
    model.gravity(-9.81 * m / (s * s) * N.y());
    const Quantity x = model.coordinate("x", {.start = 0.6 * m}),
                   y = model.coordinate("y", {.start = -0.8 * m}), L = model.parameter("L", 1 * m);
    model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 2.0 * kg});
    model.constraint("rod", x * x + y * y - L * L);
    if (is_twice) model.constraint("again", (x - L) * (x + L) + y * y);
    const CompiledSystem system = compile_model(model);
    const PreparedParameters p = system.prepare(system.parameters().values());
    const std::vector<double> state = {0.6, -0.8, 1.6, 1.2};
    const Instant at{0, state.data(), nullptr};
    EXPECT_EQ(system.holds_unrolled(at, p), !is_twice);
    std::vector<double> rates(4);
    EXPECT_EQ(system.compute_rates(at, p, rates.data()), MotionStatus::ok);
    // r'' along the rod is -v^2/L, across it gravity's part.
    const double along = -4.0, across = -9.81 * 0.6;  // towards (0.8, 0.6)
    EXPECT_NEAR(rates[2], 0.6 * along + 0.8 * across, rounding * 10);
    EXPECT_NEAR(rates[3], -0.8 * along + 0.6 * across, rounding * 10);
  }
}

}  // namespace
}  // namespace visviva
