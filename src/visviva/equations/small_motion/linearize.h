// Small motions about a state: x' = A x + B w, with exact slopes and with the constraints
// satisfied.
//
// X = (q, h, u) are coordinates, hidden states of spin frames and speeds; y = (u', τ, λ) what one
// linear solve gives (solve.h), w the inputs. The equations of motion are a residual R that
// vanishes, linear in y:
//   R(X, y, w) = ( M u' - f - A'λ,  A u' - b,  C u' - L'λ - d ) = 0,     q' = Y u + z           (1)
// Its slopes are exact; y is a number. The implicit rule gives the slopes of y without a symbolic
// inverse:
//   K dy = -(R_X dX + R_w dw),     K = dR/dy                                                    (2)
// Only variations that the constraints allow count: g(q, t) = 0, |e| = 1 of quaternions, v = A u +
// c = 0,
//   g_q dq = 0,     A du + v_q dq + v_w dw = 0                                                  (3)
// Independent coordinates and speeds are the states; the rows of (3) give the others, dX = T dx + P
// dw. With (2), dX' = F_X dX + F_w dw, and A, B are its rows for the states:
//   A = S F_X T,     B = S (F_X P + F_w)                                                        (4)
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/equations/small_motion/modes.h"
#include "visviva/equations/small_motion/motion_residual.h"
#include "visviva/kinematics/consistent_start.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {

struct Linearization {
  /// Independent coordinates, hidden states on which something depends, independent speeds.
  std::vector<std::string> states;
  std::vector<std::string> inputs;
  std::vector<std::vector<double>> A, B;
  std::vector<std::complex<double>> eigenvalues;  ///< largest real part first
  std::vector<Mode> modes;  ///< in the order of the eigenvalues; fewer when eigenvectors coincide
  /// Speeds and their equations stay as they are: u' = 0 and d(u')/dt = 0, and nothing depends on
  /// time.
  bool is_steady = true;
  std::vector<std::string> remarks;
  std::string failure;  ///< why there is no linearization here; then the matrices are empty
};

/// About a state that satisfies the constraints. The numbers that may not work out are a `failure`,
/// never an exception.
Linearization linearize(const Equations& equations, const ConsistentStart& at);
/// The same; the state has a value for each symbol that the equations contain, as make_state gives.
Linearization linearize(const Equations& equations, const StartState& state);

}  // namespace visviva
