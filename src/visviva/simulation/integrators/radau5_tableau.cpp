// The numbers of Radau IIA(5), from their closed forms.
#include "visviva/simulation/integrators/radau5_tableau.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

namespace visviva {
namespace {

// The eigenvector of a^-1 for `value`, its last component 1: across two rows of a^-1 - value.
Eigen::Vector3cd compute_eigenvector(const Eigen::Matrix3d& inverse, std::complex<double> value) {
  const Eigen::Matrix3cd m =
      inverse.cast<std::complex<double>>() - value * Eigen::Matrix3cd::Identity();
  Eigen::Vector3cd v;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    v[i] = m(0, j) * m(1, k) - m(0, k) * m(1, j);
  }
  return v / v[2];
}

Radau5Tableau make_tableau() {
  const double root = std::sqrt(6.0);
  Radau5Tableau t;
  t.c << (4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0;
  t.a << (88.0 - 7.0 * root) / 360.0, (296.0 - 169.0 * root) / 1800.0,
      (-2.0 + 3.0 * root) / 225.0,  //
      (296.0 + 169.0 * root) / 1800.0, (88.0 + 7.0 * root) / 360.0,
      (-2.0 - 3.0 * root) / 225.0,  //
      (16.0 - root) / 36.0, (16.0 + root) / 36.0, 1.0 / 9.0;
  t.error << -(13.0 + 7.0 * root) / 3.0, (-13.0 + 7.0 * root) / 3.0, -1.0 / 3.0;

  // Eigenvalues of a^-1: the roots of x^3 - 9 x^2 + 36 x - 60, the denominator of the stability
  // function turned around (IV.5, Ehle's subdiagonal Pade approximation): x = 3 + s with
  // s^3 + 9 s - 6 = 0, by Cardano s = 3^(2/3) - 3^(1/3).
  const double p = std::cbrt(9.0), q = std::cbrt(3.0);
  t.real = 3.0 + p - q;
  const double alpha = 3.0 - (p - q) / 2.0, beta = std::sqrt(3.0) * (p + q) / 2.0;
  t.pair = {alpha, -beta};

  const Eigen::Matrix3d inverse = t.a.inverse();
  const Eigen::Vector3cd v = compute_eigenvector(inverse, {alpha, beta});
  t.basis.col(0) = compute_eigenvector(inverse, t.real).real();
  t.basis.col(1) = v.real();
  t.basis.col(2) = v.imag();
  t.inverse_basis = t.basis.inverse();
  return t;
}

}  // namespace

const Radau5Tableau& radau5_tableau() {
  static const Radau5Tableau tableau = make_tableau();
  return tableau;
}

Eigen::Vector3d compute_radau5_weights(double theta) {
  const Eigen::Vector3d& c = radau5_tableau().c;
  Eigen::Vector3d weights;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    weights[i] = theta * (theta - c[j]) * (theta - c[k]) / (c[i] * (c[i] - c[j]) * (c[i] - c[k]));
  }
  return weights;
}

}  // namespace visviva
