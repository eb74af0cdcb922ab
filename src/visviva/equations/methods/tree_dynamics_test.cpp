// The recursions against sums over bodies, which need no tree.
#include "visviva/equations/methods/tree_dynamics.h"

#include <gtest/gtest.h>

#include "visviva/equations/methods/kane.h"
#include "visviva/equations/methods/newton_euler.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using namespace units;

std::size_t count(const Equations& e) {
  std::vector<Expr> all = e.forcing;
  for (std::size_t r = 0; r < e.mass_matrix.size(); ++r)
    all.insert(all.end(), e.mass_matrix[r].begin(), e.mass_matrix[r].end());
  return count_operations(all).total();
}

void expect_same(const Equations& a, const Equations& b) {
  ASSERT_EQ(a.forcing.size(), b.forcing.size());
  for (std::size_t r = 0; r < a.forcing.size(); ++r) {
    EXPECT_TRUE(a.forcing[r] == b.forcing[r]) << r;
    for (std::size_t s = 0; s < a.forcing.size(); ++s)
      EXPECT_TRUE(a.mass_matrix[r][s] == b.mass_matrix[r][s]) << r << ' ' << s;
  }
}

// A cart with n bobs on rods, angles from the vertical or from the rod before.
Model make_chain(int n, bool relative) {
  Model model("chain");
  const Frame N = model.newtonian();
  const Quantity g = model.parameter("g");
  const Quantity x = model.coordinate("x", {.dimension = Dimension::of(Dimension::length)});
  Point P = model.particle("Cart", {.at = N.origin() + x * N.x(), .mass = model.parameter("m0")});
  Frame A = N;
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    const Quantity q = model.coordinate("q" + k, {.dimension = Dimension()});
    A = model.frame("A" + k, rotate(relative ? A : N, Axis::z, q));
    P = model.particle(
        "P" + k, {.at = P + model.parameter("l" + k) * A.x(), .mass = model.parameter("m" + k)});
  }
  model.gravity(-g * N.y());
  return model;
}

// n bodies on joints of three angles, offsets and inertias general.
Model make_spatial_chain(int n) {
  Model model("spatial");
  const Frame N = model.newtonian();
  Frame A = N;
  Point O = N.origin();
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    const auto parameter = [&](const std::string& name) { return model.parameter(name + k); };
    const Quantity a = model.coordinate("a" + k), b = model.coordinate("b" + k),
                   c = model.coordinate("c" + k);
    A = model.frame("B" + k, rotate(A, std::string("xyz"), {a, b, c}));
    const auto arm = [&](const std::string& name) {
      return parameter(name + "x") * A.x() + parameter(name + "y") * A.y() +
             parameter(name + "z") * A.z();
    };
    model.body(A, {.at = O + arm("r"),
                   .mass = parameter("m"),
                   .inertia = {parameter("Ixx"), parameter("Iyy"), parameter("Izz"),
                               parameter("Ixy"), parameter("Iyz"), parameter("Izx")}});
    O = model.point("J" + k, O + arm("d"));
    for (int j = 0; j < 3; ++j) {
      const Vector axis = j == 0 ? A.x() : j == 1 ? A.y() : A.z();
      const Frame parent = i == 1 ? N : Frame(A.model(), A.index() - 1);
      model.speed("w" + std::string(1, "xyz"[j]) + k, dot(angular_velocity(A, parent), axis));
    }
  }
  model.gravity(-model.parameter("g") * N.y());
  return model;
}

TEST(tree_dynamics, a_relative_chain_gives_what_the_sum_over_bodies_gives) {
  const Kinematics motion = analyze_motion(make_chain(4, true));
  expect_same(derive_kane(motion), derive_newton_euler(motion));
}

TEST(tree_dynamics, a_chain_of_absolute_angles_gives_what_the_sum_over_bodies_gives) {
  const Kinematics motion = analyze_motion(make_chain(4, false));
  expect_same(derive_kane(motion), derive_newton_euler(motion));
}

TEST(tree_dynamics, a_spatial_chain_gives_what_the_sum_over_bodies_gives) {
  const Kinematics motion = analyze_motion(make_spatial_chain(3));
  expect_same(derive_kane(motion), derive_newton_euler(motion));
}

// What SymPy's Kane needs after common subexpressions are taken out: 2923, 2162 and 4298 operations.
TEST(tree_dynamics, the_equations_of_chains_need_fewer_operations_than_sympy_after_cse) {
  EXPECT_LE(count(derive_kane(analyze_motion(make_chain(10, true)))), 2923u);
  EXPECT_LE(count(derive_kane(analyze_motion(make_chain(10, false)))), 2162u);
  EXPECT_LE(count(derive_kane(analyze_motion(make_spatial_chain(3)))), 4298u);
}

// A chain's matrix has n^2 entries: so may the operations grow, and no faster.
TEST(tree_dynamics, operations_grow_no_faster_than_the_entries_of_the_mass_matrix) {
  const auto per_entry = [](int n) {
    return static_cast<double>(count(derive_kane(analyze_motion(make_chain(n, true))))) / (n * n);
  };
  EXPECT_LT(per_entry(80), per_entry(20));
}

}  // namespace
}  // namespace visviva
