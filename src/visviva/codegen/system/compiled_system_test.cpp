// Compiled systems against closed forms: motion, constraint forces, energies, outputs, derivatives.
#include "visviva/codegen/system/compiled_system.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <thread>

#include "visviva/base/error.h"
#include "visviva/codegen/system/compiled_system_test.h"

namespace visviva {
namespace {

using namespace units;

std::vector<double> rates_of(const CompiledSystem& system, double t, const std::vector<double>& y,
                             const std::vector<double>& inputs,
                             const std::vector<double>& parameters) {
  std::vector<double> rates(system.state_count());
  const MotionStatus status =
      system.compute_rates({t, y.data(), inputs.data()}, system.prepare(parameters), rates.data());
  EXPECT_EQ(status, MotionStatus::ok);
  return rates;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], rounding * (1 + std::abs(expected[i]))) << i;
}

// ---- Two pendulums

class DoublePendulum : public testing::Test {
 protected:
  DoublePendulum() {
    const Frame N = model_.newtonian();
    const Quantity m1 = model_.parameter("m1", 1.5 * kg), m2 = model_.parameter("m2", 0.8 * kg);
    const Quantity l1 = model_.parameter("l1", 1.1 * m), l2 = model_.parameter("l2", 0.7 * m);
    const Quantity g = model_.parameter("g", 9.81 * m / (s * s));
    const Quantity a = model_.coordinate("a"), b = model_.coordinate("b");
    const Frame A = model_.frame("A", rotate(N, Axis::z, a)),
                B = model_.frame("B", rotate(N, Axis::z, b));
    const Point P = model_.particle("P", {.at = N.origin() - l1 * A.y(), .mass = m1});
    model_.particle("Q", {.at = P - l2 * B.y(), .mass = m2});
    model_.gravity(-g * N.y());
  }

  // As textbooks give it, solved for both accelerations.
  static std::vector<double> closed_form(const std::vector<double>& y,
                                         const std::vector<double>& p) {
    const double a = y[0], b = y[1], ad = y[2], bd = y[3], m1 = p[0], m2 = p[1], l1 = p[2],
                 l2 = p[3], g = p[4], d = a - b;
    const double D = 2 * m1 + m2 - m2 * std::cos(2 * d);
    return {ad, bd,
            (-g * (2 * m1 + m2) * std::sin(a) - m2 * g * std::sin(a - 2 * b) -
             2 * std::sin(d) * m2 * (bd * bd * l2 + ad * ad * l1 * std::cos(d))) /
                (l1 * D),
            2 * std::sin(d) *
                (ad * ad * l1 * (m1 + m2) + g * (m1 + m2) * std::cos(a) +
                 bd * bd * l2 * m2 * std::cos(d)) /
                (l2 * D)};
  }

  Model model_{"double_pendulum"};
  const std::vector<double> y_ = {0.4, -1.1, 0.9, 2.3};
};

TEST_F(DoublePendulum, moves_as_the_closed_form_says_for_any_parameters) {
  for (const SystemOptions& options : all_ways()) {
    const CompiledSystem system = compile_model(model_, options);
    EXPECT_EQ(system.is_unrolled(), options.unrolled_operations > 0);
    EXPECT_EQ(system.state_names(), (std::vector<std::string>{"a", "b", "a'", "b'"}));
    const std::vector<double> given = {1.5, 0.8, 1.1, 0.7, 9.81}, other = {0.2, 3.0, 2.0, 0.4, 1.6};
    EXPECT_EQ(system.parameters().values(), given);
    expect_near(rates_of(system, 0, y_, {}, given), closed_form(y_, given));
    expect_near(rates_of(system, 0, y_, {}, other), closed_form(y_, other));
  }
}

