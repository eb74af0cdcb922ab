// Energies as numbers against closed forms, against the constraints solved symbolically, against
// differences along motions, and against runs computed by others.
#include "visviva/equations/energy/energy_solver.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "visviva/base/error.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using namespace units;

// ---- Motions: fixed steps, extrapolated

using Numbers = std::vector<double>;
using Rates = std::function<Numbers(double, const Numbers&)>;

// One step of the modified midpoint rule with 2, 4, ... 12 substeps, extrapolated to order 12
// (Gragg 1965; Hairer, Nørsett, Wanner, II.9).
Numbers step(const Rates& f, double t, const Numbers& y, double h) {
  constexpr std::size_t levels = 6;
  std::array<Numbers, levels> table;
  const Numbers first = f(t, y);
  for (std::size_t k = 0; k < levels; ++k) {
    const std::size_t n = 2 * (k + 1);
    const double small = h / static_cast<double>(n);
    Numbers before = y, now = y;
    for (std::size_t i = 0; i < y.size(); ++i) now[i] += small * first[i];
    for (std::size_t j = 1; j < n; ++j) {
      const Numbers slope = f(t + small * static_cast<double>(j), now);
      for (std::size_t i = 0; i < y.size(); ++i) before[i] += 2 * small * slope[i];
      std::swap(before, now);
    }
    // Aitken and Neville, in powers of h^2.
    table[k] = now;
    for (std::size_t j = k; j-- > 0;) {
      const double ratio = static_cast<double>(k + 1) / static_cast<double>(j + 1);
      for (std::size_t i = 0; i < y.size(); ++i)
        table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) / (ratio * ratio - 1);
    }
  }
  return table[0];
}

// A mechanism on its way: y are the coordinates, all speeds, and Z.
class MotionRun {
 public:
  explicit MotionRun(const Model& model)
      : motion_(analyze_motion(model)),
        energies(analyze_energy(derive(motion_))),
        solve(energies),
        state(make_state(motion_, make_consistent_start(motion_))),
        accelerate_(energies.equations) {
    const ModelData& data = motion_.model();
    std::vector<Expr> rates, functions;
    for (const CoordinateData& c : data.coordinates) {
      symbols_.push_back(c.q);
      rates.push_back(motion_.rate(Quantity(c.q, c.dimension)).expr(*data.pool));
    }
    for (const Speed& s : motion_.speeds()) symbols_.push_back(s.u);
    for (const SpecifiedData& s : data.specified) {
      Expr d = *s.definition;
      for (const Expr& symbol : s.derivatives) {
        functions_.push_back(symbol);
        functions.push_back(d);
        d = differentiate(d, data.time);
      }
    }
    for (const ParameterData& p : data.parameters) known_.push_back(p.symbol);
    known_.push_back(data.time);
    function_values_ = std::make_unique<Evaluator>(known_, functions);
    std::vector<Expr> all = known_;
    all.insert(all.end(), functions_.begin(), functions_.end());
    all.insert(all.end(), symbols_.begin(), symbols_.end());
    all_symbols_ = all;
    rates_ = std::make_unique<Evaluator>(all, rates);
    dependent_speeds_ = std::make_unique<Evaluator>(all, energies.embedded.dependent_speeds);
    for (const Expr& s : symbols_) y.push_back(state.value(s));
    y.push_back(0.0);
  }

  // The state at that time with those values, whether the constraints hold or not.
  void put(double time, const Numbers& values) {
    set(motion_.model().time, time);
    const Numbers now = (*function_values_)(read(known_));
    for (std::size_t i = 0; i < functions_.size(); ++i) set(functions_[i], now[i]);
    for (std::size_t i = 0; i < symbols_.size(); ++i) set(symbols_[i], values[i]);
  }

  // The same with dependent speeds from the others.
  void settle(double time, const Numbers& values) {
    put(time, values);
    const Numbers u = (*dependent_speeds_)(read(all_symbols_));
    for (std::size_t d = 0; d < u.size(); ++d)
      set(motion_.speeds()[energies.embedded.dependent[d]].u, u[d]);
  }

  EnergyValues values() {
    settle(t, y);
    return solve(state);
  }

