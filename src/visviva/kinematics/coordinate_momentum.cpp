#include "visviva/kinematics/coordinate_momentum.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace visviva {

CoordinateMomenta::CoordinateMomenta(MotionEngine& engine) : engine_(engine) {
  const ModelData& model = engine.model();
  const std::vector<Speed>& speeds = engine.table().speeds;
  if (speeds.empty()) return;
  for (const BodyData& body : model.bodies) {
    parts_.push_back({&engine.velocity(body.point), body.mass * identity_matrix(*model.pool)});
    if (body.frame >= 0)
      parts_.push_back({&engine.angular_velocity_in_frame(body.frame), body.inertia});
  }
  columns_.resize(speeds.size());
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    for (const auto& [r, column] : parts_[k].motion->coefficients)
      columns_[r].emplace_back(k, &column);
  }
  std::unordered_map<std::string, Expr> definitions;
  for (std::size_t i = 0; i < model.speeds.size(); ++i) {
    const std::optional<Expr>& definition = engine.table().definitions[i];
    if (definition) definitions.emplace(model.speeds[i].name, *definition);
  }
  for (const Speed& speed : speeds) {
    const auto found = definitions.find(speed.name);
    definitions_.push_back(found == definitions.end() ? std::nullopt
                                                      : std::optional<Expr>(found->second));
  }
}

// du_r/dq', by the definition of the speed.
Expr CoordinateMomenta::speed_slope(std::size_t r, const CoordinateData& coordinate) const {
  const ModelData& model = engine_.model();
  if (definitions_[r]) return differentiate(*definitions_[r], coordinate.rate);
  const int own = engine_.table().speeds[r].coordinate;
  const bool is_own = own >= 0 && model.coordinates[own].q == coordinate.q;
  return is_own ? model.pool->one() : model.pool->zero();
}

Expr CoordinateMomenta::operator()(const CoordinateData& coordinate) {
  struct Term {
    std::size_t part;
    Expr slope;
    const Column3* column;
  };
  std::vector<Term> terms;
  for (std::size_t r = 0; r < columns_.size(); ++r) {
    const Expr slope = speed_slope(r, coordinate);
    if (slope.is_zero()) continue;
    for (const auto& [part, column] : columns_[r]) terms.push_back({part, slope, column});
  }
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Term& a, const Term& b) { return a.part < b.part; });
  Expr p = engine_.model().pool->zero();
  for (auto t = terms.begin(); t != terms.end();) {
    Part& part = parts_[t->part];
    if (!part.momentum) part.momentum = part.inertia * total(*part.motion, engine_.table().symbols);
    Expr sum = engine_.model().pool->zero();
    for (const std::size_t k = t->part; t != terms.end() && t->part == k; ++t)
      sum += t->slope * dot(*part.momentum, *t->column);
    p += sum;
  }
  return p;
}

Expr compute_coordinate_momentum(MotionEngine& engine, const CoordinateData& coordinate) {
  return CoordinateMomenta(engine)(coordinate);
}

}  // namespace visviva