TEST_F(DoublePendulum, energies_are_those_of_the_closed_form) {
  const CompiledSystem system = compile_model(model_);
  const PreparedParameters p = system.prepare(system.parameters());
  const SystemEnergies e = system.compute_energies({0, y_.data(), nullptr}, p);
  const double a = 0.4, b = -1.1, ad = 0.9, bd = 2.3;
  const double K = 0.5 * 2.3 * 1.1 * 1.1 * ad * ad + 0.5 * 0.8 * 0.7 * 0.7 * bd * bd +
                   0.8 * 1.1 * 0.7 * ad * bd * std::cos(a - b);
  const double U = -9.81 * (2.3 * 1.1 * std::cos(a) + 0.8 * 0.7 * std::cos(b));
  EXPECT_NEAR(e.K, K, rounding * K);
  EXPECT_NEAR(e.K2, K, rounding * K);
  EXPECT_EQ(e.K0, 0.0);
  EXPECT_EQ(e.Z_rate, 0.0);
  // U is defined up to a constant.
  const double zero[] = {0, 0, 0, 0};
  const double U0 = system.compute_energies({0, zero, nullptr}, p).U;
  EXPECT_NEAR(e.U - U0, U + 9.81 * (2.3 * 1.1 + 0.8 * 0.7), rounding * 100);
}

// Central differences of the closed form, order 8: truncation and rounding below 1e-11.
double difference(const std::function<double(double)>& f) {
  constexpr double h = 1.0 / 128, weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double sum = 0;
  for (int k = 1; k <= 4; ++k) sum += weights[k - 1] * (f(k * h) - f(-k * h));
  return sum / h;
}

TEST_F(DoublePendulum, derivatives_are_those_of_the_closed_form) {
  constexpr double tolerance = 1e-9;
  for (const SystemOptions& options : all_ways()) {
    const CompiledSystem system = compile_model(model_, options);
    const std::vector<double> given = system.parameters();
    const PreparedParameters p = system.prepare(given);
    SystemJacobian J;
    ASSERT_EQ(system.compute_jacobian({0, y_.data(), nullptr}, p, &J), MotionStatus::ok);
    ASSERT_EQ(system.compute_sensitivities({0, y_.data(), nullptr}, p, &J), MotionStatus::ok);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        const double expected = difference([&](double h) {
          std::vector<double> y = y_;
          y[j] += h;
          return closed_form(y, given)[i];
        });
        EXPECT_NEAR(J.by_state(static_cast<int>(i), static_cast<int>(j)), expected,
                    tolerance * 100);
      }
      for (std::size_t j = 0; j < 5; ++j) {
        const double expected = difference([&](double h) {
          std::vector<double> q = given;
          q[j] += 0.1 * h;
          return 10 * closed_form(y_, q)[i];
        });
        EXPECT_NEAR(J.by_parameters(static_cast<int>(i), static_cast<int>(j)), expected,
                    tolerance * 100);
      }
      EXPECT_EQ(J.by_time(static_cast<int>(i)), 0.0);
    }
    // q' = u: of the upper half two entries.
    std::vector<std::pair<int, int>> upper;
    for (const auto& entry : system.jacobian_pattern()) {
      if (entry.first < 2) upper.push_back(entry);
    }
    EXPECT_EQ(upper, (std::vector<std::pair<int, int>>{{0, 2}, {1, 3}}));
  }
}

TEST_F(DoublePendulum, a_batch_and_threads_give_what_single_calls_give) {
  for (const SystemOptions& options : all_ways()) {
    const CompiledSystem system = compile_model(model_, options);
    const PreparedParameters p = system.prepare(system.parameters());
    constexpr std::size_t count = 150, stride = 160;
    std::vector<double> times(count), states(4 * stride), expected(4 * stride), single(4);
    for (std::size_t k = 0; k < count; ++k) {
      const double x = 0.01 * static_cast<double>(k);
      const std::vector<double> y = {x, 1 - x, 2 * x, x * x};
      system.compute_rates({0, y.data(), nullptr}, p, single.data());
      for (std::size_t i = 0; i < 4; ++i) {
        states[i * stride + k] = y[i];
        expected[i * stride + k] = single[i];
      }
    }
    const auto work = [&](std::vector<double>* rates) {
      rates->assign(4 * stride, 0.0);
      std::vector<MotionStatus> statuses(count, MotionStatus::contradictory);
      system.compute_rates_batch(times.data(), states.data(), nullptr, count, stride, p,
                                 rates->data(), statuses.data());
      for (const MotionStatus status : statuses) EXPECT_EQ(status, MotionStatus::ok);
    };
    std::vector<std::vector<double>> found(4);
    std::vector<std::thread> threads;
    for (auto& rates : found) threads.emplace_back([&] { work(&rates); });
    for (std::thread& t : threads) t.join();
    for (const auto& rates : found) {
      for (std::size_t i = 0; i < rates.size(); ++i)
        ASSERT_NEAR(rates[i], expected[i], rounding * (1 + std::abs(expected[i])));
    }
    EXPECT_THROW(
        system.compute_rates_batch(times.data(), states.data(), nullptr, 5, 4, p, found[0].data()),
        UsageError);
  }
}