  Numbers rates(double time, const Numbers& values) {
    settle(time, values);
    Numbers all = (*rates_)(read(all_symbols_));
    const SolvedMotion solved = accelerate_(state);
    all.insert(all.end(), solved.speed_rates.begin(), solved.speed_rates.end());
    all.push_back(solve(state).Z_rate);
    return all;
  }

  Numbers after(double h) {
    return step([this](double time, const Numbers& v) { return rates(time, v); }, t, y, h);
  }

  // So many steps to the end; `look` sees every state.
  void go(double end, int steps, const std::function<void()>& look = {}) {
    const double h = (end - t) / steps, start = t;
    for (int i = 0; i < steps; ++i) {
      y = after(h);
      t = start + (i + 1) * h;
      if (look) look();
    }
  }

  double value(const std::string& name) const {
    const ModelData& data = motion_.model();
    for (std::size_t i = 0; i < data.coordinates.size(); ++i) {
      if (data.coordinates[i].name == name) return y[i];
    }
    return y[data.coordinates.size() + motion_.speed_index(name)];
  }
  double Z() const { return y.back(); }

  void set(const Expr& symbol, double value) {
    state.known.at(symbol) = value;
    for (std::size_t i = 0; i < state.symbols.size(); ++i) {
      if (state.symbols[i] == symbol) state.values[i] = value;
    }
  }

 private:
  Numbers read(const std::vector<Expr>& symbols) const {
    Numbers numbers;
    for (const Expr& s : symbols) numbers.push_back(state.known.at(s));
    return numbers;
  }

  Kinematics motion_;
  std::vector<Expr> symbols_, functions_, known_, all_symbols_;
  std::unique_ptr<Evaluator> function_values_, rates_, dependent_speeds_;

 public:
  Energies energies;
  EnergySolver solve;
  StartState state;
  Numbers y;
  double t = 0;

 private:
  MotionSolver accelerate_;
};

// ---- Mechanisms

struct Device {
  bool is_ramp = true, is_rigid = false;
  double damping = 2;
  double stretch = 0, stretch_rate = 0, spin = 0;
};

// Mitiguy, chapter 34, 34.3.
Model make_device(const Device& options) {
  Model model("positioning_device");
  const Frame N = model.newtonian();
  const Quantity mass = model.parameter("m", 1 * kg), r = model.parameter("r", 0.1 * m);
  const Quantity L = model.parameter("L", 1 * m), k = model.parameter("k", 200 * units::N / m);
  const Quantity b = model.parameter("b", options.damping * units::N * m * s);
  const Quantity Omega = model.specified(
      "Omega", options.is_ramp ? 0.5 / s / s * model.time() : model.constant(4 / s));
  const Quantity stretch = model.coordinate("s", {.start = options.stretch * m});
  model.start(model.speed("ds", model.rate(stretch)), options.stretch_rate * m / s);
  const Quantity wx = model.speed("wx"), wy = model.speed("wy"), wz = model.speed("wz");
  model.start(wy, options.spin / s);
  const Frame A = model.frame("A", spin(N, Omega * N.y()));
  const Frame C = model.frame("C", spin(N, wx * A.x() + wy * A.y() + wz * A.z()));
  const Point Ccm = model.body(
      C, {.at = N.origin() + r * N.y() + (L + stretch) * A.x(), .mass = mass, .solid = sphere(r)});
  model.roll("", {.body = C, .on = N, .at = Ccm - r * N.y()});
  model.spring("tube", {.on = stretch, .stiffness = k, .rest = 0 * m});
  model.torque("fluid",
               {.on = C, .from = A, .value = -b * (angular_velocity(C) - angular_velocity(A))});
  if (options.is_rigid) model.lock(stretch);
  return model;
}

// Mitiguy, chapter 34, 34.2.
Model make_hoist() {
  Model model("hoist");
  const Frame N = model.newtonian();
  const Quantity mQ = model.parameter("mQ", 1 * kg), mB = model.parameter("mB", 2 * kg);
  const Quantity L = model.parameter("L", 0.5 * m), g = model.parameter("g", 9.8 * m / s / s);
  const Quantity x = model.specified("x", 3 * m * cos(1 / s * model.time()));
  const Quantity theta = model.coordinate("theta", {.start = 30 * deg});
  const Frame B = model.frame("B", rotate(N, Axis::x, theta));
  const Point Q = model.particle("Q", {.at = N.origin() + x * N.x(), .mass = mQ});
  const Quantity I = mB * L * L / 12;
  model.body(B, {.at = Q - L * B.y(), .mass = mB, .inertia = {I, 0 * kg * m * m, I}});
  model.gravity(-g * N.y());
  return model;
}

