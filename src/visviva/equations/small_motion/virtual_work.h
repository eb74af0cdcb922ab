// Virtual work and virtual displacements, for people (MEEN 617, Handout 4a (11) to (19)).
//
// Variations δs_r of the speeds are compatible with the constraints when A δs = 0: those of dependent speeds follow from
// the others, δs_d = T δs_i. Where a load acts, a point moves by δp and a frame turns by δθ; the load does the work δW:
//   δp = sum_i v_i δs_i,     δθ = sum_i w_i δs_i,     δW = sum_i F_i δs_i                       (1)
// with v_i, w_i, F_i those of independent speeds: v_i + sum_d T_di v_d, and so on. At an equilibrium the sum of all δW
// is zero, for every i (Handout 4a (19)); reactions of constraints do no work.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/kinematics/consistent_start.h"

namespace visviva {

/// δs_d = sum_i factor_i δs_i of a dependent speed.
struct DependentVariation {
  struct Term {
    std::string speed;
    Expr factor;
    double value;  ///< at the state
  };
  std::string speed;
  std::vector<Term> terms;  ///< only those that are not identically zero
};

struct VirtualWork {
  struct Term {
    std::string speed;
    Expr force;    ///< F_i
    double value;  ///< at the state
  };
  std::string load;         ///< its name; empty for inertia forces
  bool is_inertia = false;  ///< of what is prescribed
  std::vector<Term> terms;  ///< δW = sum_i F_i δs_i; only those that are not identically zero
};

/// δp = sum_i v_i δs_i of a point, or the rotation sum_i w_i δs_i of a frame, on which a load acts.
struct VirtualDisplacement {
  std::string name;
  bool is_rotation = false;
  std::vector<std::pair<std::string, Vector>> terms;
};

struct VirtualMotion {
  /// False where the constraints cannot be solved at the state: then all speeds vary.
  bool is_compatible = true;
  std::vector<DependentVariation> dependent;
  std::vector<VirtualDisplacement> displacements;
  std::vector<VirtualWork>
      works;  ///< every load, and last the inertia of what is prescribed, if any
  /// sum_loads F_i for each independent speed; not a number where an unknown force acts.
  std::vector<std::pair<std::string, double>> sums;
};

/// Virtual displacements and virtual work at a state.
VirtualMotion analyze_virtual_work(const Equations& equations, const ConsistentStart& at);

}  // namespace visviva
