// Momenta that textbooks print, and a run with the state (q, p) against published numbers.
#include "visviva/equations/methods/hamilton.h"

#include <gtest/gtest.h>

#include <cmath>

#include "visviva/equations/loads/loads.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {
namespace {

using namespace units;

std::string name_of(const Expr& symbol) { return symbol.home().symbol_name(symbol.ref()); }

// K from velocities.
Expr kinetic_energy(const Kinematics& motion) {
  const ModelData& model = motion.model();
  Expr K = model.pool->zero();
  const Expr half = model.pool->rational(1, 2);
  for (const BodyData& body : model.bodies) {
    const Vector v = motion.velocity(motion.points()[static_cast<std::size_t>(body.point)]);
    K += half * body.mass * dot(v, v).expr(*model.pool);
    if (body.frame < 0) continue;
    const Frame B = motion.frames()[static_cast<std::size_t>(body.frame)];
    const Column3 w = motion.angular_velocity(B).in(B);
    K += half * dot(w, body.inertia * w);
  }
  return K;
}

class Pendulums : public testing::Test {
 protected:
  Model model_{"pendulum"};
  Frame N_ = model_.newtonian();
  Quantity m_ = model_.parameter("m", 2 * kg), L_ = model_.parameter("L", 0.5 * m);
  Quantity g_ = model_.parameter("g", 9.8 * m / (s * s)), q_ = model_.coordinate("theta");
  Quantity u_ = model_.rate(q_), J_ = m_ * L_ * L_;
};

// p = m L^2 q' + m L x' cos q;  p' = dL/dq = -m L x' q' sin q - m g L sin q
TEST_F(Pendulums, a_moved_pivot_offsets_the_momentum) {
  const Quantity x = model_.specified("x", m.dimension());
  const Frame A = model_.frame("A", rotate(N_, Axis::z, q_));
  model_.particle("Q", {.at = N_.origin() + x * N_.x() - L_ * A.y(), .mass = m_});
  model_.gravity(-g_ * N_.y());
  const MomentumForm form = derive_momentum_form(analyze_motion(model_));
  const Quantity xd = model_.rate(x);
  EXPECT_EQ(form.offset[0], (m_ * L_ * xd * cos(q_)).expr());
  EXPECT_EQ(form.momenta[0], (J_ * u_ + m_ * L_ * xd * cos(q_)).expr());
  EXPECT_EQ(form.momentum_rates[0], (-m_ * L_ * xd * u_ * sin(q_) - m_ * g_ * L_ * sin(q_)).expr());
  EXPECT_EQ(name_of(form.momentum_symbols[0]), "p_theta");
  // K = (p - c)^2/(2 m L^2) + c (p - c)/(m L^2) + m x'^2/2
  const Expr p = form.momentum_symbols[0], c = form.offset[0];
  ASSERT_TRUE(form.kinetic_energy_in_momenta);
  EXPECT_EQ(
      *form.kinetic_energy_in_momenta,
      (p - c) * (p - c) / (2.0 * J_.expr()) + c * (p - c) / J_.expr() + (m_ * xd * xd / 2).expr());
}

// p_phi = m L^2 sin^2 q phi' is constant; p_theta' = p_phi^2 cos q/(m L^2 sin^3 q) - m g L sin q
TEST_F(Pendulums, the_spherical_pendulum_keeps_the_momentum_about_the_vertical) {
  const Quantity f = model_.coordinate("phi"), fd = model_.rate(f);
  model_.particle("Q", {.at = N_.origin() + L_ * sin(q_) * cos(f) * N_.x() +
                              L_ * sin(q_) * sin(f) * N_.y() - L_ * cos(q_) * N_.z(),
                        .mass = m_});
  model_.gravity(-g_ * N_.z());
  const MomentumForm form = derive_momentum_form(analyze_motion(model_));
  const Quantity p = J_ * sin(q_) * sin(q_) * fd;
  EXPECT_EQ(form.momenta[1], p.expr());
  EXPECT_TRUE(form.momentum_rates[1].is_zero());
  EXPECT_EQ(form.momentum_rates[0],
            (p * p * cos(q_) / (J_ * sin(q_) * sin(q_) * sin(q_)) - m_ * g_ * L_ * sin(q_)).expr());
}

TEST_F(Pendulums, a_name_of_the_model_is_not_taken_for_a_momentum) {
  const Quantity taken = model_.parameter("p_theta", 1 * kg);
  const Frame A = model_.frame("A", rotate(N_, Axis::z, q_));
  model_.particle("Q", {.at = N_.origin() - L_ * A.y(), .mass = taken});
  const Kinematics motion = analyze_motion(model_);
  EXPECT_EQ(name_of(derive_momentum_form(motion).momentum_symbols[0]), "p_theta_");
  EXPECT_EQ(name_of(derive_momentum_form(motion).momentum_symbols[0]), "p_theta_")
      << "the same each time";
}

// Hogan, Inertial Mechanics: for speeds q' the rate of momentum is F_r + dK/dq_r.
TEST_F(Pendulums, with_rates_as_speeds_the_seeds_equation_holds) {
  const Quantity q2 = model_.coordinate("q2"), q3 = model_.coordinate("q3"),
                 z = model_.coordinate("z", {.start = 0 * m});
  const Quantity y = model_.specified("y", Dimension());
  const Quantity I1 = model_.parameter("I1", 1 * kg * m * m),
                 I2 = model_.parameter("I2", 1 * kg * m * m);
  const Frame A = model_.frame("A", rotate(N_, "zxz", {q_, q2 + y, q3}));
  const Frame B = model_.frame("B", rotate(A, A.x() + 2 * A.y() + 2 * A.z(), 0.3 * q_ + q3 * y));
  const Point P = model_.body(
      A, {.at = N_.origin() + L_ * A.x() + z * N_.z(), .mass = m_, .inertia = {I1, I2, I1}});
  model_.body(B, {.at = P + L_ * B.x() + z * B.y(), .mass = m_, .inertia = {I2, I1, I2}});
  model_.gravity(-g_ * N_.z());
  model_.damper("D", {.on = q2, .rate = 1 * N * m * s});
  const Kinematics motion = analyze_motion(model_);
  const MomentumForm form = derive_momentum_form(motion);
  const Expr K = kinetic_energy(motion);
  std::vector<Expr> F(4, motion.model().pool->zero());
  for (const Load& load : collect_loads(motion)) {
    const std::vector<Expr> part = compute_generalized_forces(motion, load);
    for (std::size_t r = 0; r < 4; ++r) F[r] += part[r];
  }
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(form.momenta[r], differentiate(K, motion.speeds()[r].u));
    EXPECT_EQ(form.momentum_rates[r], F[r] + differentiate(K, model_.data().coordinates[r].q));
    Expr p = form.offset[r];
    for (std::size_t s = 0; s < 4; ++s) p += form.mass_matrix[r][s] * motion.speeds()[s].u;
    EXPECT_EQ(form.momenta[r], p) << "p = I u + c";
  }
  EXPECT_FALSE(form.kinetic_energy_in_momenta) << "four speeds are not inverted";
}