struct FourBar {
  bool is_driven = true;  // its second pin moves
  bool is_twice = false;  // the loop closes twice
  double angle = 0.9, rate = 0.7;
};

// Two cranks q0 and q1 and a coupler p between them, 1 m and 1 kg each; angles from the horizontal.
// With a spring, a damper, gravity, and a pin that may shake.
Model make_four_bar(const FourBar& options) {
  Model model("four_bar");
  const Frame N = model.newtonian();
  const Quantity mass = model.parameter("m", 1 * kg), l = model.parameter("l", 1 * m);
  const Quantity g = model.parameter("g", 9.81 * m / s / s);
  const Quantity k = model.parameter("k", 3 * units::N / m),
                 c = model.parameter("c", 0.4 * units::N * m * s);
  const Quantity q0 =
      model.coordinate("q0", {.start = options.angle * rad, .start_rate = options.rate * rad / s});
  const Quantity p = model.coordinate("p", {.start = 0 * rad});
  const Quantity q1 = model.coordinate("q1", {.start = options.angle * rad});
  const Frame A = model.frame("A", rotate(N, Axis::z, q0));
  const Frame B = model.frame("B", rotate(N, Axis::z, p));
  const Frame D = model.frame("D", rotate(N, Axis::z, q1));
  const Point O = N.origin();
  const Point G =
      options.is_driven
          ? model.point("G", O + (l + model.specified("x", 0.1 * m * sin(2 / s * model.time()) +
                                                               0.2 * m / s * model.time())) *
                                     N.x())
          : model.point("G", O + l * N.x());
  const Point T0 = model.point("T0", O + l * A.x()), T1 = model.point("T1", G + l * D.x());
  const Point T2 = model.point("T2", T0 + l * B.x());
  model.body(A, {.at = O + l / 2 * A.x(), .mass = mass, .solid = rod(l, Axis::x)});
  model.body(B, {.at = T0 + l / 2 * B.x(), .mass = mass, .solid = rod(l, Axis::x)});
  model.body(D, {.at = G + l / 2 * D.x(), .mass = mass, .solid = rod(l, Axis::x)});
  model.constraint("loop", T2 - T1);
  if (options.is_twice) model.constraint("again", 2 * (T2 - T1));
  model.gravity(-g * N.y());
  const Point S = model.point("S", O - 3 * l / 4 * N.y());
  model.spring("spring", {.from = S, .to = T2, .stiffness = k, .rest = 0.5 * m});
  model.damper("damper", {.on = q1, .rate = c});
  return model;
}

// A particle on a circle whose radius R(t) is given.
Model make_circle(const std::function<Quantity(Model&)>& radius, double x, double y,
                  double x_rate) {
  Model model("circle");
  const Frame N = model.newtonian();
  const Quantity R = model.specified("R", radius(model));
  const Quantity qx = model.coordinate("x", {.start = x * m, .start_rate = x_rate * m / s});
  const Quantity qy = model.coordinate("y", {.start = y * m});
  model.particle("P", {.at = N.origin() + qx * N.x() + qy * N.y(), .mass = 2 * kg});
  model.constraint("ring", qx * qx + qy * qy - R * R);
  return model;
}

Quantity growing(Model& model) {
  return 1 * m + 0.3 * m / s * model.time() + 0.25 * m / s / s * model.time() * model.time();
}

void expect_close(double found, double expected, double tolerance, const char* what) {
  EXPECT_NEAR(found, expected, tolerance * (1 + std::abs(expected))) << what;
}

// ---- Against the constraints solved symbolically

