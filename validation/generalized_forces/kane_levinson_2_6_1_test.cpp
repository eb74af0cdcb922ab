// Kane & Levinson, Dynamics: Theory and Applications (1985), fig. 2.6.1, p. 29, with the formulas
// of the lecture seed `generalized_forces`: velocities, partial velocities and remainders in two
// cases of generalized speeds.
//
// B turns in A (here N) about a_y at the constant rate omega; P1 = q1 b_x + q2 b_y; E turns in B
// about b_z by q3; P2 is the distance L along e_x from P1.
#include <gtest/gtest.h>

#include "visviva/kinematics/kinematics.h"

namespace visviva {
namespace {

using namespace units;

struct Figure261 {
  Model model{"figure_2_6_1"};
  Frame A = model.newtonian();
  Quantity omega = model.parameter("omega", 3 / s), L = model.parameter("L", 2 * m);
  Quantity t = model.time();
  Quantity q1 = model.coordinate("q1", {.start = 1 * m});
  Quantity q2 = model.coordinate("q2", {.start = 1 * m});
  Quantity q3 = model.coordinate("q3");
  Frame B = model.frame("B", rotate(A, Axis::y, omega* t));
  Frame E = model.frame("E", rotate(B, Axis::z, q3));
  Point P1 = model.point("P1", A.origin() + q1 * B.x() + q2 * B.y());
  Point P2 = model.point("P2", P1 + L * E.x());
  Quantity c3 = cos(q3), s3 = sin(q3);
  Quantity q1dot = model.rate(q1), q2dot = model.rate(q2), q3dot = model.rate(q3);
};

TEST(KaneLevinson261, velocity_of_P1_in_b_e_and_a_axes) {
  Figure261 f;
  const Kinematics motion = analyze_motion(f.model);
  const Vector v = motion.velocity(f.P1);
  const Quantity c = cos(f.omega * f.t), sn = sin(f.omega * f.t);

  EXPECT_EQ(v, f.q1dot * f.B.x() + f.q2dot * f.B.y() - f.omega * f.q1 * f.B.z());
  EXPECT_EQ(v, (f.q1dot * f.c3 + f.q2dot * f.s3) * f.E.x() +
                   (-f.q1dot * f.s3 + f.q2dot * f.c3) * f.E.y() - f.omega * f.q1 * f.E.z());
  EXPECT_EQ(v, (f.q1dot * c - f.omega * f.q1 * sn) * f.A.x() + f.q2dot * f.A.y() -
                   (f.q1dot * sn + f.omega * f.q1 * c) * f.A.z());

  // The same, component by component.
  const Column3 b = v.in(f.B), e = v.in(f.E), a = v.in(f.A);
  EXPECT_EQ(b[0], f.q1dot.expr());
  EXPECT_EQ(b[1], f.q2dot.expr());
  EXPECT_EQ(b[2], (-f.omega * f.q1).expr());
  EXPECT_EQ(e[0], (f.q1dot * f.c3 + f.q2dot * f.s3).expr());
  EXPECT_EQ(e[1], (-f.q1dot * f.s3 + f.q2dot * f.c3).expr());
  EXPECT_EQ(e[2], (-f.omega * f.q1).expr());
  EXPECT_EQ(a[0], (f.q1dot * c - f.omega * f.q1 * sn).expr());
  EXPECT_EQ(a[1], f.q2dot.expr());
  EXPECT_EQ(a[2], (-(f.q1dot * sn + f.omega * f.q1 * c)).expr());
}

TEST(KaneLevinson261, case_1_speeds_are_the_rates) {
  Figure261 f;
  const Quantity u1 = f.model.speed("u1", f.q1dot), u2 = f.model.speed("u2", f.q2dot);
  const Quantity u3 = f.model.speed("u3", f.q3dot);
  const Kinematics motion = analyze_motion(f.model);

  EXPECT_EQ(motion.velocity(f.P1), u1 * f.B.x() + u2 * f.B.y() - f.omega * f.q1 * f.B.z());
  EXPECT_EQ(motion.partial_velocity(f.P1, "u1"), f.B.x());
  EXPECT_EQ(motion.partial_velocity(f.P1, "u2"), f.B.y());
  EXPECT_EQ(motion.partial_velocity(f.P1, "u3"), Vector());
  EXPECT_EQ(motion.velocity_remainder(f.P1), -f.omega * f.q1 * f.B.z());
  EXPECT_EQ(motion.partial_velocity(f.P2, "u3"), f.L * f.E.y());
  EXPECT_EQ(motion.rate(f.q3).expr(), u3.expr());
}

TEST(KaneLevinson261, case_2_speeds_are_components_along_e_axes) {
  Figure261 f;
  const Quantity u1 = f.model.speed("u1", f.q1dot * f.c3 + f.q2dot * f.s3);
  const Quantity u2 = f.model.speed("u2", f.q2dot * f.c3 - f.q1dot * f.s3);
  const Quantity u3 = f.model.speed("u3", f.q3dot);
  const Kinematics motion = analyze_motion(f.model);

  EXPECT_EQ(motion.velocity(f.P1), u1 * f.E.x() + u2 * f.E.y() - f.omega * f.q1 * f.E.z());
  EXPECT_EQ(motion.partial_velocity(f.P1, "u1"), f.E.x());
  EXPECT_EQ(motion.partial_velocity(f.P1, "u2"), f.E.y());
  EXPECT_EQ(motion.partial_velocity(f.P1, "u3"), Vector());
  EXPECT_EQ(motion.velocity_remainder(f.P1), -f.omega * f.q1 * f.E.z());

  // P2, by hand: v_P2 = v_P1 + w_E x L e_x.
  EXPECT_EQ(motion.velocity(f.P2),
            u1 * f.E.x() + (u2 + f.L * u3) * f.E.y() - f.omega * (f.q1 + f.L * f.c3) * f.E.z());

  // The kinematical differential equations.
  EXPECT_EQ(motion.rate(f.q1).expr(), (u1 * f.c3 - u2 * f.s3).expr());
  EXPECT_EQ(motion.rate(f.q2).expr(), (u1 * f.s3 + u2 * f.c3).expr());
  EXPECT_EQ(motion.rate(f.q3).expr(), u3.expr());
}

TEST(KaneLevinson261, angular_velocity_of_E_and_its_partial_angular_velocities) {
  Figure261 f;
  f.model.speed("u1", f.q1dot * f.c3 + f.q2dot * f.s3);
  f.model.speed("u2", f.q2dot * f.c3 - f.q1dot * f.s3);
  const Quantity u3 = f.model.speed("u3", f.q3dot);
  const Kinematics motion = analyze_motion(f.model);

  EXPECT_EQ(motion.angular_velocity(f.E),
            motion.angular_velocity(f.B) + motion.angular_velocity(f.E, f.B));
  EXPECT_EQ(motion.angular_velocity(f.E),
            f.omega * f.s3 * f.E.x() + f.omega * f.c3 * f.E.y() + u3 * f.E.z());
  EXPECT_EQ(motion.partial_angular_velocity(f.E, "u1"), Vector());
  EXPECT_EQ(motion.partial_angular_velocity(f.E, "u2"), Vector());
  EXPECT_EQ(motion.partial_angular_velocity(f.E, "u3"), f.E.z());
  EXPECT_EQ(motion.angular_velocity_remainder(f.E),
            f.omega * f.s3 * f.E.x() + f.omega * f.c3 * f.E.y());
}

}  // namespace
}  // namespace visviva
