// Equations that textbooks print, and equations worked out by hand in the comment above each.
#include "visviva/equations/methods/lagrange.h"

#include <gtest/gtest.h>

#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using namespace units;

// Only what equations may contain: no formal rates of the derivation.
void expect_known_symbols(const Equations& e) {
  std::vector<Expr> all = e.forcing;
  for (const std::vector<Expr>& row : e.mass_matrix) all.insert(all.end(), row.begin(), row.end());
  for (const Expr& s : free_symbols(all)) {
    const SymbolRole* role = e.motion.model().role(s);
    bool is_known = role != nullptr && role->role != Role::rate && role->role != Role::measure;
    for (const Speed& speed : e.motion.speeds()) is_known = is_known || speed.u == s;
    EXPECT_TRUE(is_known) << s.home().symbol_name(s.ref());
  }
}

void expect_equations(const Model& model, const std::vector<std::vector<Quantity>>& mass_matrix,
                      const std::vector<Quantity>& forcing) {
  ExprPool& pool = *model.data().pool;
  const Equations e = derive_lagrange(analyze_motion(model));
  expect_known_symbols(e);
  ASSERT_EQ(e.forcing.size(), forcing.size());
  for (std::size_t r = 0; r < forcing.size(); ++r) {
    const std::string& name = e.motion.speeds()[r].name;
    EXPECT_EQ(e.forcing[r], forcing[r].expr(pool)) << name;
    for (std::size_t s = 0; s < forcing.size(); ++s)
      EXPECT_EQ(e.mass_matrix[r][s], mass_matrix[r][s].expr(pool)) << name << ", " << s;
  }
}

// ---- One degree of freedom

class Pendulum : public testing::Test {
 protected:
  Model model_{"pendulum"};
  Frame N_ = model_.newtonian();
  Quantity m_ = model_.parameter("m", 2 * kg), L_ = model_.parameter("L", 0.5 * m);
  Quantity g_ = model_.parameter("g", 9.81 * m / (s * s)),
           I_ = model_.parameter("I", 1 * kg * m * m);
  Quantity q_ = model_.coordinate("theta");
};

// Pivot at (x, y), mass center at pivot + L (sin q, -cos q): (I + m L^2) q'' = -m L (x'' cos q +
// (y'' + g) sin q).
TEST_F(Pendulum, a_pivot_moved_as_specified_acts_by_its_acceleration) {
  const Quantity x = model_.specified("x", m.dimension()), y = model_.specified("y", m.dimension());
  const Frame B = model_.frame("B", rotate(N_, Axis::z, q_));
  const Point H = model_.point("H", N_.origin() + x * N_.x() + y * N_.y());
  model_.body(B, {.at = H - L_ * B.y(), .mass = m_, .inertia = {I_, 0 * I_, I_}});
  model_.gravity(-g_ * N_.y());
  const Quantity ax = model_.rate(model_.rate(x)), ay = model_.rate(model_.rate(y));
  expect_equations(model_, {{I_ + m_ * L_ * L_}},
                   {-m_ * L_ * (ax * cos(q_) + (ay + g_) * sin(q_))});
}

TEST_F(Pendulum, a_hoist_along_the_axis_adds_nothing) {
  const Quantity x = model_.specified("x", m.dimension());
  const Frame B = model_.frame("B", rotate(N_, Axis::x, q_));
  const Point H = model_.particle("Q", {.at = N_.origin() + x * N_.x(), .mass = 3 * kg});
  model_.body(B, {.at = H - L_ * B.y(), .mass = m_, .inertia = {I_, 0 * I_, I_}});
  model_.gravity(-g_ * N_.y());
  expect_equations(model_, {{I_ + m_ * L_ * L_}}, {-m_ * g_ * L_ * sin(q_)});
}

// m R^2 q'' = m R^2 w^2 sin q cos q - m g R sin q, q from the lowest point.
TEST_F(Pendulum, a_bead_on_a_turning_hoop_feels_the_centrifugal_force) {
  const Quantity w = model_.parameter("omega", 5 / s);
  const Frame H = model_.frame("H", rotate(N_, Axis::y, w * model_.time()));
  model_.particle("Q",
                  {.at = N_.origin() + L_ * sin(q_) * H.x() - L_ * cos(q_) * H.y(), .mass = m_});
  model_.gravity(-g_ * N_.y());
  expect_equations(model_, {{m_ * L_ * L_}},
                   {m_ * L_ * L_ * w * w * sin(q_) * cos(q_) - m_ * g_ * L_ * sin(q_)});
}

