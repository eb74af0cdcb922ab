#include "visviva/kinematics/consistent_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "visviva/kinematics/check_model.h"

namespace visviva {
namespace {

using namespace units;

using Names = std::vector<std::string>;

// Newton's method ends when constraints hold to 1e-12 of their size; the mass metric is made
// regular by 1e-9 of itself.
constexpr double solved = 1e-11, metric = 1e-8;

ConsistentStart start_of(const Model& model) {
  return make_consistent_start(analyze_motion(model));
}

// Start values by name: coordinates, and speeds.
std::map<std::string, double> values_of(const Model& model) {
  const Kinematics motion = analyze_motion(model);
  const ConsistentStart start = make_consistent_start(motion);
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < start.coordinates.size(); ++i)
    values[model.data().coordinates[i].name] = start.coordinates[i];
  for (std::size_t r = 0; r < start.speeds.size(); ++r)
    values[motion.speeds()[r].name] = start.speeds[r];
  return values;
}

Names changed(const ConsistentStart& start) {
  Names names;
  for (const StartChange& c : start.changes) names.push_back(c.name);
  return names;
}

Names codes_of(const Model& model) {
  const Kinematics motion = analyze_motion(model);
  Names codes;
  for (const Diagnostic& d : check_model(motion, make_consistent_start(motion)))
    codes.push_back(d.code);
  return codes;
}

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// ---- Degrees of freedom

// IFToMM A02 with N = 1: two cranks and a coupler, 1 m each, cranks turned by `angle` from upright.
class FourBar {
 public:
  explicit FourBar(double angle) {
    const double x = -std::sin(angle), y = std::cos(angle);
    const Quantity crank = angle * rad;
    link("crank0", x / 2, y / 2, crank);
    link("coupler", x + 0.5, y, 0 * rad);
    link("crank1", 1 + x / 2, y / 2, crank);
    const Quantity half = 0.5 * m;
    const Frame N = model.newtonian();
    const auto at = [&](const char* name, const Quantity& along, bool along_x) {
      const Frame B = *model.find_frame(name);
      return *model.find_point(std::string(name) + "cm") + along * (along_x ? B.x() : B.y());
    };
    const auto pin = [&](const char* name, const Position& a, const Position& b) {
      model.constraint(name, a - b);
    };
    pin("ground0", at("crank0", -half, false), N.origin());
    pin("top0", at("crank0", half, false), at("coupler", -half, true));
    pin("top1", at("crank1", half, false), at("coupler", half, true));
    pin("ground1", at("crank1", -half, false), N.origin() + 1 * m * N.x());
  }
  Model model{"four_bar"};