// Body axes: p = I w, p' = T + p x w.
TEST(Momenta, of_a_body_with_a_quaternion_are_its_angular_momentum_in_body_axes) {
  Model model("body");
  const Frame N0 = model.newtonian();
  const Quantity A = model.parameter("Ixx", 1 * kg * m * m),
                 B = model.parameter("Iyy", 2 * kg * m * m);
  const Quantity C = model.parameter("Izz", 2.5 * kg * m * m), T = model.parameter("T", 1 * N * m);
  const Frame D = model.frame("D", quaternion(N0, model.quaternion({"e0", "e1", "e2", "e3"})));
  model.body(D, {.at = N0.origin(), .mass = 3 * kg, .inertia = {A, B, C}});
  model.torque("T1", {.on = D, .value = T * D.y()});
  const Kinematics motion = analyze_motion(model);
  const MomentumForm form = derive_momentum_form(motion);
  const Expr wx = motion.speeds()[0].u, wy = motion.speeds()[1].u, wz = motion.speeds()[2].u;
  EXPECT_EQ(form.momenta[0], A.expr() * wx);
  EXPECT_EQ(form.momenta[1], B.expr() * wy);
  EXPECT_EQ(form.momentum_rates[0], (B - C).expr() * wy * wz);
  EXPECT_EQ(form.momentum_rates[1], (C - A).expr() * wz * wx + T.expr());
  EXPECT_EQ(name_of(form.momentum_symbols[2]), "p_D_wz");
  const std::vector<Expr>& p = form.momentum_symbols;
  EXPECT_EQ(*form.kinetic_energy_in_momenta,
            (p[0] * p[0] / A.expr() + p[1] * p[1] / B.expr() + p[2] * p[2] / C.expr()) / 2.0);
  ASSERT_EQ(form.J.size(), 2u);
  EXPECT_TRUE(form.J[1].is_angular);
  EXPECT_TRUE(form.J[1].columns[2][2].is_one());
}

// Speeds across and along a moving body: p' holds terms that dK/dq lacks. p_v = m v, p_v' = m u w
// (from m (v' - u w) = 0).
TEST(Momenta, for_speeds_that_are_no_rates_hold_more_than_the_slope_of_the_kinetic_energy) {
  Model model("puck");
  const Frame N0 = model.newtonian();
  const Quantity M = model.parameter("m", 1 * kg), I = model.parameter("I", 1 * kg * m * m);
  const Quantity x = model.coordinate("x", {.start = 0 * m}),
                 y = model.coordinate("y", {.start = 0 * m});
  const Quantity q = model.coordinate("q"), xd = model.rate(x), yd = model.rate(y);
  const Quantity v = model.speed("v", xd * cos(q) + yd * sin(q)),
                 u = model.speed("u", yd * cos(q) - xd * sin(q));
  const Quantity w = model.speed("w", model.rate(q));
  const Frame S = model.frame("S", rotate(N0, Axis::z, q));
  model.body(S, {.at = N0.origin() + x * N0.x() + y * N0.y(), .mass = M, .inertia = {I, I, I}});
  const MomentumForm form = derive_momentum_form(analyze_motion(model));
  EXPECT_EQ(form.momenta[0], (M * v).expr());
  EXPECT_EQ(form.momentum_rates[0], (M * u * w).expr());
  EXPECT_EQ(form.momentum_rates[1], (-M * v * w).expr());
  EXPECT_TRUE(form.momentum_rates[2].is_zero());
}

