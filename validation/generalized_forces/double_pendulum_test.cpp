// The double simple pendulum of the lecture seed `generalized_forces`: velocities, partial
// velocities, and the generalized active forces that follow from them by dot products. In F_1 and
// F_2 the seed misprints the sign of T2 s2 (errata.md); with it mended, T1 and T2 drop out.
#include <gtest/gtest.h>

#include "visviva/kinematics/kinematics.h"

namespace visviva {
namespace {

using namespace units;

// Angles from the downward vertical, both in N: P1 = L (s1 n_x - c1 n_y), P2 = P1 + L (...).
class DoublePendulum : public testing::Test {
 protected:
  Model model_{"double_pendulum"};
  Frame N_ = model_.newtonian();
  Quantity L_ = model_.parameter("L", 1 * m), g_ = model_.parameter("g", 9.81 * m / (s * s));
  Quantity m1_ = model_.parameter("m1", 1 * kg), m2_ = model_.parameter("m2", 2 * kg);
  Quantity q1_ = model_.coordinate("q1"), q2_ = model_.coordinate("q2");
  Frame A_ = model_.frame("A", rotate(N_, Axis::z, q1_));
  Frame B_ = model_.frame("B", rotate(N_, Axis::z, q2_));
  Point P1_ = model_.particle("P1", {.at = N_.origin() - L_ * A_.y(), .mass = m1_});
  Point P2_ = model_.particle("P2", {.at = P1_ - L_ * B_.y(), .mass = m2_});
  Quantity u1_ = model_.speed("u1", model_.rate(q1_)), u2_ = model_.speed("u2", model_.rate(q2_));
  Quantity c1_ = cos(q1_), s1_ = sin(q1_), c2_ = cos(q2_), s2_ = sin(q2_);
  Quantity T1_ = model_.parameter("T1", 1 * N), T2_ = model_.parameter("T2", 1 * N);
  Kinematics motion_ = analyze_motion(model_);
};

TEST_F(DoublePendulum, velocities_are_those_of_the_seed) {
  const Vector v1 = L_ * u1_ * (c1_ * N_.x() + s1_ * N_.y());
  EXPECT_EQ(motion_.velocity(P1_), v1);
  EXPECT_EQ(motion_.velocity(P2_), v1 + L_ * u2_ * (c2_ * N_.x() + s2_ * N_.y()));
}

TEST_F(DoublePendulum, partial_velocities_are_those_of_the_seed) {
  const Vector along1 = L_ * (c1_ * N_.x() + s1_ * N_.y());
  const Vector along2 = L_ * (c2_ * N_.x() + s2_ * N_.y());
  EXPECT_EQ(motion_.partial_velocity(P1_, "u1"), along1);
  EXPECT_EQ(motion_.partial_velocity(P2_, "u1"), along1);
  EXPECT_EQ(motion_.partial_velocity(P1_, "u2"), Vector());
  EXPECT_EQ(motion_.partial_velocity(P2_, "u2"), along2);
  EXPECT_EQ(motion_.velocity_remainder(P1_), Vector());
  EXPECT_EQ(motion_.velocity_remainder(P2_), Vector());
}

TEST_F(DoublePendulum, tensions_drop_out_of_the_generalized_active_forces) {
  const Vector R1 = T1_ * (c1_ * N_.y() - s1_ * N_.x()) - m1_ * g_ * N_.y() +
                    T2_ * (-c2_ * N_.y() + s2_ * N_.x());
  const Vector R2 = -m2_ * g_ * N_.y() - T2_ * (-c2_ * N_.y() + s2_ * N_.x());
  const auto active_force = [&](const char* u) {
    return dot(motion_.partial_velocity(P1_, u), R1) + dot(motion_.partial_velocity(P2_, u), R2);
  };
  EXPECT_EQ(active_force("u1").expr(), (-L_ * s1_ * g_ * (m1_ + m2_)).expr());
  EXPECT_EQ(active_force("u2").expr(), (-L_ * s2_ * m2_ * g_).expr());
}

}  // namespace
}  // namespace visviva
