#include "visviva/symbolic/simplify/simplify.h"

#include <gtest/gtest.h>

#include "visviva/symbolic/simplify/simplify_trig.h"

namespace visviva {
namespace {

class Simplification : public ::testing::Test {
 protected:
  std::string text(const Expr& e) {
    Simplifier simplifier(pool, names, Budget());
    const Form form = simplifier.simplify(e.ref());
    EXPECT_TRUE(Expr(pool, rebuild(pool, form)) == e);
    return write_form(pool, form, names, language_writer());
  }

  ExprPool pool;
  NodeNames names;
  Expr a = pool.symbol("a"), b = pool.symbol("b"), q = pool.symbol("q"), r = pool.symbol("r"),
       t = pool.symbol("t");
};

TEST_F(Simplification, named_nodes_are_not_looked_into) {
  const Expr part = a * cos(q) + b;
  names.emplace(part.ref() >> 1, "z1");
  EXPECT_EQ(text(part * part - 1), "z1^2 - 1");
  EXPECT_EQ(text(part), "a*cos(q) + b");
}

TEST_F(Simplification, a_form_that_was_set_replaces_its_node) {
  const Expr part = a * cos(q) + b;
  names.emplace(part.ref() >> 1, "z1");
  Simplifier simplifier(pool, names, Budget());
  simplifier.set_form(part.ref() >> 1, simplifier.simplify(part.ref()));
  const Form form = simplifier.simplify((part * t).ref());
  EXPECT_EQ(write_form(pool, form, names, language_writer()), "t*(a*cos(q) + b)");
}

TEST_F(Simplification, what_cannot_be_proved_is_written_as_it_was_built) {
  // Functions of roots are equal for nobody but the roots: the text must not claim it.
  const Expr product = (a * sqrt(r)) * (b * sqrt(r));
  EXPECT_EQ(text(exp(product)).find("a*b*r"), std::string::npos);
}

TEST_F(Simplification, identities_reach_into_denominators_and_arguments) {
  EXPECT_EQ(text(a / (b * pow(sin(q), 2) + b * pow(cos(q), 2) + t)), "a/(b + t)");
  EXPECT_EQ(text(exp(a * pow(sin(q), 2) + a * pow(cos(q), 2) + b)), "exp(a + b)");
  EXPECT_EQ(text(b / (a - a * pow(cos(q), 2))), "b/(a*sin(q)^2)");
}

TEST_F(Simplification, double_angles_appear_where_two_terms_become_one) {
  EXPECT_EQ(text(a * pow(cos(q), 2) - a * pow(sin(q), 2)), "a*cos(2*q)");
}

TEST_F(Simplification, differences_of_composite_angles_cancel) {
  EXPECT_EQ(text(a * cos(q) * cos(q - r) + a * sin(q) * sin(q - r)), "a*cos(r)");
}

TEST_F(Simplification, is_bounded_by_its_budget) {
  // Some 10^9 terms if expanded.
  Expr product = a;
  for (int i = 0; i < 30; ++i) product *= a + pool.symbol("x" + std::to_string(i));
  Budget budget;
  Simplifier simplifier(pool, names, budget);
  const Form form = simplifier.simplify((product + 1).ref());
  EXPECT_TRUE(Expr(pool, rebuild(pool, form)) == product + 1);
  EXPECT_LE(simplifier.work_left(), budget.work);
}

TEST_F(Simplification, exchange_and_elimination_of_squares) {
  // Generators 0 and 1 with g0^2 + g1^2 = 1.
  const SquareRelation circle{{{0, 1}, {1, 1}}};
  Budget budget;
  Polynomial p;
  p.add({{0, 2}, {5, 1}}, {3, 1});
  p.add({{1, 2}, {5, 1}}, {3, 1});
  p.add({{0, 1}}, {1, 1});
  Polynomial expected;
  expected.add({{5, 1}}, {3, 1});
  expected.add({{0, 1}}, {1, 1});
  EXPECT_EQ(exchange_squares(p, {circle}, budget), expected);
  EXPECT_EQ(eliminate_square(p, circle, 0, budget), expected);

  // cosh^2 - sinh^2 = 1, sinh first: cosh^4 = 1 + 2 sinh^2 + sinh^4
  const SquareRelation hyperbola{{{0, -1}, {1, 1}}};
  const Polynomial power = eliminate_square(Polynomial({1, 1}, {{1, 4}}), hyperbola, 1, budget);
  EXPECT_EQ(power.coefficient({{0, 2}}), (Rational{2, 1}));
  EXPECT_EQ(power.coefficient({{0, 4}}), (Rational{1, 1}));
}

// The value is that of the original for either sign of the root; fields do not know that.
TEST_F(Simplification, the_square_of_a_root_is_what_stands_under_it) {
  const Expr root = sqrt(a * a - q * q - r * r);
  const Expr half = pool.rational(1, 2) * q / root;
  Simplifier simplifier(pool, names, Budget());
  const auto write = [&](const Expr& e) {
    return write_form(pool, simplifier.simplify(e.ref()), names, language_writer());
  };
  EXPECT_EQ(write(b + 4 * (half * (b * half))), "b*q^2/(a^2 - q^2 - r^2) + b");
  EXPECT_EQ(write(4 * (half * (b * (pool.rational(1, 2) * r / root)))), "b*q*r/(a^2 - q^2 - r^2)");
  const Expr cosine = sqrt(1 - q * q / (a * a));
  EXPECT_EQ(write((q / a) * (q / a) + (cosine * b) * (cosine / b)), "1");
}

// A particle on a sphere and a ladder, by coordinates: sums beside roots are no longer than people write them.
TEST_F(Simplification, what_a_root_divides_stands_apart) {
  const Expr below = a * a - q * q, root = sqrt(below);
  EXPECT_EQ(text(b * q * (2 * q * r) * (2 * q * r) / (8 * below * below) +
                 b * q * (2 * q * r) * (2 * q * r) / (8 * below * below)),
            "b*q^3*r^2/(a^2 - q^2)^2");
  EXPECT_EQ(text(b * a * a * q * r * r / (3 * below * below) + b * q / (2 * root)),
            "a^2*b*q*r^2/(3*(a^2 - q^2)^2) + b*q/(2*sqrt(a^2 - q^2))");
  EXPECT_EQ(text((b * (q * q * sin(r) * sin(r) + q * q * cos(r) * cos(r)) +
                  a * (q * sin(r) / root + r) * (q * sin(r) / root + r)) /
                 2)
                .find("cos"),
            std::string::npos);
}

// People's numbers stay what they are.
TEST_F(Simplification, no_number_is_taken_out_that_nobody_wrote) {
  const Expr small = pool.rational(3431, 10'000'000'000),
             smaller = pool.rational(21316, 100'000'000'000'000);
  EXPECT_EQ(text(a * small * cos(q) + a * smaller), "3.431e-7*a*cos(q) + 2.1316e-10*a");
  EXPECT_EQ(text(pool.rational(981, 100) * a + pool.rational(981, 100) * b), "9.81*(a + b)");
}

}  // namespace
}  // namespace visviva
