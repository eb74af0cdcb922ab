// Variational steps of compiled mechanisms: symplectic, with cyclic momenta kept, the discrete action
// stationary, prescribed motions followed.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "visviva/base/refusal_test.h"
#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/simulation/integrators/function_rates_test.h"
#include "visviva/simulation/integrators/method_trouble_test.h"
#include "visviva/simulation/integrators/system_momenta.h"

namespace visviva {
namespace {

using namespace units;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

CompiledSystem compile_model(const Model& model) {
  const Equations equations = derive(analyze_motion(model));
  return compile(equations, analyze_energy(equations));
}

constexpr double gravity = 9.81;

CompiledSystem make_double_pendulum() {
  Model model("double_pendulum");
  const Frame N0 = model.newtonian();
  const Quantity a = model.coordinate("a"), b = model.coordinate("b");
  const Frame A = model.frame("A", rotate(N0, Axis::z, a)),
              B = model.frame("B", rotate(N0, Axis::z, b));
  const Point P = model.particle("P", {.at = N0.origin() - 1 * m * A.y(), .mass = 1 * kg});
  model.particle("Q", {.at = P - 0.7 * m * B.y(), .mass = 2 * kg});
  model.gravity(-gravity * m / (s * s) * N0.y());
  return compile_model(model);
}

// The pivot moves as amplitude cos(w t), upward.
CompiledSystem make_driven_pendulum(double amplitude, double w) {
  Model model("driven_pendulum");
  const Frame N0 = model.newtonian();
  const Quantity q = model.coordinate("q");
  const Quantity lift = model.specified("lift", amplitude * m * cos(w * rad / s * model.time()));
  const Frame A = model.frame("A", rotate(N0, Axis::z, q));
  model.particle("P", {.at = N0.origin() + lift * N0.y() - 1 * m * A.y(), .mass = 1 * kg});
  model.gravity(-gravity * m / (s * s) * N0.y());
  return compile_model(model);
}

// Runs from `state` (quadratures zero are added); `watch` sees every step.
std::vector<double> run(const CompiledSystem& system, const VectorXd& state,
                        const VariationalOptions& options,
                        const std::function<void(const VariationalRunner&)>& watch = nullptr) {
  const PreparedParameters p = system.prepare({});
  SystemMomenta momenta(system, p);
  VariationalRunner runner(momenta, options);
  std::vector<double> y(state.data(), state.data() + state.size());
  y.resize(y.size() + momenta.quadrature_count(), 0.0);
  EXPECT_TRUE(runner.restart(0.0, y.data())) << runner.reason();
  if (watch) watch(runner);
  while (runner.time() < options.until) {
    if (!runner.step()) {
      ADD_FAILURE() << runner.reason();
      break;
    }
    if (watch) watch(runner);
  }
  return {runner.state(), runner.state() + y.size()};
}

// ---- Symplectic

// (q, p) at the end of a run from (q, p); u = M^-1 (p - p(u = 0)).
VectorXd flow(const CompiledSystem& system, const VectorXd& start,
              const VariationalOptions& options) {
  const PreparedParameters prepared = system.prepare({});
  const Index n = start.size() / 2;
  VectorXd y = start, p(n), g(n);
  y.tail(n).setZero();
  MomentumJacobian J;
  system.compute_momenta({0.0, y.data(), nullptr}, prepared, p.data(), g.data(), &J);
  y.tail(n) = J.momenta_by_u.inverse() * (start.tail(n) - p);
  VectorXd end(2 * n);
  run(system, y, options, [&](const VariationalRunner& r) {
    end << Eigen::Map<const VectorXd>(r.state(), n), Eigen::Map<const VectorXd>(r.momenta(), n);
  });
  return end;
}

double find_symplectic_defect(const CompiledSystem& system, const VectorXd& start,
                              const VariationalOptions& options) {
  const Index n = start.size() / 2;
  MatrixXd D(2 * n, 2 * n), J = MatrixXd::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -MatrixXd::Identity(n, n);
  const double h = 1e-3, factors[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
  for (Index j = 0; j < 2 * n; ++j) {
    D.col(j).setZero();
    for (int k = 1; k <= 3; ++k)
      D.col(j) += factors[k - 1] / h *
                  (flow(system, start + k * h * VectorXd::Unit(2 * n, j), options) -
                   flow(system, start - k * h * VectorXd::Unit(2 * n, j), options));
  }
  EXPECT_GT((D - MatrixXd::Identity(2 * n, 2 * n)).cwiseAbs().maxCoeff(), 0.1);
  return (D.transpose() * J * D - J).cwiseAbs().maxCoeff();
}

// Steps far too long to be accurate: the property is the map's own. 1e-8 is what differences of order
// 6 leave: h^6 times the seventh derivative.
TEST(VariationalSystem, the_map_of_a_double_pendulum_is_symplectic) {
  const CompiledSystem system = make_double_pendulum();
  const VectorXd start = (VectorXd(4) << 0.9, -0.4, 1.0, 0.5).finished();
  for (const int order : {2, 4})
    EXPECT_LT(find_symplectic_defect(system, start, {.until = 0.5, .step = 0.1, .order = order}),
              1e-8)
        << order;
}

TEST(VariationalSystem, the_map_of_a_driven_pendulum_is_symplectic) {
  const CompiledSystem system = make_driven_pendulum(0.1, 20.0);
  const VectorXd start = (VectorXd(2) << 0.9, 1.5).finished();
  EXPECT_LT(find_symplectic_defect(system, start, {.until = 0.5, .step = 0.05}), 1e-8);
}

// x'' = B (x, x') by the midpoint rule is Cayley's (1 - hB/2)^-1 (1 + hB/2), so with damping c and
// stiffness k per mass areas shrink in a step by (1 - hc/2 + h^2 k/4)/(1 + hc/2 + h^2 k/4).
TEST(VariationalSystem,
     the_map_of_a_damped_mass_is_not_symplectic_but_shrinks_areas_as_cayley_says) {
  const double c = 0.5, k = 4.0, h = 0.01;
  Model model("damped");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x");
  model.particle("P", {.at = N0.origin() + x * N0.x(), .mass = 1 * kg});
  model.spring("S", {.on = x, .stiffness = k * units::N / m});
  model.damper("D", {.on = x, .rate = c * units::N * s / m});
  const CompiledSystem system = compile_model(model);
  MatrixXd D(2, 2);
  for (Index j = 0; j < 2; ++j)  // linear
    D.col(j) = flow(system, VectorXd::Unit(2, j), {.until = 1.0, .step = h});
  const double r = h * h * k / 4, shrinking = (1 - h * c / 2 + r) / (1 + h * c / 2 + r);
  EXPECT_NEAR(D.determinant(), std::pow(shrinking, 100), 1e-13);
}

// ---- Momenta of cyclic coordinates

// A spherical pendulum under a lift that slides freely along the pendulum's polar axis, without gravity:
// turning about that axis and sliding along it change nothing.
TEST(VariationalSystem, cyclic_momenta_stay_to_rounding_however_long_the_steps) {
  Model model("lift");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x"), f = model.coordinate("f"), q = model.coordinate("q");
  const Point C = model.particle("C", {.at = N0.origin() + x * N0.y(), .mass = 3 * kg});
  const Frame F = model.frame("F", rotate(N0, Axis::y, f)),
              A = model.frame("A", rotate(F, Axis::z, q));
  model.particle("P", {.at = C - 1 * m * A.y(), .mass = 2 * kg});
  model.spring("S", {.on = q, .stiffness = 5 * units::N * m / rad});
  const CompiledSystem system = compile_model(model);
  ASSERT_TRUE(system.has_momenta());
  const PreparedParameters p = system.prepare({});
  const VectorXd start = (VectorXd(6) << 0.0, 0.3, 0.9, 0.4, 1.1, 0.7).finished();
  VectorXd first(3), largest = VectorXd::Zero(3);
  run(system, start, {.until = 200.0, .step = 0.1}, [&](const VariationalRunner& r) {
    VectorXd momenta(3), rates(3);  // of the speeds that are shown
    system.compute_momenta({r.time(), r.state(), nullptr}, p, momenta.data(), rates.data());
    if (r.time() == 0.0) first = momenta;
    largest = largest.cwiseMax((momenta - first).cwiseAbs());
  });
  EXPECT_LT(largest(0), 1e-13);
  EXPECT_LT(largest(1), 1e-13);
  EXPECT_GT(largest(2), 0.1);
}

// In Cartesian coordinates the angular momentum belongs to none: the symmetry of L_d alone keeps it.
TEST(VariationalSystem,
     the_angular_momentum_of_a_planet_in_cartesian_coordinates_stays_to_rounding) {
  Model model("planet");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x"), y = model.coordinate("y");
  model.particle("P", {.at = N0.origin() + x * N0.x() + y * N0.y(), .mass = 1 * kg});
  model.potential("sun", -1 * units::N * m * m / sqrt(x * x + y * y));
  const CompiledSystem system = compile_model(model);
  const VectorXd start = (VectorXd(4) << 1.0, 0.0, 0.0, 1.2).finished();
  double change = 0.0;
  run(system, start, {.until = 1000.0, .step = 0.05}, [&](const VariationalRunner& r) {
    const double L = r.state()[0] * r.momenta()[1] - r.state()[1] * r.momenta()[0];
    change = std::max(change, std::abs(L - 1.2));
  });
  EXPECT_LT(change, 1e-12);  // 20000 steps of a few roundings each
}

// ---- The action

// S of (1), from the compiled energies, of the path `q`, one column a place.
double compute_action(const CompiledSystem& system, const MatrixXd& q, double h) {
  const PreparedParameters p = system.prepare({});
  double S = 0.0;
  for (Index k = 0; k + 1 < q.cols(); ++k) {
    VectorXd y(2 * q.rows());
    y << (q.col(k) + q.col(k + 1)) / 2, (q.col(k + 1) - q.col(k)) / h;
    const SystemEnergies e =
        system.compute_energies({(static_cast<double>(k) + 0.5) * h, y.data(), nullptr}, p);
    S += h * (e.K - e.U);
  }
  return S;
}

// dS/dq_k by differences of order 4, for all interior places.
double find_largest_slope(const CompiledSystem& system, const MatrixXd& path, double h) {
  double largest = 0.0;
  for (Index k = 1; k + 1 < path.cols(); ++k) {
    for (Index i = 0; i < path.rows(); ++i) {
      const double e = 1e-3;
      const auto at = [&](double x) {
        MatrixXd moved = path;
        moved(i, k) += x;
        return compute_action(system, moved, h);
      };
      const double slope = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
      largest = std::max(largest, std::abs(slope));
    }
  }
  return largest;
}

void expect_stationary(const CompiledSystem& system, const VectorXd& start) {
  const double h = 0.05, until = 1.0;
  const Index n = start.size() / 2;
  MatrixXd path(n, 21);
  Index k = 0;
  run(system, start, {.until = until, .step = h}, [&](const VariationalRunner& r) {
    path.col(k++) = Eigen::Map<const VectorXd>(r.state(), n);
  });
  ASSERT_EQ(k, 21);
  // e^4 of the fifth derivative, and rounding of S over e: 1e-11. Momenta are of order 1.
  EXPECT_LT(find_largest_slope(system, path, h), 1e-9);
  // Another path is not: M/h times what one place is moved by.
  path(0, 10) += 1e-3;
  EXPECT_GT(find_largest_slope(system, path, h), 1e-2);
}

TEST(VariationalSystem, the_discrete_action_is_stationary_at_every_interior_place) {
  expect_stationary(make_double_pendulum(), (VectorXd(4) << 0.9, -0.4, 1.0, 0.5).finished());
  expect_stationary(make_driven_pendulum(0.1, 20.0), (VectorXd(2) << 0.9, 1.5).finished());
}

// ---- Prescribed motions

// A mass on a spring in a box that moves as A sin(W t): x'' + w^2 x = A W^2 sin(W t) in the box, so from
// rest in the box (A W the box's own rate) x = B (sin(W t) - W/w sin(w t)), B = A W^2/(w^2 - W^2).
TEST(VariationalSystem, a_mass_in_a_driven_box_converges_to_its_closed_form_with_order_2) {
  const double A = 0.3, W = 1.7, w = 2.5, until = 4.0;
  Model model("box");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x");
  const Quantity box = model.specified("box", A * m * sin(W * rad / s * model.time()));
  model.particle("P", {.at = N0.origin() + (box + x) * N0.x(), .mass = 2 * kg});
  model.spring("S", {.on = x, .stiffness = 2 * w * w * units::N / m});
  const CompiledSystem system = compile_model(model);
  const double B = A * W * W / (w * w - W * W),
               expected = B * (std::sin(W * until) - W / w * std::sin(w * until));
  double errors[2];
  for (int k = 0; k < 2; ++k)
    errors[k] =
        run(system, VectorXd::Zero(2), {.until = until, .step = 0.02 / (1 + k)})[0] - expected;
  EXPECT_LT(std::abs(errors[0]), 1e-3);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.05);
}

// P. L. Kapitza, 1951: upside down is stable where (amplitude w)^2 > 2 gravity length, and the
// pendulum then swings slowly about it. The reference is an explicit method of order 9.
TEST(VariationalSystem, kapitzas_pendulum_stands_and_converges_with_order_2_and_4) {
  const double amplitude = 0.1, until = 2.0;
  const CompiledSystem system = make_driven_pendulum(amplitude, 100.0),
                       slow = make_driven_pendulum(amplitude, 30.0);
  const double upright = std::acos(-1.0);
  const VectorXd start = (VectorXd(2) << upright - 0.2, 0.0).finished();
  double lowest = 0.0, lowest_slow = 0.0;
  run(system, start, {.until = 10.0, .step = 1e-3}, [&](const VariationalRunner& r) {
    lowest = std::max(lowest, std::abs(r.state()[0] - upright));
  });
  run(slow, start, {.until = 10.0, .step = 1e-3}, [&](const VariationalRunner& r) {
    lowest_slow = std::max(lowest_slow, std::abs(r.state()[0] - upright));
  });
  EXPECT_LT(lowest, 0.5);
  EXPECT_GT(lowest_slow, 1.5);

  const PreparedParameters p = system.prepare({});
  FunctionRates rates(
      2,
      [&](double t, const double* y, double* r) {
        return system.compute_rates({t, y, nullptr}, p, r) == MotionStatus::ok;
      },
      [](double, const double*, double*, double*) { return false; });
  const auto stepper = make_stepper("verner98", rates);
  ASSERT_TRUE(stepper->restart(0.0, start.data()));
  const PlainRun reference = run_plainly(*stepper, until, 1e-13, 1e-3);
  ASSERT_TRUE(reference.is_done);
  for (const int order : {2, 4}) {
    double errors[2];
    for (int k = 0; k < 2; ++k)
      errors[k] = run(system, start, {.until = until, .step = 2e-3 / (1 + k), .order = order})[0] -
                  reference.state[0];
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.1);
  }
}

TEST(VariationalSystem, systems_without_momenta_are_refused_with_the_reason) {
  Model model("constrained");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x"), y = model.coordinate("y");
  model.particle("P", {.at = N0.origin() + x * N0.x() + y * N0.y(), .mass = 2 * kg});
  model.constraint("line", x - y);
  const CompiledSystem system = compile_model(model);
  const PreparedParameters p = system.prepare({});
  EXPECT_TRUE(says(refusal([&] { SystemMomenta momenta(system, p); }), "without constraints"));
  ASSERT_TRUE(system.momenta_obstacle());
  EXPECT_EQ(system.momenta_obstacle()->kind, NoMomenta::Kind::constrained);
  const CompiledSystem other = make_double_pendulum();
  const PreparedParameters q = other.prepare({});
  EXPECT_TRUE(says(refusal([&] { SystemMomenta momenta(other, q, {1.0}); }), "0 inputs"));
}

}  // namespace
}  // namespace visviva
