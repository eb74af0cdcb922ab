// Orientations: every way of turning a frame gives a rotation, and the one that its definition
// says.
#include "visviva/model/orientation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/base/refusal_test.h"
#include "visviva/model/model.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {
namespace {

using namespace units;
using Number3 = std::array<double, 3>;

// A rotated vector by geometry: its part along the axis stays, the rest turns by the right hand.
Number3 turn(const Number3& axis, double angle, const Number3& v) {
  const double size = std::hypot(axis[0], axis[1], axis[2]);
  const Number3 n = {axis[0] / size, axis[1] / size, axis[2] / size};
  const double along = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
  const Number3 across = {v[0] - along * n[0], v[1] - along * n[1], v[2] - along * n[2]};
  const Number3 side = {n[1] * v[2] - n[2] * v[1], n[2] * v[0] - n[0] * v[2],
                        n[0] * v[1] - n[1] * v[0]};
  Number3 turned;
  for (std::size_t i = 0; i < 3; ++i) {
    turned[i] = along * n[i] + std::cos(angle) * across[i] + std::sin(angle) * side[i];
  }
  return turned;
}

// Axes of the turned frame, written in the parent.
using Triad = std::array<Number3, 3>;
constexpr Triad identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Triad turn(const Number3& axis, double angle, Triad triad) {
  for (Number3& v : triad) v = turn(axis, angle, v);
  return triad;
}

const std::array<std::string, 12> sequences = {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx",
                                               "xyx", "yzy", "zxz", "xzx", "yxy", "zyz"};

class OrientationTest : public testing::Test {
 protected:
  Model model_{"orientations"};
  ExprPool& pool_ = *model_.data().pool;
  Frame N_ = model_.newtonian();
  std::array<Quantity, 3> q_ = {model_.coordinate("q1"), model_.coordinate("q2"),
                                model_.coordinate("q3")};
  std::vector<Expr> symbols_ = {q_[0].expr(), q_[1].expr(), q_[2].expr()};
  std::vector<double> values_ = {0.7, -1.3, 2.1};

  void expect_rotation(const Matrix3& R) {
    EXPECT_EQ(R * transpose(R), identity_matrix(pool_));
    EXPECT_EQ(transpose(R) * R, identity_matrix(pool_));
    EXPECT_EQ(dot(R[0], cross(R[1], R[2])), 1.0);
  }

  // Columns of R are the axes of the turned frame.
  void expect_axes(const Matrix3& R, const Triad& axes) {
    constexpr double rounding = 1e-14;  // a dozen operations on numbers of size 1
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(evaluate(R[i][j], symbols_, values_), axes[j][i], rounding) << i << j;
      }
    }
  }
};

TEST_F(OrientationTest, a_simple_rotation_turns_about_its_axis_by_the_right_hand) {
  const std::pair<Axis, Number3> axes[] = {
      {Axis::x, {1, 0, 0}}, {Axis::y, {0, 1, 0}}, {Axis::z, {0, 0, 1}}};
  int count = 0;
  for (const auto& [axis, n] : axes) {
    const Frame A = model_.frame("A" + std::to_string(count++), rotate(N_, axis, q_[0]));
    expect_rotation(orientation(N_, A));
    expect_axes(orientation(N_, A), turn(n, values_[0], identity));
  }
}

TEST_F(OrientationTest, any_axis_fixed_in_the_parent_is_turned_about_in_its_own_direction) {
  const std::array<Number3, 9> axes = {{{1, 1, 0},
                                        {-1, 0, 0},
                                        {0, -2, 0},
                                        {0, 0, -1},
                                        {1, 2, 2},
                                        {-2, 3, 6},
                                        {-1, -1, 0},
                                        {1, 2, -3},
                                        {-0.3, 0.1, 5}}};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto& [x, y, z] = axes[i];
    const Vector axis = x * N_.x() + y * N_.y() + z * N_.z();
    const Frame A = model_.frame("A" + std::to_string(i), rotate(N_, axis, q_[0]));
    expect_axes(orientation(N_, A), turn(axes[i], values_[0], identity));
    EXPECT_EQ(axis, axis.express(A)) << "the axis is fixed in both frames";
  }
}

TEST_F(OrientationTest, rotations_about_axes_with_simple_lengths_are_exact) {
  const Vector axes[] = {N_.x() + N_.y(), N_.x() + 2 * N_.y() + 2 * N_.z(), 3 * N_.z() - 4 * N_.x(),
                         -2 * N_.x() + 3 * N_.y() + 6 * N_.z(), -N_.z()};
  int count = 0;
  for (const Vector& axis : axes) {
    const Frame A = model_.frame("A" + std::to_string(count++), rotate(N_, axis, q_[0]));
    expect_rotation(orientation(N_, A));
  }
}