// ---- A pendulum whose pivot is moved

class MovedPendulum : public testing::Test {
 protected:
  void build(const Quantity& x) {
    const Frame N = model_.newtonian();
    const Quantity q = model_.coordinate("q");
    const Frame A = model_.frame("A", rotate(N, Axis::z, q));
    const Point P = model_.particle("P", {.at = N.origin() + x * N.x() - L_ * A.y(), .mass = m_});
    model_.gravity(-9.81 * m / (s * s) * N.y());
    model_.output("q", q);
    model_.output("E_Z", model_.result("E_Z"));
    model_.output("tip", velocity(P));
    model_.output("up", dot(acceleration(P), N.y()));
    model_.output("pull", reaction(model_, "P"));
    model_.event("low", q - 0.1, true);
  }
  Model model_{"moved"};
  Quantity m_ = model_.parameter("mass", 2 * kg), L_ = model_.parameter("L", 0.5 * m);
};

// q'' = -(g sin q + x'' cos q)/L
TEST_F(MovedPendulum, parameters_of_a_specified_motion_stay_parameters) {
  const Quantity a = model_.parameter("amplitude", 0.3 * m), w = model_.parameter("w", 2 * rad / s);
  build(model_.specified("x", a * sin(w * model_.time())));
  const CompiledSystem system = compile_model(model_);
  EXPECT_TRUE(system.input_names().empty());
  const std::vector<double> y = {0.6, -0.4};
  for (const std::vector<double>& p : {std::vector<double>{2, 0.5, 0.3, 2.0}, {1, 0.8, 0.7, 3.0}}) {
    const double t = 0.35, phase = p[3] * t, xdd = -p[2] * p[3] * p[3] * std::sin(phase);
    expect_near(rates_of(system, t, y, {}, p),
                {-0.4, -(9.81 * std::sin(0.6) + xdd * std::cos(0.6)) / p[1]});
    SystemJacobian J;
    system.compute_jacobian({t, y.data(), nullptr}, system.prepare(p), &J);
    system.compute_sensitivities({t, y.data(), nullptr}, system.prepare(p), &J);
    EXPECT_NEAR(J.by_time(1), p[2] * std::pow(p[3], 3) * std::cos(phase) * std::cos(0.6) / p[1],
                1e-12);
    EXPECT_NEAR(J.by_parameters(1, 2), p[3] * p[3] * std::sin(phase) * std::cos(0.6) / p[1], 1e-12);
    EXPECT_NEAR(J.by_parameters(1, 0), 0.0, 1e-14);
  }
}

