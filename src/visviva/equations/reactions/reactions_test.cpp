// Reactions against closed forms, against each other by two ways, and against free bodies.
#include "visviva/equations/reactions/reactions.h"
#include "visviva/equations/methods/derive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/equations/loads/places.h"
#include "visviva/equations/methods/auxiliary.h"
#include "visviva/equations/methods/newton_euler.h"
#include "visviva/equations/reactions/reaction_forms.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/kinematics/constraint_rows.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/text/build/read_model.h"

namespace visviva {
namespace {

using namespace units;

constexpr double rounding = 1e-11;

struct Solved {
  explicit Solved(const Kinematics& motion)
      : equations(derive(motion)),
        state(make_state(motion, make_consistent_start(motion))),
        solution(MotionSolver(equations)(state)),
        all(ReactionSolver(equations)(state, solution)) {}

  const Reaction& reaction(const std::string& name) const {
    for (const Reaction& r : all.reactions) {
      if (r.name == name) return r;
    }
    throw std::runtime_error("no reaction " + name);
  }

  Equations equations;
  StartState state;
  SolvedMotion solution;
  Reactions all;
};

void expect_near(const std::array<double, 3>& a, const std::array<double, 3>& b,
                 double tolerance = rounding) {
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << i;
}

// A bob on a massless rod, by angle or by x and y and a constraint: tension m g cos th + m l th'^2.
TEST(reactions, of_a_pendulum_are_the_tension_however_it_is_described) {
  const double th = 0.7, rate = 1.3, length = 0.8, bob = 2.0, weight = 9.81;
  const double tension = bob * weight * std::cos(th) + bob * length * rate * rate;
  const std::array<double, 3> pull = {-tension * std::sin(th), tension * std::cos(th), 0};

  Model by_angle("by_angle");
  {
    const Frame N = by_angle.newtonian();
    const Quantity q = by_angle.coordinate("q", {.start = th * rad, .start_rate = rate * rad / s});
    const Frame A = by_angle.frame("A", rotate(N, Axis::z, q));
    const Point O = by_angle.point("O", N.origin() + 0.3 * m * N.x());
    by_angle.particle("Q", {.at = O - length * m * A.y(), .mass = bob * kg});
    by_angle.gravity(-weight * m / (s * s) * N.y());
  }
  const Solved reduced(analyze_motion(by_angle));
  expect_near(reduced.reaction("O").wrench.force, pull);
  expect_near(reduced.reaction("O").wrench.moment, {0, 0, 0});

  Model by_constraint("by_constraint");
  const Frame N = by_constraint.newtonian();
  const double c = std::cos(th), d = std::sin(th);
  const Quantity x = by_constraint.coordinate(
      "x", {.start = length * d * m, .start_rate = length * rate * c * m / s});
  const Quantity y = by_constraint.coordinate(
      "y", {.start = -length * c * m, .start_rate = length * rate * d * m / s});
  const Point Q =
      by_constraint.particle("Q", {.at = N.origin() + x * N.x() + y * N.y(), .mass = bob * kg});
  const Vector r = Q - N.origin();
  by_constraint.constraint("rod", dot(r, r) - length * length * m * m);
  const VirtualData v = by_constraint.virtual_displacement(Q);
  const Vector moved = r + Vector(Q.model(), {{0, {v.symbols[0], v.symbols[1], v.symbols[2]}}},
                                  Dimension::of(Dimension::length));
  by_constraint.displace_constraint(
      {.scalar = (dot(moved, moved) - length * length * m * m).expr(), .virtuals = {v}});
  by_constraint.gravity(-weight * m / (s * s) * N.y());
  const Solved constrained(analyze_motion(by_constraint));
  expect_near(constrained.reaction("rod").wrench.force, pull);
  EXPECT_EQ(constrained.reaction("rod").on, "Q");
  EXPECT_EQ(constrained.reaction("rod").at, "Q");
}

// A cantilever turned by a motor: the motor lifts weight and speeds up the inertia.
TEST(reactions, the_motor_of_a_specified_angle_carries_weight_and_inertia) {
  Model model("arm");
  const Frame N = model.newtonian();
  const Quantity t = model.time();
  const Quantity q =
      model.specified("q", 0.4 * rad + 0.5 * rad / s * t + 0.9 * rad / (s * s) * t * t);
  const Frame A = model.frame("A", rotate(N, Axis::z, q));
  model.body(A, {.at = N.origin() + 0.6 * m * A.x(),
                 .mass = 3 * kg,
                 .inertia = {0.1 * kg * m * m, 0.2 * kg * m * m, 0.25 * kg * m * m}});
  model.gravity(-9.81 * m / (s * s) * N.y());
  const Solved solved(analyze_motion(model));
  const double torque = (0.25 + 3 * 0.36) * 1.8 + 3 * 9.81 * 0.6 * std::cos(0.4);
  ASSERT_EQ(solved.all.motors.size(), 1u);
  EXPECT_NEAR(solved.all.motors[0].force, torque, rounding * torque);
  EXPECT_NEAR(solved.all.motors[0].power, torque * 0.5, rounding * torque);
  EXPECT_NEAR(solved.reaction("No").wrench.moment[2], torque, rounding * torque);
  const double a_n = 0.6 * 0.25, a_t = 0.6 * 1.8, c = std::cos(0.4), d = std::sin(0.4);
  expect_near(solved.reaction("No").wrench.force,
              {3 * (-a_n * c - a_t * d), 3 * (-a_n * d + a_t * c + 9.81), 0});
}

// Two hinges on one axis share the load along it in a way that rigid bodies do not tell.
TEST(reactions, what_two_hinges_share_along_their_axis_is_not_determined) {
  Model model("door");
  const Frame N = model.newtonian();
  std::array<Quantity, 3> x;
  for (std::size_t i = 0; i < 3; ++i)
    x[i] = model.coordinate(std::string("x") + "xyz" [i], { .start = (i == 0 ? 0.5 : 0.0) * m });
  const auto e = model.quaternion({"e0", "e1", "e2", "e3"});
  const Frame B = model.frame("B", quaternion(N, e));
  const Point center = model.body(B, {.at = N.origin() + x[0] * N.x() + x[1] * N.y() + x[2] * N.z(),
                                      .mass = 10 * kg,
                                      .inertia = {1 * kg * m * m, 1 * kg * m * m, 1 * kg * m * m}});
  const Point upper = model.point("upper", center - 0.5 * m * B.x() + 1 * m * B.z());
  const Point lower = model.point("lower", center - 0.5 * m * B.x() - 1 * m * B.z());
  const Point wall_upper = model.point("wall_upper", N.origin() + 1 * m * N.z());
  const Point wall_lower = model.point("wall_lower", N.origin() - 1 * m * N.z());
  model.constraint("top", upper - wall_upper);
  model.constraint("bottom", lower - wall_lower);
  model.gravity(-9.81 * m / (s * s) * N.z());
  const Solved solved(analyze_motion(model));
  const Wrench& top = solved.reaction("top").wrench;
  const Wrench& bottom = solved.reaction("bottom").wrench;
  EXPECT_TRUE(top.is_force_determined[0] && top.is_force_determined[1]);
  EXPECT_FALSE(top.is_force_determined[2]);
  EXPECT_FALSE(bottom.is_force_determined[2]);
  // Moments about the lower hinge: the upper one pulls back with half a door's width of weight.
  EXPECT_NEAR(top.force[0], -9.81 * 10 * 0.5 / 2, 1e-9);
  EXPECT_NEAR(bottom.force[0], 9.81 * 10 * 0.5 / 2, 1e-9);
  EXPECT_NEAR(top.force[2] + bottom.force[2], 98.1, 1e-9);
  for (const bool is_known : solved.solution.is_rate_determined) EXPECT_TRUE(is_known);
}

// What a constraint pulls at the ground is no part of the mechanism: a pin at No has no moment about
// its axis, wherever else the linkage is held.
TEST(reactions, of_a_ground_pin_do_not_count_what_acts_on_the_ground_elsewhere) {
  Model model("two_bars");
  const Frame N = model.newtonian();
  const Quantity a = model.coordinate("a", {.start = 60.0 * deg});
  const Quantity b = model.coordinate("b", {.start = -60.0 * deg});
  const Frame A = model.frame("A", rotate(N, Axis::z, a));
  const Frame B = model.frame("B", rotate(N, Axis::z, b));
  const Solid bar = rod(1 * m, Axis::x);
  model.body(A, {.at = N.origin() + 0.5 * m * A.x(), .mass = 1 * kg, .solid = bar});
  const Point P = model.point("P", N.origin() + 1 * m * A.x());
  model.body(B, {.at = P + 0.5 * m * B.x(), .mass = 1 * kg, .solid = bar});
  const Point Q = model.point("Q", P + 1 * m * B.x());
  const Point ground = model.point("G", N.origin() + 1 * m * N.x());
  model.constraint("pin", Q - ground);
  model.gravity(-9.81 * m / (s * s) * N.y());
  const Solved solved(analyze_motion(model));
  // A rigid triangle of two bars at rest: each end carries one bar's weight, and they push apart.
  const double push = 0.5 * 9.81 / std::tan(60 * std::acos(-1.0) / 180);
  expect_near(solved.reaction("No").wrench.force, {push, 9.81, 0});
  expect_near(solved.reaction("No").wrench.moment, {0, 0, 0});
  expect_near(solved.reaction("pin").wrench.force, {-push, 9.81, 0});
}

// A ball rolling down a plane held at its height by its description: friction 2/7 m g sin, normal
// m g cos, though only friction has rows.
TEST(reactions, of_a_rolling_ball_include_the_normal_force_that_only_the_contact_can_carry) {
  Model model("ball");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m}),
                 y = model.coordinate("y", {.start = 0 * m});
  const auto e = model.quaternion({"e0", "e1", "e2", "e3"});
  const Frame B = model.frame("B", quaternion(N, e));
  const Point center = model.body(B, {.at = N.origin() + x * N.x() + y * N.y() + 0.2 * m * N.z(),
                                      .mass = 3 * kg,
                                      .solid = sphere(0.2 * m)});
  model.roll("contact", {.body = B, .on = N, .at = center - 0.2 * m * N.z()});
  const double slope = 0.3, weight = 3 * 9.81;
  model.gravity(9.81 * std::sin(slope) * m / (s * s) * N.x() -
                9.81 * std::cos(slope) * m / (s * s) * N.z());
  const Solved solved(analyze_motion(model));
  const Wrench& contact = solved.reaction("contact").wrench;
  expect_near(contact.force, {-2.0 / 7 * weight * std::sin(slope), 0, weight * std::cos(slope)});
  for (const bool is_known : contact.is_force_determined) EXPECT_TRUE(is_known);
}

