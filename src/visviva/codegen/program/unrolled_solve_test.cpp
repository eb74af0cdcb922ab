// Elimination on expressions gives what a numerical solver gives, and touches non-zeros only.
#include "visviva/codegen/program/unrolled_solve.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
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

// | M  -A'; A  0 | (x, λ) = (f, b)
TEST(UnrolledSolve, with_rows_agrees_with_a_numerical_solver) {
  for (const int n : {2, 4, 9}) {
    const Sample sample(n, [](int i, int j) { return (i * 7 + j * 3) % 4 == 0; });
    const int m = n / 2;
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = sample.M;
    Eigen::VectorXd right(n + m);
    right.head(n) = sample.f;
    std::vector<std::vector<Expr>> A(static_cast<std::size_t>(m));
    std::vector<Expr> b;
    ExprPool& pool = const_cast<ExprPool&>(sample.pool);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        const double a = (i + j) % 3 == 0 ? 0.0 : std::sin(1.0 + 3 * i + j * j);
        K(n + i, j) = a;
        K(j, n + i) = -a;
        A[static_cast<std::size_t>(i)].push_back(pool.number(a));
      }
      right(n + i) = 0.5 - i;
      b.push_back(pool.number(0.5 - i));
    }
    const auto found = solve_unrolled(sample.rows, sample.right, A, b);
    ASSERT_TRUE(found);
    const Eigen::VectorXd expected = K.fullPivLu().solve(right);
    std::vector<Expr> all = found->x;
    all.insert(all.end(), found->multipliers.begin(), found->multipliers.end());
    const std::vector<double> x = Evaluator(sample.symbols, all)(sample.values);
    for (int i = 0; i < n + m; ++i) EXPECT_NEAR(x[static_cast<std::size_t>(i)], expected(i), 1e-11);
  }
}

TEST(UnrolledSolve, a_row_that_is_there_twice_is_refused) {
  ExprPool pool;
  const Expr a = pool.symbol("a"), o = pool.zero(), one = pool.number(1.0);
  EXPECT_TRUE(solve_unrolled({{a, o}, {o, a}}, {a, a}, {{one, a}}, {a}));
  EXPECT_FALSE(solve_unrolled({{a, o}, {o, a}}, {a, a}, {{one, a}, {a, a * a}}, {a, a * a}));
}

// Bodies each with a coordinate of its own, joined one to the next: what is filled in does not grow.
TEST(UnrolledSolve, a_chain_of_rows_costs_in_proportion_to_its_length) {
  ExprPool pool;
  const auto count = [&](std::size_t n) {
    const Expr a = pool.symbol("a");
    std::vector<std::vector<Expr>> M(n, std::vector<Expr>(n, pool.zero())), A;
    for (std::size_t i = 0; i < n; ++i) M[i][i] = a;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      A.emplace_back(n, pool.zero());
      A[i][i] = A[i][i + 1] = a;
    }
    return count_solve_operations(M, A);
  };
  EXPECT_LT(count(80), 2 * count(40) + 40);
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