 private:
  void link(const std::string& name, double x, double y, const Quantity& angle) {
    const Frame N = model.newtonian();
    const Quantity qx = model.coordinate(name + "_x", {.start = x * m});
    const Quantity qy = model.coordinate(name + "_y", {.start = y * m});
    const Quantity qa = model.coordinate(name + "_a", {.start = angle});
    const Frame B = model.frame(name, rotate(N, Axis::z, qa));
    const Quantity I = 1.0 / 12.0 * kg * m * m;
    model.body(B,
               {.at = N.origin() + qx * N.x() + qy * N.y(), .mass = 1 * kg, .inertia = {I, I, I}});
  }
};

TEST(DegreesOfFreedom, a_four_bar_mechanism_has_one) {
  for (const double angle : {0.0, 0.4, -1.2}) {
    FourBar mechanism(angle);
    const ConsistentStart start = start_of(mechanism.model);
    EXPECT_EQ(start.degrees_of_freedom, 1) << angle;
    EXPECT_EQ(start.rank, 8) << angle;
    EXPECT_FALSE(start.is_singular) << angle;
    EXPECT_EQ(start.redundant, Names{});
    EXPECT_EQ(start.contradiction, Names{});
    EXPECT_EQ(changed(start), Names{});
  }
}

TEST(DegreesOfFreedom, a_flat_four_bar_mechanism_is_singular_and_still_has_one) {
  for (const double side : {1.0, -1.0}) {
    FourBar mechanism(side * std::acos(0.0));
    const ConsistentStart start = start_of(mechanism.model);
    EXPECT_TRUE(start.is_singular);
    EXPECT_EQ(start.degrees_of_freedom, 1);
    EXPECT_EQ(start.rank, 8);
    EXPECT_EQ(start.redundant, Names{});
    EXPECT_TRUE(has(codes_of(mechanism.model), "W-start-singular"));
  }
}

TEST(DegreesOfFreedom, a_rolling_disc_has_five_speeds_and_three_degrees_of_freedom) {
  Model model("disc");
  const Frame N = model.newtonian();
  const Quantity r = model.parameter("r", 0.3 * m);
  const Quantity q1 = model.coordinate("q1"), q2 = model.coordinate("q2", {.start = 10 * deg}),
                 q3 = model.coordinate("q3");
  const Quantity x = model.coordinate("x", {.start = 0 * m}),
                 y = model.coordinate("y", {.start = 0 * m});
  const Frame Y = model.frame("Y", rotate(N, Axis::z, q1));
  const Frame L = model.frame("L", rotate(Y, Axis::x, q2));
  const Frame D = model.frame("D", rotate(L, Axis::y, q3));
  const Point touch = model.point("touch", N.origin() + x * N.x() + y * N.y());
  model.body(D, {.at = touch + r * L.z(), .mass = 2 * kg, .solid = disc(r, Axis::y)});
  model.roll("", {.body = D, .on = N, .at = touch});
  model.start(model.rate(q3), 5 * rad / s);
  const ConsistentStart start = start_of(model);
  EXPECT_EQ(start.rank, 2);  // nothing slips upwards
  EXPECT_EQ(start.degrees_of_freedom, 3);
  // Rolling along x at r q3'.
  const auto v = values_of(model);
  EXPECT_NEAR(v.at("q3'"), 5, solved);
  EXPECT_NEAR(v.at("x'"), 1.5, solved);
  EXPECT_NEAR(v.at("y'"), 0, solved);
}

// The example positioning_device, with a constant rate of the tube.
std::unique_ptr<Model> make_device(bool rigid) {
  auto device = std::make_unique<Model>("device");
  Model& model = *device;
  const Frame N = model.newtonian();
  const Quantity r = model.parameter("r", 0.1 * m), L = model.parameter("L", 1 * m);
  const Quantity Omega = model.specified("Omega", 4 * rad / units::s);
  const Quantity s = model.coordinate("s", {.start = 0 * m});
  model.speed("ds", model.rate(s));
  const Quantity wx = model.speed("wx"), wy = model.speed("wy"), wz = model.speed("wz");
  const Frame A = model.frame("A", spin(N, Omega * N.y()));
  const Frame C = model.frame("C", spin(N, wx * A.x() + wy * A.y() + wz * A.z()));
  const Point Ccm = model.body(
      C, {.at = N.origin() + r * N.y() + (L + s) * A.x(), .mass = 1 * kg, .solid = sphere(r)});
  model.roll("", {.body = C, .on = N, .at = Ccm - r * N.y()});
  if (rigid) model.lock(s);
  return device;
}

TEST(DegreesOfFreedom, a_rolling_sphere_in_a_driven_tube_has_two_and_one_when_the_tube_is_rigid) {
  const auto flexible = make_device(false), rigid = make_device(true);
  EXPECT_EQ(start_of(*flexible).degrees_of_freedom, 2);
  EXPECT_EQ(start_of(*rigid).degrees_of_freedom, 1);
  // The center moves at L Omega along -A.z; the sphere turns at L Omega/r about -A.x.
  for (const auto& model : {flexible.get(), rigid.get()}) {
    const auto v = values_of(*model);
    EXPECT_NEAR(v.at("wx"), -40, 40 * solved);
    EXPECT_NEAR(v.at("ds"), 0, solved);
    EXPECT_NEAR(v.at("wz"), 0, solved);
  }
}

TEST(DegreesOfFreedom, two_bodies_at_a_ball_joint_have_nine) {
  Model model("ball");
  const Frame N = model.newtonian();
  std::vector<Point> ends;
  for (const std::string name : {"A", "B"}) {
    const auto e = model.quaternion({name + "0", name + "1", name + "2", name + "3"});
    const Frame F = model.frame(name, quaternion(N, e));
    const double side = name == "A" ? 0.0 : 0.6;
    const Quantity x = model.coordinate("x" + name, {.start = side * m}),
                   y = model.coordinate("y" + name, {.start = 0 * m}),
                   z = model.coordinate("z" + name, {.start = 0 * m});
    const Point center = model.body(F, {.at = N.origin() + x * N.x() + y * N.y() + z * N.z(),
                                        .mass = 1 * kg,
                                        .solid = sphere(0.1 * m)});
    ends.push_back(model.point("P" + name, center + (name == "A" ? 0.3 : -0.3) * m * F.x()));
  }
  model.constraint("ball", ends[0] - ends[1]);
  const ConsistentStart start = start_of(model);
  EXPECT_EQ(start.degrees_of_freedom, 9);
  EXPECT_EQ(start.rank, 3);
  EXPECT_EQ(changed(start), Names{});
}

TEST(DegreesOfFreedom, none_may_be_left) {
  Model model("driven");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m});
  model.particle("P", {.at = N.origin() + x * N.x(), .mass = 1 * kg});
  model.constraint("drive", x - 2 * m / s * model.time());
  const ConsistentStart start = start_of(model);
  EXPECT_EQ(start.degrees_of_freedom, 0);
  EXPECT_NEAR(values_of(model).at("x'"), 2, 1e-14);  // rounding of a linear solve
}

TEST(DegreesOfFreedom, a_model_without_motion_has_none) {
  Model model("rest");
  model.particle("P", {.at = model.newtonian().origin(), .mass = 1 * kg});
  EXPECT_EQ(start_of(model).degrees_of_freedom, 0);
}

// ---- Particles on lines: redundancy, contradictions, start values in closed form

class OnLines : public testing::Test {
 protected:
  // A particle on a line of its own.
  Quantity particle(const std::string& name, double mass, const CoordinateOptions& options) {
    const Quantity x = model_.coordinate(name, options);
    model_.particle("P" + name, {.at = N_.origin() + x * N_.x(), .mass = mass * kg});
    return x;
  }
  Quantity given(const std::string& name, double mass, double at) {
    return particle(name, mass, {.start = at * m});
  }
  Quantity open(const std::string& name, double mass = 1) {
    return particle(name, mass, {.dimension = m.dimension()});
  }
  Model model_{"lines"};
  Frame N_ = model_.newtonian();
};

TEST_F(OnLines, a_constraint_that_adds_nothing_is_named) {
  const Quantity x = given("x", 1, 1), y = given("y", 1, 0);
  model_.constraint("a", x - 1 * m);
  model_.constraint("b", y);
  model_.constraint("c", x + 2 * y - 1 * m);
  const ConsistentStart start = start_of(model_);
  EXPECT_EQ(start.redundant, Names{"c"});
  EXPECT_EQ(start.contradiction, Names{});
  EXPECT_EQ(start.rank, 2);
  EXPECT_FALSE(start.is_singular);
  EXPECT_TRUE(has(codes_of(model_), "W-constraint-redundant"));
}

