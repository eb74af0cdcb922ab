#include "visviva/symbolic/print/print.h"

#include <gtest/gtest.h>

#include <chrono>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/print/print_test_reader.h"

namespace visviva {
namespace {

class Print : public ::testing::Test {
 protected:
  Expr symbol(const char* name) { return pool.symbol(name); }
  std::string latex(const Expr& e) { return print(e, Notation::latex); }
  std::string mathml(const Expr& e) { return print(e, Notation::mathml); }

  ExprPool pool;
  Expr m = symbol("m"), m1 = symbol("m1"), m2 = symbol("m2"), k = symbol("k"), g = symbol("g");
  Expr L = symbol("L"), L0 = symbol("L0"), L1 = symbol("L1"), L2 = symbol("L2");
  Expr s = symbol("s"), sp = symbol("s'"), theta = symbol("theta"), thetap = symbol("theta'"),
       thetapp = symbol("theta''");
  Expr q1 = symbol("q1"), q2 = symbol("q2"), q3 = symbol("q3");
  Expr q1p = symbol("q1'"), q2p = symbol("q2'"), q1pp = symbol("q1''"), q2pp = symbol("q2''");
  Expr a = symbol("a"), b = symbol("b"), c = symbol("c"), x = symbol("x"), y = symbol("y");
};
using PrintNumbers = Print;
using PrintLatex = Print;
using PrintMathml = Print;
using PrintLarge = Print;

// ---- As a textbook would

TEST_F(Print, a_pendulum_takes_the_common_factor_out) {
  EXPECT_EQ(print(m * L * L * thetapp + m * g * L * sin(theta)), "m*L*(L*theta'' + g*sin(theta))");
}

TEST_F(Print, masses_are_collected) {
  EXPECT_EQ(print(-L * g * m1 * sin(q1) - L * g * m2 * sin(q1)), "-g*L*(m1 + m2)*sin(q1)");
}

TEST_F(Print, a_spring_energy_is_a_square_even_when_built_expanded) {
  EXPECT_EQ(print(0.5 * k * pow(s - L0, 2)), "1/2*k*(s - L0)^2");
  EXPECT_EQ(print(0.5 * k * s * s - k * s * L0 + 0.5 * k * L0 * L0), "1/2*k*(s - L0)^2");
}

TEST_F(Print, a_speed_keeps_its_form) {
  EXPECT_EQ(print(q1p * cos(q3) + q2p * sin(q3)), "q1'*cos(q3) + q2'*sin(q3)");
}

TEST_F(Print, double_pendulum_energy_and_momentum_from_cartesian_velocities) {
  const Expr vx = L1 * q1p * cos(q1) + L2 * q2p * cos(q2),
             vy = L1 * q1p * sin(q1) + L2 * q2p * sin(q2);
  const Expr K = 0.5 * m1 * L1 * L1 * q1p * q1p + 0.5 * m2 * (vx * vx + vy * vy);
  EXPECT_EQ(print(K),
            "1/2*L1^2*(m1 + m2)*q1'^2 + m2*L1*L2*q1'*q2'*cos(q1 - q2) + 1/2*m2*L2^2*q2'^2");
  EXPECT_EQ(print(differentiate(K, q1p)), "L1^2*(m1 + m2)*q1' + m2*L1*L2*q2'*cos(q1 - q2)");
  EXPECT_EQ(print(differentiate(K, q1)), "-m2*L1*L2*q1'*q2'*sin(q1 - q2)");
}

TEST_F(Print, sums_of_angles_built_as_such_stay) {
  EXPECT_EQ(print(m2 * L1 * L2 * cos(q1 - q2)), "m2*L1*L2*cos(q1 - q2)");
  EXPECT_EQ(print(a * sin(q2 - q1)), "-a*sin(q1 - q2)");
}

TEST_F(Print, products_of_sines_and_cosines_become_sums_of_angles) {
  const Expr c12 = cos(q1) * cos(q2) - sin(q1) * sin(q2),
             s12 = sin(q1) * cos(q2) + cos(q1) * sin(q2);
  EXPECT_EQ(print(c12), "cos(q1 + q2)");
  EXPECT_EQ(print(c12 * cos(q3) - s12 * sin(q3)), "cos(q1 + q2 + q3)");
  EXPECT_EQ(print(pow(L1 * cos(q1) + L2 * c12, 2) + pow(L1 * sin(q1) + L2 * s12, 2)),
            "2*L1*L2*cos(q2) + L1^2 + L2^2");
}

TEST_F(Print, squares_of_sine_and_cosine_go_where_that_is_shorter) {
  EXPECT_EQ(print(a * pow(sin(x), 2) + a * pow(cos(x), 2) + b * pow(sin(x), 2)), "a + b*sin(x)^2");
  EXPECT_EQ(print(a * pow(sin(x), 2) + b * pow(cos(x), 2)), "a*sin(x)^2 + b*cos(x)^2");
  EXPECT_EQ(print(a - a * pow(cos(x), 2)), "a*sin(x)^2");
  EXPECT_EQ(print(b * (1 - pow(cos(x), 2)) / sin(x)), "b*sin(x)");
  EXPECT_EQ(print(a * pow(cosh(x), 2) - a * pow(sinh(x), 2) + b), "a + b");
}

TEST_F(Print, tangents_where_they_shorten) {
  EXPECT_EQ(print(a * sin(x) / cos(x)), "a*tan(x)");
  EXPECT_EQ(print(a * tan(x) * cos(x) + b * cos(x)), "a*sin(x) + b*cos(x)");
}

TEST_F(Print, unit_quaternions_obey_their_norm) {
  const auto e = pool.unit_quaternion({"e0", "e1", "e2", "e3"});
  EXPECT_EQ(print(e[0] * e[0] + e[1] * e[1] - e[2] * e[2] - e[3] * e[3] + a * e[1]),
            print(1 - 2 * e[2] * e[2] - 2 * e[3] * e[3] + a * e[1]));
}

TEST_F(Print, common_factors_cancel) {
  EXPECT_EQ(print((a * a - b * b) / (a + b)), "a - b");
  EXPECT_EQ(print((a * x + b * x) / (c * x)), "(a + b)/c");
  EXPECT_EQ(print(a / m1 + c / m1), "(a + c)/m1");
  EXPECT_EQ(print(a / m + g), "a/m + g");
}

TEST_F(Print, the_form_as_built_wins_when_it_is_the_shortest) {
  EXPECT_EQ(print(pow(a + b, 5)), "(a + b)^5");
  EXPECT_EQ(print(x / (x * x + 1) + b / (x + 1)), "b/(x + 1) + x/(x^2 + 1)");
}

TEST_F(Print, roots_squared_in_a_product_are_not_merged_unproved) {
  EXPECT_EQ(print(0.5 * k * pow(sqrt(x * x + y * y) - L0, 2)), "1/2*k*(sqrt(x^2 + y^2) - L0)^2");
}

// ---- Signs, numbers, order

TEST_F(Print, a_minus_leads_only_when_it_must) {
  EXPECT_EQ(print(-a - b), "-a - b");
  EXPECT_EQ(print(-a + b), "b - a");
  EXPECT_EQ(print(1 - cos(theta)), "1 - cos(theta)");
  EXPECT_EQ(print(-x / y), "-x/y");
  EXPECT_EQ(print(a * -b), "-a*b");
  EXPECT_EQ(print(exp(-x)), "exp(-x)");
  EXPECT_EQ(print(pow(x, -a)), "x^(-a)");
}

TEST_F(PrintNumbers, small_fractions_stay_and_decimals_come_back) {
  EXPECT_EQ(print(x / 2), "x/2");
  EXPECT_EQ(print(1.5 * x * y), "3/2*x*y");
  EXPECT_EQ(print(x / (2 * y)), "x/(2*y)");
  EXPECT_EQ(print(9.81 * m), "9.81*m");
  EXPECT_EQ(print(0.1 * m), "0.1*m");
  EXPECT_EQ(print(9.81 * m * L + 2 * k * s), "2*k*s + 9.81*m*L");
  EXPECT_EQ(print(x / 3), "x/3");
  EXPECT_EQ(print(pool.number(0)), "0");
  EXPECT_EQ(print(pool.rational(-7, 12)), "-7/12");
  EXPECT_EQ(print(pool.number(12.5)), "12.5");
}

TEST_F(PrintNumbers, very_large_and_small_ones_have_exponents) {
  EXPECT_EQ(print(pool.number(6.674e-11) * m1 * m2 / (x * x)), "6.674e-11*m1*m2/x^2");
  EXPECT_EQ(print(pool.number(6.02214076e23) * x), "6.02214076e23*x");
  EXPECT_EQ(print(pool.number(1e-30)), "1e-30");
  EXPECT_EQ(print(pool.number(299792458)), "299792458");
  EXPECT_EQ(print(pool.number(2.1e11)), "2.1e11");
}

TEST_F(PrintNumbers, pi_keeps_its_fractions) {
  EXPECT_EQ(print(pool.pi() / 6), "pi/6");
  EXPECT_EQ(print(2 * pool.pi() / 3), "2*pi/3");
  EXPECT_EQ(print(2 * pool.pi() * a), "2*pi*a");
}

TEST_F(Print, order_depends_on_symbols_and_not_on_how_the_expression_was_built) {
  ExprPool other;
  for (const char* name : {"a", "b", "x", "x'"}) other.symbol(name);
  const auto build = [](ExprPool& p, bool forward) {
    const Expr u = p.symbol("a"), v = p.symbol("b"), w = p.symbol("x"), r = p.symbol("x'");
    const Expr first = u * sin(w), second = v * cos(w), third = r * (u + v);
    return forward ? first + second + third : third + second + first;
  };
  ExprPool one;
  for (const char* name : {"a", "b", "x", "x'"}) one.symbol(name);
  EXPECT_EQ(print(build(one, true)), print(build(other, false)));
  EXPECT_EQ(print(build(one, true)), "(a + b)*x' + a*sin(x) + b*cos(x)");
}

TEST_F(Print, again_gives_the_same_text) {
  const Expr e = pow(L1 * q1p * cos(q1) + L2 * q2p * cos(q2), 2) / (m1 + m2 * pow(sin(q1 - q2), 2));
  const std::string first = print(e);
  EXPECT_EQ(print(e), first);
  ExpressionReader reader(pool);
  EXPECT_EQ(print(reader.read(first)), first);
}

// ---- LaTeX

TEST_F(PrintLatex, names_have_greek_letters_indices_and_dots) {
  EXPECT_EQ(latex(theta), "\\theta");
  EXPECT_EQ(latex(thetapp), "\\ddot{\\theta}");
  EXPECT_EQ(latex(q1p), "\\dot{q}_{1}");
  EXPECT_EQ(latex(symbol("Omega2")), "\\Omega_{2}");
  EXPECT_EQ(latex(symbol("mB")), "m_{B}");
  EXPECT_EQ(latex(symbol("Ixx")), "I_{xx}");
  EXPECT_EQ(latex(symbol("q_max")), "q_{\\mathrm{max}}");
  EXPECT_EQ(latex(symbol("load")), "\\mathrm{load}");
  EXPECT_EQ(latex(symbol("φ1'")), "\\dot{\\phi}_{1}");
}

TEST_F(PrintLatex, formulas_look_like_formulas) {
  EXPECT_EQ(latex(0.5 * k * pow(s - L0, 2)), "\\frac{1}{2} k \\left(s - L_{0}\\right)^{2}");
  EXPECT_EQ(latex(a / (b + c)), "\\frac{a}{b + c}");
  EXPECT_EQ(latex(a * pow(sin(theta), 2) + b * cos(q1 - q2)),
            "a \\sin^{2} \\theta + b \\cos\\left(q_{1} - q_{2}\\right)");
  EXPECT_EQ(latex(sqrt(x * x + y * y)), "\\sqrt{x^{2} + y^{2}}");
  EXPECT_EQ(latex(abs(x)), "\\left|x\\right|");
  EXPECT_EQ(latex(2 * (pool.number(1e-25) * x)), "2 \\cdot 10^{-25} x");
}

TEST_F(PrintLatex, no_name_can_break_out_of_its_group) {
  EXPECT_EQ(latex(symbol("a}b")), "\\mathrm{a\\}b}");
  EXPECT_EQ(latex(symbol("\\input{x}")), "\\mathrm{\\backslash{}input\\{x\\}}");
  EXPECT_EQ(latex(symbol("50%")), "\\mathrm{50\\%}");
  for (const char* name :
       {"a}b", "\\input{x}", "{", "}", "\\", "x_{", "a__b", "^", "$x$", "_", "'"}) {
    EXPECT_TRUE(is_balanced_latex(latex(symbol(name) + 1))) << name;
  }
}

// ---- MathML

TEST_F(PrintMathml, has_native_fractions_powers_and_dots) {
  EXPECT_EQ(mathml(q1p), "<msub><mover><mi>q</mi><mo>&#x2D9;</mo></mover><mn>1</mn></msub>");
  EXPECT_EQ(mathml(theta), "<mi>θ</mi>");
  EXPECT_EQ(mathml(a / b), "<mfrac><mi>a</mi><mi>b</mi></mfrac>");
  EXPECT_EQ(mathml(x * x - y),
            "<mrow><msup><mi>x</mi><mn>2</mn></msup><mo>&#x2212;</mo><mi>y</mi></mrow>");
  EXPECT_EQ(mathml(a * sin(theta)),
            "<mrow><mi>a</mi><mo>&#x2062;</mo><mrow><mi>sin</mi><mo>&#x2061;</mo><mspace "
            "width=\"0.17em\"></mspace><mi>θ</mi></"
            "mrow></mrow>");
}

TEST_F(PrintMathml, no_name_reaches_the_page_as_markup) {
  for (const char* name : {"<script>alert(1)</script>", "a&b", "\"><img src=x>", "x_</mi><script>",
                           "x'\"", "<", "&lt;'"}) {
    const std::string text = mathml(pow(symbol(name), 2) + a);
    EXPECT_TRUE(is_well_formed_mathml(text)) << text;
    EXPECT_EQ(text.find("<script"), std::string::npos) << text;
    EXPECT_EQ(text.find("<img"), std::string::npos) << text;
  }
}

// ---- Large expressions

TEST_F(PrintLarge, a_small_system_has_no_intermediates) {
  const PrintedSystem printed = print_system({sin(q1) * a, sin(q1) * b + c});
  EXPECT_TRUE(printed.intermediates.empty());
  EXPECT_EQ(printed.expressions[1], "b*sin(q1) + c");
}

TEST_F(PrintLarge, names_of_symbols_are_not_taken) {
  symbol("z1");
  Expr e = x;
  for (int i = 0; i < 40; ++i) e = sin(e * e + y) + a;
  const PrintedSystem printed = print_system({e});
  ASSERT_FALSE(printed.intermediates.empty());
  for (const Intermediate& z : printed.intermediates) EXPECT_NE(z.name, "z1");
}

TEST_F(PrintLarge, a_chain_of_squares_prints_in_linear_size) {
  Expr e = x;
  for (int i = 0; i < 200; ++i) e = e * e + a;
  const std::string text = print(e);
  EXPECT_LT(text.size(), 10000u);
  EXPECT_NE(text.find(" where z1 = "), std::string::npos);
  EXPECT_TRUE(is_balanced_latex(latex(e)));
  EXPECT_TRUE(is_well_formed_mathml(mathml(e)));
}

TEST_F(PrintLarge, a_hundred_thousand_nodes_take_no_more_than_text_of_their_size) {
  Expr e = x, f = y;
  while (pool.node_count() < 100000) {
    const Expr next = sin(e) * f + a * e;
    f = cos(f) * e - b;
    e = next;
  }
  const auto start = std::chrono::steady_clock::now();
  const PrintedSystem printed = print_system({e, f});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  RecordProperty("milliseconds", static_cast<int>(1000 * taken.count()));
  std::size_t total = 0, longest = 0;
  for (const Intermediate& z : printed.intermediates) {
    total += z.expression.size();
    longest = std::max(longest, z.expression.size());
  }
  EXPECT_LT(total, 50 * pool.node_count());
  EXPECT_LT(longest, 1000u);
  EXPECT_LT(printed.expressions[0].size(), 1000u);
}

TEST_F(PrintLarge, depth_is_no_danger) {
  Expr e = x;
  for (int i = 0; i < 20000; ++i) e = sin(e);
  EXPECT_LT(print(e).size(), 400000u);
  for (int i = 0; i < 20000; ++i) e = e + pool.symbol("a" + std::to_string(i));
  EXPECT_FALSE(print_system({e}).expressions[0].empty());
}

TEST_F(PrintLarge, powers_beyond_all_limits_stay_bounded) {
  EXPECT_EQ(print(pow(x + 1, 1000)), "(x + 1)^1000");
  Expr e = x + 1;
  for (int i = 0; i < 60; ++i) e = e * e;
  EXPECT_LT(print(e).size(), 1000u);
  EXPECT_LT(print(pow(a + b + c + x + y, 40) * pow(a - b, 30) + x).size(), 1000u);
}

TEST_F(PrintLarge, no_options_make_it_explode) {
  Expr e = x;
  for (int i = 0; i < 500; ++i) e = e * e + sin(a * e);
  const std::size_t huge = 1000000;
  const PrintOptions options{.inline_length = huge, .shared_size = huge, .line_size = huge};
  std::size_t total = 0;
  for (const Intermediate& z : print_system({e}, options).intermediates)
    total += z.expression.size();
  EXPECT_GT(total, 0u);
  EXPECT_LT(total, 1000000u);
}

TEST_F(PrintLarge, without_work_expressions_print_as_built) {
  const PrintedSystem printed = print_system({a * x + a * y}, {.work = 0});
  EXPECT_EQ(printed.expressions[0], "a*x + a*y");
}

TEST_F(Print, an_empty_expression_is_refused) {
  EXPECT_THROW(print(Expr()), UsageError);
  EXPECT_THROW(print_system({a, Expr()}), UsageError);
  EXPECT_TRUE(print_system({}).expressions.empty());
}

}  // namespace
}  // namespace visviva
