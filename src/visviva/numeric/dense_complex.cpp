#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

#include "visviva/numeric/dense.h"

namespace visviva {

ComplexDirections compute_complex_directions(const Eigen::MatrixXcd& matrix) {
  if (matrix.size() == 0) return {{}, Eigen::MatrixXcd::Identity(matrix.cols(), matrix.cols())};
  const Eigen::JacobiSVD<Eigen::MatrixXcd> svd(matrix, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

Eigen::VectorXcd compute_weakest_direction(const Eigen::MatrixXcd& matrix) {
  constexpr int most_rounds = 8;
  constexpr double settled = 1e-13;
  const Eigen::Index n = matrix.rows();
  const auto by_decomposition = [&]() -> Eigen::VectorXcd {
    return compute_complex_directions(matrix).columns.col(n - 1);
  };
  if (n < 8) return by_decomposition();
  const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(matrix), adjoint(matrix.adjoint());
  Eigen::VectorXcd x(n);
  for (Eigen::Index i = 0; i < n; ++i)
    x(i) = 1 + std::fmod(0.618 * static_cast<double>(i), 1.0);  // stays real where the matrix is
  x.normalize();
  for (int round = 0; round < most_rounds; ++round) {
    Eigen::VectorXcd next = adjoint.solve(x);
    next = lu.solve(next.normalized());
    if (!next.allFinite() || !(next.norm() > 0)) break;
    next.normalize();
    const std::complex<double> along = x.dot(next);
    const bool is_settled = (next - along * x).norm() <= settled;
    x = next;
    if (is_settled) return x;
  }
  return by_decomposition();
}

}  // namespace visviva
