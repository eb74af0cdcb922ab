#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

#include "visviva/numeric/dense.h"

namespace visviva {

SymmetricEigen compute_symmetric_eigen(const Eigen::MatrixXd& symmetric) {
  if (symmetric.size() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

// A factorization without a breakdown proves A - shift to be positive definite up to (n + 1) eps trace(A), twice the bound of
// Rump, Verification of positive definiteness, BIT 46 (2006), 433-452; NaN fails it.
bool is_surely_above(const Eigen::MatrixXd& symmetric, double least) {
  const Eigen::Index n = symmetric.rows();
  if (n == 0) return true;
  const double rounding =
      2.0 * static_cast<double>(n + 1) * std::numeric_limits<double>::epsilon() * symmetric.trace();
  const double shift = std::max(least, 0.0) + rounding;
  const Eigen::LLT<Eigen::MatrixXd> factors(symmetric - shift * Eigen::MatrixXd::Identity(n, n));
  return factors.info() == Eigen::Success && factors.matrixLLT().diagonal().minCoeff() > 0.0;
}

}  // namespace visviva
