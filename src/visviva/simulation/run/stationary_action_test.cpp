// Hamilton's principle: along the true path the action is stationary against variations that vanish at
// both ends (docs/theory/integrators.md (2)).
//
// The path q(t) comes from an accurate integration; its variation is q + e phi, phi zero at both ends.
// With L = K - U of the compiled energies along (t, q + e phi, q' + e phi'),
//   S(e) = integral of L dt                                                                      (1)
// has S'(0) = 0 there. S is summed by Gauss's formula, at nodes where integration steps end.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/simulation/integrators/function_rates_test.h"

namespace visviva {
namespace {

using namespace units;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double until = 1.5;

// Nodes of Gauss's formula with five points on each of many pieces: exact to degree 9 in each.
struct Nodes {
  std::vector<double> times, weights;
};

Nodes make_nodes(int pieces) {
  const double a = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3,
               b = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
  const double wa = (322 + 13 * std::sqrt(70.0)) / 900, wb = (322 - 13 * std::sqrt(70.0)) / 900;
  const double x[] = {-b, -a, 0, a, b}, w[] = {wb, wa, 128.0 / 225, wa, wb};
  Nodes nodes;
  const double half = until / pieces / 2;
  for (int k = 0; k < pieces; ++k) {
    for (int i = 0; i < 5; ++i) {
      nodes.times.push_back(half * (2 * k + 1 + x[i]));
      nodes.weights.push_back(half * w[i]);
    }
  }
  return nodes;
}

class Principle {
 public:
  Principle(const Model& model, const VectorXd& start)
      : equations_(derive(analyze_motion(model))),
        system_(compile(equations_, analyze_energy(equations_))),
        p_(system_.prepare({})),
        nodes_(make_nodes(100)) {
    follow(start);
  }

  const CompiledSystem& system() const { return system_; }

  /// S(e) along q + e (sin(j pi t/until) d).
  double action(double e, int j, const VectorXd& d) const {
    const double k = j * std::acos(-1.0) / until;
    double S = 0.0;
    for (std::size_t i = 0; i < nodes_.times.size(); ++i) {
      const double t = nodes_.times[i];
      VectorXd y = path_.col(static_cast<Index>(i));
      y.head(d.size()) += e * std::sin(k * t) * d;
      y.tail(d.size()) += e * k * std::cos(k * t) * d;
      const SystemEnergies now = system_.compute_energies({t, y.data(), nullptr}, p_);
      S += nodes_.weights[i] * (now.K - now.U);
    }
    return S;
  }

  /// S'(0) and S''(0) by differences of order 6.
  std::pair<double, double> slopes(int j, const VectorXd& d) const {
    const double h = 0.005, first[] = {3.0 / 4, -3.0 / 20, 1.0 / 60},
                 second[] = {3.0 / 2, -3.0 / 20, 1.0 / 90};
    const double here = action(0, j, d);
    double slope = 0.0, curvature = -49.0 / 18 * here;
    for (int k = 1; k <= 3; ++k) {
      const double plus = action(k * h, j, d), minus = action(-k * h, j, d);
      slope += first[k - 1] * (plus - minus);
      curvature += second[k - 1] * (plus + minus);
    }
    return {slope / h, curvature / (h * h)};
  }

  /// The output action() at the end, integrated along with the motion.
  double output() const { return output_; }

  /// Adds to the path what no force explains.
  void bend(double amount) {
    for (std::size_t i = 0; i < nodes_.times.size(); ++i) {
      const double t = nodes_.times[i];
      path_(0, static_cast<Index>(i)) += amount * t * t;
      path_(path_.rows() / 2, static_cast<Index>(i)) += 2 * amount * t;
    }
  }

 private:
  // States at the nodes, by steps that end there.
  void follow(const VectorXd& start) {
    std::vector<double> y(start.data(), start.data() + start.size());
    y.resize(y.size() + system_.quadrature_names().size(), 0.0);
    FunctionRates rates(
        y.size(),
        [this](double t, const double* at, double* r) {
          return system_.compute_rates_and_quadratures({t, at, nullptr}, p_, r) == MotionStatus::ok;
        },
        [](double, const double*, double*, double*) { return false; });
    const auto stepper = make_stepper("verner98", rates);
    ASSERT_TRUE(stepper->restart(0.0, y.data()));
    path_.resize(start.size(), static_cast<Index>(nodes_.times.size()));
    for (std::size_t i = 0; i < nodes_.times.size(); ++i) {
      const PlainRun run = run_plainly(*stepper, nodes_.times[i], 1e-13, 1e-2);
      ASSERT_TRUE(run.is_done);
      path_.col(static_cast<Index>(i)) = Eigen::Map<const VectorXd>(stepper->state(), start.size());
    }
    ASSERT_TRUE(run_plainly(*stepper, until, 1e-13, 1e-2).is_done);
    if (!system_.output_names().empty())
      system_.compute_outputs({until, stepper->state(), nullptr}, p_,
                              stepper->state() + start.size(), &output_);
  }