TEST_F(OnLines, a_lock_of_what_a_constraint_fixes_is_redundant) {
  const Quantity x = given("x", 1, 1);
  model_.constraint("a", x - 1 * m);
  model_.lock(x);
  EXPECT_EQ(start_of(model_).redundant, Names{"x"});
}

TEST_F(OnLines, constraints_that_cannot_hold_together_are_named_and_no_others) {
  const Quantity x = given("x", 1, 1), y = given("y", 1, 0), z = given("z", 1, 0);
  model_.constraint("p", z - 2 * y);
  model_.constraint("a", x + y - 1 * m);
  model_.constraint("b", y - 3 * m);
  model_.constraint("c", x + y - 2 * m);
  EXPECT_EQ(start_of(model_).contradiction, (Names{"a", "c"}));
  EXPECT_TRUE(has(codes_of(model_), "E-constraint-contradictory"));
}

TEST_F(OnLines, a_contradiction_of_three_names_three) {
  const Quantity x = given("x", 1, 1), y = given("y", 1, 0), z = given("z", 1, 0);
  model_.constraint("a", x - y);
  model_.constraint("b", y - z);
  model_.constraint("c", z - x - 1 * m);
  model_.constraint("d", x + y + z);
  EXPECT_EQ(start_of(model_).contradiction, (Names{"a", "b", "c"}));
}

TEST_F(OnLines, a_constraint_without_solution_is_a_contradiction_alone) {
  const Quantity x = given("x", 1, 1), y = given("y", 1, 1);
  model_.constraint("a", x * x + 1 * m * m);
  model_.constraint("b", y - 1 * m);
  EXPECT_EQ(start_of(model_).contradiction, Names{"a"});
}

TEST_F(OnLines, rates_that_cannot_hold_together_are_a_contradiction) {
  const Quantity x = given("x", 1, 0), y = given("y", 1, 0);
  model_.constraint("a", model_.rate(x) - 1 * m / s);
  model_.constraint("b", model_.rate(y) - 1 * m / s);
  model_.constraint("c", model_.rate(x) - 2 * m / s);
  EXPECT_EQ(start_of(model_).contradiction, (Names{"a", "c"}));
}

TEST_F(OnLines, given_values_are_held_and_defaults_move) {
  const Quantity x = given("x", 1, 1), y = open("y");
  model_.constraint("a", x + y - 3 * m);
  const ConsistentStart start = start_of(model_);
  EXPECT_NEAR(start.coordinates[0], 1, solved);
  EXPECT_NEAR(start.coordinates[1], 2, solved);
  ASSERT_EQ(changed(start), Names{"y"});
  EXPECT_FALSE(start.changes[0].was_given);
  EXPECT_EQ(start.changes[0].from, 0);
  EXPECT_NEAR(start.changes[0].to, 2, solved);
}

TEST_F(OnLines, an_explicit_zero_is_held_too) {
  const Quantity x = given("x", 1, 0), y = open("y");
  model_.constraint("a", x + y - 3 * m);
  EXPECT_EQ(changed(start_of(model_)), Names{"y"});
}

TEST_F(OnLines, two_given_positions_meet_at_their_center_of_mass) {
  const Quantity x1 = given("x1", 1, 2), x2 = given("x2", 3, 6);
  model_.constraint("a", x1 - x2);
  const ConsistentStart start = start_of(model_);
  const double mean = (1 * 2.0 + 3 * 6.0) / 4;
  EXPECT_NEAR(start.coordinates[0], mean, metric);
  EXPECT_NEAR(start.coordinates[1], mean, metric);
  ASSERT_EQ(start.changes.size(), 2u);
  EXPECT_TRUE(start.changes[0].was_given && start.changes[1].was_given);
}

TEST_F(OnLines, two_given_speeds_meet_at_the_speed_of_the_center_of_mass) {
  const Quantity x1 = given("x1", 1, 2), x2 = given("x2", 3, 2);
  model_.constraint("a", x1 - x2);
  model_.start(model_.rate(x1), 1 * m / s);
  model_.start(model_.rate(x2), 2 * m / s);
  const auto v = values_of(model_);
  EXPECT_NEAR(v.at("x1'"), 1.75, metric);
  EXPECT_NEAR(v.at("x2'"), 1.75, metric);
}

TEST_F(OnLines, a_given_speed_is_held_and_a_default_follows) {
  const Quantity x1 = given("x1", 1, 2), x2 = given("x2", 3, 2);
  model_.constraint("a", x1 - x2);
  model_.start(model_.rate(x1), 1 * m / s);
  const ConsistentStart start = start_of(model_);
  EXPECT_NEAR(start.speeds[0], 1, solved);
  EXPECT_NEAR(start.speeds[1], 1, solved);
  EXPECT_EQ(changed(start), Names{"x2'"});
}

// Three particles, each at a distance from the one before: their masses couple the speeds.
class Coupled : public testing::Test {
 protected:
  Model model_{"coupled"};
  Frame N_ = model_.newtonian();
  Quantity x1_ = model_.coordinate("x1", {.start = 0 * m}),
           x2_ = model_.coordinate("x2", {.start = 0 * m}),
           x3_ = model_.coordinate("x3", {.start = 0 * m});
  Point P1_ = model_.particle("P1", {.at = N_.origin() + x1_ * N_.x(), .mass = 1 * kg});
  Point P2_ = model_.particle("P2", {.at = P1_ + x2_ * N_.x(), .mass = 2 * kg});
  Point P3_ = model_.particle("P3", {.at = P2_ + x3_ * N_.x(), .mass = 4 * kg});
};

