#include "visviva/numeric/transport_solver.h"

#include <gtest/gtest.h>

#include <cmath>

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double transport_rounding = 1e-12;  // relative, of a handful of operations

MatrixXd rows_of(std::initializer_list<std::initializer_list<double>> lines) {
  return MatrixXd(lines);
}
VectorXd column_of(std::initializer_list<double> entries) { return VectorXd{entries}; }

TEST(TransportSolver, independent_speeds_carry_nothing) {
  // u0 + 2 u1 + 3 = 0, with u1 dependent.
  const TransportSolver transport({1}, {1, 0});
  const auto rows = transport.choose(rows_of({{1, 2}}), column_of({3}), {1});
  EXPECT_EQ(rows.dependent, std::vector<int>{1});
  const VectorXd w = transport.solve(rows, 1.0),
                 w_rates = transport.solve_rates(rows, column_of({8}), 1.0);
  EXPECT_EQ(w(0), 0);
  EXPECT_NEAR(w(1), -1.5, transport_rounding);
  EXPECT_EQ(w_rates(0), 0);
  EXPECT_NEAR(w_rates(1), -4, transport_rounding);
}

TEST(TransportSolver, where_the_wanted_speed_is_not_regular_another_takes_its_place) {
  const TransportSolver transport({1}, {1, 0});
  const auto rows = transport.choose(rows_of({{1, 1e-8}}), column_of({3}), {1});
  EXPECT_EQ(rows.dependent, std::vector<int>{0});
  EXPECT_NEAR(transport.solve(rows, 1.0)(0), -3, transport_rounding);
}

TEST(TransportSolver, redundant_rows_agree_and_contradictory_ones_give_nothing) {
  const TransportSolver transport({1}, {1, 0});
  const MatrixXd A = rows_of({{0, 2}, {0, 4}});
  const auto agreeing = transport.choose(A, column_of({3, 6}), {1});
  EXPECT_NEAR(transport.solve(agreeing, 1.0)(1), -1.5, transport_rounding);
  const auto contradictory = transport.choose(A, column_of({3, 7}), {1});
  EXPECT_TRUE(std::isnan(transport.solve(contradictory, 1.0)(1)));
}

TEST(TransportSolver, at_a_singular_configuration_fewer_speeds_are_dependent) {
  const TransportSolver transport({0, 1}, {1, 0});
  const auto rows = transport.choose(rows_of({{1, 1}, {2, 2}}), column_of({0, 0}), {0, 1});
  EXPECT_EQ(rows.dependent.size(), 1u);
}

TEST(TransportSolver, the_best_choice_has_quality_one_and_a_singular_one_zero) {
  const TransportSolver transport({0}, {0, 1});
  const MatrixXd A = rows_of({{0, 5}});
  EXPECT_EQ(transport.choose_best(A), std::vector<int>{1});
  EXPECT_NEAR(transport.compute_quality(A, {1}), 1, transport_rounding);
  EXPECT_EQ(transport.compute_quality(A, {0}), 0);
}

}  // namespace
}  // namespace visviva