TEST_F(MovedPendulum, a_table_is_looked_up_at_the_time_of_the_call) {
  const Quantity x = model_.specified("x");
  std::vector<double> times, samples;
  for (int i = 0; i <= 20; ++i) {
    times.push_back(0.1 * i);
    samples.push_back(std::sin(3 * times.back()));
  }
  const auto table = std::make_shared<const Spline>(times, samples);
  model_.define(x, table, m.dimension());
  build(x);
  const CompiledSystem system = compile_model(model_);
  EXPECT_TRUE(system.input_names().empty());
  const std::vector<double> y = {0.6, -0.4}, p = system.parameters();
  const PreparedParameters prepared = system.prepare(p);
  for (const double t : {0.03, 1.21}) {
    expect_near(rates_of(system, t, y, {}, p),
                {-0.4, -(9.81 * std::sin(0.6) + table->value(t, 2) * std::cos(0.6)) / 0.5});
    SystemJacobian J;
    system.compute_jacobian({t, y.data(), nullptr}, prepared, &J);
    EXPECT_NEAR(J.by_time(1), -table->value(t, 3) * std::cos(0.6) / 0.5, 1e-12);
  }
  // Outside its samples a table has no value.
  double rates[2];
  EXPECT_EQ(system.compute_rates({2.5, y.data(), nullptr}, prepared, rates),
            MotionStatus::not_finite);
  // The same in a batch.
  const double many_times[] = {0.03, 2.5, 1.21}, states[] = {0.6, 0.6, 0.6, -0.4, -0.4, -0.4};
  double many[6];
  MotionStatus statuses[3];
  system.compute_rates_batch(many_times, states, nullptr, 3, 3, prepared, many, statuses);
  EXPECT_EQ(statuses[1], MotionStatus::not_finite);
  EXPECT_NEAR(many[3], rates_of(system, 0.03, y, {}, p)[1], 1e-12);
  EXPECT_NEAR(many[5], rates_of(system, 1.21, y, {}, p)[1], 1e-12);
}

TEST_F(MovedPendulum, what_nobody_defined_is_an_input) {
  const Quantity T = model_.input("T", 0.25 * N * m);
  build(model_.specified("x", m.dimension()));
  const Frame A = *model_.find_frame("A");
  model_.force("F", {.on = *model_.find_point("P"), .value = T / L_ * A.x()});
  const CompiledSystem system = compile_model(model_);
  EXPECT_EQ(system.input_names(), (std::vector<std::string>{"T", "x", "x'", "x''", "x'''"}));
  EXPECT_EQ(system.inputs()["T"], 0.25);
  EXPECT_TRUE(std::isnan(system.inputs()["x"]));
  const std::vector<double> y = {0.6, -0.4}, inputs = {0.7, 0.1, 0.2, 1.3, 0.0};
  expect_near(rates_of(system, 0, y, inputs, {2, 0.5}),
              {-0.4, -(9.81 * std::sin(0.6) + 1.3 * std::cos(0.6)) / 0.5 + 0.7 / (2 * 0.25)});
  SystemJacobian J;
  system.compute_sensitivities({0, y.data(), inputs.data()}, system.prepare({2, 0.5}), &J);
  EXPECT_NEAR(J.by_inputs(1, 0), 2.0, rounding);
  EXPECT_NEAR(J.by_inputs(1, 3), -std::cos(0.6) / 0.5, rounding);
}

// K0 = m x'^2/2, K1 = m L x' q' cos q, sigma_R = m L x'' cos q q' and Z' = sigma_R.
TEST_F(MovedPendulum, outputs_energies_and_events_are_functions_of_the_state) {
  build(model_.specified("x", 0.3 * m * model_.time() * model_.time() / (s * s)));
  const CompiledSystem system = compile_model(model_);
  const PreparedParameters p = system.prepare({2, 0.5});
  const double t = 0.7, xd = 0.6 * t, xdd = 0.6, q = 0.6, u = -0.4;
  const std::vector<double> y = {q, u};
  const Instant at{t, y.data(), nullptr};
  const SystemEnergies e = system.compute_energies(at, p);
  EXPECT_NEAR(e.K0, xd * xd, rounding);
  EXPECT_NEAR(e.K1, 2 * 0.5 * xd * u * std::cos(q), rounding);
  EXPECT_NEAR(e.K2, 0.25 * u * u, rounding);
  EXPECT_NEAR(e.Z_rate, 2 * 0.5 * xdd * std::cos(q) * u, rounding);
  double rates[3];
  EXPECT_EQ(system.compute_rates_and_quadratures(at, p, rates), MotionStatus::ok);
  EXPECT_NEAR(rates[2], e.Z_rate, rounding);

  EXPECT_EQ(system.output_names(), (std::vector<std::string>{"q", "E_Z", "tip.x", "tip.y", "tip.z",
                                                             "up", "pull.x", "pull.y", "pull.z"}));
  double values[9];
  const double Z = 0.125;
  system.compute_outputs(at, p, &Z, values);
  EXPECT_EQ(values[0], q);
  EXPECT_NEAR(values[1], e.K2 + e.U + 0.125, rounding * 10);
  EXPECT_NEAR(values[2], xd + 0.5 * u * std::cos(q), rounding);
  EXPECT_NEAR(values[3], 0.5 * u * std::sin(q), rounding);
  const double ax = xdd + 0.5 * (rates[1] * std::cos(q) - u * u * std::sin(q)),
               ay = 0.5 * (rates[1] * std::sin(q) + u * u * std::cos(q));
  EXPECT_NEAR(values[5], ay, rounding * 10);
  EXPECT_NEAR(values[6], 2 * ax, rounding * 100);
  EXPECT_NEAR(values[7], 2 * (ay + 9.81), rounding * 100);
  double low;
  system.compute_events(at, p, &Z, &low);
  EXPECT_NEAR(low, q - 0.1, rounding);
}