TEST_F(Coupled, defaults_among_speeds_move_least_mass) {
  // x1' is held and x1' + x2' + x3' = 3 m/s is the speed of P3; the least change leaves P2 alone.
  model_.constraint("a", model_.rate(x1_) + model_.rate(x2_) + model_.rate(x3_) - 3 * m / s);
  model_.start(model_.rate(x1_), 1 * m / s);
  const auto v = values_of(model_);
  EXPECT_NEAR(v.at("x1'"), 1, solved);
  EXPECT_NEAR(v.at("x2'"), 0, metric);
  EXPECT_NEAR(v.at("x3'"), 2, metric);
}

TEST_F(Coupled, given_positions_move_least_mass) {
  // P3 must be at 3 m: nothing else moves.
  model_.constraint("a", x1_ + x2_ + x3_ - 3 * m);
  const auto v = values_of(model_);
  EXPECT_NEAR(v.at("x1"), 0, metric);
  EXPECT_NEAR(v.at("x2"), 0, metric);
  EXPECT_NEAR(v.at("x3"), 3, metric);
}

// ---- Speeds by definitions, conditions and quaternions

TEST(StartSpeeds, follow_from_the_rates_that_were_given) {
  Model model("defined");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 1 * m, .start_rate = 2 * m / s});
  const Quantity y = model.coordinate("y", {.start = 0 * m, .start_rate = 3 * m / s});
  model.speed("u1", model.rate(x) + model.rate(y));
  model.speed("u2", model.rate(x) - model.rate(y));
  model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
  const auto v = values_of(model);
  EXPECT_EQ(v.at("u1"), 5);
  EXPECT_EQ(v.at("u2"), -1);
}

TEST(StartSpeeds, may_be_given_themselves) {
  Model model("given");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 1 * m});
  const Quantity u = model.speed("u", 2 * model.rate(x));
  model.particle("P", {.at = N.origin() + x * N.x(), .mass = 1 * kg});
  model.start(u, 3 * m / s);
  EXPECT_EQ(values_of(model).at("u"), 3);
}

class FreeBody : public testing::Test {
 protected:
  Model model_{"free"};
  Frame N_ = model_.newtonian();
  void finish(const std::array<Quantity, 4>& e) {
    D_ = model_.frame("D", quaternion(N_, e));
    const Quantity I = kg * m * m;
    model_.body(D_, {.at = N_.origin(), .mass = 1 * kg, .inertia = {1 * I, 2 * I, 2.5 * I}});
  }
  Frame D_;
};

TEST_F(FreeBody, starts_with_the_angular_velocity_that_was_asked_for) {
  finish(model_.quaternion({"e0", "e1", "e2", "e3"}, {0.5, 0.5, 0.5, 0.5}));
  model_.start_condition(angular_velocity(D_) - 3 * rad / s * D_.z() - 1 * rad / s * D_.x());
  const auto v = values_of(model_);
  EXPECT_NEAR(v.at("D_wx"), 1, solved);
  EXPECT_NEAR(v.at("D_wy"), 0, solved);
  EXPECT_NEAR(v.at("D_wz"), 3, solved);
}

TEST_F(FreeBody, a_start_condition_of_one_component_leaves_the_others) {
  finish(model_.quaternion({"e0", "e1", "e2", "e3"}, {0.5, 0.5, 0.5, 0.5}));
  model_.start_condition(dot(angular_velocity(D_), D_.y()) - 2 / s);
  const auto v = values_of(model_);
  EXPECT_NEAR(v.at("D_wx"), 0, solved);
  EXPECT_NEAR(v.at("D_wy"), 2, solved);
  EXPECT_NEAR(v.at("D_wz"), 0, solved);
}

TEST_F(FreeBody, a_quaternion_is_normalised_and_that_is_said) {
  model_.reserve_quaternion({"e0", "e1", "e2", "e3"});
  finish({model_.coordinate("e0", {.start = 3.0}), model_.coordinate("e1", {.start = 0.0}),
          model_.coordinate("e2", {.start = 4.0}), model_.coordinate("e3", {.start = 0.0})});
  const ConsistentStart start = start_of(model_);
  EXPECT_DOUBLE_EQ(start.coordinates[0], 0.6);
  EXPECT_DOUBLE_EQ(start.coordinates[2], 0.8);
  EXPECT_EQ(changed(start), (Names{"e0", "e2"}));
}

// sqrt(1 - 0.6^2) = 0.8, and a lock keeps what comes of it.
TEST_F(FreeBody, a_scalar_that_was_left_out_closes_the_norm_of_given_euler_parameters) {
  for (const int locked : {-1, 0, 1}) {
    Model model("norm");
    const Frame N = model.newtonian();
    model.reserve_quaternion({"e0", "e1", "e2", "e3"});
    const std::array<Quantity, 4> e = {model.coordinate("e0"),
                                       model.coordinate("e1", {.start = Quantity(0.6)}),
                                       model.coordinate("e2"), model.coordinate("e3")};
    const Frame D = model.frame("D", quaternion(N, e));
    const Quantity I = kg * m * m;
    model.body(D, {.at = N.origin(), .mass = 1 * kg, .inertia = {I, I, I}});
    if (locked >= 0) model.lock(e[static_cast<std::size_t>(locked)]);
    const ConsistentStart start = start_of(model);
    EXPECT_NEAR(start.coordinates[0], 0.8, solved) << locked;
    EXPECT_EQ(start.coordinates[1], 0.6) << locked;
  }
}

