#include "visviva/numeric/transport_solver.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/numeric/choose_columns.h"
#include "visviva/numeric/solve_any_rank.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Of rows scaled to 1: a smaller pivot costs half of the digits, and other speeds are tried first.
constexpr double good_pivot = 1e-6;
constexpr double zero_pivot = 1e-9;
constexpr double regular_chosen_pivot = 1e-6;  // of the largest: above this, rank is no question
constexpr int few = 12;                        // rows that are solved without allocation
// Of the terms of a row: redundant rows agree as well as the configuration satisfies them.
constexpr double consistency = 1e-6;
constexpr double transport_rounding_level =
    1e-13;  // of the largest terms of all rows: smaller is zero

// A_d x = -rhs. Regular systems, by far the most, need no question of rank.
VectorXd solve_chosen(const MatrixXd& A_d, const VectorXd& rhs) {
  if (A_d.cols() == 0) return {};
  if (A_d.rows() == A_d.cols() && A_d.rows() <= few) {
    using Few = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, few, few>;
    const Eigen::PartialPivLU<Few> lu{Few(A_d)};
    const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
    if (pivots.minCoeff() > regular_chosen_pivot * pivots.maxCoeff()) return lu.solve(-rhs);
  }
  return AnyRankSystem(A_d).solve(MatrixXd(-rhs));
}

// x with A_d x = -rhs, the other entries zero; NaN when there is none. Differences below `noise`
// count as zero.
VectorXd solve_dependent(const TransportSolver::Rows& rows, const VectorXd& rhs, double noise) {
  const std::vector<int>& dependent = rows.dependent;
  MatrixXd A_d(rows.A.rows(), static_cast<Index>(dependent.size()));
  for (std::size_t d = 0; d < dependent.size(); ++d)
    A_d.col(static_cast<Index>(d)) = rows.A.col(dependent[d]);
  const VectorXd x_d = solve_chosen(A_d, rhs);
  const VectorXd defect = A_d * x_d + rhs;
  const VectorXd size = A_d.cwiseAbs() * x_d.cwiseAbs() + rhs.cwiseAbs();
  for (Index i = 0; i < defect.size(); ++i) {
    if (!(std::abs(defect(i)) <= consistency * size(i) + noise / rows.scale(i)))
      return VectorXd::Constant(rows.A.cols(), std::numeric_limits<double>::quiet_NaN());
  }
  VectorXd x = VectorXd::Zero(rows.A.cols());
  for (std::size_t d = 0; d < dependent.size(); ++d) x(dependent[d]) = x_d(static_cast<Index>(d));
  return x;
}

// Scales each row to 1, and rows that are rounding alone to 0, for scaling must not bring them to life.
// Returns what the rows were divided by.
VectorXd scale_rows(MatrixXd* A) {
  VectorXd scale = VectorXd::Ones(A->rows());
  const double largest = A->cwiseAbs().maxCoeff();
  for (Index i = 0; i < A->rows(); ++i) {
    const double size = A->row(i).cwiseAbs().maxCoeff();
    if (size > transport_rounding_level * largest)
      scale(i) = size;
    else
      A->row(i).setZero();
  }
  *A = scale.cwiseInverse().asDiagonal() * *A;
  return scale;
}

struct Pivots {
  std::vector<int> columns;
  double last = 0.0;
};

// At most `count` columns: the one that is farthest from those before, again and again, as in a QR
// decomposition with pivoting; a pivot is that distance.
Pivots find_pivots(MatrixXd A, std::size_t count) {
  Pivots pivots;
  while (pivots.columns.size() < count) {
    Index column = 0;
    const double size = A.colwise().norm().maxCoeff(&column);
    if (!(size > zero_pivot)) break;
    pivots.columns.push_back(static_cast<int>(column));
    pivots.last = size;
    const VectorXd direction = A.col(column) / size;
    A -= direction * (direction.transpose() * A).eval();
    A.col(column).setZero();
  }
  return pivots;
}

}  // namespace

TransportSolver::Rows TransportSolver::choose(MatrixXd A, VectorXd c,
                                              const std::vector<int>& wanted) const {
  Rows rows{std::move(A), std::move(c), {}};
  rows.scale.setOnes(rows.A.rows());
  rows.is_finite = rows.A.allFinite() && rows.c.allFinite();
  if (!rows.is_finite || rows.A.size() == 0) return rows;
  rows.A_size = rows.A.cwiseAbs().maxCoeff();
  rows.c_size = rows.c.cwiseAbs().maxCoeff();
  rows.scale = scale_rows(&rows.A);
  rows.c = rows.c.cwiseQuotient(rows.scale);
  std::vector<int> candidates = wanted;
  for (const int r : order_) {
    if (std::find(wanted.begin(), wanted.end(), r) == wanted.end()) candidates.push_back(r);
  }
  // No more than at the start: what rounding adds to redundant rows determines nothing.
  for (const ChosenColumn& column :
       choose_columns(rows.A, candidates, {good_pivot, zero_pivot}, dependent_.size()))
    rows.dependent.push_back(column.column);
  std::sort(rows.dependent.begin(), rows.dependent.end());
  return rows;
}

std::vector<int> TransportSolver::choose_best(MatrixXd A) const {
  if (A.size() == 0 || !A.allFinite()) return dependent_;
  scale_rows(&A);
  std::vector<int> best = find_pivots(A, dependent_.size()).columns;
  std::sort(best.begin(), best.end());
  return best;
}

double TransportSolver::compute_quality(MatrixXd A, const std::vector<int>& dependent) const {
  if (A.size() == 0 || dependent.empty() || !A.allFinite()) return 1.0;
  scale_rows(&A);
  MatrixXd A_d(A.rows(), static_cast<Index>(dependent.size()));
  for (std::size_t d = 0; d < dependent.size(); ++d)
    A_d.col(static_cast<Index>(d)) = A.col(dependent[d]);
  const Pivots best = find_pivots(A, dependent.size());
  const Pivots chosen = find_pivots(A_d, best.columns.size());
  if (chosen.columns.size() < best.columns.size()) return 0.0;
  return best.columns.empty() ? 1.0 : std::min(1.0, chosen.last / best.last);  // (3)
}

VectorXd TransportSolver::solve(const Rows& rows, double speed) const {
  return solve_dependent(rows, rows.c,
                         transport_rounding_level * (rows.A_size * speed + rows.c_size));
}

VectorXd TransportSolver::solve_rates(const Rows& rows, const VectorXd& drift, double speed) const {
  const double size = rows.A_size * speed + rows.c_size;
  return solve_dependent(rows, drift.cwiseQuotient(rows.scale),
                         transport_rounding_level * size * (1.0 + speed));
}

}  // namespace visviva
