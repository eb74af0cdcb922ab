#include <Eigen/SVD>

#include "visviva/numeric/dense.h"

namespace visviva {

Eigen::VectorXd compute_singular_values(const Eigen::MatrixXd& K) {
  if (K.size() == 0) return {};
  return Eigen::JacobiSVD<Eigen::MatrixXd>(K).singularValues();
}

}  // namespace visviva
