// Roots against closed forms; jumps, poles and wild functions are told apart from them.
#include "visviva/simulation/run/root_finder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace visviva {
namespace {

constexpr double width = 1e-15;

RootsFound find(const std::function<double(double)>& f, double a, double b,
                std::size_t most_pieces = 4096) {
  RootFinder finder(1, most_pieces);
  return finder.find(
      [&](double x, double* value) {
        *value = f(x);
        return true;
      },
      a, b, {f(a)}, width);
}

TEST(RootFinder, every_root_of_a_fast_sine_is_found_where_it_is) {
  const RootsFound found = find([](double x) { return std::sin(100 * x); }, 0.0, 2.0);
  ASSERT_EQ(found.roots.size(), 63u);
  for (std::size_t k = 0; k < 63; ++k) {
    EXPECT_NEAR(found.roots[k].place, static_cast<double>(k + 1) * M_PI / 100, 1e-14);
    EXPECT_EQ(found.roots[k].is_rising, k % 2 == 1);
  }
  EXPECT_TRUE(found.jumps.empty());
  EXPECT_TRUE(found.unresolved.empty());
}

TEST(RootFinder, two_roots_close_together_do_not_hide) {
  const double e = 1e-4;
  const RootsFound found = find([&](double x) { return (x - 0.3) * (x - 0.3) - e * e; }, -1.0, 1.0);
  ASSERT_EQ(found.roots.size(), 2u);
  EXPECT_NEAR(found.roots[0].place, 0.3 - e, 1e-11);
  EXPECT_NEAR(found.roots[1].place, 0.3 + e, 1e-11);
}

TEST(RootFinder, poles_and_jumps_are_no_roots) {
  EXPECT_TRUE(find([](double x) { return 1 / (x - 0.7); }, 0.0, 1.0).roots.empty());
  EXPECT_EQ(find([](double x) { return 1 / (x - 0.7); }, 0.0, 1.0).jumps.size(), 1u);
  EXPECT_TRUE(find([](double x) { return x < 0.7 ? -1.0 : 1e-3; }, 0.0, 1.0).roots.empty());
  const RootsFound tangent = find([](double x) { return std::tan(x); }, 0.5, 10.0);
  ASSERT_EQ(tangent.roots.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(tangent.roots[k].place, static_cast<double>(k + 1) * M_PI, 1e-14);
  EXPECT_EQ(tangent.jumps.size(), 3u);
}

TEST(RootFinder, corners_and_infinite_slopes_are_roots_all_the_same) {
  const RootsFound corner = find([](double x) { return std::abs(x - 0.4) - 0.1; }, 0.0, 1.0);
  ASSERT_EQ(corner.roots.size(), 2u);
  EXPECT_NEAR(corner.roots[0].place, 0.3, 1e-14);
  EXPECT_NEAR(corner.roots[1].place, 0.5, 1e-14);
  EXPECT_EQ(find([](double x) { return std::cbrt(x - 0.7); }, 0.0, 1.0).roots.size(), 1u);
}

TEST(RootFinder, a_start_on_a_root_does_not_count_and_an_end_on_one_does) {
  EXPECT_TRUE(find([](double x) { return x; }, 0.0, 1.0).roots.empty());
  const RootsFound found = find([](double x) { return x - 1.0; }, 0.0, 1.0);
  ASSERT_EQ(found.roots.size(), 1u);
  EXPECT_EQ(found.roots[0].place, 1.0);
}

TEST(RootFinder, a_root_that_is_touched_is_one_wherever_pieces_end) {
  for (const double at : {0.3, 0.5, 0.25, 0.123456789, 2.0 / 3}) {
    for (const double sign : {1.0, -1.0}) {
      const auto expect_touch = [&](const std::function<double(double)>& f, double accuracy) {
        const RootsFound found = find([&](double x) { return sign * f(x - at); }, -0.01, 1.0);
        ASSERT_EQ(found.roots.size(), 1u) << at;
        EXPECT_NEAR(found.roots[0].place, at, accuracy);
        EXPECT_TRUE(found.roots[0].is_touch);
        EXPECT_EQ(found.roots[0].is_rising, sign > 0);
        EXPECT_TRUE(found.jumps.empty() && found.near.empty() && found.unresolved.empty());
      };
      expect_touch([](double x) { return x * x; }, 1e-7);
      expect_touch([](double x) { return 3 * std::pow(x, 4); },
                   1e-3);  // flat: zero but for rounding
      expect_touch([](double x) { return 1 - std::cos(2 * x); }, 1e-7);
      expect_touch([](double x) { return std::abs(x); }, 1e-9);
      expect_touch([](double x) { return std::sqrt(std::abs(x)); }, 1e-9);
    }
  }
}

// Polynomials of nine values wave in the tail of exp(-20 x), which has no extremum.
TEST(RootFinder, what_falls_all_the_way_comes_near_to_nothing) {
  for (const double level : {1e-9, 1e-11, 1e-12}) {
    const RootsFound found = find([&](double x) { return std::exp(-20 * x) - level; }, 0.003, 1.9);
    EXPECT_TRUE(found.near.empty()) << level;
    EXPECT_EQ(found.roots.size(), 1u);
  }
  EXPECT_EQ(find([](double x) { return std::pow(x - 0.4321, 2) + 1e-9; }, 0.0, 1.0).near.size(),
            1u);
}

// asin(2 sin(x)) = 0.3 where |sin(x)| <= 1/2, and nothing elsewhere, however often it comes back.
TEST(RootFinder, a_function_without_values_in_places_is_followed_where_it_has_some) {
  RootFinder finder(1, 4096);
  std::size_t roots = 0, gaps = 0;
  const auto f = [](double x) { return std::asin(2 * std::sin(x)) - 0.3; };
  for (int k = 0; k < 200; ++k) {
    const RootsFound found = finder.find(
        [&](double x, double* value) {
          *value = f(x);
          return true;
        },
        0.5 * k, 0.5 * (k + 1), {f(0.5 * k)}, 1e-13);
    roots += found.roots.size();
    gaps += found.undefined.empty() ? 0 : 1;
    EXPECT_TRUE(found.unresolved.empty()) << k;
  }
  EXPECT_EQ(roots, 32u);  // sin(x) = sin(0.3)/2 in 0 < x < 100: at 0.148 and 2.993, and so on
  EXPECT_GT(gaps, 100u);
}

// sin^2(50 pi x) touches zero at k/50.
TEST(RootFinder, every_touch_of_a_fast_square_is_found) {
  const RootsFound found =
      find([](double x) { return std::pow(std::sin(50 * M_PI * x), 2); }, 0.003, 1.997);
  ASSERT_EQ(found.roots.size(), 99u);
  for (std::size_t k = 0; k < 99; ++k) {
    EXPECT_NEAR(found.roots[k].place, static_cast<double>(k + 1) / 50, 1e-8);
    EXPECT_TRUE(found.roots[k].is_touch);
  }
}

// Steps that end at the root or beside it share it: flat functions are zero but for rounding on both sides.
TEST(RootFinder, a_root_that_consecutive_intervals_share_counts_once) {
  for (const int degree : {1, 2, 3, 4}) {
    for (const double beside : {0.0, 1e-13, 1e-9, 1e-6, 1e-4, -1e-9, -1e-4}) {
      RootFinder finder(1, 4096);
      std::size_t count = 0;
      const auto f = [&](double x) { return std::pow(x - 0.7, degree); };
      for (const auto& [a, b] : {std::pair{0.0, 0.655}, {0.655, 0.7 + beside}, {0.7 + beside, 1.5}})
        count += finder
                     .find(
                         [&](double x, double* value) {
                           *value = f(x);
                           return true;
                         },
                         a, b, {f(a)}, width)
                     .roots.size();
      EXPECT_EQ(count, 1u) << "degree " << degree << ", " << beside << " beside";
    }
  }
}

TEST(RootFinder, what_comes_next_to_zero_and_turns_back_is_told) {
  const RootsFound found = find([](double x) { return (x - 0.3) * (x - 0.3) + 1e-11; }, 0.0, 1.0);
  EXPECT_TRUE(found.roots.empty());
  ASSERT_EQ(found.near.size(), 1u);
  EXPECT_NEAR(found.near[0].place, 0.3, 1e-6);
  EXPECT_NEAR(found.near[0].value, 1e-11, 1e-13);
  EXPECT_TRUE(find([](double x) { return x * x + 0.1; }, -1.0, 1.0).near.empty());
}

// A jump that does not change the sign, and a pole of even order, are nothing.
TEST(RootFinder, what_is_not_continuous_touches_nothing) {
  EXPECT_TRUE(find([](double x) { return x < 0.7 ? 1.0 : 1e-3; }, 0.0, 1.0).roots.empty());
  EXPECT_TRUE(find([](double x) { return 1 / ((x - 0.7) * (x - 0.7)); }, 0.0, 1.0).roots.empty());
}

TEST(RootFinder, a_function_that_is_too_wild_is_named) {
  const RootsFound found = find([](double x) { return std::sin(1e6 * x); }, 0.0, 1.0, 64);
  EXPECT_EQ(found.unresolved, std::vector<std::size_t>{0});
}

// Errors of a run grow beyond those of its steps, and a short step sees a small part of a function: cos(x) + 1 + 3e-8, in pieces
// next to its least value, was as large as 2 before.
TEST(RootFinder, tells_an_extremum_that_the_errors_of_a_run_keep_from_zero) {
  constexpr double of_step = 1e-9, of_run = 3e-8;
  RootFinder finder(1, 64, of_step);
  const RootFinder::Function f = [](double x, double* values) {
    values[0] = std::cos(x) + 1.0 + of_run;
    return true;
  };
  std::size_t near = 0;
  for (int k = 0; k < 63; ++k) {
    const double a = 0.1 * k, b = 0.1 * (k + 1);
    const RootsFound found = finder.find(f, a, b, {std::cos(a) + 1.0 + of_run}, 1e-12);
    EXPECT_TRUE(found.roots.empty());
    for (const NearRoot& root : found.near) {
      ++near;
      EXPECT_NEAR(root.place, M_PI, 1e-6);
      EXPECT_NEAR(root.value, of_run, 1e-13);
    }
  }
  EXPECT_EQ(near, 1u);
}

}  // namespace
}  // namespace visviva
