// Which speeds are dependent: a choice that is kept, judged and changed while E_Z goes on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "visviva/codegen/system/compiled_system_test.h"

namespace visviva {
namespace {

using namespace units;

CompiledSystem compile_without_slopes(const Model& model) {
  const Equations equations = derive(analyze_motion(model));
  return compile(equations, analyze_energy(equations), {.jacobian = false, .sensitivities = false});
}

// A particle on a circle whose center moves: (x - a t)^2 + y^2 = l^2. y' is dependent by
// y' = -(x - a t)(x' - a)/y, which is singular where the string is horizontal.
CompiledSystem make_carried_pendulum() {
  Model model("carried");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m, .start_rate = 3 * m / s}),
                 y = model.coordinate("y", {.start = -2 * m});
  const Quantity s = x - 0.5 * m / units::s * model.time();
  model.particle("P", {.at = N0.origin() + x * N0.x() + y * N0.y(), .mass = 2 * kg});
  model.constraint("string", s * s + y * y - 4 * m * m);
  model.dependent(model.rate(y));
  return compile_without_slopes(model);
}

// With y' dependent w = (0, a s/y), with x' dependent w = (a, 0); K2 = m (u - w)^2/2.
TEST(Partition, splits_the_kinetic_energy_as_it_is_told) {
  const CompiledSystem system = make_carried_pendulum();
  ASSERT_TRUE(system.has_moving_constraints());
  const PreparedParameters p = system.prepare({});
  const double angle = 0.4, along = 3.0, a = 0.5, t = 1.5;  // u = (a, 0) + along the circle
  const double s = 2 * std::sin(angle), y = -2 * std::cos(angle);
  const double u = a + along * std::cos(angle), v = along * std::sin(angle);
  const double state[] = {s + a * t, y, u, v};
  const Instant at{t, state, nullptr};
  const double by_y = u * u + std::pow(v - a * s / y, 2), by_x = std::pow(u - a, 2) + v * v;
  EXPECT_NEAR(system.compute_energies(at, p, {1}).K2, by_y, rounding);
  EXPECT_NEAR(system.compute_energies(at, p, {0}).K2, by_x, rounding);
  // The rates of the state do not depend on the choice, that of Z is the choice's.
  double chosen[5], other[5];
  ASSERT_EQ(system.compute_rates_and_quadratures(at, p, {1}, chosen), MotionStatus::ok);
  ASSERT_EQ(system.compute_rates_and_quadratures(at, p, {0}, other), MotionStatus::ok);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(chosen[i], other[i], rounding);
  // (a, 0) is constant and nothing but the string acts: K2 by x' is constant, and so is Z.
  EXPECT_NEAR(other[4], 0, rounding);
  EXPECT_NEAR(chosen[4], system.compute_energies(at, p, {1}).Z_rate, rounding);
  EXPECT_GT(std::abs(chosen[4]), 0.1);
}

// The row is 2 (s, y): its entries alone tell how good each choice is.
TEST(Partition, is_judged_by_the_entries_of_one_row) {
  const CompiledSystem system = make_carried_pendulum();
  const PreparedParameters p = system.prepare({});
  for (const double angle : {0.1, 0.7, 0.9, 1.5}) {
    const double s = 2 * std::sin(angle), y = -2 * std::cos(angle), state[] = {s, y, 0, 0};
    const Instant at{0, state, nullptr};
    EXPECT_NEAR(system.compute_partition_quality(at, p, {1}), std::min(1.0, -y / s), rounding);
    EXPECT_NEAR(system.compute_partition_quality(at, p, {0}), std::min(1.0, -s / y), rounding);
    EXPECT_EQ(system.choose_dependent(at, p), std::vector<int>{-y > s ? 1 : 0});
  }
  const double flat[] = {2, 0, 0, 0};
  EXPECT_EQ(system.compute_partition_quality({0, flat, nullptr}, p, {1}), 0);
}

// ---- A crank turned at a given rate, and three links that close the loop to the ground

constexpr double length[] = {0.5, 1.2, 1.0, 1.1};  // crank, links

