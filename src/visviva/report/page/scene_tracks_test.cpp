// Thinning, turns, unknown components, quaternions and stand-ins of scenes.
#include "visviva/report/page/scene_tracks.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "visviva/report/page/scene_solids.h"

namespace visviva {
namespace {

constexpr double rounding = 1e-12;  // of numbers of order 1

// A frame B that has turned about z by `rate` times its row.
struct Rotor {
  Rotor(double rate, std::size_t count) {
    run.columns = {"t", "x.x", "x.y", "x.z", "y.x", "y.y", "y.z"};
    run.samples.assign(run.columns.size(), std::vector<double>(count, 0.0));
    for (std::size_t i = 0; i < count; ++i) {
      const double angle = rate * static_cast<double>(i);
      run.samples[0][i] = static_cast<double>(i);
      run.samples[1][i] = run.samples[5][i] = std::cos(angle);
      run.samples[2][i] = std::sin(angle);
      run.samples[4][i] = -std::sin(angle);
    }
    scene.frames = {{"N"}, {"B", 0, 0, 0, "x", "y"}};
  }

  Scene scene;
  Trajectory run;
};

TEST(ThinRows, keeps_both_ends_and_even_steps) {
  std::vector<std::size_t> rows(10001);
  std::iota(rows.begin(), rows.end(), std::size_t{5});
  const auto thin = thin_rows(rows, 1500);
  ASSERT_EQ(thin.size(), 1500u);
  EXPECT_EQ(thin.front(), 5u);
  EXPECT_EQ(thin.back(), 10005u);
  for (std::size_t i = 1; i < thin.size(); ++i) {
    EXPECT_GE(thin[i] - thin[i - 1], 6u);
    EXPECT_LE(thin[i] - thin[i - 1], 7u);
  }
  EXPECT_EQ(thin_rows({1, 2, 3}, 1500), (std::vector<std::size_t>{1, 2, 3}));
}

// P moves slowly along x; at one sample of 100,001 it is 1 m up, soon after 1 m down; Q leaves its place once.
TEST(ChooseRows, keeps_what_a_point_does_for_a_moment) {
  constexpr std::size_t count = 100'001, up = 33'333, back = 33'340, down = 77'778;
  Trajectory run;
  run.columns = {"t", "P.x", "P.y", "P.z", "Q.x", "Q.y", "Q.z"};
  run.samples.assign(run.columns.size(), std::vector<double>(count, 0.0));
  for (std::size_t i = 0; i < count; ++i) run.samples[0][i] = 1e-3 * static_cast<double>(i);
  run.samples[1] = run.samples[0];
  run.samples[2][up] = 1;
  run.samples[2][back] = -1;
  run.samples[6][down] = -0.5;
  Scene scene;
  scene.points = {{"P", 0, "P"}, {"Q", 0, "Q"}};
  const SceneTracks tracks(scene, run);
  const auto rows = tracks.choose_rows(1500, {true, true});
  EXPECT_EQ(rows.size(), 1500u);
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), count - 1);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), up));
  EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), back));
  EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), down));
  // At both sides of a peak the point is where it was: the peak is as narrow as it was.
  EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), up - 1));
  EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), up + 1));
}

