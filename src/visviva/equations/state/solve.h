// Accelerations, multipliers and unknown forces at one state, by one linear solve with pivoting.
//
//   | M  -W  -A' | | u' |   | f0 |
//   | A   0   0  | | τ  | = | b  |        kkt_assembly.h (1): forcing = f0 + W τ,               (1)
//   | C  -V  -L' | | λ  |   | d  |        τ the unknown forces
// Redundant rows and singular configurations are normal: what the equations leave open is told,
// not divided by.
#pragma once

#include <memory>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/kinematics/consistent_start.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {

/// Values of every symbol that equations may contain: start state with consistent coordinates,
/// and speeds.
StartState make_state(const Kinematics& motion, const ConsistentStart& start);

struct SolvedMotion {
  std::vector<double> speed_rates;  ///< u'
  std::vector<double> unknowns;     ///< of Equations::unknowns
  std::vector<double> multipliers;  ///< λ, of Equations::rows
  std::vector<bool> is_rate_determined;
  std::vector<bool> is_unknown_determined;
  std::vector<bool> is_multiplier_determined;
  /// Combinations of multipliers that change nothing else: any of them may be added.
  std::vector<std::vector<double>> open_multipliers;
  bool is_consistent = true;  ///< false when no accelerations satisfy the equations
  int constraint_rank = 0;
};

/// Throws a ModelError (E-unknown-remains) when an unknown force is neither determined nor drops
/// out.
void require_unknowns_determined(const Equations& equations, const SolvedMotion& solved);

class MotionSolver {
 public:
  explicit MotionSolver(const Equations& equations);
  ~MotionSolver();
  MotionSolver(const MotionSolver&) = delete;
  MotionSolver& operator=(const MotionSolver&) = delete;

  SolvedMotion operator()(const StartState& state) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace visviva
