// Eigenvalues of x' = A x, and the motions that belong to them.
//
// A is balanced, and states that act on each other are grouped: a matrix in block triangular form
// has the eigenvalues of its blocks. With D the balance and v a null vector,
//   (D^-1 A D - λ) v = 0,     x = D v exp(λ t)                                                  (1)
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace visviva {

/// A motion x = shape exp(eigenvalue t); of a complex pair, the one with positive imaginary part
/// stands for both.
struct Mode {
  std::complex<double> eigenvalue;
  std::vector<std::complex<double>> shape;  ///< by state; the largest entry is 1
  bool is_oscillatory = false;              ///< the rest is 0 unless it is
  double frequency = 0;                     ///< Im λ, rad/s
  double frequency_hz = 0;
  double natural_frequency = 0;  ///< |λ|, rad/s
  double damping_ratio = 0;      ///< -Re λ / |λ|
};

struct Modes {
  std::vector<std::complex<double>> eigenvalues;  ///< largest real part first
  std::vector<Mode> modes;  ///< in the order of the eigenvalues; fewer when eigenvectors coincide
};

/// A matrix by rows.
std::vector<std::vector<double>> list_rows(const Eigen::MatrixXd& m);

/// The modes of a square matrix, given by rows.
Modes compute_modes(const std::vector<std::vector<double>>& A);

/// Makes rows and columns alike in size (Parlett and Reinsch 1969): D^-1 A D, with the powers of two
/// D that it returns.
Eigen::VectorXd balance_matrix(Eigen::MatrixXd* A);

/// The largest real part below which an eigenvalue of this system counts as on the imaginary axis:
/// a double eigenvalue moves by the root of the rounding errors.
double axis_tolerance(const std::vector<std::complex<double>>& eigenvalues);

}  // namespace visviva
