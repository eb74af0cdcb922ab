// Followed motions against closed forms.
#include "visviva/numeric/extrapolation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace visviva {
namespace {

using Eigen::VectorXd;

// y = exp(-t/2) (cos, sin)(7 t), over five turns.
TEST(Extrapolation, a_decaying_rotation_is_followed_to_twelve_digits) {
  const RateFunction rates = [](double, const VectorXd& y, VectorXd* rate) {
    *rate = Eigen::Vector2d(-0.5 * y(0) - 7 * y(1), 7 * y(0) - 0.5 * y(1));
    return true;
  };
  const double end = 5 * 2 * M_PI / 7;
  const FollowedMotion found = follow_motion(rates, 0, Eigen::Vector2d(1, 0), end);
  ASSERT_TRUE(found.has_arrived);
  EXPECT_EQ(found.t, end);
  EXPECT_NEAR(found.y(0), std::exp(-end / 2), 1e-11);
  EXPECT_NEAR(found.y(1), 0, 1e-11);
}

// y' = 2 t y has y = exp(t^2).
TEST(Extrapolation, time_is_that_of_the_parts) {
  const RateFunction rates = [](double t, const VectorXd& y, VectorXd* rate) {
    *rate = 2 * t * y;
    return true;
  };
  const FollowedMotion found = follow_motion(rates, 0, VectorXd::Ones(1), 2);
  ASSERT_TRUE(found.has_arrived);
  EXPECT_NEAR(found.y(0), std::exp(4.0), 1e-10);
}

// y' = y^2 ends at t = 1.
TEST(Extrapolation, a_motion_that_ends_is_left_before_its_end) {
  const RateFunction rates = [](double, const VectorXd& y, VectorXd* rate) {
    *rate = y.cwiseProduct(y);
    return true;
  };
  const FollowedMotion found = follow_motion(rates, 0, VectorXd::Ones(1), 2);
  EXPECT_FALSE(found.has_arrived);
  EXPECT_LE(found.t, 1 + 1e-9);
  EXPECT_GT(found.t, 0.5);
}

}  // namespace
}  // namespace visviva
