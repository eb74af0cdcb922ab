#include "visviva/numeric/choose_columns.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

TEST(choose_columns, candidates_come_in_order_and_a_dependent_one_is_passed_over) {
  Eigen::MatrixXd rows(2, 3);
  rows << 1, 2, 0, 2, 4, 1;  // the first two columns are parallel
  const std::vector<ChosenColumn> chosen = choose_columns(rows, {1, 0, 2}, {1e-9});
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].column, 1);
  EXPECT_EQ(chosen[1].column, 2);
}

TEST(choose_columns, a_small_pivot_comes_after_all_good_ones) {
  Eigen::MatrixXd rows(1, 2);
  rows << 1e-7, 1;
  EXPECT_EQ(choose_columns(rows, {0, 1}, {1e-6, 1e-9})[0].column, 1);
  EXPECT_EQ(choose_columns(rows, {0}, {1e-6, 1e-9})[0].column, 0);
  EXPECT_TRUE(choose_columns(rows, {0}, {1e-6}).empty());
  EXPECT_TRUE(choose_columns(rows, {1}, {1e-6}, 0).empty());
}

TEST(choose_columns, what_is_not_chosen_is_the_rest) {
  EXPECT_EQ(complement({1, 3}, 4), (std::vector<int>{0, 2}));
  std::vector<int> order = {2};
  append_missing(4, &order);
  EXPECT_EQ(order, (std::vector<int>{2, 3, 1, 0}));
}

}  // namespace
}  // namespace visviva