// Roots of parameters are beyond what the fields decide; numbers must do.
TEST_F(OrientationTest, an_axis_may_contain_parameters_of_either_sign) {
  const Quantity a = model_.parameter("a", 1 * m), b = model_.parameter("b", 1 * m);
  const Frame A = model_.frame("A", rotate(N_, a * N_.x() - b * N_.y(), q_[0]));
  const Frame B = model_.frame("B", rotate(N_, a * N_.z(), q_[0]));
  const Frame C = model_.frame("C", rotate(N_, a * N_.z() / a - b / a * N_.x(), q_[0]));
  symbols_.insert(symbols_.end(), {a.expr(), b.expr()});
  for (const double size : {0.4, -0.4}) {
    values_ = {0.7, -1.3, 2.1, size, 1.7};
    expect_axes(orientation(N_, A), turn({size, -1.7, 0}, 0.7, identity));
    expect_axes(orientation(N_, B), turn({0, 0, size}, 0.7, identity));
    expect_axes(orientation(N_, C), turn({-1.7 / size, 0, 1}, 0.7, identity));
  }
}

TEST_F(OrientationTest, an_axis_written_in_another_frame_counts_when_it_is_fixed_in_the_parent) {
  const Frame A = model_.frame("A", rotate(N_, Axis::z, q_[0]));
  const Frame B = model_.frame("B", rotate(A, N_.z(), q_[1]));
  EXPECT_EQ(orientation(N_, B)[0][0], cos(q_[0] + q_[1]).expr());
}

TEST_F(OrientationTest, body_fixed_sequences_turn_about_axes_of_the_frame_turned_so_far) {
  for (const std::string& name : sequences) {
    SCOPED_TRACE(name);
    const Frame B = model_.frame("B" + name, rotate(N_, name, q_));
    Triad triad = identity;
    for (std::size_t i = 0; i < 3; ++i) {
      triad = turn(triad[static_cast<std::size_t>(name[i] - 'x')], values_[i], triad);
    }
    expect_rotation(orientation(N_, B));
    expect_axes(orientation(N_, B), triad);
  }
}

TEST_F(OrientationTest, space_fixed_sequences_turn_about_axes_of_the_parent) {
  for (const std::string& name : sequences) {
    SCOPED_TRACE(name);
    const Frame B = model_.frame("B" + name, rotate_space(N_, name, q_));
    Triad triad = identity;
    for (std::size_t i = 0; i < 3; ++i) {
      triad = turn(identity[static_cast<std::size_t>(name[i] - 'x')], values_[i], triad);
    }
    expect_rotation(orientation(N_, B));
    expect_axes(orientation(N_, B), triad);
  }
}

TEST_F(OrientationTest, sequences_are_written_with_letters_or_digits) {
  const Frame A = model_.frame("A", rotate(N_, "313", q_));
  const Frame B = model_.frame("B", rotate(N_, "zxz", q_));
  EXPECT_EQ(orientation(N_, A), orientation(N_, B));
  for (const std::string bad : {"xxy", "xyy", "xy", "xyzx", "abc", "XYZ", "", "014"}) {
    EXPECT_TRUE(says(refusal([&] { rotate(N_, bad, q_); }), "rotate: '" + bad + "'", "zxz"));
    EXPECT_TRUE(says(refusal([&] { rotate_space(N_, bad, q_); }), "rotate_space: '" + bad + "'"));
  }
}

TEST_F(OrientationTest, a_quaternion_turns_by_its_half_angle_about_its_vector_part) {
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  const Frame D = model_.frame("D", quaternion(N_, e));
  expect_rotation(orientation(N_, D));
  for (const Quantity& x : e) symbols_.push_back(x.expr());
  const Number3 n = {1.0 / 3, -2.0 / 3, 2.0 / 3};
  const double half = 0.6;
  values_.insert(values_.end(), {std::cos(half), std::sin(half) * n[0], std::sin(half) * n[1],
                                 std::sin(half) * n[2]});
  expect_axes(orientation(N_, D), turn(n, 2 * half, identity));
}

TEST_F(OrientationTest, a_gibbs_vector_is_the_axis_times_the_tangent_of_the_half_angle) {
  const Frame D = model_.frame("D", rodrigues(N_, q_));
  expect_rotation(orientation(N_, D));
  const double size = std::hypot(values_[0], values_[1], values_[2]);
  expect_axes(orientation(N_, D),
              turn({values_[0], values_[1], values_[2]}, 2 * std::atan(size), identity));
}

