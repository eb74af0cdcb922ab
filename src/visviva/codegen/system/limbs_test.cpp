// Limbs of equal shape: in lanes, one by one, and solved as numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "visviva/codegen/system/compiled_system_test.h"

namespace visviva {
namespace {

using namespace units;

// A body that slides, turns and carries limbs of three joints each; every second one is mirrored, and springs hold the feet.
Model make_walker(int limbs) {
  Model model("walker");
  const Frame N = model.newtonian();
  model.gravity(-9.81 * m / (s * s) * N.y());
  const Quantity x = model.coordinate("x"), y = model.coordinate("y"), a = model.coordinate("a");
  const Frame B = model.frame("B", rotate(N, Axis::z, a));
  const Point C = model.point("C", N.origin() + x * N.x() + y * N.y());
  const Quantity I = kg * m * m;
  model.body(B,
             {.at = C, .mass = 7 * kg, .inertia = {.xx = 0.3 * I, .yy = 0.4 * I, .zz = 0.5 * I}});
  const Axis axes[] = {Axis::x, Axis::z, Axis::z};
  for (int l = 0; l < limbs; ++l) {
    const double side = l % 2 == 0 ? 1 : -1, end = l / 2 % 2 == 0 ? 1 : -1;
    Frame F = B;
    Point P =
        model.point("H" + std::to_string(l), C + m * (0.4 * end * B.x() + 0.2 * side * B.z()));
    for (int j = 0; j < 3; ++j) {
      const std::string name = std::to_string(l) + "_" + std::to_string(j);
      F = model.frame("F" + name, rotate(F, axes[j], model.coordinate("q" + name)));
      const double size = 1.0 / (1 + j);
      model.body(F, {.at = P + m * (0.02 * side * F.z() - 0.15 * F.y() + 0.01 * end * F.x()),
                     .mass = size * kg,
                     .inertia = {.xx = 0.02 * size * I,
                                 .yy = 0.01 * size * I,
                                 .zz = 0.03 * size * I,
                                 .xy = 0.001 * end * I,
                                 .yz = -0.002 * side * I}});
      P = model.point("P" + name, P + m * (0.05 * side * F.z() - 0.3 * F.y()));
    }
    model.spring("s" + std::to_string(l),
                 {.from = N.origin(), .to = P, .stiffness = 30 * kg / (s * s), .rest = 0.1 * m});
  }
  return model;
}

void compare(int limbs) {
  const Model model = make_walker(limbs);
  SystemOptions plain, numerical, narrow;
  plain.code.lanes = false;
  numerical.unrolled_operations = 0;
  narrow.code.avoid_avx512 = true;
  const CompiledSystem expected = compile_model(model, numerical);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const SystemOptions& options : {SystemOptions(), plain, narrow}) {
    const CompiledSystem system = compile_model(model, options);
    ASSERT_EQ(system.state_names(), expected.state_names());
    for (int run = 0; run < 5; ++run) {
      std::vector<double> state(system.state_count()), found(state.size()), wanted(state.size());
      for (double& y : state) y = uniform(random);
      const Instant at{0, state.data(), nullptr};
      ASSERT_EQ(system.compute_rates(at, system.prepare({}), found.data()), MotionStatus::ok);
      ASSERT_EQ(expected.compute_rates(at, expected.prepare({}), wanted.data()), MotionStatus::ok);
      double size = 1;
      for (const double w : wanted) size = std::max(size, std::abs(w));
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], wanted[i], long_rounding * size) << system.state_names()[i];
    }
  }
}

TEST(Limbs, two_limbs_accelerate_as_their_equations_say) { compare(2); }
TEST(Limbs, three_limbs_accelerate_as_their_equations_say) { compare(3); }
TEST(Limbs, four_limbs_accelerate_as_their_equations_say) { compare(4); }
TEST(Limbs, six_limbs_accelerate_as_their_equations_say) { compare(6); }

}  // namespace
}  // namespace visviva