// ---- Several degrees of freedom

// M = m L^2 diag(1, sin^2 q); f = m L^2 sin q cos q f'^2 - m g L sin q, -2 m L^2 sin q cos q q' f'.
TEST_F(Pendulum, the_spherical_pendulum_has_its_textbook_equations) {
  const Quantity f = model_.coordinate("phi");
  const Quantity qd = model_.rate(q_), fd = model_.rate(f), J = m_ * L_ * L_;
  model_.particle("Q", {.at = N_.origin() + L_ * sin(q_) * cos(f) * N_.x() +
                              L_ * sin(q_) * sin(f) * N_.y() - L_ * cos(q_) * N_.z(),
                        .mass = m_});
  model_.gravity(-g_ * N_.z());
  expect_equations(model_, {{J, 0 * J}, {0 * J, J * sin(q_) * sin(q_)}},
                   {J * sin(q_) * cos(q_) * fd * fd - m_ * g_ * L_ * sin(q_),
                    -2 * J * sin(q_) * cos(q_) * qd * fd});
}

// Absolute angles, equal masses and rods.
TEST_F(Pendulum, the_double_pendulum_has_its_textbook_equations) {
  const Quantity q2 = model_.coordinate("theta2");
  const Quantity u1 = model_.rate(q_), u2 = model_.rate(q2), J = m_ * L_ * L_;
  const Frame A = model_.frame("A", rotate(N_, Axis::z, q_));
  const Frame B = model_.frame("B", rotate(N_, Axis::z, q2));
  const Point P = model_.particle("P", {.at = N_.origin() - L_ * A.y(), .mass = m_});
  model_.particle("Q", {.at = P - L_ * B.y(), .mass = m_});
  model_.gravity(-g_ * N_.y());
  const Quantity c = cos(q_ - q2), d = sin(q_ - q2);
  expect_equations(
      model_, {{2 * J, J * c}, {J * c, J}},
      {-J * d * u2 * u2 - 2 * m_ * g_ * L_ * sin(q_), J * d * u1 * u1 - m_ * g_ * L_ * sin(q2)});
}

// Kane and Levinson, figure 2.6.1. B turns at omega about the vertical, E by q3 in it, P1 at (q1,
// q2) of B, P2 on E.x. In E axes P1 has acceleration (u1' - u2 u3, u2' + u1 u3), P2 in addition (-L
// u3^2, L u3'), and the turning plane adds -omega^2 times the distance from the axis, along B.x =
// cos q3 E.x - sin q3 E.y.
class RotatingRod : public testing::Test {
 protected:
  void build() {
    const Frame B = model_.frame("B", rotate(N_, Axis::y, w_ * model_.time()));
    const Frame E = model_.frame("E", rotate(B, Axis::z, q3_));
    const Point P1 =
        model_.particle("P1", {.at = N_.origin() + q1_ * B.x() + q2_ * B.y(), .mass = m1_});
    model_.particle("P2", {.at = P1 + L_ * E.x(), .mass = m2_});
    model_.gravity(-g_ * N_.y());
  }

  Model model_{"rotating_rod"};
  Frame N_ = model_.newtonian();
  Quantity w_ = model_.parameter("omega", 2 / s), L_ = model_.parameter("L", 0.7 * m);
  Quantity m1_ = model_.parameter("m1", 1.5 * kg), m2_ = model_.parameter("m2", 0.8 * kg);
  Quantity g_ = model_.parameter("g", 9.81 * m / (s * s));
  Quantity q1_ = model_.coordinate("q1", {.start = 0.2 * m});
  Quantity q2_ = model_.coordinate("q2", {.start = 0.1 * m}), q3_ = model_.coordinate("q3");
  Quantity u1_ = model_.rate(q1_), u2_ = model_.rate(q2_), u3_ = model_.rate(q3_);
};