TEST_F(OrientationTest, a_spin_about_a_fixed_axis_has_one_hidden_angle) {
  const Quantity w = model_.speed("w", (1 / s).dimension());
  const Frame A = model_.frame("A", rotate(N_, Axis::x, q_[0]));
  const Frame W = model_.frame("W", spin(A, 2 * w * A.z() - w * A.x()));
  const std::vector<Expr>& hidden =
      model_.data().frames[static_cast<std::size_t>(W.index())].hidden;
  ASSERT_EQ(hidden.size(), 1u);
  const Frame V = model_.frame("V", spin(A, q_[1] * w * A.y()));
  expect_rotation(orientation(A, V));
  EXPECT_EQ((2 * A.z() - A.x()).express(W), 2 * A.z() - A.x());
}

TEST_F(OrientationTest, any_other_spin_has_a_hidden_quaternion) {
  const Quantity wx = model_.speed("wx", (1 / s).dimension());
  const Quantity wy = model_.speed("wy", (1 / s).dimension());
  const Frame W = model_.frame("W", spin(N_, wx * N_.x() + wy * N_.y()));
  const std::vector<Expr>& hidden =
      model_.data().frames[static_cast<std::size_t>(W.index())].hidden;
  ASSERT_EQ(hidden.size(), 4u);
  expect_rotation(orientation(N_, W));
  EXPECT_EQ(orientation(N_, W), quaternion_rotation({hidden[0], hidden[1], hidden[2], hidden[3]}));
  EXPECT_EQ(model_.data().coordinates.size(), 3u) << "hidden states are no coordinates";
}

TEST_F(OrientationTest, a_spin_about_an_axis_fixed_elsewhere_has_a_hidden_quaternion) {
  const Quantity w = model_.speed("w", (1 / s).dimension());
  const Frame A = model_.frame("A", rotate(N_, Axis::x, q_[0]));
  const Frame W = model_.frame("W", spin(N_, w * A.y()));
  EXPECT_EQ(model_.data().frames[static_cast<std::size_t>(W.index())].hidden.size(), 4u);
}

TEST_F(OrientationTest, orientations_compose_along_any_path_through_the_tree) {
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  const Quantity w = model_.speed("w", (1 / s).dimension());
  const Frame A = model_.frame("A", rotate(N_, Axis::z, q_[0]));
  const Frame B = model_.frame("B", rotate_space(A, "xyx", q_));
  const Frame C = model_.frame("C", quaternion(A, e));
  const Frame D = model_.frame("D", rodrigues(C, {q_[2], q_[1], 0.5}));
  const Frame E = model_.frame("E", spin(N_, w * A.x() + w * N_.y()));
  const std::vector<Frame> frames = {N_, A, B, C, D, E};
  for (const Frame& F : frames) {
    for (const Frame& G : frames) {
      EXPECT_EQ(orientation(F, G), transpose(orientation(G, F)));
      for (const Frame& H : frames) {
        EXPECT_EQ(orientation(F, G) * orientation(G, H), orientation(F, H));
      }
    }
  }
}

TEST_F(OrientationTest, angles_must_be_dimensionless_and_spins_angular_velocities) {
  const Quantity x = model_.coordinate("x", {.start = 1 * m});
  EXPECT_EQ(refusal([&] { rotate(N_, Axis::x, x); }),
            "rotate: the angle has dimension 'm', expected '1'");
  EXPECT_EQ(refusal([&] {
              rotate(N_, "zxz", {q_[0], x, q_[1]});
            }),
            "rotate: angle 2 has dimension 'm', expected '1'");
  EXPECT_EQ(refusal([&] {
              rotate_space(N_, "zxz", {q_[0], q_[1], x});
            }),
            "rotate_space: angle 3 has dimension 'm', expected '1'");
  EXPECT_EQ(refusal([&] {
              rodrigues(N_, {q_[0], q_[1], x});
            }),
            "rodrigues: parameter 3 has dimension 'm', expected '1'");
  EXPECT_EQ(refusal([&] { spin(N_, x * N_.x()); }),
            "spin: the angular velocity has dimension 'm', expected '1/s'");
  EXPECT_EQ(refusal([&] { rotate(N_, N_.x() - N_.x(), q_[0]); }),
            "rotate: the axis is the zero vector");
}

}  // namespace
}  // namespace visviva
