#include "visviva/kinematics/coordinate_momentum.h"

#include "visviva/kinematics/speed_definition.h"
#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva {
namespace {

// sum_r (inertia · motion) · motion_r slope_r
Expr momentum_part(const VectorMotion& motion, const Matrix3& inertia,
                   const std::vector<Expr>& speeds, const std::vector<Expr>& slopes) {
  const Column3 momentum = inertia * total(motion, speeds);
  Expr sum = momentum[0].pool().zero();
  for (const auto& [r, column] : motion.coefficients) {
    if (!slopes[r].is_zero()) sum += slopes[r] * dot(momentum, column);
  }
  return sum;
}

}  // namespace

std::vector<Expr> speed_slopes(const Kinematics& motion, const CoordinateData& coordinate) {
  ExprPool& pool = *motion.model().pool;
  std::vector<Expr> slopes;
  for (const Speed& speed : motion.speeds()) {
    if (speed.coordinate >= 0) {
      const bool is_own = motion.model().coordinates[speed.coordinate].q == coordinate.q;
      slopes.push_back(is_own ? pool.one() : pool.zero());
      continue;
    }
    const std::optional<Expr> definition = find_speed_definition(motion, speed.name);
    slopes.push_back(definition ? differentiate(*definition, coordinate.rate) : pool.zero());
  }
  return slopes;
}

Expr compute_coordinate_momentum(const Kinematics& motion, const CoordinateData& coordinate) {
  const ModelData& model = motion.model();
  const std::vector<Expr>& speeds = motion.table().symbols;
  Expr p = model.pool->zero();
  if (speeds.empty()) return p;
  const std::vector<Expr> slopes = speed_slopes(motion, coordinate);
  for (const BodyData& body : model.bodies) {
    p += momentum_part(motion.point_motion(Point(model, body.point)),
                       body.mass * identity_matrix(*model.pool), speeds, slopes);
    if (body.frame >= 0)
      p +=
          momentum_part(motion.body_motion(Frame(model, body.frame)), body.inertia, speeds, slopes);
  }
  return p;
}

}  // namespace visviva
