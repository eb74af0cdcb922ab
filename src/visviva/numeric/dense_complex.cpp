#include <Eigen/SVD>

#include "visviva/numeric/dense.h"

namespace visviva {

ComplexDirections compute_complex_directions(const Eigen::MatrixXcd& matrix) {
  if (matrix.size() == 0) return {{}, Eigen::MatrixXcd::Identity(matrix.cols(), matrix.cols())};
  const Eigen::JacobiSVD<Eigen::MatrixXcd> svd(matrix, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

}  // namespace visviva
