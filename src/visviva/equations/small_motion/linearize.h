// Small motions about a motion: x' = A x + B w, with exact slopes and with the constraints satisfied.
//
// The states x are variations of independent coordinates, hidden states on which something depends,
// and independent speeds; rotations with three degrees of freedom are varied by rotation vectors
// (variations.h). About a motion X(t) the matrix A is A(X(t), t). The motion is steady where A stays
// the same:
//   A(X(t), t) = A(X(0), 0)                                                                     (1)
// and then its eigenvalues say what small motions do. A body's rotation is seen from the frame that
// carries it if (1) holds there, else from its own frame, else from one that turns evenly. Where
// something has the period T and the motion too, its Floquet multipliers are the eigenvalues of
//   Φ(T),     Φ' = A(X(t), t) Φ,     Φ(0) = 1                                                   (2)
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/equations/small_motion/compiled_evaluation.h"
#include "visviva/equations/small_motion/modes.h"
#include "visviva/equations/small_motion/motion_residual.h"
#include "visviva/equations/small_motion/multipliers.h"
#include "visviva/equations/small_motion/small_motion_reason.h"
#include "visviva/kinematics/consistent_start.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {

/// The frame in which a body's rotation is varied: its states are NAME_rx, NAME_ry, NAME_rz.
struct RotationFrame {
  std::string body;
  std::string frame;  ///< a frame of the model
  /// The angular velocity, in `frame`, of the frame that is meant where it is none of the model's.
  std::optional<std::array<double, 3>> turning;
};

/// What the states of a linearization are variations of: coordinates, hidden states on which something depends, speeds.
struct VariedState {
  double time = 0.0;
  std::vector<std::string> names;
  std::vector<double> values;
  /// Their variations, a row each: by the states and by the inputs of the linearization.
  std::vector<std::vector<double>> by_states, by_inputs;
};

struct Linearization {
  /// Independent coordinates, hidden states on which something depends, independent speeds.
  std::vector<std::string> states;
  std::vector<std::string> inputs;
  std::vector<std::vector<double>> A, B;
  std::vector<std::complex<double>> eigenvalues;  ///< largest real part first
  std::vector<Mode> modes;  ///< in the order of the eigenvalues; fewer when eigenvectors coincide
  bool is_steady = true;    ///< (1), but for rows on which no eigenvalue depends
  VariedState varied;
  std::vector<RotationFrame> frames;
  std::optional<Floquet> floquet;
  /// Of a model with samples, s: A and B are of x(k+1) = A x(k) + B w(k), and the eigenvalues are multipliers.
  std::optional<double> sample_period;
  SmallMotionReasons remarks;
  SmallMotionReason failure;  ///< why there is no linearization here; then the matrices are empty
};

struct SmallMotionOptions {
  std::optional<double> period{};  ///< of the motion; else that of the functions of time, if any
  CompileEvaluation compile{};     ///< for motions that are followed over a period
};

/// About a state that satisfies the constraints. The numbers that may not work out are a `failure`,
/// never an exception.
Linearization linearize(const Equations& equations, const ConsistentStart& at,
                        const SmallMotionOptions& options = {});
/// The same; the state has a value for each symbol that the equations contain, as make_state gives.
Linearization linearize(const Equations& equations, const StartState& state,
                        const SmallMotionOptions& options = {});

/// The eigenvalues of A at a state alone, whether or not it lasts; none where A is not finite.
std::vector<std::complex<double>> compute_instant_eigenvalues(const Equations& equations,
                                                              const ConsistentStart& at);

}  // namespace visviva
