#include "visviva/equations/open_solve.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "visviva/kinematics/dense.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double regular_pivot = 1e-7;  // of the largest: above this, rank is no question
// singular values below this part of the largest are zero
constexpr double rank_tolerance = 1e-10;
constexpr double determined_tolerance = 1e-7;  // of a unit null vector's component
constexpr double consistent_tolerance = 1e-8;  // of the residual, against the right-hand side

// Rows and columns scaled so that their largest entries are about 1: speeds and multipliers carry
// different units.
void equilibrate(MatrixXd* K, VectorXd* rhs, VectorXd* columns) {
  columns->setOnes(K->cols());
  for (int pass = 0; pass < 3; ++pass) {
    for (Index i = 0; i < K->rows(); ++i) {
      const double largest = K->row(i).cwiseAbs().maxCoeff();
      if (!(largest > 0)) continue;
      K->row(i) /= largest;
      (*rhs)(i) /= largest;
    }
    for (Index j = 0; j < K->cols(); ++j) {
      const double largest = K->col(j).cwiseAbs().maxCoeff();
      if (!(largest > 0)) continue;
      K->col(j) /= largest;
      (*columns)(j) /= largest;
    }
  }
}

}  // namespace

OpenSolution solve_openly(MatrixXd K, VectorXd rhs) {
  OpenSolution result{VectorXd::Zero(K.cols()),
                      std::vector<bool>(static_cast<std::size_t>(K.cols()), true), true};
  if (K.cols() == 0) return result;
  VectorXd columns;
  equilibrate(&K, &rhs, &columns);
  // Regular systems, by far the most: no rank to decide.
  const Eigen::FullPivLU<MatrixXd> lu(K);
  const double smallest = std::abs(lu.matrixLU().diagonal()(std::min(K.rows(), K.cols()) - 1));
  if (K.rows() == K.cols() && smallest > regular_pivot * lu.maxPivot()) {
    result.x = columns.cwiseProduct(lu.solve(rhs));
    return result;
  }
  const VectorXd x = solve_least_squares(K, rhs, rank_tolerance);
  const double residual = (K * x - rhs).norm(), size = rhs.norm() + K.norm() * x.norm();
  result.is_consistent = residual <= consistent_tolerance * size;
  const MatrixXd open = compute_null_space(K, rank_tolerance);
  for (Index j = 0; j < K.cols(); ++j) {
    if (open.cols() > 0 && open.row(j).cwiseAbs().maxCoeff() > determined_tolerance)
      result.is_determined[static_cast<std::size_t>(j)] = false;
  }
  result.x = columns.cwiseProduct(x);
  return result;
}

}  // namespace visviva
