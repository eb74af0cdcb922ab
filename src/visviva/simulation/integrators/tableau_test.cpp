// The tables of coefficients fulfil the order conditions that their orders stand for, and no more.
#include <gtest/gtest.h>

#include <limits>

#include "visviva/simulation/integrators/dop853_tableau.h"
#include "visviva/simulation/integrators/dopri5_tableau.h"
#include "visviva/simulation/integrators/rooted_trees_test.h"
#include "visviva/simulation/integrators/verner98_tableau.h"

namespace visviva {
namespace {

const std::vector<RootedTree>& trees() {
  static const std::vector<RootedTree> list = make_rooted_trees(10);
  return list;
}

// Sums of a hundred products of ten rounded factors; tables have 30 digits or more, so that nothing
// but the rounding of long double is left.
constexpr long double long_rounding = 64.0L * std::numeric_limits<long double>::epsilon();
// The conditions that are not met miss by this much at least: a thousand million roundings.
constexpr long double not_met = 1e-9L;

template <class Table>
class TableauTest : public testing::Test {
 protected:
  static const ElementaryWeights<Table::all_stages>& weights() {
    static const ElementaryWeights<Table::all_stages> all(trees(), Table::a);
    return all;
  }
  template <class Weights>
  static void check_order(const Weights& b, int order, long double theta = 1.0L) {
    for (int p = 1; p <= order; ++p)
      EXPECT_LT(weights().compute_defect(b, p, theta).roundings, long_rounding)
          << "order " << p << " at theta = " << theta;
    EXPECT_GT(weights().compute_defect(b, order + 1, theta).value, not_met) << theta;
  }
  static std::vector<long double> compute_dense(long double theta) {
    std::vector<long double> b(Table::all_stages, 0.0L);
    for (int i = 0; i < Table::all_stages; ++i) {
      for (int m = Table::dense_terms - 1; m >= 0; --m)
        b[i] = (b[i] + Table::dense[m][i]) * (m % 2 == 0 ? 1.0L - theta : theta);
      b[i] = theta * (b[i] + Table::b[i]);
    }
    return b;
  }
};

using Tables = testing::Types<Verner98Tableau, Dop853Tableau, Dopri5Tableau>;
TYPED_TEST_SUITE(TableauTest, Tables);

// N. J. A. Sloane, The On-Line Encyclopedia of Integer Sequences, A000081.
TEST(RootedTrees, AreAsManyAsCayleyCounted) {
  const int count[] = {1, 1, 2, 4, 9, 20, 48, 115, 286, 719};
  for (int order = 1; order <= 10; ++order) {
    const auto is_of_order = [&](const RootedTree& tree) { return tree.order == order; };
    EXPECT_EQ(std::count_if(trees().begin(), trees().end(), is_of_order), count[order - 1]);
  }
}

TEST(RootedTrees, HaveTheDensitiesOfChainsAndBushes) {
  long double largest = 0.0L, smallest = 1e30L;
  for (const RootedTree& tree : trees()) {
    if (tree.order != 10) continue;
    largest = std::max(largest, tree.gamma);
    smallest = std::min(smallest, tree.gamma);
  }
  EXPECT_EQ(largest, 3628800.0L);  // ten nodes in a chain: 10!
  EXPECT_EQ(smallest, 10.0L);      // nine leaves on a root
}

TYPED_TEST(TableauTest, RowsSumToTheirNodes) {
  for (int i = 0; i < TypeParam::all_stages; ++i) {
    long double sum = 0.0L, size = 0.0L;
    for (int j = 0; j < TypeParam::all_stages; ++j) {
      sum += TypeParam::a[i][j];
      size += std::abs(TypeParam::a[i][j]);
      EXPECT_TRUE(j < i || TypeParam::a[i][j] == 0.0L) << "the method is explicit";
    }
    EXPECT_LE(std::abs(sum - TypeParam::c[i]), long_rounding * (1.0L + size)) << "stage " << i;
  }
}

TYPED_TEST(TableauTest, TheEndStageIsTheEndOfTheStep) {
  EXPECT_EQ(TypeParam::c[TypeParam::end_stage], 1.0L);
  for (int i = 0; i < TypeParam::all_stages; ++i)
    EXPECT_EQ(TypeParam::a[TypeParam::end_stage][i], TypeParam::b[i]);
  for (int stage : TypeParam::stiff_stages) EXPECT_EQ(TypeParam::c[stage], 1.0L);
  for (int i = TypeParam::stages; i < TypeParam::all_stages; ++i)
    EXPECT_EQ(TypeParam::b[i], 0.0L) << "the step needs its stages only";
}

TYPED_TEST(TableauTest, TheStepHasItsOrderAndNoMore) {
  this->check_order(TypeParam::b, TypeParam::order);
}

TYPED_TEST(TableauTest, ValuesWithinTheStepHaveTheirOrderAndNoMore) {
  for (long double theta : {0.1L, 0.25L, 0.5L, 0.7L, 0.95L})
    this->check_order(this->compute_dense(theta), TypeParam::dense_order, theta);
}

TYPED_TEST(TableauTest, RatesWithinTheStepAreThoseOfTheEndsAtTheEnds) {
  const long double small = 1e-6L;
  const auto first = this->compute_dense(small), last = this->compute_dense(1.0L - small);
  for (int i = 0; i < TypeParam::all_stages; ++i) {
    const long double is_first = i == 0, is_end = i == TypeParam::end_stage;
    EXPECT_NEAR(static_cast<double>(first[i] / small - is_first), 0.0, 1e-3);
    EXPECT_NEAR(static_cast<double>((TypeParam::b[i] - last[i]) / small - is_end), 0.0, 1e-3);
  }
}

class EmbeddedVerner98 : public TableauTest<Verner98Tableau> {};
class EmbeddedDop853 : public TableauTest<Dop853Tableau> {};
class EmbeddedDopri5 : public TableauTest<Dopri5Tableau> {};

TEST_F(EmbeddedVerner98, HasOrderEight) { check_order(Verner98Tableau::embedded[0], 8); }
TEST_F(EmbeddedDopri5, HasOrderFour) { check_order(Dopri5Tableau::embedded[0], 4); }
TEST_F(EmbeddedDop853, HaveOrdersFiveAndThree) {
  check_order(Dop853Tableau::embedded[0], 5);
  check_order(Dop853Tableau::embedded[1], 3);
}

}  // namespace
}  // namespace visviva