// A disc pushed along the plane by F through its center: a = F/(3/2 m), friction m a - F, normal m g. The contact
// carries all of it, the points that the disc hangs on nothing.
class RollingDisc : public testing::Test {
 protected:
  RollingDisc() {
    const Quantity x = model_.coordinate("x", {.start = 0 * m}),
                   q = model_.coordinate("q", {.start = 0 * rad});
    C_ = model_.frame("C", rotate(N_, Axis::z, -q));
    H_ = model_.point("H", N_.origin() + x * N_.x());
    center_ = model_.body(
        C_, {.at = H_ + 0.3 * m * N_.y(), .mass = mass * kg, .solid = disc(0.3 * m, Axis::z)});
    contact_ = model_.point("touch", center_ - 0.3 * m * N_.y());
    model_.roll("contact", {.body = C_, .on = N_, .at = contact_});
    model_.gravity(-9.81 * m / (s * s) * N_.y());
    model_.force("push", {.on = center_, .value = push * N * N_.x()});
  }
  static constexpr double mass = 2, push = 1;
  const double friction_ = mass * push / (1.5 * mass) - push;
  const Quantity N = kg * m / (s * s);
  Model model_{"disc"};
  Frame N_ = model_.newtonian(), C_;
  Point H_, center_, contact_;
};

