// What a run asks of a compiled system besides its rates, against closed forms: integrals over time,
// start values, matrices for projection, places that are not smooth, which states there are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "visviva/base/error.h"
#include "visviva/codegen/system/compiled_system_test.h"

namespace visviva {
namespace {

using namespace units;
using Names = std::vector<std::string>;

// ---- Integrals over time

// m x'' = -k x - b x': Z' = b x'^2, and E_Z = m x'^2/2 + k x^2/2 + Z.
TEST(Quadratures, of_an_oscillator_are_what_its_damper_takes) {
  Model model("oscillator");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x");
  model.particle("P", {.at = N0.origin() + x * N0.x(), .mass = 2 * kg});
  model.spring("S", {.on = x, .stiffness = 8 * N / m});
  model.damper("D", {.on = x, .rate = 3 * N * s / m});
  model.output("E_Z", model.result("E_Z"));
  model.event("worn", model.result("Z") - 5 * J, false);
  for (const SystemOptions& options : all_ways()) {
    const CompiledSystem system = compile_model(model, options);
    const PreparedParameters p = system.prepare({});
    EXPECT_EQ(system.quadrature_names(), (Names{"Z"}));
    const double y[] = {0.5, -1.5}, Z = 0.75;
    double rates[3], E_Z, worn;
    ASSERT_EQ(system.compute_rates_and_quadratures({0, y, nullptr}, p, rates), MotionStatus::ok);
    EXPECT_NEAR(rates[0], -1.5, rounding);
    EXPECT_NEAR(rates[1], (-8 * 0.5 + 3 * 1.5) / 2, rounding);
    EXPECT_NEAR(rates[2], 3 * 1.5 * 1.5, rounding);
    system.compute_outputs({0, y, nullptr}, p, &Z, &E_Z);
    EXPECT_NEAR(E_Z, 1.5 * 1.5 + 4 * 0.25 + Z, rounding);
    system.compute_events({0, y, nullptr}, p, &Z, &worn);
    EXPECT_NEAR(worn, Z - 5, rounding);
  }
}

// A bead on a line that is pushed along at 2 a t: sigma_R = m x' d(2 a t)/dt along it. Here the
// line is a constraint, so w carries the push: y = a t^2 + x.
TEST(Quadratures, with_a_moving_constraint_use_its_transport_speeds) {
  Model model("pushed");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x"), y = model.coordinate("y"), t = model.time();
  model.particle("P", {.at = N0.origin() + x * N0.x() + y * N0.y(), .mass = 2 * kg});
  model.constraint("line", y - x - 0.7 * m / (s * s) * t * t);
  model.dependent(model.rate(y));
  const CompiledSystem system = compile_model(model);
  const PreparedParameters p = system.prepare({});
  // v = x' (N.x + N.y) + 2 a t N.y: v_R = x' (N.x + N.y), dv_t/dt = 2 a N.y.
  const double time = 0.5, u = 0.3, state[] = {0.1, 0.1 + 0.7 * 0.25, u, u + 0.7};
  double rates[5];
  ASSERT_EQ(system.compute_rates_and_quadratures({time, state, nullptr}, p, rates),
            MotionStatus::ok);
  EXPECT_NEAR(rates[2], -0.7, rounding);  // 2 m x'' + m 2 a = 0
  EXPECT_NEAR(rates[3], 0.7, rounding);
  EXPECT_NEAR(rates[4], 2 * u * 1.4, rounding);
}

// ---- Values at the start

// x + 2 y = 1 with x and x' given: what is not given follows.
TEST(Start, satisfies_the_constraints) {
  Model model("line");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.2 * m, .start_rate = 0.5 * m / s}),
                 y = model.coordinate("y");
  model.particle("P", {.at = N0.origin() + x * N0.x() + y * N0.y(), .mass = 2 * kg});
  model.constraint("line", x + 2 * y - 1 * m);
  const CompiledSystem system = compile_model(model);
  EXPECT_TRUE(system.missing_values().empty());
  const std::vector<double> expected = {0.2, 0.4, 0.5, -0.25};
  ASSERT_EQ(system.start().size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(system.start().values()[i], expected[i], 1e-12) << i;
}

TEST(Start, is_known_as_far_as_values_are_given) {
  Model model("open");
  const Frame N0 = model.newtonian();
  const Quantity L = model.parameter("L", m.dimension()), M = model.parameter("M", 2 * kg);
  const Quantity half = model.parameter("half", L / 2),
                 F = model.specified("F", units::N.dimension());
  const Quantity T = model.input("T", 3 * units::N / m * L);
  const Quantity x = model.coordinate("x", {.start = half}),
                 y = model.coordinate("y", {.start = 0.3 * m});
  const Point P = model.particle("P", {.at = N0.origin() + x * N0.x() + y * N0.y(), .mass = M});
  model.force("push", {.on = P, .value = F * N0.x() + T * N0.y()});
  const CompiledSystem system = compile_model(model);
  EXPECT_EQ(system.missing_values(), (Names{"L", "F"}));
  EXPECT_EQ(system.parameter_names(), (Names{"L", "M"}));
  EXPECT_TRUE(std::isnan(system.parameters()["L"]));
  EXPECT_EQ(system.parameters()["M"], 2.0);
  EXPECT_TRUE(std::isnan(system.inputs()["T"]));
  EXPECT_TRUE(std::isnan(system.start()["x"]));
  EXPECT_EQ(system.start()["y"], 0.3);
}

// ---- Parameters that follow from others

// q'' = -g sin q / L with L = 2 a, a = h^2/b: everything follows h.
TEST(DerivedParameters, follow_the_free_ones_at_run_time) {
  Model model("pendulum");
  const Frame N0 = model.newtonian();
  const Quantity L = model.parameter("L", m.dimension()), h = model.parameter("h", 0.6 * m);
  const Quantity b = model.parameter("b", 0.9 * m), a = model.parameter("a", h * h / b);
  model.define(L, 2 * a);
  const Quantity q = model.coordinate("q", {.start = 0.5 * rad});
  const Frame A = model.frame("A", rotate(N0, Axis::z, q));
  model.particle("P", {.at = N0.origin() - L * A.y(), .mass = 1 * kg});
  model.gravity(-9.81 * m / (s * s) * N0.y());
  model.output("L", L);
  for (const SystemOptions& options : all_ways()) {
    const CompiledSystem system = compile_model(model, options);
    EXPECT_EQ(system.parameter_names(), (Names{"h", "b"}));
    EXPECT_EQ(system.parameters().values(), (std::vector<double>{0.6, 0.9}));
    const double y[] = {0.5, 0.2}, Z = 0;
    for (const double free : {0.6, 0.3}) {
      const PreparedParameters p = system.prepare({free, 0.9});
      const double length = 2 * free * free / 0.9, expected = -9.81 * std::sin(0.5) / length;
      double rates[2], output;
      ASSERT_EQ(system.compute_rates({0, y, nullptr}, p, rates), MotionStatus::ok);
      EXPECT_NEAR(rates[1], expected, rounding * 100);
      system.compute_outputs({0, y, nullptr}, p, &Z, &output);
      EXPECT_NEAR(output, length, rounding);
      SystemJacobian J;
      system.compute_sensitivities({0, y, nullptr}, p, &J);
      ASSERT_EQ(J.by_parameters.cols(), 2);
      EXPECT_NEAR(J.by_parameters(1, 0), -2 * expected / free, rounding * 1000);
      EXPECT_NEAR(J.by_parameters(1, 1), expected / 0.9, rounding * 100);
    }
  }
}

// What parameters alone determine is computed once for a run.
TEST(DerivedParameters, cost_nothing_in_a_call) {
  const auto count = [](bool is_derived) {
    Model model("pendulum");
    const Frame N0 = model.newtonian();
    const Quantity h = model.parameter("h", 0.6 * m);
    const Quantity L = is_derived ? model.parameter("L", sqrt(h * h + 1 * m * m)) : h;
    const Quantity q = model.coordinate("q");
    const Frame A = model.frame("A", rotate(N0, Axis::z, q));
    model.particle("P", {.at = N0.origin() - L * A.y(), .mass = 1 * kg});
    model.gravity(-9.81 * m / (s * s) * N0.y());
    return compile_model(model).operation_count();
  };
  EXPECT_EQ(count(true), count(false));
}

TEST(DerivedParameters, that_make_a_divisor_zero_are_refused) {
  Model model("divided");
  const Frame N0 = model.newtonian();
  const Quantity h = model.parameter("h", 0.6 * m), a = model.parameter("a", 2 * h),
                 b = model.parameter("b", h + h);
  const Quantity x = model.coordinate("x");
  const Point P = model.particle("P", {.at = N0.origin() + x * N0.x(), .mass = 1 * kg});
  model.force("F", {.on = P, .value = 1 * units::N * m / (a - b) * N0.x()});
  EXPECT_THROW(compile_model(model), ModelError);
}

// x = 2 f + sin f with f from outside: x'' = (2 + cos f) f'' - sin f f'^2.
TEST(Definitions, of_functions_that_nobody_defined_have_their_derivatives) {
  Model model("driven");
  const Frame N0 = model.newtonian();
  const Quantity f = model.specified("f", rad.dimension());
  const Quantity x = model.specified("x", 1 * m * (2 * f + sin(f)));
  const Quantity q = model.coordinate("q");
  model.particle("P", {.at = N0.origin() + (x + q) * N0.x(), .mass = 1 * kg});
  const CompiledSystem system = compile_model(model);
  EXPECT_EQ(system.input_names(), (Names{"f", "f'", "f''", "f'''"}));
  const double y[] = {0.1, 0.2}, inputs[] = {0.4, 0.7, -1.1, 0.0};
  double rates[2];
  ASSERT_EQ(system.compute_rates({0, y, inputs}, system.prepare({}), rates), MotionStatus::ok);
  EXPECT_NEAR(rates[1], -((2 + std::cos(0.4)) * -1.1 - std::sin(0.4) * 0.49), rounding);
}

// ---- Matrices

TEST(MassMatrix, of_a_double_pendulum_is_the_closed_form) {
  Model model("double_pendulum");
  const Frame N0 = model.newtonian();
  const Quantity a = model.coordinate("a"), b = model.coordinate("b");
  const Quantity l = model.parameter("l", 0.7 * m);
  const Frame A = model.frame("A", rotate(N0, Axis::z, a)),
              B = model.frame("B", rotate(N0, Axis::z, b));
  const Point P = model.particle("P", {.at = N0.origin() - 1.1 * m * A.y(), .mass = 1.5 * kg});
  model.particle("Q", {.at = P - l * B.y(), .mass = 0.8 * kg});
  const CompiledSystem system = compile_model(model);
  const double y[] = {0.4, -1.1, 0.9, 2.3};
  const Eigen::MatrixXd M = system.compute_mass_matrix({0, y, nullptr}, system.prepare({0.6}));
  ASSERT_EQ(M.rows(), 2);
  EXPECT_NEAR(M(0, 0), 2.3 * 1.1 * 1.1, rounding);
  EXPECT_NEAR(M(0, 1), 0.8 * 1.1 * 0.6 * std::cos(1.5), rounding);
  EXPECT_EQ(M(0, 1), M(1, 0));
  EXPECT_NEAR(M(1, 1), 0.8 * 0.36, rounding);
}

// ---- Which states there are

// e' of a unit quaternion e, scalar first, whose frame turns with w along its own axes.
std::vector<double> quaternion_rates(const double* e, const double* w) {
  return {-0.5 * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]),
          0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]),
          0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]),
          0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0])};
}

