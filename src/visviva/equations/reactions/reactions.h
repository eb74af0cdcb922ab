// Reactions: the forces and moments that keep constraints, joints and prescribed motions, at one
// state.
//
// For a constraint, the forces of its rows times their multipliers, on the body it names first
// (places.h). For a point P, the balance of all that hangs on P (lecture notes on generalized forces), B its
// bodies, H the central angular momentum, p from P:
//   R   = sum_B m a - (loads and constraint forces on them)                                     (1)
//   M_P = sum_B (p x m a + dH/dt) - (their moments about P)                                     (2)
// For the motor of a specified motion x, v_x = dv/dx' and w_x = dw/dx' (dv/dx, dw/dx where x is
// itself a rate):
//   f_x = sum_B (m a · v_x + dH/dt · w_x) - (loads and constraints, likewise),   power f_x x'   (3)
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "visviva/equations/state/solve.h"

namespace visviva {

/// Components in N; the flags tell which the model determines.
struct Wrench {
  std::array<double, 3> force{}, moment{};
  std::array<bool, 3> is_force_determined{true, true, true}, is_moment_determined{true, true, true};
};

struct Reaction {
  std::string name;  ///< of the constraint or point
  std::string at;    ///< the point that the moment is about
  std::string on;    ///< the body, or "all that hangs on P"
  Wrench wrench;
};

struct Motor {
  std::string name;  ///< of the specified function
  double force = 0;  ///< or torque
  double power = 0;  ///< positive when it does work on the system
  bool is_determined = true;
};

/// The multiplier of a constraint; of a vector constraint or roll all of them, as a vector in N.
struct ConstraintMultiplier {
  std::string name;
  bool is_vector = false;
  std::array<double, 3> values{};
  std::array<bool, 3> is_determined{true, true, true};
};

struct LoadPower {
  std::string name;
  double power = 0;           ///< of all its forces and torques
  double through_speeds = 0;  ///< of that, sum of F_r u_r over all speeds
};

struct Reactions {
  std::vector<Reaction> reactions;  ///< constraints, then points on which something with mass hangs
  std::vector<Motor> motors;
  std::vector<ConstraintMultiplier> multipliers;
  std::vector<LoadPower> powers;
};

/// Equations made ready for reactions at any state.
class ReactionSolver {
 public:
  explicit ReactionSolver(const Equations& equations);
  ~ReactionSolver();
  ReactionSolver(const ReactionSolver&) = delete;
  ReactionSolver& operator=(const ReactionSolver&) = delete;

  Reactions operator()(const StartState& state, const SolvedMotion& solved) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The state with the rates of speeds, second rates and unknown forces that were solved for.
StartState add_solution(const Equations& equations, StartState state, const SolvedMotion& solved);

/// Values of result symbols by name, such as "reaction(ball).x" and "power(x)"; undetermined ones
/// are left out.
std::map<std::string, double> name_results(const Reactions& reactions);

}  // namespace visviva