// ---- Constraints

class Rod : public testing::Test {
 protected:
  Rod() {
    const Frame N = model_.newtonian();
    model_.particle("P", {.at = N.origin() + x_ * N.x() + y_ * N.y(), .mass = mass_});
    model_.gravity(-9.81 * m / (s * s) * N.y());
    model_.constraint("rod", x_ * x_ + y_ * y_ - L_ * L_);
  }
  // λ of x^2 + y^2 - L^2 from r·a = -v^2, and the accelerations.
  static double multiplier(const std::vector<double>& y) {
    const double v2 = y[2] * y[2] + y[3] * y[3], r2 = y[0] * y[0] + y[1] * y[1];
    return mass * (9.81 * y[1] - v2) / (2 * r2);
  }
  void check(const CompiledSystem& system, std::size_t rows) const {
    const PreparedParameters p = system.prepare({mass, 1.0});
    const Instant at{0, state.data(), nullptr};
    const double l = multiplier(state);
    std::vector<double> rates(4);
    EXPECT_EQ(system.compute_rates(at, p, rates.data()), MotionStatus::ok);
    expect_near(rates,
                {state[2], state[3], 2 * state[0] * l / mass, -9.81 + 2 * state[1] * l / mass});
    const SolvedSystem solved = system.solve(at, p);
    EXPECT_EQ(solved.status, MotionStatus::ok);
    double sum = 0;
    for (const double x : solved.multipliers) sum += x;
    EXPECT_NEAR(sum, l, rounding * 10);
    ASSERT_EQ(solved.multipliers.size(), rows);
    EXPECT_EQ(solved.is_multiplier_determined[0], rows == 1);
    std::vector<double> positions(rows), velocities(rows);
    system.compute_residuals(at, p, positions.data(), velocities.data());
    EXPECT_NEAR(positions[0], 0.0, rounding);
    EXPECT_NEAR(velocities[0], 2 * (state[0] * state[2] + state[1] * state[3]), rounding);
    const Eigen::MatrixXd A = system.compute_rows(at, p);
    EXPECT_NEAR(A(0, 0), 2 * state[0], rounding);
    EXPECT_NEAR(A(0, 1), 2 * state[1], rounding);
  }
  static constexpr double mass = 1.7;
  Model model_{"rod"};
  Quantity mass_ = model_.parameter("mass", mass*kg), L_ = model_.parameter("L", 1 * m);
  Quantity x_ = model_.coordinate("x", {.start = 0.6 * m}),
           y_ = model_.coordinate("y", {.start = -0.8 * m});
  const std::vector<double> state = {0.6, -0.8, 1.6, 1.2};
};

TEST_F(Rod, pulls_as_the_closed_form_says) { check(compile_model(model_), 1); }

TEST_F(Rod, twice_the_same_pulls_once) {
  model_.constraint("again", x_ * x_ + y_ * y_ - L_ * L_);
  check(compile_model(model_), 2);
}

