#include "visviva/symbolic/calculus/find_signs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

constexpr SignSet any_sign{}, no_plus{true, false}, no_minus_sign{false, true},
    only_zero{false, false};

TEST(FindSigns, sees_squares_and_sums_of_them) {
  ExprPool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y"), c = pool.symbol("c");
  const auto signs = [&](const Expr& e) {
    return find_signs(e, [&](const Expr& s) { return s == c ? no_minus_sign : any_sign; });
  };
  EXPECT_EQ(signs(-c * x * x), no_plus);
  EXPECT_EQ(signs(-2.0 * c * (x + y) * (x + y) - y * y), no_plus);
  EXPECT_EQ(signs(c * x * y), any_sign);
  EXPECT_EQ(signs(x * y * c * y / x), no_minus_sign);  // x cancels
  EXPECT_EQ(signs(-c * x * (x + 0.9)), any_sign);
  EXPECT_EQ(signs(-c * abs(x) * x * x), no_plus);
  EXPECT_EQ(signs(-c * x * sign(x)), no_plus);  // that is |x|
  EXPECT_EQ(signs(-c * x * tanh(x / c)), no_plus);
  EXPECT_EQ(signs(sqrt(x) * exp(y) + cosh(x)), no_minus_sign);
  EXPECT_EQ(signs(atan(c)), no_minus_sign);
  EXPECT_EQ(signs(atan2(-c, x)), any_sign);  // pi at c = 0, x < 0
  EXPECT_EQ(signs(pool.zero()), only_zero);
  EXPECT_EQ(find_signs(c * x, [&](const Expr& s) { return s == c ? sign_of(0) : any_sign; }),
            only_zero);
}

TEST(FindSigns, is_never_refuted_by_a_value) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> any;
  int decided = 0;
  for (int k = 0; k < 300; ++k) {
    ExprPool pool;
    std::vector<Expr> parts = {pool.symbol("x"), pool.symbol("y"), pool.number(any(random))};
    for (int i = 0; i < 8; ++i) {
      const auto pick = [&] { return parts[random() % parts.size()]; };
      switch (random() % 8) {
        case 0:
          parts.push_back(pick() + pick());
          break;
        case 1:
          parts.push_back(pick() * pick());
          break;
        case 2:
          parts.push_back(-pick());
          break;
        case 3:
          parts.push_back(max(pick(), pick()));
          break;
        case 4:
          parts.push_back(tanh(pick()));
          break;
        case 5:
          parts.push_back(abs(pick()));
          break;
        case 6: {
          const Expr e = pick();
          parts.push_back(e * e);
          break;
        }
        default:
          parts.push_back(min(pick(), pick()));
      }
    }
    const Expr e = parts.back();
    const SignSet found = find_signs(e, [](const Expr&) { return SignSet{}; });
    decided += found == SignSet{} ? 0 : 1;
    const std::vector<Expr> symbols = free_symbols(e);
    const Evaluator evaluate(symbols, {e});
    for (int n = 0; n < 50; ++n) {
      std::vector<double> values;
      for (std::size_t i = 0; i < symbols.size(); ++i) values.push_back(any(random));
      const double value = evaluate(values)[0];
      EXPECT_TRUE(found.can_be_positive || !(value > 1e-12)) << k;
      EXPECT_TRUE(found.can_be_negative || !(value < -1e-12)) << k;
    }
  }
  EXPECT_GT(decided, 60);
}

}  // namespace
}  // namespace visviva
