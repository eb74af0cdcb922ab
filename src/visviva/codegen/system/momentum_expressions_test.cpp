// Momenta and their rates of compiled systems: textbook forms, and p' = g along the motion of random
// mechanisms by differences.
#include "visviva/codegen/system/momentum_expressions.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <iostream>

#include "visviva/base/refusal_test.h"
#include "visviva/codegen/system/compiled_system_test.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/kinematics/random_model_test.h"

namespace visviva {
namespace {

using namespace units;
using namespace mechanisms;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// ---- Textbook forms

// H. Goldstein, Classical Mechanics, problem 1.22 gives L of the double pendulum:
//   L = (m1+m2) l1^2 a'^2/2 + m2 l2^2 b'^2/2 + m2 l1 l2 a' b' cos(a-b) + (m1+m2) g l1 cos a
//       + m2 g l2 cos b
TEST(Momenta, of_a_double_pendulum_are_the_derivatives_of_its_textbook_lagrangian) {
  const double m1 = 2, m2 = 3, l1 = 0.5, l2 = 0.7, grav = 9.81;
  Model model("double_pendulum");
  const Frame N0 = model.newtonian();
  const Quantity a = model.coordinate("a"), b = model.coordinate("b");
  const Frame A = model.frame("A", rotate(N0, Axis::z, a)),
              B = model.frame("B", rotate(N0, Axis::z, b));
  const Point P = model.particle("P", {.at = N0.origin() - l1 * m * A.y(), .mass = m1 * kg});
  model.particle("Q", {.at = P - l2 * m * B.y(), .mass = m2 * kg});
  model.gravity(-grav * m / (s * s) * N0.y());
  for (const bool interpret : {false, true}) {
    SystemOptions options;
    options.code.interpret = interpret;
    const CompiledSystem system = compile_model(model, options);
    ASSERT_TRUE(system.has_momenta());
    const double y[] = {0.4, -1.1, 0.8, 1.7}, d = y[0] - y[1], u1 = y[2], u2 = y[3];
    double p[2], g[2];
    ASSERT_EQ(system.compute_momenta({0, y, nullptr}, system.prepare({}), p, g), MotionStatus::ok);
    const double k = m2 * l1 * l2;
    EXPECT_NEAR(p[0], (m1 + m2) * l1 * l1 * u1 + k * u2 * std::cos(d), rounding);
    EXPECT_NEAR(p[1], m2 * l2 * l2 * u2 + k * u1 * std::cos(d), rounding);
    EXPECT_NEAR(g[0], -k * u1 * u2 * std::sin(d) - (m1 + m2) * grav * l1 * std::sin(y[0]),
                10 * rounding);
    EXPECT_NEAR(g[1], k * u1 * u2 * std::sin(d) - m2 * grav * l2 * std::sin(y[1]), 10 * rounding);

    // Their slopes: second derivatives of L.
    MomentumJacobian J;
    system.compute_momenta({0, y, nullptr}, system.prepare({}), p, g, &J);
    EXPECT_NEAR(J.momenta_by_u(0, 1), k * std::cos(d), rounding);
    EXPECT_NEAR(J.momenta_by_q(0, 1), k * u2 * std::sin(d), rounding);
    EXPECT_NEAR(J.rates_by_u(1, 0), k * u2 * std::sin(d), rounding);
    EXPECT_NEAR(J.rates_by_q(1, 0), k * u1 * u2 * std::cos(d), rounding);
    EXPECT_EQ(J.rates_by_q.rows(), 2);
  }
}

// A pendulum whose pivot moves at s'(t) upward, with a damper: P = (l sin q, s - l cos q),
//   K = m (l^2 q'^2 + 2 l s' q' sin q + s'^2)/2, U = m grav (s - l cos q).
TEST(Momenta, of_a_pendulum_on_a_driven_pivot_hold_the_pivots_motion_and_the_damping) {
  const double mass = 2, l = 0.6, amplitude = 0.1, w = 30, damping = 0.3, grav = 9.81;
  Model model("driven");
  const Frame N0 = model.newtonian();
  const Quantity q = model.coordinate("q");
  const Quantity lift = model.specified("lift", amplitude * m * cos(w * rad / s * model.time()));
  const Frame A = model.frame("A", rotate(N0, Axis::z, q));
  model.particle("P", {.at = N0.origin() + lift * N0.y() - l * m * A.y(), .mass = mass * kg});
  model.gravity(-grav * m / (s * s) * N0.y());
  model.damper("D", {.on = q, .rate = damping * units::N * m * s / rad});
  const CompiledSystem system = compile_model(model);
  ASSERT_TRUE(system.has_momenta());
  const double t = 0.07, y[] = {0.9, 1.3}, rate = -amplitude * w * std::sin(w * t);
  double p, g;
  system.compute_momenta({t, y, nullptr}, system.prepare({}), &p, &g);
  EXPECT_NEAR(p, mass * (l * l * y[1] + l * rate * std::sin(y[0])), rounding);
  EXPECT_NEAR(
      g,
      mass * l * rate * y[1] * std::cos(y[0]) - mass * grav * l * std::sin(y[0]) - damping * y[1],
      10 * rounding);
}

// ---- Random mechanisms

// Differences of order 8 along a line, as in compiled_system_random_test.cpp: smooth functions of
// order 1 to 100, rounding 1e-16/h of them.
VectorXd difference(const std::function<VectorXd(double)>& f) {
  const double h = 2e-3, factors[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  VectorXd sum = VectorXd::Zero(f(0).size());
  for (int k = 1; k <= 4; ++k) sum += factors[k - 1] * (f(k * h) - f(-k * h));
  return sum / h;
}
constexpr double momentum_difference_tolerance = 1e-8;

class MomentumCheck {
 public:
  MomentumCheck(const RandomMechanism& mechanism, const Kinematics& motion)
      : mechanism_(mechanism),
        motion_(motion),
        oracle_(motion),
        system_(compile_model(mechanism.model)) {}

  const CompiledSystem& system() const { return system_; }

  void check() {
    const auto found_state = mechanism_.make_state(motion_, oracle_, 1);
    ASSERT_TRUE(found_state);
    const std::vector<double> all(found_state->begin(), found_state->end());
    ExprPool& pool = *motion_.model().pool;
    const auto pick = [&](const std::vector<std::string>& names) {
      std::vector<double> values;
      for (const std::string& name : names) values.push_back(all[oracle_.place(pool.symbol(name))]);
      return values;
    };
    p_ = system_.prepare(pick(system_.parameter_names()));
    inputs_ = pick(system_.input_names());
    std::vector<double> y = pick({system_.state_names().begin(),
                                  system_.state_names().begin() +
                                      static_cast<std::ptrdiff_t>(system_.configuration_count())});
    for (const Speed& speed : motion_.speeds()) y.push_back(all[oracle_.place(speed.u)]);
    const auto n = static_cast<Eigen::Index>(motion_.speeds().size());
    const VectorXd here = Eigen::Map<VectorXd>(y.data(), 2 * n);
    const double t = all[0];

    VectorXd rates(2 * n);
    if (system_.compute_rates({t, y.data(), inputs_.data()}, p_, rates.data()) != MotionStatus::ok)
      return;
    MomentumJacobian J;
    VectorXd p(n), g(n);
    ASSERT_EQ(system_.compute_momenta({t, y.data(), inputs_.data()}, p_, p.data(), g.data(), &J),
              MotionStatus::ok);
    const double size = 1 + g.cwiseAbs().maxCoeff() + p.cwiseAbs().maxCoeff();
    // p' = g along the motion
    const VectorXd found =
        difference([&](double h) { return compute(t + h, here + h * rates, h).head(n).eval(); });
    EXPECT_LT((found - g).cwiseAbs().maxCoeff(), momentum_difference_tolerance * size);
    // dp/du = M, and all slopes by differences
    const MatrixXd M = system_.compute_mass_matrix({t, y.data(), inputs_.data()}, p_);
    EXPECT_LT((J.momenta_by_u - M).cwiseAbs().maxCoeff(), 1e-12 * (1 + M.cwiseAbs().maxCoeff()));
    MatrixXd slopes(2 * n, 2 * n);
    slopes << J.momenta_by_q, J.momenta_by_u, J.rates_by_q, J.rates_by_u;
    for (Eigen::Index j = 0; j < 2 * n; ++j) {
      const VectorXd column = difference(
          [&](double h) { return compute(t, here + h * VectorXd::Unit(2 * n, j), 0.0); });
      EXPECT_LT((column - slopes.col(j)).cwiseAbs().maxCoeff(),
                momentum_difference_tolerance * (size + column.cwiseAbs().maxCoeff()))
          << j;
    }
  }

 private:
  // (p, g), with inputs h later: x, x', x'' are followed by their derivatives.
  VectorXd compute(double t, const VectorXd& y, double h) const {
    std::vector<double> inputs = inputs_;
    for (std::size_t i = 0; i + 1 < inputs.size(); ++i) {
      if (system_.input_names()[i + 1] == system_.input_names()[i] + "'")
        inputs[i] += h * inputs_[i + 1];
    }
    VectorXd values(y.size());
    system_.compute_momenta({t, y.data(), inputs.data()}, p_, values.data(),
                            values.data() + y.size() / 2);
    return values;
  }

  const RandomMechanism& mechanism_;
  const Kinematics& motion_;
  MotionOracle oracle_;
  CompiledSystem system_;
  PreparedParameters p_;
  std::vector<double> inputs_;
};

TEST(Momenta, change_as_they_say_along_the_motion_of_random_mechanisms) {
  Features features;
  features.links = 4;
  features.speeds = 5;
  features.motion_constraints = features.rolls = features.loops = features.locks = false;
  features.quaternions = features.spins = features.speed_definitions = false;
  int checked = 0, moved = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomMechanism mechanism(seed, features);
    const Kinematics motion = analyze_motion(mechanism.model);
    if (motion.speeds().empty()) continue;
    MomentumCheck check(mechanism, motion);
    if (!check.system().has_momenta()) continue;
    check.check();
    ++checked;
    if (!motion.model().specified.empty()) ++moved;
    if (testing::Test::HasFailure()) {
      std::cout << "seed " << seed << '\n' << mechanism.text();
      break;
    }
  }
  EXPECT_GT(checked, 30);
  EXPECT_GT(moved, 5);
}

// ---- Where there are none

TEST(Momenta, are_refused_with_a_reason_where_speeds_are_no_rates_or_not_free) {
  const auto obstacle = [](const std::function<void(Model&, const Quantity&, const Point&)>& add) {
    Model model("refused");
    const Frame N0 = model.newtonian();
    const Quantity x = model.coordinate("x"), y = model.coordinate("y");
    const Point P =
        model.particle("P", {.at = N0.origin() + x * N0.x() + y * N0.y(), .mass = 2 * kg});
    add(model, x, P);
    const CompiledSystem system = compile_model(model);
    const double state[] = {0.1, 0.2, 0.3, 0.4};
    double p[2], g[2];
    const auto ask = [&] { system.compute_momenta({0, state, nullptr}, system.prepare({}), p, g); };
    EXPECT_EQ(system.has_momenta(), refusal(ask).empty());
    return system.momenta_obstacle();
  };
  using Kind = NoMomenta::Kind;
  EXPECT_FALSE(obstacle([](Model&, const Quantity&, const Point&) {}));
  const auto wall = obstacle(
      [](Model& model, const Quantity& x, const Point&) { model.constraint("wall", x - 0.1 * m); });
  ASSERT_TRUE(wall);
  EXPECT_EQ(wall->kind, Kind::constrained);
  const auto speed = obstacle(
      [](Model& model, const Quantity& x, const Point&) { model.speed("u", 2 * model.rate(x)); });
  ASSERT_TRUE(speed);
  EXPECT_EQ(speed->kind, Kind::speed_is_not_rate);
  EXPECT_EQ(speed->coordinate, "x");
  EXPECT_EQ(speed->speed, "y'");  // the state has y' in the place of x', then u
  const auto push = obstacle([](Model& model, const Quantity&, const Point& P) {
    const Quantity F = model.unknown("F");
    model.force("push", {.on = P, .value = F * model.newtonian().x()});
  });
  ASSERT_TRUE(push);
  EXPECT_EQ(push->kind, Kind::unknown_force);
}

TEST(Momenta, are_compiled_only_where_they_are_wanted) {
  Model model("free");
  const Quantity x = model.coordinate("x");
  model.particle("P",
                 {.at = model.newtonian().origin() + x * model.newtonian().x(), .mass = 1 * kg});
  SystemOptions options;
  options.momenta = false;
  const CompiledSystem system = compile_model(model, options);
  EXPECT_FALSE(system.has_momenta());
  ASSERT_TRUE(system.momenta_obstacle());
  EXPECT_EQ(system.momenta_obstacle()->kind, NoMomenta::Kind::not_compiled);
}

}  // namespace
}  // namespace visviva