void expect_as_embedded(const MotionRun& run, const EnergyValues& e, double tolerance) {
  const Energies& s = run.energies;
  const auto value = [&](const Expr& x) { return run.state.value(x); };
  EXPECT_TRUE(e.is_determined);
  EXPECT_FALSE(e.is_singular);
  EXPECT_EQ(e.dependent, s.embedded.dependent);
  expect_close(e.K, value(s.K), tolerance, "K");
  expect_close(e.K0, value(s.K0), tolerance, "K0");
  expect_close(e.K1, value(s.K1), tolerance, "K1");
  expect_close(e.K2, value(s.K2), tolerance, "K2");
  expect_close(e.U, value(s.U), tolerance, "U");
  expect_close(e.sigma, value(s.sigma), tolerance, "sigma");
  expect_close(e.sigma_R, value(s.sigma_R), tolerance, "sigma_R");
  expect_close(e.P, value(s.P), tolerance, "P");
  expect_close(e.P_nonconservative, value(s.P_nonconservative), tolerance, "P_nonconservative");
  expect_close(e.E, value(s.K2 + s.U), tolerance, "E");
  expect_close(e.H, value(s.K2 - s.K0 + s.U), tolerance, "H");
  expect_close(e.C, value(s.K + s.U), tolerance, "C");
  expect_close(e.Z_rate, value(s.sigma_R - s.P_nonconservative), tolerance, "Z'");
  ASSERT_EQ(e.loads.size(), s.loads.size());
  for (std::size_t i = 0; i < e.loads.size(); ++i) {
    const char* name = s.loads[i].name.c_str();
    expect_close(e.loads[i].power, value(s.loads[i].power), tolerance, name);
    expect_close(e.loads[i].generalized_power, value(s.loads[i].generalized_power), tolerance,
                 name);
    expect_close(e.loads[i].potential, value(s.loads[i].potential), tolerance, name);
    expect_close(e.loads[i].nonconservative_power, value(s.loads[i].nonconservative_power),
                 tolerance, name);
  }
}

TEST(EnergySolver, agrees_with_constraints_solved_symbolically) {
  const std::vector<std::function<Model()>> models = {
      [] { return make_hoist(); },
      [] { return make_device({.stretch = 0.05, .stretch_rate = 0.3, .spin = 1}); },
      [] { return make_device({.is_ramp = false, .is_rigid = true, .spin = 1}); },
      [] { return make_four_bar({}); },
      [] { return make_four_bar({.is_twice = true}); },
      [] { return make_four_bar({.is_driven = false}); },
      [] { return make_circle(growing, 0.6, 0.8, 0.4); },
  };
  for (std::size_t i = 0; i < models.size(); ++i) {
    SCOPED_TRACE("model " + std::to_string(i));
    const Model model = models[i]();
    MotionRun run(model);
    for (int k = 0; k < 3; ++k) {
      expect_as_embedded(run, run.values(), 1e-10);  // rounding of a few solves
      run.go(run.t + 0.1, 10);
    }
  }
}

TEST(EnergySolver, formal_terms_are_enough) {
  const Model model = make_four_bar({});
  const MotionRun run(model);
  const Equations& equations = run.energies.equations;
  const VelocitySplit split(equations);
  const EnergyTerms formal = analyze_formal_energy(equations, split, nullptr);
  const EnergySolver solve(equations, split, formal, choose_dependent_speeds(equations));
  expect_as_embedded(run, solve(run.state), 1e-10);
}

// ---- Against differences along the motion

// d/dt (K2 + U) = P_nonconservative - sigma_R, (4); with K0 subtracted, - sigma, (5); and K's own
// parts add up. Differences of order 8.
void expect_balance(MotionRun& run, const std::vector<int>& dependent) {
  constexpr double h = 1.0 / 512;
  constexpr std::array<double, 4> weights = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const auto look = [&](double time) {
    const Numbers there = run.after(time);
    run.settle(run.t + time, there);
    return run.solve(run.state, dependent);
  };
  double E_rate = 0, H_rate = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double time = h * static_cast<double>(k + 1);
    const EnergyValues ahead = look(time), behind = look(-time);
    E_rate += weights[k] * (ahead.E - behind.E) / h;
    H_rate += weights[k] * (ahead.H - behind.H) / h;
  }
  run.settle(run.t, run.y);
  const EnergyValues e = run.solve(run.state, dependent);
  ASSERT_EQ(e.dependent, dependent);
  ASSERT_TRUE(e.is_determined);
  // Truncation h^8 of motions at a few rad/s, rounding 1e-15/h.
  expect_close(E_rate, e.P_nonconservative - e.sigma_R, 1e-10, "E'");
  expect_close(H_rate, e.P_nonconservative - e.sigma, 1e-10, "H'");
  expect_close(e.K0 + e.K1 + e.K2, e.K, 1e-13, "K");
  EXPECT_GT(std::abs(e.sigma_R), 1e-4);  // not a test of zeros
}