TEST_F(RollingDisc, is_carried_by_the_contact_alone) {
  const Solved solved(analyze_motion(model_));
  expect_near(solved.reaction("contact").wrench.force, {friction_, mass * 9.81, 0});
  for (const char* point : {"No", "H", "Ccm"}) {
    expect_near(solved.reaction(point).wrench.force, {0, 0, 0});
    expect_near(solved.reaction(point).wrench.moment, {0, 0, 0});
  }
  const auto values = name_results(solved.all);
  EXPECT_NEAR(values.at("multiplier(contact).x"), friction_, rounding);
  EXPECT_NEAR(values.at("moment(contact).z"), 0, rounding);
}

TEST_F(RollingDisc, does_not_feel_an_unknown_force_that_the_contact_can_take_up) {
  const Quantity F = model_.unknown("F");
  model_.force("friction", {.on = contact_, .body = C_, .value = F * N_.x()});
  const Solved solved(analyze_motion(model_));
  EXPECT_TRUE(solved.equations.unknowns.empty());
  require_unknowns_determined(solved.equations, solved.solution);
  EXPECT_NEAR(solved.solution.speed_rates[0], push / (1.5 * mass), rounding);
  expect_near(solved.reaction("contact").wrench.force, {friction_, mass * 9.81, 0});
}

