#include "visviva/model/quantity.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "visviva/base/error.h"
#include "visviva/base/refusal_test.h"
#include "visviva/model/model.h"

namespace visviva {
namespace {

using namespace units;

class QuantityTest : public testing::Test {
 protected:
  Expr expr(const Quantity& q) { return q.expr(pool_); }
  Model model_{"quantities"};
  ExprPool& pool_ = *model_.data().pool;
  Quantity x_ = model_.coordinate("x", {.start = 0 * m});
  Quantity theta_ = model_.coordinate("theta", {.dimension = Dimension()});
};

// ---- Exact numbers

TEST_F(QuantityTest, degrees_are_exact_fractions_of_pi) {
  EXPECT_EQ(expr(30 * deg), pool_.pi() / 6.0);
  EXPECT_EQ(expr(1 * rev), 2.0 * pool_.pi());
  EXPECT_EQ(expr(360 * deg - 1 * rev), 0.0);
  EXPECT_EQ(sin(model_.constant(30 * deg)).expr(), 0.5);
  EXPECT_EQ(cos(model_.constant(120 * deg)).expr(), -0.5);
  EXPECT_EQ(tan(model_.constant(45 * deg)).expr(), 1.0);
}

TEST_F(QuantityTest, units_are_exact_multiples_of_si_units) {
  EXPECT_EQ(expr(250 * gram), 0.25);
  EXPECT_EQ(expr(3 * mm + 2 * cm + 1 * km), 1000.023);
  EXPECT_EQ(expr(90 * minute), expr(1.5 * hour));
  EXPECT_EQ(expr(72 * km / hour), 20.0);
  EXPECT_EQ(expr(10 * rev / minute), pool_.pi() / 3.0);
}

TEST_F(QuantityTest, units_have_their_dimensions) {
  EXPECT_EQ((kg * m / (s * s)).dimension(), N.dimension());
  EXPECT_EQ((N * m).dimension(), J.dimension());
  EXPECT_EQ((J / s).dimension(), W.dimension());
  EXPECT_EQ((N / (m * m)).dimension(), Pa.dimension());
  EXPECT_EQ((1 / s).dimension(), Hz.dimension());
  EXPECT_TRUE(deg.dimension().is_dimensionless());
  EXPECT_TRUE(rad.dimension().is_dimensionless());
  EXPECT_TRUE(rev.dimension().is_dimensionless());
  EXPECT_EQ((A * s / (K * mol * cd)).dimension().str(), "s*A/K/mol/cd");
}

TEST_F(QuantityTest, decimals_are_exact) {
  EXPECT_TRUE((0.1 * m + 0.2 * m - 0.3 * m).is_zero());
  EXPECT_EQ(expr(0.1 * m + 0.2 * m - 0.3 * m), 0.0);
  EXPECT_EQ((x_ + 0.1 * m + 0.2 * m - 0.3 * m).expr(), x_.expr());
  EXPECT_EQ(expr(Quantity(1) / 3 * 3), 1.0);
  EXPECT_EQ(expr(Quantity(6.674e-11) * 1e11), 6.674);
}

TEST_F(QuantityTest, a_number_too_fine_for_fractions_keeps_its_value) {
  EXPECT_EQ(expr(Quantity(1e-30)), pool_.decimal("1e-30"));
  EXPECT_EQ(expr(Quantity(-2.5e40)), -pool_.decimal("2.5e40"));
}

TEST_F(QuantityTest, integer_powers_of_numbers_are_exact) {
  EXPECT_EQ(expr(pow(0.1 * m, 3)), 0.001);
  EXPECT_EQ(pow(0.1 * m, 3).dimension().str(), "m^3");
  EXPECT_EQ(expr(pow(2 * s, -2)), 0.25);
  EXPECT_EQ(expr(pow(30 * deg, 2)), pool_.pi() * pool_.pi() / 36.0);
  EXPECT_EQ(expr(pow(Quantity(7), 0)), 1.0);
}

TEST_F(QuantityTest, refuses_numbers_that_are_none) {
  EXPECT_EQ(refusal([] { (void)Quantity(std::numeric_limits<double>::infinity()); }),
            "Quantity: expected a finite number");
  EXPECT_EQ(refusal([] { Quantity(1) / Quantity(0); }), "operator/: division by zero");
  EXPECT_EQ(refusal([] { pow(0 * m, -1); }), "pow: zero has no negative power");
}

// ---- Dimensions

TEST_F(QuantityTest, a_sum_of_different_dimensions_names_the_function_and_both_dimensions) {
  EXPECT_EQ(refusal([&] { x_ + 1 * s; }), "operator+: the operands have dimensions 'm' and 's'");
  EXPECT_EQ(refusal([&] { x_ - theta_; }), "operator-: the operands have dimensions 'm' and '1'");
  EXPECT_EQ(refusal([] { 1 * N + 1 * J; }),
            "operator+: the operands have dimensions 'N' and 'N*m'");
  EXPECT_EQ(refusal([&] { min(x_, 1 * kg); }), "min: the operands have dimensions 'm' and 'kg'");
  EXPECT_EQ(refusal([&] { max(x_, theta_); }), "max: the operands have dimensions 'm' and '1'");
  EXPECT_EQ(refusal([&] { atan2(x_, theta_); }), "atan2: the operands have dimensions 'm' and '1'");
}

TEST_F(QuantityTest, a_function_of_a_length_names_the_function_and_both_dimensions) {
  using Function = Quantity (*)(const Quantity&);
  const std::pair<const char*, Function> functions[] = {
      {"exp", exp},   {"log", log},   {"sin", sin},   {"cos", cos},   {"tan", tan},  {"asin", asin},
      {"acos", acos}, {"atan", atan}, {"sinh", sinh}, {"cosh", cosh}, {"tanh", tanh}};
  for (const auto& [name, f] : functions) {
    EXPECT_EQ(refusal([&, g = f] { g(x_); }),
              std::string(name) + ": the argument has dimension 'm', expected '1'");
  }
  EXPECT_EQ(refusal([&] { pow(Quantity(2), x_); }),
            "pow: the exponent has dimension 'm', expected '1'");
  EXPECT_EQ(refusal([&] { pow(x_, theta_); }),
            "pow: the base, whose exponent is no number, has dimension 'm', expected '1'");
}

TEST_F(QuantityTest, a_plain_zero_has_every_dimension) {
  EXPECT_EQ((x_ + 0).expr(), x_.expr());
  EXPECT_EQ((x_ + 0).dimension().str(), "m");
  EXPECT_EQ((0 - x_).dimension().str(), "m");
  EXPECT_EQ(refusal([&] { x_ - x_ + 1 * s; }),
            "operator+: the operands have dimensions 'm' and 's'");
  EXPECT_EQ(max(x_, 0).dimension().str(), "m");
  EXPECT_TRUE(Quantity().is_zero());
  EXPECT_NO_THROW(require_dimension(0, kg.dimension(), "f", "it"));
  EXPECT_EQ(refusal([&] { require_dimension(x_, kg.dimension(), "f", "it"); }),
            "f: it has dimension 'm', expected 'kg'");
}

TEST_F(QuantityTest, powers_and_roots_carry_their_dimension) {
  EXPECT_EQ(pow(x_, 2).dimension().str(), "m^2");
  EXPECT_EQ(pow(x_, model_.constant(0.5)).dimension(), sqrt(x_).dimension());
  EXPECT_EQ(sqrt(x_ * x_).dimension().str(), "m");
  EXPECT_EQ(pow(x_, -1.5).dimension().str(), "1/m^(3/2)");
  EXPECT_EQ(abs(x_).dimension().str(), "m");
  EXPECT_TRUE(sign(x_).dimension().is_dimensionless());
  EXPECT_TRUE(step(x_).dimension().is_dimensionless());
  EXPECT_TRUE(atan2(x_, 1 * m).dimension().is_dimensionless());
  EXPECT_EQ((x_ * (9.81 * m / (s * s))).dimension().str(), "m^2/s^2");
  EXPECT_NE(refusal([&] { pow(x_, 0.2); }).find("'m' has no root of this order"),
            std::string::npos);
}

// ---- Numbers without a pool

TEST_F(QuantityTest, functions_of_plain_numbers_ask_for_a_model) {
  for (const auto& f : {std::function<void()>([] { sin(30 * deg); }),
                        {[] { sqrt(4 * m); }},
                        {[] { min(1 * m, 2 * m); }},
                        {[] { abs(-1 * m); }},
                        {[] { atan2(1, 2); }},
                        {[] { pow(Quantity(2), 0.5); }},
                        {[] { pow(Quantity(2), 1 * rev); }}}) {
    EXPECT_NE(refusal(f).find("write model.constant(number)"), std::string::npos);
  }
  EXPECT_EQ(refusal([] { (1 * m).expr(); }),
            "Quantity::expr: a plain number has no expression without a pool");
}

TEST_F(QuantityTest, multiples_of_pi_and_plain_numbers_are_added_in_a_model_only) {
  EXPECT_NE(refusal([] { 30 * deg + 1 * rad; }).find("before they meet a model"),
            std::string::npos);
  EXPECT_EQ((theta_ + 30 * deg + 1 * rad - theta_).expr(), pool_.pi() / 6.0 + 1.0);
}

TEST_F(QuantityTest, quantities_of_two_models_do_not_mix) {
  Model other("other");
  const Quantity y = other.coordinate("y", {.start = 0 * m});
  EXPECT_NE(refusal([&] { x_ + y; }).find("different pools"), std::string::npos);
  EXPECT_NE(refusal([&] { (void)(x_ * y); }).find("different pools"), std::string::npos);
}

TEST_F(QuantityTest, an_unknown_dimension_is_found_from_use_and_remembered) {
  const Quantity y = model_.parameter("y"), z = model_.parameter("z");
  EXPECT_FALSE(y.dimension().is_known());
  EXPECT_EQ((y * z + x_).dimension().str(), "m");  // one equation, two unknowns
  EXPECT_FALSE(y.dimension().is_known());
  EXPECT_NO_THROW(sin(z / (2 * s)));
  EXPECT_EQ(z.dimension().str(), "s");
  EXPECT_EQ(y.dimension().str(), "m/s");
  EXPECT_EQ(refusal([&] { y + 1 * kg; }), "operator+: the operands have dimensions 'm/s' and 'kg'");
}

TEST_F(QuantityTest, a_root_of_an_unknown_dimension_is_solved) {
  const Quantity y = model_.parameter("y");
  EXPECT_NO_THROW(sqrt(y) + x_);
  EXPECT_EQ(y.dimension().str(), "m^2");
}

}  // namespace
}  // namespace visviva
