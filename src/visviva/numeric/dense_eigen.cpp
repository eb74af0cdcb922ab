#include <Eigen/Eigenvalues>

#include "visviva/numeric/dense.h"

namespace visviva {

Eigen::VectorXcd compute_eigenvalues(const Eigen::MatrixXd& matrix) {
  if (matrix.size() == 0) return {};
  return Eigen::EigenSolver<Eigen::MatrixXd>(matrix, false).eigenvalues();
}

}  // namespace visviva
