#include "visviva/model/frame.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "visviva/base/refusal_test.h"
#include "visviva/model/model.h"

namespace visviva {
namespace {

using namespace units;

// N - A (z, q1) - B (x, q2), and N - C (y, q3).
class FrameTest : public testing::Test {
 protected:
  Model model_{"frames"};
  ExprPool& pool_ = *model_.data().pool;
  Frame N_ = model_.newtonian();
  Quantity q1_ = model_.coordinate("q1"), q2_ = model_.coordinate("q2");
  Quantity q3_ = model_.coordinate("q3"), s_ = model_.coordinate("s", {.start = 0 * m});
  Quantity L_ = model_.parameter("L", 2 * m);
  Frame A_ = model_.frame("A", rotate(N_, Axis::z, q1_));
  Frame B_ = model_.frame("B", rotate(A_, Axis::x, q2_));
  Frame C_ = model_.frame("C", rotate(N_, Axis::y, q3_));
  Point No_ = N_.origin();
  Point P_ = model_.point("P", No_ + L_ * A_.x());
  Point Q_ = model_.point("Q", P_ + s_ * B_.y() - 0.5 * m * N_.z());
  Point S_ = model_.point("S", No_ + L_ * C_.z());
};

// ---- Points

template <class T>
concept AddsToPoint = requires(Point p, T t) {
  p + t;
};

TEST_F(FrameTest, a_point_plus_a_point_does_not_compile) {
  EXPECT_FALSE(AddsToPoint<Point>);
  EXPECT_TRUE(AddsToPoint<Vector>);
}

TEST_F(FrameTest, the_difference_of_points_is_the_sum_of_offsets_between_them) {
  EXPECT_EQ(Q_ - P_, s_ * B_.y() - 0.5 * m * N_.z());
  EXPECT_EQ(Q_ - No_, (Q_ - P_) + (P_ - No_));
  EXPECT_EQ(P_ - Q_, -(Q_ - P_));
  EXPECT_EQ(Q_ - S_, L_ * A_.x() + s_ * B_.y() - 0.5 * m * N_.z() - L_ * C_.z());
}

TEST_F(FrameTest, a_point_minus_itself_is_a_zero_length) {
  EXPECT_TRUE((Q_ - Q_).is_zero());
  EXPECT_EQ((No_ - No_).dimension().str(), "m");
}

TEST_F(FrameTest, positions_add_and_subtract_vectors_before_they_have_a_name) {
  const Position p = No_ + L_ * A_.x() - s_ * A_.y() + L_ * A_.x();
  EXPECT_EQ(p - No_, 2 * L_ * A_.x() - s_ * A_.y());
  EXPECT_EQ((Q_ - L_ * N_.x()) - (P_ + L_ * N_.x()), (Q_ - P_) - 2 * L_ * N_.x());
}

TEST_F(FrameTest, the_difference_of_points_is_right_whatever_their_order_of_declaration) {
  const Point late = model_.point("late", No_ + L_ * N_.y());
  const Point later = model_.point("later", S_ + L_ * N_.y());
  EXPECT_EQ(late - later, -L_ * C_.z());
  EXPECT_EQ(later - late, L_ * C_.z());
}

TEST_F(FrameTest, only_the_newtonian_frame_has_an_origin) {
  EXPECT_EQ(N_.origin().name(), "No");
  EXPECT_EQ(refusal([&] { A_.origin(); }),
            "Frame::origin: frame 'A' has no origin; only the Newtonian frame has one");
}

// ---- Vectors

TEST_F(FrameTest, a_vector_keeps_each_part_in_the_frame_in_which_it_was_written) {
  const Vector v = L_ * A_.x() + s_ * B_.y() + L_ * A_.y();
  ASSERT_EQ(v.parts().size(), 2u);
  EXPECT_EQ(v.parts()[0].frame, A_.index());
  EXPECT_EQ(v.parts()[1].frame, B_.index());
  EXPECT_EQ((v - L_ * A_.x() - L_ * A_.y()).parts().size(), 1u);
}

TEST_F(FrameTest, components_in_another_frame_are_projections) {
  const Column3 c = (L_ * A_.x()).in(N_);
  EXPECT_EQ(c[0], (L_ * cos(q1_)).expr());
  EXPECT_EQ(c[1], (L_ * sin(q1_)).expr());
  EXPECT_TRUE(c[2].is_zero());
  const Vector v = s_ * B_.y() + L_ * C_.z() - 3 * m * N_.x();
  const Column3 in_A = v.in(A_);
  EXPECT_EQ(in_A[0], dot(v, A_.x()).expr());
  EXPECT_EQ(in_A[1], dot(v, A_.y()).expr());
  EXPECT_EQ(in_A[2], dot(v, A_.z()).expr());
}

TEST_F(FrameTest, expressing_a_vector_elsewhere_does_not_change_it) {
  const Vector v = s_ * B_.y() + L_ * C_.z() - 3 * m * N_.x();
  for (const Frame& f : {N_, A_, B_, C_}) {
    EXPECT_EQ(v.express(f), v);
    EXPECT_LE(v.express(f).parts().size(), 1u);
  }
}

TEST_F(FrameTest, a_vector_is_zero_when_its_parts_cancel_across_frames) {
  const Vector v = A_.x() - cos(q1_) * N_.x() - sin(q1_) * N_.y();
  EXPECT_EQ(v.parts().size(), 2u);
  EXPECT_TRUE(v.is_zero());
  EXPECT_EQ(A_.z(), N_.z());
  EXPECT_FALSE(A_.x() == N_.x());
}

TEST_F(FrameTest, vectors_of_different_dimensions_do_not_add_and_are_not_equal) {
  EXPECT_EQ(refusal([&] { A_.x() + L_* A_.x(); }),
            "operator+: the operands have dimensions '1' and 'm'");
  EXPECT_EQ(refusal([&] { L_* B_.x() - s_* s_* A_.x(); }),
            "operator+: the operands have dimensions 'm' and 'm^2'");
  EXPECT_FALSE(A_.x() == L_ * A_.x());
  EXPECT_EQ(A_.x() + 0 * A_.x(), A_.x());
  EXPECT_EQ(0 * m * A_.x(), 0 * kg * B_.y());
  EXPECT_EQ(Vector() + L_ * A_.x(), L_ * A_.x());
}

TEST_F(FrameTest, scaling_a_vector_scales_its_dimension) {
  EXPECT_EQ((L_ * A_.x()).dimension().str(), "m");
  EXPECT_EQ((A_.x() / s_).dimension().str(), "1/m");
  EXPECT_EQ(L_ * A_.x() / L_, A_.x());
  EXPECT_EQ(A_.x() * L_, L_ * A_.x());
}

// ---- Products

TEST_F(FrameTest, dot_products_across_frames_are_cosines) {
  EXPECT_EQ(dot(A_.x(), N_.x()).expr(), cos(q1_).expr());
  EXPECT_EQ(dot(N_.y(), A_.x()).expr(), sin(q1_).expr());
  EXPECT_EQ(dot(B_.z(), A_.y()).expr(), (-sin(q2_)).expr());
  EXPECT_EQ(dot(C_.x(), N_.z()).expr(), (-sin(q3_)).expr());
  EXPECT_EQ(dot(L_ * A_.x(), s_ * N_.x()).dimension().str(), "m^2");
}

TEST_F(FrameTest, dot_products_do_not_depend_on_the_order_nor_on_the_frame) {
  const Vector v = s_ * B_.y() + L_ * C_.z(), w = L_ * A_.x() - s_ * N_.y() + L_ * B_.z();
  EXPECT_EQ(dot(v, w).expr(), dot(w, v).expr());
  for (const Frame& f : {N_, A_, B_, C_}) {
    EXPECT_EQ(dot(v, w).expr(), dot(v.in(f), w.in(f)));
  }
}

TEST_F(FrameTest, cross_products_follow_the_right_hand) {
  for (const Frame& f : {N_, A_, B_, C_}) {
    EXPECT_EQ(cross(f.x(), f.y()), f.z());
    EXPECT_EQ(cross(f.y(), f.z()), f.x());
    EXPECT_EQ(cross(f.z(), f.x()), f.y());
  }
  EXPECT_EQ(cross(N_.x(), A_.x()), sin(q1_) * N_.z());
  EXPECT_EQ(cross(A_.y(), B_.y()), sin(q2_) * A_.x());
}

TEST_F(FrameTest, products_of_three_vectors_in_three_frames_obey_the_textbook_identities) {
  const Vector a = s_ * B_.y() + L_ * C_.z(), b = L_ * A_.x() - s_ * N_.y();
  const Vector c = L_ * C_.x() + s_ * B_.z();
  EXPECT_EQ(cross(a, b), -cross(b, a));
  EXPECT_EQ(dot(a, cross(b, c)).expr(), dot(cross(a, b), c).expr());
  EXPECT_EQ(cross(a, cross(b, c)), dot(a, c) * b - dot(a, b) * c);
  EXPECT_EQ(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b)), Vector());
}