TEST_F(RotatingRod, speeds_along_the_rod_give_a_constant_mass_matrix) {
  const Quantity c = cos(q3_), d = sin(q3_);
  const Quantity u1 = model_.speed("u1", u1_ * c + u2_ * d),
                 u2 = model_.speed("u2", u2_ * c - u1_ * d);
  const Quantity u3 = model_.speed("u3", u3_);
  build();
  const Quantity M = m1_ + m2_, S = m2_ * L_, W = w_ * w_ * (M * q1_ + S * c);
  expect_equations(
      model_, {{M, 0 * M, 0 * S}, {0 * M, M, S}, {0 * S, S, S * L_}},
      {M * u2 * u3 + S * u3 * u3 + W * c - M * g_ * d, -M * u1 * u3 - W * d - M * g_ * c,
       -S * u1 * u3 - S * w_ * w_ * d * (q1_ + L_ * c) - S * g_ * c});
}

// Kane and Levinson, problem 10.1, as in SymPy's test suite.
TEST_F(RotatingRod, has_the_published_kinetic_energy) {
  build();
  const Quantity c = cos(q3_), d = sin(q3_);
  const Quantity K = L_ * L_ * m2_ * (w_ * w_ * c * c + u3_ * u3_) / 2 +
                     L_ * m2_ * w_ * w_ * q1_ * c - L_ * m2_ * d * u1_ * u3_ +
                     L_ * m2_ * c * u2_ * u3_ +
                     (m1_ + m2_) * (w_ * w_ * q1_ * q1_ + u1_ * u1_ + u2_ * u2_) / 2;
  EXPECT_EQ(compute_kinetic_energy_from_positions(analyze_motion(model_)), K.expr());
}

// With speeds q' the equations are those of the published K, by Lagrange's equations written out
// here.
TEST_F(RotatingRod, with_rates_as_speeds_the_equations_follow_from_the_published_kinetic_energy) {
  build();
  const Quantity c = cos(q3_), d = sin(q3_), M = m1_ + m2_, S = m2_ * L_;
  expect_equations(model_, {{M, 0 * M, -S * d}, {0 * M, M, S * c}, {-S * d, S * c, S * L_}},
                   {S * c * u3_ * u3_ + w_ * w_ * (M * q1_ + S * c), S * d * u3_ * u3_ - M * g_,
                    -S * w_ * w_ * d * (L_ * c + q1_) - S * g_ * c});
}

// ---- Rotation in space

class FreeBody : public testing::Test {
 protected:
  Model model_{"body"};
  Frame N_ = model_.newtonian();
  Quantity A_ = model_.parameter("Ixx", 1 * kg * m * m),
           B_ = model_.parameter("Iyy", 2 * kg * m * m);
  Quantity C_ = model_.parameter("Izz", 2.5 * kg * m * m), m_ = model_.parameter("m", 3 * kg);
  Quantity zero_ = 0 * kg * m * m;
};

// Euler's equations: A wx' = (B - C) wy wz + Tx, and so on.
TEST_F(FreeBody, a_body_with_a_quaternion_has_eulers_equations) {
  const Quantity T = model_.parameter("T", 1 * N * m);
  const Frame D = model_.frame("D", quaternion(N_, model_.quaternion({"e0", "e1", "e2", "e3"})));
  model_.body(D, {.at = N_.origin(), .mass = m_, .inertia = {A_, B_, C_}});
  model_.torque("T1", {.on = D, .value = T * D.x()});
  const Kinematics motion = analyze_motion(model_);
  const auto w = [&](std::size_t i) {
    return Quantity(motion.speeds()[i].u, motion.speeds()[i].dimension);
  };
  expect_equations(model_, {{A_, zero_, zero_}, {zero_, B_, zero_}, {zero_, zero_, C_}},
                   {(B_ - C_) * w(1) * w(2) + T, (C_ - A_) * w(2) * w(0), (A_ - B_) * w(0) * w(1)});
}

