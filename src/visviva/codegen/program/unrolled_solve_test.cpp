// Elimination on expressions gives what a numerical solver gives, and touches non-zeros only.
#include "visviva/codegen/program/unrolled_solve.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {
namespace {

// Entries are symbols where `is_there` says so; numbers make M diagonally dominant.
struct Sample {
  template <class Pattern>
  Sample(int size, Pattern is_there) : n(size), M(size, size), f(size) {
    std::mt19937_64 random(static_cast<std::uint64_t>(size));
    std::uniform_real_distribution<double> uniform(-1, 1);
    M.setZero();
    rows.assign(static_cast<std::size_t>(n),
                std::vector<Expr>(static_cast<std::size_t>(n), pool.zero()));
    const auto add = [&](const std::string& name, double value) {
      symbols.push_back(pool.symbol(name));
      values.push_back(value);
      return symbols.back();
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        if (i != j && !is_there(i, j)) continue;
        M(i, j) = M(j, i) = i == j ? n + uniform(random) : uniform(random);
        const Expr e = add("m" + std::to_string(i) + "_" + std::to_string(j), M(i, j));
        rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = e;
        rows[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = e;
      }
      f(i) = uniform(random);
      right.push_back(add("f" + std::to_string(i), f(i)));
    }
  }

  void check() const {
    const auto found = solve_unrolled(rows, right);
    ASSERT_TRUE(found);
    const std::vector<double> x = Evaluator(symbols, found->x)(values);
    const Eigen::VectorXd expected = M.ldlt().solve(f);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(x[static_cast<std::size_t>(i)], expected(i), 1e-14);
    // Their product is the determinant.
    double product = 1;
    for (const double d : Evaluator(symbols, found->pivots)(values)) product *= d;
    const Eigen::MatrixXd L = M.llt().matrixL();
    const double root = L.diagonal().prod();
    EXPECT_NEAR(product / (root * root), 1.0, 1e-13);
  }

  int n;
  Eigen::MatrixXd M;
  Eigen::VectorXd f;
  ExprPool pool;
  std::vector<Expr> symbols, right;
  std::vector<double> values;
  std::vector<std::vector<Expr>> rows;
};

TEST(UnrolledSolve, agrees_with_a_numerical_solver) {
  for (const int n : {1, 2, 3, 5, 8}) {
    Sample(n, [](int, int) { return true; }).check();
    Sample(n, [](int i, int j) { return (i * 7 + j * 3) % 4 == 0; }).check();
    Sample(n, [](int, int) { return false; }).check();
  }
}

TEST(UnrolledSolve, a_tree_numbered_from_its_base_fills_nothing_in) {
  // One base, many branches: all are coupled with the base alone. First to last, the base would
  // couple everything.
  const Sample star(40, [](int, int j) { return j == 0; });
  star.check();
  EXPECT_LT(count_solve_operations(star.rows), 40u * 8u);
  // Numbered the other way round it costs the same.
  const Sample reversed(40, [](int i, int) { return i == 39; });
  EXPECT_EQ(count_solve_operations(reversed.rows), count_solve_operations(star.rows));
}

TEST(UnrolledSolve, a_direction_without_inertia_is_refused) {
  ExprPool pool;
  const Expr a = pool.symbol("a"), o = pool.zero();
  EXPECT_FALSE(solve_unrolled({{a, o}, {o, o}}, {a, a}));
  // a - a^2/a = 0 shows only during elimination.
  EXPECT_FALSE(solve_unrolled({{a, a}, {a, a}}, {a, a}));
  EXPECT_TRUE(solve_unrolled({}, {})->x.empty());
}

}  // namespace
}  // namespace visviva
