#include "visviva/kinematics/linear_motion.h"

#include <gtest/gtest.h>

#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

class LinearMotion : public testing::Test {
 protected:
  ExprPool pool_;
  Expr a_ = pool_.symbol("a"), b_ = pool_.symbol("b"), zero_ = pool_.zero(), one_ = pool_.one();
  std::vector<Expr> u_ = {pool_.symbol("u0"), pool_.symbol("u1"), pool_.symbol("u2")};
  Column3 x_ = {one_, zero_, zero_}, y_ = {zero_, one_, zero_}, z_ = {zero_, zero_, one_};

  ScalarMotion scalar(int r, const Expr& c, const Expr& rest) { return {{{r, c}}, rest}; }
};

TEST_F(LinearMotion, sums_keep_speeds_in_order_and_drop_what_cancels) {
  ScalarMotion s = zero_scalar_motion(pool_);
  add_to(s, one_, scalar(2, a_, b_));
  add_to(s, b_, scalar(0, one_, zero_));
  ASSERT_EQ(s.coefficients.size(), 2u);
  EXPECT_EQ(s.coefficients[0].first, 0);
  EXPECT_EQ(s.coefficients[1].first, 2);
  EXPECT_EQ(total(s, u_), b_ * u_[0] + a_ * u_[2] + b_);
  add_to(s, -one_, scalar(2, a_, zero_));
  EXPECT_EQ(s.coefficients.size(), 1u);
  add_to(s, zero_, scalar(1, a_, a_));
  EXPECT_EQ(total(s, u_), b_ * u_[0] + b_);
}

TEST_F(LinearMotion, vectors_add_and_subtract_speed_by_speed) {
  VectorMotion v = along(x_, scalar(1, a_, b_), 3);
  add_to(v, along(y_, scalar(0, one_, zero_), 3));
  EXPECT_EQ(v.frame, 3);
  EXPECT_EQ(total(v, u_), (Column3{a_ * u_[1] + b_, u_[0], zero_}));
  subtract_from(v, along(x_, scalar(1, a_, zero_), 3));
  EXPECT_EQ(v.coefficients.size(), 1u);
  EXPECT_EQ(total(v, u_), (Column3{b_, u_[0], zero_}));
  subtract_from(v, along(z_, scalar(2, a_, one_), 3));
  EXPECT_EQ(total(v, u_), (Column3{b_, u_[0], -a_ * u_[2] - 1.0}));
}

TEST_F(LinearMotion, a_coefficient_that_is_not_there_is_zero) {
  const VectorMotion v = along(x_, scalar(1, a_, b_), 0);
  EXPECT_EQ(coefficient(v, 1), (Column3{a_, zero_, zero_}));
  EXPECT_TRUE(is_zero(coefficient(v, 0)));
}

TEST_F(LinearMotion, products_with_matrices_and_columns_act_on_every_coefficient) {
  VectorMotion v = along(x_, scalar(0, a_, b_), 1);
  add_to(v, along(x_, scalar(1, a_, zero_), 1));  // the same column again
  add_to(v, along(y_, scalar(2, one_, one_), 1));
  const Column3 c = {b_, a_, one_}, value = total(v, u_);
  EXPECT_EQ(total(cross(v, c), u_), cross(value, c));
  const Matrix3 M = {Column3{a_, b_, one_}, Column3{zero_, one_, b_}, Column3{b_, b_, a_}};
  const VectorMotion turned = rotate(M, v, 5);
  EXPECT_EQ(turned.frame, 5);
  EXPECT_EQ(total(turned, u_), M * value);
  EXPECT_EQ(total(dot(c, v), u_), dot(c, value));
}

TEST_F(LinearMotion, a_cross_product_drops_parallel_coefficients) {
  VectorMotion v = along(x_, scalar(0, a_, b_), 1);
  add_to(v, along(y_, scalar(1, a_, b_), 1));
  const VectorMotion product = cross(v, x_);
  ASSERT_EQ(product.coefficients.size(), 1u);
  EXPECT_EQ(product.coefficients[0].first, 1);
}

TEST_F(LinearMotion, three_scalars_stack_to_a_vector) {
  const ScalarMotion s0 = scalar(0, a_, zero_), s1 = scalar(2, b_, one_), s2 = scalar(0, b_, a_);
  const VectorMotion v = stack({s0, s1, s2}, 4);
  EXPECT_EQ(v.frame, 4);
  EXPECT_EQ(v.coefficients.size(), 2u);
  EXPECT_EQ(total(v, u_), (Column3{total(s0, u_), total(s1, u_), total(s2, u_)}));
}

TEST_F(LinearMotion, equal_neighbours_count_once_as_work) {
  VectorMotion v = along(x_, scalar(0, a_, zero_), 1);
  add_to(v, along(x_, scalar(1, a_, zero_), 1));
  EXPECT_EQ(count_distinct(v), 1u);
  add_to(v, along(y_, scalar(2, a_, b_), 1));
  EXPECT_EQ(count_distinct(v), 3u) << "the remainder counts too";
}

}  // namespace
}  // namespace visviva
