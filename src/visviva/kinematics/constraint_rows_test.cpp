#include "visviva/kinematics/constraint_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {
namespace {

using namespace units;

// A mechanism moved along q(t) = q0 + u t, where every speed is a rate.
class ConstraintRows : public testing::Test {
 protected:
  void analyze() {
    motion_ = std::make_unique<Kinematics>(analyze_motion(model_));
    rows_ = make_constraint_rows(*motion_);
  }

  void move(std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    q0_.clear();
    u_.clear();
    for (std::size_t i = 0; i < model_.data().coordinates.size(); ++i) {
      q0_.push_back(uniform(random));
      u_.push_back(uniform(random));
    }
  }

  double value(const Expr& e, double t) const {
    std::vector<Expr> symbols = {model_.data().time};
    std::vector<double> values = {t0 + t};
    for (std::size_t i = 0; i < q0_.size(); ++i) {
      symbols.push_back(model_.data().coordinates[i].q);
      values.push_back(q0_[i] + u_[i] * t);
    }
    return evaluate(e, symbols, values);
  }

  double row_value(const ConstraintRow& row) const {
    double sum = value(row.velocity.remainder, 0);
    for (const auto& [r, c] : row.velocity.coefficients)
      sum += value(c, 0) * u_[static_cast<std::size_t>(r)];
    return sum;
  }

  // d/dt by central differences; wrong by about h^2 and 1e-16/h.
  double slope(const Expr& e) const { return (value(e, step) - value(e, -step)) / (2 * step); }
  static constexpr double step = 1e-5, tolerance = 1e-8, t0 = 0.3;

  Model model_{"rows"};
  Frame N_ = model_.newtonian();
  Quantity a_ = model_.coordinate("a"), b_ = model_.coordinate("b"), c_ = model_.coordinate("c");
  Quantity x_ = model_.coordinate("x", {.start = 1 * m});
  Frame A_ = model_.frame("A", rotate(N_, Axis::z, a_ + 2 / s * model_.time()));
  Frame B_ = model_.frame("B", rotate(A_, A_.x() + 2 * A_.y(), b_));
  Frame C_ = model_.frame("C", rotate(B_, Axis::x, c_));
  Point P_ = model_.point("P", N_.origin() + x_ * A_.x() + 0.5 * m * sin(b_) * B_.z());
  Point Q_ = model_.point("Q", P_ + 0.3 * m * C_.y() + x_ * x_ / m * B_.x());
  std::unique_ptr<Kinematics> motion_;
  std::vector<ConstraintRow> rows_;
  std::vector<double> q0_, u_;
};

TEST_F(ConstraintRows, of_configuration_are_the_slopes_of_what_vanishes) {
  model_.constraint("scalar", dot(Q_ - N_.origin(), C_.z()) - 1 * m);
  model_.constraint("vector", Q_ - P_);
  model_.constraint("driven", x_ - 1 * m * cos(3 / s * model_.time()));
  model_.lock(b_);
  analyze();
  ASSERT_EQ(rows_.size(), 6u);
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 20; ++trial) {
    move(random);
    for (const ConstraintRow& row : rows_) {
      ASSERT_TRUE(row.position.has_value());
      EXPECT_NEAR(row_value(row), slope(*row.position), tolerance)
          << "seed 11, trial " << trial << ", constraint " << row.constraint;
    }
  }
}

TEST_F(ConstraintRows, of_motion_are_velocities_along_directions) {
  model_.constraint("along", dot(velocity(Q_), A_.y()));
  model_.constraint("all", velocity(Q_) - velocity(P_));
  model_.constraint("spin", dot(angular_velocity(C_, A_), C_.x()) - 2 / s);
  analyze();
  ASSERT_EQ(rows_.size(), 5u);
  const Column3 position = (Q_ - N_.origin()).in(N_), y = A_.y().in(N_),
                relative = (Q_ - P_).in(N_);
  std::mt19937_64 random(12);
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE("seed 12, trial " + std::to_string(trial));
    move(random);
    double along = 0;
    for (std::size_t i = 0; i < 3; ++i) along += slope(position[i]) * value(y[i], 0);
    EXPECT_NEAR(row_value(rows_[0]), along, tolerance);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(row_value(rows_[1 + i]), slope(relative[i]), tolerance);
    // w · x = y' · z of the turned axes, seen in A.
    const Column3 turned = C_.y().in(A_), other = C_.z().in(A_);
    double spin = -2;
    for (std::size_t i = 0; i < 3; ++i) spin += slope(turned[i]) * value(other[i], 0);
    EXPECT_NEAR(row_value(rows_[4]), spin, tolerance);
  }
}

