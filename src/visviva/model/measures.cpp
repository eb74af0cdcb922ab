// Quantities of motion in a model: symbols that stand for what a later stage derives.
#include <array>
#include <optional>

#include "visviva/model/declare.h"
#include "visviva/model/model.h"

namespace visviva {
namespace {

constexpr std::array<const char*, 8> measure_verbs = {
    "velocity", "velocity_on",      "acceleration",    "angular_velocity", "angular_acceleration",
    "momentum", "angular_momentum", "partial_velocity"};

// "velocity(P, A)": the verb, who moves, and where it is seen from.
struct MeasureName {
  MeasureData::Kind kind;
  std::string who, seen;
};

std::optional<MeasureName> read_measure_name(const std::string& name) {
  const std::size_t open = name.find('('), comma = name.find(", ", open);
  const std::size_t close = name.size() < 3 ? 0 : name.size() - 3;  // ").x"
  if (open == std::string::npos || comma == std::string::npos || comma > close) return {};
  if (name[close] != ')' || name[close + 1] != '.') return {};
  for (std::size_t i = 0; i < measure_verbs.size(); ++i) {
    if (name.compare(0, open, measure_verbs[i]) != 0) continue;
    return MeasureName{static_cast<MeasureData::Kind>(i), name.substr(open + 1, comma - open - 1),
                       name.substr(comma + 2, close - comma - 2)};
  }
  return {};
}

bool is_angular(MeasureData::Kind kind) {
  return kind == MeasureData::Kind::angular_velocity ||
         kind == MeasureData::Kind::angular_acceleration;
}

std::optional<int> find_place(const std::unordered_map<std::string, int>& places,
                              const std::string& name) {
  const auto found = places.find(name);
  if (found == places.end()) return std::nullopt;
  return found->second;
}

MeasureData make_measure(const ModelData& data, MeasureData::Kind kind, int subject, int frame) {
  MeasureData m{kind, subject, frame, 0, {}};
  m.home = is_angular(kind) ? subject : data.points[subject].home_frame;
  const std::string& who = is_angular(kind) ? data.frames[subject].name : data.points[subject].name;
  const std::string& seen = kind == MeasureData::Kind::angular_momentum ? data.points[frame].name
                                                                        : data.frames[frame].name;
  const std::string name =
      std::string(measure_verbs[static_cast<std::size_t>(kind)]) + "(" + who + ", " + seen + ").";
  for (std::size_t i = 0; i < 3; ++i) m.symbols[i] = data.pool->symbol(name + "xyz"[i]);
  return m;
}

// A name of a speed holds no bracket and no comma.
MeasureData make_partial(const ModelData& data, int point, const std::string& speed) {
  MeasureData m{MeasureData::Kind::partial_velocity, point, 0,
                data.points[point].home_frame,       {},    speed};
  const std::string name = "partial_velocity(" + data.points[point].name + ", " + speed + ").";
  for (std::size_t i = 0; i < 3; ++i) m.symbols[i] = data.pool->symbol(name + "xyz"[i]);
  return m;
}

// Three symbols in the home frame that stand for a vector of motion.
Vector measure(const ModelData& data, MeasureData::Kind kind, int subject, int frame,
               const Dimension& dimension) {
  const MeasureData m = make_measure(data, kind, subject, frame);
  return Vector(data, {{m.home, m.symbols}}, dimension);
}

}  // namespace

std::optional<MeasureData> ModelData::measure(const Expr& symbol) const {
  if (!symbol.is_symbol()) return {};
  const auto read = read_measure_name(symbol.home().symbol_name(symbol.ref()));
  if (!read) return {};
  if (read->kind == MeasureData::Kind::partial_velocity) {
    const auto point = find_place(point_places, read->who);
    return point ? std::optional(make_partial(*this, *point, read->seen)) : std::nullopt;
  }
  const auto subject = find_place(is_angular(read->kind) ? frame_places : point_places, read->who);
  const bool about_point = read->kind == MeasureData::Kind::angular_momentum;
  const auto seen = find_place(about_point ? point_places : frame_places, read->seen);
  if (!subject || !seen) return {};
  return make_measure(*this, read->kind, *subject, *seen);
}

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

Vector partial_velocity(const Point& P, const std::string& speed, const Dimension& dimension) {
  const MeasureData m = make_partial(P.model(), P.index(), speed);
  return Vector(P.model(), {{m.home, m.symbols}}, dimensions::speed / dimension);
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

}  // namespace visviva