// A top on a fixed point, c along its axis D.z: J = diag(A + m c^2, B + m c^2, C), torque c z x m
// g(down).
TEST_F(FreeBody, a_heavy_top_with_a_quaternion_feels_the_torque_of_its_weight) {
  const Quantity c = model_.parameter("c", 0.2 * m), g = model_.parameter("g", 9.81 * m / (s * s));
  const auto e = model_.quaternion({"e0", "e1", "e2", "e3"});
  const Frame D = model_.frame("D", quaternion(N_, e));
  model_.body(D, {.at = N_.origin() + c * D.z(), .mass = m_, .inertia = {A_, B_, C_}});
  model_.gravity(-g * N_.z());
  const Kinematics motion = analyze_motion(model_);
  const auto w = [&](std::size_t i) {
    return Quantity(motion.speeds()[i].u, motion.speeds()[i].dimension);
  };
  const Quantity J1 = A_ + m_ * c * c, J2 = B_ + m_ * c * c;
  // N.z in D is the last row of the rotation matrix: 2 (e1 e3 - e0 e2), 2 (e2 e3 + e0 e1).
  const Quantity zx = 2 * (e[1] * e[3] - e[0] * e[2]), zy = 2 * (e[2] * e[3] + e[0] * e[1]);
  expect_equations(model_, {{J1, zero_, zero_}, {zero_, J2, zero_}, {zero_, zero_, C_}},
                   {(J2 - C_) * w(1) * w(2) + m_ * g * c * zy,
                    (C_ - J1) * w(2) * w(0) - m_ * g * c * zx, (A_ - B_) * w(0) * w(1)});
}

// Speeds in space axes: with J = R I R', J w' = -w x J w.
TEST_F(FreeBody, a_spin_frame_with_speeds_in_space_axes_has_eulers_equations_there) {
  const Quantity u[3] = {model_.speed("u1"), model_.speed("u2"), model_.speed("u3")};
  const Frame W = model_.frame("W", spin(N_, u[0] * N_.x() + u[1] * N_.y() + u[2] * N_.z()));
  model_.body(W, {.at = N_.origin(), .mass = m_, .inertia = {A_, B_, C_}});
  const Matrix3 R = orientation(N_, W);
  const Expr o = zero_.expr(*model_.data().pool);
  const Matrix3 J =
      R * Matrix3{Column3{A_.expr(), o, o}, Column3{o, B_.expr(), o}, Column3{o, o, C_.expr()}} *
      transpose(R);
  const Column3 w = {u[0].expr(), u[1].expr(), u[2].expr()}, f = -cross(w, J * w);
  const Equations e = derive_lagrange(analyze_motion(model_));
  expect_known_symbols(e);
  ASSERT_EQ(e.forcing.size(), 3u);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(e.forcing[r], f[r]);
    for (std::size_t s = 0; s < 3; ++s) EXPECT_EQ(e.mass_matrix[r][s], J[r][s]);
  }
}

// Chaplygin's sleigh without its blade: v along and u across the body, w its yaw rate, mass center
// ahead by a.
//   m (v' - u w - a w^2) = 0,   m (u' + v w + a w') = 0,   I w' + m a (u' + v w + a w') = 0
TEST_F(FreeBody, speeds_that_are_no_rates_of_coordinates_bring_their_own_terms) {
  const Quantity x = model_.coordinate("x", {.start = 0 * m}),
                 y = model_.coordinate("y", {.start = 0 * m});
  const Quantity q = model_.coordinate("q"), a = model_.parameter("a", 0.4 * m);
  const Quantity xd = model_.rate(x), yd = model_.rate(y);
  const Quantity v = model_.speed("v", xd * cos(q) + yd * sin(q)),
                 u = model_.speed("u", yd * cos(q) - xd * sin(q));
  const Quantity w = model_.speed("w", model_.rate(q));
  const Frame S = model_.frame("S", rotate(N_, Axis::z, q));
  const Point P = model_.point("P", N_.origin() + x * N_.x() + y * N_.y());
  model_.body(S, {.at = P + a * S.x(), .mass = m_, .inertia = {A_, B_, C_}});
  const Quantity o = 0 * m_;
  expect_equations(model_, {{m_, o, o * a}, {o, m_, m_ * a}, {o * a, m_ * a, C_ + m_ * a * a}},
                   {m_ * (u * w + a * w * w), -m_ * v * w, -m_ * a * v * w});
}

