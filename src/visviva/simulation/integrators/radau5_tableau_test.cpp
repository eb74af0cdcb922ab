// The numbers of Radau IIA(5) satisfy what defines them.
#include "visviva/simulation/integrators/radau5_tableau.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

namespace visviva {
namespace {

// Sums of a few products of numbers near 1.
constexpr double rounding = 2e-15;
// The same behind an inverse whose entries reach 10.
constexpr double rounding_of_inverse = 5e-14;

const Radau5Tableau& tableau = radau5_tableau();

// B(p), C(q), D(r) of J. C. Butcher, as in Hairer & Wanner II, section IV.5.
TEST(Radau5Tableau, IntegratesPolynomialsToDegreeFourAndNoFurther) {
  const Eigen::Vector3d b = tableau.a.row(2);
  for (int k = 1; k <= 5; ++k)
    EXPECT_NEAR(b.dot(tableau.c.array().pow(k - 1).matrix()), 1.0 / k, rounding) << k;
  EXPECT_GT(std::abs(b.dot(tableau.c.array().pow(5).matrix()) - 1.0 / 6.0), 1e-4);
}

TEST(Radau5Tableau, StagesAreACollocationOfDegreeThree) {
  for (int k = 1; k <= 3; ++k) {
    const Eigen::Vector3d left = tableau.a * tableau.c.array().pow(k - 1).matrix();
    const Eigen::Vector3d right = tableau.c.array().pow(k) / k;
    EXPECT_LE((left - right).cwiseAbs().maxCoeff(), rounding) << k;
  }
}

TEST(Radau5Tableau, SatisfiesTheSimplifyingAssumptionD2) {
  const Eigen::Array3d b = tableau.a.row(2).transpose(), c = tableau.c;
  for (int k = 1; k <= 2; ++k) {
    const Eigen::Vector3d left = tableau.a.transpose() * (b * c.pow(k - 1)).matrix();
    const Eigen::Vector3d right = b * (1.0 - c.pow(k)) / k;
    EXPECT_LE((left - right).cwiseAbs().maxCoeff(), rounding) << k;
  }
}

// Hairer & Wanner II, table IV.3.1: (1 + 2z/5 + z^2/20)/(1 - 3z/5 + 3z^2/20 - z^3/60).
TEST(Radau5Tableau, StabilityFunctionIsEhlesPadeApproximationAndVanishesAtInfinity) {
  const Eigen::Vector3d b = tableau.a.row(2), one = Eigen::Vector3d::Ones();
  for (const double z : {-40.0, -3.0, -0.5, 0.5, 1.0}) {
    const Eigen::Matrix3d m = Eigen::Matrix3d::Identity() - z * tableau.a;
    const double computed = 1.0 + z * b.dot(m.inverse() * one);
    const double closed =
        (1.0 + 0.4 * z + z * z / 20.0) / (1.0 - 0.6 * z + 0.15 * z * z - z * z * z / 60.0);
    EXPECT_NEAR(computed, closed, rounding_of_inverse) << z;
  }
  EXPECT_NEAR(1.0 - b.dot(tableau.a.inverse() * one), 0.0, rounding_of_inverse);
}

TEST(Radau5Tableau, BasisSplitsTheInverse) {
  const double alpha = tableau.pair.real(), beta = -tableau.pair.imag();
  Eigen::Matrix3d lambda;
  lambda << tableau.real, 0, 0, 0, alpha, beta, 0, -beta, alpha;
  const Eigen::Matrix3d gap = tableau.a.inverse() * tableau.basis - tableau.basis * lambda;
  EXPECT_LE(gap.cwiseAbs().maxCoeff(), rounding_of_inverse);
  EXPECT_LE((tableau.basis * tableau.inverse_basis - Eigen::Matrix3d::Identity()).norm(), rounding);
}

// The closed forms that Hairer and Wanner's program RADAU5 uses for the same eigenvalues.
TEST(Radau5Tableau, EigenvaluesAreThoseOfTheProgramRadau5) {
  const double p = std::cbrt(81.0), q = std::cbrt(9.0);
  const double a = (12.0 - p + q) / 60.0, b = (p + q) * std::sqrt(3.0) / 60.0, n = a * a + b * b;
  EXPECT_NEAR(tableau.real, 30.0 / (6.0 + p - q), rounding);
  EXPECT_NEAR(tableau.pair.real(), a / n, rounding);
  EXPECT_NEAR(tableau.pair.imag(), -b / n, rounding);
}

// y = t^k from 0: the estimate sees y'(0) and the stages t^k.
TEST(Radau5Tableau, EstimateVanishesForCubicsAndNotForQuartics) {
  for (int k = 1; k <= 4; ++k) {
    const double estimate =
        (k == 1 ? 1.0 : 0.0) + tableau.error.dot(tableau.c.array().pow(k).matrix());
    if (k <= 3)
      EXPECT_NEAR(estimate, 0.0, 4.0 * rounding) << k;
    else
      EXPECT_GT(std::abs(estimate), 0.01);
  }
}

TEST(Radau5Tableau, PolynomialReproducesCubicsThatStartAtZero) {
  const Eigen::Array3d c = tableau.c;
  const auto cubic = [](auto s) { return s * (2.0 + s * (-3.0 + 5.0 * s)); };
  for (const double theta : {-0.5, 0.0, 0.1, 0.6, 1.0, 1.7, 3.0})
    EXPECT_NEAR(compute_radau5_weights(theta).dot(cubic(c).matrix()), cubic(theta),
                rounding * (1.0 + 100.0 * theta * theta))
        << theta;
}

}  // namespace
}  // namespace visviva
