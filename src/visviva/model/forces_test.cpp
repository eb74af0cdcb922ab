// What declarations of forces, energies and constraints refuse: the message, and the code that a
// reader of models shows.
#include <gtest/gtest.h>

#include "visviva/base/refusal_test.h"
#include "visviva/model/model.h"

namespace visviva {
namespace {

using namespace units;

// "CODE Function: problem" of a UsageError; empty when none is thrown.
template <class Function>
std::string refused(const Function& f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.code() + " " + error.what();
  }
  return {};
}

class Forces : public testing::Test {
 protected:
  Model model_{"forces"};
  Frame N_ = model_.newtonian();
  Quantity k_ = model_.parameter("k", 2 * N / m), b_ = model_.parameter("b", 1 * N * s / m);
  Quantity q_ = model_.coordinate("q", {.start = 30 * deg});
  Quantity x_ = model_.coordinate("x", {.start = 1 * m});
  Quantity u_ = model_.speed("u", model_.rate(x_));
  Frame A_ = model_.frame("A", rotate(N_, Axis::z, q_));
  Point P_ = model_.particle("P", {.at = N_.origin() + x_ * N_.x(), .mass = 1 * kg});
  Point Q_ = model_.particle("Q", {.at = P_ + x_ * A_.x(), .mass = 1 * kg});
  const ModelData& data_ = model_.data();
};

// A model whose things do not belong here.
struct Elsewhere {
  Model model{"elsewhere"};
  Frame frame = model.newtonian();
  Quantity scalar = model.parameter("k", 2 * N / m);
};

// ---- Forces and torques

TEST_F(Forces, a_force_has_the_dimension_of_force) {
  EXPECT_TRUE(says(refused([&] { model_.force("F", {.on = P_, .value = 2 * m * N_.x()}); }),
                   "E-dimension-force Model::force: the force 'F'", "m"));
  EXPECT_TRUE(says(refused([&] { model_.torque("T", {.on = A_, .value = 2 * N * N_.x()}); }),
                   "E-dimension-force Model::torque: the torque 'T'"));
  EXPECT_EQ(refused([&] { model_.force("F", {.on = P_, .value = Vector()}); }), "");
  EXPECT_EQ(refused([&] { model_.torque("T", {.on = A_, .value = 2 * N * m * N_.x()}); }), "");
}

TEST_F(Forces, a_force_cannot_depend_on_accelerations) {
  const Quantity second = model_.rate(model_.rate(x_));
  EXPECT_EQ(refused([&] { model_.force("F", {.on = P_, .value = 1 * kg * second * N_.x()}); }),
            "E-name-kind Model::force: the force 'F' contains 'x''', a second rate, which cannot "
            "stand there");
  EXPECT_NE(refused([&] { model_.force("G", {.on = P_, .value = 1 * kg * acceleration(P_)}); }),
            "");
  EXPECT_NE(refused([&] {
              model_.torque("T", {.on = A_, .value = 1 * kg * m * m * angular_acceleration(A_)});
            }),
            "");
}

TEST_F(Forces, forces_springs_energies_and_constraints_share_a_namespace) {
  model_.force("a", {.on = P_, .value = Vector()});
  model_.spring("b", {.from = P_, .to = Q_, .stiffness = k_});
  model_.potential("c", 0.5 * k_ * x_ * x_);
  model_.constraint("d", x_ - 1 * m);
  EXPECT_EQ(refused([&] { model_.torque("a", {.on = A_, .value = Vector()}); }),
            "E-name-twice Model::torque: the force 'a' is declared already");
  EXPECT_EQ(refused([&] { model_.damper("b", {.on = x_, .rate = b_}); }),
            "E-name-twice Model::damper: the spring or damper 'b' is declared already");
  EXPECT_EQ(refused([&] { model_.dissipation("c", b_ * u_ * u_); }),
            "E-name-twice Model::dissipation: the energy 'c' is declared already");
  EXPECT_EQ(refused([&] { model_.roll("d", {.body = A_, .on = N_, .at = P_}); }),
            "E-name-twice Model::roll: the constraint 'd' is declared already");
  EXPECT_TRUE(says(refused([&] { model_.force("2F", {.on = P_, .value = Vector()}); }),
                   "E-syntax-expected Model::force: '2F' is no name"));
}

TEST_F(Forces, what_belongs_to_another_model_is_refused) {
  Elsewhere other;
  const std::string foreign = "a frame, point or vector belongs to another model";
  const Vector v = 2 * N * other.frame.x();
  EXPECT_TRUE(says(refused([&] { model_.force("F", {.on = P_, .value = v}); }), foreign));
  EXPECT_TRUE(
      says(refused([&] { model_.force("F", {.on = other.frame.origin(), .value = Vector()}); }),
           foreign));
  EXPECT_TRUE(
      says(refused([&] { model_.torque("F", {.on = other.frame, .value = Vector()}); }), foreign));
  EXPECT_TRUE(says(refused([&] { model_.gravity(9.81 * m / s / s * other.frame.x()); }), foreign));
  EXPECT_TRUE(says(refused([&] { model_.constraint("c", 1 * m * other.frame.x()); }), foreign));
  EXPECT_TRUE(says(refused([&] { model_.start_condition(1 * m * other.frame.x()); }), foreign));
  EXPECT_TRUE(says(refused([&] { model_.spring("S", {.on = x_, .stiffness = other.scalar}); }),
                   "a quantity belongs to another model"));
  EXPECT_TRUE(says(refused([&] { model_.constraint("c", other.scalar); }),
                   "a quantity belongs to another model"));
}

TEST_F(Forces, what_is_refused_leaves_nothing_behind) {
  refused([&] { model_.force("F", {.on = P_, .value = 2 * m * N_.x()}); });
  refused([&] { model_.spring("F", {.from = P_, .to = P_, .stiffness = k_}); });
  refused([&] { model_.potential("F", 2 * m); });
  refused([&] { model_.roll("F", {.body = A_, .on = A_, .at = P_ + 1 * m * N_.y()}); });
  EXPECT_TRUE(data_.forces.empty() && data_.springs.empty() && data_.energies.empty() &&
              data_.constraints.empty());
  EXPECT_FALSE(model_.find_point("F_contact"));
}

// ---- Gravity

TEST_F(Forces, gravity_is_one_acceleration) {
  EXPECT_TRUE(says(refused([&] { model_.gravity(9.81 * m / s * N_.y()); }),
                   "E-dimension-gravity Model::gravity: gravity"));
  EXPECT_TRUE(says(refused([&] { model_.gravity(u_ * u_ / x_ * N_.y()); }),
                   "E-name-kind Model::gravity: gravity contains 'u', a speed"));
  model_.gravity(-9.81 * m / s / s * N_.y());
  EXPECT_EQ(refused([&] { model_.gravity(Vector()); }),
            "E-statement-twice Model::gravity: gravity is given already");
}

// ---- Springs and dampers

TEST_F(Forces, a_spring_acts_between_two_points_or_on_a_scalar) {
  EXPECT_EQ(refused([&] { model_.spring("S", {.from = P_, .to = Q_, .on = x_, .stiffness = k_}); }),
            "E-clause-conflict Model::spring: expected two points or a coordinate, not both");
  EXPECT_EQ(refused([&] { model_.spring("S", {.from = P_, .stiffness = k_}); }),
            "E-clause-missing Model::spring: expected two points, or a coordinate");
  EXPECT_EQ(refused([&] { model_.damper("S", {.rate = b_}); }),
            "E-clause-missing Model::damper: expected two points, or a coordinate");
  EXPECT_TRUE(says(refused([&] { model_.damper("S", {.from = P_, .to = P_, .rate = b_}); }),
                   "Model::damper: both ends are the point 'P'"));
  EXPECT_EQ(refused([&] { model_.spring("S", {.on = u_ * (1 * s), .stiffness = k_}); }),
            "E-spring-on Model::spring: what it acts on contains 'u', a speed, which cannot stand "
            "there");
}

TEST_F(Forces, stiffness_and_rate_fit_what_the_spring_acts_on) {
  EXPECT_TRUE(says(refused([&] { model_.spring("S", {.on = q_, .stiffness = k_}); }),
                   "E-dimension-spring Model::spring: the stiffness of 'S'"));
  EXPECT_TRUE(says(refused([&] { model_.damper("S", {.from = P_, .to = Q_, .rate = k_}); }),
                   "E-dimension-spring Model::damper: the rate of 'S'"));
  EXPECT_TRUE(
      says(refused([&] { model_.spring("S", {.on = x_, .stiffness = k_, .rest = 1 * rad}); }),
           "E-dimension-spring Model::spring: the rest of 'S'"));
  EXPECT_EQ(refused([&] { model_.spring("S", {.on = q_, .stiffness = 2 * N * m}); }), "");
  EXPECT_EQ(refused([&] { model_.damper("D", {.on = q_, .rate = 2 * N * m * s}); }), "");
}

TEST_F(Forces, stiffness_rate_and_rest_are_constant) {
  EXPECT_EQ(
      refused([&] { model_.spring("S", {.on = x_, .stiffness = k_ * cos(q_)}); }),
      "E-value-not-constant Model::spring: the stiffness of 'S' contains 'q', a coordinate, which "
      "cannot stand there");
  EXPECT_EQ(refused([&] { model_.spring("S", {.on = x_, .stiffness = k_, .rest = x_}); }),
            "E-value-not-constant Model::spring: the rest of 'S' contains 'x', a coordinate, which "
            "cannot "
            "stand there");
}

// ---- Energies

TEST_F(Forces, a_potential_is_an_energy_of_configuration_and_time) {
  EXPECT_TRUE(says(refused([&] { model_.potential("V", k_ * x_); }),
                   "E-dimension-energy Model::potential: the potential 'V'"));
  EXPECT_EQ(refused([&] { model_.potential("V", b_ * u_ * x_); }),
            "E-potential-depends Model::potential: the potential 'V' contains 'u', a speed; a "
            "potential depends on configuration and time only");
  EXPECT_TRUE(
      says(refused([&] { model_.potential("V", 1 * kg * dot(velocity(P_), velocity(P_))); }),
           "E-potential-depends", "a quantity of motion"));
  EXPECT_EQ(refused([&] { model_.potential("V", k_ * x_ * x_ * cos(model_.time() / s)); }), "");
}

TEST_F(Forces, a_dissipation_is_a_power) {
  EXPECT_TRUE(says(refused([&] { model_.dissipation("D", k_ * x_ * x_); }),
                   "E-dimension-energy Model::dissipation: the dissipation 'D'"));
  EXPECT_EQ(refused([&] { model_.dissipation("D", 0.5 * b_ * u_ * u_); }), "");
}

// ---- Constraints

TEST_F(Forces, a_constraint_is_of_configuration_or_motion_as_its_contents_say) {
  model_.constraint("", x_ - 1 * m);
  model_.constraint("v", u_);
  model_.constraint("w", dot(velocity(P_), A_.y()));
  model_.constraint("p", P_ - Q_);
  model_.constraint("vw", velocity(P_));
  using Kind = ConstraintData::Kind;
  const Kind expected[] = {Kind::configuration, Kind::motion, Kind::motion, Kind::configuration,
                           Kind::motion};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(data_.constraints[i].kind, expected[i]) << i;
  EXPECT_EQ(data_.constraints[0].name, "constraint1");
}

TEST_F(Forces, a_constraint_contains_no_acceleration_and_no_force) {
  EXPECT_EQ(refused([&] { model_.constraint("c", dot(acceleration(P_), N_.x())); }),
            "E-constraint-acceleration Model::constraint: a constraint cannot contain an "
            "acceleration");
  EXPECT_EQ(refused([&] { model_.constraint("c", angular_acceleration(A_)); }),
            "E-constraint-acceleration Model::constraint: a constraint cannot contain an "
            "acceleration");
  EXPECT_EQ(refused([&] { model_.constraint("c", model_.rate(model_.rate(x_))); }),
            "E-constraint-acceleration Model::constraint: a constraint cannot contain 'x''', an "
            "acceleration");
  const Quantity T = model_.unknown("T");
  EXPECT_TRUE(says(refused([&] { model_.constraint("c", T); }), "E-name-kind", "an unknown"));
}

TEST_F(Forces, an_unnamed_constraint_gets_a_free_name) {
  model_.constraint("constraint2", x_ - 1 * m);
  model_.constraint("", q_);
  EXPECT_NE(data_.constraints[1].name, "constraint2");
}

TEST_F(Forces, a_body_does_not_roll_on_itself) {
  EXPECT_EQ(refused([&] { model_.roll("r", {.body = A_, .on = A_, .at = P_}); }),
            "E-roll-same Model::roll: 'A' cannot roll on itself");
}

TEST_F(Forces, the_place_of_contact_becomes_a_point_unless_it_is_one) {
  model_.roll("", {.body = A_, .on = N_, .at = P_});
  EXPECT_EQ(data_.constraints[0].point, P_.index());
  model_.roll("r", {.body = A_, .on = N_, .at = P_ - 1 * m * N_.y()});
  EXPECT_TRUE(model_.find_point("r_contact"));
}

TEST_F(Forces, only_a_coordinate_is_locked_and_only_once) {
  EXPECT_EQ(refused([&] { model_.lock(k_); }),
            "E-lock-name Model::lock: only a coordinate can be locked");
  EXPECT_EQ(refused([&] { model_.lock(x_ * x_); }),
            "E-lock-name Model::lock: only a coordinate can be locked");
  EXPECT_EQ(refused([&] { model_.lock(2 * m); }),
            "E-lock-name Model::lock: only a coordinate can be locked");
  model_.lock(x_);
  EXPECT_EQ(refused([&] { model_.lock(x_); }),
            "E-statement-twice Model::lock: 'x' is locked already");
}

TEST_F(Forces, only_a_speed_is_dependent) {
  EXPECT_EQ(refused([&] { model_.dependent(x_); }),
            "E-name-kind Model::dependent: only a speed can be dependent");
  EXPECT_EQ(refused([&] { model_.dependent(u_); }), "");
  EXPECT_EQ(refused([&] { model_.dependent(model_.rate(q_)); }), "");
}

TEST_F(Forces, an_auxiliary_speed_has_a_direction_and_a_free_name) {
  EXPECT_EQ(refused([&] { model_.auxiliary("a", Vector(), P_); }),
            "E-auxiliary-direction Model::auxiliary: the direction of 'a' is zero");
  EXPECT_TRUE(says(refused([&] { model_.auxiliary("a", 1 * m * N_.x(), P_); }),
                   "E-auxiliary-direction Model::auxiliary: the direction of 'a'"));
  EXPECT_EQ(refused([&] { model_.auxiliary("x", N_.x(), P_); }),
            "E-name-twice Model::auxiliary: the scalar 'x' is declared already");
  EXPECT_EQ(refused([&] { model_.auxiliary("a", N_.x(), P_); }), "");
  EXPECT_EQ(refused([&] { model_.coordinate("a"); }),
            "E-name-twice Model::coordinate: the scalar 'a' is declared already");
}

TEST_F(Forces, a_refused_auxiliary_leaves_its_name_free) {
  Elsewhere other;
  EXPECT_NE(refused([&] { model_.auxiliary("a", N_.x(), other.frame.origin()); }), "");
  EXPECT_EQ(refused([&] { model_.coordinate("a"); }), "");
}

// ---- Start values and results

TEST_F(Forces, start_values_are_of_coordinates_rates_and_speeds) {
  EXPECT_EQ(
      refused([&] { model_.start(k_, 2 * N / m); }),
      "E-start-target Model::start: only coordinates, rates, speeds and states have start values");
  EXPECT_TRUE(says(refused([&] { model_.start(u_, 2 * m); }), "E-dimension-start Model::start"));
  EXPECT_EQ(refused([&] { model_.start(x_, u_ * (1 * s)); }),
            "E-value-not-constant Model::start: the start value contains 'u', a speed, which "
            "cannot stand "
            "there");
}

TEST_F(Forces, results_have_names_and_dimensions) {
  EXPECT_EQ(refused([&] { model_.result("Q"); }),
            "E-output-target Model::result: there is no result 'Q'");
  EXPECT_EQ(model_.result("E_Z").dimension(), J.dimension());
  EXPECT_EQ(model_.result("sigma").dimension(), W.dimension());
  EXPECT_EQ(model_.result("work(F)").dimension(), J.dimension());
  EXPECT_EQ(model_.result("power(F)").dimension(), W.dimension());
}

TEST_F(Forces, a_result_stands_in_outputs_only) {
  const Quantity E = model_.result("E");
  EXPECT_EQ(refused([&] { model_.output("energy", E); }), "");
  EXPECT_TRUE(says(refused([&] { model_.constraint("c", E); }), "E-name-kind", "a result"));
  EXPECT_TRUE(says(refused([&] { model_.potential("V", E); }), "E-potential-depends", "a result"));
}

}  // namespace
}  // namespace visviva