TEST_F(FrameTest, magnitude_and_unit_use_the_exact_length) {
  EXPECT_EQ(magnitude(3 * m * A_.x() + 4 * m * A_.y()).expr(), 5.0);
  EXPECT_EQ(unit(3 * m * A_.x() + 4 * m * A_.y()), 0.6 * A_.x() + 0.8 * A_.y());
  EXPECT_EQ(magnitude(Vector()).expr(pool_), 0.0);
  EXPECT_EQ(refusal([&] { unit(A_.z() - N_.z()); }),
            "unit: the vector is identically zero and has no direction");
}

// ---- Models

TEST_F(FrameTest, geometry_of_two_models_does_not_mix) {
  Model other("other");
  const Frame M = other.newtonian();
  EXPECT_EQ(refusal([&] { N_.x() + M.x(); }), "operator+: the operands belong to different models");
  EXPECT_EQ(refusal([&] { dot(N_.x(), M.x()); }), "dot: the operands belong to different models");
  EXPECT_EQ(refusal([&] { cross(N_.x(), M.x()); }),
            "cross: the operands belong to different models");
  EXPECT_EQ(refusal([&] { N_.x().in(M); }), "Vector::in: the frame belongs to another model");
  EXPECT_EQ(refusal([&] { orientation(N_, M); }),
            "orientation: the frame belongs to another model");
  EXPECT_EQ(refusal([&] { P_ - M.origin(); }), "operator-: the points belong to different models");
}

TEST_F(FrameTest, empty_frames_and_points_say_so) {
  EXPECT_EQ(refusal([] { Frame().name(); }), "Frame: an empty Frame was used");
  EXPECT_EQ(refusal([] { Point().name(); }), "Point: an empty Point was used");
}

}  // namespace
}  // namespace visviva
