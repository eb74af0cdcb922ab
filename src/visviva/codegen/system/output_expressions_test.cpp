// Reactions, powers, works and the action of compiled systems, against closed forms and, for random
// mechanisms, against the solver of reactions.h.
#include "visviva/codegen/system/output_expressions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include "visviva/codegen/system/compiled_system_test.h"
#include "visviva/equations/reactions/reactions.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/kinematics/random_model_test.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {
namespace {

using namespace units;

constexpr double g = 9.81;

// Solved by code, and numerically.
std::vector<SystemOptions> both_ways() {
  SystemOptions numerical;
  numerical.unrolled_operations = 0;
  return {{}, numerical};
}

// Outputs by name.
std::map<std::string, double> outputs_of(const CompiledSystem& system, double t,
                                         const std::vector<double>& y,
                                         const std::vector<double>& quadratures) {
  std::vector<double> values(system.output_names().size());
  system.compute_outputs({t, y.data(), nullptr}, system.prepare(system.parameters()),
                         quadratures.data(), values.data());
  std::map<std::string, double> all;
  for (std::size_t i = 0; i < values.size(); ++i) all[system.output_names()[i]] = values[i];
  return all;
}

std::map<std::string, double> outputs_of(const CompiledSystem& system, double t,
                                         const std::vector<double>& y) {
  return outputs_of(system, t, y, std::vector<double>(system.quadrature_names().size()));
}

// State and quadratures after `steps` of the classical Runge-Kutta method.
std::vector<double> integrate(const CompiledSystem& system, std::vector<double> y, double end,
                              int steps) {
  const PreparedParameters p = system.prepare(system.parameters());
  const std::size_t n = y.size() + system.quadrature_names().size();
  y.resize(n);
  const double h = end / steps;
  const auto rates = [&](double t, const std::vector<double>& at) {
    std::vector<double> all(n);
    EXPECT_EQ(system.compute_rates_and_quadratures({t, at.data(), nullptr}, p, all.data()),
              MotionStatus::ok);
    return all;
  };
  const auto moved = [&](const std::vector<double>& k, double step) {
    std::vector<double> there = y;
    for (std::size_t i = 0; i < n; ++i) there[i] += step * k[i];
    return there;
  };
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const auto k1 = rates(t, y), k2 = rates(t + h / 2, moved(k1, h / 2)),
               k3 = rates(t + h / 2, moved(k2, h / 2)), k4 = rates(t + h, moved(k3, h));
    for (std::size_t j = 0; j < n; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  return y;
}

// The tension of a pendulum, m g cos q + m l q'^2.
TEST(OutputExpressions, the_hinge_of_a_pendulum_holds_its_tension) {
  Model model("pendulum");
  const Frame N = model.newtonian();
  const Quantity q = model.coordinate("q");
  const Frame A = model.frame("A", rotate(N, Axis::z, q));
  const Point O = model.point("O", N.origin() + 0.3 * m * N.x());
  model.particle("Q", {.at = O - 0.8 * m * A.y(), .mass = 2 * kg});
  model.gravity(-g * m / (s * s) * N.y());
  model.point("loose", N.origin() + 1 * m * A.x());
  model.output("R", reaction(model, "O"));
  model.output("tension", dot(reaction(model, "O"), A.y()));
  model.output("loose", reaction(model, "loose"));
  model.event("slack", dot(reaction(model, "O"), A.y()), true);
  const double angle = 2.4, rate = 1.3;
  const std::vector<double> y = {angle, rate};
  const double tension = 2 * g * std::cos(angle) + 2 * 0.8 * rate * rate;
  for (const SystemOptions& options : both_ways()) {
    const CompiledSystem system = compile_model(model, options);
    EXPECT_TRUE(system.other_outputs().empty());
    auto found = outputs_of(system, 0, y);
    EXPECT_NEAR(found["R.x"], -tension * std::sin(angle), long_rounding);
    EXPECT_NEAR(found["R.y"], tension * std::cos(angle), long_rounding);
    EXPECT_NEAR(found["R.z"], 0, long_rounding);
    EXPECT_NEAR(found["tension"], tension, long_rounding);
    // Nothing hangs there: nobody knows what would hold it.
    EXPECT_TRUE(std::isnan(found["loose.x"]));
    const double Z = 0;
    double slack = 0;
    system.compute_events({0, y.data(), nullptr}, system.prepare({}), &Z, &slack);
    EXPECT_NEAR(slack, tension, long_rounding);
  }
}

// The same tension as the force of a constraint: half a turn in a circle of x and y.
TEST(OutputExpressions, the_force_of_a_constraint_is_the_tension) {
  Model model("rod");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x"), y = model.coordinate("y");
  const Point Q = model.particle("Q", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 2 * kg});
  const Vector r = Q - N.origin();
  model.constraint("rod", dot(r, r) - 0.64 * m * m);
  const VirtualData v = model.virtual_displacement(Q);
  const Vector moved = r + Vector(Q.model(), {{0, {v.symbols[0], v.symbols[1], v.symbols[2]}}},
                                  Dimension::of(Dimension::length));
  model.displace_constraint({.scalar = (dot(moved, moved) - 0.64 * m * m).expr(), .virtuals = {v}});
  model.gravity(-g * m / (s * s) * N.y());
  model.start(x, 0.8 * m);
  model.output("R", reaction(model, "rod"));
  const CompiledSystem system = compile_model(model);
  const double angle = 0.7, rate = 1.3, c = std::cos(angle), d = std::sin(angle);
  const double tension = 2 * g * c + 2 * 0.8 * rate * rate;
  auto found = outputs_of(system, 0, {0.8 * d, -0.8 * c, 0.8 * rate * c, 0.8 * rate * d});
  EXPECT_NEAR(found["R.x"], -tension * d, long_rounding);
  EXPECT_NEAR(found["R.y"], tension * c, long_rounding);
  EXPECT_NEAR(found["R.z"], 0, long_rounding);
}

// A trolley M driven along x with a pendulum (m, l) below: the motor's force is
//   (M + m) x'' + m l (q'' cos q - q'^2 sin q),   q'' = -(g sin q + x'' cos q)/l
class Trolley : public testing::Test {
 protected:
  Trolley() {
    const Frame N = model_.newtonian();
    const Quantity q = model_.coordinate("q");
    const Quantity x = model_.specified("x", 0.3 * m * sin(2 * rad / s * model_.time()));
    const Point T = model_.particle("T", {.at = N.origin() + x * N.x(), .mass = 3 * kg});
    const Frame A = model_.frame("A", rotate(N, Axis::z, q));
    model_.particle("Q", {.at = T - 0.5 * m * A.y(), .mass = 2 * kg});
    model_.gravity(-g * m / (s * s) * N.y());
    model_.output("P", model_.result("power(x)"));
    model_.output("W", model_.result("work(x)"));
  }
  static double power(double t, double q, double u) {
    const double v = 0.6 * std::cos(2 * t), a = -1.2 * std::sin(2 * t);
    const double turn = -(g * std::sin(q) + a * std::cos(q)) / 0.5;
    return (5 * a + 2 * 0.5 * (turn * std::cos(q) - u * u * std::sin(q))) * v;
  }
  Model model_{"trolley"};
};

TEST_F(Trolley, its_motor_delivers_force_times_velocity) {
  for (const SystemOptions& options : both_ways()) {
    const CompiledSystem system = compile_model(model_, options);
    EXPECT_EQ(system.quadrature_names(), (std::vector<std::string>{"Z", "work(x)"}));
    for (const double t : {0.2, 1.1}) {
      const std::vector<double> y = {0.6, -0.4};
      auto found = outputs_of(system, t, y, {7.0, 2.5});
      EXPECT_NEAR(found["P"], power(t, 0.6, -0.4), long_rounding);
      EXPECT_EQ(found["W"], 2.5);
      double rates[4];
      system.compute_rates_and_quadratures({t, y.data(), nullptr}, system.prepare({}), rates);
      EXPECT_NEAR(rates[3], power(t, 0.6, -0.4), long_rounding);
    }
  }
}

// dC/dt of all energy K + U is the motor's power, as gravity has a potential.
TEST_F(Trolley, the_motors_work_is_what_the_energy_gained) {
  model_.output("C", model_.result("C"));
  const CompiledSystem system = compile_model(model_);
  const std::vector<double> start = {0.6, -0.4};
  const std::vector<double> end = integrate(system, start, 1.5, 1500);
  auto first = outputs_of(system, 0, start);
  auto last = outputs_of(system, 1.5, {end[0], end[1]}, {end[2], end[3]});
  // Errors of the method, (1e-3)^4 times derivatives up to about 1e3.
  EXPECT_NEAR(last["W"], last["C"] - first["C"], 1e-9);
  EXPECT_GT(std::abs(last["W"]), 0.1);
}

// m y'' = -k y - c y': y = exp(-b t) cos(w t) with b = c/2m, w^2 = k/m - b^2, and the damper takes
// what the energy loses.
TEST(OutputExpressions, a_damper_takes_what_the_energy_loses) {
  Model model("oscillator");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x");
  model.particle("Q", {.at = N.origin() + x * N.x(), .mass = 2 * kg});
  model.spring("S", {.on = x, .stiffness = 50 * units::N / m});
  model.damper("D", {.on = x, .rate = 1.2 * units::N * s / m});
  model.output("W", model.result("work(D)"));
  model.output("V", model.result("generalized_work(D)"));
  model.output("P", model.result("power(D)"));
  model.output("nc", model.result("work(nonconservative)"));
  const CompiledSystem system = compile_model(model);
  const double b = 0.3, w = std::sqrt(25 - b * b);
  const auto position = [&](double t) { return std::exp(-b * t) * std::cos(w * t); };
  const auto speed = [&](double t) {
    return -std::exp(-b * t) * (b * std::cos(w * t) + w * std::sin(w * t));
  };
  const auto energy = [&](double t) {
    return speed(t) * speed(t) + 25 * position(t) * position(t);
  };
  const std::vector<double> end = integrate(system, {1.0, -b}, 2.0, 4000);
  ASSERT_NEAR(end[0], position(2.0), 1e-9);
  std::vector<double> quadratures(end.begin() + 2, end.end());
  auto found = outputs_of(system, 2.0, {end[0], end[1]}, quadratures);
  EXPECT_NEAR(found["W"], energy(2.0) - energy(0.0), 1e-9);
  EXPECT_NEAR(found["V"], energy(2.0) - energy(0.0), 1e-9);
  EXPECT_NEAR(found["nc"], energy(2.0) - energy(0.0), 1e-9);
  EXPECT_NEAR(found["P"], -1.2 * end[1] * end[1], long_rounding);
}

// y = v t - g t^2/2: K - U = m v^2/2 - 2 m v g t + m g^2 t^2, which Simpson's rule integrates exactly.
TEST(OutputExpressions, the_action_of_a_throw_is_that_of_its_parabola) {
  Model model("throw");
  const Frame N = model.newtonian();
  const Quantity y = model.coordinate("y");
  model.particle("Q", {.at = N.origin() + y * N.y(), .mass = 2 * kg});
  model.gravity(-g * m / (s * s) * N.y());
  const Quantity action = model.result("action()");
  EXPECT_EQ(action.dimension(), (kg * m * m / s).dimension());
  model.output("S", action);
  const CompiledSystem system = compile_model(model);
  const double v = 7, T = 1.4;
  const std::vector<double> end = integrate(system, {0.0, v}, T, 7);
  auto found = outputs_of(system, T, {end[0], end[1]}, {end[2], end[3]});
  EXPECT_NEAR(found["S"], v * v * T - 2 * v * g * T * T + 2 * g * g * T * T * T / 3,
              long_rounding * 100);
}

TEST(OutputExpressions, nothing_but_Z_is_integrated_unless_it_is_asked_for) {
  Model model("plain");
  const Quantity y = model.coordinate("y");
  model.particle("Q",
                 {.at = model.newtonian().origin() + y * model.newtonian().y(), .mass = 2 * kg});
  model.output("K", model.result("K"));
  EXPECT_EQ(compile_model(model).quadrature_names(), (std::vector<std::string>{"Z"}));
}

// A weight on two hoists that are told to do the same: together they carry m (g + a).
class TwoHoists : public testing::Test {
 protected:
  TwoHoists() {
    const Frame N = model_.newtonian();
    const Quantity x = model_.coordinate("x"), y = model_.coordinate("y");
    const Quantity t = model_.time();
    const Point Q =
        model_.particle("Q", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 2 * kg});
    for (const std::string name : {"left", "right"}) {
      const Quantity h = model_.specified(name, 0.7 * m / (s * s) * t * t);
      const Point hook = model_.point("hook_" + name, N.origin() + h * N.y());
      model_.constraint("rope_" + name, dot(Q - hook, N.y()));
      const VirtualData v = model_.virtual_displacement(Q), w = model_.virtual_displacement(hook);
      const auto displaced = [&](const VirtualData& by) {
        return Vector(Q.model(), {{0, {by.symbols[0], by.symbols[1], by.symbols[2]}}},
                      Dimension::of(Dimension::length));
      };
      model_.displace_constraint(
          {.scalar = dot(Q - hook + displaced(v) - displaced(w), N.y()).expr(),
           .virtuals = {v, w}});
      model_.output("R_" + name, reaction(model_, "rope_" + name));
      model_.output("P_" + name, model_.result("power(" + name + ")"));
      model_.output("W_" + name, model_.result("work(" + name + ")"));
    }
    model_.gravity(-g * m / (s * s) * N.y());
    model_.output("R", reaction(model_, "Q"));
  }
  Model model_{"two_hoists"};
};