// ---- Forces

class Carts : public testing::Test {
 protected:
  Model model_{"carts"};
  Frame N_ = model_.newtonian();
  Quantity m1_ = model_.parameter("m1", 1 * kg), m2_ = model_.parameter("m2", 2 * kg);
  Quantity k_ = model_.parameter("k", 3 * N / m), b_ = model_.parameter("b", 0.4 * N * s / m);
  Quantity x_ = model_.coordinate("x", {.start = 0 * m}),
           y_ = model_.coordinate("y", {.start = 1 * m});
  Quantity xd_ = model_.rate(x_), yd_ = model_.rate(y_), o_ = 0 * m1_;
  Point P_ = model_.particle("P", {.at = N_.origin() + x_ * N_.x(), .mass = m1_});
};

TEST_F(Carts, a_rayleigh_dissipation_and_a_potential_act_on_their_coordinates) {
  model_.particle("Q", {.at = N_.origin() + y_ * N_.x(), .mass = m2_});
  model_.dissipation("D", b_ * (yd_ - xd_) * (yd_ - xd_) / 2);
  model_.potential("V", k_ * x_ * x_ / 2);
  expect_equations(model_, {{m1_, o_}, {o_, m2_}}, {b_ * (yd_ - xd_) - k_ * x_, -b_ * (yd_ - xd_)});
}

// Q crosswise: length^2 = x^2 + y^2, spring and damper along the line.
TEST_F(Carts, spring_and_damper_between_points_act_along_their_line) {
  const Quantity rest = model_.parameter("rest", 0.5 * m);
  const Point Q = model_.particle("Q", {.at = N_.origin() + y_ * N_.y(), .mass = m2_});
  model_.spring("S", {.from = P_, .to = Q, .stiffness = k_, .rest = rest});
  model_.damper("D", {.from = P_, .to = Q, .rate = b_});
  const Quantity l2 = x_ * x_ + y_ * y_, l = sqrt(l2);
  const Quantity pull = k_ * (l - rest) / l + b_ * (x_ * xd_ + y_ * yd_) / l2;  // over length
  expect_equations(model_, {{m1_, o_}, {o_, m2_}}, {-pull * x_, -pull * y_});
}

TEST_F(Carts, a_spring_without_rest_length_between_points_is_linear) {
  const Point Q = model_.particle("Q", {.at = N_.origin() + y_ * N_.x(), .mass = m2_});
  model_.spring("S", {.from = P_, .to = Q, .stiffness = k_});
  expect_equations(model_, {{m1_, o_}, {o_, m2_}}, {k_ * (y_ - x_), -k_ * (y_ - x_)});
}

TEST_F(Carts, a_force_between_two_points_acts_on_both) {
  const Point Q = model_.particle("Q", {.at = N_.origin() + y_ * N_.x(), .mass = m2_});
  model_.force("F", {.on = Q, .from = P_, .value = -b_ * (velocity(Q) - velocity(P_))});
  model_.damper("E", {.on = x_, .rate = b_});
  model_.spring("S", {.on = y_ - x_, .stiffness = k_});
  expect_equations(
      model_, {{m1_, o_}, {o_, m2_}},
      {b_ * (yd_ - xd_) - b_ * xd_ + k_ * (y_ - x_), -b_ * (yd_ - xd_) - k_ * (y_ - x_)});
}

// Gravity that changes with place is a force field like any other: here it has no potential.
TEST_F(Carts, gravity_that_changes_with_the_configuration_is_not_taken_for_a_potential) {
  const Quantity g = model_.parameter("g", 9.81 * m / (s * s)), h = model_.parameter("h", 5 * m);
  model_.particle("Q", {.at = N_.origin() + y_ * N_.y(), .mass = m2_});
  model_.gravity(-g * (x_ / h) * N_.y());
  expect_equations(model_, {{m1_, o_}, {o_, m2_}}, {0 * m1_ * g, -m2_ * g * x_ / h});
}

