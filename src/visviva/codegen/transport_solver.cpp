#include "visviva/codegen/transport_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/equations/choose_columns.h"
#include "visviva/equations/open_solve.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// As in energy_solver.cpp, so that a run and an evaluation choose alike.
constexpr double good_pivot = 1e-6;
constexpr double zero_pivot = 1e-9;
constexpr double consistency = 1e-6;
constexpr double rounding_level = 1e-13;

VectorXd solve_dependent(const TransportSolver::Rows& rows, const VectorXd& rhs, double noise) {
  const std::vector<int>& dependent = rows.dependent;
  MatrixXd A_d(rows.A.rows(), static_cast<Index>(dependent.size()));
  for (std::size_t d = 0; d < dependent.size(); ++d)
    A_d.col(static_cast<Index>(d)) = rows.A.col(dependent[d]);
  const VectorXd x_d =
      dependent.empty() ? VectorXd() : VectorXd(OpenSystem(A_d).solve(MatrixXd(-rhs)));
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

}  // namespace

TransportSolver::Rows TransportSolver::choose(MatrixXd A, VectorXd c,
                                              const std::vector<int>& wanted) const {
  Rows rows{std::move(A), std::move(c), {}};
  rows.scale.setOnes(rows.A.rows());
  rows.is_finite = rows.A.allFinite() && rows.c.allFinite();
  if (!rows.is_finite || rows.A.size() == 0) return rows;
  rows.A_size = rows.A.cwiseAbs().maxCoeff();
  rows.c_size = rows.c.cwiseAbs().maxCoeff();
  for (Index i = 0; i < rows.A.rows(); ++i) {
    const double size = rows.A.row(i).cwiseAbs().maxCoeff();
    if (size > rounding_level * rows.A_size) {
      rows.scale(i) = size;
      rows.A.row(i) /= size;
      rows.c(i) /= size;
    } else {
      rows.A.row(i).setZero();  // scaling must not bring it to life
    }
  }
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

VectorXd TransportSolver::solve(const Rows& rows, double speed) const {
  return solve_dependent(rows, rows.c, rounding_level * (rows.A_size * speed + rows.c_size));
}

VectorXd TransportSolver::solve_rates(const Rows& rows, const VectorXd& drift, double speed) const {
  const double size = rows.A_size * speed + rows.c_size;
  return solve_dependent(rows, drift.cwiseQuotient(rows.scale),
                         rounding_level * size * (1.0 + speed));
}

}  // namespace visviva
