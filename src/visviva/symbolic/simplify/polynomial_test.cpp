#include "visviva/symbolic/simplify/polynomial.h"

#include <flint/flint.h>
#include <gtest/gtest.h>

#include "visviva/base/error.h"

namespace visviva {
namespace {

class PolynomialArithmetic : public ::testing::Test {
 protected:
  static void TearDownTestSuite() { flint_cleanup(); }
  Polynomial generator(std::uint32_t g) const { return Polynomial({1, 1}, {{g, 1}}); }
  Polynomial number(std::int64_t num, std::int64_t den = 1) const { return Polynomial({num, den}); }

  Budget budget;
  Polynomial x = generator(0), y = generator(1), z = generator(7);
};

TEST_F(PolynomialArithmetic, opposite_terms_vanish) {
  EXPECT_TRUE(add(x, scale(x, {-1, 1}), budget).is_zero());
  EXPECT_EQ(add(number(1, 3), number(1, 6), budget), number(1, 2));
}

TEST_F(PolynomialArithmetic, products_are_collected) {
  // (x + y)(x - y) = x^2 - y^2
  const Polynomial p = multiply(add(x, y, budget), add(x, scale(y, {-1, 1}), budget), budget);
  EXPECT_EQ(p.size(), 2u);
  EXPECT_EQ(p.coefficient({{0, 2}}), (Rational{1, 1}));
  EXPECT_EQ(p.coefficient({{1, 2}}), (Rational{-1, 1}));
}

TEST_F(PolynomialArithmetic, monomials_divide_and_share) {
  const Monomial m{{0, 2}, {3, 1}}, n{{0, 1}, {5, 4}};
  EXPECT_EQ(common_divisor(m, n), (Monomial{{0, 1}}));
  EXPECT_TRUE(divides({{0, 1}, {3, 1}}, m));
  EXPECT_FALSE(divides(n, m));
  EXPECT_EQ(divide(multiply(m, n), n), m);
}

TEST_F(PolynomialArithmetic, the_content_makes_coefficients_whole_and_coprime) {
  const Polynomial p = add(scale(x, {-981, 100}), number(3, 10), budget);
  EXPECT_EQ(content(scale(p, *divide({1, 1}, content(p)))), (Rational{1, 1}));
}

TEST_F(PolynomialArithmetic, flint_finds_common_divisors) {
  const Polynomial shared = add(x, scale(z, {2, 3}), budget);
  const Polynomial a = multiply(shared, add(y, number(1), budget), budget);
  const Polynomial b = multiply(shared, add(x, number(5, 2), budget), budget);
  const Polynomial g = greatest_common_divisor(a, b, budget);
  EXPECT_EQ(g, scale(shared, *divide({1, 1}, content(shared))));
  EXPECT_EQ(multiply(divide_exactly(a, g, budget), g, budget), a);
  EXPECT_THROW(divide_exactly(y, add(x, z, budget), budget), InternalError);
}

TEST_F(PolynomialArithmetic, flint_factors_multiply_back) {
  // -3/2 x (x - y)^2 (y + z)
  const Polynomial difference = add(x, scale(y, {-1, 1}), budget);
  Polynomial p = multiply(difference, difference, budget);
  p = scale(multiply(p, add(y, z, budget), budget), {-3, 2}, {{0, 1}});
  const Factorization found = factor(p, budget);
  EXPECT_EQ(found.factors.size(), 3u);
  Polynomial product(found.constant);
  for (const auto& [base, exponent] : found.factors) {
    for (std::int64_t k = 0; k < exponent; ++k) product = multiply(product, base, budget);
  }
  EXPECT_EQ(product, p);
}

TEST_F(PolynomialArithmetic, what_outgrows_the_budget_is_refused_before_it_is_done) {
  Polynomial p = number(1);
  for (std::uint32_t g = 0; g < 40; ++g) p.add({{g, 1}}, {1, 1});
  EXPECT_THROW(multiply(p, p, budget), TooLarge);
  EXPECT_THROW(factor(p, budget), TooLarge);
  EXPECT_THROW(multiply(Polynomial({1, 1}, {{0, 20}}), Polynomial({1, 1}, {{0, 20}}), budget),
               TooLarge);
  EXPECT_THROW(scale(number(INT64_MAX), {3, 1}), TooLarge);
  Budget spent;
  spent.work = 10;
  EXPECT_THROW(spent.spend(11), TooLarge);
  EXPECT_EQ(spent.work, 0u);
}

}  // namespace
}  // namespace visviva
