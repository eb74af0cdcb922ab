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
#include "visviva/kinematics/consistent_start.h"
#include "visviva/kinematics/start_state.h"

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

/// The left sides of (1) with symbols for y, which are `solved`: u', unknown forces, multipliers.
struct MotionResidual {
  std::vector<Expr>
      rows;  ///< one for each speed, each constraint row, each complete auxiliary equation
  std::vector<Expr> solved;
  std::vector<Expr> velocities;  ///< A u + c, a constraint row each
};
MotionResidual make_residual(const Equations& equations);

/// The equations without constraint rows that vanish at this state and not beside it, such as one
/// of the two components of a pin in a parallelogram: rounding errors are all that is left of them.
Equations without_vanishing_rows(const Equations& equations, const StartState& state);

/// The largest real part below which an eigenvalue of this system counts as on the imaginary axis:
/// a double eigenvalue moves by the root of the rounding errors.
double axis_tolerance(const std::vector<std::complex<double>>& eigenvalues);

/// Whether an expression changes with a symbol: a node may mention one that cancels.
bool varies_with(const std::vector<Expr>& exprs, const Expr& symbol);

/// Time or specified functions that change, among the symbols of these expressions; by name.
std::vector<std::string> find_time_dependence(const ModelData& model,
                                              const std::vector<Expr>& exprs);

}  // namespace visviva