class SpinningSphere : public testing::Test {
 protected:
  SpinningSphere() {
    model_.body(W_, {.at = N_.origin() + x_ * N_.x(), .mass = 3 * kg, .solid = sphere(0.2 * m)});
    model_.torque("T", {.on = W_, .value = 0.6 * units::N * m * N_.y()});
  }
  // I w' = T for any orientation, I = 2/5 m r^2.
  static constexpr double acceleration = 0.6 / (0.4 * 3 * 0.04);

  Model model_{"sphere"};
  Frame N_ = model_.newtonian();
  Quantity x_ = model_.coordinate("x");
  Quantity w1_ = model_.speed("w1"), w2_ = model_.speed("w2"), w3_ = model_.speed("w3");
  Frame W_ = model_.frame("W", spin(N_, w1_* N_.x() + w2_ * N_.y() + w3_ * N_.z()));
};

TEST_F(SpinningSphere, has_no_orientation_among_its_states) {
  model_.output("w2", w2_);
  const CompiledSystem system = compile_model(model_);
  EXPECT_EQ(system.state_names(), (Names{"x", "x'", "w1", "w2", "w3"}));
  EXPECT_TRUE(system.quaternions().empty());
  const double y[] = {0.1, 0.2, 1.0, -2.0, 0.5};
  double rates[5];
  ASSERT_EQ(system.compute_rates({0, y, nullptr}, system.prepare({}), rates), MotionStatus::ok);
  EXPECT_NEAR(rates[0], 0.2, rounding);
  EXPECT_NEAR(rates[2], 0.0, rounding);
  EXPECT_NEAR(rates[3], acceleration, rounding * 10);
}

