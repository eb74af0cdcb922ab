#include "visviva/kinematics/linear_solve.h"

#include <Eigen/Dense>
#include <cmath>

#include "visviva/numeric/dense.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

using Rows = std::vector<std::vector<Expr>>;

// The determinant of the matrix without one row and one column (or whole, for a skip beyond its
// size); size <= 3.
Expr minor(const Rows& m, std::size_t skip_row, std::size_t skip_column) {
  std::vector<std::vector<Expr>> s;
  for (std::size_t i = 0; i < m.size(); ++i) {
    if (i == skip_row) continue;
    s.emplace_back();
    for (std::size_t j = 0; j < m.size(); ++j) {
      if (j != skip_column) s.back().push_back(m[i][j]);
    }
  }
  if (s.empty()) return m[0][0].pool().one();
  if (s.size() == 1) return s[0][0];
  if (s.size() == 2) return s[0][0] * s[1][1] - s[0][1] * s[1][0];
  return s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1]) -
         s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) +
         s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
}

std::optional<Rows> invert_by_cofactors(const Rows& m) {
  const std::size_t n = m.size();
  const Expr det = minor(m, n, n);
  if (det.is_zero()) return std::nullopt;
  Rows inverse(n, std::vector<Expr>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const Expr c = minor(m, j, i);
      inverse[i][j] = ((i + j) % 2 == 0 ? c : -c) / det;
    }
  }
  return inverse;
}

// How good a pivot is: numbers first, then what is largest at the start.
double pivot_quality(const Expr& e, double value) {
  if (e.is_zero()) return -1.0;
  if (e.is_constant()) return 1e30;
  return std::isfinite(value) ? std::fabs(value) : 0.0;
}

std::optional<Rows> invert_by_elimination(Rows m, std::vector<std::vector<double>> values) {
  const std::size_t n = m.size();
  ExprPool& pool = m[0][0].pool();
  Rows inverse(n, std::vector<Expr>(n, pool.zero()));
  for (std::size_t i = 0; i < n; ++i) inverse[i][i] = pool.one();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < n; ++i) {
      if (pivot_quality(m[i][k], values[i][k]) > pivot_quality(m[best][k], values[best][k]))
        best = i;
    }
    if (m[best][k].is_zero()) return std::nullopt;
    std::swap(m[k], m[best]);
    std::swap(values[k], values[best]);
    std::swap(inverse[k], inverse[best]);
    const Expr pivot = m[k][k];
    for (std::size_t j = 0; j < n; ++j) {
      m[k][j] /= pivot;
      inverse[k][j] /= pivot;
    }
    const double number = values[k][k];
    for (double& v : values[k]) v /= number;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || m[i][k].is_zero()) continue;
      const Expr f = m[i][k];
      const double g = values[i][k];
      for (std::size_t j = 0; j < n; ++j) {
        m[i][j] -= f * m[k][j];
        inverse[i][j] -= f * inverse[k][j];
        values[i][j] -= g * values[k][j];
      }
    }
  }
  return inverse;
}

}  // namespace

std::optional<Rows> invert(const Rows& matrix, const std::vector<std::vector<double>>& values) {
  return matrix.size() <= 3 ? invert_by_cofactors(matrix) : invert_by_elimination(matrix, values);
}

Expr determinant(const Rows& matrix, const std::vector<std::vector<double>>& values) {
  const std::size_t n = matrix.size();
  if (n <= 3) return minor(matrix, n, n);
  Rows m = matrix;
  std::vector<std::vector<double>> v = values;
  Expr product = m[0][0].pool().one();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < n; ++i) {
      if (pivot_quality(m[i][k], v[i][k]) > pivot_quality(m[best][k], v[best][k])) best = i;
    }
    if (m[best][k].is_zero()) return m[best][k];
    if (best != k) product = -product;
    std::swap(m[k], m[best]);
    std::swap(v[k], v[best]);
    product *= m[k][k];
    for (std::size_t i = k + 1; i < n; ++i) {
      if (m[i][k].is_zero()) continue;
      const Expr factor = m[i][k] / m[k][k];
      const double number = v[i][k] / v[k][k];
      for (std::size_t j = k; j < n; ++j) {
        m[i][j] -= factor * m[k][j];
        v[i][j] -= number * v[k][j];
      }
    }
  }
  return product;
}

bool is_singular(const std::vector<std::vector<double>>& values) {
  const auto n = static_cast<Eigen::Index>(values.size());
  Eigen::MatrixXd m(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j)
      m(i, j) = values[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  if (!m.allFinite()) return true;
  // Rows may carry different units: scale each to its largest entry first.
  for (Eigen::Index i = 0; i < n; ++i) {
    const double largest = m.row(i).cwiseAbs().maxCoeff();
    if (largest == 0.0) return true;
    m.row(i) /= largest;
  }
  const Eigen::VectorXd sizes = compute_singular_values(m);
  return sizes(n - 1) < 1e-12 * sizes(0);
}

}  // namespace visviva
