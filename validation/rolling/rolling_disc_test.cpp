// A thin disc rolling on a plane: equations in lean-frame rates (SymPy, test_kane.py,
// test_rolling_disc), numbers in disc-frame rates (SymPy, test_kane5.py), and the generalized
// active forces of a disc touched by a plane (Kane & Levinson, Dynamics: Theory and Applications,
// exercise 8.3; SymPy, test_kane2.py, test_sub_qdot2).
#include <map>

#include "../expect.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva::validation {
namespace {

const char* const lean_frame_rates = R"(
parameter  m = 2 kg, r = 0.3 m, g = 9.81 m/s^2
coordinate q1 = 20 deg, q2 = 15 deg, q3 = 40 deg
coordinate x = 0 m, y = 0 m
frame      Y = rotate(N, z, q1)
frame      L = rotate(Y, x, q2)
frame      R = rotate(L, y, q3)
speed      u1 = dot(angular_velocity(R), L.x)
speed      u2 = dot(angular_velocity(R), L.y)
speed      u3 = dot(angular_velocity(R), L.z)
start      u1 = 0.3 rad/s, u2 = 2 rad/s, u3 = -0.7 rad/s
dependent  x', y'
point      Contact = No + x*N.x + y*N.y
body       R at Contact + r*L.z, mass m, inertia m*r^2/4, m*r^2/2, m*r^2/4
roll       wheel: R on N at Contact
gravity    -g*N.z
output     du1 = (6*u2*u3*r - u3^2*r*tan(q2) + 4*g*sin(q2))/(5*r)
output     du2 = -2*u1*u3/3, du3 = u1*(-2*u2 + u3*tan(q2))
output     dq1 = u3/cos(q2), dq2 = u1, dq3 = u2 - u3*tan(q2)
output     upright1 = m*r*g, upright2 = 3/2*m*r^2*u2, upright3 = -1/2*m*r^2*u2
output     M1 = 5/4*m*r^2, M2 = 3/2*m*r^2, M3 = 1/4*m*r^2
)";

TEST(RollingDisc, has_the_equations_that_sympy_expects) {
  expect_accelerations(Mechanism(lean_frame_rates), {{"u1", "du1"}, {"u2", "du2"}, {"u3", "du3"}});
}

TEST(RollingDisc, has_the_kinematical_equations_that_sympy_expects) {
  const Mechanism disc(lean_frame_rates);
  EXPECT_TRUE(same(disc.rate("q1"), disc("dq1")));
  EXPECT_TRUE(same(disc.rate("q2"), disc("dq2")));
  EXPECT_TRUE(same(disc.rate("q3"), disc("dq3")));
}

// About upright rolling at the spin u2, with the mass matrix m r^2 (5/4, 3/2, 1/4) and u1, u3 and
// q2 small:  5/4 m r^2 u1' = m r g q2 + 3/2 m r^2 u2 u3,  1/4 m r^2 u3' = -1/2 m r^2 u2 u1,  q2' =
// u1, hence u1'' = (4 g/(5 r) - 12/5 u2^2) u1: stable iff u2^2 > g/(3 r), as SymPy's test expects.
TEST(RollingDisc, rolls_upright_stably_above_a_spin_of_root_g_over_3r) {
  const Mechanism disc(lean_frame_rates);
  const std::vector<Expr> variables = {disc.coordinate("q1").q, disc.coordinate("q2").q,
                                       disc.coordinate("q3").q, disc.speed("u1").u,
                                       disc.speed("u2").u,      disc.speed("u3").u};
  Replacements upright;
  for (const std::size_t i : {1, 3, 5}) upright.emplace_back(variables[i], disc.zero());
  std::map<std::pair<std::size_t, std::size_t>, Expr> expected = {
      {{0, 1}, disc("upright1")}, {{0, 5}, disc("upright2")}, {{2, 3}, disc("upright3")}};
  for (const Equations& e : derive_by(disc)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    const EmbeddedEquations embedded = embed_constraints(e);
    ASSERT_EQ(independent_names(embedded, disc), (std::vector<std::string>{"u1", "u2", "u3"}));
    const auto slopes = jacobian(embedded.forcing, variables);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(substitute(embedded.forcing[i], upright).is_zero());
      const Expr diagonal = disc("M" + std::to_string(i + 1));
      for (std::size_t j = 0; j < 3; ++j)
        EXPECT_TRUE(
            same(substitute(embedded.mass_matrix[i][j], upright), i == j ? diagonal : disc.zero()));
      for (std::size_t j = 0; j < variables.size(); ++j) {
        const auto found = expected.find({i, j});
        EXPECT_TRUE(same(substitute(slopes[i][j], upright),
                         found == expected.end() ? disc.zero() : found->second))
            << i << ", " << j;
      }
    }
  }
}

// ---- Numbers

