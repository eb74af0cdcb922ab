// Inertias of homogeneous solids against the table of Meriam and Kraige, Engineering Mechanics:
// Dynamics, table D/4, and against sums over small pieces.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "visviva/base/refusal_test.h"
#include "visviva/model/model.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {
namespace {

using namespace units;

constexpr double mass = 3.0, r = 0.4, l = 1.1;
// Functions: units of another file may not exist yet when constants of this one are made.
Quantity M() { return mass * kg; }
Quantity R() { return r * m; }
Quantity Length() { return l * m; }

double number(const Quantity& q) {
  ExprPool pool;
  return evaluate(q.expr(pool), {}, {});
}

void expect_moments(const Solid& solid, double xx, double yy, double zz) {
  const Inertia I = solid_inertia(solid, M());
  EXPECT_NEAR(number(I.xx), xx, 1e-15);
  EXPECT_NEAR(number(I.yy), yy, 1e-15);
  EXPECT_NEAR(number(I.zz), zz, 1e-15);
  EXPECT_TRUE(I.xy.is_zero() && I.yz.is_zero() && I.zx.is_zero());
}

TEST(Solid, has_the_moments_of_the_textbook) {
  const double ball = 2.0 / 5 * mass * r * r, hollow = 2.0 / 3 * mass * r * r;
  expect_moments(sphere(R()), ball, ball, ball);
  expect_moments(shell(R()), hollow, hollow, hollow);
  const double bar = mass * l * l / 12;
  expect_moments(rod(Length(), Axis::x), 0, bar, bar);
  expect_moments(rod(Length(), Axis::y), bar, 0, bar);
  expect_moments(rod(Length(), Axis::z), bar, bar, 0);
  const double axial = mass * r * r / 2, across = mass * r * r / 4 + bar;
  expect_moments(cylinder(R(), Length(), Axis::x), axial, across, across);
  expect_moments(cylinder(R(), Length(), Axis::y), across, axial, across);
  expect_moments(cylinder(R(), Length(), Axis::z), across, across, axial);
  expect_moments(disc(R(), Axis::x), axial, axial / 2, axial / 2);
  expect_moments(disc(R(), Axis::y), axial / 2, axial, axial / 2);
  expect_moments(disc(R(), Axis::z), axial / 2, axial / 2, axial);
  expect_moments(box(1 * m, 2 * m, 3 * m), mass * 13 / 12, mass * 10 / 12, mass * 5 / 12);
}

// Moments of what is `inside` a cube of half edge h, by the midpoint rule with n^3 pieces.
std::array<double, 3> sum_moments(double h, int n,
                                  const std::function<bool(double, double, double)>& inside) {
  std::array<double, 3> I{};
  long pieces = 0;
  const auto place = [&](int i) { return h * ((2 * i + 1.0) / n - 1); };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const double x = place(i), y = place(j), z = place(k);
        if (!inside(x, y, z)) continue;
        ++pieces;
        I[0] += y * y + z * z;
        I[1] += z * z + x * x;
        I[2] += x * x + y * y;
      }
    }
  }
  for (double& moment : I) moment *= mass / static_cast<double>(pieces);
  return I;
}

void expect_near_sum(const Solid& solid, const std::array<double, 3>& sum) {
  constexpr double tolerance = 3e-3;  // of 160 pieces along an edge, about 1/160^1.2
  const Inertia I = solid_inertia(solid, M());
  EXPECT_NEAR(number(I.xx), sum[0], tolerance * sum[0]);
  EXPECT_NEAR(number(I.yy), sum[1], tolerance * sum[1]);
  EXPECT_NEAR(number(I.zz), sum[2], tolerance * sum[2]);
}

TEST(Solid, has_the_moments_that_its_pieces_add_up_to) {
  expect_near_sum(sphere(R()), sum_moments(r, 160, [](double x, double y, double z) {
                    return x * x + y * y + z * z < r * r;
                  }));
  expect_near_sum(
      cylinder(R(), Length(), Axis::y),
      sum_moments(l / 2, 160, [](double x, double, double z) { return x * x + z * z < r * r; }));
  expect_near_sum(box(0.5 * m, 0.75 * m, 1 * m),
                  sum_moments(0.5, 160, [](double x, double y, double) {
                    return std::fabs(x) < 0.25 && std::fabs(y) < 0.375;
                  }));
}

