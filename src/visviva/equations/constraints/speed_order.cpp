#include "visviva/equations/constraints/speed_order.h"

#include "visviva/numeric/choose_columns.h"

namespace visviva {

std::vector<int> order_dependent_speeds(const Kinematics& motion) {
  const std::vector<Speed>& speeds = motion.speeds();
  std::vector<int> order;
  for (const Expr& wanted : motion.model().dependent) {
    for (std::size_t r = 0; r < speeds.size(); ++r) {
      const int q = speeds[r].coordinate;
      if (speeds[r].u == wanted || (q >= 0 && motion.model().coordinates[q].rate == wanted))
        order.push_back(static_cast<int>(r));
    }
  }
  append_missing(speeds.size(), &order);
  return order;
}

}  // namespace visviva
