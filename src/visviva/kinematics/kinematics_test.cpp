#include "visviva/kinematics/kinematics.h"

#include <gtest/gtest.h>

#include "visviva/base/refusal_test.h"

namespace visviva {
namespace {

using namespace units;

// ---- Points and the material points under them

class RollingDisc : public testing::Test {
 protected:
  Model model_{"rolling_disc"};
  Frame N_ = model_.newtonian();
  Quantity r_ = model_.parameter("r", 0.3 * m);
  Quantity x_ = model_.coordinate("x", {.start = 0 * m}), q_ = model_.coordinate("q");
  Frame D_ = model_.frame("D", rotate(N_, Axis::z, q_));
  Point Dcm_ = model_.body(
      D_, {.at = N_.origin() + x_ * N_.x() + r_ * N_.y(), .mass = 1 * kg, .inertia = {}});
  Point contact_ = model_.point("contact", Dcm_ - r_ * N_.y());
  Point rim_ = model_.point("rim", Dcm_ + r_ * D_.x());
  Quantity xdot_ = model_.rate(x_), qdot_ = model_.rate(q_);
};

TEST_F(RollingDisc, a_point_of_the_rim_moves_with_the_disc) {
  const Kinematics motion = analyze_motion(model_);
  EXPECT_EQ(motion.velocity(rim_), xdot_ * N_.x() + r_ * qdot_ * D_.y());
  EXPECT_EQ(motion.velocity_on(rim_, D_), motion.velocity(rim_));
  EXPECT_EQ(motion.velocity(rim_, D_), Vector());
  EXPECT_EQ(motion.acceleration(rim_, D_), Vector());
}

TEST_F(RollingDisc, the_contact_point_moves_along_while_the_disc_under_it_does_not) {
  const Kinematics motion = analyze_motion(model_);
  EXPECT_EQ(motion.velocity(contact_), xdot_ * N_.x());
  EXPECT_EQ(motion.velocity_on(contact_, D_), (xdot_ + r_ * qdot_) * N_.x());
  EXPECT_EQ(motion.velocity(contact_, D_), -r_ * qdot_ * N_.x());
  EXPECT_EQ(motion.velocity_on(contact_, N_), Vector());
}

TEST_F(RollingDisc, in_a_frame_without_a_body_velocities_are_relative_to_a_turning_origin) {
  const Frame A = model_.frame("A", rotate(N_, Axis::z, q_));
  const Kinematics motion = analyze_motion(model_);
  EXPECT_EQ(motion.velocity(Dcm_, A), xdot_ * N_.x() - qdot_ * cross(N_.z(), Dcm_ - N_.origin()));
  EXPECT_EQ(motion.velocity_on(Dcm_, A), qdot_ * cross(N_.z(), Dcm_ - N_.origin()));
}

// Coriolis: a point that slides out on a turntable, seen from both sides.
TEST(Kinematics, accelerations_seen_from_a_turntable_lack_coriolis_and_centripetal_parts) {
  Model model("turntable");
  const Frame N = model.newtonian();
  const Quantity Omega = model.parameter("Omega", 2 / s), t = model.time();
  const Quantity x = model.coordinate("x", {.start = 1 * m}), v = model.rate(x);
  const Frame T = model.frame("T", rotate(N, Axis::z, Omega * t));
  const Point P = model.point("P", N.origin() + x * T.x());
  const Kinematics motion = analyze_motion(model);
  const Quantity a = model.rate(v);
  EXPECT_EQ(motion.acceleration(P), (a - Omega * Omega * x) * T.x() + 2 * Omega * v * T.y());
  EXPECT_EQ(motion.acceleration(P, T), a * T.x());
  EXPECT_EQ(motion.velocity(P, T), v * T.x());
  EXPECT_EQ(motion.velocity_remainder(P), Omega * x * T.y());
}

// A spinning top: w = q1' z + q2' x1 + q3' z3, and its derivative.
TEST(Kinematics, angular_acceleration_of_a_top_has_gyroscopic_parts) {
  Model model("top");
  const Frame N = model.newtonian();
  const Quantity q1 = model.coordinate("q1"), q2 = model.coordinate("q2");
  const Quantity q3 = model.coordinate("q3");
  const Frame A = model.frame("A", rotate(N, Axis::z, q1));
  const Frame B = model.frame("B", rotate(A, Axis::x, q2));
  const Frame C = model.frame("C", rotate(B, Axis::z, q3));
  const Kinematics motion = analyze_motion(model);
  const Quantity u1 = model.rate(q1), u2 = model.rate(q2), u3 = model.rate(q3);
  EXPECT_EQ(motion.angular_velocity(C), u1 * N.z() + u2 * A.x() + u3 * B.z());
  EXPECT_EQ(motion.angular_acceleration(C), model.rate(u1) * N.z() + model.rate(u2) * A.x() +
                                                u1 * u2 * A.y() + model.rate(u3) * B.z() +
                                                u3 * cross(u1 * N.z() + u2 * A.x(), B.z()));
}

TEST(Kinematics, known_motions_bring_their_rates) {
  Model model("hoist");
  const Frame N = model.newtonian();
  const Quantity x = model.specified("x", 0.3 * m * sin(model.time() * (2 / s)));
  const Quantity L = model.parameter("L", 0.5 * m), theta = model.coordinate("theta");
  const Frame A = model.frame("A", rotate(N, Axis::z, theta));
  const Point H = model.point("H", N.origin() + x * N.x());
  const Point Q = model.point("Q", H - L * A.y());
  const Kinematics motion = analyze_motion(model);
  const Quantity u = model.rate(theta), xdot = model.rate(x);
  EXPECT_EQ(motion.velocity(Q), xdot * N.x() + L * u * A.x());
  EXPECT_EQ(motion.velocity_remainder(Q), xdot * N.x());
  EXPECT_EQ(motion.acceleration(Q),
            model.rate(xdot) * N.x() + L * model.rate(u) * A.x() + L * u * u * A.y());
  EXPECT_EQ(motion.time_derivative(x * x).expr(), (2 * x * xdot).expr());
}

// ---- The interface

class KinematicsInterface : public testing::Test {
 protected:
  Model model_{"interface"};
  Frame N_ = model_.newtonian();
  Quantity q_ = model_.coordinate("q"), f_ = model_.specified("f", Dimension());
  Frame A_ = model_.frame("A", rotate(N_, Axis::z, q_));
  Point P_ = model_.point("P", N_.origin() + 1 * m * A_.x());
  Kinematics motion_ = analyze_motion(model_);
};

TEST_F(KinematicsInterface, dimensions_of_results_are_those_of_motion) {
  EXPECT_EQ(motion_.velocity(P_).dimension().str(), "m/s");
  EXPECT_EQ(motion_.acceleration(P_).dimension().str(), "m/s^2");
  EXPECT_EQ(motion_.angular_velocity(A_).dimension().str(), "1/s");
  EXPECT_EQ(motion_.angular_acceleration(A_).dimension().str(), "1/s^2");
  EXPECT_EQ(motion_.partial_velocity(P_, "q'").dimension().str(), "m");
  EXPECT_EQ(motion_.partial_angular_velocity(A_, "q'").dimension().str(), "1");
  EXPECT_EQ(motion_.rate(q_).dimension().str(), "1/s");
  EXPECT_EQ(motion_.derivative(P_ - N_.origin(), N_).dimension().str(), "m/s");
}

TEST_F(KinematicsInterface, unknown_speeds_are_named) {
  EXPECT_TRUE(says(refusal([&] { motion_.speed_index("v"); }), "Kinematics", "'v'"));
  EXPECT_TRUE(says(refusal([&] { motion_.partial_velocity(P_, "q"); }), "'q'"));
  EXPECT_TRUE(says(refusal([&] { motion_.partial_angular_velocity(A_, "w"); }), "'w'"));
}

TEST_F(KinematicsInterface, a_derivative_is_taken_once) {
  const Quantity udot = model_.rate(model_.rate(q_));
  EXPECT_EQ(motion_.time_derivative(model_.rate(q_)).expr(), udot.expr());
  EXPECT_EQ(refusal([&] { motion_.time_derivative(udot); }),
            "Kinematics::time_derivative: the expression contains q'' already");
  const Quantity third = model_.rate(model_.rate(model_.rate(f_)));
  EXPECT_EQ(refusal([&] { motion_.time_derivative(third); }),
            "Kinematics::time_derivative: the expression contains f''', whose rate is not kept");
}

TEST_F(KinematicsInterface, only_coordinates_have_rates) {
  EXPECT_EQ(refusal([&] { motion_.rate(f_); }), "Kinematics::rate: expected a coordinate");
  EXPECT_EQ(refusal([&] { motion_.rate(2 * q_); }), "Kinematics::rate: expected a coordinate");
}

TEST_F(KinematicsInterface, a_model_that_was_analyzed_no_longer_changes) {
  const std::size_t frames = model_.data().frames.size();
  EXPECT_TRUE(says(refusal([&] { model_.coordinate("p"); }), "'interface' is finished"));
  EXPECT_TRUE(says(refusal([&] { model_.frame("B", rotate(N_, Axis::x, q_)); }), "is finished"));
  EXPECT_TRUE(says(refusal([&] { model_.gravity(N_.x() * 1.0 * m / (s * s)); }), "is finished"));
  EXPECT_EQ(model_.data().frames.size(), frames);
  EXPECT_EQ(motion_.rate(q_).expr(), analyze_motion(model_).rate(q_).expr());
}

TEST_F(KinematicsInterface, things_of_other_models_are_refused) {
  Model other("other");
  const Frame M = other.newtonian();
  EXPECT_TRUE(says(refusal([&] { motion_.angular_velocity(M); }), "Kinematics::angular_velocity",
                   "another model"));
  EXPECT_TRUE(says(refusal([&] { motion_.velocity(M.origin()); }), "Kinematics::velocity",
                   "another model"));
  EXPECT_TRUE(says(refusal([&] { motion_.velocity(P_, M); }), "another model"));
  EXPECT_TRUE(says(refusal([&] { motion_.velocity_on(P_, M); }), "another model"));
  EXPECT_TRUE(says(refusal([&] { motion_.derivative(M.x(), N_); }), "Kinematics::derivative",
                   "another model"));
}

TEST(Kinematics, results_outlive_the_model_they_were_derived_from) {
  auto model = std::make_unique<Model>("short_lived");
  const Frame N = model->newtonian();
  const Quantity q = model->coordinate("q"), u = model->rate(q);
  const Frame A = model->frame("A", rotate(N, Axis::z, q));
  const Kinematics motion = analyze_motion(*model);
  model.reset();
  EXPECT_EQ(motion.angular_velocity(A), u * N.z());
}

}  // namespace
}  // namespace visviva
