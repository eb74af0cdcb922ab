#include <Eigen/Eigenvalues>

#include "visviva/numeric/dense.h"

namespace visviva {

SymmetricEigen compute_symmetric_eigen(const Eigen::MatrixXd& symmetric) {
  if (symmetric.size() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace visviva
