// What single loads do to energy, by hand: their power, their potential, and why they have none.
#include "visviva/equations/energy/load_energy.h"

#include <gtest/gtest.h>

#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/symbolic/print/print.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

using namespace units;

// A particle at x N.x + y N.y.
class Plane : public testing::Test {
 protected:
  Model model_{"plane"};
  Frame N_ = model_.newtonian();
  Quantity m_ = model_.parameter("m", 2 * kg), k_ = model_.parameter("k", 50 * N / m);
  Quantity x_ = model_.coordinate("x", {.start = 0.1 * m}),
           y_ = model_.coordinate("y", {.start = 0.2 * m});
  Point Q_ = model_.particle("Q", {.at = N_.origin() + x_ * N_.x() + y_ * N_.y(), .mass = m_});
  Quantity dx_ = model_.rate(x_), dy_ = model_.rate(y_);
  std::optional<Energies> energies_;

  const LoadEnergy& analyze(const std::string& name) {
    if (!energies_) energies_.emplace(analyze_energy(derive(analyze_motion(model_))));
    for (const LoadEnergy& load : energies_->loads)
      if (load.name == name) return load;
    throw std::runtime_error("no load " + name);
  }
  // With speeds as the equations have them.
  testing::AssertionResult is(const Expr& found, const Quantity& expected) {
    const Expr e = energies_->equations.motion.resolve(expected).expr(*model_.data().pool);
    if (is_proved_zero(found - e)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "found " << print(found) << ", expected " << print(e);
  }
};

using Kind = Reason::Kind;
using Names = std::vector<std::string>;

// The reason of this kind; one of another kind where there is none.
Reason find_reason(const LoadEnergy& load, Kind kind) {
  for (const Reason& r : load.reasons)
    if (r.kind == kind) return r;
  return {.kind = Kind::neither_proved_nor_refuted};
}

// ---- One load with several parts

// -k x has a potential, F(t) comes from outside, -b x' depends on speeds.
TEST_F(Plane, one_force_is_split_into_what_has_a_potential_and_the_rest) {
  const Quantity b = model_.parameter("b", 3 * N * s / m);
  const Quantity F = model_.specified("F", N.dimension());
  model_.force("all", {.on = Q_, .value = (F - k_ * x_ - b * dx_) * N_.x()});
  const LoadEnergy& all = analyze("all");
  EXPECT_EQ(all.role, LoadRole::both);
  EXPECT_TRUE(is(all.potential, 0.5 * k_ * x_ * x_));
  EXPECT_TRUE(is(all.generalized_power, (F - k_ * x_ - b * dx_) * dx_));
  EXPECT_TRUE(is(all.nonconservative_power, (F - b * dx_) * dx_));
  const Reason rest = find_reason(all, Kind::given_from_outside);
  EXPECT_EQ(rest.names, Names{"F"});
  EXPECT_TRUE(rest.is_about_rest);
  EXPECT_FALSE(all.reasons.front().is_about_rest);
}

// One end at a(t): -k (x - a) on Q, the opposite at the support.
TEST_F(Plane, the_power_of_a_spring_has_a_share_through_its_moving_end) {
  const Quantity a = model_.specified("a", m.dimension()), da = model_.rate(a);
  const Point S = model_.point("S", N_.origin() + a * N_.x());
  model_.lock(y_);
  model_.force("spring", {.on = Q_, .from = S, .value = -k_ * (x_ - a) * N_.x()});
  const LoadEnergy& spring = analyze("spring");
  EXPECT_EQ(spring.role, LoadRole::conservative);
  EXPECT_TRUE(is(spring.power, -k_ * (x_ - a) * (dx_ - da)));
  EXPECT_TRUE(is(spring.generalized_power, -k_ * (x_ - a) * dx_));
  EXPECT_TRUE(is(spring.carried_power, k_ * (x_ - a) * da));
  EXPECT_TRUE(is(spring.potential, 0.5 * k_ * (x_ - a) * (x_ - a)));
  EXPECT_TRUE(is(spring.nonconservative_power, -k_ * da * (x_ - a)));
  EXPECT_EQ(find_reason(spring, Kind::potential_depends_on_time).names, Names{"a"});
}

// ---- Potentials

TEST_F(Plane, two_forces_with_a_potential_together_name_each_other) {
  model_.force("first", {.on = Q_, .value = k_ * y_ * N_.x()});
  model_.force("second", {.on = Q_, .value = k_ * x_ * N_.y()});
  const LoadEnergy &first = analyze("first"), &second = analyze("second");
  EXPECT_EQ(first.role, LoadRole::conservative);
  EXPECT_EQ(second.role, LoadRole::conservative);
  EXPECT_TRUE(is(first.potential + second.potential, -k_ * x_ * y_));
  EXPECT_TRUE(is(first.nonconservative_power + second.nonconservative_power, 0 * m_ * dx_));
  for (const LoadEnergy* load : {&first, &second})
    EXPECT_EQ(find_reason(*load, Kind::integrable_together).names, (Names{"first", "second"}));
}

// One force that has a potential is not needed to find another's.
TEST_F(Plane, a_force_with_a_curl_does_not_take_the_potential_of_another) {
  model_.force("curl", {.on = Q_, .value = -k_ * y_ * N_.x() + k_ * x_ * N_.y()});
  model_.force("spring", {.on = Q_, .value = -k_ * x_ * N_.x()});
  EXPECT_EQ(analyze("curl").role, LoadRole::nonconservative);
  EXPECT_TRUE(analyze("curl").potential.is_zero());
  EXPECT_TRUE(is(analyze("curl").nonconservative_power, k_ * (x_ * dy_ - y_ * dx_)));
  EXPECT_EQ(analyze("spring").role, LoadRole::conservative);
  EXPECT_TRUE(is(analyze("spring").potential, 0.5 * k_ * x_ * x_));
}

// m g (y(t) - l cos(th)): the pivot's share m g y is of time alone, and not in U.
TEST(LoadEnergy, of_a_weight_carried_up_has_power_through_the_pivot_and_no_term_of_time) {
  Model model("pendulum");
  const Frame N_ = model.newtonian();
  const Quantity mass = model.parameter("m", 2 * kg), l = model.parameter("l", 0.5 * m);
  const Quantity g = model.parameter("g", 9.81 * m / (s * s));
  const Quantity y = model.specified("y", m.dimension()), th = model.coordinate("th");
  const Frame A = model.frame("A", rotate(N_, Axis::z, th));
  model.particle("P", {.at = N_.origin() + y * N_.y() - l * A.y(), .mass = mass});
  model.gravity(-g * N_.y());
  const Energies e = analyze_energy(derive(analyze_motion(model)));
  ASSERT_EQ(e.loads.size(), 1u);
  const LoadEnergy& weight = e.loads.front();
  ExprPool& pool = *model.data().pool;
  const auto resolved = [&](const Quantity& q) { return e.equations.motion.resolve(q).expr(pool); };
  const Quantity dy = model.rate(y), dth = model.rate(th);
  EXPECT_EQ(weight.role, LoadRole::conservative);
  EXPECT_EQ(weight.kind, Load::Kind::gravity);
  EXPECT_EQ(weight.reasons.front().kind, Kind::uniform_gravity);
  EXPECT_EQ(weight.power, resolved(-mass * g * (dy + l * sin(th) * dth)));
  EXPECT_EQ(weight.generalized_power, resolved(-mass * g * l * sin(th) * dth));
  EXPECT_EQ(weight.carried_power, resolved(-mass * g * dy));
  EXPECT_EQ(weight.potential, resolved(-mass * g * l * cos(th)));
  EXPECT_TRUE(weight.nonconservative_power.is_zero());
}

// On x alone -k y is not integrable; with x = 2 y + constant it is -2 k y on y, hence U = k y^2.
TEST_F(Plane, a_potential_that_needs_the_constraints_says_so) {
  model_.constraint("slope", dx_ - 2 * dy_);
  model_.dependent(dx_);
  model_.force("along", {.on = Q_, .value = -k_ * y_ * N_.x()});
  const LoadEnergy& along = analyze("along");
  EXPECT_EQ(along.role, LoadRole::conservative);
  EXPECT_TRUE(is(along.potential, k_ * y_ * y_));
  EXPECT_TRUE(along.needs_constraints);
  EXPECT_EQ(along.reasons.front().kind, Kind::integrable_on_constraints);
}

// ---- Without a potential

TEST_F(Plane, a_force_that_is_not_integrable_names_the_coordinates) {
  model_.force("curl", {.on = Q_, .value = -k_ * y_ * N_.x() + k_ * x_ * N_.y()});
  EXPECT_EQ(find_reason(analyze("curl"), Kind::not_integrable).names, (Names{"x", "y"}));
}

TEST_F(Plane, what_comes_from_outside_is_named) {
  const Quantity f = model_.input("f", 3 * N);
  model_.force("push", {.on = Q_, .value = f * N_.x()});
  EXPECT_EQ(analyze("push").role, LoadRole::nonconservative);
  EXPECT_EQ(find_reason(analyze("push"), Kind::given_from_outside).names, Names{"f"});
}

// -c v/|v| is not defined at v = 0.
TEST_F(Plane, a_law_without_a_value_at_rest_has_no_potential) {
  const Quantity c = model_.parameter("c", 3 * N);
  model_.force("rub", {.on = Q_, .value = -c * unit(velocity(Q_))});
  const LoadEnergy& rub = analyze("rub");
  EXPECT_EQ(rub.role, LoadRole::nonconservative);
  EXPECT_TRUE(is(rub.nonconservative_power, -c * sqrt(dx_ * dx_ + dy_ * dy_)));
  ASSERT_EQ(rub.reasons.size(), 1u);
  EXPECT_EQ(rub.reasons[0].kind, Kind::no_value_at_rest);
}

TEST_F(Plane, a_damper_takes_the_square_of_the_rate) {
  const Quantity b = model_.parameter("b", 3 * N * s / m);
  model_.damper("D", {.on = x_, .rate = b});
  const LoadEnergy& D = analyze("D");
  EXPECT_EQ(D.role, LoadRole::nonconservative);
  EXPECT_TRUE(is(D.nonconservative_power, -b * dx_ * dx_));
  EXPECT_TRUE(is(D.power, -b * dx_ * dx_));
  ASSERT_EQ(D.reasons.size(), 1u);
  EXPECT_EQ(D.reasons[0].kind, Kind::depends_on_speeds);
  EXPECT_EQ(D.kind, Load::Kind::damper);
}

// ---- Without power

TEST_F(Plane, a_force_across_the_velocity_does_nothing) {
  const Quantity B = model_.parameter("B", 3 * kg / s);
  model_.force("magnetic", {.on = Q_, .value = B * cross(velocity(Q_), N_.z())});
  EXPECT_EQ(analyze("magnetic").role, LoadRole::none);
  EXPECT_TRUE(analyze("magnetic").generalized_power.is_zero());
  EXPECT_EQ(analyze("magnetic").reasons.front().kind, Kind::no_generalized_power);
}

TEST_F(Plane, a_force_across_the_plane_has_no_generalized_force) {
  model_.force("lift", {.on = Q_, .value = k_ * x_ * N_.z()});
  EXPECT_EQ(analyze("lift").role, LoadRole::none);
  EXPECT_EQ(analyze("lift").reasons.front().kind, Kind::no_generalized_force);
}

// The motor's own torque on the tube it turns: power, but not through the speeds.
TEST(LoadEnergy, of_a_torque_on_a_prescribed_motion_has_power_but_no_generalized_power) {
  Model model("tube");
  const Frame N_ = model.newtonian();
  const Quantity mass = model.parameter("m", 2 * kg), tau = model.parameter("tau", 3 * N * m);
  const Quantity w = model.parameter("w", 2 * rad / s);
  const Quantity r = model.coordinate("r", {.start = 0.3 * m});
  const Frame A = model.frame("A", spin(N_, w * N_.z()));
  const Quantity J = model.parameter("J", 1 * kg * m * m);
  model.body(A, {.at = N_.origin(), .mass = mass, .inertia = {J, J, J}});
  model.particle("Q", {.at = N_.origin() + r * A.x(), .mass = mass});
  model.torque("T", {.on = A, .value = tau * N_.z()});
  const Energies e = analyze_energy(derive(analyze_motion(model)));
  ASSERT_EQ(e.loads.size(), 1u);
  EXPECT_EQ(e.loads.front().role, LoadRole::none);
  EXPECT_EQ(e.loads.front().power, (tau * w).expr(*model.data().pool));
  EXPECT_TRUE(e.loads.front().generalized_power.is_zero());
}

}  // namespace
}  // namespace visviva