TEST_F(RollingDisc, cannot_hide_an_unknown_force_that_moves_it) {
  const Quantity F = model_.unknown("F");
  model_.force("pull", {.on = center_, .value = F * N_.x()});
  const Solved solved(analyze_motion(model_));
  EXPECT_EQ(solved.equations.unknowns.size(), 1u);
  EXPECT_THROW(require_unknowns_determined(solved.equations, solved.solution), ModelError);
}

// The tension m g cos q + m L q'^2, linear in the equations however the length is written.
TEST(reactions, an_unknown_tension_along_a_line_written_with_roots_is_linear) {
  Model model("tension");
  const Frame N = model.newtonian();
  const Quantity q = model.coordinate("q", {.start = 0.5 * rad, .start_rate = 2 * rad / s});
  const Quantity L = model.parameter("L", 0.8 * m);
  const Point P = model.particle(
      "P", {.at = N.origin() + L * sin(q) * N.x() - L * cos(q) * N.y(), .mass = 3 * kg});
  model.gravity(-9.81 * m / (s * s) * N.y());
  const Vector line = unit(N.origin() - P);
  model.force("string", {.on = P, .from = N.origin(), .value = model.unknown("T") * line});
  model.auxiliary("ua", line, P);
  const Solved solved(analyze_motion(model));
  ASSERT_EQ(solved.solution.unknowns.size(), 1u);
  EXPECT_NEAR(solved.solution.unknowns[0], 3 * 9.81 * std::cos(0.5) + 3 * 0.8 * 4, 1e-9);
}