CompiledSystem make_five_bar() {
  Model model("five_bar");
  const Frame N0 = model.newtonian();
  model.gravity(-9.81 * m / (s * s) * N0.y());
  const Quantity crank = model.specified("crank", 2 * rad / s * model.time());
  const Frame C = model.frame("C", rotate(N0, Axis::z, crank));
  Point joint = model.point("P0", N0.origin() + length[0] * m * C.x());
  const double start[] = {1.1, 0.0, -1.6};  // about: the constraint corrects the last two
  for (int i = 1; i <= 3; ++i) {
    const std::string n = std::to_string(i);
    CoordinateOptions options{.start = start[i - 1] * rad};
    if (i == 1) options.start_rate = 3 * rad / s;
    const Quantity q = model.coordinate("q" + n, options);
    const Frame B = model.frame("B" + n, rotate(N0, Axis::z, q));
    model.body(B, {.at = joint + length[i] / 2 * m * B.x(),
                   .mass = 1 * kg,
                   .solid = rod(length[i] * m, Axis::x)});
    joint = model.point("P" + n, joint + length[i] * m * B.x());
  }
  model.constraint("closing", joint - (N0.origin() + 1.8 * m * N0.x()));
  return compile_without_slopes(model);
}

// The states, then Z; classical Runge-Kutta.
class FiveBarRun {
 public:
  explicit FiveBarRun(const CompiledSystem& system)
      : system_(system), p_(system.prepare({})), y_(system.start()) {
    y_.push_back(0.0);
    dependent_ = energies().dependent;
    first_ = dependent_;
    start_ = E_Z();
  }

  void step(double h) {
    const std::vector<double> k1 = rates(t_, y_), k2 = rates(t_ + h / 2, moved(h / 2, k1)),
                              k3 = rates(t_ + h / 2, moved(h / 2, k2)),
                              k4 = rates(t_ + h, moved(h, k3));
    for (std::size_t i = 0; i < y_.size(); ++i)
      y_[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    t_ += h;
    largest_deviation = std::max(largest_deviation, std::abs(E_Z() - start_));
    worst_of_first = std::min(worst_of_first, quality(first_));
  }

  void choose_again() {
    if (quality(dependent_) > 0.5) return;
    const double before = energies().K2;
    dependent_ = system_.choose_dependent(at(), p_);
    const double jump = before - energies().K2;
    y_.back() += jump;
    ++changes;
    largest_jump = std::max(largest_jump, std::abs(jump));
  }

  double largest_deviation = 0, largest_jump = 0, worst_of_first = 1;
  int changes = 0;

 private:
  Instant at() const { return {t_, y_.data(), nullptr}; }
  SystemEnergies energies() const { return system_.compute_energies(at(), p_, dependent_); }
  double E_Z() const {
    const SystemEnergies e = energies();
    return e.K2 + e.U + y_.back();
  }
  double quality(const std::vector<int>& dependent) const {
    return system_.compute_partition_quality(at(), p_, dependent);
  }
  std::vector<double> rates(double t, const std::vector<double>& y) const {
    std::vector<double> r(y.size());
    EXPECT_EQ(
        system_.compute_rates_and_quadratures({t, y.data(), nullptr}, p_, dependent_, r.data()),
        MotionStatus::ok);
    return r;
  }
  std::vector<double> moved(double h, const std::vector<double>& k) const {
    std::vector<double> y = y_;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * k[i];
    return y;
  }

  const CompiledSystem& system_;
  PreparedParameters p_;
  std::vector<double> y_;
  std::vector<int> dependent_ = {1, 2}, first_;
  double t_ = 0, start_ = 0;
};

// The last two links get in line on the way, where their rates cannot be the dependent ones.
TEST(Partition, can_change_along_a_run_and_E_Z_goes_on) {
  const CompiledSystem system = make_five_bar();
  FiveBarRun run(system);
  for (int k = 0; k < 20000; ++k) {
    run.step(5e-5);
    run.choose_again();
  }
  EXPECT_LT(run.worst_of_first, 1e-2);
  EXPECT_GE(run.changes, 1);
  EXPECT_GT(run.largest_jump, 0.1);
  EXPECT_LT(run.largest_deviation, 1e-9);  // of about 20 J; the method leaves 1e-10 at this step
}

}  // namespace
}  // namespace visviva
