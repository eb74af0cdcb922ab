#include "visviva/equations/methods/quadratic_form.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

// Two vectors v, d that are turned, what they become, and a variable beside them; full of symbols.
struct Turned {
  explicit Turned(std::size_t axis) : pool(std::make_shared<ExprPool>()), form(*pool) {
    for (int k = 0; k < 13; ++k) form.add_variable(true);
    for (int x : {0, 1, 2, 3, 4, 5, 12}) {
      form.add_linear(x, symbol("w" + std::to_string(x)));
      for (int y : {0, 1, 2, 3, 4, 5, 12})
        if (x <= y) form.add(x, y, symbol("h" + std::to_string(x) + "_" + std::to_string(y)));
    }
    const Expr q = symbol("q");
    R = identity_matrix(*pool);
    const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    R[i][i] = R[j][j] = cos(q);
    R[i][j] = sin(q);
    R[j][i] = -sin(q);
  }
  Expr symbol(const std::string& name) { return pool->symbol(name); }

  std::shared_ptr<ExprPool> pool;
  QuadraticForm form;
  Matrix3 R;
};

// By half (2), and by T (1) one vector after the other.
TEST(QuadraticForm, a_turn_by_half_is_the_turn) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Turned half(axis);
    const auto turn = find_axis_turn(half.R);
    ASSERT_TRUE(turn.has_value());
    QuadraticForm whole = half.form;
    half.form.turn({{0, 6}, {3, 9}}, *turn);
    for (int v : {0, 3}) {
      std::map<int, Column3> columns;
      for (int x = 0; x < 3; ++x) {
        Column3 column;
        for (std::size_t i = 0; i < 3; ++i) column[i] = half.R[i][static_cast<std::size_t>(x)];
        columns.emplace(v + 6 + x, column);
      }
      whole.replace(v, columns);
    }
    for (int x = 6; x < 13; ++x) {
      EXPECT_EQ(half.form.linear(x), whole.linear(x));
      for (int y = 0; y < 13; ++y) EXPECT_EQ(half.form.entry(x, y), whole.entry(x, y)) << x << y;
    }
  }
}

TEST(QuadraticForm, what_is_no_turn_about_an_axis_is_none) {
  Turned t(2);
  t.R[0][0] = t.R[1][1] = t.symbol("c");
  EXPECT_FALSE(find_axis_turn(t.R).has_value());
  EXPECT_FALSE(is_signed_permutation(t.R));
  EXPECT_TRUE(is_signed_permutation(identity_matrix(*t.pool)));
}

}  // namespace
}  // namespace visviva