TEST(EnergySolver, energy_changes_at_the_rate_of_Z_whichever_speeds_are_dependent) {
  const Model bar = make_four_bar({}), twice = make_four_bar({.is_twice = true}),
              circle = make_circle(growing, 0.6, 0.8, 0.4),
              device =
                  make_device({.damping = 0.02, .stretch = 0.05, .stretch_rate = 0.3, .spin = 1});
  for (const Model* model : {&bar, &twice, &circle, &device}) {
    SCOPED_TRACE(model->name());
    MotionRun run(*model);
    run.go(0.3, 30);
    expect_balance(run, run.energies.embedded.dependent);
  }
  for (const Model* model : {&bar, &twice}) {
    MotionRun run(*model);
    run.go(0.3, 30);
    for (const std::vector<int>& dependent : {std::vector<int>{0, 1}, {0, 2}, {1, 2}})
      expect_balance(run, dependent);
  }
}

// ---- Closed forms

// (1) for one row x x' + y y' - R R' = 0: w_y = R R'/y, w_y' = ((R R')' - y' w_y)/y, or the same
// with x.
TEST(EnergySolver, a_growing_circle_in_both_partitions) {
  const Model model = make_circle(growing, 0.6, 0.8, 0.4);
  MotionRun run(model);
  const double x = 0.6, y = 0.8, vx = 0.4, R = 1, dR = 0.3, ddR = 0.5, mass = 2;
  const double vy = (R * dR - x * vx) / y;
  const double half = R * dR, half_rate = dR * dR + R * ddR;
  const auto expect_values = [&](int dependent, double q, double v) {
    const EnergyValues e = run.solve(run.state, {dependent});
    const double w = half / q, dw = (half_rate - v * w) / q;
    const double other = vx * vx + vy * vy - v * v;
    EXPECT_EQ(e.dependent, std::vector<int>{dependent});
    expect_close(e.K0, mass * w * w / 2, 1e-13, "K0");
    expect_close(e.K1, mass * w * (v - w), 1e-13, "K1");
    expect_close(e.K2, mass * ((v - w) * (v - w) + other) / 2, 1e-13, "K2");
    expect_close(e.sigma, mass * v * dw, 1e-13, "sigma");
    expect_close(e.sigma_R, mass * (v - w) * dw, 1e-13, "sigma_R");
  };
  expect_values(1, y, vy);
  expect_values(0, x, vx);
}

// At y = 0 the row says nothing about y'; x is dependent there: w_x = R', w_x' = R''.
TEST(EnergySolver, other_speeds_are_dependent_where_those_of_the_start_are_not_regular) {
  const Model model = make_circle(growing, 0.6, 0.8, 0.4);
  MotionRun run(model);
  ASSERT_EQ(run.energies.embedded.dependent, std::vector<int>{1});
  for (const double y : {0.0, 1e-12, -1e-8}) {
    run.put(0, {1, y, 0.3, 0.7, 0});
    const EnergyValues e = run.solve(run.state);
    EXPECT_EQ(e.dependent, std::vector<int>{0});
    EXPECT_FALSE(e.is_singular);
    EXPECT_TRUE(e.is_determined);
    expect_close(e.K0, 0.3 * 0.3, 1e-7, "K0");
    expect_close(e.K2, 0.7 * 0.7, 1e-7, "K2");
    expect_close(e.sigma, 2 * 0.3 * (0.34 + 0.25 - 0.09), 1e-7, "sigma");
    expect_close(e.sigma_R, 0, 1e-7, "sigma_R");
  }
}