TEST_F(FreeBody, a_quaternion_without_start_values_is_no_rotation) {
  model_.reserve_quaternion({"e0", "e1", "e2", "e3"});
  finish({model_.coordinate("e0"), model_.coordinate("e1"), model_.coordinate("e2"),
          model_.coordinate("e3")});
  const ConsistentStart start = start_of(model_);
  EXPECT_EQ(start.coordinates, (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(start.degrees_of_freedom, 3);
}

// ---- Rates of Euler parameters, and what hides behind other speeds

// e' = 1/2 e (0, w), the product of quaternions written out.
std::array<double, 4> euler_rates(const std::array<double, 4>& e, const std::array<double, 3>& w) {
  return {
      (-e[1] * w[0] - e[2] * w[1] - e[3] * w[2]) / 2, (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]) / 2,
      (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]) / 2, (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]) / 2};
}

TEST_F(FreeBody, one_rate_of_an_euler_parameter_gives_the_angular_velocity) {
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  finish(e);
  model_.start(model_.rate(e[2]), 75 / s);
  const ConsistentStart start = start_of(model_);
  EXPECT_EQ(changed(start), Names{});
  const auto v = values_of(model_);
  EXPECT_NEAR(v.at("D_wx"), 0, solved);
  EXPECT_NEAR(v.at("D_wy"), 150, 1e-9);
  EXPECT_NEAR(v.at("D_wz"), 0, solved);
}

TEST_F(FreeBody, four_rates_of_euler_parameters_give_the_angular_velocity) {
  const std::array<double, 4> at = {0.1, 0.7, -0.5, 0.5};
  const std::array<double, 3> w = {1, -2, 3};
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"}, at);
  finish(e);
  const std::array<double, 4> rates = euler_rates(at, w);
  for (std::size_t i = 0; i < 4; ++i) model_.start(model_.rate(e[i]), rates[i] / s);
  EXPECT_EQ(changed(start_of(model_)), Names{});
  const auto v = values_of(model_);
  EXPECT_NEAR(v.at("D_wx"), w[0], 1e-9);
  EXPECT_NEAR(v.at("D_wy"), w[1], 1e-9);
  EXPECT_NEAR(v.at("D_wz"), w[2], 1e-9);
}

TEST_F(FreeBody, the_part_of_the_rates_that_keeps_the_norm_is_taken_and_that_is_said) {
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  finish(e);
  model_.start(model_.rate(e[0]), 3 / s);
  model_.start(model_.rate(e[1]), 0.5 / s);
  const ConsistentStart start = start_of(model_);
  ASSERT_EQ(changed(start), Names{"e0'"});
  EXPECT_TRUE(start.changes[0].was_given);
  EXPECT_EQ(start.changes[0].from, 3);
  EXPECT_NEAR(start.changes[0].to, 0, solved);
  EXPECT_NEAR(values_of(model_).at("D_wx"), 1, 1e-9);
  EXPECT_TRUE(has(codes_of(model_), "W-start-changed"));
}

TEST_F(FreeBody, a_rate_that_was_given_is_held_where_others_must_follow) {
  const std::array<double, 4> at = {0.5, 0.5, 0.5, 0.5};
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"}, at);
  finish(e);
  model_.start(model_.rate(e[2]), 75 / s);
  const auto v = values_of(model_);
  const auto rates = euler_rates(at, {v.at("D_wx"), v.at("D_wy"), v.at("D_wz")});
  EXPECT_NEAR(rates[2], 75, 1e-9);
}

TEST(StartSpeeds, are_found_from_a_speed_and_a_rate_together) {
  Model model("both");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m, .start_rate = 1 * m / s});
  const Quantity y = model.coordinate("y", {.start = 0 * m});
  const Quantity u1 = model.speed("u1", model.rate(x) + model.rate(y));
  model.speed("u2", model.rate(x) - model.rate(y));
  model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
  model.start(u1, 5 * m / s);
  const auto v = values_of(model);
  EXPECT_EQ(v.at("u1"), 5);
  EXPECT_NEAR(v.at("u2"), 1 - 4, solved);
  EXPECT_EQ(changed(start_of(model)), Names{});
}

TEST(StartSpeeds, that_contradict_each_other_are_refused_by_name) {
  Model model("contradiction");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m, .start_rate = 1 * m / s});
  const Quantity y = model.coordinate("y", {.start = 0 * m, .start_rate = 7 * m / s});
  const Quantity u = model.speed("u", 2 * model.rate(x));
  model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
  model.start(u, 3 * m / s);
  EXPECT_EQ(start_of(model).start_contradiction, (Names{"x'", "u"}));
  EXPECT_TRUE(has(codes_of(model), "E-start-inconsistent"));
}

TEST(StartSpeeds, what_a_case_or_the_command_line_says_wins) {
  Model model("later");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m, .start_rate = 1 * m / s});
  const Quantity u = model.speed("u", 2 * model.rate(x));
  model.particle("P", {.at = N.origin() + x * N.x(), .mass = 1 * kg});
  model.start(u, 3 * m / s, {.is_change = true});
  const ConsistentStart start = start_of(model);
  EXPECT_EQ(start.start_contradiction, Names{});
  EXPECT_EQ(values_of(model).at("u"), 3);
  ASSERT_EQ(changed(start), Names{"x'"});
  EXPECT_EQ(start.changes[0].cause, StartChange::Cause::overruled);
}

