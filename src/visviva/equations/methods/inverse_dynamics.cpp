#include "visviva/equations/methods/inverse_dynamics.h"

#include "visviva/equations/methods/moving_trees.h"

namespace visviva {

std::vector<Expr> make_inverse_dynamics(const Kinematics& motion) {
  const MovingTrees trees(motion, MovingTrees::Rates::included);
  std::vector<Expr> generalized(motion.speeds().size(), motion.model().pool->zero());
  const std::vector<Expr> acting = trees.project(trees.collect_wrenches(&generalized));
  std::vector<Expr> forces;
  for (std::size_t r = 0; r < acting.size(); ++r) forces.push_back(-(acting[r] + generalized[r]));
  return forces;
}

}  // namespace visviva
