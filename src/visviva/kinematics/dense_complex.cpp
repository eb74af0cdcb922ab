#include <Eigen/SVD>

#include "visviva/kinematics/dense.h"

namespace visviva {

ComplexDirections compute_complex_directions(const Eigen::MatrixXcd& matrix) {
  const Eigen::JacobiSVD<Eigen::MatrixXcd> svd(matrix, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

}  // namespace visviva