// Two rods that hang on each other, the second turned against the first.
class HangingRods : public testing::Test {
 protected:
  HangingRods() {
    const Quantity I = 0.1 * kg * m * m;
    A_ = model_.frame("A", rotate(N_, Axis::z, a_));
    B_ = model_.frame("B", rotate(A_, Axis::z, b_));
    const Position P = N_.origin() - 0.5 * m * A_.y();
    model_.body(A_, {.at = P, .mass = 1 * kg, .inertia = {I, I, I}});
    model_.body(B_, {.at = P - 0.5 * m * (A_.y() + B_.y()), .mass = 1 * kg, .inertia = {I, I, I}});
  }
  Quantity turning(const Frame& F, const Frame& in) const {
    return dot(angular_velocity(F, in), N_.z());
  }

  Model model_{"rods"};
  Frame N_ = model_.newtonian(), A_, B_;
  Quantity a_ = model_.coordinate("a", {.start = 0.2}), b_ = model_.coordinate("b", {.start = 0.3});
};

TEST_F(HangingRods, a_start_value_leaves_speeds_alone_of_which_it_says_nothing) {
  model_.start_condition(turning(A_, N_) - 1 / s, {.name = "w_A"});
  const auto v = values_of(model_);
  EXPECT_NEAR(v.at("a'"), 1, solved);
  EXPECT_EQ(v.at("b'"), 0);
  EXPECT_EQ(changed(start_of(model_)), Names{});
}

TEST_F(HangingRods, a_start_value_of_relative_motion_leaves_the_carrier_alone) {
  model_.start_condition(turning(B_, A_) - 1 / s, {.name = "w_AB"});
  const auto v = values_of(model_);
  EXPECT_EQ(v.at("a'"), 0);
  EXPECT_NEAR(v.at("b'"), 1, solved);
}

TEST_F(HangingRods, what_a_case_says_nothing_about_stays) {
  model_.start(model_.rate(a_), 2 / s);
  model_.start_condition(turning(B_, A_) - 1 / s, {.name = "w_AB"});
  model_.start(model_.rate(b_), 7 / s, {.is_change = true});
  const ConsistentStart start = start_of(model_);
  const auto v = values_of(model_);
  EXPECT_EQ(v.at("a'"), 2);
  EXPECT_EQ(v.at("b'"), 7);
  EXPECT_EQ(start.start_contradiction, Names{});
}

// Two bodies that turn by quaternions, with moments of inertia I and 3 I.
class TwoBodies : public testing::Test {
 protected:
  TwoBodies() {
    const Quantity I = kg * m * m;
    A_ = model_.frame("A", quaternion(N_, model_.quaternion({"a0", "a1", "a2", "a3"})));
    B_ = model_.frame("B", quaternion(N_, model_.quaternion({"b0", "b1", "b2", "b3"})));
    model_.body(A_, {.at = N_.origin(), .mass = 1 * kg, .inertia = {I, I, I}});
    model_.body(B_, {.at = N_.origin(), .mass = 1 * kg, .inertia = {3 * I, 3 * I, 3 * I}});
    const auto wx = [](const Frame& F) { return dot(angular_velocity(F), F.x()); };
    model_.constraint("same", wx(A_) - wx(B_));
    model_.start_condition(wx(A_) - 0.4 / s, {.name = "A_wx"});
    model_.start_condition(wx(B_) - 0.2 / s, {.name = "B_wx"});
  }
  Model model_{"two"};
  Frame N_ = model_.newtonian(), A_, B_;
};

TEST_F(TwoBodies, given_body_rates_move_by_the_least_change_as_plain_rates_do) {
  const ConsistentStart start = start_of(model_);
  const auto v = values_of(model_);
  const double mean = (0.4 + 3 * 0.2) / 4;  // of the angular momentum
  EXPECT_NEAR(v.at("A_wx"), mean, metric);
  EXPECT_NEAR(v.at("B_wx"), mean, metric);
  EXPECT_EQ(changed(start), (Names{"A_wx", "B_wx"}));
  EXPECT_TRUE(start.changes[0].was_given && start.changes[1].was_given);
  EXPECT_EQ(start.start_contradiction, Names{});
}

TEST_F(TwoBodies, what_has_no_part_in_the_conflict_is_held) {
  const Quantity x = model_.coordinate("x", {.start = 0 * m, .start_rate = 2 * m / s});
  const Quantity y = model_.coordinate("y", {.start = 0 * m});
  model_.particle("P", {.at = N_.origin() + x * N_.x(), .mass = 1 * kg});
  model_.particle("Q", {.at = N_.origin() + y * N_.x(), .mass = 1 * kg});
  model_.constraint("line", model_.rate(x) - model_.rate(y));
  const auto v = values_of(model_);
  EXPECT_EQ(v.at("x'"), 2);
  EXPECT_NEAR(v.at("y'"), 2, solved);
}

// ---- Guesses

// x is given; y closes the circle on the side of its guess.
TEST(Guesses, choose_among_the_configurations_that_the_constraints_leave) {
  for (const double side : {1.0, -1.0}) {
    Model model("circle");
    const Frame N = model.newtonian();
    const Quantity x = model.coordinate("x", {.start = 0.6 * m});
    const Quantity y = model.coordinate("y", {.start = side * 0.3 * m, .is_guess = true});
    model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
    model.constraint("circle", x * x + y * y - 1 * m * m);
    const ConsistentStart start = start_of(model);
    EXPECT_EQ(start.coordinates[0], 0.6);
    EXPECT_NEAR(start.coordinates[1], side * 0.8, solved);
    ASSERT_EQ(changed(start), Names{"y"});
    EXPECT_TRUE(start.changes[0].was_guess);
    EXPECT_FALSE(start.changes[0].was_given);
    EXPECT_FALSE(has(codes_of(model), "W-start-changed"));
  }
}