// Two discs on one axis, a torque of 1 N m on A alone, I and 3 I: three quarters of it pass to B.
class NamedFirst : public testing::Test {
 protected:
  Solved solve(const std::string& constraint) {
    const ModelReading reading = read_model({"test", R"(
parameter I = 0.1 kg*m^2
coordinate qA = 0.3 rad, qB = 0.3 rad
frame A = rotate(N, z, qA)
frame B = rotate(N, z, qB)
body A at No, mass 1 kg, inertia I, I, I
body B at No + 1 m*N.x, mass 1 kg, inertia 3*I, 3*I, 3*I
torque T on A = 1 N*m*N.z
constraint c: )" + constraint + "\n"});
    EXPECT_TRUE(reading.model.has_value());
    return Solved(analyze_motion(*reading.model));
  }
};

TEST_F(NamedFirst, is_the_body_that_the_reaction_acts_on) {
  for (const char* text : {"dot(A.x, B.y) = 0", "qA = qB", "qA - qB = 0", "qA' = qB'",
                           "dot(angular_velocity(A), N.z) = dot(angular_velocity(B), N.z)"}) {
    const Reaction r = solve(text).reaction("c");
    EXPECT_EQ(r.on, "A") << text;
    EXPECT_NEAR(r.wrench.moment[2], -0.75, rounding) << text;
  }
  for (const char* text : {"dot(B.y, A.x) = 0", "qB = qA", "qB' - qA' = 0 rad/s",
                           "dot(angular_velocity(B), N.z) = dot(angular_velocity(A), N.z)"}) {
    const Reaction r = solve(text).reaction("c");
    EXPECT_EQ(r.on, "B") << text;
    EXPECT_NEAR(r.wrench.moment[2], 0.75, rounding) << text;
  }
}

// A ball rolling on a plate that slides and turns: the plate is pushed as the ball is, oppositely.
TEST(reactions, of_rolling_on_a_moving_body_act_on_both) {
  Model model("ball_on_plate");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m}), a = model.coordinate("a");
  const Quantity y = model.coordinate("y", {.start = 0.3 * m}),
                 z = model.coordinate("z", {.start = 0.1 * m});
  const Frame A = model.frame("A", rotate(N, Axis::z, a));
  model.body(A,
             {.at = N.origin() + x * N.x(), .mass = 5 * kg, .solid = box(1 * m, 1 * m, 0.1 * m)});
  const auto e = model.quaternion({"e0", "e1", "e2", "e3"});
  const Frame B = model.frame("B", quaternion(N, e));
  const Point center = model.body(B, {.at = N.origin() + y * N.x() + z * N.y() + 0.25 * m * N.z(),
                                      .mass = 2 * kg,
                                      .solid = sphere(0.2 * m)});
  model.roll("contact", {.body = B, .on = A, .at = center - 0.2 * m * N.z()});
  model.gravity(1.5 * m / (s * s) * N.y() - 9.81 * m / (s * s) * N.z());
  const Kinematics motion = analyze_motion(model);
  const Equations equations = derive(motion);
  ASSERT_EQ(equations.rows.size(), 2u);
  for (const ConstraintRow& row : equations.rows) {
    const std::optional<Place> place = place_row(motion, row);
    ASSERT_TRUE(place.has_value());
    const NetWrench net = compute_net_wrench(motion, *place);
    EXPECT_TRUE(net.force.is_zero());
    EXPECT_TRUE(net.moment.is_zero());
  }
  // Newton for the ball along N.y: friction = m (z'' - 1.5).
  const Solved solved(motion);
  const double acceleration =
      solved.solution.speed_rates[static_cast<std::size_t>(motion.speed_index("z'"))];
  const Wrench& contact = solved.reaction("contact").wrench;
  EXPECT_NEAR(contact.force[1], 2 * (acceleration - 1.5), 1e-10);
  // Nothing but the plate carries the ball, and the plate's guide carries both.
  EXPECT_TRUE(contact.is_force_determined[2]);
  EXPECT_NEAR(contact.force[2], 2 * 9.81, 1e-10);
  EXPECT_NEAR(solved.reaction("Acm").wrench.force[2], (5 + 2) * 9.81, 1e-10);
  EXPECT_NEAR(solved.reaction("Bcm").wrench.force[2], 0, 1e-10);
  EXPECT_NEAR(solved.reaction("No").wrench.force[2], (5 + 2) * 9.81, 1e-10);
}

