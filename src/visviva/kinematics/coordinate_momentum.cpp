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

}  // namespace

CoordinateMomenta::CoordinateMomenta(MotionEngine& engine) : engine_(engine) {
  const ModelData& model = engine.model();
  if (engine.table().symbols.empty()) return;
  for (const BodyData& body : model.bodies) {
    parts_.push_back({&engine.velocity(body.point), body.mass * identity_matrix(*model.pool)});
    if (body.frame >= 0)
      parts_.push_back({&engine.angular_velocity_in_frame(body.frame), body.inertia});
  }
}

// sum_r (inertia · motion) · motion_r slope_r
Expr CoordinateMomenta::add_up(Part* part, const std::vector<Expr>& slopes) const {
  Expr sum = engine_.model().pool->zero();
  for (const auto& [r, column] : part->motion->coefficients) {
    if (slopes[r].is_zero()) continue;
    if (!part->momentum)
      part->momentum = part->inertia * total(*part->motion, engine_.table().symbols);
    sum += slopes[r] * dot(*part->momentum, column);
  }
  return sum;
}

Expr CoordinateMomenta::operator()(const CoordinateData& coordinate) {
  Expr p = engine_.model().pool->zero();
  if (parts_.empty()) return p;
  const std::vector<Expr> slopes = speed_slopes(engine_, coordinate);
  for (Part& part : parts_) p += add_up(&part, slopes);
  return p;
}

Expr compute_coordinate_momentum(MotionEngine& engine, const CoordinateData& coordinate) {
  return CoordinateMomenta(engine)(coordinate);
}

}  // namespace visviva