TEST_F(ConstraintRows, of_rolling_equate_the_velocities_of_two_material_points) {
  model_.body(C_, {.at = Q_, .mass = 1 * kg, .solid = sphere(0.1 * m)});
  model_.roll("contact", {.body = C_, .on = N_, .at = Q_ - 0.1 * m * N_.y()});
  analyze();
  ASSERT_EQ(rows_.size(), 3u);
  // The material point: fixed in C where the contact is at this moment.
  std::mt19937_64 random(13);
  const Frame home(model_.newtonian().model(),
                   model_.data()
                       .points[static_cast<std::size_t>(model_.data().constraints[0].point)]
                       .home_frame);
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE("seed 13, trial " + std::to_string(trial));
    move(random);
    const Column3 down_C = (-0.1 * m * N_.y()).in(C_), center = (Q_ - N_.origin()).in(N_);
    const Matrix3 R_NC = orientation(N_, C_), R_HN = orientation(home, N_);
    std::array<double, 3> fixed{}, v{};
    for (std::size_t i = 0; i < 3; ++i) fixed[i] = value(down_C[i], 0);
    for (std::size_t i = 0; i < 3; ++i) {
      v[i] = slope(center[i]);
      for (std::size_t j = 0; j < 3; ++j) v[i] += slope(R_NC[i][j]) * fixed[j];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < 3; ++j) expected += value(R_HN[i][j], 0) * v[j];
      EXPECT_NEAR(row_value(rows_[i]), expected, tolerance);
    }
  }
}

TEST_F(ConstraintRows, that_vanish_identically_are_left_out) {
  model_.constraint("plane", x_ * A_.x());  // nothing along z
  analyze();
  EXPECT_EQ(rows_.size(), 2u);
}

TEST_F(ConstraintRows, must_be_linear_in_the_rates) {
  model_.constraint("fast", dot(velocity(P_), velocity(P_)) - 1 * m * m / s / s);
  motion_ = std::make_unique<Kinematics>(analyze_motion(model_));
  try {
    make_constraint_rows(*motion_);
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1u);
    EXPECT_EQ(error.diagnostics()[0].code, "E-constraint-nonlinear");
    EXPECT_EQ(error.diagnostics()[0].message, "the constraint 'fast' is not linear in the rates");
  }
}

TEST(RollingRows, on_a_body_that_moves_take_off_that_bodys_velocity) {
  Model model("wheel_on_a_plank");
  const Frame N = model.newtonian();
  const Quantity r = model.parameter("r", 0.2 * units::m);
  const Quantity x = model.coordinate("x", {.start = 0.1 * units::m});
  const Quantity y = model.coordinate("y", {.start = 0.4 * units::m});
  const Quantity a = model.coordinate("a", {.dimension = Dimension()});
  const Quantity b = model.coordinate("b", {.dimension = Dimension()});
  const Frame A = model.frame("A", rotate(N, Axis::z, a)),
              C = model.frame("C", rotate(N, Axis::z, b));
  model.body(A, {.at = N.origin() + x * N.x(), .mass = 1 * units::kg});
  const Point center =
      model.body(C, {.at = N.origin() + y * N.x() + r * N.y(), .mass = 1 * units::kg});
  model.roll("contact", {.body = C, .on = A, .at = center - r * N.y()});
  const Kinematics motion = analyze_motion(model);
  const std::vector<ConstraintRow> rows = make_constraint_rows(motion);
  // Of the wheel (y' + r b') N.x, of the plank x' N.x + a' (y - x) N.y.
  const auto rate = [&](const Quantity& q) { return model.rate(q).expr(); };
  std::vector<Expr> u;
  for (const Speed& s : motion.speeds()) u.push_back(s.u);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(total(rows[0].velocity, u), rate(y) + r.expr() * rate(b) - rate(x));
  EXPECT_EQ(total(rows[1].velocity, u), -rate(a) * (y.expr() - x.expr()));
}

// An ellipsoid of semi-axes a, b, c rests on the plane at the point where n = N.z is its normal:
// from the middle -(a^2 nx, b^2 ny, c^2 nz)/e with e = sqrt(a^2 nx^2 + b^2 ny^2 + c^2 nz^2), which is
// the height of the middle. So it cannot leave the plane, and rolling is two conditions along it.
TEST(RollingRows, of_a_body_that_its_coordinates_keep_on_a_plane_are_two_along_the_plane) {
  Model model("ellipsoid");
  const Frame N = model.newtonian();
  const Quantity a = model.parameter("a", 0.2 * units::m), b = model.parameter("b", 0.1 * units::m),
                 c = model.parameter("c", 0.05 * units::m);
  const auto angle = [&](const char* name) {
    return model.coordinate(name, {.start = 0.3 * units::rad});
  };
  const Quantity x = model.coordinate("x", {.start = 0.0 * units::m});
  const Quantity y = model.coordinate("y", {.start = 0.0 * units::m});
  const Frame A = model.frame("A", rotate(N, Axis::z, angle("yaw")));
  const Frame F = model.frame("F", rotate(A, Axis::y, angle("pitch")));
  const Frame B = model.frame("B", rotate(F, Axis::x, angle("roll")));
  const Quantity nx = dot(N.z(), B.x()), ny = dot(N.z(), B.y()), nz = dot(N.z(), B.z());
  const Quantity e = sqrt(a * a * nx * nx + b * b * ny * ny + c * c * nz * nz);
  const Point O = model.body(
      B, {.at = N.origin() + x * N.x() + y * N.y() + e * N.z(), .mass = 1.0 * units::kg});
  model.roll("contact",
             {.body = B,
              .on = N,
              .at = O - a * a * nx / e * B.x() - b * b * ny / e * B.y() - c * c * nz / e * B.z()});
  EXPECT_EQ(make_constraint_rows(analyze_motion(model)).size(), 2u);
}

}  // namespace
}  // namespace visviva