// A wheel with a rod pinned to its axle, both given from a point that slides: the contact carries both. With x'' and
// q'' from the equations, Newton's law of both gives N = (m + mB) g + mB L (q'' sin q + q'^2 cos q), and of the rod alone
// the vertical force at its center.
TEST(reactions, of_a_wheel_that_carries_others_by_its_axle_are_at_the_contact) {
  Model model("segway");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m}),
                 th = model.coordinate("th", {.start = 0 * rad}),
                 q = model.coordinate("q", {.start = 0.4 * rad, .start_rate = 2 * rad / s});
  const Point P = model.point("P", N.origin() + x * N.x() + 0.5 * m * N.y());
  const Frame W = model.frame("W", rotate(N, Axis::z, th)),
              B = model.frame("B", rotate(N, Axis::z, q));
  model.body(W, {.at = P, .mass = 2 * kg, .solid = disc(0.5 * m, Axis::z)});
  model.body(B, {.at = P - 0.7 * m * B.y(), .mass = 3 * kg, .solid = rod(1.4 * m, Axis::y)});
  model.roll("contact", {.body = W, .on = N, .at = P - 0.5 * m * N.y()});
  model.gravity(-9.81 * m / (s * s) * N.y());
  const Kinematics motion = analyze_motion(model);
  const Solved solved(motion);
  const double qdd =
      solved.solution.speed_rates[static_cast<std::size_t>(motion.speed_index("q'"))];
  const double lift = 3 * 0.7 * (qdd * std::sin(0.4) + 4 * std::cos(0.4));
  const Wrench& contact = solved.reaction("contact").wrench;
  for (const bool is_known : contact.is_force_determined) EXPECT_TRUE(is_known);
  EXPECT_NEAR(contact.force[1], 5 * 9.81 + lift, 1e-10);
  EXPECT_NEAR(solved.reaction("Bcm").wrench.force[1], 3 * 9.81 + lift, 1e-10);
  EXPECT_NEAR(solved.reaction("Wcm").wrench.force[1], -(3 * 9.81 + lift), 1e-10);
  for (const char* point : {"No", "P"})
    EXPECT_NEAR(solved.reaction(point).wrench.force[1], 0, 1e-10);
  // The same by the expressions of a run.
  ReactionForms forms(solved.equations);
  EXPECT_TRUE(forms.make_reaction("contact").losses.empty());
  EXPECT_TRUE(forms.make_reaction("P").losses.empty());
}

// A wheel on an arm that is pinned to the ground: contact and pin share its weight and what keeps it on its circle, and
// neither is told.
TEST(reactions, that_a_contact_shares_with_an_arm_are_not_determined_at_either) {
  for (const bool has_mass : {true, false}) {
    Model model("mill");
    const Frame N = model.newtonian();
    const Quantity a = model.coordinate("a", {.start = 0 * rad, .start_rate = 2 * rad / s}),
                   th = model.coordinate("th", {.start = 0 * rad});
    const Frame A = model.frame("A", rotate(N, Axis::y, a)),
                W = model.frame("W", rotate(A, Axis::x, th));
    const Point P = model.point("P", N.origin() + 1 * m * A.x() + 0.5 * m * N.y());
    if (has_mass) model.body(A, {.at = N.origin(), .mass = 1 * kg, .solid = rod(1 * m, Axis::x)});
    model.body(W, {.at = P, .mass = 2 * kg, .solid = disc(0.5 * m, Axis::x)});
    model.roll("contact", {.body = W, .on = N, .at = P - 0.5 * m * N.y()});
    model.gravity(-9.81 * m / (s * s) * N.y());
    const Solved solved(analyze_motion(model));
    for (const char* name : {"contact", "P", "Wcm", "No"}) {
      const Wrench& w = solved.reaction(name).wrench;
      EXPECT_FALSE(w.is_force_determined[0]) << name;
      EXPECT_FALSE(w.is_force_determined[1]) << name;
      EXPECT_TRUE(w.is_force_determined[2]) << name;
    }
    ReactionForms forms(solved.equations);
    EXPECT_FALSE(forms.make_reaction("P").losses.empty());
    EXPECT_FALSE(forms.make_moment("P").losses.empty());
  }
}