  Equations equations_;
  CompiledSystem system_;
  PreparedParameters p_;
  Nodes nodes_;
  MatrixXd path_;  // (q, q'), one column a node
  double output_ = 0.0;
};

// The path and its integral are known to 1e-12, differences of them to 1e-12/0.005; those of order 6 leave
// 0.005^6/140 of a seventh derivative, up to 1e5 here.
constexpr double zero_tolerance = 1e-9;

void expect_stationary(Principle* principle, Index n) {
  for (int j = 1; j <= 3; ++j) {
    for (Index i = 0; i < n; ++i) {
      const auto slopes = principle->slopes(j, VectorXd::Unit(n, i));
      EXPECT_LT(std::abs(slopes.first), zero_tolerance) << "variation " << j << ", " << i;
      EXPECT_GT(std::abs(slopes.second), 0.1) << "variation " << j << ", " << i;
    }
  }
  principle->bend(0.01);
  EXPECT_GT(std::abs(principle->slopes(1, VectorXd::Unit(n, 0)).first), 1e-3);
}

TEST(StationaryAction, of_a_double_pendulum) {
  Model model("double_pendulum");
  const Frame N0 = model.newtonian();
  const Quantity a = model.coordinate("a"), b = model.coordinate("b");
  const Frame A = model.frame("A", rotate(N0, Axis::z, a)),
              B = model.frame("B", rotate(N0, Axis::z, b));
  const Point P = model.particle("P", {.at = N0.origin() - 1 * m * A.y(), .mass = 1 * kg});
  model.particle("Q", {.at = P - 0.7 * m * B.y(), .mass = 2 * kg});
  model.gravity(-9.81 * m / (s * s) * N0.y());
  model.output("S", model.result("action()"));
  Principle principle(model, (VectorXd(4) << 0.9, -0.4, 1.0, 0.5).finished());
  EXPECT_NEAR(principle.output(), principle.action(0.0, 1, VectorXd::Ones(2)), 1e-11);
  expect_stationary(&principle, 2);
}

// The pivot moves by itself: K holds its rate, and V where it is. U leaves out what the pivot alone
// changes, m g lift.
TEST(StationaryAction, of_a_pendulum_on_a_driven_pivot) {
  Model model("driven");
  const Frame N0 = model.newtonian();
  const Quantity q = model.coordinate("q"), t = model.time();
  const Quantity lift = model.specified("lift", 0.2 * m * cos(7 * rad / s * t)),
                 side = model.specified("side", 0.3 * m * sin(3 * rad / s * t));
  const Frame A = model.frame("A", rotate(N0, Axis::z, q));
  model.particle(
      "P", {.at = N0.origin() + side * N0.x() + lift * N0.y() - 1 * m * A.y(), .mass = 1 * kg});
  model.gravity(-9.81 * m / (s * s) * N0.y());
  model.output("S", model.result("action()"));
  Principle principle(model, (VectorXd(2) << 0.9, 1.5).finished());
  const double lifting = 1 * 9.81 * 0.2 * std::sin(7 * until) / 7;  // integral of m g lift
  EXPECT_NEAR(principle.output(), principle.action(0.0, 1, VectorXd::Ones(1)) - lifting, 1e-11);
  expect_stationary(&principle, 1);
}

// A potential that changes with time by itself, (34) with V(q, t).
TEST(StationaryAction, of_a_mass_in_a_potential_that_changes_with_time) {
  Model model("swelling");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x"), t = model.time();
  const Quantity swell = 1 + 0.5 * sin(4 * rad / s * t);
  model.particle("P", {.at = N0.origin() + x * N0.x(), .mass = 2 * kg});
  model.potential("well", 8 * J * swell * (1 - cos(3 * rad / m * x)));
  Principle principle(model, (VectorXd(2) << 0.4, 0.7).finished());
  // U is this but for terms of time alone.
  const double low[] = {0.0, 0.1}, high[] = {0.3, 0.1}, time = 0.2;
  const PreparedParameters p = principle.system().prepare({});
  const double rise = principle.system().compute_energies({time, high, nullptr}, p).U -
                      principle.system().compute_energies({time, low, nullptr}, p).U;
  EXPECT_NEAR(rise, 8 * (1 + 0.5 * std::sin(0.8)) * (1 - std::cos(0.9)), 1e-13);
  expect_stationary(&principle, 1);
}

// A damper has no potential: then S is not stationary, and its slope is minus the virtual work of (35).
TEST(StationaryAction, fails_by_the_virtual_work_of_forces_without_a_potential) {
  const double damping = 0.8;
  Model model("damped");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x");
  model.particle("P", {.at = N0.origin() + x * N0.x(), .mass = 2 * kg});
  model.spring("S", {.on = x, .stiffness = 8 * units::N / m});
  model.damper("D", {.on = x, .rate = damping * units::N * s / m});
  Principle principle(model, (VectorXd(2) << 0.4, 0.7).finished());
  // x = exp(-d t) (X cos w t + Y sin w t), d = c/2m, w^2 = k/m - d^2
  const double d = damping / 4, w = std::sqrt(4 - d * d), X = 0.4, Y = (0.7 + d * X) / w;
  const double k = std::acos(-1.0) / until;
  const Nodes nodes = make_nodes(100);
  double work = 0.0;
  for (std::size_t i = 0; i < nodes.times.size(); ++i) {
    const double t = nodes.times[i];
    const double rate =
        std::exp(-d * t) * ((w * Y - d * X) * std::cos(w * t) - (w * X + d * Y) * std::sin(w * t));
    work += nodes.weights[i] * -damping * rate * std::sin(k * t);
  }
  EXPECT_GT(std::abs(work), 0.01);
  EXPECT_NEAR(principle.slopes(1, VectorXd::Ones(1)).first, -work, zero_tolerance);
}

}  // namespace
}  // namespace visviva
