#include "visviva/equations/interactions/time_dependence.h"

#include <algorithm>

#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

// ---- Coordinates held

HeldMotion::HeldMotion(const Kinematics& motion) : motion_(motion) {
  const ModelData& model = motion.model();
  ExprPool& pool = *model.pool;
  Replacements still;
  for (const CoordinateData& q : model.coordinates) still.emplace_back(q.rate, pool.zero());
  for (const SpeedData& s : model.speeds) {
    if (!s.definition) still.emplace_back(s.u, pool.zero());
  }
  Substitution held(pool, still);
  speeds_.assign(motion.speeds().size(), pool.zero());
  for (const SpeedData& s : model.speeds) {
    if (s.definition) speeds_[motion.speed_index(s.name)] = held(motion.speed_definition(s.name));
  }
}

Expr HeldMotion::rate(const ScalarMotion& of) const { return total(of, speeds_); }

Expr HeldMotion::power(const PartAction& action, const Part& part) const {
  Expr power = dot_with(action.force, engine_of(motion_).velocity(part.point));
  if (part.takes_moments())
    power += dot_with(action.moment, engine_of(motion_).angular_velocity(part.frame));
  return power;
}

bool HeldMotion::is_free(const Part& part) const {
  return !engine_of(motion_).velocity(part.point).coefficients.empty() ||
         (part.frame >= 0 && !engine_of(motion_).angular_velocity(part.frame).coefficients.empty());
}

Expr HeldMotion::dot_with(const Vector& v, const VectorMotion& motion) const {
  return dot(v.in(Frame(motion_.model(), motion.frame)), total(motion, speeds_));
}

// ---- Time in a law

namespace {

// The function h of a change of h' or h''.
std::optional<Expr> find_next_derivative(const ModelData& model, const VirtualData& v) {
  const std::optional<ChangedRate> rate = find_changed_rate(model, v);
  if (!rate) return {};
  return model.specified[rate->specified].derivatives.at(static_cast<std::size_t>(rate->order) + 1);
}

bool is_driving(const Kinematics& motion, const VirtualData& v, DrivenRates rates) {
  if (v.kind == VirtualData::Kind::specified) return place_motor(motion, v.index).has_value();
  const std::optional<ChangedRate> rate = find_changed_rate(motion.model(), v);
  return rate && rate->order == 1 && rates == DrivenRates::have_places &&
         place_motor(motion, rate->specified);
}

}  // namespace

std::vector<std::string> find_explicit_time(const Kinematics& motion, const Displaced& displaced,
                                            DrivenRates rates) {
  const ModelData& model = motion.model();
  std::vector<Expr> law;
  if (displaced.scalar.valid()) law = {displaced.scalar};
  if (displaced.vector.model() != nullptr) {
    const Column3 c = displaced.vector.in(Frame(model, 0));
    law = {c[0], c[1], c[2]};
  }
  std::vector<std::string> names;
  for (const VirtualData& v : displaced.virtuals) {
    if (v.kind != VirtualData::Kind::time && v.kind != VirtualData::Kind::specified) continue;
    if (is_driving(motion, v, rates)) continue;
    const bool enters = std::any_of(law.begin(), law.end(), [&](const Expr& e) {
      return !differentiate(e, v.symbols[0]).is_zero();
    });
    // change(NAME)
    const std::string symbol = v.symbols[0].home().symbol_name(v.symbols[0].ref());
    const std::size_t open = symbol.find('(');
    if (enters) names.push_back(symbol.substr(open + 1, symbol.size() - open - 2));
  }
  return names;
}

Expr compute_explicit_power(const Kinematics& motion, const Displaced& displaced) {
  const ModelData& model = motion.model();
  Expr power = model.pool->zero();
  if (!displaced.scalar.valid()) return power;
  for (const VirtualSlope& s :
       compute_virtual_slopes(*model.pool, displaced.scalar, displaced.virtuals)) {
    if (s.of->kind == VirtualData::Kind::specified && !place_motor(motion, s.of->index))
      power -= s.values[0] * model.specified[s.of->index].derivatives[1];
    if (s.of->kind != VirtualData::Kind::time) continue;
    const std::optional<Expr> next = find_next_derivative(model, *s.of);
    power -= next ? s.values[0] * *next : s.values[0];
  }
  return power;
}

// ---- Springs and dampers

bool has_changing_constants(const Kinematics& motion, const SpringData& spring) {
  return !motion.rate_of(spring.coefficient).remainder.is_zero() ||
         (spring.rest.valid() && !motion.rate_of(spring.rest).remainder.is_zero());
}

void add_spring_power(const Kinematics& motion, const SpringData& s, TimeDependence* time) {
  const ModelData& model = motion.model();
  ExprPool& pool = *model.pool;
  const Expr length =
      s.on.valid() ? s.on : magnitude(Point(model, s.to) - Point(model, s.from)).expr(pool);
  const Expr rest = s.rest.valid() ? s.rest : pool.zero(), stretch = length - rest;
  const Expr k_rate = motion.rate_of(s.coefficient).remainder,
             rest_rate = motion.rate_of(rest).remainder;
  time->explicit_power =
      s.coefficient * stretch * rest_rate - pool.rational(1, 2) * k_rate * stretch * stretch;
  const auto enters = [&](const Expr& symbol) {
    return depends_on(s.coefficient, symbol) || depends_on(rest, symbol);
  };
  for (const SpecifiedData& x : model.specified) {
    if (enters(x.derivatives[0])) time->explicit_names.push_back(x.name);
  }
  if (enters(model.time)) time->explicit_names.emplace_back("t");
}

}  // namespace visviva
