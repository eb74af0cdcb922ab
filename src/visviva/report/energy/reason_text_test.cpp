#include "visviva/report/energy/reason_text.h"

#include <gtest/gtest.h>

#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

using Kind = Reason::Kind;

class ReasonText : public testing::Test {
 protected:
  ExprPool pool_;
  Expr b_ = pool_.symbol("b"), v_ = pool_.symbol("v"),
       long_name_ = pool_.symbol("a_rather_long_name_of_a_rate");
};

TEST_F(ReasonText, names_the_ingredient_and_shows_its_expression) {
  const Reason r{.kind = Kind::is_not_zero, .of = Ingredient::sigma, .expression = b_ * v_};
  EXPECT_EQ(write_reason(r), "sigma = b*v is not zero");
  EXPECT_EQ(write_reason(r, Wording::brief), "sigma = b*v is not zero");
}

TEST_F(ReasonText, leaves_a_long_expression_out_where_it_is_shown_elsewhere) {
  Reason r{.kind = Kind::is_not_zero, .of = Ingredient::sigma, .expression = b_ * v_ * long_name_};
  EXPECT_NE(write_reason(r).find("a_rather_long_name_of_a_rate"), std::string::npos);
  EXPECT_EQ(write_reason(r, Wording::brief), "sigma is not zero");
  r.of = Ingredient::motor_power;
  EXPECT_EQ(write_reason(r, Wording::brief), write_reason(r));
}

TEST_F(ReasonText, gives_conditions_and_extents) {
  Reason r{.kind = Kind::vanishes_for_values,
           .of = Ingredient::P_nonconservative,
           .expression = b_ * v_,
           .condition = {{b_, pool_.zero()}}};
  EXPECT_EQ(write_reason(r), "P_nonconservative = b*v vanishes for b = 0");
  r.condition.clear();
  EXPECT_EQ(write_reason(r), "P_nonconservative = b*v vanishes for these values");
  r = {.kind = Kind::is_zero, .of = Ingredient::K0_rate, .extent = Extent::on_constraints};
  EXPECT_EQ(write_reason(r), "dK0/dt = 0 where the constraints hold");
  r = {.kind = Kind::is_not_zero,
       .of = Ingredient::sigma_R,
       .names = {"x", "y"},
       .extent = Extent::this_start};
  EXPECT_EQ(write_reason(r),
            "sigma_R is not zero, but vanishes in the motion from this start, which keeps x, y");
}

TEST_F(ReasonText, says_once_that_the_rest_begins) {
  const Reasons reasons = {
      {.kind = Kind::elastic},
      {.kind = Kind::depends_on_speeds, .is_about_rest = true},
      {.kind = Kind::not_integrable, .names = {"x", "y"}, .is_about_rest = true}};
  EXPECT_EQ(join_reasons(reasons),
            "an elastic force; the rest: it depends on speeds; its generalized forces are not "
            "integrable: that on x changes with y otherwise than that on y with x");
}

TEST_F(ReasonText, has_words_for_every_kind) {
  for (int k = 0; k <= static_cast<int>(Kind::moved_by); ++k) {
    const Reason r{
        .kind = static_cast<Kind>(k),
        .of = k <= static_cast<int>(Kind::is_undecided) ? Ingredient::sigma : Ingredient::none,
        .names = {"a", "b"},
        .expression = v_,
        .undefined = Undefined{}};
    EXPECT_FALSE(write_reason(r).empty()) << k;
  }
}

TEST_F(ReasonText, of_definitions) {
  EXPECT_EQ(write_definition({.formula = "K + U", .needs_potential_energy = true}),
            "K + U, with U a potential energy");
  EXPECT_EQ(write_definition({.kind = IntegralDefinition::Kind::linear_momentum, .axis = 'z'}),
            "of the whole system along N.z");
  EXPECT_EQ(write_definition({.kind = IntegralDefinition::Kind::angular_momentum, .about = "No"}),
            "of the whole system about No along N.x");
  EXPECT_EQ(write_definition({.kind = IntegralDefinition::Kind::angular_momentum}),
            "of the whole system about its mass center along N.x");
}

}  // namespace
}  // namespace visviva
