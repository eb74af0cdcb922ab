#include "visviva/numeric/product.h"

namespace visviva {

using Eigen::MatrixXd;

MatrixXd product(const MatrixView& A, const MatrixView& B) { return A * B; }

MatrixXd product_of_sizes(const MatrixView& A, const MatrixView& B) {
  const MatrixXd left = A.cwiseAbs(), right = B.cwiseAbs();
  return product(left, right);
}

MatrixXd congruence(const MatrixView& M, const MatrixView& T) {
  const MatrixXd transposed = T.transpose();
  return product(product(transposed, M), T);
}

}  // namespace visviva
