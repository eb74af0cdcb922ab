#include "visviva/numeric/solve_any_rank.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "visviva/numeric/dense.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double positive_pivot = 1e-14;  // of a matrix with ones on its diagonal
constexpr double regular_pivot = 1e-7;    // of the largest: above this, rank is no question
// pivots below this part of the largest are zero
constexpr double open_rank_tolerance = 1e-10;
constexpr double determined_tolerance = 1e-7;  // of a unit null vector's component
constexpr double consistent_tolerance = 1e-8;  // of the residual, against the right-hand side
constexpr double direction_tolerance =
    1e-9;  // as open_rank_tolerance, where columns are not scaled

template <class Line>
void scale(Line line, double* factor) {
  const double largest = line.cwiseAbs().maxCoeff();
  if (!(largest > 0)) return;
  line /= largest;
  *factor /= largest;
}

// A mass matrix: symmetric and positive definite, however different the masses are; then no rank
// is in question. Nothing for other matrices.
std::optional<MatrixXd> solve_positive(const MatrixXd& K, const MatrixXd& rhs) {
  if (rhs.size() == 0 || K.rows() != K.cols() || K != K.transpose()) return {};
  if (!(K.diagonal().minCoeff() > 0)) return {};
  const VectorXd d = K.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<MatrixXd> cholesky(d.asDiagonal() * K * d.asDiagonal());
  if (cholesky.info() != Eigen::Success) return {};
  const double smallest = MatrixXd(cholesky.matrixL()).diagonal().minCoeff();
  if (!(smallest * smallest > positive_pivot)) return {};
  return MatrixXd(d.asDiagonal() * cholesky.solve(d.asDiagonal() * rhs));
}

}  // namespace

AnyRankSystem::AnyRankSystem(MatrixXd K)
    : original_(K),
      scaled_(std::move(K)),
      rows_(VectorXd::Ones(scaled_.rows())),
      columns_(VectorXd::Ones(scaled_.cols())) {
  if (scaled_.size() == 0) return;
  for (int pass = 0; pass < 3; ++pass) {
    for (Index i = 0; i < scaled_.rows(); ++i) scale(scaled_.row(i), &rows_(i));
    for (Index j = 0; j < scaled_.cols(); ++j) scale(scaled_.col(j), &columns_(j));
  }
}

MatrixXd AnyRankSystem::solve(const MatrixXd& rhs) const {
  if (const auto x = solve_positive(original_, rhs)) return *x;
  return columns_.asDiagonal() *
         solve_least_squares(scaled_, rows_.asDiagonal() * rhs, open_rank_tolerance);
}

MatrixXd solve_closest(MatrixXd K, const MatrixXd& rhs) {
  if (const auto x = solve_positive(K, rhs)) return *x;
  return AnyRankSystem(std::move(K)).solve(rhs);
}

bool AnyRankSystem::is_solved_by(const MatrixXd& x, const MatrixXd& rhs,
                                 const MatrixXd& rhs_size) const {
  if (rhs.size() == 0 || scaled_.size() == 0) return true;
  const MatrixXd right = rows_.asDiagonal() * rhs;
  const double size = (rows_.asDiagonal() * rhs_size).norm();
  const MatrixXd left = scaled_ * columns_.cwiseInverse().asDiagonal() * x;
  return (left - right).norm() <= consistent_tolerance * (left.norm() + size) + 1e-300;
}

AnyRankSolution solve_any_rank(MatrixXd matrix, VectorXd rhs) {
  AnyRankSolution result{VectorXd::Zero(matrix.cols()),
                         std::vector<bool>(static_cast<std::size_t>(matrix.cols()), true),
                         MatrixXd(matrix.cols(), 0), true};
  if (matrix.cols() == 0) return result;
  if (const auto x = solve_positive(matrix, rhs)) {
    result.x = *x;
    return result;
  }
  const AnyRankSystem system(std::move(matrix));
  const MatrixXd& K = system.scaled_;
  rhs = system.rows_.cwiseProduct(rhs);
  // Regular systems, by far the most: no rank to decide.
  if (K.rows() == K.cols()) {
    const Eigen::FullPivLU<MatrixXd> lu(K);
    if (std::abs(lu.matrixLU().diagonal()(K.rows() - 1)) > regular_pivot * lu.maxPivot()) {
      result.x = system.columns_.cwiseProduct(lu.solve(rhs));
      return result;
    }
  }
  const VectorXd x = solve_least_squares(K, rhs, open_rank_tolerance);
  const double residual = (K * x - rhs).norm(), size = rhs.norm() + K.norm() * x.norm();
  result.is_consistent = residual <= consistent_tolerance * size;
  result.open = compute_null_space(K, open_rank_tolerance);
  for (Index j = 0; j < K.cols(); ++j) {
    if (result.open.cols() > 0 && result.open.row(j).cwiseAbs().maxCoeff() > determined_tolerance)
      result.is_determined[static_cast<std::size_t>(j)] = false;
  }
  result.open = system.columns_.asDiagonal() * result.open;
  for (Index k = 0; k < result.open.cols(); ++k)
    result.open.col(k) /= result.open.col(k).cwiseAbs().maxCoeff();
  result.x = system.columns_.cwiseProduct(x);
  return result;
}

MatrixXd compute_open_directions(MatrixXd K) {
  const double all = K.size() == 0 ? 0.0 : K.cwiseAbs().maxCoeff();
  for (Index i = 0; i < K.rows() && all > 0; ++i) {
    const double largest = K.row(i).cwiseAbs().maxCoeff();
    if (largest > direction_tolerance * all) K.row(i) /= largest;
  }
  return compute_null_space(K, direction_tolerance);
}

}  // namespace visviva
