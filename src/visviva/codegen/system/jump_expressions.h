// JumpExpressions: what a run looks at where a surface is crossed, to see whether places or velocities
// jump there.
#pragma once

#include <string>
#include <vector>

#include "visviva/equations/equations.h"

namespace visviva {

struct JumpExpressions {
  /// Components in N of the mass centers from No and of the bodies' axes, which must not jump.
  std::vector<Expr> places;
  std::vector<std::string> place_names;  ///< the body or particle that each belongs to
  /// The whole mechanism's momentum and its angular momentum about No, three components in N each; its mass, and the
  /// sum of its moments of inertia about No.
  std::vector<Expr> momentum;
};

/// All of them; nothing where no expression of the model can jump or have a corner.
JumpExpressions make_jump_expressions(const Equations& equations);

}  // namespace visviva