// Of 160 pieces along an edge, as those above.
TEST(Solid, has_the_moments_of_capsules_and_ellipsoids_too) {
  expect_near_sum(capsule(0.25 * m, 0.5 * m, Axis::x),
                  sum_moments(0.5, 160, [](double x, double y, double z) {
                    const double beyond = std::max(0.0, std::fabs(x) - 0.25);
                    return beyond * beyond + y * y + z * z < 0.0625;
                  }));
  expect_near_sum(ellipsoid(0.5 * m, 0.3 * m, 0.2 * m),
                  sum_moments(0.5, 160, [](double x, double y, double z) {
                    return x * x / 0.25 + y * y / 0.09 + z * z / 0.04 < 1;
                  }));
}

TEST(Solid, of_a_long_cylinder_is_nearly_a_rod_and_of_a_flat_one_a_disc) {
  const Inertia slender = solid_inertia(cylinder(1e-9 * m, Length(), Axis::z), M());
  const Inertia bar = solid_inertia(rod(Length(), Axis::z), M());
  EXPECT_NEAR(number(slender.xx), number(bar.xx), 1e-15);
  EXPECT_NEAR(number(slender.zz), number(bar.zz), 1e-15);
  const Inertia flat = solid_inertia(cylinder(R(), 1e-9 * m, Axis::z), M());
  const Inertia plate = solid_inertia(disc(R(), Axis::z), M());
  EXPECT_NEAR(number(flat.xx), number(plate.xx), 1e-15);
  EXPECT_NEAR(number(flat.zz), number(plate.zz), 1e-15);
}

class SolidBody : public testing::Test {
 protected:
  const BodyData& body(const std::string& name, const BodyOptions& options) {
    const Quantity q = model_.coordinate("q" + name);
    model_.body(model_.frame(name, rotate(model_.newtonian(), Axis::z, q)), options);
    return model_.data().bodies.back();
  }
  Model model_{"solids"};
  Position at_ = model_.newtonian().origin();
};

TEST_F(SolidBody, gets_inertia_and_picture_from_its_solid) {
  const Quantity mB = model_.parameter("m", 3 * kg), rB = model_.parameter("r", 0.4 * m);
  const BodyData& b = body("B", {.at = at_, .mass = mB, .solid = sphere(rB)});
  EXPECT_EQ(b.inertia[0][0], (model_.constant(0.4) * mB * rB * rB).expr());
  EXPECT_TRUE(b.inertia[0][1].is_zero());
  EXPECT_EQ(b.solid.kind, SolidData::Kind::sphere);
  EXPECT_EQ(b.solid.sizes[0], rB.expr());
}

TEST_F(SolidBody, keeps_an_inertia_that_was_given_and_shows_the_shape) {
  const Inertia given{1 * kg * m * m, 2 * kg * m * m, 2 * kg * m * m};
  const BodyData& b = body("B", {.at = at_, .mass = M(), .inertia = given, .solid = sphere(R())});
  EXPECT_EQ(b.inertia[0][0], 1.0);
  EXPECT_EQ(b.inertia[1][1], 2.0);
  EXPECT_EQ(b.solid.kind, SolidData::Kind::sphere);
}

TEST_F(SolidBody, refuses_a_size_that_is_no_length) {
  EXPECT_TRUE(says(refusal([&] { body("B", {.at = at_, .mass = M(), .solid = sphere(1 * kg)}); }),
                   "Model::body", "'B'"));
  EXPECT_TRUE(says(refusal([&] {
                     const Quantity q = model_.coordinate("q", {.start = 1 * m});
                     body("C", {.at = at_, .mass = M(), .solid = sphere(q)});
                   }),
                   "'q', a coordinate, which cannot stand there"));
}

}  // namespace
}  // namespace visviva