TEST_F(TwoHoists, what_each_carries_is_not_a_number_and_stops_nothing) {
  const CompiledSystem system = compile_model(model_);
  const double t = 0.5;
  const std::vector<double> y = {0.1, 0.7 * t * t, 0.2, 1.4 * t};
  auto found = outputs_of(system, t, y, {0.0, 1.0, 1.0});
  for (const std::string name : {"left", "right"}) {
    EXPECT_NEAR(found["R_" + name + ".x"], 0, long_rounding);
    EXPECT_TRUE(std::isnan(found["R_" + name + ".y"]));
    EXPECT_TRUE(std::isnan(found["P_" + name]));
    EXPECT_TRUE(std::isnan(found["W_" + name]));
  }
  // Of the smallest forces: half each.
  std::vector<double> rates(y.size() + 3);
  EXPECT_EQ(system.compute_rates_and_quadratures({t, y.data(), nullptr}, system.prepare({}),
                                                 rates.data()),
            MotionStatus::ok);
  EXPECT_NEAR(rates[5] + rates[6], 2 * (g + 1.4) * 1.4 * t, long_rounding * 10);
}

// One specified height with two ropes: who pulls is open, what the motor does is not.
TEST(OutputExpressions, a_motor_is_determined_where_its_ropes_are_not) {
  Model model("two_ropes");
  const Frame N = model.newtonian();
  const Quantity y = model.coordinate("y");
  const Quantity h = model.specified("h", 0.7 * m / (s * s) * model.time() * model.time());
  model.particle("Q", {.at = N.origin() + y * N.y(), .mass = 2 * kg});
  model.constraint("one", y - h);
  model.constraint("two", 2 * (y - h));
  model.gravity(-g * m / (s * s) * N.y());
  model.output("P", model.result("power(h)"));
  model.output("one", reaction(model, "one"));
  const CompiledSystem system = compile_model(model);
  const double t = 0.5;
  auto found = outputs_of(system, t, {0.7 * t * t, 1.4 * t});
  EXPECT_NEAR(found["P"], 2 * (g + 1.4) * 1.4 * t, long_rounding * 10);
  EXPECT_TRUE(std::isnan(found["one.y"]));
}