TEST(Guesses, move_together_with_defaults_by_the_least_change_in_the_mass_metric) {
  Model model("metric");
  const Frame N = model.newtonian();
  const Quantity x1 = model.coordinate("x1", {.start = 1 * m, .is_guess = true});
  const Quantity x2 = model.coordinate("x2", {.dimension = m.dimension()});
  const Quantity x3 = model.coordinate("x3", {.start = 0 * m});
  model.particle("P1", {.at = N.origin() + x1 * N.x(), .mass = 1 * kg});
  model.particle("P2", {.at = N.origin() + x2 * N.x(), .mass = 3 * kg});
  model.particle("P3", {.at = N.origin() + x3 * N.x(), .mass = 1 * kg});
  model.constraint("sum", x1 + x2 + x3 - 3 * m);
  const auto v = values_of(model);
  EXPECT_NEAR(v.at("x1"), 1 + 2 * 3.0 / 4, metric);  // m1 d1 = m2 d2, d1 + d2 = 2 m
  EXPECT_NEAR(v.at("x2"), 2 * 1.0 / 4, metric);
  EXPECT_EQ(v.at("x3"), 0);
}

TEST(Guesses, leave_given_values_alone_until_nothing_else_is_left) {
  Model model("given");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 2 * m});
  const Quantity y = model.coordinate("y", {.start = 0.1 * m, .is_guess = true});
  model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
  model.constraint("circle", x * x + y * y - 1 * m * m);
  const ConsistentStart start = start_of(model);
  EXPECT_EQ(start.contradiction, Names{});
  EXPECT_NEAR(std::hypot(start.coordinates[0], start.coordinates[1]), 1, solved);
  EXPECT_TRUE(has(changed(start), "x"));
  EXPECT_TRUE(has(codes_of(model), "W-start-changed"));
}

TEST(Guesses, of_speeds_move_and_given_speeds_do_not) {
  Model model("speeds");
  const Frame N = model.newtonian();
  const Quantity x1 = model.coordinate("x1", {.start = 0 * m}),
                 x2 = model.coordinate("x2", {.start = 0 * m});
  model.particle("P1", {.at = N.origin() + x1 * N.x(), .mass = 1 * kg});
  model.particle("P2", {.at = N.origin() + x2 * N.x(), .mass = 1 * kg});
  model.constraint("same", x1 - x2);
  model.start(model.rate(x1), 1 * m / s);
  model.start(model.rate(x2), 4 * m / s, {.is_guess = true});
  const auto v = values_of(model);
  EXPECT_EQ(v.at("x1'"), 1);
  EXPECT_NEAR(v.at("x2'"), 1, solved);
}

// Given Euler parameters stay, and the guesses close the norm.
TEST(Guesses, of_euler_parameters_close_their_norm) {
  Model model("norm");
  const Frame N = model.newtonian();
  model.reserve_quaternion({"e0", "e1", "e2", "e3"});
  const std::array<Quantity, 4> e = {
      model.coordinate("e0", {.start = Quantity(0.8)}),
      model.coordinate("e1", {.start = Quantity(0.9), .is_guess = true}), model.coordinate("e2"),
      model.coordinate("e3")};
  const Frame D = model.frame("D", quaternion(N, e));
  const Quantity I = kg * m * m;
  model.body(D, {.at = N.origin(), .mass = 1 * kg, .inertia = {I, I, I}});
  const ConsistentStart start = start_of(model);
  EXPECT_EQ(start.coordinates[0], 0.8);
  EXPECT_NEAR(start.coordinates[1], 0.6, solved);
  ASSERT_EQ(changed(start), Names{"e1"});
  EXPECT_TRUE(start.changes[0].was_guess);
}

TEST(Guesses, cannot_be_locked) {
  Model model("lock");
  const Quantity x = model.coordinate("x", {.start = 1 * m, .is_guess = true});
  EXPECT_THROW(model.lock(x), UsageError);
}

// ---- What is missing

TEST(ConsistentStartSays, which_values_are_missing) {
  Model model("missing");
  const Frame N = model.newtonian();
  const Quantity L = model.parameter("L", m.dimension());
  const Quantity f = model.specified("f", m.dimension());
  const Quantity q = model.coordinate("q");
  const Frame A = model.frame("A", rotate(N, Axis::z, q));
  model.particle("P", {.at = N.origin() + f * N.x() + L * A.x(), .mass = 1 * kg});
  const ConsistentStart start = start_of(model);
  EXPECT_EQ(start.missing, (Names{"L", "f"}));
  EXPECT_EQ(start.degrees_of_freedom, 1);
}

TEST(ConsistentStartSays, which_direction_has_no_mass) {
  Model model("massless");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m});
  const Quantity y = model.coordinate("y", {.start = 0 * m});
  const Point P = model.particle("P", {.at = N.origin() + x * N.x(), .mass = 1 * kg});
  model.point("Q", P + y * N.y());
  EXPECT_EQ(start_of(model).massless, Names{"y'"});
}

