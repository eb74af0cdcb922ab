// The decompositions of dense matrices that mechanics needs, each compiled once: they are slow to
// compile. Matrices may lack rows or columns: models without inputs, constraints or freedom do.
#pragma once

#include <Eigen/Core>

namespace visviva {

/// The smallest of all x that come closest to K x = rhs; entries below `threshold` of the largest
/// pivot count as zero (0: by rounding).
Eigen::MatrixXd solve_least_squares(const Eigen::MatrixXd& K, const Eigen::MatrixXd& rhs,
                                    double threshold = 0.0);

/// An orthonormal basis of all x with K x = 0, as columns.
Eigen::MatrixXd compute_null_space(const Eigen::MatrixXd& K, double threshold);
Eigen::Index compute_rank(const Eigen::MatrixXd& K, double threshold);

/// The singular values, in descending order.
Eigen::VectorXd compute_singular_values(const Eigen::MatrixXd& K);

struct SymmetricEigen {
  Eigen::VectorXd values;  ///< ascending
  Eigen::MatrixXd vectors;
};
SymmetricEigen compute_symmetric_eigen(const Eigen::MatrixXd& symmetric);
/// True when all eigenvalues of a symmetric matrix are proved to be larger than `least`; cheap, and false where rounding
/// leaves it open.
bool is_surely_above(const Eigen::MatrixXd& symmetric, double least);

Eigen::VectorXcd compute_eigenvalues(const Eigen::MatrixXd& matrix);

struct ComplexDirections {
  Eigen::VectorXd sizes;     ///< singular values, descending
  Eigen::MatrixXcd columns;  ///< right singular vectors
};
ComplexDirections compute_complex_directions(const Eigen::MatrixXcd& matrix);
/// The last of these columns of a square matrix, up to its phase. Where its singular value stands apart, by inverse iteration.
Eigen::VectorXcd compute_weakest_direction(const Eigen::MatrixXcd& matrix);

}  // namespace visviva
