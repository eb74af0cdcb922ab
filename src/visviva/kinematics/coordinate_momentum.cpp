#include "visviva/kinematics/coordinate_momentum.h"

namespace visviva {
namespace {

// du_r/dq' of every speed, by its definition.
std::vector<Expr> speed_slopes(const MotionEngine& engine, const CoordinateData& coordinate) {
  const ModelData& model = engine.model();
  std::vector<Expr> slopes;
  for (const Speed& speed : engine.table().speeds) {
    Expr slope = model.pool->zero();
    if (speed.coordinate >= 0 && model.coordinates[speed.coordinate].q == coordinate.q)
      slope = model.pool->one();
    for (std::size_t i = 0; i < model.speeds.size(); ++i) {
      const std::optional<Expr>& definition = engine.table().definitions[i];
      if (model.speeds[i].name == speed.name && definition)
        slope = differentiate(*definition, coordinate.rate);
    }
    slopes.push_back(slope);
  }
  return slopes;
}

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

Expr compute_coordinate_momentum(MotionEngine& engine, const CoordinateData& coordinate) {
  const ModelData& model = engine.model();
  const std::vector<Expr>& speeds = engine.table().symbols;
  Expr p = model.pool->zero();
  if (speeds.empty()) return p;
  const std::vector<Expr> slopes = speed_slopes(engine, coordinate);
  for (const BodyData& body : model.bodies) {
    p += momentum_part(engine.velocity(body.point), body.mass * identity_matrix(*model.pool),
                       speeds, slopes);
    if (body.frame >= 0)
      p +=
          momentum_part(engine.angular_velocity_in_frame(body.frame), body.inertia, speeds, slopes);
  }
  return p;
}

}  // namespace visviva
