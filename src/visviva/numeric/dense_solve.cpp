#include <Eigen/QR>

#include "visviva/numeric/dense.h"

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Decomposition = Eigen::CompleteOrthogonalDecomposition<MatrixXd>;

Decomposition decompose(const MatrixXd& K, double threshold) {
  Decomposition result;
  if (threshold > 0) result.setThreshold(threshold);
  result.compute(K);
  return result;
}

}  // namespace

MatrixXd solve_least_squares(const MatrixXd& K, const MatrixXd& rhs, double threshold) {
  if (K.size() == 0 || rhs.size() == 0) return MatrixXd::Zero(K.cols(), rhs.cols());
  return decompose(K, threshold).solve(rhs);
}

MatrixXd compute_null_space(const MatrixXd& K, double threshold) {
  if (K.size() == 0) return MatrixXd::Identity(K.cols(), K.cols());
  // What is orthogonal to the columns of K'.
  const Decomposition rows = decompose(K.transpose(), threshold);
  const MatrixXd Q = rows.householderQ();
  return Q.rightCols(K.cols() - rows.rank());
}

Eigen::Index compute_rank(const MatrixXd& K, double threshold) {
  return K.size() == 0 ? 0 : decompose(K, threshold).rank();
}

}  // namespace visviva