// Two cylinders beside each other, joined by a spring: each contact carries its own.
TEST(reactions, of_two_rolling_bodies_that_only_a_spring_joins_are_apart) {
  Model model("pair");
  const Frame N = model.newtonian();
  const Quantity newton = kg * m / (s * s);
  std::vector<Point> centers;
  for (const std::string& name : {std::string("a"), std::string("b")}) {
    const double place = name == "a" ? 0 : 3;
    const Quantity x = model.coordinate("x" + name, {.start = place * m}),
                   th = model.coordinate("th" + name, {.start = 0 * rad});
    const Frame C = model.frame("C" + name, rotate(N, Axis::z, th));
    centers.push_back(model.body(C, {.at = N.origin() + x * N.x() + 0.5 * m * N.y(),
                                     .mass = (1 + place) * kg,
                                     .solid = disc(0.5 * m, Axis::z)}));
    model.roll("roll" + name, {.body = C, .on = N, .at = centers.back() - 0.5 * m * N.y()});
  }
  model.spring("S",
               {.from = centers[0], .to = centers[1], .stiffness = 7 * newton / m, .rest = 2 * m});
  model.gravity(-9.81 * m / (s * s) * N.y());
  const Solved solved(analyze_motion(model));
  // A force F at the axle leaves 2/3 F for the mass: friction is -F/3.
  expect_near(solved.reaction("rolla").wrench.force, {-7.0 / 3, 9.81, 0});
  expect_near(solved.reaction("rollb").wrench.force, {7.0 / 3, 4 * 9.81, 0});
}

// Newton's third law in its general form, for the ball joint of two bodies: forces are opposite, moments after the shift between
// the mass centers (O'Reilly & Srinivasa 2002 (24), (25)).
TEST(reactions, action_and_reaction_of_conditions_between_bodies_balance) {
  Model model("pair");
  const Frame N = model.newtonian();
  std::vector<Frame> frames;
  std::vector<Point> ends;
  for (int b = 0; b < 2; ++b) {
    const std::string k = std::to_string(b);
    const auto e = model.quaternion({"a" + k, "b" + k, "c" + k, "d" + k});
    const Frame B = model.frame("B" + k, quaternion(N, e));
    const Quantity x = model.coordinate("x" + k, {.start = 0.6 * b * m}),
                   y = model.coordinate("y" + k, {.start = 0 * m}),
                   z = model.coordinate("z" + k, {.start = 0 * m});
    const Point center =
        model.body(B, {.at = N.origin() + x * N.x() + y * N.y() + z * N.z(),
                       .mass = (1.0 + b) * kg,
                       .inertia = {0.02 * kg * m * m, 0.03 * kg * m * m, 0.04 * kg * m * m}});
    ends.push_back(model.point("P" + k, center + (b == 0 ? 0.3 : -0.3) * m * B.x()));
    frames.push_back(B);
  }
  model.constraint("ball", ends[0] - ends[1]);
  model.spring("link", {.from = ends[0],
                        .to = model.point("S", Point(frames[1].model(), ends[1].index()) +
                                                   0.2 * m * frames[1].y()),
                        .stiffness = 40 * kg / (s * s),
                        .rest = 0.1 * m});
  const Kinematics motion = analyze_motion(model);
  const Equations equations = derive(motion);
  ASSERT_EQ(equations.rows.size(), 3u);
  for (const ConstraintRow& row : equations.rows) {
    const std::optional<Place> place = place_row(motion, row);
    ASSERT_TRUE(place.has_value());
    // Equal and opposite as vectors at one place: the two ends coincide only on the constraint, so the moment is left over as
    // (P0 - P1) x force.
    const NetWrench net = compute_net_wrench(motion, *place);
    EXPECT_TRUE(net.force.is_zero());
    const Vector lever = cross(ends[0] - ends[1], place->forces[0].second);
    EXPECT_TRUE(Vector(frames[0].model(), lever.parts(), Dimension()) == net.moment);
  }
  for (const Load& load : collect_loads(motion)) {
    const NetWrench net = compute_net_wrench(motion, {load.forces, load.torques});
    EXPECT_TRUE(net.force.is_zero());
    EXPECT_TRUE(net.moment.is_zero());
  }
}

