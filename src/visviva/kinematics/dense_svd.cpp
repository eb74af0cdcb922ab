#include <Eigen/SVD>

#include "visviva/kinematics/dense.h"

namespace visviva {

Eigen::VectorXd compute_singular_values(const Eigen::MatrixXd& K) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(K).singularValues();
}

}  // namespace visviva
