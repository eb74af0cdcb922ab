#include "visviva/model/model.h"

#include <gtest/gtest.h>

#include "visviva/base/refusal_test.h"

namespace visviva {
namespace {

using namespace units;

class ModelTest : public testing::Test {
 protected:
  Model model_{"models"};
  ExprPool& pool_ = *model_.data().pool;
  Frame N_ = model_.newtonian();
  Quantity t_ = model_.time();
  Quantity q_ = model_.coordinate("q"), x_ = model_.coordinate("x", {.start = 1 * m});
  Quantity L_ = model_.parameter("L", 2 * m);
  Frame A_ = model_.frame("A", rotate(N_, Axis::z, q_));
  Point P_ = model_.point("P", N_.origin() + x_ * A_.x());
};

// ---- Names

TEST_F(ModelTest, a_name_is_declared_once_in_its_namespace) {
  EXPECT_EQ(refusal([&] { model_.parameter("q", 1 * m); }),
            "Model::parameter: the scalar 'q' is declared already");
  EXPECT_EQ(refusal([&] { model_.coordinate("L"); }),
            "Model::coordinate: the scalar 'L' is declared already");
  EXPECT_EQ(refusal([&] { model_.specified("q", t_); }),
            "Model::specified: the scalar 'q' is declared already");
  EXPECT_EQ(refusal([&] { model_.input("q", 1 * N); }),
            "Model::input: the scalar 'q' is declared already");
  EXPECT_EQ(refusal([&] { model_.speed("q", model_.rate(q_)); }),
            "Model::speed: the scalar 'q' is declared already");
  EXPECT_EQ(refusal([&] { model_.speed("L", m.dimension()); }),
            "Model::speed: the scalar 'L' is declared already");
  EXPECT_EQ(refusal([&] {
              model_.quaternion({"a", "b", "L", "d"});
            }),
            "Model::quaternion: the scalar 'L' is declared already");
  EXPECT_EQ(refusal([&] {
              model_.quaternion({"a", "b", "a", "d"});
            }),
            "Model::quaternion: the name 'a' stands twice");
  EXPECT_EQ(refusal([&] { model_.frame("A", rotate(N_, Axis::x, q_)); }),
            "Model::frame: the frame 'A' is declared already");
  EXPECT_EQ(refusal([&] { model_.frame("N", rotate(N_, Axis::x, q_)); }),
            "Model::frame: the frame 'N' is declared already");
  EXPECT_EQ(refusal([&] { model_.point("P", N_.origin()); }),
            "Model::point: the point 'P' is declared already");
  EXPECT_EQ(refusal([&] { model_.point("No", P_); }),
            "Model::point: the point 'No' is declared already");
  EXPECT_EQ(refusal([&] { model_.particle("P", {.at = P_, .mass = 1 * kg}); }),
            "Model::particle: the point 'P' is declared already");
}

TEST_F(ModelTest, a_name_may_stand_in_several_namespaces) {
  EXPECT_NO_THROW(model_.frame("q", rotate(N_, Axis::x, q_)));
  EXPECT_NO_THROW(model_.point("q", N_.origin()));
  EXPECT_NO_THROW(model_.point("A", N_.origin()));
}

TEST_F(ModelTest, results_of_energy_analysis_have_reserved_names_among_scalars_only) {
  for (const std::string name : {"K", "K0", "K1", "K2", "U", "Z", "E_Z", "E", "H", "C", "sigma",
                                 "sigma_R", "P_nonconservative", "t", "pi"}) {
    EXPECT_EQ(refusal([&] { model_.coordinate(name); }),
              "Model::coordinate: the name '" + name + "' is reserved");
    EXPECT_TRUE(says(refusal([&] { model_.parameter(name, 1 * m); }), "parameter", name));
  }
  const Frame C = model_.frame("C", rotate(N_, Axis::x, q_));
  EXPECT_NO_THROW(model_.point("H", N_.origin()));
  EXPECT_NO_THROW(model_.body(C, {.at = P_, .mass = 1 * kg, .inertia = {}}));
  EXPECT_NO_THROW(model_.particle("C", {.at = P_, .mass = 1 * kg}));
}

TEST_F(ModelTest, names_are_letters_of_any_script_digits_and_underscores) {
  for (const std::string name : {"theta", "θ", "ω_1", "Größe", "_a", "x2", "q[1]", "q[10][2]_w"}) {
    EXPECT_EQ(refusal([&] { model_.coordinate(name); }), "") << name;
  }
  for (const std::string name :
       {"", "2x", "a b", "x'", "a.b", "a-b", "q[]", "q[i]", "q[1", "[1]"}) {
    EXPECT_TRUE(says(refusal([&] { model_.coordinate(name); }), "Model::coordinate: '" + name + "'",
                     "is no name"));
    EXPECT_TRUE(says(refusal([&] { model_.frame(name, rotate(N_, Axis::x, q_)); }),
                     "Model::frame: '" + name + "'"));
    EXPECT_TRUE(says(refusal([&] { model_.point(name, P_); }), "Model::point: '" + name + "'"));
    EXPECT_TRUE(says(refusal([&] { Model model(name); }), "Model: '" + name + "'"));
  }
}

TEST_F(ModelTest, a_refused_declaration_leaves_its_name_free) {
  EXPECT_NE(refusal([&] { model_.coordinate("y", {.start = x_}); }), "");
  EXPECT_NE(refusal([&] { model_.coordinate("y", {.start = 1 * m, .start_rate = 1 * m}); }), "");
  EXPECT_NE(refusal([&] { model_.parameter("y", q_); }), "");
  EXPECT_NE(refusal([&] { model_.specified("y", q_); }), "");
  EXPECT_NE(refusal([&] { model_.speed("y", model_.rate(model_.rate(q_))); }), "");
  EXPECT_NE(refusal([&] { model_.quaternion({"y", "y1", "y2", "y3"}, {0, 0, 0, 0}); }), "");
  EXPECT_NE(refusal([&] { model_.quaternion({"y", "y1", "y2", "q"}); }), "");
  EXPECT_NE(refusal([&] { model_.frame("y", rotate(N_, x_ * N_.x(), q_)); }), "");
  EXPECT_NE(refusal([&] { model_.particle("y", {.at = P_, .mass = 1 * m}); }), "");
  EXPECT_NO_THROW(model_.coordinate("y"));
  EXPECT_NO_THROW(model_.frame("y", rotate(N_, Axis::x, q_)));
  EXPECT_NO_THROW(model_.point("y", P_));
}

// ---- Scalars

TEST_F(ModelTest, values_and_start_values_may_depend_on_parameters_only) {
  EXPECT_NO_THROW(model_.parameter("I", 3 * kg * L_ * L_ / 12));
  EXPECT_EQ(refusal([&] { model_.parameter("p", x_); }),
            "Model::parameter: the value of 'p' contains 'x', a coordinate, which cannot stand "
            "there");
  EXPECT_TRUE(says(refusal([&] { model_.input("F", x_); }), "Model::input", "'F'", "'x'"));
  EXPECT_TRUE(says(refusal([&] { model_.specified("f", x_ * t_); }), "Model::specified", "'f'",
                   "'x'", "coordinate"));
  EXPECT_TRUE(says(refusal([&] { model_.coordinate("y", {.start = t_}); }), "Model::coordinate",
                   "start value of 'y'", "'t'"));
  EXPECT_TRUE(says(refusal([&] { model_.start(x_, x_); }), "Model::start", "'x'"));
}

TEST_F(ModelTest, a_coordinate_takes_its_dimension_from_its_start_value) {
  EXPECT_EQ(x_.dimension().str(), "m");
  EXPECT_EQ(q_.dimension().str(), "1");
  EXPECT_EQ(model_.coordinate("y", {.dimension = m.dimension()}).dimension().str(), "m");
  EXPECT_EQ(model_.coordinate("z", {.start = 0, .dimension = m.dimension()}).dimension().str(),
            "m");
  EXPECT_EQ(model_.coordinate("w", {.start = 0 * m}).dimension().str(), "m");
  EXPECT_TRUE(says(refusal([&] { model_.coordinate("v", {.start = 1 * m, .start_rate = 1 * m}); }),
                   "Model::coordinate: the start rate of 'v' has dimension 'm', expected 'm/s'"));
}

TEST_F(ModelTest, rates_of_coordinates_speeds_and_specified_functions_have_symbols) {
  const Quantity f = model_.specified("f", sin(t_ * (2 / s)) * m);
  const Quantity u = model_.speed("u", model_.rate(x_));
  EXPECT_EQ(pool_.symbol_name(model_.rate(q_).expr().ref()), "q'");
  EXPECT_EQ(pool_.symbol_name(model_.rate(model_.rate(q_)).expr().ref()), "q''");
  EXPECT_EQ(pool_.symbol_name(model_.rate(f).expr().ref()), "f'");
  EXPECT_EQ(pool_.symbol_name(model_.rate(model_.rate(f)).expr().ref()), "f''");
  EXPECT_EQ(pool_.symbol_name(model_.rate(u).expr().ref()), "u'");
  EXPECT_EQ(model_.rate(model_.rate(f)).dimension().str(), "m/s^2");
  for (const Quantity& bad : {L_, t_, q_ * q_, model_.rate(model_.rate(q_))}) {
    EXPECT_TRUE(says(refusal([&] { model_.rate(bad); }), "Model::rate"));
  }
}

TEST_F(ModelTest, start_values_belong_to_coordinates_rates_and_speeds) {
  const Quantity u = model_.speed("u", model_.rate(x_));
  model_.start(u, 3 * m / s);
  model_.start(q_, 10 * deg);
  model_.start(model_.rate(q_), 2 * rad / s);
  EXPECT_EQ(*model_.data().speeds[0].start, 3.0);
  EXPECT_EQ(*model_.data().coordinates[0].start, pool_.pi() / 18.0);
  EXPECT_EQ(*model_.data().coordinates[0].start_rate, 2.0);
  EXPECT_EQ(refusal([&] { model_.start(u, 1 * m); }),
            "Model::start: the start value has dimension 'm', expected 'm/s'");
  EXPECT_EQ(refusal([&] { model_.start(L_, 1 * m); }),
            "Model::start: only coordinates, rates, speeds and states have start values");
}

TEST_F(ModelTest, a_quaternion_starts_normalised) {
  model_.quaternion({"e0", "e1", "e2", "e3"}, {2, 0, 0, 0});
  model_.quaternion({"f0", "f1", "f2", "f3"}, {3, 4, 0, 0});
  EXPECT_EQ(*model_.data().coordinates[2].start, 1.0);
  EXPECT_EQ(*model_.data().coordinates[6].start, 0.6);
  EXPECT_EQ(*model_.data().coordinates[7].start, 0.8);
  EXPECT_EQ(refusal([&] {
              model_.quaternion({"g0", "g1", "g2", "g3"}, {0, 0, 0, 0});
            }),
            "Model::quaternion: the start values are not a direction");
}

TEST_F(ModelTest, definitions_of_speeds_contain_no_accelerations_inputs_or_other_speeds) {
  const Quantity u = model_.speed("u", model_.rate(x_)), F = model_.input("F", 1 * N);
  const Quantity f = model_.specified("f", t_);
  const Quantity third = model_.rate(model_.rate(model_.rate(f)));
  EXPECT_TRUE(says(refusal([&] { model_.speed("v", u); }), "Model::speed", "'v'", "'u'", "speed"));
  EXPECT_TRUE(says(refusal([&] { model_.speed("v", F); }), "Model::speed", "'v'", "'F'", "input"));
  EXPECT_TRUE(says(refusal([&] { model_.speed("v", model_.rate(model_.rate(q_))); }),
                   "Model::speed", "'v'", "'q'''", "an acceleration"));
  EXPECT_TRUE(says(refusal([&] { model_.speed("v", third); }), "Model::speed", "'v'", "'f''''"));
}

// ---- Frames

TEST_F(ModelTest, an_axis_must_be_fixed_in_the_parent) {
  const Frame B = model_.frame("B", rotate(A_, Axis::x, x_ / L_));
  for (const Vector& axis : {B.y(), q_ * N_.x() + N_.y(), q_ * A_.x(), A_.z() + B.z()}) {
    EXPECT_EQ(refusal([&] { model_.frame("D", rotate(A_, axis, q_)); }),
              "Model::frame: the axis of 'D' is not fixed in 'A'");
  }
}

TEST_F(ModelTest, orientations_depend_on_configuration_and_time_only) {
  const Quantity F = model_.input("F", 1);
  EXPECT_EQ(refusal([&] { model_.frame("B", rotate(N_, Axis::x, model_.rate(q_) * s)); }),
            "Model::frame: the orientation of 'B' contains 'q'', a rate, which cannot stand there");
  EXPECT_TRUE(says(refusal([&] {
                     model_.frame("B", rotate(N_, "zxz", {q_, F, q_}));
                   }),
                   "Model::frame", "'B'", "'F', an input"));
  EXPECT_TRUE(says(refusal([&] {
                     const Vector w = angular_velocity(A_);
                     model_.frame("B", rodrigues(N_, {q_, dot(w, N_.x()) * s, 0}));
                   }),
                   "Model::frame", "'B'", "quantity of motion"));
}

TEST_F(ModelTest, a_quaternion_frame_needs_four_coordinates_declared_together) {
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  const auto f = model_.quaternion({"f0", "f1", "f2", "f3"});
  const auto refused = [&](const std::array<Quantity, 4>& four) {
    return says(refusal([&] { model_.frame("D", quaternion(N_, four)); }), "Model::frame", "'D'",
                "declared together by Model::quaternion");
  };
  EXPECT_TRUE(refused({e[0], e[1], e[2], f[3]}));
  EXPECT_TRUE(refused({e[1], e[0], e[2], e[3]}));
  EXPECT_TRUE(refused({q_, q_, q_, q_}));
  EXPECT_TRUE(refused({1, 0, 0, 0}));
  EXPECT_NO_THROW(model_.frame("D", quaternion(N_, e)));
  EXPECT_EQ(refusal([&] { model_.frame("G", quaternion(A_, e)); }),
            "Model::frame: the quaternion of 'G' orients 'D' already");
}

TEST_F(ModelTest, a_spin_is_linear_in_speeds_and_free_of_accelerations) {
  const Quantity w = model_.speed("w", (1 / s).dimension());
  const Quantity f = model_.specified("f", t_ / s), F = model_.input("F", 1 / s);
  const auto refused = [&](const Vector& v) {
    return refusal([&] { model_.frame("W", spin(N_, v)); });
  };
  EXPECT_EQ(refused(w * w * s * N_.x() + w * N_.y()),
            "Model::frame: the angular velocity of 'W' is not linear in the speeds and rates");
  EXPECT_TRUE(says(refused(sin(model_.rate(q_) * s) / s * N_.x()), "not linear"));
  EXPECT_TRUE(says(refused(F * N_.x()), "the angular velocity of 'W'", "'F'"));
  EXPECT_TRUE(says(refused(model_.rate(w) * s * N_.x()), "'W'", "'w''", "rate of a speed"));
  EXPECT_TRUE(says(refused(model_.rate(model_.rate(model_.rate(f))) * s * s * N_.x()), "'f''''"));
  EXPECT_NO_THROW(model_.frame("W", spin(N_, q_ * w * N_.x() + model_.rate(q_) * A_.y() +
                                                 model_.rate(f) * sin(t_ / s) * N_.z())));
}

// ---- Points, particles and bodies

TEST_F(ModelTest, positions_are_lengths_that_depend_on_configuration_and_time_only) {
  EXPECT_EQ(refusal([&] { model_.point("Q", P_ + N_.x()); }),
            "Model::point: what is added to the position of 'Q' has dimension '1', expected 'm'");
  EXPECT_EQ(refusal([&] { model_.point("Q", P_ + model_.rate(x_) * s * N_.x()); }),
            "Model::point: the position of 'Q' contains 'x'', a rate, which cannot stand there");
  EXPECT_NO_THROW(model_.point("Q", P_ + (t_ / s) * L_ * sin(q_) * A_.x()));
}

TEST_F(ModelTest, a_points_home_is_the_deepest_frame_of_its_offset_or_its_parents_home) {
  const Frame B = model_.frame("B", rotate(A_, Axis::x, q_));
  const auto home = [&](const Point& P) { return model_.data().points[P.index()].home_frame; };
  const Point Q = model_.point("Q", N_.origin() + L_ * B.y() + L_ * A_.x() + L_ * N_.z());
  EXPECT_EQ(home(Q), B.index());
  EXPECT_EQ(home(model_.point("R", Q)), B.index());
  EXPECT_EQ(home(model_.point("S", Q + L_ * A_.x())), A_.index());
  EXPECT_EQ(home(N_.origin()), N_.index());
}

TEST_F(ModelTest, a_frame_carries_one_body) {
  const Point Acm =
      model_.body(A_, {.at = P_, .mass = 2 * kg, .inertia = {.xx = 1 * kg * m * m, .xy = 0}});
  EXPECT_EQ(Acm.name(), "Acm");
  EXPECT_EQ(Acm - P_, Vector());
  EXPECT_EQ(refusal([&] { model_.body(A_, {.at = P_, .mass = 2 * kg, .inertia = {}}); }),
            "Model::body: the body 'A' is declared already");
  EXPECT_EQ(refusal([&] { model_.body(N_, {.at = P_, .mass = 2 * kg, .inertia = {}}); }),
            "Model::body: the Newtonian frame cannot be a body");
}

TEST_F(ModelTest, a_bodys_inertia_matrix_is_symmetric) {
  const Inertia I = {.xx = 1 * kg * m * m,
                     .yy = 2 * kg * m * m,
                     .zz = 3 * kg * m * m,
                     .xy = 4 * kg * m * m,
                     .yz = 5 * kg * m * m,
                     .zx = 6 * kg * m * m};
  model_.body(A_, {.at = P_, .mass = 2 * kg, .inertia = I});
  const Matrix3& matrix = model_.data().bodies[0].inertia;
  EXPECT_EQ(matrix, transpose(matrix));
  EXPECT_EQ(matrix[0][1], 4.0);
  EXPECT_EQ(matrix[1][2], 5.0);
  EXPECT_EQ(matrix[2][0], 6.0);
}

TEST_F(ModelTest, masses_and_moments_have_their_dimensions) {
  EXPECT_EQ(refusal([&] { model_.particle("Q", {.at = P_, .mass = 1 * m}); }),
            "Model::particle: the mass of 'Q' has dimension 'm', expected 'kg'");
  EXPECT_EQ(
      refusal([&] { model_.particle("Q", {.at = P_, .mass = x_ * kg / m}); }),
      "Model::particle: the mass of 'Q' contains 'x', a coordinate, which cannot stand there");
  EXPECT_EQ(refusal([&] { model_.body(A_, {.at = P_, .mass = 1, .inertia = {}}); }),
            "Model::body: the mass of 'A' has dimension '1', expected 'kg'");
  EXPECT_EQ(
      refusal([&] { model_.body(A_, {.at = P_, .mass = 1 * kg, .inertia = {.yy = 1 * kg * m}}); }),
      "Model::body: inertia yy of 'A' has dimension 'kg*m', expected 'kg*m^2'");
}

// ---- Other models

TEST_F(ModelTest, what_belongs_to_another_model_is_refused_with_the_function_that_refuses) {
  Model other("other");
  const Quantity p = other.coordinate("p");
  const Frame M = other.newtonian();
  EXPECT_TRUE(says(refusal([&] { model_.frame("B", rotate(M, Axis::x, p)); }), "Model::frame",
                   "another model"));
  EXPECT_TRUE(says(refusal([&] { model_.frame("B", rotate(N_, Axis::x, p)); }), "Model::frame",
                   "another model"));
  EXPECT_TRUE(says(refusal([&] { model_.frame("B", rotate(N_, M.x(), q_)); }), "Model::frame",
                   "another model"));
  EXPECT_TRUE(
      says(refusal([&] { model_.point("Q", M.origin()); }), "Model::point", "another model"));
  EXPECT_TRUE(says(refusal([&] { model_.point("Q", P_ + 1 * m * M.x()); }), "Model::point",
                   "another model"));
  EXPECT_TRUE(says(refusal([&] { model_.body(M, {.at = P_, .mass = 1 * kg, .inertia = {}}); }),
                   "Model::body", "another model"));
  EXPECT_TRUE(
      says(refusal([&] { model_.parameter("r", p); }), "Model::parameter", "another model"));
  EXPECT_TRUE(says(refusal([&] { velocity(P_, M); }), "velocity", "another model"));
  EXPECT_TRUE(says(refusal([&] { angular_velocity(A_, M); }), "angular_velocity", "another model"));
}

TEST_F(ModelTest, a_moved_model_keeps_its_frames_and_points) {
  Model moved = std::move(model_);
  EXPECT_EQ(moved.name(), "models");
  EXPECT_NO_THROW(moved.point("Q", P_ + L_ * A_.y()));
}

// ---- Quantities of motion

TEST_F(ModelTest, a_quantity_of_motion_is_the_same_symbols_each_time) {
  EXPECT_EQ(velocity(P_), velocity(P_, N_));
  EXPECT_EQ(angular_velocity(A_), angular_velocity(A_, N_));
  EXPECT_FALSE(velocity(P_) == velocity(P_, A_));
  EXPECT_FALSE(velocity(P_) == velocity_on(P_, A_));
  EXPECT_EQ(acceleration(P_).dimension().str(), "m/s^2");
  EXPECT_EQ(angular_acceleration(A_).dimension().str(), "1/s^2");
}

}  // namespace
}  // namespace visviva