// The balance of what hangs on a point along an auxiliary speed, through the tree, and body by body.
TEST(reactions, by_auxiliary_speeds_and_by_free_bodies_are_the_same_in_random_mechanisms) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const mechanisms::RandomMechanism mechanism(seed);
    const Kinematics motion = analyze_motion(mechanism.model);
    const Equations equations = derive(motion);
    const ConsistentStart start = make_consistent_start(motion);
    if (!start.contradiction.empty()) continue;
    const StartState state = make_state(motion, start);
    const SolvedMotion solution = MotionSolver(equations)(state);
    const StartState complete = add_solution(equations, state, solution);
    const Reactions reactions = ReactionSolver(equations)(state, solution);
    const std::vector<Load> loads = collect_loads(motion);
    const ModelData& data = motion.model();
    for (const Reaction& r : reactions.reactions) {
      int point = -1;
      for (std::size_t P = 0; P < data.points.size(); ++P) {
        if (data.points[P].name == r.name) point = static_cast<int>(P);
      }
      if (point < 0) continue;
      const Frame N(data, 0);
      const Vector axes[] = {N.x(), N.y(), N.z()};
      for (std::size_t i = 0; i < 3; ++i) {
        const AuxiliaryEquation balance = make_balance(equations, loads, point, axes[i]);
        if (!balance.is_complete || !r.wrench.is_force_determined[i]) continue;
        double force = -complete.value(balance.forcing), size = 1;
        for (std::size_t k = 0; k < balance.mass.size(); ++k)
          force += complete.value(balance.mass[k]) * solution.speed_rates[k];
        for (std::size_t k = 0; k < balance.rows.size(); ++k)
          force -= complete.value(balance.rows[k]) * solution.multipliers[k];
        size += std::abs(complete.value(balance.forcing));
        EXPECT_NEAR(force, r.wrench.force[i], 1e-9 * size)
            << "seed " << seed << " point " << r.name << " axis " << i;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100);
}

// A spring from the ground pin to the tip of a bar at rest: the pin pushes back all of it.
TEST(newton_euler, what_acts_on_the_ground_is_no_load_of_the_body_pinned_there) {
  Model model("bar");
  const Frame N = model.newtonian();
  const Quantity q = model.coordinate("q", {.start = 0 * rad});
  const Frame B = model.frame("B", rotate(N, Axis::z, q));
  model.body(B, {.at = N.origin() + 0.5 * m * B.x(), .mass = 1 * kg, .solid = rod(1 * m, Axis::x)});
  const Point tip = model.point("Tip", N.origin() + 1 * m * B.x());
  model.spring("pull", {.from = N.origin(), .to = tip, .stiffness = 10 * kg / (s * s)});
  const Kinematics motion = analyze_motion(model);
  const Equations equations = derive(motion);
  const StartState state = make_state(motion, make_consistent_start(motion));
  const FreeBodyMotion free = solve_free_bodies(equations, state);
  ASSERT_EQ(free.bodies.size(), 1u);
  expect_near(free.bodies[0].force, {10, 0, 0});
  expect_near(free.bodies[0].moment, {0, 0, 0});
}

TEST(newton_euler, free_bodies_with_multipliers_move_as_kane_says_in_random_mechanisms) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const mechanisms::RandomMechanism mechanism(seed);
    const Kinematics motion = analyze_motion(mechanism.model);
    const Equations equations = derive(motion);
    const ConsistentStart start = make_consistent_start(motion);
    if (!start.contradiction.empty()) continue;
    const StartState state = make_state(motion, start);
    const SolvedMotion solution = MotionSolver(equations)(state);
    const FreeBodyMotion free =
        solve_free_bodies(equations, add_solution(equations, state, solution));
    EXPECT_TRUE(free.is_consistent) << seed;
    for (std::size_t r = 0; r < solution.speed_rates.size(); ++r) {
      if (!solution.is_rate_determined[r]) continue;
      EXPECT_NEAR(free.speed_rates[r], solution.speed_rates[r],
                  1e-7 * (1 + std::abs(solution.speed_rates[r])))
          << "seed " << seed << " speed " << motion.speeds()[r].name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace visviva
