// ActionVariation: what Hamilton's principle says about a path beside that of the motion.
//
// q are coordinates, and specified functions where a trial path is varied; η their variations, functions
// of time along the motion; L = K - V with V the potential of all loads that have one, terms of time
// included; Q the forces of the others, g(q, t) = 0 constraints with multipliers λ, M u' = f + A'λ.
// Along q + e η (docs/theory/hamilton.md)
//   S(e)   = integral of L(q + e η, q' + e η', t)                                               (1)
//   dS/de  = integral of L_q η + L_q' η'                                                        (2)
//   d²S/de² = integral of d²(L + λ g)/de², λ as it is along the motion                           (3)
//   W      = integral of Q η                                                                    (4)
//   dS/de + W = [p η] at the ends, p = L_q', where η keeps to the constraints: g_q η = 0        (5)
// In (3) λ g stands for the second-order terms that keep q + e η on g = 0: they change S by -λ g_q of
// them. Generalized speeds are put in by their definitions, u(q, q', t), before anything is varied.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "visviva/base/result.h"
#include "visviva/equations/equations.h"

namespace visviva {

/// A varied coordinate or specified function. Expressions are of the state, time and parameters.
struct PathVariation {
  std::string name;
  Expr eta;
  Expr momentum;          ///< p of (5)
  bool is_trial = false;  ///< a specified function: its path is given, no motion
};

/// What a variation does to a configuration constraint.
struct ConstraintVariation {
  std::string name;
  Expr slope;  ///< g_q η: must vanish along the motion
  Expr size;   ///< of its largest term, squared, what a slope is small against
};

struct ActionVariation {
  Expr lagrangian;  ///< integrand of (1) at e = 0
  Expr first;       ///< of (2)
  Expr second;      ///< of (3); may contain multiplier(NAME)
  Expr work;        ///< of (4)
  std::vector<PathVariation> paths;
  std::vector<ConstraintVariation> constraints;
  std::vector<std::string> without_potential;  ///< loads that (4) comes from
  std::shared_ptr<ExprPool> pool{};            ///< holds the expressions
};

/// Why a path cannot be varied so. A sentence is made of it in report/derivation/variation_text.h.
struct NoVariation {
  enum class Kind {
    none_given,         ///< the model has no variation
    motion_constraint,  ///< the constraint `name` is on velocities
    quaternion,         ///< the coordinate `name` is a component of a unit quaternion
    spin,               ///< the frame `name` is given by its angular velocity: it has no path
    unknown_force,      ///< a load contains the unknown `name`
    // Seen along the motion:
    open_end,     ///< the variation of `name` does not vanish at `time`, which is an end
    jump,         ///< it jumps at `time` by `value`
    incompatible  ///< it leaves the constraint `name`, most of all at `time`
  };
  Kind kind = Kind::none_given;
  std::string name{};
  double time = 0.0;           ///< s
  double value = 0.0;          ///< of the variation, or of g_q η; SI
  double boundary_term = 0.0;  ///< p η of (5) at an open end, J s
};

/// The variation of the action by the model's variations, or why there is none.
Result<ActionVariation, NoVariation> try_vary_action(const Equations& equations);

}  // namespace visviva
