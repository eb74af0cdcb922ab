// Long chains: no recursion over links, and only the partial velocities that are not zero.
#include <gtest/gtest.h>

#include <cmath>

#include "visviva/kinematics/kinematics.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {
namespace {

using namespace units;

struct Chain {
  Model model{"chain"};
  std::vector<Frame> frames = {model.newtonian()};
  std::vector<Point> points = {model.newtonian().origin()};
  std::vector<Quantity> q;

  void add_link(const Vector& axis, const Quantity& angle) {
    const std::string number = std::to_string(frames.size());
    frames.push_back(model.frame("F" + number, rotate(frames.back(), axis, angle)));
    points.push_back(model.point("P" + number, points.back() + 1 * m * frames.back().x()));
  }
  Quantity add_coordinate() {
    q.push_back(model.coordinate("q" + std::to_string(q.size() + 1)));
    return q.back();
  }
};

// Every link turns by the same q in the one before: link k stands at k q.
TEST(LongChain, ten_thousand_links_in_a_plane_move_as_the_sum_of_their_links) {
  constexpr int n = 10000;
  Chain c;
  const Quantity q = c.add_coordinate(), u = c.model.rate(q);
  for (int i = 0; i < n; ++i) c.add_link(c.frames.back().z(), q);
  const Kinematics motion = analyze_motion(c.model);
  EXPECT_EQ(motion.angular_velocity(c.frames.back()), double{n} * u * c.frames[0].z());
  EXPECT_EQ(motion.angular_acceleration(c.frames.back()),
            double{n} * c.model.rate(u) * c.frames[0].z());

  const Column3 v = motion.velocity(c.points.back()).in(c.frames[0]);
  const Column3 a = motion.acceleration(c.points.back()).in(c.frames[0]);
  const double angle = 0.01, speed = 0.3, acceleration = -0.2;
  const auto found =
      Evaluator({q.expr(), u.expr(), c.model.rate(u).expr()},
                {v[0], v[1], v[2], a[0], a[1]})(std::vector<double>{angle, speed, acceleration});
  double vx = 0, vy = 0, ax = 0, ay = 0;
  for (int k = 1; k <= n; ++k) {
    const double s = std::sin(k * angle), co = std::cos(k * angle);
    vx -= k * speed * s;
    vy += k * speed * co;
    ax -= k * acceleration * s + k * speed * k * speed * co;
    ay += k * acceleration * co - k * speed * k * speed * s;
  }
  // Rounding in 1e4 products of rotations, relative to the largest terms.
  EXPECT_NEAR(found[0], vx, 1e-9 * n * n);
  EXPECT_NEAR(found[1], vy, 1e-9 * n * n);
  EXPECT_EQ(found[2], 0.0);
  EXPECT_NEAR(found[3], ax, 1e-9 * n * n * n);
  EXPECT_NEAR(found[4], ay, 1e-9 * n * n * n);
}

TEST(LongChain, ten_thousand_links_in_space_do_not_overflow_the_stack) {
  constexpr int n = 10000;
  Chain c;
  for (int i = 0; i < 3; ++i) c.add_coordinate();
  const Quantity t = c.model.time(), f = c.model.specified("f", Dimension());
  for (int i = 0; i < n; ++i) {
    const Frame& P = c.frames.back();
    c.add_link(i % 2 == 0 ? P.z() : P.x(), i % 5 == 0   ? f
                                           : i % 7 == 0 ? t * (1 / s)
                                                        : c.q[static_cast<std::size_t>(i % 3)]);
  }
  const Kinematics motion = analyze_motion(c.model);
  const Point& P = c.points.back();
  EXPECT_EQ(motion.angular_motion(c.frames.back()).coefficients.size(), 3u);
  EXPECT_EQ(motion.point_motion(P).coefficients.size(), 3u);
  EXPECT_FALSE(motion.velocity_remainder(P).parts().empty());
  EXPECT_FALSE(motion.acceleration(P).parts().empty());
  EXPECT_FALSE((P - c.points[0]).in(c.frames[0])[0].is_constant());
}

TEST(LongChain, each_point_has_a_partial_velocity_for_every_joint_before_it_and_no_other) {
  constexpr std::size_t n = 300;
  Chain c;
  for (std::size_t i = 0; i < n; ++i) c.add_link(c.frames.back().z(), c.add_coordinate());
  const Kinematics motion = analyze_motion(c.model);
  for (std::size_t i = 0; i <= n; ++i) {
    EXPECT_EQ(motion.angular_motion(c.frames[i]).coefficients.size(), i);
    EXPECT_EQ(motion.point_motion(c.points[i]).coefficients.size(), i);
  }
  // By hand: joint k turns everything beyond it about the point before it.
  const Vector z = c.frames[0].z();
  for (const std::size_t k : {1, 2, 57, 150, 299, 300}) {
    const std::string u = "q" + std::to_string(k) + "'";
    EXPECT_EQ(motion.partial_velocity(c.points[n], u), cross(z, c.points[n] - c.points[k - 1]));
    EXPECT_EQ(motion.partial_velocity(c.points[k - 1], u), Vector());
    EXPECT_EQ(motion.partial_angular_velocity(c.frames[n], u), z);
    EXPECT_EQ(motion.partial_angular_velocity(c.frames[k - 1], u), Vector());
  }
}

}  // namespace
}  // namespace visviva