TEST_F(SpinningSphere, has_one_when_an_output_shows_it) {
  model_.output("c", dot(W_.x(), N_.x()));
  const CompiledSystem system = compile_model(model_);
  ASSERT_EQ(system.state_count(), 9u);
  EXPECT_EQ(system.configuration_count(), 5u);
  EXPECT_EQ(system.quaternions(), (std::vector<int>{1}));
  EXPECT_EQ(system.start().values(), (std::vector<double>{0, 1, 0, 0, 0, 0, 0, 0, 0}));
  // e = (0.1, 0.7, -0.1, 0.7) is of unit length.
  const double y[] = {0.3, 0.1, 0.7, -0.1, 0.7, 0.2, 1.0, -2.0, 0.5}, Z = 0;
  const double* e = y + 1;
  const PreparedParameters p = system.prepare({});
  double rates[9], configuration[5], c;
  ASSERT_EQ(system.compute_rates({0, y, nullptr}, p, rates), MotionStatus::ok);
  EXPECT_NEAR(rates[7], acceleration, rounding * 10);
  system.compute_outputs({0, y, nullptr}, p, &Z, &c);
  EXPECT_NEAR(c, 2 * (e[0] * e[0] + e[1] * e[1]) - 1, rounding);
  // w along the axes of W: R' w, R from e.
  const double w[] = {1.0, -2.0, 0.5},
               R[3][3] = {{1 - 2 * (e[2] * e[2] + e[3] * e[3]), 2 * (e[1] * e[2] - e[0] * e[3]),
                           2 * (e[1] * e[3] + e[0] * e[2])},
                          {2 * (e[1] * e[2] + e[0] * e[3]), 1 - 2 * (e[1] * e[1] + e[3] * e[3]),
                           2 * (e[2] * e[3] - e[0] * e[1])},
                          {2 * (e[1] * e[3] - e[0] * e[2]), 2 * (e[2] * e[3] + e[0] * e[1]),
                           1 - 2 * (e[1] * e[1] + e[2] * e[2])}};
  double w_W[3];
  for (int i = 0; i < 3; ++i) w_W[i] = R[0][i] * w[0] + R[1][i] * w[1] + R[2][i] * w[2];
  const std::vector<double> expected = quaternion_rates(e, w_W);
  system.compute_configuration_rates({0, y, nullptr}, p, configuration);
  EXPECT_NEAR(configuration[0], 0.2, rounding);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(rates[1 + k], expected[k], rounding) << k;
    EXPECT_EQ(configuration[1 + k], rates[1 + k]) << k;
  }
}