const char* const disc_frame_rates = R"(
parameter  m = 3.43 kg, r = 0.26 m, g = 9.81 m/s^2
coordinate q1 = 0.3 rad, q2 = 0.1 rad, q3 = 1.97 rad, q4 = -0.35 m, q5 = 2.27 m
frame      L = rotate(N, zxy, q1, q2, 0)
frame      D = rotate(L, y, q3)
speed      u1 = dot(angular_velocity(D), D.x)
speed      u2 = dot(angular_velocity(D), D.y)
speed      u3 = dot(angular_velocity(D), D.z)
speed      u4 = q4', u5 = q5'
start      u1 = -0.2 rad/s, u2 = 1.3 rad/s, u3 = 0.15 rad/s
dependent  u4, u5
point      Contact = No + q4*N.x + q5*N.y
body       D at Contact + r*L.z, mass m, inertia m*r^2/4, m*r^2/2, m*r^2/4
roll       wheel: D on N at Contact
gravity    -g*N.z
)";

// q' and u' as the source gives them, to its own tolerance.
void expect_state_rates(const Mechanism& disc, const std::vector<double>& expected) {
  for (const Equations& e : derive_by(disc)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    const StartSolution start(e);
    for (std::size_t i = 0; i < 5; ++i) {
      const std::string number = std::to_string(i + 1);
      EXPECT_NEAR(start.value(disc.rate("q" + number)), expected[i], 1e-10) << "q" << number;
      EXPECT_NEAR(start.rate_of_speed("u" + number), expected[i + 5], 1e-10) << "u" << number;
    }
  }
}

TEST(RollingDisc, has_the_first_set_of_numbers_of_sympy) {
  expect_state_rates(Mechanism(disc_frame_rates),
                     {0.126603940595934, 0.215942571601660, 1.28736069604936, 0.319764288376543,
                      0.0989146857254898, -0.925848952664489, -0.0181350656532944, 2.91695398184589,
                      -0.00992793421754526, 0.0412861634829171});
}

TEST(RollingDisc, has_the_second_set_of_numbers_of_sympy) {
  const ReadOptions state = {.settings = {{"q1", "3.97"},
                                          {"q2", "-0.28"},
                                          {"q3", "8.2"},
                                          {"u1", "-0.25"},
                                          {"u2", "-2.2"},
                                          {"u3", "0.62"}}};
  expect_state_rates(Mechanism(disc_frame_rates, state),
                     {0.0259159090798597, 0.668041660387416, -2.19283799213811, 0.385441810852219,
                      0.420109283790573, 1.45030568179066, -0.0110924422400793, -8.35617840186040,
                      -0.154098542632173, -0.146102664410010});
}

// ---- Kane & Levinson, exercise 8.3

const char* const exercise_8_3 = R"(
parameter  m = 2 kg, R = 0.3 m, g = 9.81 m/s^2
input      Px = 1 N, Py = 2 N, Pz = 3 N
coordinate q1 = 20 deg, q2 = 15 deg, q3 = 40 deg, q4 = 0 m, q5 = 0 m
frame      Bprime = rotate(N, z, q1)
frame      B = rotate(Bprime, x, 90 deg - q2)
frame      C = rotate(B, z, q3)
speed      u1 = dot(angular_velocity(C), B.x)
speed      u2 = dot(angular_velocity(C), B.y)
speed      u3 = dot(angular_velocity(C), B.z)
speed      u4 = q4', u5 = q5'
point      Q = No + q4*N.x + q5*N.y
body       C at Q + R*B.y, mass m, disc radius R along z
gravity    -g*N.z
force      plane on C at Q = Px*N.x + Py*N.y + Pz*N.z
output     F1 = -R*g*m*sin(q2), F2 = -R*(Px*cos(q1) + Py*sin(q1))*tan(q2)
output     F3 = R*(Px*cos(q1) + Py*sin(q1)), F4 = Px, F5 = Py
)";

TEST(RollingDisc, touched_by_a_plane_has_the_active_forces_of_kane_and_levinson_8_3) {
  const Mechanism disc(exercise_8_3);
  std::vector<Expr> sum(5, disc.zero());
  for (const Load& load : collect_loads(disc.motion())) {
    const std::vector<Expr> F = compute_generalized_forces(disc.motion(), load);
    for (std::size_t r = 0; r < 5; ++r) sum[r] += F.at(r);
  }
  const EmbeddedEquations embedded = embed_constraints(derive(disc.motion()));
  for (std::size_t r = 0; r < 5; ++r) {
    EXPECT_TRUE(same(sum[r], disc("F" + std::to_string(r + 1))));
    EXPECT_TRUE(same(embedded.active_forces[r], disc("F" + std::to_string(r + 1))));
  }
}

TEST(RollingDisc, rolling_on_the_plane_only_its_weight_is_left_among_the_active_forces) {
  const Mechanism disc(std::string(exercise_8_3) + "roll contact: C on N at Q\ndependent u4, u5\n");
  const EmbeddedEquations embedded = embed_constraints(derive(disc.motion()));
  ASSERT_EQ(independent_names(embedded, disc), (std::vector<std::string>{"u1", "u2", "u3"}));
  EXPECT_TRUE(same(embedded.active_forces[0], disc("F1")));
  EXPECT_TRUE(embedded.active_forces[1].is_zero());
  EXPECT_TRUE(embedded.active_forces[2].is_zero());
}

}  // namespace
}  // namespace visviva::validation