// Flat, a parallel four-bar loses a row. Nothing drives it: w = 0 and K2 = K whichever speeds are
// dependent, K = 1/2 (1/3 + 1 + 1/3) m l^2 q'^2 (validation: n_four_bar).
TEST(EnergySolver, a_flat_four_bar_has_its_energies) {
  const Model model = make_four_bar({.is_driven = false});
  MotionRun run(model);
  EXPECT_EQ(run.energies.embedded.dependent.size(), 2u);
  for (const double angle : {0.0, std::acos(-1.0)}) {
    run.put(0, {angle, 0, angle, 1.5, 0, 1.5, 0});
    const EnergyValues e = run.solve(run.state);
    EXPECT_EQ(e.dependent.size(), 1u);
    EXPECT_TRUE(e.is_singular);
    EXPECT_TRUE(e.is_determined);
    expect_close(e.K, 5.0 / 6 * 1.5 * 1.5, 1e-14, "K");
    expect_close(e.K2, e.K, 1e-14, "K2");
    EXPECT_EQ(e.K0, 0.0);
    EXPECT_EQ(e.sigma_R, 0.0);
    // The spring from (0, -3/4) to (1 + cos, 0), weights at height 0; the damper on q1.
    const double stretch = std::hypot(1 + std::cos(angle), 0.75) - 0.5;
    expect_close(e.U, 1.5 * stretch * stretch, 1e-14, "U");
    expect_close(e.P_nonconservative, -0.4 * 1.5 * 1.5, 1e-14, "P_nonconservative");
  }
}

// ---- What cannot be had

// x^2 + y^2 = (a t)^2 at t = 0: the row is empty, its derivative asks for what w = 0 cannot give.
TEST(EnergySolver, a_rate_that_no_transport_speeds_have_is_told) {
  const auto opening = [](Model& model) { return 1.5 * m / s * model.time(); };
  const Model model = make_circle([&](Model& m1) { return opening(m1) + 0.5 * m; }, 0.3, 0.4, 0.2);
  MotionRun run(model);
  // The radius R = 1.5 t + 0.5 vanishes at t = -1/3.
  run.put(-1.0 / 3, {0, 0, 0.9, 1.2, 0});
  const EnergyValues e = run.solve(run.state);
  EXPECT_TRUE(e.is_singular);
  EXPECT_FALSE(e.is_determined);
  EXPECT_TRUE(e.dependent.empty());
  expect_close(e.K, 1.5 * 1.5, 1e-14, "K");
  expect_close(e.K2, 1.5 * 1.5, 1e-14, "K2");
  EXPECT_EQ(e.K0, 0.0);
  EXPECT_TRUE(std::isnan(e.sigma));
  EXPECT_TRUE(std::isnan(e.sigma_R));
  EXPECT_TRUE(std::isnan(e.Z_rate));
}

// The ring is to widen where the particle cannot follow: no speeds satisfy the row.
TEST(EnergySolver, rows_that_no_speeds_satisfy_leave_the_parts_of_K_open) {
  const Model model = make_circle(growing, 0.6, 0.8, 0.4);
  MotionRun run(model);
  run.put(0, {0, 0, 0.9, 1.2, 0});
  const EnergyValues e = run.solve(run.state);
  EXPECT_FALSE(e.is_determined);
  expect_close(e.K, 0.81 + 1.44, 1e-14, "K");
  EXPECT_EQ(e.U, 0.0);
  expect_close(e.C, 0.81 + 1.44, 1e-14, "C");
  for (const double x : {e.K0, e.K1, e.K2, e.E, e.H, e.sigma, e.Z_rate}) EXPECT_TRUE(std::isnan(x));
}

TEST(EnergySolver, a_load_without_a_value_is_told) {
  Model model("pull");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 1 * m, .start_rate = 2 * m / s});
  const Point P = model.particle("P", {.at = N.origin() + x * N.x(), .mass = 1 * kg});
  model.force("F", {.on = P, .value = 1 * units::N * m / x * N.x()});
  MotionRun run(model);
  EXPECT_TRUE(run.values().is_determined);
  run.put(0, {0, 2, 0});
  const EnergyValues e = run.solve(run.state);
  EXPECT_FALSE(e.is_determined);
  EXPECT_EQ(e.K, 2.0);
  EXPECT_TRUE(std::isnan(e.P));
}