TEST_F(SpinningSphere, has_one_when_an_event_or_a_force_needs_it) {
  model_.event("up", dot(W_.x(), N_.x()), false);
  EXPECT_EQ(compile_model(model_).quaternions(), (std::vector<int>{1}));
  Model other("pushed");
  const Frame N0 = other.newtonian();
  const Quantity w = other.speed("w");
  const Frame W = other.frame("W", spin(N0, w * N0.z()));
  other.body(W, {.at = N0.origin(), .mass = 3 * kg, .solid = sphere(0.2 * m)});
  other.torque("T", {.on = W, .value = 1 * units::N * m * dot(W.x(), N0.x()) * N0.z()});
  EXPECT_EQ(compile_model(other).configuration_count(), 1u);
}

// V turns in W as given: known along W's axes, W's own orientation is not needed; along N's it is.
class SpinningSphereWithOthers : public SpinningSphere {
 protected:
  Quantity t_ = model_.time(), f_ = model_.specified("f", 2 * rad / s * cos(1 * rad / s * t_)),
           g_ = model_.specified("g", 1 * rad / s + 1 * rad / (s * s) * t_);
  Frame V_ = model_.frame("V", spin(W_, f_* W_.x() + g_ * W_.y()));
  Frame X_ = model_.frame("X", spin(W_, f_* N_.x() + g_ * N_.y()));
};

TEST_F(SpinningSphereWithOthers, is_left_out_when_no_rate_needs_it) {
  model_.output("c", dot(V_.x(), W_.x()));
  const CompiledSystem without = compile_model(model_);
  EXPECT_EQ(without.quaternions(), (std::vector<int>{1}));
  EXPECT_EQ(without.state_count(), 9u);
}

TEST_F(SpinningSphereWithOthers, is_integrated_when_the_rate_of_another_needs_it) {
  model_.output("c", dot(V_.x(), W_.x()));
  model_.output("d", dot(X_.x(), W_.x()));
  EXPECT_EQ(compile_model(model_).quaternions(), (std::vector<int>{1, 5, 9}));
}

