// Coefficients of Dormand and Prince's 5(4) pair with values of order 4 within a step.
//
// J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6
// (1980) 19-26; the values within: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
// Differential Equations I, 2nd ed. (1993), II.6, as in the authors' program dopri5.f. Stage 6 is
// the rate at the end of the step. What the rows mean is told in explicit_stepper.h.
#pragma once

#include "visviva/simulation/integrators/newton_basis.h"

namespace visviva {

struct Dopri5Tableau {
  static constexpr int stages = 7, end_stage = 6, all_stages = 7;
  static constexpr int order = 5, error_order = 4, dense_order = 4;
  static constexpr int stiff_stages[2] = {5, 6};

  // clang-format off
  static constexpr long double c[all_stages] = {
      0, 1.0L / 5, 3.0L / 10, 4.0L / 5, 8.0L / 9, 1, 1,
  };
  static constexpr long double a[all_stages][all_stages] = {
      {},
      {1.0L / 5},
      {3.0L / 40, 9.0L / 40},
      {44.0L / 45, -56.0L / 15, 32.0L / 9},
      {19372.0L / 6561, -25360.0L / 2187, 64448.0L / 6561, -212.0L / 729},
      {9017.0L / 3168, -355.0L / 33, 46732.0L / 5247, 49.0L / 176, -5103.0L / 18656},
      {35.0L / 384, 0, 500.0L / 1113, 125.0L / 192, -2187.0L / 6784, 11.0L / 84},
  };
  static constexpr long double b[all_stages] = {
      35.0L / 384, 0, 500.0L / 1113, 125.0L / 192, -2187.0L / 6784, 11.0L / 84,
  };
  static constexpr long double embedded[1][all_stages] = {{
      5179.0L / 57600, 0, 7571.0L / 16695, 393.0L / 640, -92097.0L / 339200, 187.0L / 2100,
      1.0L / 40,
  }};
  // The term of the values within the step that Hermite's cubic does not have.
  static constexpr long double beyond_cubic[1][all_stages] = {{
      -12715105075.0L / 11282082432, 0, 87487479700.0L / 32700410799,
      -10690763975.0L / 1880347072, 701980252875.0L / 199316789632, -1453857185.0L / 822651844,
      69997945.0L / 29380423,
  }};
  // clang-format on

  static constexpr int dense_terms = 3;
  static constexpr auto dense = with_hermite_cubic<all_stages, 1>(b, end_stage, beyond_cubic);
};

}  // namespace visviva
