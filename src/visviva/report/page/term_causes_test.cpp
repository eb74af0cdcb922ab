#include "visviva/report/page/term_causes.h"

#include <gtest/gtest.h>

#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

using Lists = std::vector<std::vector<int>>;

class TermCauses : public testing::Test {
 protected:
  ExprPool pool;
  Expr m1 = pool.symbol("m1"), m2 = pool.symbol("m2"), g = pool.symbol("g"), k = pool.symbol("k"),
       q = pool.symbol("q");
};

TEST_F(TermCauses, a_term_belongs_to_the_contribution_that_holds_it) {
  const Expr weight = -m1 * g * sin(q), spring = -k * q;
  EXPECT_EQ(find_term_causes({{4, {{weight}}}, {7, {{spring}}}}, {spring, weight}),
            (Lists{{7}, {4}}));
}

TEST_F(TermCauses, a_collected_term_belongs_to_all_that_it_collects) {
  const Expr a = m1 * g * sin(q), b = m2 * g * sin(q), c = k * q;
  EXPECT_EQ(find_term_causes({{0, {{a}}}, {1, {{b}}}, {2, {{c}}}}, {(m1 + m2) * g * sin(q), c}),
            (Lists{{0, 1}, {2}}));
}

TEST_F(TermCauses, like_terms_of_two_contributions_belong_to_both) {
  EXPECT_EQ(find_term_causes({{0, {{m1 * g}}}, {1, {{2 * m1 * g + k * q}}}}, {3 * m1 * g, k * q}),
            (Lists{{0, 1}, {1}}));
}

// m1 sin^2 of one and m1 cos^2 of the other make m1, which a third has as well.
TEST_F(TermCauses, a_term_that_an_identity_made_belongs_to_all) {
  const Expr s = m1 * sin(q) * sin(q), c = m1 * cos(q) * cos(q);
  EXPECT_EQ(find_term_causes({{0, {{s}}}, {1, {{c}}}, {2, {{m1}}}}, {2 * m1}), (Lists{{0, 1, 2}}));
}

// The same identity beside a spring: k is not in the term, so that the spring did not bring it.
TEST_F(TermCauses, a_term_that_an_identity_made_belongs_to_none_with_a_symbol_that_it_lacks) {
  const Expr s = m1 * sin(q) * sin(q), c = m1 * cos(q) * cos(q);
  EXPECT_EQ(find_term_causes({{0, {{s}}}, {1, {{c}}}, {2, {{-k * q}}}}, {m1, -k * q}),
            (Lists{{0, 1}, {2}}));
}

TEST_F(TermCauses, what_cancels_leaves_the_rest_to_its_own_cause) {
  EXPECT_EQ(find_term_causes({{0, {{m1 * g}}}, {1, {{k * q - m1 * g}}}}, {k * q}), (Lists{{1}}));
}

TEST_F(TermCauses, a_zero_contribution_causes_nothing) {
  EXPECT_EQ(find_term_causes({{0, {{pool.zero()}}}, {1, {{k * q}}}}, {k * q}), (Lists{{1}}));
}

}  // namespace
}  // namespace visviva