TEST(Quaternions, that_are_declared_are_told_where_they_begin) {
  Model model("top");
  const Frame N0 = model.newtonian();
  model.coordinate("before");
  const std::array<Quantity, 4> e = model.quaternion({"e0", "e1", "e2", "e3"});
  const Frame B = model.frame("B", quaternion(N0, e));
  model.body(B, {.at = N0.origin(),
                 .mass = 1 * kg,
                 .inertia = {1 * kg * m * m, 2 * kg * m * m, 2.5 * kg * m * m}});
  const CompiledSystem system = compile_model(model);
  EXPECT_EQ(system.quaternions(), (std::vector<int>{1}));
  EXPECT_EQ(system.state_names()[1], "e0");
}

// ---- Where it is not smooth

// Dry friction, a stop at 0.4 m and a push that is switched on after 1 s.
TEST(Switches, are_where_friction_turns_a_stop_is_met_and_a_push_begins) {
  Model model("block");
  const Frame N0 = model.newtonian();
  const Quantity gap = model.parameter("gap", 0.4 * m),
                 k = model.parameter("k", -50 * units::N / m);
  const Quantity x = model.coordinate("x"), t = model.time();
  const Quantity F = model.specified("F", 3 * units::N * step(t - 1 * s));
  const Point P = model.particle("P", {.at = N0.origin() + x * N0.x(), .mass = 2 * kg});
  model.force("friction", {.on = P, .value = -4 * units::N * sign(model.rate(x)) * N0.x()});
  // abs(k) never changes over; the stop twice is one surface.
  model.force("stop", {.on = P, .value = -abs(k) * max(x - gap, 0 * m) * N0.x()});
  model.force("again", {.on = P, .value = -1 * units::N * step(gap - x) * N0.x()});
  model.force("push", {.on = P, .value = F * N0.x()});
  const CompiledSystem system = compile_model(model);
  ASSERT_EQ(system.switch_count(), 3u);
  const PreparedParameters p = system.prepare({0.3, -50});
  const double y[] = {0.55, -0.7};
  std::vector<double> values(3);
  system.compute_switches({1.2, y, nullptr}, p, values.data());
  for (double& v : values) v = std::abs(v);
  std::sort(values.begin(), values.end());
  EXPECT_NEAR(values[0], 0.2, rounding);
  EXPECT_NEAR(values[1], 0.25, rounding);
  EXPECT_NEAR(values[2], 0.7, rounding);
  EXPECT_NE(std::find(system.switch_names().begin(), system.switch_names().end(), "x'"),
            system.switch_names().end());
  EXPECT_TRUE(system.knots().empty());
}

// On y = |x| the slope sign(x) stands in A.
TEST(Switches, of_constraints_count) {
  Model model("wedge");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = -0.5 * m}),
                 y = model.coordinate("y", {.start = 0.5 * m});
  model.particle("P", {.at = N0.origin() + x * N0.x() + y * N0.y(), .mass = 2 * kg});
  model.constraint("wedge", y - abs(x));
  const CompiledSystem system = compile_model(model);
  EXPECT_EQ(system.switch_names(), (Names{"x"}));
  const double state[] = {-0.5, 0.5, 0.0, 0.0};
  double value;
  system.compute_switches({0, state, nullptr}, system.prepare({}), &value);
  EXPECT_EQ(value, -0.5);
}

TEST(Switches, of_tables_are_their_knots) {
  Model model("tables");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x"), f = model.specified("f"), g = model.specified("g");
  model.define(f,
               std::make_shared<const Spline>(std::vector<double>{0, 1, 2.5, 4},
                                              std::vector<double>{0, 1, 0, 2}),
               units::N.dimension());
  model.define(
      g,
      std::make_shared<const Spline>(std::vector<double>{0.5, 1, 3}, std::vector<double>{0, 1, 0}),
      units::N.dimension());
  const Point P = model.particle("P", {.at = N0.origin() + x * N0.x(), .mass = 2 * kg});
  model.force("push", {.on = P, .value = (f + g) * N0.x()});
  EXPECT_EQ(compile_model(model).knots(), (std::vector<double>{0, 0.5, 1, 2.5, 3, 4}));
  EXPECT_EQ(compile_model(model).knots(100.0), (std::vector<double>{0, 0.5, 1, 2.5, 3, 4}));
}

}  // namespace
}  // namespace visviva