TEST(EnergySolver, a_state_without_speeds_is_refused_by_name) {
  const Model model = make_hoist();
  const Kinematics motion = analyze_motion(model);
  const EnergySolver solve(analyze_energy(derive(motion)));
  try {
    solve(make_start_state(motion.model()));
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("theta'"), std::string::npos) << error.what();
  }
}

// ---- Runs that others computed (DOP853 with tolerance 1e-13, closed equations of the seed)

constexpr double outside_digits = 1e-9;

struct Outcome {
  Device device;
  double s, ds, wy, Z;
};

// E_Z = K2 + U + Z starts at 0 but where a sphere turns.
void expect_outcome(const Outcome& expected) {
  const Model model = make_device(expected.device);
  MotionRun run(model);
  const double start = run.values().E;
  const auto look = [&] {
    const EnergyValues e = run.values();
    ASSERT_TRUE(e.is_determined);
    EXPECT_NEAR(e.E + run.Z(), start, 1e-10);  // E_Z
  };
  // Damping brings a rate of b/(0.4 m r^2) = 500/s.
  const bool is_damped = expected.device.damping > 0;
  run.go(0.1, is_damped ? 100 : 5, look);
  run.go(4, is_damped ? 975 : 195, look);
  EXPECT_NEAR(run.value("s"), expected.s, outside_digits * (std::abs(expected.s) + 1e-3));
  EXPECT_NEAR(run.value("ds"), expected.ds, outside_digits * (std::abs(expected.ds) + 1e-3));
  EXPECT_NEAR(run.value("wy"), expected.wy, outside_digits * (std::abs(expected.wy) + 1e-3));
  EXPECT_NEAR(run.Z(), expected.Z, outside_digits * std::abs(expected.Z));
}

TEST(EnergySolver, positioning_device_at_a_constant_rate) {
  expect_outcome(
      {{.is_ramp = false, .damping = 0}, 0.0655758198204, 1.24616076508, 0, -1.5170604712});
  expect_outcome({{.is_ramp = false}, 0.122567983272, 0.00317951914895, 4, -1.53429812889});
}

TEST(EnergySolver, positioning_device_while_it_speeds_up) {
  expect_outcome({{.damping = 0}, 0.0287547472978, 0.014944669078, 0, -0.0828398894095});
  expect_outcome({{}, 0.017630149948, 0.0108375176069, 1.999, -0.0391564369704});
}

TEST(EnergySolver, positioning_device_with_a_rigid_tube) {
  expect_outcome({{.is_ramp = false, .is_rigid = true}, 0, 0, 4, -0.032});
  expect_outcome({{.is_rigid = true}, 0, 0, 1.999, -0.007992002});
}

// H = K2 - K0 + U = -0.7 m L^2 Omega^2 at the start.
TEST(EnergySolver, the_hamiltonian_of_the_undamped_device_stays) {
  const Model model = make_device({.is_ramp = false, .damping = 0});
  MotionRun run(model);
  expect_close(run.values().H, -11.2, 1e-14, "H at the start");
  run.go(4, 100, [&] { EXPECT_NEAR(run.values().H, -11.2, 1e-10) << run.t; });
}

// E = -m g L cos(30 deg) at the start.
TEST(EnergySolver, the_generalized_energy_of_the_hoist_stays_and_others_do_not) {
  const Model model = make_hoist();
  MotionRun run(model);
  const double E = -9.8 * std::sqrt(3.0) / 2;
  ASSERT_NEAR(E, -8.4870489570875, 1e-13);
  double lowest_H = 0, highest_C = -20;
  run.go(10, 200, [&] {
    const EnergyValues e = run.values();
    EXPECT_NEAR(e.E, E, 1e-11) << run.t;
    EXPECT_EQ(e.Z_rate, 0.0);
    lowest_H = std::min(lowest_H, e.H);
    highest_C = std::max(highest_C, e.C);
  });
  // K0 = 3/2 x'^2 reaches 13.5 J.
  EXPECT_NEAR(lowest_H, E - 13.5, 0.1);
  EXPECT_NEAR(highest_C, E + 13.5, 0.1);
  EXPECT_NEAR(run.value("theta"), -0.2986547107168, outside_digits * 0.3);
  EXPECT_NEAR(run.value("theta'"), 1.801677426449, outside_digits * 1.8);
}

}  // namespace
}  // namespace visviva
