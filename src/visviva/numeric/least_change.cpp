#include "visviva/numeric/least_change.h"

#include <algorithm>
#include <cmath>

#include "visviva/numeric/dense.h"

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding_row = 1e-14;  // rows below this part of the largest entry say nothing
constexpr double contradiction = 1e-9;  // of a condition's right side

struct Conditions {
  MatrixXd A;
  VectorXd r;
};

// Rows scaled to their largest entry: they may carry different units.
Conditions scale_rows(Conditions c) {
  if (c.A.size() == 0) return c;
  const double all = c.A.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < c.A.rows(); ++i) {
    const double largest = c.A.row(i).cwiseAbs().maxCoeff();
    if (largest > rounding_row * all) {
      c.A.row(i) /= largest;
      c.r(i) /= largest;
    } else {
      c.A.row(i).setZero();
    }
  }
  return c;
}

}  // namespace

VectorXd compute_least_change(const MatrixXd& M, const MatrixXd& A, const VectorXd& r) {
  const Eigen::Index n = M.rows(), m = A.rows();
  if (n == 0) return VectorXd();
  const Conditions c = scale_rows({A, r});
  const double mass = std::max(M.cwiseAbs().maxCoeff(), 1e-300);
  MatrixXd K = MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = M / mass;
  K.topRightCorner(n, m) = c.A.transpose();
  K.bottomLeftCorner(m, n) = c.A;
  VectorXd right = VectorXd::Zero(n + m);
  right.tail(m) = c.r;
  return solve_least_squares(K, right).col(0).head(n);
}

std::vector<bool> find_contradicting_rows(const MatrixXd& A, const VectorXd& r) {
  const Conditions c = scale_rows({A, r});
  VectorXd missed = c.r;
  if (c.A.cols() > 0) missed -= c.A * solve_least_squares(c.A, c.r).col(0);
  std::vector<bool> rows(static_cast<std::size_t>(r.size()));
  for (Eigen::Index i = 0; i < r.size(); ++i)
    rows[static_cast<std::size_t>(i)] =
        !(std::fabs(missed(i)) <= contradiction * (1.0 + std::fabs(c.r(i))));
  if (std::none_of(rows.begin(), rows.end(), [](bool row) { return row; })) rows.clear();
  return rows;
}

}  // namespace visviva