TEST(Momenta, a_direction_without_inertia_leaves_the_kinetic_energy_uninverted) {
  Model model("massless");
  const Frame N0 = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0 * m});
  model.coordinate("y", {.start = 0 * m});
  model.particle("P", {.at = N0.origin() + x * N0.x(), .mass = 1 * kg});
  const MomentumForm form = derive_momentum_form(analyze_motion(model));
  EXPECT_FALSE(form.speeds_in_momenta);
  EXPECT_TRUE(form.momenta[1].is_zero());
}

// The swinging Atwood machine with mass ratio 3, quadruple precision from an independent program:
// (r, th) at t = 1.
//   K = 1/2 (1 + mu) r'^2 + 1/2 r^2 th'^2 for unit mass, V = g r (mu - cos th)
TEST(MomentumState, a_run_with_coordinates_and_momenta_meets_published_numbers) {
  Model model("atwood");
  const Frame N0 = model.newtonian();
  const Quantity r = model.coordinate("r", {.start = 1 * m}),
                 th = model.coordinate("th", {.start = 90 * deg});
  const Frame A = model.frame("A", rotate(N0, Axis::z, th));
  model.particle("P", {.at = N0.origin() - r * A.y(), .mass = 1 * kg});
  model.particle("W", {.at = N0.origin() + r * N0.y(), .mass = 3 * kg});
  model.gravity(-9.81 * m / (s * s) * N0.y());
  const MomentumForm form = derive_momentum_form(analyze_motion(model));
  ASSERT_TRUE(form.speeds_in_momenta);
  const std::vector<Expr> u = *form.speeds_in_momenta;
  Replacements speeds;
  for (std::size_t i = 0; i < 2; ++i) speeds.emplace_back(form.motion.speeds()[i].u, u[i]);
  const std::vector<Expr> state = {r.expr(), th.expr(), form.momentum_symbols[0],
                                   form.momentum_symbols[1]};
  const Evaluator rate(state, {u[0], u[1], substitute(form.momentum_rates[0], speeds),
                               substitute(form.momentum_rates[1], speeds)});

  // Classical Runge-Kutta; with 20,000 steps and with 40,000 what is left is rounding, 1e-13.
  std::vector<double> y = {1.0, std::acos(0.0), 0.0, 0.0};
  const auto step = [&](const std::vector<double>& k, double h) {
    std::vector<double> z = y;
    for (std::size_t i = 0; i < 4; ++i) z[i] += h * k[i];
    return z;
  };
  const int steps = 20000;
  const double h = 1.0 / steps;
  for (int n = 0; n < steps; ++n) {
    const std::vector<double> k1 = rate(y), k2 = rate(step(k1, h / 2)), k3 = rate(step(k2, h / 2)),
                              k4 = rate(step(k3, h));
    for (std::size_t i = 0; i < 4; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  const double tolerance = 1e-11;
  EXPECT_NEAR(y[0], 0.57082602269992465, tolerance);
  EXPECT_NEAR(y[1], -4.8916062674976582, tolerance);
  EXPECT_NEAR(y[2], 4 * -0.13076591404362960, 4 * tolerance);
  EXPECT_NEAR(y[3], 0.57082602269992465 * 0.57082602269992465 * -9.1347062921146523,
              10 * tolerance);
}

// Absolute angles, equal masses and rods: the textbook's equations.
TEST_F(Pendulums, the_equations_for_the_speeds_follow_from_the_momenta) {
  const Quantity q2 = model_.coordinate("theta2"), u2 = model_.rate(q2);
  const Frame A = model_.frame("A", rotate(N_, Axis::z, q_)),
              B = model_.frame("B", rotate(N_, Axis::z, q2));
  const Point P = model_.particle("P", {.at = N_.origin() - L_ * A.y(), .mass = m_});
  model_.particle("Q", {.at = P - L_ * B.y(), .mass = m_});
  model_.gravity(-g_ * N_.y());
  const Equations e = derive_hamilton(analyze_motion(model_));
  const Quantity d = sin(q_ - q2);
  EXPECT_EQ(e.method, Method::hamilton);
  EXPECT_EQ(e.mass_matrix[0][1], (J_ * cos(q_ - q2)).expr());
  EXPECT_EQ(e.forcing[0], (-J_ * d * u2 * u2 - 2 * m_ * g_ * L_ * sin(q_)).expr());
  EXPECT_EQ(e.forcing[1], (J_ * d * u_ * u_ - m_ * g_ * L_ * sin(q2)).expr());
}

}  // namespace
}  // namespace visviva
