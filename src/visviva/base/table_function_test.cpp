#include "visviva/base/table_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

namespace visviva {
namespace {

using Vector = std::vector<double>;

Vector even_places(double first, double last, std::size_t pieces) {
  Vector t(pieces + 1);
  for (std::size_t i = 0; i <= pieces; ++i)
    t[i] = first + (last - first) * static_cast<double>(i) / static_cast<double>(pieces);
  return t;
}

double cubic(double x) { return ((2.0 * x - 3.0) * x + 0.5) * x + 1.0; }

TableFunction make_map(TableRange x_range, TableRange y_range, TableShape shape,
                       double (*f)(double, double), const Vector& x, const Vector& y) {
  std::vector<Vector> samples;
  for (const double a : x) {
    samples.emplace_back();
    for (const double b : y) samples.back().push_back(f(a, b));
  }
  return TableFunction({x, x_range}, {y, y_range}, samples, shape);
}

TEST(TableFunction, integral_of_a_cubic_is_exact) {
  const Vector x = {-1.0, -0.2, 0.3, 1.1, 2.0};
  Vector y;
  for (const double a : x) y.push_back(cubic(a));
  const TableFunction f(Spline(x, y));
  for (const double a : {-0.9, -0.1, 0.0, 0.7, 1.99}) {
    const double exact = 0.5 * a * a * a * a - a * a * a + 0.25 * a * a + a;
    EXPECT_NEAR(f.value(a, 0, -1, 0), exact, 1e-13);
  }
  EXPECT_TRUE(std::isnan(f.value(2.1, 0, -1, 0)));
}

TEST(TableFunction, integral_of_a_periodic_table_grows_by_its_mean) {
  const Vector x = even_places(0.0, 2 * std::numbers::pi, 40);
  Vector y;
  for (const double a : x) y.push_back(1.5 + std::sin(a));
  const TableFunction f(Spline(x, y, TableRange::periodic));
  const double turn = f.value(2 * std::numbers::pi, 0, -1, 0);
  EXPECT_NEAR(turn, 3 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(f.value(0.7 - 4 * std::numbers::pi, 0, -1, 0), f.value(0.7, 0, -1, 0) - 2 * turn,
              1e-12);
}

TEST(TableFunction, what_is_held_is_integrated_on) {
  const TableFunction f(Spline({1.0, 2.0}, {3.0, 5.0}, TableRange::hold));
  EXPECT_NEAR(f.value(4.0, 0, -1, 0), 3.0 + 4.0 + 10.0, 1e-14);
  EXPECT_NEAR(f.value(-1.0, 0, -1, 0), -3.0, 1e-14);
}

TEST(TableFunction, straight_pieces_have_the_slopes_of_their_chords) {
  const TableFunction f(
      Spline({0.0, 1.0, 3.0}, {0.0, 2.0, 3.0}, TableRange::error, TableShape::linear));
  EXPECT_DOUBLE_EQ(f.value(0.25, 0, 0, 0), 0.5);
  EXPECT_DOUBLE_EQ(f.value(0.25, 0, 1, 0), 2.0);
  EXPECT_DOUBLE_EQ(f.value(2.0, 0, 1, 0), 0.5);
  EXPECT_DOUBLE_EQ(f.value(2.0, 0, 2, 0), 0.0);
  EXPECT_DOUBLE_EQ(f.value(3.0, 0, -1, 0), 1.0 + 5.0);
}

// A product of cubics is its own bicubic spline.
TEST(TableFunction, map_of_cubics_has_all_their_derivatives_and_integrals) {
  const auto f = [](double x, double y) { return cubic(x) * (y * y * y - y); };
  const TableFunction map = make_map(TableRange::error, TableRange::error, TableShape::smooth, f,
                                     {-1.0, -0.2, 0.3, 1.1, 2.0}, {-2.0, -0.5, 0.1, 0.9, 1.4});
  const double x = 0.71, y = -0.33;
  EXPECT_NEAR(map.value(x, y, 0, 0), f(x, y), 1e-13);
  EXPECT_NEAR(map.value(x, y, 1, 0), (6 * x * x - 6 * x + 0.5) * (y * y * y - y), 1e-12);
  EXPECT_NEAR(map.value(x, y, 1, 1), (6 * x * x - 6 * x + 0.5) * (3 * y * y - 1), 1e-12);
  EXPECT_NEAR(map.value(x, y, 0, 2), cubic(x) * 6 * y, 1e-12);
  EXPECT_NEAR(map.value(x, y, 0, -1), cubic(x) * (y * y * y * y / 4 - y * y / 2), 1e-13);
  EXPECT_NEAR(map.value(x, y, -1, 0),
              (0.5 * x * x * x * x - x * x * x + 0.25 * x * x + x) * (y * y * y - y), 1e-13);
  EXPECT_TRUE(std::isnan(map.value(x, 1.5, 0, 0)));
  EXPECT_TRUE(std::isnan(map.value(2.5, y, 0, 0)));
}

TEST(TableFunction, each_axis_of_a_map_has_its_own_range) {
  const auto f = [](double x, double y) { return std::sin(x) * (1 + y); };
  const TableFunction map =
      make_map(TableRange::periodic, TableRange::hold, TableShape::smooth, f,
               even_places(0.0, 2 * std::numbers::pi, 48), {0.0, 1.0, 2.0, 3.0});
  EXPECT_NEAR(map.value(7.0, 1.3, 0, 0), std::sin(7.0) * 2.3, 1e-5);
  EXPECT_NEAR(map.value(7.0, 9.0, 0, 0), std::sin(7.0) * 4.0, 1e-5);
  EXPECT_DOUBLE_EQ(map.value(7.0, 9.0, 0, 1), 0.0);
  EXPECT_NEAR(map.value(7.0, 9.0, 0, -1), std::sin(7.0) * (3 + 4.5 + 6 * 4), 1e-4);
}

std::size_t count_sign_changes(const BoundTable& bound, double from, double to, int steps) {
  std::size_t changes = 0;
  for (int i = 0; i < steps; ++i) {
    const auto at = [&](int k) { return from + (to - from) * (k + 0.37) / steps; };
    changes += (bound(at(i), 0) > 0) != (bound(at(i + 1), 0) > 0) ? 1 : 0;
  }
  return changes;
}

TEST(TableFunction, every_knot_is_a_corner_once_and_no_two_pieces_look_alike) {
  for (const TableRange range : {TableRange::error, TableRange::hold, TableRange::periodic}) {
    for (const std::size_t pieces : {1u, 2u, 3u, 7u, 8u, 12u}) {
      const Vector x = even_places(0.0, 1.0, pieces);
      const auto table =
          std::make_shared<const TableFunction>(Spline(x, Vector(x.size(), 1.0), range));
      const int bits = BoundTable::count_corner_bits(table->axis(0));
      std::size_t changes = 0;
      std::set<std::vector<bool>> signs;
      for (int bit = 0; bit < bits; ++bit)
        changes += count_sign_changes({table, {}, 0, bit}, -0.004, 0.999, 4000);
      // The end at 0 is passed, that at 1 is not.
      EXPECT_EQ(changes, pieces) << name_of(range) << " " << pieces;
      for (std::size_t i = 0; i < pieces; ++i) {
        std::vector<bool> sign;
        for (int bit = 0; bit < bits; ++bit)
          sign.push_back(BoundTable{table, {}, 0, bit}((x[i] + x[i + 1]) / 2, 0) > 0);
        signs.insert(sign);
      }
      EXPECT_EQ(signs.size(), pieces);
    }
  }
}

}  // namespace
}  // namespace visviva