// A bob on a rod by two angles: m L^2 sin(th)^2 for ph is 0 at th = 0 alone. Two turns about one axis have one inertia everywhere.
TEST(ConsistentStartSays, which_direction_has_mass_beside_a_pole_of_the_coordinates) {
  Model model("pole");
  const Frame N = model.newtonian();
  const Quantity ph = model.coordinate("ph", {.start = 0.3 * rad});
  const Quantity th = model.coordinate("th", {.start = 0 * rad});
  const Frame A = model.frame("A", rotate(N, Axis::z, ph)),
              B = model.frame("B", rotate(A, Axis::y, th));
  model.particle("P", {.at = N.origin() + (-1.0 * m) * B.z(), .mass = 1 * kg});
  EXPECT_EQ(start_of(model).poles, Names{"ph'"});
  EXPECT_TRUE(start_of(model).massless.empty());

  Model twice("twice");
  const Quantity a = twice.coordinate("a", {.start = 0.1 * rad});
  const Quantity b = twice.coordinate("b", {.start = 0.2 * rad});
  const Frame C = twice.frame("C", rotate(twice.newtonian(), Axis::z, a)),
              D = twice.frame("D", rotate(C, Axis::z, b));
  twice.particle("P", {.at = twice.newtonian().origin() + (1.0 * m) * D.x(), .mass = 1 * kg});
  EXPECT_EQ(start_of(twice).massless.size(), 1U);
  EXPECT_TRUE(start_of(twice).poles.empty());
}

// A thin rod has no inertia about its own axis, however its angles stand, though another angle may be the one about it.
TEST(ConsistentStartSays, that_a_rod_has_no_inertia_about_its_own_axis) {
  for (const double tilt : {0.0, 0.4}) {
    Model model("rod");
    const Quantity a = model.coordinate("a", {.start = 0 * rad});
    const Quantity b = model.coordinate("b", {.start = tilt * rad});
    const Quantity c = model.coordinate("c", {.start = tilt * rad});
    const Frame B = model.frame("B", rotate(model.newtonian(), "xyz", {a, b, c}));
    model.body(B, {.at = model.newtonian().origin() + 0.5 * m * B.x(),
                   .mass = 1 * kg,
                   .solid = rod(1 * m, Axis::x)});
    EXPECT_EQ(start_of(model).massless.size(), 1U) << tilt;
    EXPECT_TRUE(start_of(model).poles.empty()) << tilt;
  }
}

// ---- The nearest place

// x*y = 1 from (0, 0), where it has no slope: (1, 1) and (-1, -1) are nearest, by x^2 + 1/x^2. The branches bend away from the
// start so that a whole step along them leads to as far on the other side.
TEST(ConsistentStart, from_a_saddle_goes_to_the_nearest_place_of_given_values_and_of_defaults) {
  constexpr double nearest = 1e-6;  // the end of the way is flat: the square of it is told
  for (const bool is_given : {true, false}) {
    Model model("hyperbola");
    const Frame N_ = model.newtonian();
    const auto add = [&](const char* name) {
      return is_given ? model.coordinate(name, {.start = 0 * m}) : model.coordinate(name);
    };
    const Quantity x = add("x"), y = add("y");
    model.particle("Q", {.at = N_.origin() + x * N_.x() + y * N_.y(), .mass = 1 * kg});
    model.constraint("branch", x * y - 1 * m * m);
    const auto values = values_of(model);
    EXPECT_NEAR(values.at("x") * values.at("y"), 1.0, solved);
    EXPECT_NEAR(std::fabs(values.at("x")), 1.0, nearest) << is_given;
  }
}

// The distance of (3, 0) from y = x^2: 2 (x - 3) + 4 x^3 = 0, x = 1. Newton's steps alone end at x = 1.13.
TEST(ConsistentStart, moves_guesses_and_given_values_to_the_nearest_place) {
  constexpr double nearest = 1e-8;  // the way there is measured to 1e-9 of itself
  for (const bool is_guess : {true, false}) {
    Model model("parabola");
    const Frame N = model.newtonian();
    const Quantity x = model.coordinate("x", {.start = 3 * m, .is_guess = is_guess}),
                   y = model.coordinate("y", {.start = 0 * m, .is_guess = is_guess});
    model.particle("Q", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
    model.constraint("bowl", y - x * x / (1 * m));
    EXPECT_NEAR(values_of(model).at("x"), 1.0, nearest) << is_guess;
    EXPECT_NEAR(values_of(model).at("y"), 1.0, nearest) << is_guess;
  }
}

// atan2(y, x) = 0 holds where x > 0 and y = 0: nothing of that is nearest to what lies left of it.
TEST(ConsistentStart, is_refused_where_no_place_is_nearest) {
  for (const bool is_guess : {true, false}) {
    for (const auto& [x0, y0] : {std::pair{-11.0, 0.1}, {-1.0, -1.0}, {0.0, 5.0}}) {
      Model model("half_line");
      const Frame N = model.newtonian();
      const Quantity x = model.coordinate("x", {.start = x0 * m, .is_guess = is_guess}),
                     y = model.coordinate("y", {.start = y0 * m, .is_guess = is_guess});
      model.particle("Q", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
      model.constraint("ray", atan2(y, x));
      EXPECT_EQ(start_of(model).contradiction, Names{"ray"}) << x0 << " " << is_guess;
    }
  }
  Model model("ray");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x"), y = model.coordinate("y");
  model.particle("Q", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
  model.constraint("ray", atan2(y, x) - 0.5);
  const auto values = values_of(model);
  EXPECT_NEAR(values.at("y") / values.at("x"), std::tan(0.5), solved);
  EXPECT_GT(values.at("x"), 1e-3) << "defaults keep away from where the constraint has no slope";
}

}  // namespace
}  // namespace visviva
