// Generalized speeds: names and order, kinematical differential equations against textbooks, and
// what is said when definitions do not determine the rates.
#include "visviva/kinematics/speeds.h"

#include <gtest/gtest.h>

#include "visviva/base/refusal_test.h"
#include "visviva/kinematics/kinematics.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {
namespace {

using namespace units;

std::vector<std::string> names_of(const Kinematics& motion) {
  std::vector<std::string> names;
  for (const Speed& s : motion.speeds()) names.push_back(s.name);
  return names;
}

// What analyze_motion finds wrong; an empty diagnostic when nothing.
Diagnostic complaint(const Model& model) {
  try {
    analyze_motion(model);
  } catch (const ModelError& error) {
    return error.diagnostics().at(0);
  }
  return {};
}

class SpeedsTest : public testing::Test {
 protected:
  Model model_{"speeds"};
  ExprPool& pool_ = *model_.data().pool;
  Frame N_ = model_.newtonian();
  const Dimension per_second_ = (1 / s).dimension();

  Quantity angle(const std::string& name, double start = 0.5) {
    return model_.coordinate(name, {.start = start});
  }
  Quantity rate(const Quantity& q) { return model_.rate(q); }
  // u1, u2, u3: components of w_NB along axes of F.
  std::array<Quantity, 3> components(const Frame& B, const Frame& F) {
    const Vector w = angular_velocity(B);
    return {model_.speed("u1", dot(w, F.x())), model_.speed("u2", dot(w, F.y())),
            model_.speed("u3", dot(w, F.z()))};
  }
};

// ---- Names and order

TEST_F(SpeedsTest, a_rate_that_no_definition_uses_is_a_speed_of_its_own_name) {
  const Quantity theta = angle("theta"), x = model_.coordinate("x", {.start = 0 * m});
  const Kinematics motion = analyze_motion(model_);
  EXPECT_EQ(names_of(motion), (std::vector<std::string>{"theta'", "x'"}));
  EXPECT_EQ(motion.speed_index("x'"), 1);
  EXPECT_EQ(motion.rate(theta).expr(), rate(theta).expr());
  EXPECT_EQ(motion.speeds()[1].u, rate(x).expr());
  EXPECT_EQ(motion.speeds()[1].rate, rate(rate(x)).expr());
  EXPECT_EQ(motion.speeds()[1].dimension.str(), "m/s");
}

TEST_F(SpeedsTest, speeds_stand_in_order_of_declaration) {
  const Quantity a = angle("a");
  angle("b");
  const Quantity w = model_.speed("w", per_second_);
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  const Quantity c = angle("c");
  model_.speed("u", rate(a) + rate(c));
  model_.speed("v", rate(a) - rate(c));
  angle("d");
  const Frame D = model_.frame("D", quaternion(N_, e));
  model_.frame("W", spin(D, w * D.x()));
  EXPECT_EQ(names_of(analyze_motion(model_)),
            (std::vector<std::string>{"b'", "w", "D_wx", "D_wy", "D_wz", "u", "v", "d'"}));
}

TEST_F(SpeedsTest, a_model_without_coordinates_has_no_speeds) {
  const Frame A = model_.frame("A", rotate(N_, Axis::z, model_.time() * (2 / s)));
  const Kinematics motion = analyze_motion(model_);
  EXPECT_TRUE(motion.speeds().empty());
  EXPECT_EQ(motion.angular_velocity(A), (2 / s) * N_.z());
  EXPECT_EQ(motion.angular_velocity_remainder(A), (2 / s) * N_.z());
}

// ---- Kinematical differential equations
// Kane, Likins & Levinson, Spacecraft Dynamics (1983), appendix II; u are body-axis components.

TEST_F(SpeedsTest, body_three_123_angles_have_the_rates_of_the_textbook) {
  const Quantity q1 = angle("q1"), q2 = angle("q2"), q3 = angle("q3");
  const Frame B = model_.frame("B", rotate(N_, "123", {q1, q2, q3}));
  const auto [u1, u2, u3] = components(B, B);
  const Kinematics motion = analyze_motion(model_);
  const Quantity c2 = cos(q2), s2 = sin(q2), c3 = cos(q3), s3 = sin(q3);
  EXPECT_EQ(motion.rate(q1).expr(), ((u1 * c3 - u2 * s3) / c2).expr());
  EXPECT_EQ(motion.rate(q2).expr(), (u1 * s3 + u2 * c3).expr());
  EXPECT_EQ(motion.rate(q3).expr(), (u3 + (-u1 * c3 + u2 * s3) * s2 / c2).expr());
  EXPECT_EQ(motion.angular_velocity(B), u1 * B.x() + u2 * B.y() + u3 * B.z());
}

TEST_F(SpeedsTest, body_two_313_angles_have_the_rates_of_the_textbook) {
  const Quantity q1 = angle("q1"), q2 = angle("q2"), q3 = angle("q3");
  const Frame B = model_.frame("B", rotate(N_, "313", {q1, q2, q3}));
  const auto [u1, u2, u3] = components(B, B);
  const Kinematics motion = analyze_motion(model_);
  const Quantity c2 = cos(q2), s2 = sin(q2), c3 = cos(q3), s3 = sin(q3);
  EXPECT_EQ(motion.rate(q1).expr(), ((u1 * s3 + u2 * c3) / s2).expr());
  EXPECT_EQ(motion.rate(q2).expr(), (u1 * c3 - u2 * s3).expr());
  EXPECT_EQ(motion.rate(q3).expr(), (u3 - (u1 * s3 + u2 * c3) * c2 / s2).expr());
}

TEST_F(SpeedsTest, space_three_123_angles_have_the_rates_of_the_textbook) {
  const Quantity q1 = angle("q1"), q2 = angle("q2"), q3 = angle("q3");
  const Frame B = model_.frame("B", rotate_space(N_, "123", {q1, q2, q3}));
  const auto [u1, u2, u3] = components(B, B);
  const Kinematics motion = analyze_motion(model_);
  const Quantity c1 = cos(q1), s1 = sin(q1), c2 = cos(q2), s2 = sin(q2);
  EXPECT_EQ(motion.rate(q1).expr(), (u1 + (u2 * s1 + u3 * c1) * s2 / c2).expr());
  EXPECT_EQ(motion.rate(q2).expr(), (u2 * c1 - u3 * s1).expr());
  EXPECT_EQ(motion.rate(q3).expr(), ((u2 * s1 + u3 * c1) / c2).expr());
}

// e' = 1/2 e (0, w) in body axes, e' = 1/2 (0, w) e in axes of the parent.
TEST_F(SpeedsTest, a_quaternion_has_body_rates_for_speeds_unless_others_are_defined) {
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  const Frame D = model_.frame("D", quaternion(N_, e));
  const Kinematics motion = analyze_motion(model_);
  ASSERT_EQ(names_of(motion), (std::vector<std::string>{"D_wx", "D_wy", "D_wz"}));
  const auto speed = [&](int r) {
    return Quantity(motion.speeds()[static_cast<std::size_t>(r)].u, per_second_);
  };
  const Quantity x = speed(0), y = speed(1), z = speed(2);
  EXPECT_EQ(motion.angular_velocity(D), x * D.x() + y * D.y() + z * D.z());
  EXPECT_EQ(motion.rate(e[0]).expr(), (-(e[1] * x + e[2] * y + e[3] * z) / 2).expr());
  EXPECT_EQ(motion.rate(e[1]).expr(), ((e[0] * x - e[3] * y + e[2] * z) / 2).expr());
  EXPECT_EQ(motion.rate(e[2]).expr(), ((e[3] * x + e[0] * y - e[1] * z) / 2).expr());
  EXPECT_EQ(motion.rate(e[3]).expr(), ((-e[2] * x + e[1] * y + e[0] * z) / 2).expr());
}

TEST_F(SpeedsTest, speeds_of_a_quaternion_may_be_components_in_the_parent) {
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  const Frame D = model_.frame("D", quaternion(N_, e));
  const auto [x, y, z] = components(D, N_);
  const Kinematics motion = analyze_motion(model_);
  ASSERT_EQ(names_of(motion), (std::vector<std::string>{"u1", "u2", "u3"}));
  EXPECT_EQ(motion.angular_velocity(D), x * N_.x() + y * N_.y() + z * N_.z());
  EXPECT_EQ(motion.rate(e[0]).expr(), (-(e[1] * x + e[2] * y + e[3] * z) / 2).expr());
  EXPECT_EQ(motion.rate(e[1]).expr(), ((e[0] * x + e[3] * y - e[2] * z) / 2).expr());
  EXPECT_EQ(motion.rate(e[2]).expr(), ((-e[3] * x + e[0] * y + e[1] * z) / 2).expr());
  EXPECT_EQ(motion.rate(e[3]).expr(), ((e[2] * x - e[1] * y + e[0] * z) / 2).expr());
}

TEST_F(SpeedsTest, a_gibbs_vector_has_the_rates_of_the_textbook) {
  // g' = 1/2 (w + g x w + (g.w) g) with body components (Kane, Likins & Levinson, sec. 1.12)
  const Quantity g1 = angle("g1"), g2 = angle("g2"), g3 = angle("g3");
  const Frame B = model_.frame("B", rodrigues(N_, {g1, g2, g3}));
  const auto [u1, u2, u3] = components(B, B);
  const Kinematics motion = analyze_motion(model_);
  const Quantity along = g1 * u1 + g2 * u2 + g3 * u3;
  EXPECT_EQ(motion.rate(g1).expr(), ((u1 + g2 * u3 - g3 * u2 + along * g1) / 2).expr());
  EXPECT_EQ(motion.rate(g2).expr(), ((u2 + g3 * u1 - g1 * u3 + along * g2) / 2).expr());
  EXPECT_EQ(motion.rate(g3).expr(), ((u3 + g1 * u2 - g2 * u1 + along * g3) / 2).expr());
}

// A bead on a rod that turns in a plane: speeds along and across the rod.
TEST_F(SpeedsTest, speeds_along_and_across_a_rotating_rod) {
  const Quantity theta = angle("theta"), x = model_.coordinate("x", {.start = 1 * m});
  const Frame A = model_.frame("A", rotate(N_, Axis::z, theta));
  const Point P = model_.point("P", N_.origin() + x * A.x());
  const Quantity along = model_.speed("along", dot(velocity(P), A.x()));
  const Quantity across = model_.speed("across", dot(velocity(P), A.y()));
  const Kinematics motion = analyze_motion(model_);
  EXPECT_EQ(motion.rate(x).expr(), along.expr());
  EXPECT_EQ(motion.rate(theta).expr(), (across / x).expr());
  EXPECT_EQ(motion.velocity(P), along * A.x() + across * A.y());
  // u' along is the acceleration less the centripetal part.
  EXPECT_EQ(motion.acceleration(P), (rate(along) - across * across / x) * A.x() +
                                        (rate(across) + along * across / x) * A.y());
}

TEST_F(SpeedsTest, definitions_may_contain_time_and_known_rates) {
  const Quantity t = model_.time(), q1 = angle("q1"), q2 = angle("q2");
  const Quantity f = model_.specified("f", sin(t / s));
  const Quantity u1 = model_.speed("u1", rate(q1) + t / s * rate(q2) + rate(f));
  const Quantity u2 = model_.speed("u2", 2 * rate(q2) - t / s / s);
  const Kinematics motion = analyze_motion(model_);
  const Quantity half = (u2 + t / s / s) / 2;
  EXPECT_EQ(motion.rate(q2).expr(), half.expr());
  EXPECT_EQ(motion.rate(q1).expr(), (u1 - rate(f) - t / s * half).expr());
}

TEST_F(SpeedsTest, blocks_beyond_three_are_solved_too) {
  std::vector<Quantity> q, u;
  for (int i = 0; i < 6; ++i) q.push_back(angle("q" + std::to_string(i)));
  for (std::size_t i = 0; i < 6; ++i) {
    Quantity sum = rate(q[i]);
    for (std::size_t j = 0; j < i; ++j) sum = sum + sin(q[j]) * rate(q[j]);
    if (i == 0) sum = sum + q[1] * rate(q[5]);
    u.push_back(model_.speed("u" + std::to_string(i), sum));
  }
  const Kinematics motion = analyze_motion(model_);
  for (std::size_t i = 0; i < 6; ++i) {
    const SpeedData& data = model_.data().speeds[i];
    EXPECT_EQ(motion.resolve(Quantity(*data.definition, per_second_)).expr(), u[i].expr());
  }
}

// ---- Free speeds

TEST_F(SpeedsTest, free_speeds_own_no_coordinate_and_drive_a_spin) {
  const Quantity wx = model_.speed("wx", per_second_), wy = model_.speed("wy", per_second_);
  const Frame W = model_.frame("W", spin(N_, wx * N_.x() + wy * N_.y()));
  const Kinematics motion = analyze_motion(model_);
  EXPECT_TRUE(model_.data().coordinates.empty());
  EXPECT_EQ(motion.angular_velocity(W), wx * N_.x() + wy * N_.y());
  EXPECT_EQ(motion.partial_angular_velocity(W, "wy"), N_.y());
  EXPECT_EQ(motion.angular_acceleration(W), rate(wx) * N_.x() + rate(wy) * N_.y());
}

TEST_F(SpeedsTest, a_spin_may_contain_speeds_that_have_definitions) {
  const Quantity q = angle("q"), w = model_.speed("w", per_second_);
  const Quantity u = model_.speed("u", 2 * rate(q) + 1 / s);
  const Frame W = model_.frame("W", spin(N_, u * N_.x() + (w + rate(q)) * N_.y()));
  const Kinematics motion = analyze_motion(model_);
  EXPECT_EQ(motion.angular_velocity(W), u * N_.x() + (w + (u - 1 / s) / 2) * N_.y());
  EXPECT_EQ(motion.partial_angular_velocity(W, "u"), N_.x() + 0.5 * N_.y());
}

TEST_F(SpeedsTest, a_definition_may_contain_the_motion_of_a_spin) {
  const Quantity q1 = angle("q1"), q2 = angle("q2"), q3 = angle("q3");
  const Quantity w = model_.speed("w", per_second_), u1 = model_.speed("u1", rate(q1));
  const Frame W = model_.frame("W", spin(N_, u1 * N_.x() + w * N_.y()));
  const Quantity u2 = model_.speed("u2", rate(q2) + dot(angular_velocity(W), N_.x()));
  const Quantity u3 = model_.speed("u3", rate(q3) - dot(angular_velocity(W), N_.y()));
  const Kinematics motion = analyze_motion(model_);
  EXPECT_EQ(motion.rate(q2).expr(), (u2 - u1).expr());
  EXPECT_EQ(motion.rate(q3).expr(), (u3 + w).expr());
}

// ---- Complaints

TEST_F(SpeedsTest, definitions_that_are_dependent_everywhere_are_refused_by_name) {
  const Quantity q1 = angle("q1"), q2 = angle("q2");
  model_.speed("u1", cos(q1) * rate(q1) + sin(q2) * rate(q2));
  model_.speed("u2", 2 * cos(q1) * rate(q1) + 2 * sin(q2) * rate(q2));
  const Diagnostic d = complaint(model_);
  EXPECT_EQ(d.code, "E-speed-singular");
  EXPECT_TRUE(says(d.message, "'u1', 'u2'", "q1', q2'", "dependent everywhere")) << d.message;
}

TEST_F(SpeedsTest, definitions_that_are_singular_at_the_start_are_warned_about) {
  const Quantity q1 = angle("q1"), q2 = angle("q2", 0), q3 = angle("q3");
  const Frame B = model_.frame("B", rotate(N_, "zxz", {q1, q2, q3}));
  components(B, B);
  const Kinematics motion = analyze_motion(model_);
  ASSERT_EQ(motion.warnings().size(), 1u);
  EXPECT_EQ(motion.warnings()[0].code, "W-speed-singular-start");
  EXPECT_EQ(motion.warnings()[0].severity, Severity::warning);
  EXPECT_TRUE(says(motion.warnings()[0].message, "'u1', 'u2', 'u3'"));
}

TEST_F(SpeedsTest, definitions_that_are_regular_at_the_start_are_not_warned_about) {
  const Quantity q1 = angle("q1"), q2 = angle("q2", 0.1), q3 = angle("q3");
  const Frame B = model_.frame("B", rotate(N_, "zxz", {q1, q2, q3}));
  components(B, B);
  EXPECT_TRUE(analyze_motion(model_).warnings().empty());
}

TEST_F(SpeedsTest, definitions_must_be_linear_in_the_rates) {
  const Quantity q = angle("q");
  model_.speed("u", rate(q) * rate(q));
  EXPECT_EQ(complaint(model_).code, "E-speed-nonlinear");
  EXPECT_TRUE(says(complaint(model_).message, "'u'", "not linear"));
  Model other("other");
  const Quantity y = other.coordinate("y", {.start = 1 * m});
  const Point Q = other.point("Q", other.newtonian().origin() + y * other.newtonian().x());
  other.speed("v", magnitude(velocity(Q)));
  EXPECT_EQ(complaint(other).code, "E-speed-nonlinear");
}

TEST_F(SpeedsTest, definitions_must_not_contain_accelerations) {
  const Quantity x = model_.coordinate("x", {.start = 1 * m});
  const Point P = model_.point("P", N_.origin() + x * N_.x());
  model_.speed("u", rate(x) + 1 * s * dot(acceleration(P), N_.x()));
  const Diagnostic d = complaint(model_);
  EXPECT_EQ(d.code, "E-speed-acceleration");
  EXPECT_TRUE(says(d.message, "'u'"));
}

TEST_F(SpeedsTest, definitions_must_contain_a_rate) {
  const Quantity q = angle("q");
  model_.speed("u", sin(q) / s);
  EXPECT_EQ(complaint(model_).code, "E-speed-no-rate");
  EXPECT_TRUE(says(complaint(model_).message, "'u'"));
}

TEST_F(SpeedsTest, too_few_definitions_are_counted) {
  const Quantity q1 = angle("q1"), q2 = angle("q2"), q3 = angle("q3");
  model_.speed("u1", rate(q1) + rate(q2));
  model_.speed("u2", rate(q2) + rate(q3));
  const Diagnostic d = complaint(model_);
  EXPECT_EQ(d.code, "E-speed-count");
  EXPECT_TRUE(says(d.message, "2 speed(s) ('u1', 'u2')", "3 rates (q1', q2', q3')", "expected 3"));
  EXPECT_TRUE(says(d.help, "define another"));
}

TEST_F(SpeedsTest, too_many_definitions_are_counted) {
  const Quantity q1 = angle("q1");
  model_.speed("u1", rate(q1));
  model_.speed("u2", 2 * rate(q1));
  const Diagnostic d = complaint(model_);
  EXPECT_EQ(d.code, "E-speed-count");
  EXPECT_TRUE(says(d.message, "2 speed(s) ('u1', 'u2')", "1 rates (q1')", "expected 1"));
  EXPECT_TRUE(says(d.help, "remove"));
}

TEST_F(SpeedsTest, a_quaternion_wants_three_definitions_or_none) {
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  const Frame D = model_.frame("D", quaternion(N_, e));
  model_.speed("u", dot(angular_velocity(D), D.x()));
  const Diagnostic d = complaint(model_);
  EXPECT_EQ(d.code, "E-speed-count");
  EXPECT_TRUE(says(d.message, "1 speed(s) ('u')", "e0', e1', e2', e3'", "expected 3")) << d.message;
}

TEST_F(SpeedsTest, a_free_speed_must_appear_in_a_spin) {
  model_.speed("w", per_second_);
  EXPECT_EQ(complaint(model_).code, "E-speed-free");
  EXPECT_TRUE(says(complaint(model_).message, "'w'"));
}

TEST_F(SpeedsTest, a_quaternion_must_orient_a_frame) {
  model_.quaternion({"e0", "e1", "e2", "e3"});
  EXPECT_EQ(complaint(model_).code, "E-quaternion-unused");
  EXPECT_TRUE(says(complaint(model_).message, "'e0'"));
}

TEST_F(SpeedsTest, the_names_of_a_quaternions_speeds_must_be_free) {
  model_.parameter("D_wy", 1 * m);
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  model_.frame("D", quaternion(N_, e));
  EXPECT_EQ(complaint(model_).code, "E-speed-name");
  EXPECT_TRUE(says(complaint(model_).message, "'D_wy'", "'D'"));
}

TEST_F(SpeedsTest, a_model_may_be_analyzed_again) {
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  model_.frame("D", quaternion(N_, e));
  EXPECT_NO_THROW(analyze_motion(model_));
  EXPECT_EQ(names_of(analyze_motion(model_)), (std::vector<std::string>{"D_wx", "D_wy", "D_wz"}));
}

// e' = 1/2 e (0, w), written out, at half a turn: e0 = 0 must not be divided by.
TEST(speeds, of_a_quaternion_frame_give_rates_that_are_regular_at_half_a_turn) {
  Model model("body");
  const Frame N = model.newtonian();
  const auto e = model.quaternion({"e0", "e1", "e2", "e3"});
  const Frame B = model.frame("B", quaternion(N, e));
  const std::array<Quantity, 3> u = {model.speed("ua", dot(angular_velocity(B), B.x())),
                                     model.speed("ub", dot(angular_velocity(B), B.y())),
                                     model.speed("uc", dot(angular_velocity(B), B.z()))};
  const Kinematics motion = analyze_motion(model);
  std::vector<Expr> symbols, rates;
  for (const Quantity& q : e) {
    symbols.push_back(q.expr());
    rates.push_back(motion.rate(q).expr());
  }
  for (const Quantity& q : u) symbols.push_back(q.expr());
  const double a = 0.6, b = 0.8, c = 0.0;
  const std::vector<double> v = Evaluator(symbols, rates)(std::vector<double>{0, a, b, c, 1, 2, 3});
  EXPECT_DOUBLE_EQ(v[0], 0.5 * (-a * 1 - b * 2 - c * 3));
  EXPECT_DOUBLE_EQ(v[1], 0.5 * (-c * 2 + b * 3));
  EXPECT_DOUBLE_EQ(v[2], 0.5 * (c * 1 - a * 3));
  EXPECT_DOUBLE_EQ(v[3], 0.5 * (-b * 1 + a * 2));
}

}  // namespace
}  // namespace visviva