TEST_F(Rod, derivatives_are_those_of_the_closed_form) {
  const CompiledSystem system = compile_model(model_);
  SystemJacobian J;
  ASSERT_EQ(system.compute_jacobian({0, state.data(), nullptr}, system.prepare({mass, 1.0}), &J),
            MotionStatus::ok);
  for (std::size_t j = 0; j < 4; ++j) {
    const auto moved = [&](double h, std::size_t i) {
      std::vector<double> y = state;
      y[j] += h;
      return 2 * y[i] * multiplier(y) / mass;
    };
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(J.by_state(static_cast<int>(2 + i), static_cast<int>(j)),
                  difference([&](double h) { return moved(h, i); }), 1e-9);
  }
}

// ---- Unknown forces

// m_Q x'' = F and m_P q'' = -F
TEST(UnknownForce, an_auxiliary_speed_determines_it) {
  Model model("push");
  const Frame N = model.newtonian();
  const Quantity F = model.unknown("F"), q = model.coordinate("q");
  const Quantity x = model.specified("x", 0.5 * m * sin(3 * rad / s * model.time()));
  const Point P = model.particle("P", {.at = N.origin() + q * N.x(), .mass = 2 * kg});
  const Point Q =
      model.particle("Q", {.at = N.origin() + x * N.x() + 1 * m * N.y(), .mass = 3 * kg});
  model.force("push", {.on = Q, .from = P, .value = F * N.x()});
  model.auxiliary("uQ", N.x(), Q);
  const CompiledSystem system = compile_model(model);
  EXPECT_EQ(system.unknown_names(), (std::vector<std::string>{"F"}));
  const double t = 0.4, xdd = -4.5 * std::sin(3 * t), y[] = {0.1, 0.2};
  const SolvedSystem solved = system.solve({t, y, nullptr}, system.prepare({}));
  EXPECT_EQ(solved.status, MotionStatus::ok);
  EXPECT_NEAR(solved.unknowns[0], 3 * xdd, rounding * 10);
  EXPECT_NEAR(solved.speed_rates[0], -1.5 * xdd, rounding * 10);
}

// ---- Where there is no answer

// m L^2 sin^2 q phi'' = ...: on the axis phi has no inertia.
TEST(SphericalPendulum, an_acceleration_without_inertia_is_told) {
  Model model("spherical");
  const Frame N = model.newtonian();
  const Quantity q = model.coordinate("q"), f = model.coordinate("f"), L = model.constant(1 * m);
  model.particle("P", {.at = N.origin() + L * sin(q) * cos(f) * N.x() +
                             L * sin(q) * sin(f) * N.y() - L * cos(q) * N.z(),
                       .mass = 1 * kg});
  model.gravity(-9.81 * m / (s * s) * N.z());
  const CompiledSystem system = compile_model(model);
  const PreparedParameters p = system.prepare({});
  double rates[4];
  const double regular[] = {0.5, 0.2, 0.1, 0.3}, on_axis[] = {0.0, 0.2, 0.1, 0.3},
               nowhere[] = {NAN, 0.2, 0.1, 0.3};
  EXPECT_EQ(system.compute_rates({0, regular, nullptr}, p, rates), MotionStatus::ok);
  EXPECT_NEAR(rates[2], std::sin(0.5) * (std::cos(0.5) * 0.09 - 9.81), rounding * 10);
  EXPECT_EQ(system.compute_rates({0, on_axis, nullptr}, p, rates), MotionStatus::not_determined);
  EXPECT_EQ(system.compute_rates({0, nowhere, nullptr}, p, rates), MotionStatus::not_finite);
}

TEST(CompiledSystem, refuses_what_was_not_compiled) {
  Model model("free");
  const Frame N = model.newtonian();
  const Quantity q = model.coordinate("q");
  model.particle("P", {.at = N.origin() + q * N.x(), .mass = 1 * kg});
  SystemOptions options;
  options.jacobian = options.sensitivities = false;
  const CompiledSystem system = compile_model(model, options);
  const PreparedParameters p = system.prepare({});
  SystemJacobian J;
  const double y[] = {0, 1};
  EXPECT_THROW(system.compute_jacobian({0, y, nullptr}, p, &J), UsageError);
  EXPECT_THROW(system.compute_sensitivities({0, y, nullptr}, p, &J), UsageError);
  EXPECT_THROW(system.prepare({1.0}), UsageError);
}

}  // namespace
}  // namespace visviva
