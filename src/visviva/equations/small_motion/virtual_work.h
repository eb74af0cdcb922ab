// Virtual work and virtual displacements, for people (MEEN 617, Handout 4a (11) to (19)).
//
// Where a load acts, a point moves by δp and a frame turns by δθ; the load does the work δW:
//   δp = sum_r v_r δs_r,     δθ = sum_r w_r δs_r,     δW = sum_r F_r δs_r                       (1)
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/kinematics/consistent_start.h"

namespace visviva {

struct VirtualWork {
  struct Term {
    std::string speed;
    Expr force;    ///< F_r
    double value;  ///< at the state
  };
  std::string load;         ///< its name; empty for inertia forces
  bool is_inertia = false;  ///< of what is prescribed
  std::vector<Term> terms;  ///< δW = sum_r F_r δs_r; only those that are not identically zero
};

/// δp = sum_r v_r δs_r of a point, or the rotation sum_r w_r δs_r of a frame, on which a load acts.
struct VirtualDisplacement {
  std::string name;
  bool is_rotation = false;
  std::vector<std::pair<std::string, Vector>> terms;
};

/// Every load, and last the inertia forces of what is prescribed where there are any.
std::vector<VirtualWork> compute_virtual_work(const Equations& equations,
                                              const ConsistentStart& at);
std::vector<VirtualDisplacement> compute_virtual_displacements(const Equations& equations);

}  // namespace visviva
