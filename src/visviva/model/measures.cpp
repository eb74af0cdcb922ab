// Quantities of motion in a model: symbols that stand for what a later stage derives.
#include "visviva/model/declare.h"
#include "visviva/model/model.h"

namespace visviva {
namespace {

// Three symbols in the home frame that stand for a vector of motion; the same ones each time.
Vector measure(ModelData& data, MeasureData::Kind kind, int subject, int frame,
               const Dimension& dimension) {
  for (const MeasureData& m : data.measures) {
    if (m.kind == kind && m.subject == subject && m.frame == frame)
      return Vector(data, {{m.home, m.symbols}}, dimension);
  }
  MeasureData m{kind, subject, frame, 0, {}};
  using Kind = MeasureData::Kind;
  const auto frame_name = [&data](int f) { return data.frames[static_cast<std::size_t>(f)].name; };
  const auto point_name = [&data](int p) { return data.points[static_cast<std::size_t>(p)].name; };
  const bool angular = kind == Kind::angular_velocity || kind == Kind::angular_acceleration;
  m.home = angular ? subject : data.points[static_cast<std::size_t>(subject)].home_frame;
  static constexpr const char* verbs[] = {
      "velocity", "velocity_on",     "acceleration", "angular_velocity", "angular_acceleration",
      "momentum", "angular_momentum"};
  const std::string who = angular ? frame_name(subject) : point_name(subject);
  const std::string seen = kind == Kind::angular_momentum ? point_name(frame) : frame_name(frame);
  const std::string name =
      std::string(verbs[static_cast<int>(kind)]) + "(" + who + ", " + seen + ").";
  for (std::size_t i = 0; i < 3; ++i) {
    m.symbols[i] = data.pool->symbol(name + "xyz"[i]);
    data.set_role(m.symbols[i], Role::measure, data.measures.size());
  }
  data.measures.push_back(m);
  return Vector(data, {{m.home, m.symbols}}, dimension);
}

}  // namespace

Vector velocity(const Point& P) { return velocity(P, Frame(P.model(), 0)); }
Vector velocity(const Point& P, const Frame& A) {
  require_same(P.model(), &A.model(), "velocity");
  return measure(P.model(), MeasureData::Kind::velocity, P.index(), A.index(), dimensions::speed);
}
Vector velocity_on(const Point& P, const Frame& C) {
  require_same(P.model(), &C.model(), "velocity_on");
  return measure(P.model(), MeasureData::Kind::material_velocity, P.index(), C.index(),
                 dimensions::speed);
}
Vector acceleration(const Point& P) {
  return measure(P.model(), MeasureData::Kind::acceleration, P.index(), 0,
                 dimensions::acceleration);
}
Vector angular_velocity(const Frame& B) { return angular_velocity(B, Frame(B.model(), 0)); }
Vector angular_velocity(const Frame& B, const Frame& A) {
  require_same(B.model(), &A.model(), "angular_velocity");
  return measure(B.model(), MeasureData::Kind::angular_velocity, B.index(), A.index(),
                 dimensions::rate);
}
Vector angular_acceleration(const Frame& B) {
  return measure(B.model(), MeasureData::Kind::angular_acceleration, B.index(), 0,
                 per_second(Dimension(), 2));
}

Vector momentum(const Point& center) {
  return measure(center.model(), MeasureData::Kind::momentum, center.index(), 0,
                 dimensions::mass * dimensions::speed);
}

Vector angular_momentum(const Point& center, const Point& P) {
  require_same(center.model(), &P.model(), "angular_momentum");
  return measure(center.model(), MeasureData::Kind::angular_momentum, center.index(), P.index(),
                 dimensions::mass * dimensions::speed * dimensions::length);
}

Vector reaction(Model& model, const std::string& name) {
  // Components in N; what a later stage derives.
  ModelData& data = model.newtonian().model();
  Column3 column;
  for (std::size_t i = 0; i < 3; ++i) {
    column[i] = data.pool->symbol("reaction(" + name + ")." + "xyz"[i]);
    data.set_role(column[i], Role::result, 0);
  }
  return Vector(data, {{0, column}}, dimensions::force);
}

}  // namespace visviva
