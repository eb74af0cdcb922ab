// Stiff equations with known answers.
#pragma once

#include "visviva/simulation/integrators/function_rates_test.h"

namespace visviva {

/// x'' = ((1 - x^2) x' - x)/epsilon: x, x'.
inline FunctionRates make_van_der_pol(double epsilon) {
  return {2,
          [=](double, const double* y, double* rates) {
            rates[0] = y[1];
            rates[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / epsilon;
            return true;
          },
          [=](double, const double* y, double* by_state, double*) {
            by_state[1] = (-2.0 * y[0] * y[1] - 1.0) / epsilon;
            by_state[2] = 1.0;
            by_state[3] = (1.0 - y[0] * y[0]) / epsilon;
            return true;
          }};
}

/// Robertson's reaction. Hairer & Wanner II, (IV.1.4).
inline FunctionRates make_robertson() {
  return {3,
          [](double, const double* y, double* rates) {
            const double slow = 0.04 * y[0], fast = 1e4 * y[1] * y[2], own = 3e7 * y[1] * y[1];
            rates[0] = -slow + fast;
            rates[1] = slow - fast - own;
            rates[2] = own;
            return true;
          },
          [](double, const double* y, double* by_state, double*) {
            by_state[0] = -0.04;
            by_state[1] = 0.04;
            by_state[3] = 1e4 * y[2];
            by_state[5] = 6e7 * y[1];
            by_state[4] = -by_state[3] - by_state[5];
            by_state[6] = 1e4 * y[1];
            by_state[7] = -by_state[6];
            return true;
          }};
}

/// y' = rate (y - cos t) - sin t, whose smooth solution is cos t (A. Prothero, A. Robinson, 1974),
/// and Z' = y as a quadrature.
inline FunctionRates make_prothero_robinson(double rate) {
  return {2,
          [=](double t, const double* y, double* rates) {
            rates[0] = rate * (y[0] - std::cos(t)) - std::sin(t);
            rates[1] = y[0];
            return true;
          },
          [=](double t, const double*, double* by_state, double* by_time) {
            by_state[0] = rate;
            by_state[1] = 1.0;
            by_time[0] = rate * std::sin(t) - std::cos(t);
            return true;
          }};
}

}  // namespace visviva