// A disc at (x, r) turned by q about z. A force F N.x on the disc under the point (x, 0): the
// disc's own point there moves with x' + r q'. Torques: T on the disc from an arm that turns by p.
TEST(LagrangeForces, a_force_on_a_body_at_a_point_moves_with_the_body) {
  Model model("disc");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m}), q = model.coordinate("q"),
                 p = model.coordinate("p");
  const Quantity F = model.parameter("F", 1 * N), T = model.parameter("T", 1 * N * m),
                 r = model.parameter("r", 1 * m);
  const Quantity M = model.parameter("M", 1 * kg), I = model.parameter("I", 1 * kg * m * m);
  const Frame D = model.frame("D", rotate(N0, Axis::z, q)),
              A = model.frame("A", rotate(N0, Axis::z, p));
  const Point Dcm =
      model.body(D, {.at = N0.origin() + x * N0.x() + r * N0.y(), .mass = M, .inertia = {I, I, I}});
  model.body(A, {.at = N0.origin(), .mass = M, .inertia = {I, I, I}});
  const Point contact = model.point("contact", Dcm - r * N0.y());
  model.force("F1", {.on = contact, .body = D, .value = F * N0.x()});
  model.torque("T1", {.on = D, .from = A, .value = T * N0.z()});
  const Quantity o = 0 * M, oo = o * r;
  expect_equations(model, {{M, oo, oo}, {oo, I, oo * r}, {oo, oo * r, I}}, {F, F * r + T, -T});
}

TEST_F(Carts, an_unknown_force_stays_in_the_equations_and_is_listed) {
  const Quantity T = model_.unknown("T");
  model_.force("F", {.on = P_, .value = T * N_.x()});
  const Equations e = derive_lagrange(analyze_motion(model_));
  EXPECT_EQ(e.forcing[0], T.expr());
  ASSERT_EQ(e.unknowns.size(), 1u);
  EXPECT_EQ(e.unknowns[0], T.expr());
}

// x^2 + y^2 = L^2: x x' + y y' = 0, then x x'' + y y'' = -(x'^2 + y'^2), both times 2.
TEST_F(Carts, a_pendulum_in_cartesian_coordinates_has_a_row_for_its_rod) {
  model_.particle("Q", {.at = N_.origin() + x_ * N_.x() + y_ * N_.y(), .mass = m2_});
  model_.constraint("rod", x_ * x_ + y_ * y_ - 1 * m * m);
  const Equations e = derive_lagrange(analyze_motion(model_));
  ASSERT_EQ(e.rows.size(), 1u);
  EXPECT_EQ(e.rows[0].velocity.coefficients.at(1).second, (2 * y_).expr());
  EXPECT_EQ(e.row_forcing[0], (-2 * (xd_ * xd_ + yd_ * yd_)).expr());
}

// ---- Size

// A planar chain of n rods: the work grows like a power of n, not like an expansion.
TEST(LagrangeSize, the_equations_of_a_chain_take_polynomially_many_operations) {
  std::vector<double> operations;
  for (const int n : {4, 8, 16}) {
    Model model("chain");
    const Frame N0 = model.newtonian();
    Point tip = N0.origin();
    Frame parent = N0;
    for (int i = 0; i < n; ++i) {
      const std::string number = std::to_string(i);
      const Quantity q = model.coordinate("q" + number);
      parent = model.frame("B" + number, rotate(parent, Axis::z, q));
      const Point center =
          model.body(parent, {.at = tip + 0.5 * m * parent.x(),
                              .mass = 1 * kg,
                              .inertia = {1 * kg * m * m, 1 * kg * m * m, 1 * kg * m * m}});
      tip = model.point("P" + number, center + 0.5 * m * parent.x());
    }
    model.gravity(-9.81 * m / (s * s) * N0.y());
    const Equations e = derive_lagrange(analyze_motion(model));
    std::vector<Expr> all = e.forcing;
    for (const std::vector<Expr>& row : e.mass_matrix)
      all.insert(all.end(), row.begin(), row.end());
    operations.push_back(static_cast<double>(count_operations(all).total()));
  }
  EXPECT_LT(operations[2] / operations[1], 10.0) << operations[1] << " to " << operations[2];
  EXPECT_LT(operations[1] / operations[0], 10.0) << operations[0] << " to " << operations[1];
}

}  // namespace
}  // namespace visviva