// ---- Random mechanisms

struct ReactionTally {
  int states = 0, numbers = 0, open = 0;
};

// All that can be asked for.
void ask(Model* model) {
  const auto output = [&](const std::string& name, const Vector& value) {
    model->output(name, value);
  };
  std::vector<std::string> names;
  for (const ConstraintData& c : model->data().constraints) names.push_back(c.name);
  for (const PointData& P : model->data().points) {
    if (std::find(names.begin(), names.end(), P.name) == names.end()) names.push_back(P.name);
  }
  for (const std::string& name : names) output("reaction(" + name + ")", reaction(*model, name));
  for (const SpecifiedData& x : model->data().specified)
    model->output("power(" + x.name + ")", model->result("power(" + x.name + ")"));
  for (const ForceData& f : model->data().forces)
    model->output("power(" + f.name + ")", model->result("power(" + f.name + ")"));
}

void compare(const mechanisms::RandomMechanism& mechanism, ReactionTally* tally) {
  const Kinematics motion = analyze_motion(mechanism.model);
  if (motion.speeds().empty()) return;
  const mechanisms::MotionOracle oracle(motion);
  const Energies energies = analyze_energy(derive(motion));
  SystemOptions options;
  options.jacobian = options.sensitivities = false;
  const CompiledSystem system = compile(energies.equations, energies, options);
  EXPECT_TRUE(system.other_outputs().empty());
  const MotionSolver accelerate(energies.equations);
  const ReactionSolver react(energies.equations);
  for (std::uint64_t number = 1; number <= 2; ++number) {
    const auto values = mechanism.make_state(motion, oracle, number);
    if (!values) continue;
    const std::vector<double> all(values->begin(), values->end());
    StartState state;
    state.symbols = oracle.symbols();
    state.values = all;
    for (std::size_t i = 0; i < all.size(); ++i) state.known[state.symbols[i]] = all[i];
    const SolvedMotion solved = accelerate(state);
    if (!solved.is_consistent) continue;
    ++tally->states;

    const auto pick = [&](const std::string& name) {
      return state.value(motion.model().pool->symbol(name));
    };
    std::vector<double> y, inputs, parameters, quadratures(system.quadrature_names().size());
    for (const std::string& name : system.state_names()) y.push_back(pick(name));
    for (const std::string& name : system.parameter_names()) parameters.push_back(pick(name));
    for (const SpecifiedData& s : motion.model().specified) {
      for (const Expr& e : s.derivatives) {
        if (!s.definition) inputs.push_back(state.value(e));
      }
    }
    std::vector<double> found(system.output_names().size());
    system.compute_outputs({all[0], y.data(), inputs.data()}, system.prepare(parameters),
                           quadratures.data(), found.data());
    const std::map<std::string, double> expected = name_results(react(state, solved));
    double size = 1;
    for (const auto& entry : expected) size = std::max(size, std::abs(entry.second));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::string& name = system.output_names()[i];
      const auto known = expected.find(name);
      if (known == expected.end()) {
        EXPECT_TRUE(std::isnan(found[i])) << name;
        ++tally->open;
        continue;
      }
      // Mass matrices of condition 1e5.
      EXPECT_NEAR(found[i], known->second, 1e-10 * size) << name;
      ++tally->numbers;
    }
  }
}

TEST(OutputExpressions, of_random_mechanisms_are_those_of_the_reaction_solver) {
  mechanisms::Features features;
  features.links = 4;
  features.speeds = 5;
  ReactionTally tally;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    mechanisms::RandomMechanism mechanism(seed, features);
    SCOPED_TRACE("seed " + std::to_string(seed));
    ask(&mechanism.model);
    compare(mechanism, &tally);
    if (testing::Test::HasFailure()) {
      std::cout << "seed " << seed << '\n' << mechanism.text();
      break;
    }
  }
  std::cout << tally.states << " states, " << tally.numbers << " numbers, " << tally.open
            << " not determined\n";
  EXPECT_GT(tally.states, 60);
  EXPECT_GT(tally.numbers, 1000);
  EXPECT_GT(tally.open, 10);
}

}  // namespace
}  // namespace visviva
