// The smallest change that makes linear conditions hold, measured by a mass matrix, and which of the
// conditions contradict each other.
//
//   A x = r,  x' M x least:   M x = A' l,  A x = r                                              (1)
// Masses may be zero and rows redundant: of several solutions the smallest is taken.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace visviva {

/// (1); where A x = r has no solution, one that comes close.
Eigen::VectorXd compute_least_change(const Eigen::MatrixXd& M, const Eigen::MatrixXd& A,
                                     const Eigen::VectorXd& r);

/// The conditions that cannot hold together with the others: those that the x nearest to A x = r
/// misses. Empty when all can hold.
std::vector<bool> find_contradicting_rows(const Eigen::MatrixXd& A, const Eigen::VectorXd& r);

}  // namespace visviva
