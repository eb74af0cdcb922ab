#include "visviva/equations/small_motion/modes.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "visviva/numeric/dense.h"

namespace visviva {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double mode_rounding = 64 * std::numeric_limits<double>::epsilon();
constexpr double part_rounding = 1e-13;  // of the real part against the imaginary one, and back
constexpr double balance_rounding =
    1e-11;  // of an entry, against the largest in its row: slopes of
            // a fast motion are differences of large terms

// States that act on each other, in groups: a matrix in block triangular form has the eigenvalues
// of its blocks, and what nothing depends on adds exact zeros instead of roots of rounding errors.
std::vector<std::vector<Index>> find_blocks(const MatrixXd& a) {
  const Index n = a.rows();
  const double zero =
      std::numeric_limits<double>::epsilon() * (n == 0 ? 0.0 : a.cwiseAbs().maxCoeff());
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> reaches = (a.array().abs() > zero).matrix();
  for (Index k = 0; k < n; ++k) {
    for (Index i = 0; i < n; ++i) {
      if (reaches(i, k)) reaches.row(i) = reaches.row(i).cwiseMax(reaches.row(k));
    }
  }
  std::vector<std::vector<Index>> blocks;
  std::vector<bool> is_taken(n, false);
  for (Index i = 0; i < n; ++i) {
    if (is_taken[i]) continue;
    std::vector<Index> block;
    for (Index j = i; j < n; ++j) {
      if (is_taken[j] || (j != i && !(reaches(i, j) && reaches(j, i)))) continue;
      block.push_back(j);
      is_taken[j] = true;
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

void sort_eigenvalues(std::vector<Complex>* values) {
  const double grain =
      1e-9 * std::max(1e-300, std::abs(*std::max_element(
                                  values->begin(), values->end(),
                                  [](Complex a, Complex b) { return std::abs(a) < std::abs(b); })));
  const auto key = [grain](Complex v) {
    return std::tuple(-std::round(v.real() / grain), std::round(std::abs(v.imag()) / grain),
                      -v.imag());
  };
  std::sort(values->begin(), values->end(), [&](Complex a, Complex b) { return key(a) < key(b); });
}

std::vector<Complex> compute_block_eigenvalues(const MatrixXd& balanced) {
  std::vector<Complex> values;
  for (const std::vector<Index>& block : find_blocks(balanced)) {
    MatrixXd part(block.size(), block.size());
    for (std::size_t i = 0; i < block.size(); ++i) {
      for (std::size_t j = 0; j < block.size(); ++j) part(i, j) = balanced(block[i], block[j]);
    }
    if (block.size() == 1) {
      values.emplace_back(part(0, 0), 0.0);
      continue;
    }
    const Eigen::VectorXcd own = compute_eigenvalues(part);
    values.insert(values.end(), own.begin(), own.end());
  }
  if (!values.empty()) sort_eigenvalues(&values);
  return values;
}

Mode make_mode(Complex eigenvalue, Eigen::VectorXcd shape, double tolerance) {
  Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  shape /= shape(largest);
  for (Complex& x : shape) {
    if (std::abs(x.real()) <= part_rounding * std::abs(x.imag())) x.real(0);
    if (std::abs(x.imag()) <= part_rounding * std::abs(x.real())) x.imag(0);
  }
  Mode mode{.eigenvalue = eigenvalue, .shape = {shape.data(), shape.data() + shape.size()}};
  if (!(eigenvalue.imag() > tolerance)) return mode;
  mode.is_oscillatory = true;
  mode.frequency = eigenvalue.imag();
  mode.frequency_hz = mode.frequency / (2 * M_PI);
  mode.natural_frequency = std::abs(eigenvalue);
  mode.damping_ratio = -eigenvalue.real() / mode.natural_frequency;
  return mode;
}

// (1); equal eigenvalues share the null space of A - λ.
std::vector<Mode> find_modes(const MatrixXd& balanced, const VectorXd& d,
                             const std::vector<Complex>& values) {
  std::vector<Mode> modes;
  const double tolerance = axis_tolerance(values);
  std::vector<bool> is_done(values.size(), false);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_done[i] || values[i].imag() < -tolerance) continue;
    std::vector<std::size_t> group;
    Complex mean = 0;
    for (std::size_t j = i; j < values.size(); ++j) {
      if (is_done[j] || !(std::abs(values[j] - values[i]) <= tolerance)) continue;
      is_done[j] = true;
      group.push_back(j);
      mean += values[j];
    }
    mean /= static_cast<double>(group.size());
    const MatrixXcd shifted =
        balanced - mean * MatrixXcd::Identity(balanced.rows(), balanced.cols());
    if (group.size() == 1) {
      modes.push_back(
          make_mode(values[i], d.asDiagonal() * compute_weakest_direction(shifted), tolerance));
      continue;
    }
    const ComplexDirections directions = compute_complex_directions(shifted);
    const double zero = tolerance + mode_rounding * directions.sizes(0);
    for (std::size_t k = 0; k < group.size(); ++k) {
      const Index column = balanced.cols() - 1 - k;
      if (k > 0 && directions.sizes(column) > zero) break;
      modes.push_back(
          make_mode(values[group[k]], d.asDiagonal() * directions.columns.col(column), tolerance));
    }
  }
  return modes;
}

// Balances what stands above the rounding errors of its row: balanced with the rest, an error beside
// an exact zero would grow to its root, and rows that depend on each other would not look it.
VectorXd balance_above_rounding(MatrixXd* a) {
  MatrixXd kept = *a;
  for (Index i = 0; i < kept.rows(); ++i) {
    const double noise = balance_rounding * kept.row(i).cwiseAbs().maxCoeff();
    for (Index j = 0; j < kept.cols(); ++j) {
      if (std::abs(kept(i, j)) <= noise) kept(i, j) = 0;
    }
  }
  const VectorXd d = balance_matrix(&kept);
  *a = d.cwiseInverse().asDiagonal() * *a * d.asDiagonal();
  return d;
}

}  // namespace

// d_i^-1 a_ij d_j
VectorXd balance_matrix(MatrixXd* a) {
  VectorXd d = VectorXd::Ones(a->rows());
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < a->rows(); ++i) {
      const double own = std::abs((*a)(i, i));
      const double column = a->col(i).cwiseAbs().sum() - own,
                   row = a->row(i).cwiseAbs().sum() - own;
      if (!(column > 0) || !(row > 0)) continue;
      const double f = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (!(column * f + row / f < 0.95 * (column + row))) continue;
      a->col(i) *= f;
      a->row(i) /= f;
      d(i) *= f;
      changed = true;
    }
  }
  return d;
}

double axis_tolerance(const std::vector<Complex>& eigenvalues) {
  double largest = 0;
  for (const Complex& v : eigenvalues) largest = std::max(largest, std::abs(v));
  return 1e-7 * largest;
}

std::vector<std::vector<double>> list_rows(const MatrixXd& m) {
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(m.rows()));
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j) rows[static_cast<std::size_t>(i)].push_back(m(i, j));
  }
  return rows;
}

Modes compute_modes(const std::vector<std::vector<double>>& A) {
  const Index n = A.size();
  MatrixXd a(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) a(i, j) = A[i][j];
  }
  const VectorXd d = balance_above_rounding(&a);
  Modes result;
  result.eigenvalues = compute_block_eigenvalues(a);
  result.modes = find_modes(a, d, result.eigenvalues);
  return result;
}

}  // namespace visviva