// x = sin(1000 t) has far more turns than there are frames: the highest are kept, and no more.
TEST(ChooseRows, holds_to_the_number_that_the_page_can_afford) {
  Trajectory run;
  run.columns = {"t", "P.x", "P.y", "P.z"};
  run.samples.assign(4, std::vector<double>(20'001, 0.0));
  for (std::size_t i = 0; i <= 20'000; ++i) {
    run.samples[0][i] = 1e-3 * static_cast<double>(i);
    run.samples[1][i] = std::sin(1000 * run.samples[0][i]);
  }
  Scene scene;
  scene.points = {{"P", 0, "P"}};
  const SceneTracks tracks(scene, run);
  EXPECT_EQ(tracks.choose_rows(100, {true}).size(), 100u);
  // Where no point moves something may turn: evenly.
  const auto still = tracks.choose_rows(100, {false});
  ASSERT_EQ(still.size(), 100u);
  for (std::size_t i = 1; i < still.size(); ++i) EXPECT_LE(still[i] - still[i - 1], 409u);
  EXPECT_EQ(tracks.choose_rows(50'000, {true}).size(), 20'001u);
}

TEST(Quaternions, of_axes_are_those_of_the_turn) {
  // A third of a turn about (1, 1, 1): x to y, y to z.
  const auto q = make_frame_quaternion({0, 1, 0}, {0, 0, 1});
  for (const double e : q) EXPECT_NEAR(e, 0.5, rounding);
  const auto other = continue_quaternion({-1, 0, 0, 0}, q);
  for (const double e : other) EXPECT_NEAR(e, -0.5, rounding);
}

// A solid ellipsoid has I = m/5 (b^2 + c^2) about its first axis; turned in its frame.
TEST(EquivalentEllipsoid, is_the_ellipsoid_that_the_inertia_came_from) {
  const double m = 3, a = 0.5, b = 0.3, c = 0.2;
  const Eigen::Vector3d I = m / 5 * Eigen::Vector3d(b * b + c * c, c * c + a * a, a * a + b * b);
  const Eigen::Matrix3d R(
      Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, -2, 0.5).normalized()).toRotationMatrix());
  const auto found = make_equivalent_ellipsoid(m, R * I.asDiagonal() * R.transpose());
  EXPECT_NEAR(found.semiaxes[0], a, rounding);
  EXPECT_NEAR(found.semiaxes[1], b, rounding);
  EXPECT_NEAR(found.semiaxes[2], c, rounding);
  const Eigen::Quaterniond q(found.turn[0], found.turn[1], found.turn[2], found.turn[3]);
  const Eigen::Vector3d squares(a * a, b * b, c * c);
  const Eigen::Matrix3d turn = q.toRotationMatrix();
  EXPECT_LT(
      (turn * squares.asDiagonal() * turn.transpose() - R * squares.asDiagonal() * R.transpose())
          .norm(),
      rounding);
}

// A thin rod of length l: I = m l^2/12 across, so that a^2 = 5/12 l^2.
TEST(EquivalentEllipsoid, of_a_thin_rod_can_be_seen) {
  const double I = 2 * 0.6 * 0.6 / 12;
  const auto found = make_equivalent_ellipsoid(2, Eigen::Vector3d(I, 0, I).asDiagonal());
  const double a = std::sqrt(5.0 / 12) * 0.6;
  EXPECT_NEAR(found.semiaxes[0], a, rounding);
  EXPECT_NEAR(found.semiaxes[1], 0.05 * a, rounding);
  EXPECT_NEAR(found.semiaxes[2], 0.05 * a, rounding);
}

TEST(EquivalentEllipsoid, of_nothing_is_nothing) {
  EXPECT_EQ(make_equivalent_ellipsoid(2, Eigen::Matrix3d::Zero()).semiaxes[0], 0);
  EXPECT_EQ(make_equivalent_ellipsoid(0, Eigen::Matrix3d::Identity()).semiaxes[0], 0);
  EXPECT_EQ(make_equivalent_ellipsoid(NAN, Eigen::Matrix3d::Identity()).semiaxes[0], 0);
}

// The quaternion of a turn by a about z is cos(a/2), 0, 0, sin(a/2).
TEST(Turns, keep_their_signs_along_all_samples) {
  const Rotor rotor(1.0, 401);
  const SceneTracks tracks(rotor.scene, rotor.run);
  const Quaternions q = tracks.list_orientations(1);
  ASSERT_EQ(q.size(), 401u);
  for (std::size_t i = 0; i < q.size(); ++i) {
    EXPECT_NEAR(q[i][0], std::cos(0.5 * static_cast<double>(i)), rounding);
    EXPECT_NEAR(q[i][3], std::sin(0.5 * static_cast<double>(i)), rounding);
  }
  const std::vector<double> sums = sum_turns(q);
  EXPECT_EQ(sums.front(), 0);
  EXPECT_NEAR(sums.back(), 400, 400 * rounding);
  // Four samples a frame: 4 rad forwards, half of it less than pi as it is kept; the shortest way is back.
  EXPECT_NEAR(q[0][0] * q[4][0] + q[0][3] * q[4][3], std::cos(2), rounding);
  EXPECT_NEAR(tracks.largest_turn({0, 4, 8, 10}, {sums}), 4, 400 * rounding);
}

TEST(Turns, get_more_frames_where_they_are_large) {
  const Rotor rotor(1.0, 101);
  const SceneTracks tracks(rotor.scene, rotor.run);
  const std::vector<std::vector<double>> turns = {sum_turns(tracks.list_orientations(1))};
  EXPECT_EQ(tracks.split_turns({0, 3, 10, 22}, 5.5, turns),
            (std::vector<std::size_t>{0, 3, 8, 10, 15, 20, 22}));
  EXPECT_EQ(tracks.split_turns({0, 3, 10, 22}, 7.5, turns),
            (std::vector<std::size_t>{0, 3, 10, 17, 22}));
  // Samples farther apart than the limit are all kept, and there are no more.
  EXPECT_EQ(tracks.split_turns({0, 4}, 0.5, turns), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(Turns, of_nothing_change_nothing) {
  const Rotor rotor(0.0, 11);
  const SceneTracks tracks(rotor.scene, rotor.run);
  EXPECT_EQ(tracks.split_turns({0, 10}, 5, {}), (std::vector<std::size_t>{0, 10}));
  EXPECT_EQ(tracks.largest_turn({0, 10}, {}), 0);
  EXPECT_EQ(sum_turns({}), std::vector<double>{});
}

TEST(Track, counts_components_as_zero_that_never_have_a_value) {
  Scene scene;
  scene.arrows = {{SceneArrow::Kind::reaction, "R", false, 0, "R", {}},
                  {SceneArrow::Kind::reaction, "S", false, 0, "S", {}}};
  Trajectory run;
  run.columns = {"t", "R.x", "R.y", "R.z", "S.x", "S.y", "S.z"};
  run.samples = {{0, 1}, {3, 3}, {4, NAN}, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}};
  const SceneTracks tracks(scene, run);
  EXPECT_TRUE(tracks.arrows[0].is_partial());
  EXPECT_EQ(tracks.arrows[0][0], (std::array<double, 3>{3, 4, 0}));
  EXPECT_TRUE(std::isnan(tracks.arrows[0][1][1]));
  EXPECT_EQ(tracks.largest(tracks.arrows[0]), 5);
  EXPECT_FALSE(tracks.arrows[1].is_partial());
  EXPECT_EQ(tracks.largest(tracks.arrows[1]), 0);
}

}  // namespace
}  // namespace visviva
